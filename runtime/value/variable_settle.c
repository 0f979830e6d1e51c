/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a variable after a failure: what all its stores have that are there, or, where it
 * was written in place, or on a device that is lost, maybe nothing. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/kept.h"
#include "runtime/base/log.h"

/* With its device, or since a device that is lost may still write it, in place. What else was to
 * write the buffer that it goes back to waits for the write that is not done. */
static bool is_gone(const cohort_variable *v, const cohort_store *store)
{
    return cohort_context_is_lost(store->buffers[0]->context) ||
           (store->is_in_place && cohort_buffer_is_written_late(cohort_variable_base(v, store)));
}

/* Of those that are there, by epoch, which is done / 2; the slot in its lowest bit says nothing of
 * order. NULL: none is. */
static const cohort_store *slowest(const cohort_variable *v)
{
    const cohort_store *least = NULL;
    for (int32_t i = 0; i < v->n_stores; i++)
        if (!is_gone(v, &v->stores[i]) &&
            (least == NULL || atomic_load(&v->stores[i].done) / 2 < atomic_load(&least->done) / 2))
            least = &v->stores[i];
    return least;
}

/* What a store had when all had it. A component that is one write ahead turns back to its other
 * buffer; whole copies and shards are written together, and take the state of the slowest. */
static uint64_t state_at(const cohort_variable *v, uint64_t done, uint64_t least)
{
    if (done / 2 == least / 2)
        return done;
    return v->is_per_replica ? least / 2 * 2 + (1 - done % 2) : least;
}

/* A write in place began and did not end; or some stores have one that others have not, and there
 * is no way back. */
static bool is_half_written(const cohort_variable *v, const cohort_store *least)
{
    bool is_half = false;
    for (int32_t i = 0; i < v->n_stores; i++) {
        const cohort_store *store = &v->stores[i];
        if (is_gone(v, store))
            continue;
        bool is_ahead = atomic_load(&store->done) / 2 != atomic_load(&least->done) / 2;
        is_half = is_half || atomic_load(&store->begun) != atomic_load(&store->ended) ||
                  (is_ahead && cohort_variable_is_in_place(v));
    }
    return is_half;
}

/* A shard, a component, or the only copy. */
static bool misses_part(const cohort_variable *v)
{
    bool is_any = false, are_all = true;
    for (int32_t i = 0; i < v->n_stores; i++) {
        const bool gone = is_gone(v, &v->stores[i]) && !cohort_variable_has_kept(v, &v->stores[i]);
        is_any = is_any || gone;
        are_all = are_all && gone;
    }
    return v->is_per_replica || v->is_sharded ? is_any : are_all;
}

/* Nothing is complete in it. */
static void empty(cohort_store *store)
{
    atomic_store(&store->done, atomic_load(&store->done) % 2);
    atomic_store(&store->begun, store->number.now);
    atomic_store(&store->ended, store->number.now);
}

/* As it was before its first content, so that every call that wants one is refused. */
static void lose_content(cohort_variable *v, const char *why)
{
    cohort_log(COHORT_SUBSYSTEM_VALUE, COHORT_LOG_WARNING, "variable '%s' is lost: %s; assign it",
               v->name, why);
    v->why_lost = why;
    for (int32_t i = 0; i < v->n_stores; i++)
        empty(&v->stores[i]);
}

/* A scatter in place that not all stores have. One that failed has undone itself. */
static void undo_scatter(const cohort_variable *v, cohort_store *store, uint64_t state)
{
    if (store->undo.epoch > state / 2)
        cohort_undo_restore(&store->undo, store->buffers[state % 2]->host,
                            cohort_variable_row_bytes(v));
    cohort_undo_forget(&store->undo);
}

/* Where the step has written it more than once, what it found was copied before; unless that has
 * failed, and then so has what came after. */
static uint64_t state_before_step(const cohort_variable *v, cohort_store *store)
{
    cohort_buffer **at = &store->buffers[store->base_slot], *base = cohort_variable_base(v, store);
    if (base != *at && !cohort_executor_has_bad(base->executor, cohort_buffer_writers(base))) {
        store->base = *at;
        *at = base;
    }
    return v->base_epoch * 2 + store->base_slot;
}

/* Which is empty where it is gone, or the variable is lost. */
static void settle_state(const cohort_variable *v, cohort_store *store, uint64_t least,
                         bool is_lost)
{
    if (is_gone(v, store) || is_lost) {
        empty(store);
        cohort_undo_forget(&store->undo);
        return;
    }
    uint64_t state = v->strategy->is_step_open ? state_before_step(v, store)
                                               : state_at(v, atomic_load(&store->done), least);
    atomic_store(&store->done, state);
    cohort_ledger_reset(&store->slot, 1, state % 2);
    undo_scatter(v, store, state);
}

static void settle_store(const cohort_variable *v, cohort_store *store, uint64_t least,
                         bool is_lost)
{
    settle_state(v, store, least, is_lost);
    if (v->strategy->is_step_open)
        cohort_ledger_reset(&store->turns, 1, store->base_turns);
    if (store->is_filled && cohort_lane_is_lost(store->buffers[0]->context->lane)) {
        cohort_keep(store->kept_next); /* which may be filled late */
        store->kept_next = NULL;
        store->is_filled = false;
    }
    store->changes.epoch = 0; /* nobody knows how the buffers differ now */
    for (uint64_t slot = 0; slot < 2; slot++)
        if (slot == atomic_load(&store->done) % 2 && atomic_load(&store->done) >= 2)
            cohort_buffer_settle_whole(store->buffers[slot]);
        else
            (void)cohort_buffer_settle(store->buffers[slot]);
    if (store->base != NULL)
        (void)cohort_buffer_settle(store->base);
}

/* Back to the last epoch that all stores have. Called when nothing is posted any more, so that the
 * planner may set what is otherwise the runners': `done`, the changes, and what an undo keeps. */
void cohort_variable_settle(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    const bool is_step_open = v->strategy->is_step_open;
    int32_t rings = cohort_executor_rings(v->strategy->executor);
    const cohort_store *slow = slowest(v);
    bool is_lost = v->caches.epoch.now > 0 && misses_part(v);
    if (is_lost)
        lose_content(v, "the only copy of it, or of a part, was on a device that is lost");
    else if (slow != NULL && !is_step_open && is_half_written(v, slow))
        lose_content(v, "a call failed that wrote it in place, and its strategy has no rollback");
    uint64_t least = is_lost        ? 0
                     : is_step_open ? v->base_epoch * 2
                     : slow != NULL ? atomic_load(&slow->done)
                                    : v->caches.epoch.now * 2; /* of what is kept */
    for (int32_t i = 0; i < v->n_stores; i++)
        settle_store(v, &v->stores[i], least, is_lost);
    cohort_places_forget(&v->caches, least / 2);
    cohort_ledger_reset(v->updated, rings, 0);
    cohort_ledger_reset(v->touched, rings, 0);
}

void cohort_variable_spoil(cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores && cohort_variable_is_in_place(v); i++)
        atomic_store(&v->stores[i].begun, atomic_load(&v->stores[i].ended) + 1);
}

void cohort_variable_come_to(cohort_variable *v, uint64_t epoch)
{
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_store *store = &v->stores[i];
        atomic_store(&store->done, epoch * 2 + store->slot.now);
        store->changes.epoch = 0; /* which might be this one */
        cohort_undo_forget(&store->undo);
    }
    cohort_places_forget(&v->caches, epoch);
}
