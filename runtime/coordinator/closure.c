/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/coordinator/closure.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ making and freeing */

static void free_closure(cohort_closure *c)
{
    cohort_closure_drop(c->cause);
    cohort_free(c->argument);
    cohort_free(c->results);
    cohort_free(c->why);
    cohort_free(c);
}

cohort_closure *cohort_closure_create(const cohort_worker_function *f, const void *argument,
                                      int32_t n_results)
{
    cohort_closure *c = cohort_allocate(1, sizeof *c);
    if (c == NULL) {
        (void)cohort_error_memory("a closure");
        return NULL;
    }
    *c = (cohort_closure){ .n_holders = 1,
                           .argument_bytes = f->argument_bytes,
                           .result_bytes = f->result_bytes,
                           .n_results = n_results,
                           .argument = cohort_allocate(f->argument_bytes, 1),
                           .results = cohort_allocate((size_t)n_results, f->result_bytes),
                           .status = COHORT_EAGAIN };
    if (c->argument == NULL || c->results == NULL) {
        free_closure(c);
        (void)cohort_error_memory("a closure");
        return NULL;
    }
    (void)snprintf(c->name, sizeof c->name, "%s", f->name);
    if (f->argument_bytes > 0)
        memcpy(c->argument, argument, f->argument_bytes);
    return c;
}

cohort_closure *cohort_closure_hold(cohort_closure *c)
{
    c->n_holders++;
    return c;
}

/* A cause has none of its own, so that this goes no deeper. */
void cohort_closure_drop(cohort_closure *c)
{
    if (c != NULL && --c->n_holders == 0)
        free_closure(c);
}

/* ------------------------------------------------------------------ what comes of it */

void cohort_closure_fail(cohort_closure *c, cohort_status status)
{
    c->status = status;
    c->why = cohort_string_copy(cohort_error_slot());
}

/* With the status of the cause, so that a program asks for one. */
void cohort_closure_cancel(cohort_closure *c, cohort_closure *cause)
{
    if (cause == NULL) {
        cohort_closure_fail(c, COHORT_ELOST);
        return;
    }
    c->status = cause->status;
    c->cause = cohort_closure_hold(cause);
}

static const char *why_of(const cohort_closure *c)
{
    return c->why != NULL ? c->why : cohort_status_text(c->status);
}

cohort_status cohort_closure_tell(const cohort_closure *c, const char *call)
{
    if (c->status >= 0)
        return c->status;
    if (c->status == COHORT_EAGAIN)
        return cohort_error_set(COHORT_EAGAIN, "%s: closure %llu (%s) is to come", call,
                                (unsigned long long)c->number, c->name);
    if (c->cause != NULL)
        return cohort_error_set(c->status, "%s: closure %llu (%s) was cancelled, because of %s",
                                call, (unsigned long long)c->number, c->name, why_of(c->cause));
    return cohort_error_set(c->status, "%s: %s", call, why_of(c));
}
