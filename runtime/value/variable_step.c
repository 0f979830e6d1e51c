/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are kept: what a variable was before the step, and what of it is nowhere else. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/memory.h"

/* Of all variables, until one fails: the largest status. */
static cohort_status each(cohort_strategy *s, cohort_status (*of)(cohort_variable *v))
{
    cohort_status most = COHORT_OK;
    for (cohort_dependent *d = s->dependents.next; d != &s->dependents && most >= 0; d = d->next)
        if (cohort_handle_is(d, COHORT_HANDLE_VARIABLE)) {
            cohort_status status = of((cohort_variable *)d);
            most = status < 0 || status > most ? status : most;
        }
    return most;
}

static cohort_status is_unwritten(cohort_variable *v)
{
    return !cohort_executor_has_reached(v->strategy->executor, cohort_noted_row(v->touched));
}

bool cohort_variable_all_are_written(cohort_strategy *s)
{
    return each(s, is_unwritten) == COHORT_OK;
}

static cohort_status is_unfinished(cohort_variable *v)
{
    const cohort_executor *executor = v->strategy->executor;
    const uint64_t *touched = cohort_noted_row(v->touched);
    return cohort_executor_has_bad(executor, touched) ||
           cohort_executor_has_late(executor, touched);
}

bool cohort_variable_any_is_unfinished(cohort_strategy *s)
{
    return each(s, is_unfinished) > 0;
}

static cohort_status count_anew(cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores; i++)
        cohort_ledger_reset(&v->stores[i].turns, 1, v->stores[i].turns.now + 1);
    return COHORT_OK;
}

void cohort_variable_count_anew(cohort_strategy *s)
{
    (void)each(s, count_anew);
}

static cohort_status note_step(cohort_variable *v)
{
    v->base_epoch = v->caches.epoch.now;
    for (int32_t i = 0; i < v->n_stores; i++) {
        v->stores[i].base_turns = v->stores[i].turns.now;
        v->stores[i].base_slot = v->stores[i].slot.now;
    }
    return COHORT_OK;
}

void cohort_variable_begin_step(cohort_strategy *s)
{
    (void)each(s, note_step);
    s->is_step_open = true;
}

static uint64_t turned(const cohort_store *store)
{
    return store->turns.now - store->base_turns;
}

cohort_buffer *cohort_variable_base(const cohort_variable *v, const cohort_store *store)
{
    if (!v->strategy->is_step_open)
        return store->buffers[atomic_load(&store->done) % 2];
    /* there is none where the step found no content, or where its copy failed: then the write that
     * would have gone over the other buffer was skipped */
    return turned(store) > 1 && store->base != NULL ? store->base
                                                    : store->buffers[store->base_slot];
}

/* ------------------------------------------------------------------ written again */

static cohort_buffer *make_base(const cohort_variable *v, cohort_store *store)
{
    cohort_executor *executor = v->strategy->executor;
    if (store->base == NULL)
        store->base = cohort_buffer_create(executor, executor->contexts[store->device]);
    if (store->base == NULL)
        cohort_failure_raise_own(&executor->failure, COHORT_ENOMEM);
    else
        cohort_buffer_require(store->base, store->bytes);
    return store->base;
}

/* Its first write left what the step found in the other buffer, which the second is to fill. */
void cohort_variable_keep_base(cohort_variable *v, int32_t index)
{
    cohort_store *store = &v->stores[index];
    if (!v->strategy->is_step_open || turned(store) != 1 || v->base_epoch == 0)
        return;
    cohort_buffer *base = make_base(v, store);
    if (base != NULL && store->bytes > 0)
        cohort_transfer_copy(base, store->buffers[store->base_slot], store->bytes);
}

/* ------------------------------------------------------------------ nowhere else */

static bool may_be_lost(const cohort_variable *v, const cohort_store *store)
{
    return cohort_context_may_be_lost(cohort_strategy_context(v->strategy, store->device));
}

/* No other store has it; that of a device which cannot be lost has it for good. */
static bool is_alone(const cohort_variable *v)
{
    return v->is_per_replica || v->is_sharded || v->n_stores == 1;
}

bool cohort_variable_has_kept(const cohort_variable *v, const cohort_store *store)
{
    const cohort_strategy *s = v->strategy;
    return store->kept != NULL && s->keeps_steps &&
           store->kept_turns == (s->is_step_open ? store->base_turns : store->turns.now);
}

static cohort_status keep(cohort_variable *v, int32_t index)
{
    cohort_store *store = &v->stores[index];
    if (store->kept_next == NULL)
        store->kept_next = cohort_allocate_aligned((size_t)store->bytes + 1, 64);
    if (store->kept_next == NULL)
        return cohort_error_memory("a copy of a variable");
    store->is_filled = true;
    (void)cohort_transfer_look(cohort_variable_current(v, index), 0, store->kept_next,
                               store->bytes);
    return COHORT_OK;
}

static cohort_status keep_parts(cohort_variable *v)
{
    cohort_status status = COHORT_OK;
    bool is_any = false;
    for (int32_t i = 0; i < v->n_stores && is_alone(v) && v->caches.epoch.now > 0 && status >= 0;
         i++) {
        cohort_store *store = &v->stores[i];
        const bool is_there = store->kept != NULL && store->kept_turns == store->turns.now;
        store->is_filled = false;
        if (!is_there && may_be_lost(v, store))
            status = keep(v, i);
        is_any = is_any || store->is_filled;
    }
    return status < 0 ? status : is_any;
}

cohort_status cohort_variable_keep_parts(cohort_strategy *s)
{
    return each(s, keep_parts);
}

static cohort_status take_parts(cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_store *store = &v->stores[i];
        if (!store->is_filled)
            continue;
        void *before = store->kept;
        store->kept = store->kept_next;
        store->kept_next = before;
        store->kept_turns = store->turns.now;
        store->is_filled = false;
    }
    return COHORT_OK;
}

void cohort_variable_take_parts(cohort_strategy *s)
{
    (void)each(s, take_parts);
}
