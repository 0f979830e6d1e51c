/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/plans.h"

#include "runtime/reduce/plan_into.h"
#include "runtime/reduce/reducer_combine.h"

void cohort_reduce_plans_open(cohort_reduce_plans *plans, const char *call, cohort_reducer *reducer,
                              void *memory, int most)
{
    *plans = (cohort_reduce_plans){ .call = call, .reducer = reducer, .list = memory };
    plans->into = (cohort_value **)(plans->list + most);
    plans->surveys = (cohort_survey **)(plans->into + most);
}

static cohort_status prepare(const cohort_reduce_plans *plans, int i)
{
    cohort_status status = cohort_reduce_plan_check(&plans->list[i]);
    return status < 0 ? status : cohort_reduce_prepare(&plans->list[i], plans->into[i]);
}

cohort_status cohort_reduce_plans_add(cohort_reduce_plans *plans,
                                      const cohort_reduce_request *request, cohort_value *into)
{
    cohort_strategy *s = plans->reducer->strategy;
    cohort_reduce_plan *plan = &plans->list[plans->n];
    cohort_status status = cohort_reduce_check_into(&request->x, into, plans->call);
    if (status >= 0)
        status = cohort_reduce_plan_look(plan, plans->call, s, request);
    if (status < 0)
        return status;
    plans->surveys[plans->n] = &plan->survey;
    plans->into[plans->n++] = into;
    return s->workers != NULL ? COHORT_OK : prepare(plans, plans->n - 1);
}

/* Before all workers have met for all of them nobody knows what any makes. */
cohort_status cohort_reduce_plans_join(const cohort_reduce_plans *plans, size_t *out_failed)
{
    const cohort_strategy *s = plans->reducer->strategy;
    *out_failed = (size_t)plans->n;
    if (s->workers == NULL)
        return COHORT_OK;
    cohort_status status = cohort_survey_join(plans->call, s, plans->surveys, plans->n);
    for (int i = 0; i < plans->n && status >= 0; i++) {
        status = prepare(plans, i);
        *out_failed = status < 0 ? (size_t)i : (size_t)plans->n;
    }
    return status < 0 ? status : cohort_reducer_hold(plans->reducer, plans->n);
}

void cohort_reduce_plans_post(const cohort_reduce_plans *plans)
{
    for (int i = 0; i < plans->n; i++)
        cohort_reduce_post(&plans->list[i], plans->into[i]);
    cohort_reducer_cross(plans->reducer);
}

void cohort_reduce_plans_end(cohort_reduce_plans *plans)
{
    for (int i = 0; i < plans->n; i++)
        cohort_reduce_plan_end(&plans->list[i]);
    plans->n = 0;
}
