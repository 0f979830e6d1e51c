/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of an argument's type that decides which registers it takes, where libffi puts it into
 * wrong ones. */
#ifndef COHORT_FUNCTION_REGISTERS_H
#define COHORT_FUNCTION_REGISTERS_H

#include <cohort/plugin.h>

/* The argument that has to be passed as two scalars, uint64 and double; -1: none, and always on
 * other platforms.
 *
 * A struct of 9 to 16 bytes whose first eightbyte is INTEGER and whose second is SSE is copied as a
 * whole to the sixth integer register by libffi 3.4.4, and so over the first SSE register, when
 * five integer and one to seven SSE registers were taken before. The ABI passes the two scalars in
 * the same registers. There is one such argument at most, since it takes the last integer register.
 * The sig must be valid.
 * Source: System V ABI, AMD64 supplement, 3.2.3; libffi src/x86/ffi64.c. */
int32_t cohort_registers_find_split(const cohort_sig *sig);

/* The scalar that every element of a struct is, however deep it lies, and how many there are;
 * COHORT_VOID where they are of several types. The sig must be valid. */
cohort_dtype cohort_registers_only_element(const cohort_sig *sig, uint32_t type,
                                           uint32_t *out_count);

#endif
