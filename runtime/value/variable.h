/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: what cohort/variable.h declares, for the rest of the runtime.
 *
 * A variable has logical copies, as its placement policy says, and stores, which are the memory:
 * one for each shard, one for all whole copies on devices that can access each other's memory, or
 * of an ON_READ variable that has components one for each replica, whatever the policy placed.
 *
 * A write is joint (of all stores) or local (of one component). A store has two buffers: its slot
 * says which one is the newest that was posted. A write fills the other one and then turns the
 * slot. The epoch counts joint writes. A joint write starts on a store when every store has
 * finished all writes before; a local one when every store has finished the joint write before. So
 * at most one write of a store is unfinished, its other buffer is what was before, and a write that
 * failed is undone by forgetting it.
 *
 * A scatter is in place where this process sees the memory of all stores. Where one that failed, or
 * that not all stores have, could leave some of them changed, each store keeps the rows that it
 * writes as they were, and it is undone by putting them back.
 *
 * A strategy without rollback has its variables written in place: the other buffer stays without
 * memory, and nothing waits for other stores. A write that began and did not end, or that some
 * stores have and others not, loses the variable: it is as if it never got its content.
 *
 * Devices without a store that they can access have a cache: a whole copy of some epoch, brought
 * up to date when it is read and has become stale. */
#ifndef COHORT_VALUE_VARIABLE_H
#define COHORT_VALUE_VARIABLE_H

#include "runtime/operation/use.h"
#include "runtime/value/undo.h"
#include "runtime/value/value.h"

#include <cohort/variable.h>

/* How the two buffers of a store differ after a sparse write. The runner's. */
typedef struct cohort_changes {
    /* of the variable after that write: the other buffer differs in these rows only; 0: nobody
     * knows */
    uint64_t epoch;
    int64_t *rows; /* [n], ascending */
    size_t n, capacity;
} cohort_changes;

typedef struct cohort_store {
    int32_t device;          /* in the strategy's devices */
    int64_t first_row, rows; /* of a shard; 0, 0: whole */
    uint64_t offset, bytes;  /* of what it holds, in the row-major whole */
    cohort_buffer *buffers[2];
    cohort_noted slot; /* the planner's, 0 or 1: of the newest content that was posted */
    const void *lent;  /* where cohort_local_results showed it; NULL: nowhere yet */
    cohort_fence last; /* the planner's: last operation of the write that is being planned */
    /* the planner's, of that write: it is in place, and the how manieth such one of the store */
    bool is_in_place;
    cohort_noted number;
    /* the runner's: the last write in place that began, and the last one that ended */
    _Atomic uint64_t begun, ended;
    /* the runner's: epoch * 2 + slot of what is complete; below 2: nothing */
    _Atomic uint64_t done;
    cohort_changes changes;
    cohort_undo undo;
    /* the planner's, where steps are kept: how often the slot has turned; this and the slot as the
     * step found them; and what it found, where it writes the store more than once, NULL: it did
     * not yet */
    cohort_noted turns;
    uint64_t base_turns, base_slot;
    cohort_buffer *base;
    /* in memory of this process, after so many turns; NULL: it is not. And the block that is filled
     * next, for what the step found is kept until the next one begins */
    void *kept, *kept_next;
    uint64_t kept_turns;
    bool is_filled; /* kept_next is, with what is there now */
} cohort_store;

struct cohort_remote; /* remote.h */

struct cohort_variable {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    uint64_t uid; /* different for every variable of this process, never 0 */
    char *name;
    bool is_named;    /* it stands among the names of its strategy */
    bool is_a_metric; /* part of one, with which it is destroyed */
    cohort_dtype dtype;
    int64_t item_bytes;
    cohort_extents extents;
    uint64_t bytes;
    cohort_variable_options options; /* as given; colocate_with and placement are NULL */
    cohort_placement placement;      /* the policy that placed it */
    /* which of its variables this is; -1: it was placed like another variable */
    int32_t ordinal;
    bool is_counted, is_by_default; /* among those that its policy, or the strategy's, has placed */
    int32_t logical;     /* the logical device on which it lives; -1: on devices of its own */
    bool is_per_replica; /* ON_READ: stores[r] is the component of replica r */
    bool is_sharded;     /* stores[i] is the i-th range of rows */

    /* on parameter servers: `device` of a copy is the number of one, and the one store is a copy of
     * this process; NULL: it lives here */
    struct cohort_remote *remote;

    int32_t n_copies;
    cohort_copy *copies;  /* [n_copies], as cohort_placement_ask gives them */
    int32_t *copy_stores; /* [n_copies]: the store of a copy; NULL when is_per_replica */
    int32_t n_stores;
    cohort_store *stores; /* [n_stores] */

