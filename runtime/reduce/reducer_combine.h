/* SPDX-License-Identifier: BSD-3-Clause */
/* Combining the leaves of a reducer, or what it holds, across workers too. */
#ifndef COHORT_REDUCE_REDUCER_COMBINE_H
#define COHORT_REDUCE_REDUCER_COMBINE_H

#include "runtime/reduce/reducer.h"

/* Combine leaves[0 .. replicas - 1] into dst, `count` elements each; at least one is there. dst is
 * large enough. Not the MEAN of integers. */
void cohort_reducer_combine(cohort_reducer *reducer, cohort_reduce_op op, cohort_dtype dtype,
                            uint64_t count, uint64_t divisor, cohort_buffer *dst);

/* leaves[0 .. replicas - 1] of float32, summed up and divided as such, and rounded once to a dtype
 * of 16 bits. cohort_reducer_combine itself makes such leaves of those of 16 bits where it divides,
 * and more than one fold makes the tree. */
void cohort_reducer_divide_halves(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                  uint64_t divisor, cohort_buffer *dst);

/* As cohort_reducer_combine, of leaves that are multiplied by their weights, and rounded, first.
 * Only where can_weigh, and not MEAN. */
void cohort_reducer_combine_weighed(cohort_reducer *reducer, cohort_reduce_op op,
                                    cohort_dtype dtype, uint64_t count, cohort_buffer *dst);

/* Hold the sums of a list of n reductions, so that they cross together to the other workers: hold,
 * then cohort_reducer_combine for each, which has not filled dst when it returns, then cross, which
 * fills all. As many sums are held as one meeting is for, and up to cohort_pack_bytes. In a
 * strategy of one worker neither does anything. hold: COHORT_ENOMEM. */
cohort_status cohort_reducer_hold(cohort_reducer *reducer, int64_t n);
void cohort_reducer_cross(cohort_reducer *reducer);

/* Across workers: an offer (cohort_workers_offer) of what the leaves make, all of which are there,
 * with what was found about them. The result is in memory of this process, where it is taken.
 * Blocks until what fills the leaves is done. Not taken, and nothing is said to anybody, where the
 * strategy has failed meanwhile. */
cohort_status cohort_reducer_offer(cohort_reducer *reducer, cohort_reduce_op op,
                                   const cohort_workers_sum *sum, bool *out_is_taken);

/* Across workers: what the buffer of replica 0 has, into dst of all, which is large enough. first:
 * on the worker that hosts it. */
void cohort_reducer_take_first(cohort_reducer *reducer, cohort_buffer *first, uint64_t bytes,
                               cohort_buffer *dst);

/* Is one fold into dst enough for all leaves and weights, in memory that this process sees? */
bool cohort_reducer_can_weigh(const cohort_reducer *reducer, const cohort_buffer *dst);

/* The MEAN of integers: the leaves are limbs of `count` sums (runtime/operation/integers.h) of this
 * dtype. */
void cohort_reducer_divide_integers(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                    uint64_t divisor, cohort_buffer *dst);

#endif
