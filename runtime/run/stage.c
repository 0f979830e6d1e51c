/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/stage.h"

#include "runtime/base/fpstate.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

#include <sched.h>
#include <string.h>

static _Thread_local cohort_replica *current;

cohort_replica *cohort_stage_current(void)
{
    return current;
}

static cohort_crew *crew_of(const cohort_stage *stage)
{
    return stage->strategy->crew;
}

static bool has_failed(const cohort_stage *stage)
{
    return cohort_failure_is_set(&crew_of(stage)->failure);
}

/* ------------------------------------------------------------------ waiting with the baton */

static void wake_all(cohort_stage *stage)
{
    for (int32_t i = 0; i < crew_of(stage)->n_lanes; i++)
        pthread_cond_broadcast(&stage->lanes[i].changed);
}

static void raise_failure(cohort_stage *stage, cohort_status status)
{
    cohort_failure_raise(&crew_of(stage)->failure, status);
    wake_all(stage);
}

/* A device that does not answer is noticed by whoever waits. held: lock */
static void watch_lanes(cohort_stage *stage, cohort_stage_lane *own, int64_t slept_ns)
{
    for (int32_t i = 0; i < crew_of(stage)->n_lanes; i++)
        if (i != own->index)
            cohort_lane_look(crew_of(stage)->lanes[i], &own->watches[i], slept_ns);
}

static void sleep_a_while(cohort_stage *stage, cohort_stage_lane *lane)
{
    enum { SLICE_NS = 50000000 };
    int64_t before = cohort_clock_ns(), end = before + SLICE_NS;
    if (!cohort_condition_wait_until(&lane->changed, &stage->lock, end))
        watch_lanes(stage, lane, cohort_clock_ns() - before);
}

/* Do what is in the lane's step ring. held: lock, given up meanwhile */
static bool serve_ring(cohort_stage *stage, cohort_stage_lane *lane)
{
    cohort_crew *crew = crew_of(stage);
    if (cohort_lane_peek(crew->lanes[crew->n_lanes + lane->index]) == NULL)
        return false;
    pthread_mutex_unlock(&stage->lock);
    cohort_crew_drain_step(crew, lane->index);
    pthread_mutex_lock(&stage->lock);
    if (has_failed(stage))
        wake_all(stage);
    return true;
}

/* The plan of a collective can be longer than a ring. All replicas wait in it, so that nobody else plans while the lock
 * is given up; their lanes make room. held: lock, given up meanwhile */
static void let_others(void *argument)
{
    cohort_stage *stage = argument;
    wake_all(stage);
    if (!serve_ring(stage, current->lane)) {
        pthread_mutex_unlock(&stage->lock);
        sched_yield();
        pthread_mutex_lock(&stage->lock);
    }
}

static bool is_meeting_over(const cohort_stage *stage, uint64_t number)
{
    return stage->meetings > number || has_failed(stage);
}

static bool is_step_over(const cohort_stage *stage, uint64_t number)
{
    (void)number;
    return stage->finished == stage->strategy->n_replicas ||
           (has_failed(stage) && cohort_crew_has_lost(crew_of(stage)));
}

static void wait_until(cohort_stage *stage, cohort_stage_lane *lane, bool (*is_over)(const cohort_stage *, uint64_t),
                       uint64_t number)
{
    while (!is_over(stage, number))
        if (!serve_ring(stage, lane))
            sleep_a_while(stage, lane);
}

/* ------------------------------------------------------------------ the baton */

/* The next replica of the lane that can go on; NULL when all others wait or are done. held: lock */
static cohort_replica *find_next(const cohort_stage_lane *lane, const cohort_replica *after)
{
    int32_t at = 0;
    while (lane->replicas[at] != after)
        at++;
    for (int32_t i = 1; i < lane->n; i++) {
        cohort_replica *r = lane->replicas[(at + i) % lane->n];
        if (r->state == COHORT_REPLICA_READY)
            return r;
    }
    return NULL;
}

static void wait_for_turn(cohort_replica *me)
{
    while (me->lane->turn != me)
        pthread_cond_wait(&me->turn, &me->stage->lock);
}

static void hand_baton(cohort_replica *to)
{
    to->lane->turn = to;
    pthread_cond_signal(&to->turn);
}

/* ------------------------------------------------------------------ meeting */

static bool is_same_call(const cohort_meeting *a, const cohort_meeting *b)
{
    return a->plan == b->plan && strcmp(a->call, b->call) == 0 && a->op == b->op && a->n == b->n &&
           a->what == b->what && (a->n == 0 || memcmp(a->values, b->values, (size_t)a->n * sizeof *a->values) == 0);
}

