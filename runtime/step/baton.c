/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/baton.h"

#include "runtime/base/assert.h"
#include "runtime/base/thread.h"
#include "runtime/executor/worker.h"
#include "runtime/step/lateness.h"
#include "runtime/step/news.h"
#include "runtime/step/news_await.h"
#include "runtime/step/player.h"

#include <sched.h>

/* ------------------------------------------------------------------ serving */

/* The ring is done without the lock: a device takes its time, and replicas of other lanes run and
 * plan meanwhile. A failure that comes out of it ends all waits, so it wakes all. */
bool cohort_baton_serve(cohort_stage *stage, cohort_stage_lane *lane)
{
    cohort_executor *executor = cohort_stage_executor(stage);
    if (cohort_lane_peek(executor->lanes[executor->n_lanes + lane->index]) == NULL)
        return false;
    cohort_player_unlock(stage);
    cohort_worker_drain(executor->lanes[executor->n_lanes + lane->index]);
    cohort_player_lock(stage);
    if (cohort_stage_has_failed(stage))
        cohort_news_wake(stage);
    return true;
}

/* A plan can be longer than a ring. Nobody else plans while the lock is given up, for all replicas
 * wait in a collective, or one is the stage's planner; their lanes make room. */
static void let_others(void *argument)
{
    cohort_stage *stage = argument;
    bool has_lock = cohort_player_has_lock();
    if (!has_lock)
        cohort_player_lock(stage);
    cohort_news_wake(stage);
    bool has_served = cohort_baton_serve(stage, cohort_player_me()->lane);
    cohort_player_unlock(stage);
    if (!has_served)
        sched_yield();
    if (has_lock)
        cohort_player_lock(stage);
}

static void make_room(void *stage, cohort_lane *ring)
{
    (void)ring;
    let_others(stage);
}

/* The lane of this thread goes first, because the fence may belong to an operation that this thread
 * itself has to do. Then the thread sleeps in the lane of the fence, without the lock, which the
 * runner of that lane needs. */
static bool wait_inside(void *argument, cohort_fence fence, int64_t end_ns)
{
    cohort_stage *stage = argument;
    bool has_lock = cohort_player_has_lock();
    (void)end_ns; /* has_ends is false */
    if (cohort_lane_is_past(fence.lane, fence.number))
        return true;
    let_others(stage);
    if (has_lock)
        cohort_player_unlock(stage);
    cohort_lane_wait(fence.lane, fence.number);
    if (has_lock)
        cohort_player_lock(stage);
    return true;
}

cohort_waiting cohort_baton_waiting(cohort_stage *stage)
{
    return (cohort_waiting){ .is_inner = true,
                             .user = stage,
                             .advance = let_others,
                             .make_room = make_room,
                             .wait = wait_inside };
}

/* ------------------------------------------------------------------ who goes on */

bool cohort_baton_has_step(const cohort_replica *me)
{
    const cohort_frame *frame = me->stage->frame;
    return frame != NULL && frame->parts[me->id].state == COHORT_PART_IDLE;
}

/* A step is over when all replicas have returned. After a device was lost, the replicas of its lane
 * may be stuck in it for good and are not waited for; those of other lanes are, since they still
 * use the frame. */
bool cohort_baton_is_step_over(const cohort_replica *me, const cohort_frame *frame, uint64_t number)
{
    const cohort_stage *stage = me->stage;
    (void)number;
    if (frame->finished == stage->strategy->n_replicas)
        return true;
    if (!cohort_stage_has_failed(stage) || !cohort_executor_has_lost(cohort_stage_executor(stage)))
        return false;
    bool is_over = true;
    for (int32_t r = 0; is_over && r < stage->strategy->n_replicas; r++)
        is_over = frame->parts[r].state == COHORT_PART_DONE ||
                  cohort_lane_is_lost(
                      cohort_stage_executor(stage)->lanes[stage->replicas[r].lane->index]);
    return is_over;
}

static bool can_go_on(const cohort_replica *me)
{
    return cohort_baton_has_step(me) ||
           (me->wait != NULL && me->wait->is_over(me, me->wait->frame, me->wait->number));
}

/* The next replica of the lane that can go on; NULL when none can. Round robin, beginning behind
 * the replica that gives the baton away, so that none of the lane starves. */
static cohort_replica *find_next(const cohort_replica *after)
{
    const cohort_stage_lane *lane = after->lane;
    int32_t at = 0;
    while (lane->replicas[at] != after)
        at++;
    for (int32_t i = 1; i < lane->n; i++)
        if (can_go_on(lane->replicas[(at + i) % lane->n]))
            return lane->replicas[(at + i) % lane->n];
    return NULL;
}

/* All that sleep together and can go on. */
static cohort_call_out call_together(cohort_stage_lane *lane)
{
    for (int32_t i = 0; i < lane->n; i++)
        if (lane->replicas[i]->is_together && can_go_on(lane->replicas[i]))
            cohort_bed_call(lane->replicas[i]);
    return (cohort_call_out){ .lane = lane };
}

/* The only place where somebody gives the baton away while a step runs, so that no two replicas of
 * a lane run at once. Who was called before and has not come yet goes first, for it is awake.
 * Returns who was called now. */