    /* whole copies on devices; the epoch counts joint writes, and is 0 before the first content */
    cohort_places caches;

    uint64_t base_epoch;   /* the step found, where steps are kept */
    const char *why_lost;  /* it has no content any more; NULL: it never had one, or has one */
    cohort_noted *updated; /* set of fences: operations of that write */
    cohort_noted *touched; /* these, and those of local writes since */
    void *results; /* what cohort_local_results lends of devices that do not show their memory */
};

/* After a failure, when nothing is posted any more (cohort_dependent). */
void cohort_variable_settle(cohort_dependent *variable);

/* The caller has written half of a content to its memory (cohort_change_memory), and nothing is
 * under way: where that is the only one, the variable is lost when it settles. */
void cohort_variable_spoil(cohort_variable *variable);

/* Where steps are kept (strategy->keeps_steps) a step that failed is undone as a whole: variables
 * go back to what the step found. A store that it writes once has that in its other buffer; of one
 * that it writes again it is copied before the second write.
 *
 * all_are_written  no write of one is under way
 * any_is_unfinished  after a failure, when all is over: a write of one has failed, or was skipped
 * count_anew  steps were not kept, and are from now on: it may have been written meanwhile
 * begin_step  a step of the strategy begins, and all before are over
 * keep_parts  one is over: what only devices have that may be lost is brought into memory of this
 *             process, in line, unless it is there; waited for before anything else is posted. 1:
 *             some of it is under way; COHORT_ENOMEM
 * take_parts  it is there
 *
 * Each of all variables of the strategy. */
bool cohort_variable_all_are_written(cohort_strategy *strategy);
bool cohort_variable_any_is_unfinished(cohort_strategy *strategy);
void cohort_variable_count_anew(cohort_strategy *strategy);
void cohort_variable_begin_step(cohort_strategy *strategy);
cohort_status cohort_variable_keep_parts(cohort_strategy *strategy);
void cohort_variable_take_parts(cohort_strategy *strategy);

/* Before a store is written by a step that is kept, into its other buffer. */
void cohort_variable_keep_base(cohort_variable *variable, int32_t store);

/* The buffer that has what a failure leaves of a store. */
cohort_buffer *cohort_variable_base(const cohort_variable *variable, const cohort_store *store);

/* Its content is in memory of this process as it is to be after a failure. */
bool cohort_variable_has_kept(const cohort_variable *variable, const cohort_store *store);

/* Components lie with their replicas; what lay on a device that is lost goes to one where copies
 * are left, or may be (cohort_dependent). */
cohort_status cohort_variable_add_moves(cohort_dependent *variable, struct cohort_moves *moves);
void cohort_variable_rehost(cohort_dependent *variable);

/* As after so many joint writes, the last of which all stores have; its content is to be written
 * anew. When nothing is posted any more. */
void cohort_variable_come_to(cohort_variable *variable, uint64_t epoch);

/* The variable of that name up to a number at the end ("dense_0" and "dense_1"); are two names
 * alike in this way? */
bool cohort_variable_is_same_name(const char *a, const char *b);

/* ---- Looking. */

/* COHORT_EINVAL with "variable 'name' is float32[2], WHAT float32[3]" when dtype or shape
 * differ. */
cohort_status cohort_variable_check_alike(const cohort_variable *variable, cohort_dtype dtype,
                                          int64_t item_bytes, const cohort_extents *extents,
                                          const char *what);

/* Where it lives, as cohort_variable_copies tells: number of places, and the strategy's device of
 * one of them. */
int32_t cohort_variable_places(const cohort_variable *variable);
int32_t cohort_variable_device(const cohort_variable *variable, int32_t place);

/* The store that holds all of what a device reads, on the device or within its reach; -1: it needs
 * a cache. Not of one that has components. */
int32_t cohort_variable_store_for(const cohort_variable *variable, int32_t device);

/* Of one row; 0 of a variable without rows. */
static inline int64_t cohort_variable_row_bytes(const cohort_variable *variable)
{
    int64_t rows = variable->extents.rank > 0 ? variable->extents.shape[0] : 0;
    return rows > 0 ? (int64_t)variable->bytes / rows : 0;
}

static inline bool cohort_store_holds(const cohort_store *store, int64_t row)
{
    return store->rows == 0 || (row >= store->first_row && row < store->first_row + store->rows);
}

/* The buffer with the newest content of a store. */
static inline cohort_buffer *cohort_variable_current(const cohort_variable *variable, int32_t store)
{
    return variable->stores[store].buffers[variable->stores[store].slot.now];
}

/* ---- Reading. */

/* COHORT_EINVAL with "call: ..." when it never got its content. What is on parameter servers is
 * brought from there: posts a write then, and waits (remote.h). */
