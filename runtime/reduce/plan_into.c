/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/plan_into.h"

/* The operand's strategy is compared here, although begin would refuse it too, for the message: of
 * the two values of the call it is not clear which one belongs to "another" strategy. */
cohort_status cohort_reduce_check_into(const cohort_argument *x, const cohort_value *into,
                                       const char *call)
{
    const cohort_strategy *owner = cohort_operand_strategy(x);
    cohort_status status = cohort_operand_check(x, call);
    if (status < 0)
        return status;
    if (owner != NULL && owner != into->strategy)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: what is combined and the value to fill belong to different strategies", call);
    if (x->kind == COHORT_ARGUMENT_VALUE && x->as.p == into)
        return cohort_error_set(COHORT_EINVAL, "%s: a value cannot be combined into itself", call);
    return COHORT_OK;
}

/* The reducer is made here so that post can rely on it. */
cohort_status cohort_reduce_prepare(const cohort_reduce_plan *plan, cohort_value *into)
{
    cohort_strategy *s = plan->strategy;
    cohort_status status = cohort_reducer_of(s) != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_value_prepare_home(into);
    return status >= 0 ? cohort_reduce_plan_prepare(plan) : status;
}

/* The value gets its new shape and kind only now that nothing can fail: a refused call leaves it as
 * it was. */
void cohort_reduce_post(const cohort_reduce_plan *plan, cohort_value *into)
{
    cohort_strategy *s = plan->strategy;
    cohort_reduce_plan_shape(plan, &into->plain);
    cohort_buffer *dst = cohort_value_start_home(into);
    if (dst == NULL)
        return;
    cohort_reducer_restart(cohort_reducer_of(s));
    cohort_reduce_plan_post(plan, cohort_reducer_of(s), dst);
}
