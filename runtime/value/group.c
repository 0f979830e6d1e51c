/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting: for a value, for several at once, and for all that a strategy was given. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/scope.h"
#include "runtime/value/value.h"

#include <cohort/run.h>

#include <string.h>

struct cohort_group {
    char *label; /* or NULL */
    /* [2 * lanes of the executor]: last operations that write what it stands for */
    uint64_t written[];
};

void cohort_group_free(struct cohort_group *group)
{
    if (group != NULL)
        cohort_free(group->label);
    cohort_free(group);
}

/* ------------------------------------------------------------------ what to wait for */

/* Only fences are noted: the values of a group may be destroyed before it is waited for. */
static void add_content(const cohort_content *content, uint64_t set[])
{
    for (int32_t i = 0; i < content->places.n; i++) {
        const cohort_buffer *buffer = content->places.list[i].buffer;
        if (buffer != NULL)
            cohort_buffer_add_writers(buffer, buffer->executor, set);
    }
}

/* Add the last writers of a value to a set of fences. */
static void add_value(const cohort_value *value, uint64_t set[])
{
    const cohort_strategy *s = value->strategy;
    for (int32_t r = 0; value->kind == COHORT_PER_REPLICA_VALUE && r < s->n_replicas; r++)
        add_content(&value->components[r], set);
    if (value->kind == COHORT_PLAIN_VALUE || value->kind == COHORT_MIRRORED_VALUE)
        add_content(&value->plain, set);
    if (value->group != NULL)
        cohort_fences_join(set, value->group->written, cohort_executor_rings(s->executor));
}

/* ------------------------------------------------------------------ waiting */

static cohort_status explain(const cohort_value *value, cohort_status status)
{
    if (status >= 0 || value->group == NULL || value->group->label == NULL)
        return status;
    return cohort_error_prefix(status, "group '%s'", value->group->label);
}

/* A negative time is without an end, and so is one whose end the clock cannot express. */
static int64_t end_of(int64_t timeout_ns)
{
    int64_t now = cohort_clock_ns();
    return timeout_ns >= 0 && timeout_ns < INT64_MAX - now ? now + timeout_ns : INT64_MAX;
}

/* False: not until then. */
static bool wait_value(const cohort_value *value, int64_t end_ns)
{
    cohort_executor *executor = value->strategy->executor;
    cohort_fences_clear(executor->gathered, cohort_executor_rings(executor));
    add_value(value, executor->gathered);
    return cohort_executor_wait_fences(executor, executor->gathered, end_ns);
}

static cohort_status refuse_late(int64_t timeout_ns)
{
    return cohort_error_set(COHORT_ETIMEDOUT, "cohort_value_wait: not done within %.6g s",
                            (double)timeout_ns / 1e9);
}

cohort_status cohort_value_wait(cohort_value *value, int64_t timeout_ns)
{
    cohort_status status =
        cohort_call_about(value, COHORT_HANDLE_VALUE, "cohort_value_wait", "the value", NULL);
    if (status < 0)
        return status;
    status = cohort_call_enter_within(value->strategy, "cohort_value_wait");
    if (status < 0)
        return explain(value, status);
    const int64_t end_ns = end_of(timeout_ns);
    bool is_over;
    do {
        is_over = wait_value(value, end_ns);
        status = is_over ? cohort_failure_tell(&value->strategy->executor->failure) : COHORT_OK;
    } while (cohort_call_may_repeat(value->strategy, status));
    (void)cohort_call_leave(value->strategy, status);
    return is_over ? explain(value, status) : refuse_late(timeout_ns);
}

/* ------------------------------------------------------------------ groups */

static cohort_status check_members(const cohort_strategy *s, cohort_value *const values[], int n)
{
    if (n < 0 || (n > 0 && values == NULL))
        return cohort_error_set(COHORT_EINVAL, "cohort_group: %d values%s", n,
                                values == NULL ? ", list NULL" : "");
    for (int i = 0; i < n; i++) {
        cohort_status status =
            cohort_handle_check(values[i], COHORT_HANDLE_VALUE, "cohort_group", "a value");
        if (status < 0)
            return status;
        if (values[i]->strategy != s)
            return cohort_error_set(COHORT_EINVAL,
                                    "cohort_group: value %d belongs to another strategy", i);
    }
    return COHORT_OK;
}

/* Zeroed memory is an empty set of fences. */
static struct cohort_group *make_group(cohort_strategy *s, const char *label,
                                       cohort_value *const values[], int n)
{
    size_t rings = (size_t)cohort_executor_rings(s->executor);
    struct cohort_group *group = cohort_allocate(1, sizeof *group + rings * sizeof *group->written);
    if (group != NULL && label != NULL && (group->label = cohort_string_copy(label)) == NULL) {
        cohort_free(group);
        group = NULL;
    }
    if (group == NULL) {
        (void)cohort_error_memory("a group");
        return NULL;
    }
    for (int i = 0; i < n; i++)
        add_value(values[i], group->written);
    return group;
}

static cohort_value *make_value(cohort_strategy *s, const char *label, cohort_value *const values[],
                                int n)
{
    struct cohort_group *group = make_group(s, label, values, n);
    cohort_value *value = group != NULL ? cohort_value_allocate(s) : NULL;
    if (value != NULL)
        value->group = group;
    else
        cohort_group_free(group);
    return value;
}

cohort_value *cohort_group(cohort_strategy *strategy, const char *label,
                           cohort_value *const values[], int n)
{
    cohort_value *value = NULL;
    if (cohort_call_enter(strategy, "cohort_group") < 0)
        return cohort_handle_made(COHORT_HANDLE_VALUE, NULL);
    cohort_status status = check_members(strategy, values, n);
    if (status >= 0) {
        value = make_value(strategy, label, values, n);
        status = value != NULL ? COHORT_OK : COHORT_ENOMEM;
    }
    (void)cohort_call_leave(strategy, status);
    return cohort_handle_made(COHORT_HANDLE_VALUE, value);
}

/* ------------------------------------------------------------------ everything */

/* Before it is entered: replicas of another strategy that wait for this one at once are all told of
 * the mixing. What is no strategy is refused when it is entered. */
static cohort_status check_scope(cohort_strategy *s, const char *call)
{
    bool is_asked = cohort_handle_is(s, COHORT_HANDLE_STRATEGY) &&
                    !cohort_failure_is_set(&s->executor->failure);
    cohort_status status = is_asked ? cohort_scope_check(s, call) : COHORT_OK;
    return status < 0 ? cohort_call_end(s, status) : COHORT_OK;
}

/* Waits while an error is up, too: what was accepted before the error still borrows arrays of the
 * program. */
cohort_status cohort_wait(cohort_strategy *strategy)
{
    static const char call[] = "cohort_wait";
    cohort_status status = check_scope(strategy, call);
    if (status >= 0)
        status = cohort_call_enter_broken(strategy, call);
    if (status < 0)
        return status;
    cohort_ledger_say_quiet(strategy->executor);
    cohort_executor_advance(strategy->executor);
    do
        status = cohort_executor_finish(strategy->executor);
    while (cohort_call_may_repeat(strategy, status));
    return cohort_call_leave(strategy, status);
}