cohort_status cohort_variable_check_readable(cohort_variable *variable, const char *call);

/* As one replica does, on any device: bookkeeping before anything is posted, then the buffer with
 * the whole content, brought there if need be. Of components: the replica's own, on the device that
 * hosts it. */
cohort_status cohort_variable_prepare_read(cohort_variable *variable, int32_t device);
cohort_buffer *cohort_variable_place_read(cohort_variable *variable, int32_t replica,
                                          int32_t device);

/* The buffer that _place_read would return. */
cohort_buffer *cohort_variable_find_read(const cohort_variable *variable, int32_t replica,
                                         int32_t device);

/* Copy bytes [offset, offset + bytes) of the row-major whole into a buffer that is large enough; no
 * other bytes move. Of components: of the replica's own. */
void cohort_variable_copy_range(cohort_variable *variable, int32_t replica, uint64_t offset,
                                uint64_t bytes, cohort_buffer *into);

/* Until every store has finished all writes that were posted: what was read is then never taken
 * back. */
void cohort_variable_wait_complete(cohort_variable *variable);

/* ---- Writing. A joint write goes store by store: start gives the buffer to fill; the caller posts
 * what fills it and, last, what sets the store's `done` (post_commit, or a launch that commits
 * _state_after) and notes its fence in the store's `last`. When all stores are planned, finish
 * makes it what later calls read. A buffer that is written in place is the one with the newest
 * content.
 *
 * A local write is the same for one component, and ends with finish_local. */
typedef enum cohort_write_kind { COHORT_WRITE_JOINT, COHORT_WRITE_LOCAL } cohort_write_kind;

/* keep: with the current content in it. */
cohort_buffer *cohort_variable_start(cohort_variable *variable, int32_t store,
                                     cohort_write_kind kind, bool keep);

/* The same, never in place: of a write that reads the variable as it was. */
cohort_buffer *cohort_variable_start_other(cohort_variable *variable, int32_t store,
                                           cohort_write_kind kind, bool keep);

/* The same without an operation and without the content, for one that lists two more uses: of what
 * has to be over before, and of the current content. A launch on a prompt device, or work of this
 * process (fallback.h). */
enum { COHORT_VARIABLE_USES = 2 };
cohort_buffer *cohort_variable_start_bare(cohort_variable *variable, int32_t store,
                                          cohort_write_kind kind,
                                          cohort_use out_uses[COHORT_VARIABLE_USES]);

/* The same in place, for a launch, which notes when it begins and ends (cohort_launch_commit). */
cohort_buffer *cohort_variable_start_in_place(cohort_variable *variable, int32_t store);

/* The same in place, for a joint write that can be undone all the same (scatter.c); it begins, as
 * others, when every store has finished all before. False: there is a store that this process does
 * not see, or steps are kept, which are undone otherwise. */
bool cohort_variable_can_undo(const cohort_variable *variable);
cohort_buffer *cohort_variable_start_undone(cohort_variable *variable, int32_t store);

/* Its strategy has no rollback. The counts of a metric are always rolled back. */
bool cohort_variable_is_in_place(const cohort_variable *variable);

/* The buffer that start gives. */
static inline cohort_buffer *cohort_variable_next(const cohort_variable *variable, int32_t store)
{
    const cohort_store *s = &variable->stores[store];
    return s->buffers[cohort_variable_is_in_place(variable) ? s->slot.now : 1 - s->slot.now];
}

/* What `done` becomes when the store is complete. */
static inline uint64_t cohort_variable_state_after(const cohort_variable *variable, int32_t store,
                                                   cohort_write_kind kind)
{
    const cohort_store *s = &variable->stores[store];
    return (variable->caches.epoch.now + (kind == COHORT_WRITE_JOINT)) * 2 +
           (s->is_in_place ? s->slot.now : 1 - s->slot.now);
}

/* After what fills the buffer that start gave: an operation that completes the write there; its
 * fence goes to the store's `last`. */
void cohort_variable_post_commit(cohort_variable *variable, int32_t store, cohort_write_kind kind,
                                 cohort_buffer *written);

void cohort_variable_finish(cohort_variable *variable);
void cohort_variable_finish_local(cohort_variable *variable, int32_t store);

/* In a trial, in place of a write: it has content from now on. */
static inline void cohort_variable_foresee(cohort_variable *variable)
{
    if (variable->caches.epoch.now == 0)
        cohort_ledger_reset(&variable->caches.epoch, 1, 1);
}

/* "w on host:0.0 host:0.1", of a recorded call. */
void cohort_variable_describe_stores(const cohort_strategy *strategy,
                                     const cohort_variable *variable, FILE *out);

#endif
