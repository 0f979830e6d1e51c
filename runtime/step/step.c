/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps: one operation in each lane, in which the runner plays the lane's first replica, threads of
 * their own play the others, and the lane's step ring is done, until all replicas everywhere have
 * returned. */
#include "config.h"

#include "runtime/base/callback.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/thread.h"
#include "runtime/operation/use.h"
#include "runtime/step/baton.h"
#include "runtime/step/news.h"
#include "runtime/step/player.h"
#include "runtime/step/rendezvous.h"
#include "runtime/step/stage_make.h"
#include "runtime/step/words.h"
#include "runtime/strategy/scope.h"
#include "runtime/value/skip.h"
#include "runtime/value/transaction.h"
#include "runtime/value/variable.h"

#include <string.h>

/* ------------------------------------------------------------------ one replica plays */

static void drop_callback(void *callback)
{
    cohort_callback_drop(callback);
}

/* The replica that returns last from the innermost step takes the step's frame away. */
static void end_part(cohort_replica *me, cohort_frame *frame)
{
    cohort_stage *stage = me->stage;
    frame->parts[me->id].state = COHORT_PART_DONE;
    frame->finished++;
    if (frame->finished == stage->strategy->n_replicas)
        stage->frame = frame->outer;
    if (frame->finished == stage->strategy->n_replicas || cohort_stage_has_failed(stage))
        cohort_news_wake(stage);
}

static cohort_status blame(const cohort_replica *me, const cohort_frame *frame,
                           cohort_status status)
{
    (void)cohort_error_prefix(status, "replica %d on %s", cohort_replica_id(me),
                              cohort_stage_device_id(me));
    return cohort_words_prefix(frame, status);
}

/* A call in it has failed: the others stop at their next call, whatever it returns. */
static void raise_at_once(void *replica, cohort_status status)
{
    const cohort_replica *me = replica;
    cohort_player_lock(me->stage);
    if (!cohort_stage_has_failed(me->stage))
        cohort_news_raise(me->stage, blame(me, me->stage->frame, status));
    cohort_player_unlock(me->stage);
}

static cohort_status call_step(cohort_replica *me, const cohort_frame *frame)
{
    cohort_callback callback;
    cohort_status status;
    cohort_callback_begin(&callback, raise_at_once, me);
    pthread_cleanup_push(drop_callback, &callback);
    status = frame->step(me, frame->user);
    pthread_cleanup_pop(0);
    return cohort_callback_end(&callback, status);
}

/* The lock is given up while the function of the program runs; `me` keeps the baton meanwhile. The
 * state of its part is changed under the lock alone. */
static void play(cohort_replica *me)
{
    cohort_stage *stage = me->stage;
    cohort_frame *frame = stage->frame;
    cohort_status status = COHORT_OK;
    frame->parts[me->id].state = COHORT_PART_PLAYS;
    cohort_player_unlock(stage);
    cohort_player before = cohort_player_become(
        (cohort_player){ .me = me, .current = me, .inside.step = stage->strategy });
    if (!cohort_stage_has_failed(stage))
        status = call_step(me, frame);
    (void)cohort_player_become(before);
    cohort_player_lock(stage);
    if (status < 0)
        cohort_news_raise(stage, blame(me, frame, status));
    else
        cohort_rendezvous_check_end(me, frame);
    end_part(me, frame);
}

/* ------------------------------------------------------------------ threads of replicas */

/* The next step starts another thread for the replica, which ends in all steps and merge functions
 * that it was in. */
static void thread_ends(void *argument)
{
    cohort_replica *me = argument;
    cohort_stage *stage = me->stage;
    (void)cohort_player_become((cohort_player){ .me = NULL });
    pthread_detach(pthread_self());
    cohort_player_lock(stage);
    me->has_thread = false;
    me->wait = NULL;
    if (stage->planner == me)
        stage->planner = NULL;
    cohort_status status = cohort_error_set(
        COHORT_EINVAL, "it ended its thread (pthread_exit or pthread_cancel), which "
                       "is the library's");
    cohort_news_stop(stage, blame(me, stage->frame, status));
    for (cohort_frame *frame = stage->frame, *outer; frame != NULL; frame = outer) {
        outer = frame->outer;
        if (frame->concluder == me)
            frame->concluder = NULL;
        if (frame->parts[me->id].state != COHORT_PART_DONE)
            end_part(me, frame);
    }
    /* under the lock: the stage may be gone when this thread, which nobody joins, has given it
     * up */
    cohort_bed_wake(cohort_baton_leave(me));
    cohort_news_ring(stage);
    stage->must_ring = false;
    cohort_player_unlock(stage);
}

