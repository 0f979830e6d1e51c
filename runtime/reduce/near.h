/* SPDX-License-Identifier: BSD-3-Clause */
/* Near reductions: the usual ones, which need no plan. Element by element and without weights, of
 * what every replica has, in memory that this process sees. A small one is a fold of a bucket
 * (operation/bucket.h), a large one a fold in slices; in a step that may be repeated a small one is
 * a fold, too, where what reads it may make it. Whether a reduction is near changes no bit. */
#ifndef COHORT_REDUCE_NEAR_H
#define COHORT_REDUCE_NEAR_H

#include "runtime/operation/bucket.h"
#include "runtime/reduce/reducer.h"
#include "runtime/value/value.h"

typedef struct cohort_near {
    cohort_value *x, *into;
    uint64_t count, bytes; /* of the result */
    bool is_small;         /* it is a fold of a bucket */
} cohort_near;

/* The guard looks at each contribution, and a trial posts nothing: both are a plan's. */
static inline bool cohort_near_is_usual(const cohort_strategy *s)
{
    return !s->is_trial && s->guard == COHORT_GUARD_PROPAGATE;
}

/* Is this reduction near? Then it is prepared, and may be posted. False also where it is wrong or
 * there is no memory, which its plan finds again, and says. */
bool cohort_near_begin(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                       cohort_value *x, cohort_value *into);

/* The same without what it may be posted as (is_small): for who does not post it. */
bool cohort_near_find(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                      cohort_value *x, cohort_value *into);

/* The same of a strategy of several workers, wherever the memory is: what this worker has is usual,
 * and small enough to be offered to the others (cohort_workers_offer). */
bool cohort_near_begin_across(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                              cohort_value *x, cohort_value *into);

/* A meeting. *out_is_done: all have the same to offer, and the sum is made; else nothing is, and
 * the reduction needs a plan. The errors of cohort_workers_meet, of cohort_reduce as of "call:
 * ...". */
cohort_status cohort_near_offer(const cohort_near *near, cohort_reducer *reducer,
                                cohort_reduce_op op, const char *call, bool *out_is_done);

/* The value to fill becomes plain, of these extents and the dtype of what is combined, and counts
 * as written at home; the buffer there, large enough for its bytes. */
cohort_buffer *cohort_near_start(const cohort_near *near, const cohort_extents *extents,
                                 uint64_t bytes);

/* A bucket for small near reductions of one op; then each of them; then cohort_bucket_close. */
void cohort_near_open(cohort_bucket *bucket, const cohort_reducer *reducer, cohort_reduce_op op);
void cohort_near_post(const cohort_near *near, cohort_bucket *bucket);

/* One of any size. */
void cohort_near_post_alone(const cohort_near *near, cohort_reducer *reducer, cohort_reduce_op op);

#endif
