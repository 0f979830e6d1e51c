/* SPDX-License-Identifier: BSD-3-Clause */
/* What a chief does with its coordinator. */
#include "config.h"

#include "runtime/coordinator/coordinator.h"
#include "runtime/coordinator/functions.h"
#include "runtime/coordinator/role.h"
#include "runtime/strategy/call.h"

static const char *const what = "the coordinator";

/* Whether it is there, and its strategy lets the call in. */
static cohort_status enter(cohort_coordinator *c, const char *call)
{
    cohort_status status = cohort_call_about(c, COHORT_HANDLE_COORDINATOR, call, what, NULL);
    if (status >= 0)
        status = cohort_call_enter(c->strategy, call);
    if (status < 0)
        return status;
    status = cohort_role_check_engine(c->servers, call);
    return status < 0 ? cohort_call_leave(c->strategy, status) : COHORT_OK;
}

/* ------------------------------------------------------------------ scheduling */

static bool has_room(const void *user)
{
    const cohort_coordinator *c = user;
    return c->queue.n + c->per_worker.n < c->most_queued || c->failed != NULL;
}

static cohort_status check(const char *call, const cohort_worker_function *f, const void *argument)
{
    cohort_status status = cohort_functions_check_one(call, f);
    if (status >= 0 && f->argument_bytes > 0 && argument == NULL)
        status = cohort_error_null(call, "the argument");
    if (status >= 0 && f->argument_bytes == 0 && argument != NULL)
        status = cohort_error_set(COHORT_EINVAL,
                                  "%s: function '%s' takes no argument (argument_bytes), and one "
                                  "is given",
                                  call, f->name);
    return status;
}

/* It has been taken over by the list that it waits in, or the slot says why not. */
static cohort_remote_value *schedule(cohort_coordinator *c, const char *call,
                                     const cohort_worker_function *f, const void *argument,
                                     bool is_per_worker)
{
    cohort_status status = check(call, f, argument);
    if (status >= 0)
        status = cohort_coordinator_tell(c, call);
    if (status >= 0)
        status = cohort_coordinator_wait(c, call, has_room, c);
    if (status >= 0)
        status = cohort_coordinator_tell(c, call);
    if (status < 0)
        return NULL;
    cohort_closure *closure = cohort_closure_create(f, argument, is_per_worker ? c->n_seats : 1);
    cohort_remote_value *r = closure != NULL ? cohort_remote_value_make(c, closure) : NULL;
    if (r != NULL) {
        closure->round = is_per_worker ? ++c->n_rounds : 0;
        cohort_coordinator_add(c, closure);
    }
    cohort_closure_drop(closure);
    if (r != NULL)
        (void)cohort_coordinator_advance(c, call);
    return r;
}

static cohort_remote_value *make(cohort_coordinator *c, const char *call,
                                 const cohort_worker_function *f, const void *argument,
                                 bool is_per_worker)
{
    if (enter(c, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_REMOTE_VALUE, NULL);
    cohort_remote_value *r = schedule(c, call, f, argument, is_per_worker);
    (void)cohort_call_leave(c->strategy, r != NULL ? COHORT_OK : cohort_error_status());
    return cohort_handle_made(COHORT_HANDLE_REMOTE_VALUE, r);
}

cohort_remote_value *cohort_coordinator_schedule(cohort_coordinator *c,
                                                 const cohort_worker_function *function,
                                                 const void *argument)
{
    return make(c, "cohort_coordinator_schedule", function, argument, false);
}

cohort_remote_value *cohort_coordinator_schedule_per_worker(cohort_coordinator *c,
                                                            const cohort_worker_function *function,
                                                            const void *argument)
{
    return make(c, "cohort_coordinator_schedule_per_worker", function, argument, true);
}

/* ------------------------------------------------------------------ whether all are over */

static bool is_idle(const void *user)
{
    const cohort_coordinator *c = user;
    return c->queue.n == 0 && c->per_worker.n == 0 && cohort_coordinator_count_busy(c) == 0;
}

static cohort_status join(cohort_coordinator *c, const char *call)
{
    cohort_status status = cohort_coordinator_wait(c, call, is_idle, c);
    return status < 0 ? status : cohort_coordinator_tell(c, call);
}

cohort_status cohort_coordinator_join(cohort_coordinator *c)
{
    static const char call[] = "cohort_coordinator_join";
    cohort_status status = enter(c, call);
    return status < 0 ? status : cohort_call_leave(c->strategy, join(c, call));
}

static int look(cohort_coordinator *c, const char *call)
{
    cohort_status status = cohort_coordinator_advance(c, call);
    if (status >= 0 && is_idle(c))
        status = cohort_coordinator_tell(c, call);
    return status < 0 ? status : is_idle(c);
}

int cohort_coordinator_done(cohort_coordinator *c)
{
    static const char call[] = "cohort_coordinator_done";
    cohort_status status = enter(c, call);
    if (status < 0)
        return status;
    int answer = look(c, call);
    (void)cohort_call_leave(c->strategy, answer < 0 ? answer : COHORT_OK);
    return answer;
}
