/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of 16-bit floats: sums in float32, and the one rounding. */
#ifndef COHORT_OPERATION_FOLD_HALVES_H
#define COHORT_OPERATION_FOLD_HALVES_H

#include "runtime/operation/buffer.h"

/* The dtype in which a mean is summed up: float32 of 16-bit floats, else that of the mean. */
cohort_dtype cohort_halves_sum(cohort_dtype dtype);

/* `count` 16-bit floats in src, as float32 in dst, which is on a device that can access src. */
void cohort_halves_post_widen(cohort_dtype dtype, cohort_buffer *src, uint64_t count,
                              cohort_buffer *dst);

/* float32 in src, rounded to the dtype in dst. */
void cohort_halves_post_narrow(cohort_dtype dtype, cohort_buffer *src, uint64_t count,
                               cohort_buffer *dst);

/* The same of src divided by the one float32 in divisor. */
void cohort_halves_post_quotient(cohort_dtype dtype, cohort_buffer *src, uint64_t count,
                                 cohort_buffer *divisor, cohort_buffer *dst);

/* The same at once, in memory of this process, with its floating-point state. */
void cohort_halves_divide(cohort_dtype dtype, const void *sums, uint64_t count, const void *divisor,
                          void *into);

#endif
