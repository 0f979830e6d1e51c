/* SPDX-License-Identifier: BSD-3-Clause */
/* The three kinds of content that the program gives to a value and may set again: what is passed is
 * checked, and becomes the value's content. COHORT_EINVAL, COHORT_ENOMEM; then nothing has
 * changed. */
#ifndef COHORT_VALUE_VALUE_CONTENT_H
#define COHORT_VALUE_VALUE_CONTENT_H

#include "runtime/value/value.h"

cohort_status cohort_value_fill_plain(cohort_value *value, const void *array);
cohort_status cohort_value_fill_split(cohort_value *value, const void *array);
cohort_status cohort_value_fill_number(cohort_value *value, const void *number); /* a double */

#endif
