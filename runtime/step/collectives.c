/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of cohort/replica.h that all replicas make together. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/reduce.h"
#include "runtime/step/contribution.h"
#include "runtime/step/in_place.h"
#include "runtime/step/trace.h"
#include "runtime/strategy/scope.h"
#include "runtime/value/operand.h"

#include <stdio.h>

/* ------------------------------------------------------------------ all_reduce */

/* Of one value of the list. */
typedef struct reduction {
    cohort_value *value;
    bool is_in_place, is_absent; /* without a plan */
    cohort_reduce_plan plan;
} reduction;

static cohort_status prepare(const reduction *one)
{
    cohort_status status = cohort_reduce_plan_prepare(&one->plan);
    return status < 0 ? status : cohort_contribution_prepare(one->value);
}

/* All that can fail, without posting; then only scratch memory may be missing. */
static cohort_status begin(reduction *one, cohort_reduce_op op, cohort_value *value)
{
    const cohort_reduce_request request = { .op = op,
                                            .x =
                                                cohort_argument_make_(COHORT_ARGUMENT_VALUE, value),
                                            .contributes = COHORT_CONTRIBUTES_AS_PASSED };
    cohort_status status = COHORT_OK;
    one->value = value;
    one->is_absent = false;
    one->is_in_place = cohort_in_place_may_be(op, value, value);
    if (!one->is_in_place)
        status = cohort_contribution_find_absent(value, "the rows of cohort_all_reduce",
                                                 &one->is_absent);
    if (status < 0 || one->is_in_place || one->is_absent)
        return status;
    status = cohort_reduce_plan_begin(&one->plan, "cohort_all_reduce", value->strategy, &request);
    if (status < 0)
        return status;
    status = prepare(one);
    if (status < 0)
        cohort_reduce_plan_end(&one->plan);
    return status;
}

static void end(reduction *one)
{
    if (!one->is_in_place && !one->is_absent)
        cohort_reduce_plan_end(&one->plan);
}

/* The total is copied to every replica, also to those that contributed nothing. */
static cohort_status combine(const cohort_reduce_plan *plan, cohort_reducer *reducer,
                             cohort_value *value)
{
    cohort_content shape = { 0 };
    cohort_buffer *total;
    cohort_status status = cohort_contribution_combine(plan, reducer, &shape, &total);
    if (status >= 0)
        cohort_contribution_hand_out(value, &shape, total);
    return status;
}

static cohort_status post(const reduction *one, cohort_reduce_op op, cohort_reducer *reducer)
{
    if (one->is_absent)
        return COHORT_OK;
    if (!one->is_in_place)
        return combine(&one->plan, reducer, one->value);
    cohort_in_place_post(op, one->value, one->value);
    return COHORT_OK;
}

static cohort_status check_distinct(const cohort_rendezvous *rendezvous)
{
    for (int i = 0; i < rendezvous->n; i++)
        for (int j = 0; j < i; j++)
            if (rendezvous->values[i] == rendezvous->values[j])
                return cohort_error_set(
                    COHORT_EINVAL,
                    "cohort_all_reduce: values %d and %d are the same, and it is combined in place",
                    j, i);
    return COHORT_OK;
}

/* All are looked at before the first is combined. */
static cohort_status reduce_list(cohort_reducer *reducer, const cohort_rendezvous *rendezvous,
                                 reduction list[])
{
    int32_t n = 0;
    cohort_status status = COHORT_OK;
    while (n < rendezvous->n &&
           (status = begin(&list[n], rendezvous->op, rendezvous->values[n])) >= 0)
        n++;
    for (int32_t i = 0; i < n && status >= 0; i++)
        status = post(&list[i], rendezvous->op, reducer);
    while (n > 0)
        end(&list[--n]);
    return status;
}

static cohort_status plan_all_reduce(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                     void *const all[])
{
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_status status = reducer != NULL ? check_distinct(rendezvous) : COHORT_ENOMEM;
    (void)all;
    cohort_ledger_say_repeatable(s->executor);
    if (status < 0 || rendezvous->n == 0)
        return status;
    reduction *list = cohort_reducer_room(reducer, (size_t)rendezvous->n, sizeof *list);
    return list != NULL ? reduce_list(reducer, rendezvous, list) : COHORT_ENOMEM;
}

static void describe_all_reduce(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    char op[40];
    cohort_contribution_describe_op(rendezvous, op, sizeof op);
    (void)snprintf(out, size, "%s, %d value%s", op, rendezvous->n, rendezvous->n == 1 ? "" : "s");
}

cohort_status cohort_all_reduce_at(const char *site, cohort_replica *me, cohort_reduce_op op,
                                   cohort_value *const values[], int n)
{
    cohort_status status = cohort_stage_check(me, "cohort_all_reduce");
    if (status >= 0 && (n < 0 || (n > 0 && values == NULL)))
        status = cohort_error_set(COHORT_EINVAL, "cohort_all_reduce: %d values%s", n,
                                  values == NULL ? ", list NULL" : "");
    if (status >= 0)
        status = cohort_contribution_check(me, values, n, "cohort_all_reduce");
    if (status < 0)
        return cohort_stage_end(me, cohort_operand_strategy_of_values(values, n), status);
    static const cohort_traced traced;
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_all_reduce",
                                                       .site = site,
                                                       .op = op,
                                                       .n = n,
                                                       .values = values,
                                                       .plan = plan_all_reduce,
                                                       .describe = describe_all_reduce,
                                                       .traced = &traced });
}

/* ------------------------------------------------------------------ barrier and merge call */

/* That all replicas of this process have met is known; then all processes do. */
static cohort_status plan_barrier(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                  void *const all[])
{
    (void)all;
    cohort_ledger_say_repeatable(s->executor);
    return s->workers != NULL && !s->is_trial
               ? cohort_workers_meet(s->workers, rendezvous->call, "", 0)
               : COHORT_OK;
}

cohort_status cohort_barrier_at(const char *site, cohort_replica *me)
{
    static const cohort_traced traced;
    cohort_status status = cohort_stage_check(me, "cohort_barrier");
    return status < 0 ? cohort_stage_end(me, NULL, status)
                      : cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_barrier",
                                                                    .site = site,
                                                                    .plan = plan_barrier,
                                                                    .traced = &traced });
}

cohort_status cohort_merge_call_at(const char *site, cohort_replica *me, cohort_merge_fn merge,
                                   void *user)
{
    bool is_outside =
        me == NULL && cohort_scope_of_step() == NULL && cohort_scope_of_merge() == NULL;
    if (merge == NULL)
        return cohort_stage_end(
            me, NULL, cohort_error_set(COHORT_EINVAL, "cohort_merge_call: the function is NULL"));
    /* where there are no replicas, the caller is the only one, and merging is calling */
    if (is_outside)
        return merge(NULL, &user, 1);
    cohort_status status = cohort_stage_check(me, "cohort_merge_call");
    if (status < 0)
        return cohort_stage_end(me, NULL, status);
    return cohort_stage_meet(
        me, &(cohort_rendezvous){
                .call = "cohort_merge_call", .site = site, .mine = user, .merge = merge });
}