static void check_call(cohort_stage *stage, const cohort_replica *me, const cohort_meeting *meeting)
{
    if (stage->finished > 0) {
        raise_failure(stage, cohort_error_set(COHORT_EINVAL,
                                              "replica %d calls %s, but another replica has returned from the "
                                              "step function; all replicas call the same collectives",
                                              me->id, meeting->call));
    } else if (stage->arrived == 0) {
        stage->meeting = *meeting;
        stage->first = me->id;
    } else if (!is_same_call(&stage->meeting, meeting)) {
        raise_failure(stage, cohort_error_set(COHORT_EINVAL,
                                              "replica %d calls %s (reduction %d, %d values), replica %d %s "
                                              "(reduction %d, %d values)%s; all replicas call the same "
                                              "collectives with the same values",
                                              stage->first, stage->meeting.call, (int)stage->meeting.op,
                                              stage->meeting.n, me->id, meeting->call, (int)meeting->op, meeting->n,
                                              stage->meeting.n == meeting->n ? ", other values" : ""));
    }
}

/* All are here: plan, and let everybody go on. held: lock */
static void conclude(cohort_stage *stage)
{
    cohort_status status =
        stage->meeting.plan != NULL ? stage->meeting.plan(stage->strategy, &stage->meeting, stage->all) : COHORT_OK;
    if (status < 0)
        raise_failure(stage, status);
    stage->arrived = 0;
    stage->meetings++;
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        if (stage->replicas[r].state == COHORT_REPLICA_WAITING)
            stage->replicas[r].state = COHORT_REPLICA_READY;
    wake_all(stage);
}

cohort_status cohort_stage_meet(cohort_replica *me, const cohort_meeting *meeting)
{
    cohort_stage *stage = me->stage;
    pthread_mutex_lock(&stage->lock);
    if (!has_failed(stage))
        check_call(stage, me, meeting);
    if (!has_failed(stage)) {
        uint64_t number = stage->meetings;
        stage->all[me->id] = meeting->mine;
        me->state = COHORT_REPLICA_WAITING;
        if (++stage->arrived == stage->strategy->n_replicas)
            conclude(stage);
        cohort_replica *next = me->state == COHORT_REPLICA_WAITING ? find_next(me->lane, me) : NULL;
        if (next != NULL) {
            hand_baton(next);
            wait_for_turn(me);
        }
        wait_until(stage, me->lane, is_meeting_over, number);
        (void)serve_ring(stage, me->lane);
    }
    me->state = COHORT_REPLICA_READY;
    pthread_mutex_unlock(&stage->lock);
    return cohort_failure_tell(&crew_of(stage)->failure);
}

void cohort_stage_lock(cohort_replica *me)
{
    pthread_mutex_lock(&me->stage->lock);
}

cohort_status cohort_stage_unlock(cohort_replica *me)
{
    cohort_stage *stage = me->stage;
    wake_all(stage); /* something may have been posted for another lane */
    (void)serve_ring(stage, me->lane);
    pthread_mutex_unlock(&stage->lock);
    return cohort_failure_tell(&crew_of(stage)->failure);
}

/* ------------------------------------------------------------------ playing */

static const char *device_id(const cohort_replica *me)
{
    const cohort_strategy *s = me->stage->strategy;
    return cohort_strategy_opened(s, s->host[me->id])->device->id;
}

/* The function has returned, or its thread ends. held: nothing */
static void finish(cohort_replica *me, cohort_status status)
{
    cohort_stage *stage = me->stage;
    pthread_mutex_lock(&stage->lock);
    if (status < 0) {
        raise_failure(stage, cohort_error_prefix(status, "step function, replica %d on %s", me->id, device_id(me)));
    } else if (stage->arrived > 0 && !has_failed(stage)) {
        raise_failure(stage, cohort_error_set(COHORT_EINVAL,
                                              "replica %d has returned from the step function, but replica %d "
                                              "waits in %s; all replicas call the same collectives",
                                              me->id, stage->first, stage->meeting.call));
    }
    me->state = COHORT_REPLICA_DONE;
    stage->finished++;
    cohort_replica *next = find_next(me->lane, me);
    if (next == NULL) /* those that wait in a collective go on with its error */
        for (int32_t i = 0; i < me->lane->n && next == NULL; i++)
            next = me->lane->replicas[i]->state == COHORT_REPLICA_WAITING ? me->lane->replicas[i] : NULL;
    if (next == NULL)
        next = me->lane->replicas[0]; /* the executor closes the lane */
    hand_baton(next);
    wake_all(stage);
    pthread_mutex_unlock(&stage->lock);
}

/* The next step starts another thread for the replica. */
static void thread_ends(void *argument)
{
    cohort_replica *me = argument;
    current = NULL;
    cohort_strategy_of_step = NULL;
    pthread_mutex_lock(&me->stage->lock);
    me->has_thread = false;
    pthread_mutex_unlock(&me->stage->lock);
    pthread_detach(pthread_self());
    finish(me, cohort_error_set(COHORT_EINVAL, "it ended its thread (pthread_exit or pthread_cancel), which is the "
                                               "library's"));
}

