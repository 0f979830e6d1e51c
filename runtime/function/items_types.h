/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: what the body of an item must not compute, for the host and a kernel would do it
 * differently. */
#ifndef COHORT_FUNCTION_ITEMS_TYPES_H
#define COHORT_FUNCTION_ITEMS_TYPES_H

#include "runtime/function/items_helper.h"
#include "runtime/function/items_own.h"
#include "runtime/function/signature.h"
#include "runtime/function/types.h"

/* COHORT_EINVAL, with the place, the reason and what to write instead:
 *   - a function of doubles is called with floats alone: sqrt(x[i]) is a double in C, a float in
 *     C++, with <tgmath.h> and in OpenCL C;
 *   - abs() of what is no int, which C makes one, and C++ does not;
 *   - a function of OpenCL C that C has not, such as min: the program's own would be meant;
 *   - what C leaves open: the number that signbit() gives, ilogb(), remquo(), a NaN made of
 *     constants;
 *   - long double, auto, half precision, and char and long where they are not those of OpenCL C;
 *   - a name that neither C nor OpenCL C, the prototype, the body nor a helper declares, a variable
 *     that outlives the item, and what a helper may not have (cohort/helper.h).
 *
 * signature  its name, parameters and indices are there
 * types      what the prototype names; listed structs that the body names are laid out, too
 * helpers    those that the body uses are collected here
 * own        has begun; is told of each place where the body has an array */
cohort_status cohort_items_types_check(const cohort_signature *signature, cohort_types *types,
                                       cohort_items_helpers *helpers, cohort_items_own *own,
                                       const char *body);

/* Does the body compute with doubles, which not all devices have? Where they have none, OpenCL C
 * reads 1.0 as a float. */
bool cohort_items_has_doubles(const char *body);

/* Does the body call a function of this name? */
bool cohort_items_calls(const char *body, const char *name);

#endif