static cohort_call_out hand_baton(cohort_replica *to)
{
    cohort_stage_lane *lane = to->lane;
    bool is_one_coming = lane->n_called > 0;
    cohort_assert_held(&to->stage->lock);
    lane->turn = is_one_coming || to->is_together ? NULL : to;
    if (is_one_coming)
        return (cohort_call_out){ NULL, NULL };
    if (to->is_together)
        return call_together(lane);
    cohort_bed_call(to);
    return (cohort_call_out){ .one = to };
}

/* The runner of the lane takes the baton when nobody else can use it: it waits for the end of the
 * step at least. */
cohort_call_out cohort_baton_leave(cohort_replica *me)
{
    cohort_replica *next = find_next(me);
    return hand_baton(next != NULL ? next : me->lane->replicas[0]);
}

/* ------------------------------------------------------------------ waiting */

/* The runner of this lane, a worker, is where the program's thread was seen last. */
static bool meets_caller(const cohort_replica *me, int *out_cpu)
{
    const cohort_executor *executor = cohort_stage_executor(me->stage);
    bool is_worker =
        !me->has_thread && executor->caller >= 0 && me->lane->index != executor->caller;
    if (!is_worker)
        return false;
    const cohort_stage_lane *other = &me->stage->lanes[executor->caller];
    *out_cpu = atomic_load_explicit(&other->here, memory_order_relaxed);
    return *out_cpu == sched_getcpu();
}

/* Two threads that wake each other in turns need one core alone, and so the system may leave them
 * on one for ever. It moves one of them soon when both want to run, as they do who look for each
 * other: else, after a while, a worker asks its plugin once more where to run; the program's thread
 * is not ours to move. True: it has asked, and given up the lock meanwhile. */
static bool keep_off(cohort_replica *me)
{
    enum { PATIENCE_NS = 1000000 };
    cohort_executor *executor = cohort_stage_executor(me->stage);
    cohort_stage_lane *lane = me->lane;
    int cpu;
    bool does_meet = meets_caller(me, &cpu);
    if (!does_meet || lane->met_ns == 0)
        lane->met_ns = does_meet ? cohort_clock_ns() : 0;
    if (!does_meet || cohort_clock_ns() - lane->met_ns < PATIENCE_NS)
        return false;
    lane->met_ns = 0;
    cohort_player_unlock(me->stage); /* a plugin may hang, and is then late for the others */
    for (int32_t i = 0; i < executor->n_contexts; i++)
        if (executor->contexts[i]->lane->index == lane->index)
            cohort_context_attach(executor->contexts[i], cpu);
    cohort_player_lock(me->stage);
    return true;
}

/* The runner is bound by the plugin, or is the program's thread, which goes where the system has
 * it; the others follow it. */
void cohort_baton_settle(cohort_replica *me)
{
    cohort_stage_lane *lane = me->lane;
    (void)keep_off(me);
    if (!lane->has_one_core || lane->n == 1)
        return;
    if (!me->has_thread)
        lane->cpu = sched_getcpu();
    else if (me->cpu != lane->cpu)
        cohort_thread_bind(me->cpu = lane->cpu);
}

/* What was slept is told by the clock, not by how long it was to be: a process that was stopped
 * sleeps longer, which must not count as the lateness of a replica. */
static void watch_a_slice(cohort_replica *me, cohort_call_out called, bool is_patient,
                          cohort_lateness *lateness)
{
    int64_t before = cohort_clock_ns();
    cohort_bed_sleep(me, called, before + cohort_lateness_slice(me), is_patient);
    cohort_lateness_look(me, lateness, cohort_clock_ns() - before);
}

static void give_turn(cohort_replica *me, cohort_replica *next, cohort_lateness *lateness)
{
    cohort_call_out called = hand_baton(next);
    bool watches = cohort_lateness_watches(me);
    for (bool is_first = true; me->lane->turn != me; is_first = false) {
        if (watches)
            watch_a_slice(me, called, is_first, lateness);
        else
            cohort_bed_sleep(me, called, INT64_MAX, is_first);
        called = (cohort_call_out){ NULL, NULL };
    }
    cohort_baton_settle(me);
}

/* Returns how long it has waited. */
static int64_t await_news(cohort_stage *stage, cohort_stage_lane *lane)
{
    bool may_be_there = lane->n > 0 && keep_off(lane->turn);
    return may_be_there ? 0 : cohort_news_await(stage, lane);
}

void cohort_baton_wait(cohort_replica *me, const cohort_pause *wait)
{
    const cohort_pause *outer = me->wait;
    cohort_assert_held(&me->stage->lock);
    cohort_assert(me->lane->turn == me);
    cohort_lateness lateness = { 0, 0 };
    me->wait = wait;
    for (;;) {
        cohort_replica *next;
        /* an inner step comes before the replica's own wait: it cannot end until this one has
         * played it, too */
        if (cohort_baton_has_step(me)) {
            me->stage->play(me);
        } else if (wait->is_over(me, wait->frame, wait->number)) {
            break;
        } else if ((next = find_next(me)) != NULL) {
            give_turn(me, next, &lateness);
        } else if (!cohort_baton_serve(me->stage, me->lane)) {
            cohort_lateness_look(me, &lateness, await_news(me->stage, me->lane));
        }
    }
    me->wait = outer;
}

void cohort_baton_attend(cohort_stage *stage, cohort_stage_lane *lane)
{
    if (!cohort_baton_serve(stage, lane))
        (void)await_news(stage, lane);
}
