/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce_to and cohort_batch_reduce_to: into values that are mirrored on chosen devices. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/reduce/pack.h"
#include "runtime/reduce/reduce.h"
#include "runtime/strategy/call.h"

#include <cohort/reduce.h>

static cohort_status prepare(cohort_delivery *d)
{
    cohort_status status = cohort_reducer_of(d->plan.strategy) != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_destination_prepare(&d->destination, d->into);
    return status >= 0 ? cohort_reduce_plan_prepare(&d->plan) : status;
}

static void end(cohort_delivery *d)
{
    cohort_destination_fini(&d->destination);
    cohort_reduce_plan_end(&d->plan);
}

/* Checked and prepared; on failure there is nothing to end. */
static cohort_status begin(cohort_delivery *d, const char *call, cohort_reduce_op op,
                           cohort_argument x, const cohort_argument *at, cohort_value *into)
{
    cohort_reduce_request request = { .op = op, .x = x };
    cohort_strategy *s = into->strategy;
    *d = (cohort_delivery){ .into = into };
    cohort_status status = cohort_reduce_check_into(&x, into, call);
    if (status >= 0)
        status = cohort_destination_init(&d->destination, call, s, at);
    if (status < 0)
        return status;
    status = cohort_reduce_plan_begin(&d->plan, call, s, &request);
    if (status < 0) {
        cohort_destination_fini(&d->destination);
        return status;
    }
    status = prepare(d);
    if (status < 0)
        end(d);
    return status;
}

cohort_status cohort_reduce_to_argument(cohort_reduce_op op, cohort_argument x, cohort_argument at,
                                        cohort_value *into)
{
    cohort_delivery delivery;
    cohort_status status = cohort_reduce_enter(into, &x, "cohort_reduce_to");
    if (status < 0)
        return status;
    status = begin(&delivery, "cohort_reduce_to", op, x, &at, into);
    if (status >= 0) {
        cohort_delivery_post(&delivery, cohort_reducer_of(into->strategy));
        end(&delivery);
    }
    return cohort_call_advance(into->strategy, status);
}

/* ------------------------------------------------------------------ a batch */

static cohort_status batch(cohort_reduce_op op, int n, cohort_value *const values[],
                           const cohort_argument at[], cohort_value *const into[])
{
    int begun = 0;
    if (at == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_batch_reduce_to: %d values, a list is NULL",
                                n);
    cohort_status status = cohort_reduce_check_distinct("cohort_batch_reduce_to", values, n, into);
    if (status < 0)
        return status;
    cohort_delivery *deliveries = cohort_allocate((size_t)n, sizeof *deliveries);
    cohort_delivery **picked = cohort_allocate((size_t)n, sizeof *picked);
    status = deliveries != NULL && picked != NULL ? COHORT_OK
                                                  : cohort_error_memory("a list of reductions");
    for (; begun < n && status >= 0; begun += status >= 0)
        status = into[begun]->strategy != into[0]->strategy
                     ? cohort_error_set(COHORT_EINVAL,
                                        "cohort_batch_reduce_to: values 0 and %d to fill belong to "
                                        "different strategies",
                                        begun)
                     : begin(&deliveries[begun], "cohort_batch_reduce_to", op,
                             cohort_argument_make_(COHORT_ARGUMENT_VALUE, values[begun]),
                             &at[begun], into[begun]);
    if (status >= 0)
        cohort_pack_post(deliveries, n, picked, cohort_reducer_of(into[0]->strategy));
    for (int i = 0; i < begun; i++)
        end(&deliveries[i]);
    cohort_free(picked);
    cohort_free(deliveries);
    return status;
}

cohort_status cohort_batch_reduce_to(cohort_reduce_op op, int n, cohort_value *const values[],
                                     const cohort_argument at[], cohort_value *const into[])
{
    if (n == 0)
        return COHORT_OK;
    cohort_status status = cohort_reduce_enter_list(into, values, n, "cohort_batch_reduce_to");
    return status < 0 ? status
                      : cohort_call_advance(into[0]->strategy, batch(op, n, values, at, into));
}
