/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions in host memory: the one implementation of the arithmetic of cohort_reduction, lent to
 * plugins. */
#ifndef COHORT_ARITHMETIC_REDUCTION_H
#define COHORT_ARITHMETIC_REDUCTION_H

#include <cohort/plugin.h>

#include <stdbool.h>

/* As reduce_native of cohort_host: combine elements [first, first + count). Every addition is
 * rounded to the type; integers wrap; float16 and bfloat16 round to nearest even each time; a NaN
 * wins MIN and MAX; MIN and MAX of bool are "and" and "or", and it has BAND, BOR and BXOR beside,
 * as integers have them; complex types have SUM and PROD. Of two NaNs MIN and MAX take the left, of
 * equal zeros the right; products and quotients of 16-bit floats are rounded to float32 first.
 * Terms of these that are divided, by another number than 1, are combined and divided in float32,
 * and rounded to the type once. dst may be a term at its offset. COHORT_EINVAL for merges that do
 * not fit the terms, COHORT_ENOTSUP for a type without that op or a divisor on a type that is not
 * floating. Allocates nothing. Threads: any; different ranges at the same time. */
cohort_status cohort_reduction_run(const cohort_reduction *reduction, const void *const *pointers,
                                   void *dst, uint64_t first, uint64_t count);

/* Whether it is combined in float32: a mean of 16-bit floats. */
bool cohort_reduction_is_wide(uint32_t type, uint64_t divisor);

/* The same of terms that are multiplied by a weight each and rounded to the type before they are
 * combined, in the same pass: the bits are those of a product of whole terms first. Of what is
 * combined in float32 the products are float32.
 *
 * weights  [nterms] pointers to one number of the reduction's type each; NULL: there are none
 * COHORT_ENOTSUP too for a type that is not real and floating. */
cohort_status cohort_reduction_run_weighed(const cohort_reduction *reduction,
                                           const void *const *pointers, const void *const *weights,
                                           void *dst, uint64_t first, uint64_t count);

/* The same into several results, at dst_offset of each: terms are read once, and what is stored to
 * one result is in the first-level cache while the others get it. Each result may be a term at its
 * offset; no two are the same.
 *
 * results  [nresults] at least one */
cohort_status cohort_reduction_run_to_all(const cohort_reduction *reduction,
                                          const void *const *pointers, void *const *results,
                                          uint32_t nresults, uint64_t first, uint64_t count);

#endif
