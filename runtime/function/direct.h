/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct calls: native calls whose arguments are numbers and pointers, made by the compiler's own
 * call. libffi finds out at each call which register each argument goes to, which for a function of
 * a few arrays takes longer than all else that is done to launch it; here it is found out once.
 *
 * The address is called as a function of as many integers and doubles as there are registers, and
 * of as many integers as there are words on the stack: an argument of either class takes the next
 * register of its class, whatever stands between, and a callee reads only what is its own. That
 * holds on x86-64 and on aarch64; elsewhere, and for structs, complex numbers and long double,
 * there is no direct call.
 * Source: System V ABI, AMD64 supplement, 3.2.3; Procedure Call Standard for the Arm 64-bit
 * Architecture, 6.8.2. */
#ifndef COHORT_FUNCTION_DIRECT_H
#define COHORT_FUNCTION_DIRECT_H

#include <cohort/plugin.h>

#include <stdbool.h>

typedef struct cohort_direct {
    bool is_possible, is_real_result;
    /* all arguments are integers and pointers of 8 bytes, few of them on the stack, and the result
     * is no real */
    bool are_words;
    uint8_t n_arguments, n_stack, result_bytes;
    /* of each argument: its dtype, COHORT_POINTER for arrays, and the word it is passed in */
    uint8_t types[COHORT_MAX_ARGS], words[COHORT_MAX_ARGS];
} cohort_direct;

/* The sig must be one that libffi could describe. */
cohort_direct cohort_direct_plan(const cohort_sig *sig);

/* Only where it is possible; arguments as those of cohort_call_native. The thread's floating-point
 * state stays as it is. */
void cohort_direct_call(const cohort_direct *direct, cohort_native_fn fn, void *const *argv,
                        void *ret);

#endif
