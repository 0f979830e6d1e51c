/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: the OpenCL C kernel that is made from the tokens of an item's body. */
#ifndef COHORT_FUNCTION_ITEMS_H
#define COHORT_FUNCTION_ITEMS_H

#include "runtime/function/signature.h"

/* The name of the kernel is this prefix and the name of the function, which by itself may be that
 * of a function, type or macro of OpenCL C, such as mix or half. */
#define COHORT_ITEMS_ENTRY "cohort_item_"

/* The source of the kernel: the fixed-width type names of C and their limits, the functions of
 * Cohort and those of C that the body calls, with C's types, the structs of the prototype, and the
 * body, run by one work-item for each item, the last index of which is get_global_id(0).
 * Work-items from `count` on do nothing (COHORT_CODE_GUARDED). It does not build for a device
 * without doubles where the body has some. A #line makes errors of the body those of the line where
 * the function was declared.
 *
 * out_text  the caller's (cohort_free); NULL after a failure
 *
 * COHORT_EINCOMPATIBLE, with the reason:
 *   - a parameter has a type that OpenCL C does not take: bool, long double, complex, bfloat16, a
 *     pointer, scratch memory;
 *   - a struct has such a member, or one whose size is the platform's, size_t and the like. As a
 *     number such a type is passed as the integer of its size.
 * COHORT_EINVAL: the function has no item. */
cohort_status cohort_items_source(const cohort_function *function,
                                  const cohort_signature *signature, char **out_text);

#endif
