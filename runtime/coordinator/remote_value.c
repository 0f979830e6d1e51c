/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are to come, as programs hold them. */
#include "config.h"

#include "runtime/coordinator/coordinator.h"

#include "runtime/base/memory.h"
#include "runtime/coordinator/role.h"
#include "runtime/strategy/call.h"

#include <string.h>

static const char *const what = "the remote value";

/* ------------------------------------------------------------------ making and freeing */

static void destroy(cohort_dependent *dependent)
{
    cohort_remote_value *r = (cohort_remote_value *)dependent;
    const cohort_strategy *s = r->coordinator->strategy;
    *r->link = r->next;
    if (r->next != NULL)
        r->next->link = r->link;
    cohort_closure_drop(r->closure);
    cohort_strategy_disown(dependent);
    cohort_handle_free(&dependent->handle, sizeof *r, &s->handle);
}

cohort_remote_value *cohort_remote_value_make(cohort_coordinator *c, cohort_closure *closure)
{
    cohort_remote_value *r = cohort_allocate(1, sizeof *r);
    if (r == NULL) {
        (void)cohort_error_memory("a remote value");
        return NULL;
    }
    *r = (cohort_remote_value){ .dependent = { .destroy = destroy },
                                .coordinator = c,
                                .next = c->remotes,
                                .link = &c->remotes,
                                .closure = cohort_closure_hold(closure) };
    cohort_handle_begin(&r->dependent.handle, COHORT_HANDLE_REMOTE_VALUE);
    if (r->next != NULL)
        r->next->link = &r->next;
    c->remotes = r;
    cohort_strategy_adopt(c->strategy, &r->dependent);
    return r;
}

void cohort_remote_value_destroy(cohort_remote_value *r)
{
    static const char call[] = "cohort_remote_value_destroy";
    if (r == NULL || !cohort_call_may_destroy(r, COHORT_HANDLE_REMOTE_VALUE, call, what))
        return;
    cohort_strategy *s = r->coordinator->strategy;
    if (cohort_call_enter_broken(s, call) < 0)
        return;
    destroy(&r->dependent);
    (void)cohort_call_leave(s, COHORT_OK);
}

/* ------------------------------------------------------------------ what is there */

static bool is_there(const void *user)
{
    const cohort_remote_value *r = user;
    return cohort_closure_is_over(r->closure);
}

static cohort_status check(const char *call, const cohort_closure *c, const void *into,
                           size_t bytes)
{
    size_t has = (size_t)c->n_results * c->result_bytes;
    if (bytes != has)
        return cohort_error_set(COHORT_EINVAL, "%s: %zu bytes, and closure %llu (%s) has %zu%s",
                                call, bytes, (unsigned long long)c->number, c->name, has,
                                c->round > 0 ? ", those of each worker one behind the other" : "");
    return bytes > 0 && into == NULL ? cohort_error_null(call, "the memory for a result")
                                     : COHORT_OK;
}

/* One that failed, or was cancelled, is told with the error that is to be told, once. */
static cohort_status fetch(cohort_remote_value *r, const char *call, void *into, size_t bytes)
{
    const cohort_closure *c = r->closure;
    cohort_status status = check(call, c, into, bytes);
    if (status >= 0)
        status = cohort_role_check_engine(r->coordinator->servers, call);
    if (status >= 0 && !cohort_closure_is_over(c))
        status = cohort_coordinator_wait(r->coordinator, call, is_there, r);
    if (status >= 0 && c->status < 0)
        status = cohort_coordinator_tell(r->coordinator, call);
    if (status >= 0)
        status = cohort_closure_tell(c, call);
    if (status >= 0 && bytes > 0)
        memcpy(into, c->results, bytes);
    return status;
}

cohort_status cohort_remote_value_fetch(cohort_remote_value *r, void *into, size_t bytes)
{
    static const char call[] = "cohort_remote_value_fetch";
    cohort_status status = cohort_call_about(r, COHORT_HANDLE_REMOTE_VALUE, call, what, NULL);
    if (status >= 0)
        status = cohort_call_enter(r->coordinator->strategy, call);
    return status < 0 ? status
                      : cohort_call_leave(r->coordinator->strategy, fetch(r, call, into, bytes));
}

cohort_status cohort_remote_value_status(const cohort_remote_value *r)
{
    static const char call[] = "cohort_remote_value_status";
    cohort_status status = cohort_handle_check(r, COHORT_HANDLE_REMOTE_VALUE, call, what);
    return status < 0 ? status : cohort_closure_tell(r->closure, call);
}
