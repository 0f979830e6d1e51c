/* SPDX-License-Identifier: BSD-3-Clause */
/* What cohort_prefix runs: three functions for each dtype and reduction. x is seen as
 * [outer][n][inner] and combined along n, in blocks of 128; a chain is one block of one outer and
 * one inner, and chains are in the order [blocks][outer][inner]. */
#ifndef COHORT_RUN_PREFIX_BODIES_H
#define COHORT_RUN_PREFIX_BODIES_H

#include <cohort/function.h>

/* totals   what each chain combines to
 *
 *     (int64_t outer, int64_t n, int64_t inner, int64_t items, const T x[items],
 *      COHORT_OUT T t[blocks][outer][inner])
 *
 * carries  what is before each chain: the first `first` blocks of all, and then the own ones
 *
 *     (int64_t blocks, int64_t outer, int64_t inner, int64_t items, int64_t first,
 *      const T t[blocks][outer][inner], const T all[items],
 *      COHORT_OUT T carry[blocks][outer][inner])
 *
 * elements
 *
 *     (int64_t outer, int64_t n, int64_t inner, int64_t items, int64_t chains, int32_t exclusive,
 *      const T x[items], const T carry[chains], COHORT_OUT T y[outer][n][inner])
 *
 * n, which is a share, says whether a replica has anything to do: items are there, too, of what is
 * not per replica. */
typedef struct cohort_prefix_bodies {
    cohort_function totals, carries, elements;
} cohort_prefix_bodies;

/* NULL: there is none of this reduction, or of this dtype. */
const cohort_prefix_bodies *cohort_prefix_bodies_of(cohort_reduce_op op, cohort_dtype dtype);

#endif
