/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatters: rows of a variable combined with index slices, in both contexts. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/memory.h"
#include "runtime/rows/scatter_across.h"
#include "runtime/step/trace.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"
#include "runtime/value/fetched_rows.h"
#include "runtime/value/remote.h"
#include "runtime/value/scatter.h"

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
    [COHORT_SCATTER_ADD] = "cohort_variable_scatter_add",
    [COHORT_SCATTER_SUB] = "cohort_variable_scatter_sub",
    [COHORT_SCATTER_MUL] = "cohort_variable_scatter_mul",
    [COHORT_SCATTER_DIV] = "cohort_variable_scatter_div",
    [COHORT_SCATTER_MIN] = "cohort_variable_scatter_min",
    [COHORT_SCATTER_MAX] = "cohort_variable_scatter_max",
    [COHORT_SCATTER_UPDATE] = "cohort_variable_scatter_update",
};

static const char *name_of(cohort_write_op op)
{
    return op >= COHORT_SCATTER_ADD && op <= COHORT_SCATTER_UPDATE ? scatter_names[op]
                                                                   : "cohort_variable_scatter";
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

/* The variable is among the rows: in place, some would be read that are written already. */
static bool reads_itself(const cohort_variable *v, const contributions *c)
{
    bool reads = false;
    for (int32_t i = 0; i < c->n && !reads; i++)
        reads = call_of(c, i)->rows.variable == v;
    return reads;
}

/* The buffer that a scatter fills, and how the write of a store begins. */
static cohort_buffer *start(cohort_variable *v, int32_t store, bool reads_itself)
{
    if (reads_itself)
        return cohort_variable_start_other(v, store, COHORT_WRITE_JOINT, false);
    if (cohort_variable_is_in_place(v))
        return cohort_variable_start_in_place(v, store);
    return cohort_variable_can_undo(v)
               ? cohort_variable_start_undone(v, store)
               : cohort_variable_start_other(v, store, COHORT_WRITE_JOINT, false);
}

/* All stores take the same slices, of which each combines the rows that it holds; whoever is last
 * with the slices frees them. In place the scatter itself says when it begins to write: ids that
 * are wrong cost nothing. */
static void post_scatter(cohort_variable *v, cohort_write_op op, const contributions *c,
                         cohort_slices *slices, uint64_t divisor)
{
    bool is_its_own = reads_itself(v, c);
    for (int32_t i = v->n_stores - 1; i >= 0;
         i--) { /* the caller's own device, mostly the first, last */
        cohort_buffer *next = start(v, i, is_its_own);
        cohort_scatter_post(v, i, next, slices, op, divisor);
    }
    cohort_variable_finish(v);
}

/* ---- on parameter servers: the slices of all replicas, one behind the other, are one request */

static void divide(const cohort_variable *v, char *rows, int64_t n, uint64_t divisor)
{
    if (divisor > 1 && n > 0)
        cohort_arithmetic_find_divide(v->dtype)(
            rows, divisor, (size_t)(n * cohort_variable_row_bytes(v) / v->item_bytes));
}

static cohort_status take_all(const contributions *c, cohort_fetched_rows *rows)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < c->n && status >= 0; i++)
        status = cohort_fetched_rows_add(rows, &call_of(c, i)->ids, &call_of(c, i)->rows, i);
    return status;
}

static cohort_status scatter_remote(cohort_variable *v, cohort_write_op op, const contributions *c,
                                    uint64_t divisor)
{
    cohort_fetched_rows rows = { .variable = v };
    cohort_status status = take_all(c, &rows);
    if (status >= 0) {
        divide(v, rows.rows, rows.n, divisor);
        status = cohort_remote_scatter(v, op, &(cohort_remote_rows){ rows.ids, rows.n, rows.rows },
                                       name_of(op));
    }
    cohort_fetched_rows_fini(&rows);
    return status;
}

/* ---- across workers: the slices of all of them, which each combines into its own copies */

static cohort_status scatter_across(cohort_variable *v, cohort_write_op op, const contributions *c,
                                    uint64_t divisor)
{
    const cohort_scatter_across across = { name_of(op), v, divisor };
    cohort_fetched_rows rows = { .variable = v };
    cohort_slices *slices = NULL;
    cohort_status status = take_all(c, &rows);
    if (status >= 0)
        status = cohort_scatter_across_gather(&across, &rows, &slices);
    cohort_fetched_rows_fini(&rows);
    if (status < 0)
        return status;
    post_scatter(v, op, c, slices, divisor);
    cohort_slices_release(slices);
    return COHORT_OK;
}

