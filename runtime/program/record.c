/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording: the calls of a step function become data, and nothing is done. */
#include "config.h"

#include "runtime/program/program.h"

#include "runtime/base/callback.h"
#include "runtime/base/memory.h"

typedef struct recording {
    cohort_recorder recorder; /* first */
    cohort_program *program;
    size_t settled; /* calls that no later one can be the first to end the waiting of */
    size_t refused; /* the number of the first call that was refused, from 1 on; 0: none */
} recording;

cohort_program *cohort_program_of(cohort_recorder *recorder)
{
    return ((recording *)recorder)->program;
}

/* ------------------------------------------------------------------ until when calls may wait */

static void end_waiting(cohort_program *p, size_t call, size_t due)
{
    if (p->calls[call].due == SIZE_MAX)
        p->calls[call].due = due;
}

/* The call that was recorded last uses objects that earlier ones use: the latest of these, for
 * those before it have waited for that one. */
static void end_users(recording *r, size_t last)
{
    for (size_t i = 0; i < r->recorder.n_used; i++) {
        const cohort_used_object *used = &r->recorder.used[i];
        if (used->last == last + 1 && used->before > 0)
            end_waiting(r->program, used->before - 1, last);
    }
}

static void note_due(recording *r)
{
    cohort_program *p = r->program;
    size_t last = p->n_calls - 1;
    end_users(r, last);
    if (p->calls[last].recordable->fills)
        return;
    for (; r->settled < last; r->settled++)
        end_waiting(p, r->settled, last);
}

static cohort_status make_deferral(cohort_program *p)
{
    p->deferral.calls = cohort_allocate(p->n_calls + 1, sizeof *p->deferral.calls);
    p->deferral.requests = cohort_allocate(p->n_calls + 1, sizeof(void *));
    return p->deferral.calls != NULL && p->deferral.requests != NULL
               ? COHORT_OK
               : cohort_error_memory("a program");
}

/* ------------------------------------------------------------------ recording */

/* The request is copied as it is, then `keep` replaces what it borrows. */
static cohort_status add(cohort_recorder *recorder, const char *call,
                         const cohort_recordable *recordable, const void *request)
{
    cohort_program *p = cohort_program_of(recorder);
    if (!cohort_grow((void **)&p->calls, &p->calls_capacity, p->n_calls + 1, sizeof *p->calls))
        return cohort_error_memory("a program");
    recorder->number = p->n_calls + 1;
    void *kept = cohort_recorder_copy(recorder, request, 1, recordable->bytes);
    cohort_status status = kept != NULL ? recordable->keep(recorder, call, kept) : COHORT_ENOMEM;
    if (status < 0)
        return status;
    p->calls[p->n_calls++] = (cohort_recorded_call){
        .name = call, .recordable = recordable, .request = kept, .due = SIZE_MAX, .inside = p->open
    };
    note_due((recording *)recorder);
    return COHORT_OK;
}

static cohort_status use_batch(cohort_recorder *recorder, const cohort_program *p)
{
    cohort_status status = COHORT_OK;
    for (int32_t k = 0; k < p->n_components && status >= 0; k++)
        status = cohort_recorder_use(recorder, p->batch[k], COHORT_HANDLE_VALUE,
                                     "cohort_program_run", "a value of the batch");
    return status;
}

/* A call that is refused has no number of its own; later ones may be recorded. */
static void note_refused(void *owner, cohort_status status)
{
    recording *r = owner;
    (void)status;
    r->refused = r->program->n_calls + 1;
}

/* A call that fails in the step function is the recording's failure, whatever the function
 * returns. */
static cohort_status call_step(recording *r, cohort_record_fn fn, void *user)
{
    const cohort_program *p = r->program;
    cohort_callback callback;
    cohort_callback_begin(&callback, note_refused, r);
    return cohort_callback_end(&callback, fn(p->strategy, p->batch, user));
}

/* A step that consists of blocks alone does nothing. */
static bool has_calls(const cohort_program *p)
{
    bool has = false;
    for (size_t i = 0; i < p->n_calls; i++)
        has = has || p->calls[i].block == NULL;
    return has;
}

/* The host does not know before a step comes to a condition what it posts behind it. */
static void keep_from_repeating(cohort_program *p)
{
    size_t i = 0;
    while (i < p->n_calls && (p->calls[i].block == NULL || !p->calls[i].block->is_condition))
        i++;
    if (i == p->n_calls)
        return;
    p->repeat.never = "a condition is asked anew each time";
    p->repeat.never_call = i + 1;
}

/* What went wrong in a step that was traced is the error of the strategy already. */
static cohort_status name_call(const recording *r, cohort_status status)
{
    const cohort_program *p = r->program;
    cohort_status told = cohort_failure_tell(&p->strategy->executor->failure);
    return told < 0 ? told
                    : cohort_error_prefix(status, "cohort_program_record, call %zu",
                                          r->refused > 0 ? r->refused : p->n_calls + 1);
}

cohort_status cohort_program_record_calls(cohort_program *p, cohort_record_fn fn, void *user)
{
    recording r = { { .strategy = p->strategy, .arena = &p->arena, .add = add }, p, 0, 0 };
    cohort_status status = use_batch(&r.recorder, p);
    if (status >= 0) {
        cohort_recorder_begin(&r.recorder);
        status = call_step(&r, fn, user);
        cohort_recorder_end(&r.recorder);
    }
    p->used = r.recorder.used;
    p->n_used = r.recorder.n_used;
    if (status < 0)
        return name_call(&r, status);
    status = cohort_program_block_check_closed(p->open);
    if (status < 0)
        return status;
    keep_from_repeating(p);
    return has_calls(p)
               ? make_deferral(p)
               : cohort_error_set(COHORT_EINVAL,
                                  "cohort_program_record: the step function made no call of the "
                                  "strategy that can be recorded");
}
