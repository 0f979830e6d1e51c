/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of variables: version by version, copy by copy. */
#include "config.h"

#include "runtime/value/variable.h"

#include <string.h>

typedef struct update_op {
    cohort_op op;
    cohort_buffer *current, *next;
    uint64_t bytes;
    bool keep;
    _Atomic uint64_t *done; /* of a copy, to be set; or NULL */
    uint64_t version;
} update_op;

static cohort_status do_start(cohort_lane *lane, cohort_op *op)
{
    update_op *u = (update_op *)op;
    (void)lane;
    return u->keep ? cohort_opened_copy(u->next->opened, u->next->mem, 0, u->current->mem, 0, u->bytes, &op->flight)
                   : COHORT_OK;
}

static cohort_status do_nothing(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    (void)op;
    return COHORT_OK;
}

/* What was in flight before it is over. */
static cohort_status commit(cohort_op *op, cohort_status status)
{
    update_op *u = (update_op *)op;
    if (status >= 0)
        atomic_store_explicit(u->done, u->version, memory_order_release);
    return status;
}

static update_op *begin(cohort_variable *v, int32_t copy, cohort_op_fn run)
{
    update_op *u =
        cohort_crew_begin(v->strategy->crew, cohort_strategy_opened(v->strategy, v->devices[copy]), sizeof *u, run);
    if (u == NULL)
        return NULL;
    u->op.subject = v->name;
    u->op.flags = COHORT_OP_STREAM;
    u->current = cohort_variable_current(v, copy);
    u->next = v->copies[copy].buffers[(v->version + 1) & 1];
    u->bytes = v->bytes;
    u->done = &v->copies[copy].done;
    u->version = v->version + 1;
    return u;
}

cohort_buffer *cohort_variable_start_update(cohort_variable *v, int32_t copy, bool keep)
{
    cohort_crew *crew = v->strategy->crew;
    cohort_buffer *current = cohort_variable_current(v, copy), *next = v->copies[copy].buffers[(v->version + 1) & 1];
    cohort_buffer_require(next, v->bytes);
    cohort_crew_need_nothing(crew);
    for (int32_t i = 0; i < 2 * crew->n_lanes; i++)
        cohort_crew_need(crew, i, v->updated[i]);
    cohort_buffer_need_write(next);
    if (keep)
        cohort_buffer_need_read(current);
    update_op *u = begin(v, copy, do_start);
    if (u == NULL)
        return next;
    u->keep = keep && v->bytes > 0;
    u->op.after = v->updated[cohort_crew_lane(crew, next->opened)->index]; /* a queue goes on behind a failure */
    cohort_tick tick = cohort_crew_post(crew, next->opened, &u->op);
    cohort_buffer_note_write(next, tick, true);
    if (keep)
        cohort_buffer_note_read(current, tick);
    return next;
}

void cohort_variable_finish_update(cohort_variable *v, const cohort_tick last[])
{
    memset(v->updated, 0, 2 * (size_t)v->strategy->crew->n_lanes * sizeof *v->updated);
    for (int32_t i = 0; i < v->n_copies; i++)
        if (last[i].lane != NULL && v->updated[last[i].lane->index] < last[i].number)
            v->updated[last[i].lane->index] = last[i].number;
    v->version++;
}

void cohort_variable_wait_complete(cohort_variable *v)
{
    cohort_crew *crew = v->strategy->crew;
    for (int32_t i = 0; i < 2 * crew->n_lanes; i++)
        cohort_crew_wait(crew, (cohort_tick){ crew->lanes[i], v->updated[i] });
}

cohort_tick cohort_variable_post_commit(cohort_variable *v, int32_t copy, cohort_buffer *next)
{
    cohort_crew_need_nothing(v->strategy->crew);
    cohort_buffer_need_read(next);
    update_op *u = begin(v, copy, do_nothing);
    if (u == NULL)
        return (cohort_tick){ NULL, 0 };
    u->op.end = commit;
    return cohort_crew_post(v->strategy->crew, next->opened, &u->op);
}
