/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that begin and end blocks. Nothing is recorded of an end but where it is. */
#include "config.h"

#include "runtime/program/condition.h"
#include "runtime/program/program.h"

#include "runtime/base/callback.h"
#include "runtime/base/digest.h"
#include "runtime/base/limits.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"

static const char repeat_call[] = "cohort_program_repeat", when_call[] = "cohort_program_when";

/* ------------------------------------------------------------------ words */

static const char *name_of(const cohort_program_block *b)
{
    return b->is_condition ? when_call : repeat_call;
}

static const char *site_of(const cohort_program_block *b)
{
    return b->site != NULL ? b->site : "a line that is not known";
}

static cohort_status refuse_outside(const char *call)
{
    return cohort_error_set(COHORT_EINVAL,
                            "%s: no step of this strategy is recorded here; it is called in the "
                            "function that cohort_program_record calls, about values and the "
                            "strategy of that recording",
                            call);
}

static cohort_status refuse_end(const char *call, const cohort_program_block *b)
{
    if (b == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: no block is open; cohort_program_repeat or "
                                "cohort_program_when begins one",
                                call);
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the block that is open was begun by %s at %s, %s the function of "
                            "cohort_merge_call; a block ends in the function that begins it",
                            call, name_of(b), site_of(b), b->is_in_merge ? "in" : "and not in");
}

cohort_status cohort_program_block_check_closed(const cohort_program_block *b)
{
    return b == NULL ? COHORT_OK
                     : cohort_error_set(COHORT_EINVAL,
                                        "cohort_program_record: the step function has left the "
                                        "block open that %s at %s begins; cohort_program_end ends "
                                        "it",
                                        name_of(b), site_of(b));
}

/* ------------------------------------------------------------------ to begin one */

static cohort_status check_depth(const cohort_program *p, const char *call)
{
    int depth = 0;
    for (const cohort_program_block *b = p->open; b != NULL; b = b->outer)
        depth++;
    return depth < COHORT_LIMIT_BLOCKS
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: there are %d blocks around it, and no more",
                                  call, depth);
}

/* A block that is never made has any block in it as often as that says. */
static cohort_status check_times(int64_t around, int64_t times)
{
    if (times >= 0 && times <= COHORT_LIMIT_BLOCK_TIMES / (around > 0 ? around : 1))
        return COHORT_OK;
    if (around <= 1)
        return cohort_error_number(times, "%s: %lld times; from 0 to %d", repeat_call,
                                   (long long)times, COHORT_LIMIT_BLOCK_TIMES);
    return cohort_error_number(times,
                               "%s: %lld times, in a block that a step makes %lld times already; "
                               "from 0 to %d together",
                               repeat_call, (long long)times, (long long)around,
                               COHORT_LIMIT_BLOCK_TIMES);
}

/* From now on calls stand in it. */
static void open_block(cohort_program *p)
{
    const size_t begin = p->n_calls - 1;
    cohort_program_block *b = p->calls[begin].request;
    b->outer = p->open;
    b->begin = begin;
    b->otherwise = b->end = SIZE_MAX;
    b->is_in_merge = cohort_scope_of_merge() == p->strategy;
    p->calls[begin].block = p->open = b;
}

