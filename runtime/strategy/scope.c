/* SPDX-License-Identifier: BSD-3-Clause */
/* The strategy that is in scope on a thread.
 *
 * Two states per thread: what the program has entered or set there (current, depth, which is 0 for
 * what was set alone), and what the library runs there (now). A step function may run on any
 * thread, a worker's or the program's, so while one runs only `now` counts, and what was entered
 * outside is left alone until it returns. */
#include "config.h"

#include "runtime/strategy/scope.h"

#include "runtime/strategy/call.h"

static _Thread_local cohort_strategy *current;
static _Thread_local int64_t depth;
static _Thread_local bool is_set; /* current stays when its scope is left */
static _Thread_local cohort_inside now;

/* The strategy whose step function, or function of a merge call, runs on this thread. */
static cohort_strategy *inside(void)
{
    return now.step != NULL ? now.step : now.merge;
}

cohort_inside cohort_scope_swap(cohort_inside next)
{
    cohort_inside before = now;
    now = next;
    return before;
}

cohort_strategy *cohort_scope_of_step(void)
{
    return now.step;
}

cohort_strategy *cohort_scope_of_merge(void)
{
    return now.merge;
}

static cohort_strategy *in_scope(void)
{
    return inside() != NULL ? inside() : current;
}

static cohort_status enter(cohort_strategy *strategy)
{
    if (in_scope() != NULL && in_scope() != strategy)
        return cohort_error_set(
            COHORT_EINVAL, "cohort_scope_enter: mixing strategies: another one is in scope on this "
                           "thread; leave that first");
    if (inside() != NULL) {
        now.entered++;
        return COHORT_OK;
    }
    current = strategy;
    depth++;
    return COHORT_OK;
}

cohort_status cohort_scope_enter(cohort_strategy *strategy)
{
    cohort_status status = cohort_call_about(strategy, COHORT_HANDLE_STRATEGY, "cohort_scope_enter",
                                             "the strategy", NULL);
    return status < 0 ? status : cohort_call_end(strategy, enter(strategy));
}

static cohort_status leave(const cohort_strategy *strategy)
{
    int64_t *entered = inside() != NULL ? &now.entered : &depth;
    if (*entered == 0 || in_scope() != strategy)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_scope_exit: the strategy is not in scope on this thread");
    --*entered;
    if (depth == 0 && !is_set)
        current = NULL;
    return COHORT_OK;
}

cohort_status cohort_scope_exit(cohort_strategy *strategy)
{
    if (strategy != NULL && in_scope() == strategy && leave(strategy) >= 0)
        return COHORT_OK; /* also of one that another thread has destroyed */
    cohort_status status = cohort_call_about(strategy, COHORT_HANDLE_STRATEGY, "cohort_scope_exit",
                                             "the strategy", NULL);
    return status < 0 ? status : cohort_call_end(strategy, leave(strategy));
}

static cohort_status set(cohort_strategy *strategy)
{
    if (inside() != NULL || depth > 0)
        return cohort_error_set(
            COHORT_EINVAL, "cohort_scope_set: called %s; set the strategy outside",
            inside() != NULL ? "inside a step function, or the function of a merge call"
                             : "in a scope that was entered on this thread (cohort_scope_enter)");
    current = strategy;
    is_set = strategy != NULL;
    return COHORT_OK;
}

cohort_status cohort_scope_set(cohort_strategy *strategy)
{
    cohort_status status = COHORT_OK;
    if (strategy == NULL) {
        /* which another thread may have destroyed */
        cohort_strategy *before = in_scope();
        status = set(NULL);
        return cohort_call_end(cohort_handle_is(before, COHORT_HANDLE_STRATEGY) ? before : NULL,
                               status);
    }
    status = cohort_call_about(strategy, COHORT_HANDLE_STRATEGY, "cohort_scope_set", "the strategy",
                               NULL);
    return status < 0 ? status : cohort_call_end(strategy, set(strategy));
}

cohort_strategy *cohort_scope_current(void)
{
    return in_scope();
}

void cohort_scope_forget(const cohort_strategy *strategy)
{
    if (current == strategy) {
        current = NULL;
        depth = 0;
        is_set = false;
    }
}

cohort_status cohort_scope_check(const cohort_strategy *strategy, const char *call)
{
    const cohort_strategy *mine = in_scope();
    if (mine == NULL || mine == strategy)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: called for another strategy than the one %s: mixing strategies", call,
        inside() != NULL ? "whose step function runs" : "in scope on this thread");
}
