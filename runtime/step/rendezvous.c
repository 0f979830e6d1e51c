/* SPDX-License-Identifier: BSD-3-Clause */
/* Rendezvous: the first replica that comes fixes the call, each other one has to fit, and the last
 * one concludes it for all. The lock of the stage is held throughout, but while a merge function
 * runs. Whatever goes wrong here is an error of the step, never of one replica. */
#include "config.h"

#include "runtime/step/rendezvous.h"

#include "runtime/base/callback.h"
#include "runtime/step/baton.h"
#include "runtime/step/news.h"
#include "runtime/step/player.h"
#include "runtime/step/trace.h"
#include "runtime/step/words.h"

#include <string.h>

static const char rule[] = "all replicas call the same collectives in the same order";

/* ------------------------------------------------------------------ calls that do not fit */

/* What differs between two calls that look alike; NULL: nothing. "" where the calls in words differ
 * already; a text where they look alike and the difference has to be told. */
static const char *find_difference(const cohort_rendezvous *a, const void *mine,
                                   const cohort_rendezvous *b)
{
    bool is_same_call = a->call == b->call || strcmp(a->call, b->call) == 0;
    if (!is_same_call || a->plan != b->plan || a->op != b->op || a->n != b->n)
        return "";
    if (a->n > 0 && memcmp(a->values, b->values, (size_t)a->n * sizeof *a->values) != 0)
        return ", with other values";
    if (a->what != b->what)
        return ", of something else";
    if (a->merge != b->merge)
        return ", with another function";
    return a->is_same != NULL && !a->is_same(mine, b->mine) ? ", with other arguments" : NULL;
}

/* The words do not depend on who came first. */
static void refuse_difference(cohort_stage *stage, const cohort_frame *frame,
                              const cohort_replica *me, const cohort_rendezvous *rendezvous,
                              const char *difference)
{
    char mine[COHORT_WORDS_BYTES], other[COHORT_WORDS_BYTES];
    const char *call = cohort_words_call(rendezvous, mine),
               *first = cohort_words_call(&frame->rendezvous, other);
    bool is_lower = me->id < frame->first;
    cohort_words_fail(stage, frame,
                      cohort_error_set(COHORT_EINVAL, "replica %d calls %s, replica %d %s%s; %s",
                                       cohort_words_id(stage, is_lower ? me->id : frame->first),
                                       is_lower ? call : first,
                                       cohort_words_id(stage, is_lower ? frame->first : me->id),
                                       is_lower ? first : call, difference, rule));
}

static int32_t find_finished(const cohort_stage *stage, const cohort_frame *frame)
{
    int32_t r = 0;
    while (r < stage->strategy->n_replicas - 1 && frame->parts[r].state != COHORT_PART_DONE)
        r++;
    return r;
}

static void refuse_extra(cohort_stage *stage, const cohort_frame *frame, const cohort_replica *me,
                         const cohort_rendezvous *rendezvous)
{
    char call[COHORT_WORDS_BYTES], latest[COHORT_WORDS_BYTES];
    int32_t gone = find_finished(stage, frame);
    cohort_words_fail(
        stage, frame,
        cohort_error_set(
            COHORT_EINVAL,
            "replica %d calls %s, but replica %d has returned from the step function %s; %s",
            cohort_replica_id(me), cohort_words_call(rendezvous, call),
            cohort_words_id(stage, gone), cohort_words_latest(&frame->parts[gone], latest), rule));
}

void cohort_rendezvous_check_end(cohort_replica *me, cohort_frame *frame)
{
    char call[COHORT_WORDS_BYTES], latest[COHORT_WORDS_BYTES];
    if (frame->arrived == 0 || cohort_stage_has_failed(me->stage))
        return;
    cohort_words_fail(
        me->stage, frame,
        cohort_error_set(
            COHORT_EINVAL,
            "replica %d has returned from the step function %s, but replica %d waits in "
            "%s; %s",
            cohort_replica_id(me), cohort_words_latest(&frame->parts[me->id], latest),
            cohort_words_id(me->stage, frame->first), cohort_words_call(&frame->rendezvous, call),
            rule));
}

/* ------------------------------------------------------------------ rendezvous */

static cohort_status blame_merge(const cohort_frame *frame, cohort_status status)
{
    char call[COHORT_WORDS_BYTES];
    return cohort_error_prefix(status, "function of %s",
                               cohort_words_call(&frame->rendezvous, call));
}

/* A call in it has failed: later ones in it do nothing. */
static void raise_at_once(void *replica, cohort_status status)
{
    const cohort_replica *me = replica;
    cohort_stage *stage = me->stage;
    cohort_player_lock(stage);
    if (!cohort_stage_has_failed(stage))
        cohort_words_fail(stage, stage->frame, blame_merge(stage->frame, status));
    cohort_player_unlock(stage);
}

static cohort_status call_merge(cohort_replica *me, const cohort_frame *frame)
{
    cohort_callback callback;
    cohort_strategy *s = me->stage->strategy;
    cohort_callback_begin(&callback, raise_at_once, me);
    cohort_status status = frame->rendezvous.merge(s, frame->all, s->n_replicas);
    return cohort_callback_end(&callback, status);
}

