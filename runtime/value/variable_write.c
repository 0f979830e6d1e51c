/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes of variables: epoch by epoch, store by store. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/assert.h"
#include "runtime/operation/series.h"
#include "runtime/operation/use.h"

#include <stddef.h>

typedef struct start_op {
    cohort_op op;
    cohort_buffer *current, *next;
    uint64_t kept; /* bytes of `current`; 0: none */
} start_op;

typedef struct mark_op {
    cohort_op op;
    _Atomic uint64_t *done; /* of a store, to be set */
    uint64_t state;
    _Atomic uint64_t *mark; /* of a write in place, to be set to its number; NULL: it is not */
    uint64_t number;
} mark_op;

/* The copy of `keep` is part of the start, behind the uses that start has listed: the newest
 * content, and everything that still reads the buffer to fill. */
static cohort_status do_start(cohort_lane *lane, cohort_op *op)
{
    start_op *u = (start_op *)op;
    (void)lane;
    return u->kept > 0 ? cohort_context_copy(u->next->context, u->next->mem, 0, u->current->mem, 0,
                                             u->kept, &op->pending)
                       : COHORT_OK;
}

static void mark(const mark_op *u)
{
    if (u->mark != NULL)
        atomic_store_explicit(u->mark, u->number, memory_order_relaxed);
}

static cohort_status do_begin(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    mark((mark_op *)op);
    return COHORT_OK;
}

static cohort_status do_nothing(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    (void)op;
    return COHORT_OK;
}

/* At the end of its operation, when all that was in flight before is over, too. Release: whoever
 * reads `done` finds the content that it stands for. */
static cohort_status commit(cohort_op *op, cohort_status status)
{
    mark_op *u = (mark_op *)op;
    if (status >= 0) {
        mark(u);
        atomic_store_explicit(u->done, u->state, memory_order_release);
    }
    return status;
}

static cohort_op operation(const cohort_variable *v, cohort_op_fn run)
{
    return (cohort_op)COHORT_OP(.run = run, .subject = v->name, .flags = COHORT_OP_STREAM);
}

/* What is over before a write of this kind begins. */
static const uint64_t *before(const cohort_variable *v, cohort_write_kind kind)
{
    return kind == COHORT_WRITE_JOINT ? v->touched : v->updated;
}

bool cohort_variable_is_in_place(const cohort_variable *v)
{
    return !v->strategy->has_rollback && !v->is_a_metric;
}

/* The other buffer, of which the caller posts the writing. One write of a store is planned at a
 * time: the one before has been finished, or forgotten. */
static cohort_buffer *take_other(cohort_variable *v, int32_t store)
{
    cohort_store *s = &v->stores[store];
    cohort_buffer *next = s->buffers[1 - s->slot];
    cohort_assert(atomic_load(&s->done) / 2 <= v->caches.epoch);
    s->last = (cohort_fence){ NULL, 0 };
    s->is_in_place = false;
    cohort_buffer_require(next, s->bytes);
    return next;
}

/* Waiting for all stores, and not for this one alone, is what makes a failure harmless: as long as
 * a store is unfinished, no other one can lose what it would have to go back to (variable.h). */
cohort_buffer *cohort_variable_start_other(cohort_variable *v, int32_t store,
                                           cohort_write_kind kind, bool keep)
{
    cohort_executor *executor = v->strategy->executor;
    const cohort_store *s = &v->stores[store];
    cohort_buffer *current = cohort_variable_current(v, store), *next = take_other(v, store);
    cohort_use uses[] = { { COHORT_USE_FENCES, NULL, before(v, kind) },
                          { COHORT_USE_WRITE, next, NULL },
                          { COHORT_USE_READ, current, NULL } };
    start_op u = { operation(v, do_start), current, next, keep ? s->bytes : 0 };
    u.op.flags |= COHORT_OP_REPEATABLE;
    /* a queue goes on behind a failure */
    u.op.after = before(v, kind)[cohort_executor_ring(executor, next->context)->index];
    (void)cohort_submit(executor, next->context, &u.op, sizeof u, uses, keep ? 3 : 2);
    return next;
}