static void play(cohort_replica *me)
{
    cohort_status status = COHORT_OK;
    cohort_replica *outer = current; /* of another strategy, when this step is called inside one of its */
    cohort_strategy *outer_strategy = cohort_strategy_of_step;
    current = me;
    cohort_strategy_of_step = me->stage->strategy;
    cohort_error_clear(); /* what it returns is not about an earlier error */
    if (!has_failed(me->stage))
        status = me->stage->step(me, me->stage->user);
    current = outer;
    cohort_strategy_of_step = outer_strategy;
    if (status < 0 && cohort_error_text()[0] == '\0')
        (void)cohort_error_set(status, "it returned %d (%s)", status, cohort_status_text(status));
    finish(me, status);
}

static void *replica_main(void *argument)
{
    cohort_replica *me = argument;
    cohort_fpstate_set(cohort_fpstate_default());
    for (;;) {
        pthread_mutex_lock(&me->stage->lock);
        while (!me->lane->should_stop && (me->lane->turn != me || me->state != COHORT_REPLICA_READY))
            pthread_cond_wait(&me->turn, &me->stage->lock);
        bool should_stop = me->lane->should_stop;
        pthread_mutex_unlock(&me->stage->lock);
        if (should_stop)
            return NULL;
        pthread_cleanup_push(thread_ends, me);
        play(me);
        pthread_cleanup_pop(0);
    }
}

typedef struct step_op {
    cohort_op op;
    cohort_stage *stage;
    cohort_stage_lane *lane;
} step_op;

/* The executor plays the first replica, then serves the ring until every replica everywhere has returned. */
static cohort_status do_step(cohort_lane *l, cohort_op *op)
{
    cohort_stage *stage = ((step_op *)op)->stage;
    cohort_stage_lane *lane = ((step_op *)op)->lane;
    cohort_replica *first = lane->replicas[0];
    (void)l;
    play(first);
    pthread_mutex_lock(&stage->lock);
    wait_for_turn(first); /* the last of the lane hands the baton back */
    wait_until(stage, lane, is_step_over, 0);
    (void)serve_ring(stage, lane); /* nobody posts any more */
    pthread_mutex_unlock(&stage->lock);
    return COHORT_OK; /* an error was raised where it happened */
}

/* ------------------------------------------------------------------ making and freeing */

static void free_stage(cohort_stage *stage)
{
    for (int32_t r = 0; stage->replicas != NULL && r < stage->strategy->n_replicas; r++)
        pthread_cond_destroy(&stage->replicas[r].turn);
    for (int32_t i = 0; stage->lanes != NULL && i < crew_of(stage)->n_lanes; i++) {
        pthread_cond_destroy(&stage->lanes[i].changed);
        cohort_free(stage->lanes[i].watches);
        cohort_free(stage->lanes[i].replicas);
    }
    pthread_mutex_destroy(&stage->lock);
    cohort_free(stage->all);
    cohort_free(stage->replicas);
    cohort_free(stage->lanes);
    cohort_free(stage);
}

static void stop_threads(cohort_stage *stage)
{
    pthread_mutex_lock(&stage->lock);
    for (int32_t i = 0; i < crew_of(stage)->n_lanes; i++)
        stage->lanes[i].should_stop = true;
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        pthread_cond_signal(&stage->replicas[r].turn);
    pthread_mutex_unlock(&stage->lock);
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        if (stage->replicas[r].has_thread)
            pthread_join(stage->replicas[r].thread, NULL);
}

static void destroy_stage(cohort_dependent *dependent)
{
    cohort_stage *stage = (cohort_stage *)dependent;
    cohort_strategy_disown(dependent);
    if (cohort_crew_has_lost(crew_of(stage)))
        return; /* a replica may still be inside a device; its stage is leaked with it */
    stop_threads(stage);
    free_stage(stage);
}

/* Replicas in order of their ids, each to the lane of the device that hosts it. */
static cohort_status cast(cohort_stage *stage)
{
    const cohort_strategy *s = stage->strategy;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_replica *replica = &stage->replicas[r];
        cohort_stage_lane *lane = &stage->lanes[cohort_strategy_opened(s, s->host[r])->lane->index];
        if (lane->replicas == NULL)
            lane->replicas = cohort_allocate((size_t)s->n_replicas, sizeof *lane->replicas);
        if (lane->replicas == NULL)
            return cohort_error_memory("a step function");
        *replica = (cohort_replica){ .stage = stage, .lane = lane, .id = r };
        cohort_condition_init(&replica->turn);
        lane->replicas[lane->n++] = replica;
    }
    return COHORT_OK;
}

