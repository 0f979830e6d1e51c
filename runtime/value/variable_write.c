/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes of variables: epoch by epoch, store by store. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/assert.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/use.h"
#include "runtime/value/remote.h"

#include <stddef.h>
#include <string.h>

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

/* The fences that are over before a write of this kind begins. */
static const uint64_t *before(const cohort_variable *v, cohort_write_kind kind)
{
    return cohort_noted_row(kind == COHORT_WRITE_JOINT ? v->touched : v->updated);
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
    cohort_buffer *next = s->buffers[1 - s->slot.now];
    cohort_variable_keep_base(v, store);
    cohort_assert(atomic_load(&s->done) / 2 <= v->caches.epoch.now);
    s->last = (cohort_fence){ NULL, 0 };
    s->is_in_place = false;
    cohort_buffer_require(next, s->bytes);
    return next;
}

/* Waiting for all stores, and not for this one alone, is what makes a failure harmless: as long as
 * a store is unfinished, no other one can lose what it would have to go back to (variable.h). */
static void post_start(cohort_variable *v, int32_t store, cohort_write_kind kind,
                       cohort_buffer *next, bool keep)
{
    cohort_executor *executor = v->strategy->executor;
    cohort_buffer *current = cohort_variable_current(v, store);
    cohort_use uses[] = { { COHORT_USE_FENCES, NULL, before(v, kind) },
                          { COHORT_USE_WRITE, next, NULL },
                          { COHORT_USE_READ, current, NULL } };
    start_op u = { operation(v, do_start), current, next, keep ? v->stores[store].bytes : 0 };
    u.op.flags |= COHORT_OP_REPEATABLE;
    /* a queue goes on behind a failure */
    u.op.after = before(v, kind)[cohort_executor_ring(executor, next->context)->index];
    (void)cohort_submit(executor, next->context, &u.op, sizeof u, uses, keep ? 3 : 2);
}

cohort_buffer *cohort_variable_start_other(cohort_variable *v, int32_t store,
                                           cohort_write_kind kind, bool keep)
{
    cohort_buffer *next = take_other(v, store);
    post_start(v, store, kind, next, keep);
    return next;
}

bool cohort_variable_can_undo(const cohort_variable *v)
{
    bool can_undo = !v->strategy->keeps_steps;
    for (int32_t i = 0; i < v->n_stores && can_undo; i++)
        can_undo = cohort_context_has(v->stores[i].buffers[0]->context, COHORT_CAP_HOST_VISIBLE);
    return can_undo;
}

cohort_buffer *cohort_variable_start_undone(cohort_variable *v, int32_t store)
{
    cohort_store *s = &v->stores[store];
    cohort_buffer *current = cohort_variable_current(v, store);
    s->last = (cohort_fence){ NULL, 0 };
    s->is_in_place = true;
    cohort_buffer_require(current, s->bytes);
    post_start(v, store, COHORT_WRITE_JOINT, current, false);
    return current;
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
    cohort_ledger_set(v->strategy->executor, COHORT_NOTED_COUNT, &s->number, s->number.now + 1);
    cohort_buffer_require(s->buffers[s->slot.now], s->bytes);
    return s->buffers[s->slot.now];
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
                  .number = v->stores[store].number.now };
    u.op.flags |= COHORT_OP_REPEATABLE;
    cohort_ledger_grow(v->strategy->executor, offsetof(mark_op, number));
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
                  s->is_in_place ? &s->ended : NULL, s->number.now };
    u.op.end = commit;
    u.op.flags |= COHORT_OP_REPEATABLE;
    cohort_ledger_grow(executor, offsetof(mark_op, state));
    cohort_ledger_grow(executor, offsetof(mark_op, number));
    s->last = cohort_submit(executor, written->context, &u.op, sizeof u, &use, 1);
}

/* The other buffer is the newest now, or the one that was written in place still. The number was
 * counted when that began. */
static void turn(const cohort_variable *v, cohort_store *s)
{
    cohort_ledger_set(v->strategy->executor, COHORT_NOTED_FIXED, &s->slot,
                      s->is_in_place ? s->slot.now : 1 - s->slot.now);
    if (v->strategy->keeps_steps)
        cohort_ledger_set(v->strategy->executor, COHORT_NOTED_COUNT, &s->turns, s->turns.now + 1);
}

/* This write waited for everything that had touched the stores before, so that waiting for the
 * write is enough from now on, and the earlier fences are forgotten. */
void cohort_variable_finish(cohort_variable *v)
{
    cohort_executor *executor = v->strategy->executor;
    int32_t rings = cohort_executor_rings(executor);
    uint64_t *updated = cohort_ledger_open_set(executor, v->updated);
    uint64_t *touched = cohort_ledger_open_set(executor, v->touched);
    cohort_fences_clear(updated, rings);
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_fences_add(updated, v->stores[i].last);
        turn(v, &v->stores[i]);
    }
    memcpy(touched, updated, (size_t)rings * sizeof *touched);
    cohort_ledger_set(executor, COHORT_NOTED_COUNT, &v->caches.epoch, v->caches.epoch.now + 1);
}

/* The epoch stays: it counts joint writes, to which all stores can go back together. */
void cohort_variable_finish_local(cohort_variable *v, int32_t store)
{
    cohort_fences_add(cohort_ledger_open_set(v->strategy->executor, v->touched),
                      v->stores[store].last);
    turn(v, &v->stores[store]);
}

void cohort_variable_wait_complete(cohort_variable *v)
{
    (void)cohort_executor_wait_fences(v->strategy->executor, cohort_noted_row(v->touched),
                                      INT64_MAX);
}

int64_t cohort_variable_updates(const cohort_variable *variable)
{
    bool is_there = cohort_handle_is(variable, COHORT_HANDLE_VARIABLE),
         has_content = is_there && variable->caches.epoch.now > 0;
    if (is_there && variable->remote != NULL)
        return (int64_t)variable->remote->writes;
    return has_content ? (int64_t)variable->caches.epoch.now - 1 : 0; /* the first is its content */
}
