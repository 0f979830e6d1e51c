/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a variable after a failure: what all its stores have, or, where it was written in
 * place, maybe nothing. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/log.h"

/* By epoch, which is done / 2; the slot in its lowest bit says nothing of order. */
static const cohort_store *slowest(const cohort_variable *v)
{
    const cohort_store *least = &v->stores[0];
    for (int32_t i = 1; i < v->n_stores; i++)
        if (atomic_load(&v->stores[i].done) / 2 < atomic_load(&least->done) / 2)
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
static bool has_lost_content(const cohort_variable *v)
{
    bool is_lost = false;
    for (int32_t i = 0; i < v->n_stores; i++) {
        const cohort_store *store = &v->stores[i];
        bool is_ahead = atomic_load(&store->done) / 2 != atomic_load(&v->stores[0].done) / 2;
        is_lost = is_lost || atomic_load(&store->begun) != atomic_load(&store->ended) ||
                  (is_ahead && cohort_variable_is_in_place(v));
    }
    return is_lost;
}

/* As it was before its first content, so that every call that wants one is refused. */
static void lose_content(cohort_variable *v)
{
    cohort_log(COHORT_LOG_WARNING,
               "variable '%s' is lost: a call failed that wrote it in place, and its strategy has "
               "no rollback; assign it",
               v->name);
    v->is_lost = true;
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_store *store = &v->stores[i];
        atomic_store(&store->done, atomic_load(&store->done) % 2);
        atomic_store(&store->begun, store->number.now);
        atomic_store(&store->ended, store->number.now);
    }
}

/* A scatter in place that not all stores have. One that failed has undone itself. */
static void undo_scatter(const cohort_variable *v, cohort_store *store, uint64_t state)
{
    if (store->undo.epoch > state / 2)
        cohort_undo_restore(&store->undo, store->buffers[state % 2]->host,
                            cohort_variable_row_bytes(v));
    cohort_undo_forget(&store->undo);
}

/* Back to the last epoch that all stores have. Called when nothing is posted any more, so that the
 * planner may set what is otherwise the runners': `done`, the changes, and what an undo keeps. */
void cohort_variable_settle(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    int32_t rings = cohort_executor_rings(v->strategy->executor);
    if (has_lost_content(v))
        lose_content(v);
    uint64_t least = atomic_load(&slowest(v)->done);
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_store *store = &v->stores[i];
        uint64_t state = state_at(v, atomic_load(&store->done), least);
        atomic_store(&store->done, state);
        cohort_ledger_reset(&store->slot, 1, state % 2);
        undo_scatter(v, store, state);
        /* nobody knows how the buffers differ now */
        store->changes.epoch = 0;
        (void)cohort_buffer_settle(store->buffers[0]);
        (void)cohort_buffer_settle(store->buffers[1]);
    }
    cohort_places_forget(&v->caches, least / 2);
    cohort_ledger_reset(v->updated, rings, 0);
    cohort_ledger_reset(v->touched, rings, 0);
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