cohort_status cohort_program_block_keep(cohort_recorder *recorder, cohort_program_block *b)
{
    const char *site = b->site;
    b->site = cohort_recorder_text(recorder, site);
    return b->site != NULL || site == NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status add(cohort_recorder *recorder, const char *call,
                         const cohort_recordable *recordable, const void *request)
{
    cohort_status status = recorder->add(recorder, call, recordable, request);
    if (status < 0)
        return status;
    open_block(cohort_program_of(recorder));
    if (recorder->strategy->workers != NULL)
        recordable->agree(recorder->strategy, request);
    return COHORT_OK;
}

/* The times of a block around it. */
static int64_t times_around(const cohort_program *p)
{
    return p->open != NULL ? p->open->times_in_all : 1;
}

/* ------------------------------------------------------------------ repeat */

static cohort_status keep_repeat(cohort_recorder *recorder, const char *call, void *request)
{
    (void)call;
    return cohort_program_block_keep(recorder, request);
}

static void describe_repeat(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const cohort_program_block *b = request;
    (void)strategy;
    (void)fprintf(out, "%lld time%s%s%s", (long long)b->times, b->times == 1 ? "" : "s",
                  b->site != NULL ? " at " : "", b->site != NULL ? b->site : "");
}

static void agree_on_repeat(cohort_strategy *strategy, const void *request)
{
    const cohort_program_block *b = request;
    cohort_agreement_note(strategy, cohort_digest_add(0, &b->times, sizeof b->times), repeat_call,
                          NULL, b->site);
}

static cohort_status begin_repeat(cohort_recorder *recorder, const char *site, int64_t times)
{
    static const cohort_recordable recordable = { .bytes = sizeof(cohort_program_block),
                                                  .keep = keep_repeat,
                                                  .describe = describe_repeat,
                                                  .agree = agree_on_repeat };
    const cohort_program *p = cohort_program_of(recorder);
    cohort_status status = check_depth(p, repeat_call);
    if (status >= 0)
        status = check_times(times_around(p), times);
    if (status < 0)
        return status;
    const cohort_program_block block = { .site = site,
                                         .times = times,
                                         .times_in_all = times * times_around(p) };
    return add(recorder, repeat_call, &recordable, &block);
}

cohort_status cohort_program_repeat_at(const char *site, cohort_strategy *strategy, int64_t times)
{
    cohort_status status = cohort_call_enter_recording(strategy, repeat_call);
    if (status < 0)
        return status;
    cohort_recorder *recorder = cohort_recorder_here(strategy);
    return cohort_call_leave(strategy, recorder != NULL ? begin_repeat(recorder, site, times)
                                                        : refuse_outside(repeat_call));
}

/* ------------------------------------------------------------------ when */

static cohort_status begin_when(cohort_recorder *recorder, const char *site, cohort_value *value)
{
    const cohort_program *p = cohort_program_of(recorder);
    const cohort_condition condition = {
        { .site = site, .is_condition = true, .times_in_all = times_around(p) }, value, NULL
    };
    cohort_status status = check_depth(p, when_call);
    return status < 0 ? status : add(recorder, when_call, &cohort_condition_recordable, &condition);
}

cohort_status cohort_program_when_at(const char *site, cohort_value *value)
{
    cohort_status status =
        cohort_call_about(value, COHORT_HANDLE_VALUE, when_call, "the value", NULL);
    if (status >= 0)
        status = cohort_call_enter_recording(value->strategy, when_call);
    if (status < 0)
        return status;
    cohort_recorder *recorder = cohort_recorder_here(value->strategy);
    return cohort_call_leave(value->strategy, recorder != NULL ? begin_when(recorder, site, value)
                                                               : refuse_outside(when_call));
}

/* ------------------------------------------------------------------ otherwise, end */

static cohort_status find_open(cohort_strategy *s, const char *call, cohort_program **out)
{
    cohort_recorder *recorder = cohort_recorder_here(s);
    if (recorder == NULL)
        return refuse_outside(call);
    *out = cohort_program_of(recorder);
    const cohort_program_block *b = (*out)->open;
    bool is_here = b != NULL && b->is_in_merge == (cohort_scope_of_merge() == s);
    return is_here ? COHORT_OK : refuse_end(call, b);
}

/* The program with a block that is open. NULL: the call is over. Where an earlier call has failed
 * it may have been one that begins a block, so its error counts. */
static cohort_program *enter_block(cohort_strategy *strategy, const char *call)
{
    cohort_program *p = NULL;
    if (cohort_call_enter_recording(strategy, call) < 0)
        return NULL;
    cohort_status status = cohort_callback_tell();
    if (status >= 0)
        status = find_open(strategy, call, &p);
    if (status >= 0)
        return p;
    (void)cohort_call_leave(strategy, status);
    return NULL;
}

static cohort_status leave_block(cohort_strategy *strategy, const char *call, cohort_status status)
{
    if (status >= 0 && strategy->workers != NULL)
        cohort_agreement_note(strategy, 0, call, NULL, NULL);
    return cohort_call_leave(strategy, status);
}

static cohort_status turn(const cohort_program *p, const char *call)
{
    cohort_program_block *b = p->open;
    if (!b->is_condition)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the block that is open was begun by %s at %s; only those of "
                                "cohort_program_when have calls that are made otherwise",
                                call, repeat_call, site_of(b));
    if (b->otherwise != SIZE_MAX)
        return cohort_error_set(COHORT_EINVAL, "%s: the block of %s at %s has such calls already",
                                call, when_call, site_of(b));
    b->otherwise = p->n_calls;
    return COHORT_OK;
}

cohort_status cohort_program_otherwise(cohort_strategy *strategy)
{
    static const char call[] = "cohort_program_otherwise";
    const cohort_program *p = enter_block(strategy, call);
    return p != NULL ? leave_block(strategy, call, turn(p, call)) : cohort_error_status();
}

cohort_status cohort_program_end(cohort_strategy *strategy)
{
    static const char call[] = "cohort_program_end";
    cohort_program *p = enter_block(strategy, call);
    if (p == NULL)
        return cohort_error_status();
    cohort_program_block *b = p->open;
    b->end = p->n_calls;
    b->otherwise = b->otherwise < b->end ? b->otherwise : b->end;
    p->open = b->outer;
    return leave_block(strategy, call, COHORT_OK);
}
