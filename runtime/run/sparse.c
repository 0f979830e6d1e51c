/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse access to variables: scatter and gather of rows, in both contexts. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/run/stage.h"
#include "runtime/value/rows.h"
#include "runtime/value/scatter.h"

#include <string.h>

static int64_t row_bytes_of(const cohort_variable *v)
{
    return v->extents.rank > 0 && v->extents.shape[0] > 0 ? (int64_t)v->bytes / v->extents.shape[0] : 0;
}

/* ------------------------------------------------------------------ operands */

/* The ids and rows of one call. */
typedef struct sparse_call {
    cohort_operand ids, rows;
} sparse_call;

static cohort_status begin_call(sparse_call *c, cohort_variable *v, const cohort_argument *ids,
                                const cohort_argument *rows, const char *call)
{
    *c = (sparse_call){ { NULL, NULL, false }, { NULL, NULL, false } };
    cohort_status status = cohort_operand_begin(&c->ids, v->strategy, ids, call);
    if (status >= 0 && rows != NULL)
        status = cohort_operand_begin(&c->rows, v->strategy, rows, call);
    return status;
}

static void end_call(sparse_call *c)
{
    cohort_operand_end(&c->ids);
    cohort_operand_end(&c->rows);
}

/* ------------------------------------------------------------------ scatter */

static const char *const scatter_names[] = {
    [COHORT_SCATTER_ADD] = "cohort_variable_scatter_add",       [COHORT_SCATTER_SUB] = "cohort_variable_scatter_sub",
    [COHORT_SCATTER_MUL] = "cohort_variable_scatter_mul",       [COHORT_SCATTER_DIV] = "cohort_variable_scatter_div",
    [COHORT_SCATTER_MIN] = "cohort_variable_scatter_min",       [COHORT_SCATTER_MAX] = "cohort_variable_scatter_max",
    [COHORT_SCATTER_UPDATE] = "cohort_variable_scatter_update",
};

static const char *name_of(cohort_write_op op)
{
    return op >= COHORT_SCATTER_ADD && op <= COHORT_SCATTER_UPDATE ? scatter_names[op] : "cohort_variable_scatter";
}

/* Contributions in replica order: replica r's from calls[r * stride]. */
typedef struct contributions {
    const sparse_call *calls;
    int32_t n, stride;
} contributions;

static const sparse_call *call_of(const contributions *c, int32_t i)
{
    return &c->calls[i * c->stride];
}

static cohort_status prepare_scatter(cohort_variable *v, const contributions *c, const char *call)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < c->n && status >= 0; i++) {
        status = cohort_slices_check(v, &call_of(c, i)->ids, &call_of(c, i)->rows, i, call);
        if (status >= 0)
            status = cohort_slices_prepare(&call_of(c, i)->ids, &call_of(c, i)->rows, i);
    }
    return status;
}

static void post_scatter(cohort_variable *v, cohort_write_op op, const contributions *c, cohort_slices *slices,
                         uint64_t divisor)
{
    for (int32_t i = 0; i < c->n; i++)
        cohort_slices_take(slices, i, &call_of(c, i)->ids, &call_of(c, i)->rows, i);
    for (int32_t i = v->n_stores - 1; i >= 0; i--) { /* the caller's own device, mostly the first, last */
        cohort_buffer *next = cohort_variable_start(v, i, COHORT_WRITE_JOINT, false);
        cohort_scatter_post(v, i, next, slices, op, divisor);
        cohort_variable_post_commit(v, i, COHORT_WRITE_JOINT, next);
    }
    cohort_variable_finish(v);
}

static cohort_status scatter(cohort_variable *v, cohort_write_op op, const contributions *c, uint64_t divisor)
{
    cohort_status status = prepare_scatter(v, c, name_of(op));
    cohort_slices *slices = status >= 0 ? cohort_slices_create(c->n, row_bytes_of(v)) : NULL;
    if (slices == NULL)
        return status < 0 ? status : COHORT_ENOMEM;
    post_scatter(v, op, c, slices, divisor);
    cohort_slices_release(slices);
    return COHORT_OK;
}

static bool is_summed(const cohort_variable *v)
{
    return v->options.aggregation == COHORT_AGGREGATE_SUM || v->options.aggregation == COHORT_AGGREGATE_MEAN;
}

static cohort_status check_scatter(const cohort_variable *v, cohort_write_op op)
{
    cohort_status status = cohort_variable_check_scope(v);
    if (status >= 0)
        status = cohort_scatter_check(v, op, name_of(op));
    if (status >= 0)
        status = cohort_variable_check_readable(v, name_of(op));
    if (status >= 0 && v->is_per_replica)
        status = cohort_error_set(COHORT_EINVAL,
                                  "%s: variable '%s' is ON_READ and has no scatter; create it with ON_WRITE, or change "
                                  "it with cohort_update",
                                  name_of(op), v->name);
    if (status >= 0 && op >= COHORT_SCATTER_MIN && is_summed(v))
        status =
            cohort_error_set(COHORT_EINVAL,
                             "%s: variable '%s' has aggregation %s, and only sums and products of rows can be "
                             "aggregated so; create it with NONE or ONLY_FIRST_REPLICA",
                             name_of(op), v->name, v->options.aggregation == COHORT_AGGREGATE_SUM ? "SUM" : "MEAN");
    return status;
}

