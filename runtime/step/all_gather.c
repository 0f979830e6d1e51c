/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that concatenate what the replicas bring: cohort_all_gather,
 * cohort_all_reduce_slices. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/reduce.h"
#include "runtime/reduce/slices_plan.h"
#include "runtime/step/contribution.h"
#include "runtime/step/trace.h"
#include "runtime/value/operand.h"

#include <stdio.h>

/* ------------------------------------------------------------------ all_gather */

/* What one replica brings to cohort_all_gather. */
typedef struct request {
    cohort_argument x;
    int axis;
    cohort_value *into;
} request;

/* A scratch buffer at home; NULL when it has no byte, the failure is set, or nothing is posted. */
static cohort_buffer *make_room(cohort_reducer *reducer, const cohort_content *shape)
{
    uint64_t bytes = cohort_content_bytes(shape);
    cohort_ledger_say_repeatable(reducer->strategy->executor);
    return bytes > 0 && !reducer->strategy->is_trial
               ? cohort_reducer_scratch(reducer, reducer->strategy->home, bytes)
               : NULL;
}

/* The total is concatenated once, at home, and then copied to each replica, so that every
 * contribution is read once and not once by each of them. */
static void gather(const cohort_gather_plan *plan, cohort_reducer *reducer, cohort_value *into)
{
    cohort_content shape = { 0 };
    cohort_gather_plan_shape(plan, &shape);
    cohort_reducer_restart(reducer);
    cohort_buffer *total = make_room(reducer, &shape);
    if (total != NULL)
        cohort_gather_plan_post(plan, total);
    cohort_value_become_per_replica(into);
    cohort_contribution_hand_out(into, &shape, total);
}

/* What is not per replica is copied. */
static cohort_status plan_all_gather(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                     void *const all[])
{
    const request *q = all[0];
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_gather_plan plan;
    (void)rendezvous;
    if (reducer == NULL)
        return COHORT_ENOMEM;
    cohort_status status =
        cohort_gather_plan_begin(&plan, "cohort_all_gather", s, &q->x, q->axis, false);
    if (status < 0)
        return status;
    status = cohort_gather_plan_prepare(&plan);
    if (status >= 0)
        status = cohort_contribution_prepare_components(q->into);
    if (status >= 0)
        gather(&plan, reducer, q->into);
    cohort_gather_plan_end(&plan);
    return status;
}

static cohort_status keep(cohort_recorder *recorder, cohort_rendezvous *rendezvous, void *all[])
{
    request *q = cohort_trace_keep_first(recorder, all, sizeof *q);
    return q != NULL ? cohort_reduce_keep(recorder, rendezvous->call, &q->x, q->into)
                     : COHORT_ENOMEM;
}

static bool is_same_request(const void *mine, const void *other)
{
    const request *a = mine, *b = other;
    return a->x.kind == b->x.kind && a->x.as.p == b->x.as.p && a->into == b->into;
}

static void describe_axis(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    (void)snprintf(out, size, "axis %d", (int)rendezvous->op);
}

cohort_status cohort_all_gather_at(const char *site, cohort_replica *me, cohort_argument x,
                                   int axis, cohort_value *into)
{
    static const cohort_traced traced = { .keep = keep };
    request q = { x, axis, into };
    cohort_status status = cohort_contribution_check_operand(me, &x, into, "cohort_all_gather");
    if (status < 0)
        return cohort_stage_end(me, cohort_contribution_strategy(&x, into), status);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_all_gather",
                                                       .site = site,
                                                       .op = (cohort_reduce_op)axis,
                                                       .mine = &q,
                                                       .plan = plan_all_gather,
                                                       .is_same = is_same_request,
                                                       .describe = describe_axis,
                                                       .traced = &traced });
}

/* ------------------------------------------------------------------ slices */

/* Ids and rows are read and written by the same call: both totals are complete in scratch before
 * either value is written. */
static void combine_slices(const cohort_slices_plan *plan, cohort_reducer *reducer,
                           cohort_value *ids, cohort_value *rows)
{
    cohort_content shape_of_ids, shape_of_rows;
    cohort_slices_plan_shape(plan, &shape_of_ids, &shape_of_rows);
    cohort_reducer_restart(reducer);
    cohort_buffer *all_ids = make_room(reducer, &shape_of_ids),
                  *all_rows = make_room(reducer, &shape_of_rows);
    if (all_ids != NULL)
        cohort_slices_plan_post_ids(plan, all_ids);
    if (all_rows != NULL)
        cohort_slices_plan_post_rows(plan, reducer, all_rows);
    cohort_contribution_hand_out(ids, &shape_of_ids, all_ids);
    cohort_contribution_hand_out(rows, &shape_of_rows, all_rows);
}

/* The plan is begun before the places are prepared, because it has the checks: ids and rows that do
 * not fit together stay as they were. */
static cohort_status plan_slices(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                 void *const all[])
{
    cohort_value *ids = rendezvous->values[0], *rows = rendezvous->values[1];
    cohort_slices_plan plan;
    (void)all;
    cohort_status status = cohort_slices_plan_begin(&plan, "cohort_all_reduce_slices",
                                                    rendezvous->op, ids, rows, true, s);
    if (status < 0)
        return status;
    status = cohort_contribution_prepare(ids);
    if (status >= 0)
        status = cohort_contribution_prepare(rows);
    if (status >= 0)
        combine_slices(&plan, cohort_reducer_of(s), ids, rows);
    cohort_slices_plan_end(&plan);
    return status;
}

cohort_status cohort_all_reduce_slices_at(const char *site, cohort_replica *me, cohort_reduce_op op,
                                          cohort_value *ids, cohort_value *rows)
{
    static const cohort_traced traced;
    cohort_value *const values[] = { ids, rows };
    cohort_status status = cohort_contribution_check(me, values, 2, "cohort_all_reduce_slices");
    if (status >= 0 && ids == rows)
        status = cohort_error_set(COHORT_EINVAL,
                                  "cohort_all_reduce_slices: ids and rows are the same value");
    if (status < 0)
        return cohort_stage_end(me, cohort_operand_strategy_of_values(values, 2), status);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_all_reduce_slices",
                                                       .site = site,
                                                       .op = op,
                                                       .n = 2,
                                                       .values = values,
                                                       .plan = plan_slices,
                                                       .describe = cohort_contribution_describe_op,
                                                       .traced = &traced });
}
