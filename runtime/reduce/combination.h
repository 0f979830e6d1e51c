/* SPDX-License-Identifier: BSD-3-Clause */
/* A combination: the leaves of a reducer, of one reduction, along its tree. Where a node is
 * combined, and in how many folds, depends on where its leaves lie; in which order its elements are
 * combined does not, so that the bits are the same for every distribution of the replicas. */
#ifndef COHORT_REDUCE_COMBINATION_H
#define COHORT_REDUCE_COMBINATION_H

#include "runtime/reduce/reducer.h"

/* What becomes of a sum of another dtype than its result, once it is there. */
typedef struct cohort_rounding {
    void (*post)(cohort_dtype dtype, cohort_buffer *sums, uint64_t count, uint64_t divisor,
                 cohort_buffer *dst); /* NULL: the sum is the result */
    cohort_dtype dtype;               /* of the result */
    uint64_t count, divisor;
    cohort_buffer *dst;
} cohort_rounding;

typedef struct cohort_combination {
    cohort_reducer *reducer;
    cohort_reduce_op op; /* not MEAN, which is a SUM that the last fold divides */
    cohort_dtype dtype;
    uint64_t count, bytes;
    bool has_weights;
    cohort_rounding rounding;
    const char *call;
} cohort_combination;

cohort_combination cohort_combination_of(cohort_reducer *reducer, cohort_reduce_op op,
                                         cohort_dtype dtype, uint64_t count);

/* What the combination has made in `sums` is rounded to where that is due. */
void cohort_combination_round(const cohort_combination *c, cohort_buffer *sums);

/* Node [a, b) of the tree. */
typedef struct cohort_tree_node {
    int32_t index; /* of what the reducer knows of it */
    int32_t a, b;
} cohort_tree_node;

static inline cohort_reducer_node *cohort_combination_known(const cohort_combination *c,
                                                            cohort_tree_node n)
{
    return &c->reducer->nodes[n.index];
}

/* Look at all nodes below, and then at this one, for a fold on the device `where`. Before what
 * follows. */
void cohort_combination_survey(const cohort_combination *c, int32_t where, cohort_tree_node n);

/* Of a fold. */
typedef struct cohort_terms {
    cohort_fold_term terms[COHORT_MAX_TERMS];
    bool is_held[COHORT_MAX_TERMS]; /* scratch, to be given back behind the fold */
    int32_t n;
} cohort_terms;

/* Append the stack program of a node, which has as many terms as a fold may have at most. Where
 * memory is out the failure is set, and a term may be missing. */
void cohort_combination_collect(const cohort_combination *c, int32_t where, cohort_tree_node n,
                                cohort_terms *list);

/* The fold is posted: what it holds may be taken again, by what is posted behind it. */
void cohort_combination_let_go(const cohort_combination *c, const cohort_terms *list);

/* A node, combined on a device into a scratch buffer of it; a single leaf is itself. NULL: the
 * failure is set. */
cohort_buffer *cohort_combination_make(const cohort_combination *c, int32_t where,
                                       cohort_tree_node n);

/* Over workers: the whole tree, across, into dst, and what it is rounded to; or, where sums are
 * held (cohort_reducer_hold), what becomes of it later. */
void cohort_combination_across(const cohort_combination *c, uint64_t divisor, cohort_buffer *dst);

#endif
