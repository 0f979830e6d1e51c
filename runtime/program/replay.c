/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaying: the recorded calls are made, step after step, by who holds the strategy. */
#include "config.h"

#include "runtime/program/program.h"

#include "runtime/base/array.h"
#include "runtime/base/assert.h"
#include "runtime/call/binder.h"
#include "runtime/input/input.h"
#include "runtime/operation/ledger.h"
#include "runtime/reduce/communication.h"
#include "runtime/repeat/shadow.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"

const char cohort_program_run_name[] = "cohort_program_run";

/* ------------------------------------------------------------------ checks */

static cohort_status check_component(const cohort_spec *has, const cohort_spec *wants, int32_t k)
{
    bool is_good = has->dtype == wants->dtype && has->rank == wants->rank;
    for (int32_t i = 0; i < wants->rank && is_good; i++)
        is_good = wants->shape[i] == -1 || has->shape[i] == wants->shape[i];
    if (is_good)
        return COHORT_OK;
    char input[128], program[128];
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: component %d of the input is %s, and the program was recorded for %s (-1: any extent)",
        cohort_program_run_name, k,
        cohort_shape_to_string(has->dtype, has->rank, has->shape, input),
        cohort_shape_to_string(wants->dtype, wants->rank, wants->shape, program));
}

static cohort_status check_components(const cohort_program *p, const cohort_input *input)
{
    int n = cohort_input_element_spec(input, p->offered, p->n_components);
    if (n != p->n_components)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the input has %d components, and the program was recorded for "
                                "a batch of %d",
                                cohort_program_run_name, n, p->n_components);
    cohort_status status = COHORT_OK;
    for (int32_t k = 0; k < n && status >= 0; k++)
        status = check_component(&p->offered[k], &p->specs[k], k);
    return status;
}

static cohort_status check_input(const cohort_program *p, const cohort_input *input)
{
    if (p->n_components == 0)
        return input == NULL ? COHORT_OK
                             : cohort_error_set(COHORT_EINVAL,
                                                "%s: the program was recorded without a batch, and "
                                                "takes no input: NULL",
                                                cohort_program_run_name);
    cohort_status status =
        cohort_handle_check(input, COHORT_HANDLE_INPUT, cohort_program_run_name, "the input");
    if (status < 0)
        return status;
    cohort_assert(input != NULL);
    status = input->strategy == p->strategy
                 ? check_components(p, input)
                 : cohort_error_set(COHORT_EINVAL, "%s: the input belongs to another strategy",
                                    cohort_program_run_name);
    return status < 0 ? status
                      : cohort_input_check_values(input, p->batch, cohort_program_run_name);
}

/* Nobody can destroy them any more until the strategy is left. */
static cohort_status check_objects(const cohort_program *p)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < p->n_used && status >= 0; i++)
        status = cohort_used_object_check(&p->used[i]);
    return status < 0 ? cohort_error_prefix(status, "%s", cohort_program_run_name) : status;
}

static cohort_status check(const cohort_program *p, const cohort_input *input, int64_t steps)
{
    if (steps < 0)
        return cohort_error_number(steps, "%s: %lld steps", cohort_program_run_name,
                                   (long long)steps);
    cohort_status status = check_objects(p);
    return status < 0 ? status : check_input(p, input);
}

/* ------------------------------------------------------------------ calls */

/* Of several calls that are made together it may not be known which one failed. */
static cohort_status name_calls(const cohort_program *p, const size_t calls[], size_t n,
                                size_t failed, cohort_status status)
{
    return failed < n ? cohort_program_name_calls(p, calls[failed], calls[failed], status)
                      : cohort_program_name_calls(p, calls[0], calls[n - 1], status);
}

/* What an operation has failed for in the meantime, of which a call that waits hears, is the error
 * of the strategy already, in words that have the step. */
static cohort_status tell(const cohort_program *p, const size_t calls[], size_t n, size_t failed,
                          cohort_status status)
{
    cohort_status told = cohort_failure_tell(&p->strategy->executor->failure);
    return told < 0 ? told : name_calls(p, calls, n, failed, status);
}

