/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds: solve the integers that are array extents from the arrays of a call, and check every
 * array. */
#ifndef COHORT_FUNCTION_BOUNDS_H
#define COHORT_FUNCTION_BOUNDS_H

#include "runtime/function/signature.h"

typedef struct cohort_extents {
    int32_t rank; /* -1: not known (an output without a declared shape) */
    int64_t shape[COHORT_MAX_RANK];
} cohort_extents;

/* Inline, for calls that repeat compare the shapes of all that they read. */
static inline bool cohort_extents_is_same(const cohort_extents *a, const cohort_extents *b)
{
    bool is_same = a->rank == b->rank;
    for (int32_t i = 0; i < a->rank && is_same; i++)
        is_same = a->shape[i] == b->shape[i];
    return is_same;
}

/* The arguments and results of one replica. All lists are indexed by parameter. */
typedef struct cohort_bounds {
    /* in: the shapes of arrays that the call passes; out: those of all arrays */
    cohort_extents arrays[COHORT_MAX_ARGUMENTS];
    /* in: values[] has the bound, or the number of elements of an unsized local, by its name */
    bool is_named[COHORT_MAX_ARGUMENTS];
    /* in: numbers that the call passes, and what is named; out: also the bounds that were solved,
     * the integers that were computed, and the number of elements of each local */
    int64_t values[COHORT_MAX_ARGUMENTS];
    /* in: an output y[n] without a shape gets that of the array whose elements n counts, not rank
     * 1 */
    bool keeps_rank;
} cohort_bounds;

/* Solve the bounds, compute the other integers and all extents, and check every array, in 64 bits.
 *
 * where   of the replica, as it stands in messages: "", or ", replica 1 on host:0.1"
 * bounds  in and out, see above; after a failure it is half filled
 *
 * Bounds are extents by themselves, or the one unknown of a linear extent, such as rows of
 * start[rows + 1]. An array of rank 1 in the prototype takes an array of any rank, as its elements;
 * all other ranks must be those of the prototype.
 *
 * Returns COHORT_OK, or COHORT_EINVAL with a text that names
 *   - two arrays that disagree on a bound:
 *         gradient, replica 1 on host:0.1: n is 32 rows of x but 31 rows of e; arrays that share a
 *         bound must agree
 *   - an array of a wrong rank or extent, also one that makes no whole number of a bound:
 *         f: x has 7 elements, which is x[n * k] for no n; k is 2
 *   - a bound that nothing solves, and both ways to give it:
 *         topk: nothing says how large k is: only the output best[n][k] has it; pass
 *         COHORT_NAMED(k, SIZE) or make best with cohort_value_shaped
 *   - an expression that divides by 0, is negative, or overflows;
 *   - an output without a shape, or scratch without a number of elements;
 *   - a computed integer that does not fit its type.
 *
 * Threads: any. Allocates nothing. */
cohort_status cohort_bounds_solve(const cohort_signature *signature, const char *where,
                                  cohort_bounds *bounds);

#endif
