/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/skip.h"

#include "runtime/base/log.h"
#include "runtime/strategy/loss.h"
#include "runtime/value/variable.h"

bool cohort_skip_is_due(const cohort_strategy *s)
{
    return s->guard == COHORT_GUARD_SKIP && cohort_executor_is_whole(s->executor) &&
           cohort_failure_is_unfit(&s->executor->failure);
}

void cohort_skip_begin_step(cohort_strategy *s)
{
    cohort_variable_begin_step(s);
    if (s->workers != NULL)
        cohort_workers_begin_step(s->workers);
}

static cohort_status skip_with_all(cohort_strategy *s)
{
    char why[COHORT_ERROR_BYTES];
    cohort_failure_tell_stop(&s->executor->failure, why);
    (void)cohort_error_set(COHORT_EINVAL, "%s", why);
    cohort_status status = cohort_workers_skip(s->workers);
    if (status < 0)
        cohort_failure_restate(&s->executor->failure, status);
    return status;
}

cohort_status cohort_skip_step(cohort_strategy *s)
{
    cohort_status status = s->workers != NULL ? skip_with_all(s) : COHORT_OK;
    if (status < 0)
        return status;
    cohort_failure_tell_stop(&s->executor->failure, s->skipped.why);
    cohort_loss_settle(s);
    s->is_step_open = false;
    s->skipped.count++;
    cohort_log(COHORT_SUBSYSTEM_VALUE, COHORT_LOG_WARNING, "a step is skipped, %lld until now: %s",
               (long long)s->skipped.count, s->skipped.why);
    return COHORT_OK;
}

int64_t cohort_strategy_skipped(const cohort_strategy *strategy, const char **out_why)
{
    const bool is_there = cohort_handle_is(strategy, COHORT_HANDLE_STRATEGY);
    if (out_why != NULL)
        *out_why = is_there ? strategy->skipped.why : "";
    return is_there ? strategy->skipped.count : 0;
}