/* ---- cross-replica: every replica's slices as they are, or those that are not per replica once */

static cohort_status scatter_cross(cohort_variable *v, cohort_write_op op, const cohort_argument *ids,
                                   const cohort_argument *rows)
{
    sparse_call call;
    cohort_status status = begin_call(&call, v, ids, rows, name_of(op));
    if (status >= 0) {
        bool is_per_replica = cohort_operand_is_per_replica(&call.ids) || cohort_operand_is_per_replica(&call.rows);
        contributions c = { &call, is_per_replica ? v->strategy->n_replicas : 1, 0 };
        status = scatter(v, op, &c, 1);
    }
    end_call(&call);
    return status;
}

/* ---- in a step function: aggregated */

static cohort_status check_aggregation(const cohort_variable *v, cohort_write_op op)
{
    if (v->options.aggregation == COHORT_AGGREGATE_NONE)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: variable '%s' has aggregation NONE and is written in a step function; create it "
                                "with SUM, MEAN or ONLY_FIRST_REPLICA, or write it in cross-replica context",
                                name_of(op), v->name);
    return COHORT_OK;
}

/* What a replica brings to the meeting. */
typedef struct scatter_arguments {
    const cohort_argument *ids, *rows;
} scatter_arguments;

static cohort_status plan_scatter(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    cohort_variable *v = (cohort_variable *)meeting->what;
    cohort_write_op op = (cohort_write_op)meeting->op;
    cohort_aggregation a = v->options.aggregation;
    int32_t n = a == COHORT_AGGREGATE_ONLY_FIRST_REPLICA ? 1 : s->n_replicas, begun = 0;
    sparse_call *calls = cohort_allocate((size_t)n, sizeof *calls);
    cohort_status status = calls != NULL ? COHORT_OK : cohort_error_memory("a scatter");
    for (; begun < n && status >= 0; begun++) {
        const scatter_arguments *mine = all[begun];
        status = begin_call(&calls[begun], v, mine->ids, mine->rows, name_of(op));
    }
    if (status >= 0) {
        contributions c = { calls, n, 1 };
        status = scatter(v, op, &c, a == COHORT_AGGREGATE_MEAN ? (uint64_t)n : 1);
    }
    for (int32_t i = 0; i < begun; i++)
        end_call(&calls[i]);
    cohort_free(calls);
    return status;
}

static cohort_status scatter_replica(const char *site, cohort_variable *v, cohort_write_op op,
                                     const cohort_argument *ids, const cohort_argument *rows)
{
    cohort_status status = check_scatter(v, op);
    if (status >= 0)
        status = check_aggregation(v, op);
    if (status < 0)
        return status;
    scatter_arguments mine = { ids, rows };
    return cohort_stage_meet(cohort_stage_current(), &(cohort_meeting){ .call = name_of(op),
                                                                        .site = site,
                                                                        .op = (cohort_reduce_op)op,
                                                                        .what = v,
                                                                        .mine = &mine,
                                                                        .plan = plan_scatter });
}

static bool is_in_step_of(const cohort_variable *v)
{
    return cohort_stage_current() != NULL && cohort_stage_strategy(cohort_stage_current()) == v->strategy;
}

cohort_status cohort_variable_scatter_at(const char *site, cohort_variable *variable, cohort_write_op op,
                                         cohort_argument ids, cohort_argument rows)
{
    if (variable == NULL)
        return cohort_error_null(name_of(op), "the variable");
    if (is_in_step_of(variable))
        return scatter_replica(site, variable, op, &ids, &rows);
    cohort_status status = cohort_strategy_enter(variable->strategy, name_of(op));
    if (status < 0)
        return status;
    status = check_scatter(variable, op);
    if (status >= 0)
        status = scatter_cross(variable, op, &ids, &rows);
    return cohort_strategy_advance(variable->strategy, status);
}

/* ------------------------------------------------------------------ gather of rows */

static void shape_rows(cohort_content *c, const cohort_variable *v, const cohort_component *ids)
{
    c->dtype = v->dtype;
    c->item_bytes = v->item_bytes;
    c->extents = ids->extents;
    for (int32_t i = 1; i < v->extents.rank; i++)
        c->extents.shape[c->extents.rank++] = v->extents.shape[i];
}

static cohort_content *content_of(cohort_value *rows, bool is_per_replica, int32_t replica)
{
    return is_per_replica ? &rows->components[replica] : &rows->plain;
}

/* Replicas [first, end); of ids that are not per replica one read for all. */
typedef struct reading {
    cohort_variable *variable;
    cohort_operand ids;
    cohort_value *rows;
    int32_t first, end;
    bool is_per_replica;
} reading;

