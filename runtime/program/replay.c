/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaying: the recorded calls are made, step after step, by who holds the strategy. */
#include "config.h"

#include "runtime/program/kept.h"
#include "runtime/program/program.h"

#include "runtime/base/array.h"
#include "runtime/base/assert.h"
#include "runtime/base/thread.h"
#include "runtime/base/trace.h"
#include "runtime/call/binder.h"
#include "runtime/executor/tracks.h"
#include "runtime/input/input.h"
#include "runtime/operation/ledger.h"
#include "runtime/reduce/communication.h"
#include "runtime/repeat/shadow.h"
#include "runtime/strategy/balance.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/loss.h"
#include "runtime/strategy/monitored.h"
#include "runtime/value/agreement.h"
#include "runtime/value/skip.h"
#include "runtime/value/variable.h"

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
    cohort_step_account *account = &p->strategy->executor->account;
    account->planned += status >= 0;
    account->why_planned = cohort_repeat_why_not(&p->repeat, &account->why_call);
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

/* The slice of a step in a trace, at which its operations begin; of one that was planned also
 * why. */
static void trace_step(const cohort_program *p, bool is_planned, int64_t begin_ns)
{
    const cohort_executor *executor = p->strategy->executor;
    if (begin_ns > 0 && cohort_trace_has(executor->lanes[0]->tracks))
        cohort_trace_slice(&(cohort_trace_piece){
            .name = is_planned ? "step, planned" : "step, repeated",
            .why = is_planned ? executor->account.why_planned : NULL,
            .kind = COHORT_TRACE_STEP,
            .replica = -1,
            .begin_ns = begin_ns,
            .end_ns = cohort_clock_ns(),
            .flow = cohort_tracks_flow(executor->lanes[0], 0, executor->failure.step),
            .begins = true });
}

/* COHORT_END: there are no rows left, and nothing was done. */
static cohort_status make_step(cohort_program *p, cohort_input *input, bool is_last)
{
    const int64_t begin_ns = cohort_trace_now();
    cohort_status status = read_batch(p, input);
    cohort_kept_note_batch(p);
    if (status == COHORT_OK && !p->is_tried)
        status = cohort_program_try(p);
    if (status != COHORT_OK)
        return status;
    if (!cohort_repeat_may(&p->repeat)) {
        status = plan_all(p);
        trace_step(p, true, begin_ns);
        return status;
    }
    status = repeat_all(p, is_last);
    p->strategy->executor->account.repeated += status >= 0;
    trace_step(p, false, begin_ns);
    return status;
}

/* Once more where a device was lost: its rows are with the batch. */
static cohort_status make_kept_step(cohort_program *p, cohort_input *input)
{
    cohort_kept_begin(p);
    cohort_status status = cohort_kept_end(p, make_step(p, input, true));
    while (status < 0 && cohort_kept_may_repeat(p, &status)) {
        cohort_kept_begin(p);
        status = cohort_kept_end(p, make_step(p, NULL, true));
    }
    return status < 0 ? cohort_kept_skip(p, status) : status;
}

/* What was written since the last step is kept, too: as behind a step without calls. What earlier
 * calls have failed for is their error, and no step's. */
static cohort_status begin_keeping(cohort_program *p)
{
    cohort_status status = cohort_executor_finish(p->strategy->executor);
    if (status < 0)
        return status;
    do {
        cohort_kept_begin(p);
        status = cohort_kept_end(p, COHORT_OK);
    } while (status < 0 && cohort_kept_may_repeat(p, &status));
    return status;
}

/* ------------------------------------------------------------------ many */

/* Never in a merge function, whose step goes on where its replicas are. */
static bool may_move(const cohort_program *p)
{
    return p->strategy->balance != NULL && cohort_scope_of_merge() != p->strategy &&
           cohort_balance_wants(p->strategy);
}

/* Between steps, of which nothing is left to be stored. */
static cohort_status move_replicas(cohort_program *p, const cohort_input *input)
{
    cohort_repeat_settle(&p->repeat);
    if (input != NULL)
        cohort_batches_settle(cohort_binder_of(p->strategy));
    int n = cohort_balance_move(p->strategy);
    return n < 0 ? n : COHORT_OK;
}

/* What was posted by steps of the other kind is no model for these. */
static cohort_status choose_keeping(cohort_program *p)
{
    cohort_strategy *s = p->strategy;
    const bool keeps =
        cohort_scope_of_merge() != s && (cohort_loss_may_be_survived(s) || cohort_skip_may_be(s));
    if (keeps != p->is_kept) {
        cohort_repeat_forget(&p->repeat);
        p->is_tried = false; /* the next step is to be looked at (kept.h) */
    }
    if (keeps && !s->keeps_steps)
        cohort_variable_count_anew(s);
    p->is_kept = keeps;
    if (!s->is_step_open) /* else they are those of the step around this one */
        s->keeps_steps = keeps || s->guard == COHORT_GUARD_SKIP;
    return keeps ? begin_keeping(p) : COHORT_OK;
}

static cohort_status run(cohort_program *p, cohort_input *input, int64_t steps)
{
    cohort_failure *failure = &p->strategy->executor->failure;
    cohort_status status = check(p, input, steps);
    int64_t todo = steps > 0 ? steps : p->strategy->steps_per_run;
    failure->step = (uint64_t)p->steps + 1;
    if (status == COHORT_OK)
        status = choose_keeping(p);
    for (; todo > 0 && status == COHORT_OK; todo--) {
        failure->step = (uint64_t)p->steps + 1;
        status = p->is_kept ? make_kept_step(p, input) : make_step(p, input, todo == 1);
        p->steps += status == COHORT_OK;
        if (p->strategy->monitored != NULL)
            cohort_monitored_tell(p->strategy->monitored);
        if (status == COHORT_OK && may_move(p))
            status = move_replicas(p, input);
    }
    cohort_repeat_settle(&p->repeat);
    failure->step = 0;
    if (input != NULL)
        cohort_batches_settle(cohort_binder_of(p->strategy));
    return status;
}

/* In a step that is kept, of which a merge call is, steps are planned: those that were made before
 * do not know which of their writes is a second one of that step. */
static cohort_status run_within(cohort_program *p, cohort_input *input, int64_t steps)
{
    const cohort_repeating usual = p->strategy->repeating;
    if (p->strategy->is_step_open)
        p->strategy->repeating.kind = COHORT_REPEAT_OFF;
    cohort_status status = run(p, input, steps);
    p->strategy->repeating = usual;
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
    status = run_within(program, input, steps);
    if (status >= 0 && program->strategy->workers != NULL)
        agree(program, program->steps - before);
    return cohort_call_advance(program->strategy, status);
}
