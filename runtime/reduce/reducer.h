/* SPDX-License-Identifier: BSD-3-Clause */
/* The reducer of a strategy: contributions of replicas combined along the tree, wherever they lie.
 *
 * Leaves that a device can reach are terms of one fold. A node of the tree whose leaves all lie on
 * a device that it cannot reach is combined there, and only its result travels. */
#ifndef COHORT_REDUCE_REDUCER_H
#define COHORT_REDUCE_REDUCER_H

#include "runtime/operation/fold.h"
#include "runtime/strategy/strategy.h"

typedef struct cohort_scratch { /* buffers of one device, used again by every reduction */
    cohort_buffer **buffers;
    size_t capacity;
    int32_t count, used;
} cohort_scratch;

/* What a reduction knows of a node of its tree. */
typedef struct cohort_reducer_node {
    int32_t device; /* of all its replicas; -1: they have several */
    int32_t terms;  /* that it has in a fold */
} cohort_reducer_node;

struct cohort_held; /* a sum over workers that is formed and not yet crossed */

typedef struct cohort_reducer {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_scratch *scratch; /* [devices] */
    cohort_buffer **leaves;  /* [replicas]: NULL where a replica is absent */
    cohort_buffer **weights; /* [replicas]: of combine_weighed, one element for each leaf */
    /* [2 * replicas - 1]: each before those of its left half, and these before the right */
    cohort_reducer_node *nodes;
    const char *call; /* whose reduction it is, for messages and for workers to compare */
    char *room;       /* of cohort_reducer_room */
    size_t room_bytes;
    struct cohort_held *held; /* [held_most]; NULL: every sum crosses by itself */
    int32_t n_held, held_most;
    uint64_t held_bytes;
    uint64_t list; /* number of the last list of values (cohort_reduce_check_distinct) */
    struct cohort_list_memos *lists; /* of list_memo.h; NULL: none yet */
    /* [n_workers]: home, and a device of each other lane, where all memory is near (near.h); 0: it
     * is not */
    cohort_context **workers;
    int32_t n_workers;
} cohort_reducer;

/* The strategy's reducer, made at first use. NULL: out of memory. */
cohort_reducer *cohort_reducer_of(cohort_strategy *strategy);

/* A new reduction begins: scratch buffers may be used again (operations that still use them are
 * waited for in line), but for what sums that are held have there. */
void cohort_reducer_restart(cohort_reducer *reducer);

/* Memory, not cleared, for `count` items that a call plans with; the next such call uses it again.
 * NULL: out of memory, with an error text. */
void *cohort_reducer_room(cohort_reducer *reducer, size_t count, size_t size);

/* A scratch buffer of at least `bytes` on a device; NULL, with the failure set, when out of
 * memory. */
cohort_buffer *cohort_reducer_scratch(cohort_reducer *reducer, int32_t device, uint64_t bytes);

/* Combine leaves[0 .. replicas - 1] into dst, `count` elements each; at least one is there. dst is
 * large enough. Not the MEAN of integers. */
void cohort_reducer_combine(cohort_reducer *reducer, cohort_reduce_op op, cohort_dtype dtype,
                            uint64_t count, uint64_t divisor, cohort_buffer *dst);

/* leaves[0 .. replicas - 1] of float32, summed up and divided as such, and rounded once to a dtype of 16
 * bits. Of such a dtype cohort_reducer_combine makes such leaves itself where it divides, and more than
 * one fold makes the tree. */
void cohort_reducer_divide_halves(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                  uint64_t divisor, cohort_buffer *dst);

/* Across workers the sums of a list of n reductions cross together, as many as one meeting is for and
 * up to so many bytes, of which more gain nothing from company, and would need as much room: hold, then cohort_reducer_combine, which has not filled dst when it returns,
 * of each; cross fills all. In a strategy of one worker neither does anything. hold: COHORT_ENOMEM. */
cohort_status cohort_reducer_hold(cohort_reducer *reducer, int64_t n);
void cohort_reducer_cross(cohort_reducer *reducer);
enum { COHORT_REDUCER_HELD = 4 << 20 };

/* The same of leaves that are multiplied by their weights, and rounded, first. Only where can_weigh,
 * and not MEAN. */
void cohort_reducer_combine_weighed(cohort_reducer *reducer, cohort_reduce_op op,
                                    cohort_dtype dtype, uint64_t count, cohort_buffer *dst);

/* Across workers: an offer (cohort_workers_offer) of what the leaves make, all of which are there,
 * with what was found about them. The result is in memory of this process, where it is taken. Blocks
 * until what fills the leaves is done. Not taken, and nothing is said to anybody, where the strategy
 * has failed meanwhile. */
cohort_status cohort_reducer_offer(cohort_reducer *reducer, cohort_reduce_op op,
                                   const cohort_workers_sum *sum, bool *out_is_taken);

/* Across workers: what the buffer of replica 0 has, into dst of all, which is large enough. first: on
 * the worker that hosts it. */
void cohort_reducer_take_first(cohort_reducer *reducer, cohort_buffer *first, uint64_t bytes,
                               cohort_buffer *dst);

/* Is one fold into dst enough for all leaves and weights, in memory that this process sees? */
bool cohort_reducer_can_weigh(const cohort_reducer *reducer, const cohort_buffer *dst);

/* The MEAN of integers: the leaves are limbs of `count` sums (runtime/operation/integers.h) of this
 * dtype. */
void cohort_reducer_divide_integers(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                    uint64_t divisor, cohort_buffer *dst);

#endif
