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

/* A node of the tree, as a reduction knows it. */
typedef struct cohort_reducer_node {
    int32_t device; /* of all its replicas; -1: they have several */
    int32_t terms;  /* that it has in a fold */
    int32_t held;   /* so many of them are scratch */
    bool is_whole;  /* each leaf is a term by itself */
} cohort_reducer_node;

struct cohort_reducer;

/* How a leaf is made for one reduction of what lies at leaves[replica], on the device of that: into
 * one scratch buffer, and what else is taken is given back. NULL: the failure is set. */
typedef struct cohort_leaf_maker {
    cohort_buffer *(*make)(struct cohort_reducer *reducer, const void *what, int32_t replica);
    const void *what;
} cohort_leaf_maker;

struct cohort_held; /* a sum over workers that is formed and not yet crossed */

typedef struct cohort_reducer {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_scratch *scratch; /* [devices] */
    cohort_buffer **leaves;  /* [replicas]: NULL where a replica is absent */
    cohort_buffer **weights; /* [replicas]: of combine_weighed, one element for each leaf */
    cohort_leaf_maker maker; /* .make NULL: leaves are themselves */
    /* [2 * replicas - 1]: each before those of its left half, and these before the right */
    cohort_reducer_node *nodes;
    const char *call; /* whose reduction it is, for messages and for workers to compare */
    char *room;       /* of cohort_reducer_room */
    size_t room_bytes;
    struct cohort_held *held; /* [held_most]; NULL: every sum crosses by itself */
    int32_t n_held, held_most;
    uint64_t held_bytes;
    uint64_t list; /* number of the last list of values (cohort_reduce_check_distinct) */
    struct cohort_list_memos *lists;                     /* of list_memo.h; NULL: none yet */
    void (*free_lists)(struct cohort_list_memos *lists); /* set with them */
    /* [n_workers]: home, and a device of each other lane, where all memory is near (near.h); 0: it
     * is not */
    cohort_context **workers;
    int32_t n_workers;
} cohort_reducer;

/* The strategy's reducer, made at first use. NULL: out of memory. */
cohort_reducer *cohort_reducer_of(cohort_strategy *strategy);

/* A new reduction begins: scratch buffers may be used again (operations that still use them are
 * waited for in line), but for what sums that are held have there. Leaves are themselves. */
void cohort_reducer_restart(cohort_reducer *reducer);

/* Memory, not cleared, for `count` items that a call plans with; the next such call uses it again.
 * NULL: out of memory, with an error text. */
void *cohort_reducer_room(cohort_reducer *reducer, size_t count, size_t size);

/* A scratch buffer of at least `bytes` on a device; NULL, with the failure set, when out of
 * memory. */
cohort_buffer *cohort_reducer_scratch(cohort_reducer *reducer, int32_t device, uint64_t bytes);

/* Scratch of a device is taken as from a stack. A buffer that is scratch, and taken, may be taken
 * again, by operations that wait in line for those that use it now; another one is left as it
 * is. */
void cohort_reducer_give_back(cohort_reducer *reducer, const cohort_buffer *buffer);

/* So many are taken, and all beyond are given back. */
static inline int32_t cohort_reducer_taken(const cohort_reducer *reducer, int32_t device)
{
    return reducer->scratch[device].used;
}

static inline void cohort_reducer_give(cohort_reducer *reducer, int32_t device, int32_t taken)
{
    reducer->scratch[device].used = taken;
}

#endif