/* Nothing else is under way, and devices are done with memory of this process when they say so: to
 * wait for the scatter takes no longer than to copy what it reads. */
static bool may_wait(const cohort_variable *v)
{
    bool may_wait = cohort_executor_is_idle(v->strategy->executor);
    for (int32_t i = 0; i < v->n_stores && may_wait; i++)
        may_wait = cohort_context_has(v->stores[i].buffers[0]->context,
                                      COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE);
    return may_wait;
}

static void wait_for(const cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores; i++)
        cohort_executor_wait(v->strategy->executor, v->stores[i].last);
}

static cohort_status scatter_here(cohort_variable *v, cohort_write_op op, const contributions *c,
                                  uint64_t divisor)
{
    cohort_slices *slices =
        cohort_slices_create(v->strategy->executor, c->n, cohort_variable_row_bytes(v));
    if (slices == NULL)
        return COHORT_ENOMEM;
    slices->may_borrow = may_wait(v);
    for (int32_t i = 0; i < c->n; i++)
        cohort_slices_take(slices, i, &call_of(c, i)->ids, &call_of(c, i)->rows, i);
    post_scatter(v, op, c, slices, divisor);
    if (slices->has_borrowed)
        wait_for(v);
    cohort_slices_release(slices);
    return COHORT_OK;
}

/* crosses: other workers have contributions of their own. */
static cohort_status scatter(cohort_variable *v, cohort_write_op op, const contributions *c,
                             uint64_t divisor, bool crosses)
{
    cohort_status status = prepare_scatter(v, c, name_of(op));
    if (status < 0 || v->strategy->is_trial)
        return status;
    if (v->remote != NULL)
        return scatter_remote(v, op, c, divisor);
    return crosses && v->strategy->workers != NULL ? scatter_across(v, op, c, divisor)
                                                   : scatter_here(v, op, c, divisor);
}

static bool is_summed(const cohort_variable *v)
{
    return v->options.aggregation == COHORT_AGGREGATE_SUM ||
           v->options.aggregation == COHORT_AGGREGATE_MEAN;
}

static cohort_status check_scatter(cohort_variable *v, cohort_write_op op)
{
    cohort_status status = cohort_scatter_check(v, op, name_of(op));
    if (status >= 0)
        status = v->remote == NULL ? cohort_variable_check_readable(v, name_of(op))
                                   : cohort_remote_check_writer(v, name_of(op));
    if (status >= 0 && v->is_per_replica)
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: variable '%s' is ON_READ and has no scatter; create it with ON_WRITE, or change "
            "it with cohort_update",
            name_of(op), v->name);
    if (status >= 0 && op >= COHORT_SCATTER_MIN && is_summed(v))
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: variable '%s' has aggregation %s, and only sums and products of rows can be "
            "aggregated so; create it with NONE or ONLY_FIRST_REPLICA",
            name_of(op), v->name, v->options.aggregation == COHORT_AGGREGATE_SUM ? "SUM" : "MEAN");
    return status;
}

/* ---- cross-replica: every replica's slices as they are, or those that are not per replica once */

static cohort_status scatter_cross(cohort_variable *v, cohort_write_op op,
                                   const cohort_argument *ids, const cohort_argument *rows)
{
    sparse_call call;
    cohort_status status = check_scatter(v, op);
    if (status < 0)
        return status;
    status = begin_call(&call, v, ids, rows, name_of(op));
    bool is_per_replica = status >= 0 && (cohort_operand_is_per_replica(&call.ids) ||
                                          cohort_operand_is_per_replica(&call.rows));
    if (status >= 0) {
        contributions c = { &call, is_per_replica ? v->strategy->n_replicas : 1, 0 };
        status = scatter(v, op, &c, 1, is_per_replica);
    }
    end_call(&call);
    return status;
}

typedef struct scatter_request {
    cohort_variable *variable;
    cohort_write_op op;
    cohort_argument ids, rows;
    const char *site;
} scatter_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    scatter_request *r = request;
    cohort_status status = cohort_operand_keep_variable(recorder, call, r->variable);
    if (status >= 0)
        status = cohort_operand_keep(recorder, call, &r->ids);
    return status < 0 ? status : cohort_operand_keep(recorder, call, &r->rows);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const scatter_request *r = request;
    (void)strategy;
    return scatter_cross(r->variable, r->op, &r->ids, &r->rows);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    cohort_variable_describe_stores(strategy, ((const scatter_request *)request)->variable, out);
}