static cohort_status fill_stage(cohort_stage *stage)
{
    const cohort_strategy *s = stage->strategy;
    pthread_mutex_init(&stage->lock, NULL);
    stage->lanes = cohort_allocate((size_t)s->crew->n_lanes, sizeof *stage->lanes);
    stage->replicas = cohort_allocate((size_t)s->n_replicas, sizeof *stage->replicas);
    stage->all = cohort_allocate((size_t)s->n_replicas, sizeof *stage->all);
    if (stage->lanes == NULL || stage->replicas == NULL || stage->all == NULL)
        return cohort_error_memory("a step function");
    for (int32_t i = 0; i < s->crew->n_lanes; i++) {
        stage->lanes[i].index = i;
        cohort_condition_init(&stage->lanes[i].changed);
    }
    for (int32_t i = 0; i < s->crew->n_lanes; i++)
        if ((stage->lanes[i].watches = cohort_allocate((size_t)s->crew->n_lanes, sizeof(cohort_watch))) == NULL)
            return cohort_error_memory("a step function");
    return cast(stage);
}

static cohort_stage *stage_of(cohort_strategy *strategy)
{
    if (strategy->stage != NULL)
        return strategy->stage;
    cohort_stage *stage = cohort_allocate(1, sizeof *stage);
    if (stage == NULL) {
        (void)cohort_error_memory("a step function");
        return NULL;
    }
    stage->strategy = strategy;
    if (fill_stage(stage) < 0) {
        free_stage(stage);
        return NULL;
    }
    stage->dependent.destroy = destroy_stage;
    cohort_strategy_adopt(strategy, &stage->dependent);
    return strategy->stage = stage;
}

static cohort_status start_thread(cohort_replica *replica)
{
    int error = cohort_thread_start(&replica->thread, replica_main, replica);
    replica->has_thread = error == 0;
    return error == 0 ? COHORT_OK
                      : cohort_error_set(COHORT_ENOMEM, "cannot start a thread for replica %d: %s", replica->id,
                                         strerror(error));
}

static cohort_status start_threads(cohort_stage *stage)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < crew_of(stage)->n_lanes; i++)
        for (int32_t j = 1; j < stage->lanes[i].n && status >= 0; j++)
            if (!stage->lanes[i].replicas[j]->has_thread)
                status = start_thread(stage->lanes[i].replicas[j]);
    return status;
}

/* ------------------------------------------------------------------ a step */

static void reset_stage(cohort_stage *stage, cohort_step_fn step, void *user)
{
    stage->step = step;
    stage->user = user;
    stage->finished = stage->arrived = 0;
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        stage->replicas[r].state = COHORT_REPLICA_READY;
    for (int32_t i = 0; i < crew_of(stage)->n_lanes; i++)
        if (stage->lanes[i].n > 0)
            stage->lanes[i].turn = stage->lanes[i].replicas[0];
}

/* The rings are empty, so none can be full. The caller's own lane starts when the caller waits. */
static void post_step(cohort_stage *stage)
{
    cohort_crew *crew = crew_of(stage);
    for (int32_t i = 0; i < crew->n_lanes; i++) {
        cohort_stage_lane *lane = &stage->lanes[i];
        if (lane->n == 0)
            continue;
        cohort_opened *where = cohort_strategy_opened(stage->strategy, stage->strategy->host[lane->replicas[0]->id]);
        cohort_crew_need_nothing(crew);
        step_op *op = cohort_crew_begin(crew, where, sizeof *op, do_step);
        if (op == NULL)
            continue;
        op->stage = stage;
        op->lane = lane;
        op->op.flags = COHORT_OP_ALWAYS; /* also when another lane has failed already: its replicas are counted */
        (void)cohort_crew_post(crew, where, &op->op);
    }
}

cohort_status cohort_stage_play(cohort_strategy *strategy, cohort_step_fn step, void *user)
{
    cohort_stage *stage = stage_of(strategy);
    cohort_status status = stage != NULL ? start_threads(stage) : COHORT_ENOMEM;
    if (status < 0)
        return status;
    cohort_crew_wait_all(strategy->crew);
    status = cohort_failure_tell(&strategy->crew->failure);
    if (status < 0)
        return status;
    pthread_mutex_lock(&stage->lock); /* nobody plans before all lanes have the step */
    reset_stage(stage, step, user);
    post_step(stage);
    strategy->crew->let_others = let_others;
    strategy->crew->stage = stage;
    strategy->crew->is_in_step = true;
    pthread_mutex_unlock(&stage->lock);
    cohort_crew_wait_all(strategy->crew);
    strategy->crew->is_in_step = false;
    return cohort_failure_tell(&strategy->crew->failure);
}
