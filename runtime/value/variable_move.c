/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a variable lives from now on, when replicas move or a device is lost.
 *
 * Components go with their replicas. Of a store on a device that is lost the copies that other
 * devices have of it stay theirs: it goes to the first of them, with the content of another store.
 * Where there is no such device it goes to one where variables may live, unless other stores hold
 * the same; then it ends, with its copies. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/memory.h"
#include "runtime/strategy/moves.h"

#include <string.h>

/* ------------------------------------------------------------------ devices that are lost */

/* Where copy i lies: one of the parameter devices. */
static int32_t device_of(const cohort_variable *v, int32_t copy)
{
    return v->strategy->parameters[v->copies[copy].device];
}

/* The first of the parameter devices that is there; there is one (loss.h). */
static int32_t first_place(const cohort_strategy *s)
{
    int32_t i = 0;
    while (cohort_strategy_is_lost(s, s->parameters[i]))
        i++;
    return i;
}

/* The first copy of a store on a device that is there; -1: there is none. */
static int32_t find_copy(const cohort_variable *v, int32_t store)
{
    for (int32_t i = 0; i < v->n_copies; i++)
        if (v->copy_stores[i] == store && !cohort_strategy_is_lost(v->strategy, device_of(v, i)))
            return i;
    return -1;
}

/* Another store that holds the same and is there; -1: there is none. */
static int32_t find_twin(const cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores && !v->is_sharded; i++)
        if (!cohort_strategy_is_lost(v->strategy, v->stores[i].device))
            return i;
    return -1;
}

/* Some other store has all of it, and nobody who is there had a copy of it here. */
static bool may_end(const cohort_variable *v, int32_t store)
{
    return find_copy(v, store) < 0 && find_twin(v) >= 0;
}

/* ------------------------------------------------------------------ what moves */

/* The newest content of a store, if it is still there, or where else it is. */
static cohort_moving newest_of(cohort_variable *v, int32_t index)
{
    cohort_store *store = &v->stores[index];
    const bool is_there = atomic_load(&store->done) >= 2,
               is_kept = cohort_variable_has_kept(v, store);
    const int32_t twin = is_there || is_kept || v->is_per_replica ? -1 : find_twin(v);
    const uint64_t at = is_there ? store->slot.now : 0;
    const bool has_any = v->caches.epoch.now > 0 && (is_there || is_kept || twin >= 0);
    return (cohort_moving){ .at = &store->buffers[at],
                            .device = &store->device,
                            .bytes = has_any ? store->bytes : 0,
                            .memory = !is_there && is_kept ? store->kept : NULL,
                            .from =
                                has_any && twin >= 0 ? cohort_variable_current(v, twin) : NULL };
}

static cohort_status add_store(cohort_variable *v, int32_t index, cohort_moves *moves, int32_t to)
{
    cohort_store *store = &v->stores[index];
    const cohort_moving newest = newest_of(v, index);
    const cohort_moving other = { .at = newest.at == &store->buffers[0] ? &store->buffers[1]
                                                                        : &store->buffers[0],
                                  .device = &store->device };
    cohort_status status = cohort_moves_add(moves, &newest, to);
    return status < 0 ? status : cohort_moves_add(moves, &other, to);
}

/* Where a store is to lie from now on: where it does, unless it has to move. */
static int32_t place_for(const cohort_variable *v, int32_t index, const cohort_moves *moves)
{
    const cohort_strategy *s = v->strategy;
    const int32_t now = v->stores[index].device;
    if (v->is_per_replica)
        return cohort_moves_device(moves, index, v->logical);
    if (!cohort_strategy_is_lost(s, now) || may_end(v, index))
        return now;
    const int32_t copy = find_copy(v, index);
    return copy >= 0 ? device_of(v, copy) : s->parameters[first_place(s)];
}

cohort_status cohort_variable_add_moves(cohort_dependent *dependent, cohort_moves *moves)
{
    cohort_variable *v = (cohort_variable *)dependent;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < v->n_stores && v->remote == NULL && status >= 0; i++) {
        const int32_t to = place_for(v, i, moves);
        if (to != v->stores[i].device)
            status = add_store(v, i, moves, to);
    }
    return status;
}

/* ------------------------------------------------------------------ what has moved */

/* What was written to the memory before is over, nobody knows how the new buffers differ, and what
 * was lent of the others is gone. */
static void begin_anew(cohort_store *store)
{
    store->changes.epoch = 0;
    store->lent = NULL;
    cohort_undo_forget(&store->undo);
    cohort_buffer_destroy(store->base);
    store->base = NULL;
}

/* It has been filled, where there was anything to fill it with. */
static void take_content(const cohort_variable *v, cohort_store *store)
{
    const uint64_t epoch = v->caches.epoch.now;
    begin_anew(store);
    cohort_ledger_reset(&store->slot, 1, 0);
    store->base_slot = 0;
    atomic_store(&store->done, epoch * 2);
}

static void end_store(cohort_store *store)
{
    cohort_buffer_destroy(store->buffers[0]);
    cohort_buffer_destroy(store->buffers[1]);
    cohort_buffer_destroy(store->base);
    cohort_free(store->kept);
    cohort_free(store->kept_next);
    cohort_undo_free(&store->undo);
    cohort_free(store->changes.rows);
}

/* Its copies on devices that are there stay; where there are none, one lies on its new device. */
static void settle_copies(cohort_variable *v, int32_t store)
{
    const cohort_strategy *s = v->strategy;
    if (find_copy(v, store) >= 0)
        return;
    for (int32_t i = 0; i < v->n_copies; i++)
        if (v->copy_stores[i] == store) {
            v->copies[i].device = first_place(s);
            return;
        }
}

/* The number of a store once those have ended that are still on a device that is lost; -1: it has
 * itself. */
static int32_t number_of(const cohort_variable *v, int32_t store)
{
    int32_t n = 0;
    for (int32_t i = 0; i < store; i++)
        n += !cohort_strategy_is_lost(v->strategy, v->stores[i].device);
    return cohort_strategy_is_lost(v->strategy, v->stores[store].device) ? -1 : n;
}

static void list_copies(cohort_variable *v)
{
    int32_t n = 0;
    for (int32_t i = 0; i < v->n_copies; i++) {
        const int32_t store = number_of(v, v->copy_stores[i]);
        if (store < 0 || cohort_strategy_is_lost(v->strategy, device_of(v, i)))
            continue;
        v->copies[n] = v->copies[i];
        v->copy_stores[n++] = store;
    }
    v->n_copies = n;
}

/* Nobody looks at them meanwhile, and what was found out about them is forgotten. */
static void list_stores(cohort_variable *v)
{
    int32_t n = 0;
    for (int32_t i = 0; i < v->n_stores; i++) {
        if (cohort_strategy_is_lost(v->strategy, v->stores[i].device))
            end_store(&v->stores[i]);
        else if (n++ < i)
            memcpy(&v->stores[n - 1], &v->stores[i], sizeof *v->stores);
    }
    v->n_stores = n;
}

void cohort_variable_rehost(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    if (v->remote != NULL)
        return;
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_store *store = &v->stores[i];
        if (v->caches.epoch.now > 0 && atomic_load(&store->done) < 2 &&
            !cohort_strategy_is_lost(v->strategy, store->device))
            take_content(v, store);
        else if (v->is_per_replica)
            begin_anew(store);
        if (!v->is_per_replica && !cohort_strategy_is_lost(v->strategy, store->device))
            settle_copies(v, i);
    }
    if (!v->is_per_replica) {
        list_copies(v);
        list_stores(v);
    }
}