static int32_t device_of(const reading *r, int32_t replica)
{
    const cohort_strategy *s = r->variable->strategy;
    return r->is_per_replica ? s->host[replica] : s->home;
}

static cohort_status prepare_reading(const reading *r)
{
    cohort_status status =
        r->is_per_replica ? cohort_value_prepare_components(r->rows) : cohort_value_prepare_plain(r->rows);
    for (int32_t i = r->first; i < r->end && status >= 0; i++) {
        status = cohort_slices_check(r->variable, &r->ids, NULL, i, "cohort_variable_gather");
        if (status >= 0)
            status = cohort_slices_prepare(&r->ids, NULL, i);
        if (status >= 0)
            status = cohort_content_prepare(content_of(r->rows, r->is_per_replica, i), r->variable->strategy->crew,
                                            device_of(r, i));
    }
    return status;
}

/* Each replica for itself: a device that is slow holds up nobody else. */
static void post_reading(const reading *r, int32_t replica)
{
    cohort_component ids = cohort_operand_look(&r->ids, replica);
    cohort_content *c = content_of(r->rows, r->is_per_replica, replica);
    shape_rows(c, r->variable, &ids);
    if (ids.state == COHORT_CONTENT_ABSENT) {
        c->state = COHORT_CONTENT_ABSENT;
        return;
    }
    cohort_buffer *into = cohort_content_place_write(c, r->variable->strategy->crew, device_of(r, replica),
                                                     cohort_content_bytes(c), false);
    cohort_slices *slices = cohort_slices_create(1, row_bytes_of(r->variable));
    if (slices == NULL) {
        cohort_transfer_fail(into, "a sparse read");
        return;
    }
    cohort_slices_take(slices, 0, &r->ids, NULL, replica);
    cohort_rows_post(r->variable, replica, slices, into);
    cohort_slices_release(slices);
}

static cohort_status read_rows(const reading *r)
{
    cohort_status status = prepare_reading(r);
    if (status < 0)
        return status;
    r->rows->kind = r->is_per_replica ? COHORT_PER_REPLICA_VALUE : COHORT_PLAIN_VALUE;
    for (int32_t i = r->first; i < r->end; i++)
        post_reading(r, i);
    return COHORT_OK;
}

static cohort_status check_gather(const cohort_variable *v, const cohort_argument *ids, const cohort_value *rows)
{
    if (rows == NULL)
        return cohort_error_null("cohort_variable_gather", "the value for the rows");
    if (rows->strategy != v->strategy)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_variable_gather: variable '%s' and the value for its rows belong to different "
                                "strategies",
                                v->name);
    if (ids->kind == COHORT_ARGUMENT_VALUE && ids->as.p == rows)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_variable_gather: the rows of variable '%s' cannot go to the value of the ids",
                                v->name);
    return cohort_variable_check_readable(v, "cohort_variable_gather");
}

static cohort_status gather_cross(cohort_variable *v, const cohort_argument *ids, cohort_value *rows)
{
    reading r = { .variable = v, .rows = rows };
    cohort_status status = check_gather(v, ids, rows);
    if (status >= 0 && v->is_per_replica)
        status = cohort_error_set(COHORT_EINVAL,
                                  "cohort_variable_gather: variable '%s' is ON_READ: its rows are read in a step "
                                  "function",
                                  v->name);
    if (status >= 0)
        status = cohort_operand_begin(&r.ids, v->strategy, ids, "cohort_variable_gather");
    if (status >= 0) {
        r.is_per_replica = cohort_operand_is_per_replica(&r.ids);
        r.end = r.is_per_replica ? v->strategy->n_replicas : 1;
        status = read_rows(&r);
    }
    cohort_operand_end(&r.ids);
    return status;
}

/* For this replica alone: its rows, whatever the ids are. */
static cohort_status gather_replica(cohort_replica *me, cohort_variable *v, const cohort_argument *ids,
                                    cohort_value *rows)
{
    reading r = { .variable = v, .rows = rows, .first = me->id, .end = me->id + 1, .is_per_replica = true };
    cohort_stage_lock(me);
    cohort_status status = check_gather(v, ids, rows);
    if (status >= 0)
        status = cohort_operand_begin(&r.ids, v->strategy, ids, "cohort_variable_gather");
    if (status >= 0)
        status = read_rows(&r);
    cohort_operand_end(&r.ids);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

cohort_status cohort_variable_gather_argument(cohort_variable *variable, cohort_argument ids, cohort_value *rows)
{
    if (variable == NULL)
        return cohort_error_null("cohort_variable_gather", "the variable");
    if (is_in_step_of(variable)) {
        cohort_status sticky = cohort_failure_tell(&variable->strategy->crew->failure);
        return sticky < 0 ? sticky : gather_replica(cohort_stage_current(), variable, &ids, rows);
    }
    cohort_status status = cohort_strategy_enter(variable->strategy, "cohort_variable_gather");
    if (status < 0)
        return status;
    return cohort_strategy_advance(variable->strategy, gather_cross(variable, &ids, rows));
}