static cohort_status run_calls(cohort_program *p, const size_t calls[], size_t n,
                               size_t *out_failed)
{
    const cohort_recorded_call *c = &p->calls[calls[0]];
    *out_failed = 0;
    if (n == 1)
        return c->recordable->run(p->strategy, c->request);
    for (size_t i = 0; i < n; i++)
        p->deferral.requests[i] = p->calls[calls[i]].request;
    return c->recordable->deferrable->run(p->strategy, p->deferral.requests, n, out_failed);
}

/* One call, or several together. An error that is up, also of an operation of an earlier step, ends
 * the replay. */
static cohort_status make_calls(cohort_program *p, const size_t calls[], size_t n)
{
    cohort_executor *executor = p->strategy->executor;
    cohort_recorded_call *c = &p->calls[calls[0]];
    size_t failed = 0;
    cohort_status status = cohort_failure_tell(&executor->failure);
    if (status < 0)
        return status;
    if (p->strategy->servers != NULL)
        status = cohort_servers_stay(p->strategy->servers, c->name);
    if (status < 0)
        return cohort_program_name_calls(p, calls[0], calls[0], status);
    uint64_t before = executor->plan.moved;
    executor->failure.call++;
    cohort_ledger_count_change(executor);
    status = run_calls(p, calls, n, &failed);
    if (status < 0)
        return tell(p, calls, n, failed, status);
    c->moved = executor->plan.moved - before;
    cohort_repeat_end_call(&p->repeat);
    cohort_executor_advance(executor);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ calls that wait */

static void clear(cohort_deferral *d)
{
    d->n = 0;
    d->bytes = 0;
    d->due = SIZE_MAX;
}

static cohort_status make_deferred(cohort_program *p)
{
    size_t n = p->deferral.n;
    clear(&p->deferral);
    return n > 0 ? make_calls(p, p->deferral.calls, n) : COHORT_OK;
}

/* Those that wait are made once they are large, and when more come: what these wait for is with the
 * devices by then, which compute while the others cross. */
static cohort_status defer(cohort_program *p, size_t i)
{
    cohort_deferral *d = &p->deferral;
    const cohort_recorded_call *c = &p->calls[i];
    cohort_status status = COHORT_OK;
    if (d->n > 0 && (d->bytes + c->bytes > cohort_pack_bytes(p->strategy) ||
                     p->calls[d->calls[0]].recordable->deferrable != c->recordable->deferrable))
        status = make_deferred(p);
    if (status < 0)
        return status;
    d->calls[d->n++] = i;
    d->bytes += c->bytes;
    d->due = c->due < d->due ? c->due : d->due;
    return COHORT_OK;
}

static cohort_status make_call(cohort_program *p, size_t i)
{
    cohort_status status = p->deferral.due <= i ? make_deferred(p) : COHORT_OK;
    if (status < 0)
        return status;
    return cohort_program_defers(p, &p->calls[i]) ? defer(p, i) : make_calls(p, &i, 1);
}

/* ------------------------------------------------------------------ all of them */

static cohort_status make_range(cohort_program *p, size_t from, size_t to);

static cohort_status make_times(cohort_program *p, cohort_program_block *b)
{
    cohort_status status = COHORT_OK;
    for (b->time = 1; b->time <= b->times && status >= 0; b->time++)
        status = make_range(p, b->begin + 1, b->end);
    return status;
}

static cohort_status make_one_way(cohort_program *p, const cohort_program_block *b)
{
    cohort_status status = make_calls(p, &b->begin, 1);
    if (status < 0)
        return status;
    return b->is_true ? make_range(p, b->begin + 1, b->otherwise)
                      : make_range(p, b->otherwise, b->end);
}

static cohort_status make_block(cohort_program *p, cohort_program_block *b)
{
    cohort_status status = make_deferred(p);
    if (status < 0)
        return status;
    return b->is_condition ? make_one_way(p, b) : make_times(p, b);
}

/* Nothing waits beyond its block, nor for another time of it. */
static cohort_status make_range(cohort_program *p, size_t from, size_t to)
{
    cohort_status status = COHORT_OK;
    for (size_t i = from; i < to && status >= 0; i = cohort_program_behind(p, i)) {
        cohort_program_block *b = p->calls[i].block;
        status = b != NULL ? make_block(p, b) : make_call(p, i);
    }
    return status < 0 ? status : make_deferred(p);
}

/* Of a step that failed nothing waits. */
static cohort_status make_all(cohort_program *p)
{
    clear(&p->deferral);
    return make_range(p, 0, p->n_calls);
}

static cohort_status plan_all(cohort_program *p)
{
    cohort_repeat_begin(&p->repeat);
    cohort_status status = make_all(p);
    cohort_repeat_end(&p->repeat, status);
    return status;
}

/* ------------------------------------------------------------------ one step */

static cohort_status read_batch(const cohort_program *p, cohort_input *input)
{
    cohort_failure *failure = &p->strategy->executor->failure;
    if (input == NULL)
        return COHORT_OK;
    failure->call++;
    cohort_status status = cohort_input_step(input, p->batch);
    return status < 0 ? cohort_failure_name_step(status, failure->step) : status;
}

#ifdef COHORT_ASSERTIONS
static cohort_status plan_watched(cohort_program *p, bool is_last)
{
    cohort_step_shadow_begin(&p->repeat);
    cohort_status status = make_all(p);
    return cohort_step_shadow_end(&p->repeat, status, is_last);
}
#endif

static cohort_status repeat_all(cohort_program *p, bool is_last)
{
#ifdef COHORT_ASSERTIONS
    if (cohort_step_shadow_is_due(&p->repeat))
        return plan_watched(p, is_last);
#endif
    return cohort_repeat_step(&p->repeat, is_last);
}

/* COHORT_END: there are no rows left, and nothing was done. */
static cohort_status make_step(cohort_program *p, cohort_input *input, bool is_last)
{
    cohort_status status = read_batch(p, input);
    if (status == COHORT_OK && !p->is_tried)
        status = cohort_program_try(p);
    if (status != COHORT_OK)
        return status;
    return cohort_repeat_may(&p->repeat) ? repeat_all(p, is_last) : plan_all(p);
}

/* ------------------------------------------------------------------ many */

static cohort_status run(cohort_program *p, cohort_input *input, int64_t steps)
{
    cohort_failure *failure = &p->strategy->executor->failure;
    cohort_status status = check(p, input, steps);
    int64_t todo = steps > 0 ? steps : p->strategy->steps_per_run;
    for (; todo > 0 && status == COHORT_OK; todo--) {
        failure->step = (uint64_t)p->steps + 1;
        status = make_step(p, input, todo == 1);
        p->steps += status == COHORT_OK;
    }
    cohort_repeat_settle(&p->repeat);
    failure->step = 0;
    if (input != NULL)
        cohort_batches_settle(cohort_binder_of(p->strategy));
    return status;
}

/* What its calls were given was compared when they were recorded; how often they write is known
 * now. */
static void agree(const cohort_program *p, int64_t steps)
{
    char what[64];
    bool agrees = false;
    for (size_t i = 0; i < p->n_calls; i++)
        agrees = agrees || p->calls[i].recordable->agree != NULL;
    if (!agrees || steps == 0)
        return;
    (void)snprintf(what, sizeof what, "%s of %lld steps", cohort_program_run_name,
                   (long long)steps);
    cohort_agreement_note(p->strategy, 0, what, NULL, NULL);
}

cohort_status cohort_program_run(cohort_program *program, cohort_input *input, int64_t steps)
{
    cohort_strategy *other = cohort_handle_is(input, COHORT_HANDLE_INPUT) ? input->strategy : NULL;
    cohort_status status = cohort_call_about(program, COHORT_HANDLE_PROGRAM,
                                             cohort_program_run_name, "the program", other);
    if (status < 0)
        return status;
    status = cohort_call_enter(program->strategy, cohort_program_run_name);
    if (status < 0)
        return status;
    cohort_ledger_say_quiet(program->strategy->executor);
    const int64_t before = program->steps;
    status = run(program, input, steps);
    if (status >= 0 && program->strategy->workers != NULL)
        agree(program, program->steps - before);
    return cohort_call_advance(program->strategy, status);
}