/* The function of a merge call, on the thread of the last replica that came. All others wait and do
 * their rings. */
static cohort_status merge(cohort_replica *me, cohort_frame *frame)
{
    cohort_stage *stage = me->stage;
    cohort_player_unlock(stage);
    cohort_player before =
        cohort_player_become((cohort_player){ .me = me, .inside.merge = stage->strategy });
    cohort_status status = call_merge(me, frame);
    (void)cohort_player_become(before);
    cohort_player_lock(stage);
    return status < 0 ? blame_merge(frame, status) : status;
}

/* Under the lock. A function of the program that the plan asks, such as a placement policy, is not
 * the replica: what it calls is refused, for it would wait for this very plan. */
static cohort_status plan(cohort_replica *me, cohort_frame *frame)
{
    cohort_strategy *s = me->stage->strategy;
    cohort_player before =
        cohort_player_become((cohort_player){ .me = me, .inside.step = s, .has_lock = true });
    cohort_status status = frame->rendezvous.plan(s, &frame->rendezvous, frame->all);
    (void)cohort_player_become(before);
    return status;
}

/* In place of the plan, as in the function of a merge call, which acts for all replicas. */
static cohort_status record(cohort_replica *me, const cohort_frame *frame)
{
    char call[COHORT_WORDS_BYTES];
    cohort_strategy *s = me->stage->strategy;
    cohort_player before =
        cohort_player_become((cohort_player){ .me = me, .inside.merge = s, .has_lock = true });
    cohort_status status =
        cohort_trace_record(cohort_recorder_of(s), &frame->rendezvous, frame->all);
    (void)cohort_player_become(before);
    return status < 0
               ? cohort_error_prefix(status, "%s", cohort_words_call(&frame->rendezvous, call))
               : status;
}

/* All are here: plan, and let everybody go on. */
static void conclude(cohort_replica *me, cohort_frame *frame)
{
    cohort_stage *stage = me->stage;
    const cohort_rendezvous *rendezvous = &frame->rendezvous;
    cohort_status status = COHORT_OK;
    /* while it is set, nobody leaves, even after a failure: the plan may look at what they
     * brought */
    frame->concluder = me;
    if (rendezvous->merge != NULL)
        status = merge(me, frame);
    else if (cohort_trace_is_on(me))
        status = record(me, frame);
    else if (rendezvous->plan != NULL)
        status = plan(me, frame);
    if (status < 0)
        cohort_words_fail(stage, frame, status);
    frame->concluder = NULL;
    frame->arrived = 0;
    frame->n_complete++;
    cohort_news_wake(stage);
}

/* What the concluder may still look at stays where it is, but when it is stuck in a device that was
 * lost. */
static bool is_rendezvous_over(const cohort_replica *me, const cohort_frame *frame, uint64_t number)
{
    const cohort_stage *stage = me->stage;
    if (frame->n_complete > number)
        return true;
    return cohort_stage_has_failed(stage) &&
           (frame->concluder == NULL ||
            cohort_lane_is_lost(
                cohort_stage_executor(stage)->lanes[frame->concluder->lane->index]));
}

/* Returns whether the call fits those of the others. */
static bool join(cohort_replica *me, cohort_frame *frame, const cohort_rendezvous *rendezvous)
{
    cohort_stage *stage = me->stage;
    if (frame->finished > 0) {
        refuse_extra(stage, frame, me, rendezvous);
        return false;
    }
    const char *difference =
        frame->arrived > 0
            ? find_difference(&frame->rendezvous, frame->all[frame->first], rendezvous)
            : NULL;
    if (difference != NULL) {
        refuse_difference(stage, frame, me, rendezvous, difference);
        return false;
    }
    if (frame->arrived == 0) {
        frame->rendezvous = *rendezvous;
        frame->first = me->id;
    }
    frame->all[me->id] = rendezvous->mine;
    frame->parts[me->id].state = COHORT_PART_WAITS;
    frame->arrived++;
    return true;
}

static void note_call(cohort_part *part, const cohort_rendezvous *rendezvous)
{
    const char *site = rendezvous->site != NULL ? rendezvous->site : "";
    size_t length = strnlen(site, sizeof part->site - 1);
    part->call = rendezvous->call;
    memcpy(part->site, site, length);
    part->site[length] = '\0';
}

cohort_status cohort_stage_meet(cohort_replica *me, const cohort_rendezvous *rendezvous)
{
    cohort_stage *stage = me->stage;
    cohort_player_lock(stage);
    cohort_frame *frame = stage->frame;
    uint64_t number = frame->n_complete;
    if (!cohort_stage_has_failed(stage) && join(me, frame, rendezvous)) {
        if (frame->arrived == stage->strategy->n_replicas)
            conclude(me, frame);
        cohort_baton_wait(me, &(cohort_pause){ is_rendezvous_over, frame, number });
        (void)cohort_baton_serve(stage, me->lane);
        frame->parts[me->id].state = COHORT_PART_PLAYS;
        note_call(&frame->parts[me->id], rendezvous);
    }
    cohort_player_unlock(stage);
    return cohort_failure_tell(&cohort_stage_executor(stage)->failure);
}