static void agree(cohort_strategy *strategy, const void *request)
{
    const scatter_request *r = request;
    if (!r->variable->is_per_replica)
        cohort_agreement_note(strategy,
                              cohort_agreement_add(cohort_agreement_add(0, &r->ids), &r->rows),
                              name_of(r->op), r->variable->name, r->site);
}

/* ---- in a step function: aggregated */

static cohort_status check_aggregation(const cohort_variable *v, cohort_write_op op)
{
    if (v->options.aggregation == COHORT_AGGREGATE_NONE)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: variable '%s' has aggregation NONE and is written in a step function; create it "
            "with SUM, MEAN or ONLY_FIRST_REPLICA, or write it in cross-replica context",
            name_of(op), v->name);
    return COHORT_OK;
}

/* What a replica brings to the rendezvous. */
typedef struct scatter_arguments {
    cohort_argument ids, rows;
} scatter_arguments;

/* With ONLY_FIRST_REPLICA the others take part in the rendezvous, but their ids and rows are not
 * looked at. */
static cohort_status plan_scatter(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                  void *const all[])
{
    cohort_variable *v = cohort_memory_own(rendezvous->what);
    cohort_write_op op = (cohort_write_op)rendezvous->op;
    cohort_aggregation a = v->options.aggregation;
    bool is_first = a == COHORT_AGGREGATE_ONLY_FIRST_REPLICA;
    int32_t n = is_first ? s->first_replica == 0 : s->n_replicas, begun = 0;
    sparse_call *calls = cohort_staging_take(&s->executor->staging, (size_t)n * sizeof *calls);
    cohort_status status = calls != NULL ? COHORT_OK : cohort_error_memory("a scatter");
    for (; begun < n && status >= 0; begun++) {
        const scatter_arguments *mine = all[begun];
        status = begin_call(&calls[begun], v, &mine->ids, &mine->rows, name_of(op));
    }
    if (status >= 0) {
        contributions c = { calls, n, 1 };
        status = scatter(v, op, &c, a == COHORT_AGGREGATE_MEAN ? (uint64_t)s->n_in_sync : 1, true);
    }
    for (int32_t i = 0; i < begun; i++)
        end_call(&calls[i]);
    cohort_staging_give(calls);
    return status;
}

static cohort_status keep_mine(cohort_recorder *recorder, const char *call, void *arguments)
{
    scatter_arguments *mine = arguments;
    cohort_status status = cohort_operand_keep(recorder, call, &mine->ids);
    return status < 0 ? status : cohort_operand_keep(recorder, call, &mine->rows);
}

static cohort_status keep_arguments(cohort_recorder *recorder, cohort_rendezvous *rendezvous,
                                    void *all[])
{
    return cohort_trace_keep_variable_and_each(recorder, rendezvous, all, sizeof(scatter_arguments),
                                               keep_mine);
}

static cohort_status scatter_replica(const char *site, cohort_replica *me, cohort_variable *v,
                                     cohort_write_op op, const cohort_argument *ids,
                                     const cohort_argument *rows)
{
    static const cohort_traced traced = { .keep = keep_arguments };
    cohort_status status = check_scatter(v, op);
    if (status >= 0)
        status = check_aggregation(v, op);
    if (status < 0)
        return status;
    scatter_arguments mine = { *ids, *rows };
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = name_of(op),
                                                       .site = site,
                                                       .op = (cohort_reduce_op)op,
                                                       .what = v,
                                                       .mine = &mine,
                                                       .plan = plan_scatter,
                                                       .traced = &traced });
}

cohort_status cohort_variable_scatter_at(const char *site, cohort_variable *variable,
                                         cohort_write_op op, cohort_argument ids,
                                         cohort_argument rows)
{
    static const cohort_recordable recordable = { .bytes = sizeof(scatter_request),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = describe,
                                                  .agree = agree };
    cohort_strategy *other = cohort_operand_strategy(&ids);
    cohort_status status =
        cohort_call_about(variable, COHORT_HANDLE_VARIABLE, name_of(op), "the variable",
                          other != NULL ? other : cohort_operand_strategy(&rows));
    if (status < 0)
        return status;
    cohort_replica *me = cohort_stage_replica_of(variable->strategy);
    if (me != NULL)
        return cohort_call_end(variable->strategy,
                               scatter_replica(site, me, variable, op, &ids, &rows));
    const scatter_request request = { variable, op, ids, rows, site };
    return cohort_call_make(variable->strategy, name_of(op), &recordable, &request);
}
