/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: the OpenCL C kernel that is made from the tokens of an item's body. */
#ifndef COHORT_FUNCTION_ITEMS_H
#define COHORT_FUNCTION_ITEMS_H

#include "runtime/function/signature.h"

/* The functions of cohort/math.h as OpenCL C; embedded when the library is built. */
extern const char cohort_math_source[];

/* The kernel's name is this and the function's, which may be that of a function, type or macro of
 * OpenCL C: mix, half.
 */
#define COHORT_ITEMS_ENTRY "cohort_item_"

/* Source of a kernel named COHORT_ITEMS_ENTRY and the function's name: the fixed-width type names
 * of C and the functions of cohort/math.h, the structs of the prototype, and one work-item per
 * item, which does nothing from `count` on (COHORT_CODE_GUARDED). Errors of the body are those of
 * the line where the function was declared (#line). COHORT_EINCOMPATIBLE, with the reason, when a
 * parameter has a type that OpenCL C does not take (bool, long double, complex, bfloat16, pointers,
 * scratch memory), or a struct has such a member or one whose size is the platform's (size_t and
 * the like; as a number such a type is passed as the integer of its size). COHORT_EINVAL: the
 * function has no item. Owner: the caller, cohort_free. */
cohort_status cohort_items_source(const cohort_function *function,
                                  const cohort_signature *signature, char **out_text);

#endif
