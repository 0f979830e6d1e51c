/* SPDX-License-Identifier: BSD-3-Clause */
/* Padding: an array put into a larger one, the rest filled. */
#ifndef COHORT_DATASET_PADDING_H
#define COHORT_DATASET_PADDING_H

#include <cohort/array.h>

#include <stdbool.h>
#include <stddef.h>

/* One element of a dtype, again and again. */
typedef struct cohort_padding {
    unsigned char item[32];
    size_t bytes;
    bool is_zero; /* all bits of it */
} cohort_padding;

/* COHORT_EINVAL: the dtype has no such number; the text does not say who. */
cohort_status cohort_padding_init(cohort_padding *padding, double value, cohort_dtype dtype);

/* `from` at the beginning of `to`, both row-major, of the same dtype and rank, `to` at least as
 * long along each axis.
 */
void cohort_padding_apply(const cohort_array *to, const cohort_array *from,
                          const cohort_padding *padding);

#endif
