/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of integers: sums that do not wrap, and the one division.
 *
 * A sum is kept in limbs of 64 bits that are added like any other int64: one limb for inputs of up
 * to 32 bits; three of 40, 40 and 48 bits for inputs of 64 bits, so that the limbs of 65,536 such
 * sums can be added without a carry. Limb l of element i is number l * count + i. */
#ifndef COHORT_OPERATION_INTEGERS_H
#define COHORT_OPERATION_INTEGERS_H

#include "runtime/operation/fold_rows.h"

/* 1 or 3; 0: no integer dtype. */
uint64_t cohort_integers_limbs(cohort_dtype dtype);

/* The dtype of a mean: float32 of 8 and 16 bits, else float64. */
cohort_dtype cohort_integers_mean(cohort_dtype dtype);

/* src is outer x rows x inner integers; the limbs of the sums along the middle go to dst, which is
 * on a device that can access src. */
void cohort_integers_post_sum(cohort_dtype dtype, cohort_buffer *src, cohort_fold_shape shape,
                              cohort_buffer *dst);

/* Limbs of `count` sums of such integers, each divided by `divisor` as float64 and then rounded to
 * the dtype of a mean. dst is on a device that can access them. */
void cohort_integers_post_quotient(cohort_dtype dtype, cohort_buffer *limbs, uint64_t count,
                                   uint64_t divisor, cohort_buffer *dst);

#endif
