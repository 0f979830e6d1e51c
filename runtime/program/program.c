/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/program/program.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/dataset.h"
#include "runtime/strategy/call.h"
#include "runtime/value/value.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ making and freeing */

static void leave_objects(cohort_program *p)
{
    for (size_t i = 0; i < p->n_used; i++)
        cohort_used_object_leave(&p->used[i]);
}

static void leave_calls(cohort_program *p)
{
    for (size_t i = 0; i < p->n_calls; i++)
        if (p->calls[i].recordable->leave != NULL)
            p->calls[i].recordable->leave(p->strategy, p->calls[i].request);
}

/* The values of the batch are the first objects that are used (record.c), and destroyed for who
 * still holds them; but the program of the user may have destroyed them before. */
static void free_batch(cohort_program *p)
{
    for (int32_t k = 0; k < p->n_components; k++)
        if ((size_t)k >= p->n_used || !p->used[k].is_gone)
            p->batch[k]->dependent.destroy(&p->batch[k]->dependent);
}

static void free_parts(cohort_program *p)
{
    leave_calls(p);
    leave_objects(p);
    free_batch(p);
    cohort_free(p->calls);
    cohort_free(p->deferral.calls);
    cohort_free(p->deferral.requests);
    cohort_free(p->used);
    cohort_free(p->batch);
    cohort_free(p->specs);
    cohort_free(p->offered);
    cohort_repeat_free(&p->repeat);
    free(p->description); /* by open_memstream */
    cohort_arena_free(&p->arena);
}

static void destroy_program(cohort_dependent *dependent)
{
    cohort_program *p = (cohort_program *)dependent;
    cohort_strategy_disown(dependent);
    free_parts(p);
    cohort_handle_free(&dependent->handle, sizeof *p, &p->strategy->handle);
}

static void forget_object(cohort_dependent *dependent, const cohort_dependent *destroyed)
{
    cohort_program *p = (cohort_program *)dependent;
    for (size_t i = 0; i < p->n_used; i++)
        p->used[i].is_gone = p->used[i].is_gone || p->used[i].object == destroyed;
}

/* After a failure values may be lost that the calls read. */
static void settle_program(cohort_dependent *dependent)
{
    cohort_program *p = (cohort_program *)dependent;
    p->is_tried = false;
    cohort_repeat_forget(&p->repeat);
}

/* Bodies of other devices are called, and may be missing there; all that calls have kept is of
 * those before. */
static void rehost_program(cohort_dependent *dependent)
{
    leave_calls((cohort_program *)dependent);
    settle_program(dependent);
}

static cohort_status make_batch(cohort_program *p, const cohort_spec specs[], int32_t n)
{
    p->specs = cohort_allocate((size_t)n + 1, sizeof *p->specs);
    p->offered = cohort_allocate((size_t)n + 1, sizeof *p->offered);
    p->batch = cohort_allocate((size_t)n + 1, sizeof(cohort_value *));
    if (p->specs == NULL || p->offered == NULL || p->batch == NULL)
        return cohort_error_memory("a program");
    for (; p->n_components < n; p->n_components++) {
        cohort_value *value = cohort_value_allocate(p->strategy);
        if (value == NULL)
            return COHORT_ENOMEM;
        p->specs[p->n_components] = specs[p->n_components];
        p->batch[p->n_components] = value;
    }
    p->repeat.batch = p->batch;
    p->repeat.n_components = n;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ record */

static cohort_status check(cohort_record_fn fn, const cohort_spec specs[], int n)
{
    if (fn == NULL)
        return cohort_error_null("cohort_program_record", "the step function");
    if (n < 0 || n > COHORT_LIMIT_COMPONENTS || (n > 0 && specs == NULL))
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_program_record: %d components of a batch%s; there are 0 to "
                                "%d",
                                n, n > 0 && specs == NULL ? ", their list is NULL" : "",
                                COHORT_LIMIT_COMPONENTS);
    return n > 0 ? cohort_specs_check(specs, n, "cohort_program_record") : COHORT_OK;
}

static cohort_program *allocate(cohort_strategy *s)
{
    cohort_program *p = cohort_allocate(1, sizeof *p);
    if (p == NULL) {
        (void)cohort_error_memory("a program");
        return NULL;
    }
    p->strategy = p->repeat.strategy = s;
    cohort_handle_begin(&p->dependent.handle, COHORT_HANDLE_PROGRAM);
    p->dependent.destroy = destroy_program;
    p->dependent.settle = settle_program;
    p->dependent.rehost = rehost_program;
    p->dependent.forget = forget_object;
    return p;
}

static cohort_program *record(cohort_strategy *s, cohort_record_fn fn, void *user,
                              const cohort_spec specs[], int n)
{
    cohort_program *p = allocate(s);
    cohort_status status = p != NULL ? make_batch(p, specs, n) : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_program_record_calls(p, fn, user);
    if (p == NULL || status >= 0)
        return p;
    free_parts(p);
    cohort_free(p);
    return NULL;
}

/* The strategy is held while the step function runs: calls of other threads are refused as beside
 * any other call, and those of this thread are let in (strategy/call.c). */
cohort_program *cohort_program_record(cohort_strategy *strategy, cohort_record_fn fn, void *user,
                                      const cohort_spec batch[], int n)
{
    static const char call[] = "cohort_program_record";
    cohort_status status = cohort_call_enter(strategy, call);
    if (status < 0)
        return cohort_handle_made(COHORT_HANDLE_PROGRAM, NULL);
    status = check(fn, batch, n);
    cohort_program *p = status >= 0 ? record(strategy, fn, user, batch, n) : NULL;
    if (p != NULL)
        cohort_strategy_adopt_user(strategy, &p->dependent);
    (void)cohort_call_leave(strategy, p != NULL ? COHORT_OK : cohort_error_status());
    return cohort_handle_made(COHORT_HANDLE_PROGRAM, p);
}

void cohort_program_destroy(cohort_program *program)
{
    static const char call[] = "cohort_program_destroy";
    if (program == NULL ||
        !cohort_call_may_destroy(program, COHORT_HANDLE_PROGRAM, call, "the program") ||
        cohort_call_enter_broken(program->strategy, call) < 0)
        return;
    cohort_strategy *strategy = program->strategy;
    destroy_program(&program->dependent);
    (void)cohort_call_leave(strategy, COHORT_OK);
}

/* ------------------------------------------------------------------ looking */

int64_t cohort_program_steps(const cohort_program *program)
{
    return cohort_handle_is(program, COHORT_HANDLE_PROGRAM) ? program->steps : 0;
}