/* Until there is one, and the baton: who has it without a step to play hands it on. */
static void await_step(cohort_replica *me)
{
    const cohort_stage_lane *lane = me->lane;
    for (bool is_first = true;
         !lane->should_stop && (lane->turn != me || !cohort_baton_has_step(me)); is_first = false) {
        cohort_call_out called = { NULL, NULL };
        if (lane->turn == me)
            called = cohort_baton_leave(me);
        cohort_bed_sleep(me, called, INT64_MAX, is_first);
    }
}

/* The thread sleeps between the steps, and lives until the strategy is destroyed or the program
 * ends it from within. */
static void *play_steps(void *argument)
{
    cohort_replica *me = argument;
    cohort_stage *stage = me->stage;
    cohort_fpstate_set(cohort_fpstate_default());
    cohort_player_lock(stage);
    cohort_bed_come(me); /* it may have been called before it has begun */
    for (;;) {
        await_step(me);
        if (me->lane->should_stop)
            break;
        cohort_baton_settle(me);
        pthread_cleanup_push(thread_ends, me);
        play(me);
        pthread_cleanup_pop(0);
    }
    cohort_player_unlock(stage);
    return NULL;
}

static cohort_status start_thread(cohort_replica *replica)
{
    replica->cpu = -1;
    int error = cohort_thread_start(&replica->thread, play_steps, replica);
    replica->has_thread = error == 0;
    return error == 0 ? COHORT_OK
                      : cohort_error_set(COHORT_ENOMEM, "cannot start a thread for replica %d: %s",
                                         cohort_replica_id(replica), strerror(error));
}

/* A replica whose thread has ended in a step before gets a new one. */
static cohort_status start_threads(cohort_stage *stage)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < cohort_stage_executor(stage)->n_lanes; i++)
        for (int32_t j = 1; j < stage->lanes[i].n && status >= 0; j++)
            if (!stage->lanes[i].replicas[j]->has_thread)
                status = start_thread(stage->lanes[i].replicas[j]);
    return status;
}

/* ------------------------------------------------------------------ lanes */

typedef struct step_op {
    cohort_op op;
    cohort_stage *stage;
    cohort_stage_lane *lane;
    cohort_frame *frame;
} step_op;

/* The runner plays the first replica, then serves the ring until every replica everywhere has
 * returned. */
static cohort_status do_step(cohort_lane *l, cohort_op *op)
{
    const step_op s = *(const step_op *)op;
    (void)l;
    cohort_player_lock(s.stage);
    if (s.lane->n > 0) {
        cohort_baton_settle(s.lane->replicas[0]);
        play(s.lane->replicas[0]);
        cohort_baton_wait(s.lane->replicas[0],
                          &(cohort_pause){ cohort_baton_is_step_over, s.frame, 0 });
    } else {
        while (!cohort_baton_is_step_over(&s.stage->replicas[0], s.frame, 0))
            cohort_baton_attend(s.stage, s.lane);
    }
    (void)cohort_baton_serve(s.stage, s.lane); /* nobody posts any more */
    cohort_player_unlock(s.stage);
    return COHORT_OK; /* an error was raised where it happened */
}

static cohort_context *find_context(const cohort_executor *executor, int32_t lane)
{
    int32_t i = 0;
    while (executor->contexts[i]->lane->index != lane)
        i++;
    return executor->contexts[i];
}

/* The rings are empty, so none can be full. The caller's own lane starts when the caller waits. */
static void submit_step(cohort_stage *stage, cohort_frame *frame)
{
    cohort_executor *executor = cohort_stage_executor(stage);
    for (int32_t i = 0; i < executor->n_lanes; i++) {
        /* also when another lane has failed already: its replicas are counted */
        step_op op = { .op = COHORT_OP(.run = do_step, .flags = COHORT_OP_ALWAYS),
                       .stage = stage,
                       .lane = &stage->lanes[i],
                       .frame = frame };
        (void)cohort_submit(executor, find_context(executor, i), &op.op, sizeof op, NULL, 0);
    }
}

/* ------------------------------------------------------------------ a step */

