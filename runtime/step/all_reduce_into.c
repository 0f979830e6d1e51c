/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_all_reduce_into: a value or a variable combined into another value of each replica. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/reduce.h"
#include "runtime/step/contribution.h"
#include "runtime/step/in_place.h"
#include "runtime/step/trace.h"

/* What one replica brings. */
typedef struct request {
    cohort_reduce_op op;
    cohort_argument x;
    cohort_value *into;
} request;

static const char call[] = "cohort_all_reduce_into";

static void become_absent(cohort_value *into, const cohort_value *value)
{
    cohort_value_become_per_replica(into);
    for (int32_t r = 0; r < into->strategy->n_replicas; r++) {
        const cohort_content *from = cohort_value_content(value, r);
        cohort_content *c = &into->components[r];
        cohort_content_take_shape(c, from->dtype, from->item_bytes, &from->extents);
        cohort_content_become(c, COHORT_CONTENT_ABSENT);
    }
}

static cohort_status combine(const cohort_reduce_plan *plan, cohort_reducer *reducer,
                             cohort_value *into)
{
    cohort_content shape = { 0 };
    cohort_buffer *total;
    cohort_status status = cohort_contribution_combine(plan, reducer, &shape, &total);
    if (status < 0)
        return status;
    cohort_value_become_per_replica(into);
    cohort_contribution_hand_out(into, &shape, total);
    return COHORT_OK;
}

static cohort_status reduce_into(cohort_reducer *reducer, const request *q)
{
    cohort_reduce_plan plan;
    const cohort_reduce_request what = { .op = q->op,
                                         .x = q->x,
                                         .contributes = COHORT_CONTRIBUTES_AS_PASSED };
    cohort_status status = cohort_reduce_plan_begin(&plan, call, reducer->strategy, &what);
    if (status < 0)
        return status;
    status = cohort_reduce_plan_prepare(&plan);
    if (status >= 0)
        status = combine(&plan, reducer, q->into);
    cohort_reduce_plan_end(&plan);
    return status;
}

static cohort_status plan_all_reduce(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                     void *const all[])
{
    const request *q = all[0];
    cohort_reducer *reducer = cohort_reducer_of(s);
    (void)rendezvous;
    cohort_status status =
        reducer != NULL ? cohort_contribution_prepare_components(q->into) : COHORT_ENOMEM;
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(s->executor);
    if (q->x.kind == COHORT_ARGUMENT_VARIABLE)
        return reduce_into(reducer, q);
    if (cohort_in_place_may_be(q->op, q->x.as.p, q->into)) {
        cohort_in_place_post(q->op, q->x.as.p, q->into);
        return COHORT_OK;
    }
    bool is_absent;
    status = cohort_contribution_find_absent(q->x.as.p, "the rows of cohort_all_reduce_into",
                                             &is_absent);
    if (status >= 0 && is_absent)
        become_absent(q->into, q->x.as.p);
    else if (status >= 0)
        status = reduce_into(reducer, q);
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

cohort_status cohort_all_reduce_into_at(const char *site, cohort_replica *me, cohort_reduce_op op,
                                        cohort_argument x, cohort_value *into)
{
    static const cohort_traced traced = { .keep = keep };
    request q = { op, x, into };
    cohort_status status = cohort_contribution_check_operand(me, &x, into, call);
    if (status < 0)
        return cohort_stage_end(me, cohort_contribution_strategy(&x, into), status);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = call,
                                                       .site = site,
                                                       .op = op,
                                                       .mine = &q,
                                                       .plan = plan_all_reduce,
                                                       .is_same = is_same_request,
                                                       .describe = cohort_contribution_describe_op,
                                                       .traced = &traced });
}
