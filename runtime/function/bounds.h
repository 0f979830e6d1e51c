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

/* What one replica passes and gets. Arrays are indexed by parameter. */
typedef struct cohort_bounds {
    /* in: shapes of the arrays that are known; out: of all arrays */
    cohort_extents arrays[COHORT_MAX_ARGUMENTS];
    /* in: bounds, and elements of unsized locals, given by name in values[] */
    bool is_named[COHORT_MAX_ARGUMENTS];
    /* in: see is_named; out: bounds, computed integers, and for locals the number of elements */
    int64_t values[COHORT_MAX_ARGUMENTS];
} cohort_bounds;

/* Solve and check, in 64 bits.
 *
 * where  "" or " , replica 1 on host:0.1" in the wording of messages: ", replica 1 on host:0.1"
 * Every array of rank 1 in the prototype takes an array of any rank, as its elements; other ranks
 * must match.
 * Returns COHORT_OK; COHORT_EINVAL with a message that names the two arrays that disagree, the
 * array of wrong rank or extent, the bound that nothing solves (and both ways to give it), the
 * expression that divides by 0, is negative or overflows, the unsized output without a shape or
 * unsized local without a name, or the computed integer that does not fit its type: gradient,
 * replica 1 on host:0.1: n is 32 rows of x but 31 rows of e; arrays that share a bound must agree
 * topk: nothing says how large k is: only the output best[n][k] has it; pass COHORT_NAMED(k, SIZE)
 * or make best with cohort_value_shaped On failure `bounds` is half filled. Threads: any. Allocates
 * nothing. */
cohort_status cohort_bounds_solve(const cohort_signature *signature, const char *where,
                                  cohort_bounds *bounds);

#endif