static void begin_frame(cohort_stage *stage, cohort_frame *frame, const cohort_frame *what)
{
    frame->site = what->site;
    frame->name = what->name;
    frame->step = what->step;
    frame->user = what->user;
    frame->finished = frame->arrived = 0;
    frame->concluder = NULL;
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        frame->parts[r] = (cohort_part){ .state = COHORT_PART_IDLE };
    stage->frame = frame;
}

static void start_lanes(cohort_stage *stage, cohort_frame *frame)
{
    for (int32_t i = 0; i < cohort_stage_executor(stage)->n_lanes; i++)
        if (stage->lanes[i].n > 0)
            stage->lanes[i].turn = stage->lanes[i].replicas[0];
    submit_step(stage, frame);
}

/* The lanes are empty before the step begins, for its operations hold them to its end. The waiting
 * is swapped under the lock: no replica plans before it. */
static cohort_status play_outermost(cohort_strategy *strategy, const cohort_frame *what)
{
    cohort_stage *stage = cohort_stage_prepare(strategy);
    if (stage == NULL || start_threads(stage) < 0)
        return COHORT_ENOMEM;
    cohort_status status = cohort_executor_finish(strategy->executor);
    if (status < 0)
        return status;
    cohort_player_lock(stage); /* nobody plans before all lanes have the step */
    stage->play = play;
    begin_frame(stage, stage->base, what);
    start_lanes(stage, stage->base);
    const cohort_waiting *outer = cohort_executor_swap(strategy->executor, &stage->waiting);
    cohort_player_unlock(stage);
    cohort_executor_wait_all_by(strategy->executor, outer);
    (void)cohort_executor_swap(strategy->executor, outer);
    cohort_executor_note_over(strategy->executor); /* what the replicas have waited for */
    return cohort_failure_tell(&strategy->executor->failure);
}

/* In the function of a merge call: every replica plays it where it waits, this one here. */
static cohort_status play_inside(cohort_stage *stage, const cohort_frame *what)
{
    cohort_player_lock(stage);
    cohort_frame *frame = cohort_stage_frame(stage, stage->frame);
    if (frame != NULL) {
        begin_frame(stage, frame, what);
        cohort_news_wake(stage);
        cohort_baton_wait(cohort_player_me(),
                          &(cohort_pause){ cohort_baton_is_step_over, frame, 0 });
        if (stage->frame == frame) /* a device was lost in it */
            stage->frame = frame->outer;
    }
    cohort_player_unlock(stage);
    return frame != NULL ? cohort_failure_tell(&cohort_stage_executor(stage)->failure)
                         : COHORT_ENOMEM;
}

/* One in which a device is lost is undone as a whole, so that the program may call it again, behind
 * cohort_strategy_recover; its own code is never called once more by itself. */
static cohort_status play_kept(cohort_strategy *strategy, const cohort_frame *what)
{
    cohort_status status = cohort_executor_finish(strategy->executor);
    if (status >= 0)
        status = cohort_transaction_open(strategy);
    if (status < 0)
        return status;
    status = play_outermost(strategy, what);
    if (status >= 0)
        status = cohort_transaction_finish(strategy);
    strategy->is_step_open = status < 0 && !cohort_executor_is_whole(strategy->executor);
    return status;
}

/* Where the guard skips steps this is one, unless it belongs to another one. */
static cohort_status play_guarded(cohort_strategy *strategy, const cohort_frame *what)
{
    if (!strategy->is_step_open && cohort_transaction_may_be(strategy))
        return play_kept(strategy, what);
    if (!cohort_skip_may_be(strategy))
        return play_outermost(strategy, what);
    /* an error of calls before is not one of the step */
    cohort_status status = cohort_executor_finish(strategy->executor);
    if (status < 0)
        return status;
    cohort_skip_begin_step(strategy);
    status = play_outermost(strategy, what);
    strategy->is_step_open = status < 0;
    if (status >= 0 || !cohort_skip_is_due(strategy))
        return status;
    return cohort_skip_step(strategy);
}

cohort_status cohort_stage_play(cohort_strategy *strategy, const char *site, const char *name,
                                cohort_step_fn step, void *user)
{
    const cohort_frame what = { .site = site, .name = name, .step = step, .user = user };
    return cohort_scope_of_merge() == strategy ? play_inside(cohort_stage_of(strategy), &what)
                                               : play_guarded(strategy, &what);
}