cohort_buffer *cohort_variable_start_bare(cohort_variable *v, int32_t store, cohort_write_kind kind,
                                          cohort_use out_uses[COHORT_VARIABLE_USES])
{
    out_uses[0] = (cohort_use){ COHORT_USE_FENCES, NULL, before(v, kind) };
    out_uses[1] = (cohort_use){ COHORT_USE_READ, cohort_variable_current(v, store), NULL };
    return take_other(v, store);
}

cohort_buffer *cohort_variable_start_in_place(cohort_variable *v, int32_t store)
{
    cohort_store *s = &v->stores[store];
    s->last = (cohort_fence){ NULL, 0 };
    s->is_in_place = true;
    s->number++;
    cohort_buffer_require(s->buffers[s->slot], s->bytes);
    return s->buffers[s->slot];
}

/* The operation that fills the buffer is of any kind, and cannot tell that it begins: it counts as
 * begun when the buffer is free for it. */
cohort_buffer *cohort_variable_start(cohort_variable *v, int32_t store, cohort_write_kind kind,
                                     bool keep)
{
    if (!cohort_variable_is_in_place(v))
        return cohort_variable_start_other(v, store, kind, keep);
    cohort_buffer *buffer = cohort_variable_start_in_place(v, store);
    cohort_use use = { COHORT_USE_WRITE, buffer, NULL };
    mark_op u = { .op = operation(v, do_begin),
                  .mark = &v->stores[store].begun,
                  .number = v->stores[store].number };
    (void)cohort_submit(v->strategy->executor, buffer->context, &u.op, sizeof u, &use, 1);
    return buffer;
}

void cohort_variable_post_commit(cohort_variable *v, int32_t store, cohort_write_kind kind,
                                 cohort_buffer *written)
{
    cohort_store *s = &v->stores[store];
    cohort_executor *executor = v->strategy->executor;
    cohort_use use = { COHORT_USE_READ, written, NULL };
    mark_op u = { operation(v, do_nothing), &s->done, cohort_variable_state_after(v, store, kind),
                  s->is_in_place ? &s->ended : NULL, s->number };
    u.op.end = commit;
    u.op.flags |= COHORT_OP_REPEATABLE;
    if (cohort_series_is_looking(executor)) {
        cohort_series_look_in(executor, offsetof(mark_op, state));
        cohort_series_look_in(executor, offsetof(mark_op, number));
    }
    s->last = cohort_submit(executor, written->context, &u.op, sizeof u, &use, 1);
}

/* A buffer that was written in place stays the newest. */
static void turn_slot(cohort_store *s)
{
    s->slot ^= !s->is_in_place;
}

/* What a write changes here. */
static void look_at(cohort_variable *v)
{
    cohort_executor *executor = v->strategy->executor;
    cohort_series_note_set(executor, v->updated);
    cohort_series_note_set(executor, v->touched);
    cohort_series_look_there(executor, COHORT_SERIES_COUNT, &v->caches.epoch, 1);
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_series_look_there(executor, COHORT_SERIES_FIXED, &v->stores[i].slot, 1);
        cohort_series_look_there(executor, COHORT_SERIES_COUNT, &v->stores[i].number, 1);
    }
}

/* This write waited for everything that had touched the stores before, so that waiting for the
 * write is enough from now on, and the earlier fences are forgotten. */
void cohort_variable_finish(cohort_variable *v)
{
    int32_t rings = cohort_executor_rings(v->strategy->executor);
    cohort_fences_clear(v->updated, rings);
    cohort_fences_clear(v->touched, rings);
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_fences_add(v->updated, v->stores[i].last);
        turn_slot(&v->stores[i]);
    }
    cohort_fences_join(v->touched, v->updated, rings);
    v->caches.epoch++;
    if (cohort_series_is_looking(v->strategy->executor))
        look_at(v);
}

/* The epoch stays: it counts joint writes, to which all stores can go back together. */
void cohort_variable_finish_local(cohort_variable *v, int32_t store)
{
    cohort_fences_add(v->touched, v->stores[store].last);
    turn_slot(&v->stores[store]);
    if (cohort_series_is_looking(v->strategy->executor))
        look_at(v);
}

void cohort_variable_wait_complete(cohort_variable *v)
{
    (void)cohort_executor_wait_fences(v->strategy->executor, v->touched, INT64_MAX);
}
