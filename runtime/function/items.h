/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: the OpenCL C kernel that is made from the tokens of an item's body. */
#ifndef COHORT_FUNCTION_ITEMS_H
#define COHORT_FUNCTION_ITEMS_H

#include "runtime/function/signature.h"

/* Source of a kernel named like the function: the fixed-width type names of C and the functions of cohort/math.h, the
 * structs of the prototype, and one work-item per item, which does nothing from `count` on (COHORT_CODE_GUARDED).
 * Errors of the body are those of the line where the function was declared (#line).
 * COHORT_EINCOMPATIBLE, with the reason, when a parameter has a type that OpenCL C does not take (bool, size_t, long
 * double, complex, pointers, scratch memory). Owner: the caller, cohort_free. */
cohort_status cohort_items_source(const cohort_function *function, const cohort_signature *signature, char **out_text);

#endif
