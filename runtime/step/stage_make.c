/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/stage_make.h"

#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/step/baton.h"
#include "runtime/step/bed.h"

/* What a stage is kept by with its strategy. */
static const char key;

cohort_stage *cohort_stage_of(const cohort_strategy *strategy)
{
    return cohort_strategy_attached(strategy, &key);
}

/* ------------------------------------------------------------------ freeing */

static void free_frames(cohort_frame *frame)
{
    while (frame != NULL) {
        cohort_frame *inner = frame->inner;
        cohort_free(frame->parts);
        cohort_free(frame->all);
        cohort_free(frame);
        frame = inner;
    }
}

static void free_stage(cohort_stage *stage)
{
    for (int32_t i = 0; stage->lanes != NULL && i < cohort_stage_executor(stage)->n_lanes; i++) {
        pthread_cond_destroy(&stage->lanes[i].changed);
        cohort_free(stage->lanes[i].replicas);
    }
    pthread_mutex_destroy(&stage->lock);
    free_frames(stage->base);
    cohort_free(stage->replicas);
    cohort_free(stage->lanes);
    cohort_free(stage);
}

static void stop_threads(cohort_stage *stage)
{
    pthread_mutex_lock(&stage->lock);
    for (int32_t i = 0; i < cohort_stage_executor(stage)->n_lanes; i++)
        stage->lanes[i].should_stop = true;
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        cohort_bed_call(&stage->replicas[r]);
    pthread_mutex_unlock(&stage->lock);
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        cohort_bed_wake((cohort_call_out){ stage->replicas[r].lane, &stage->replicas[r] });
    for (int32_t r = 0; r < stage->strategy->n_replicas; r++)
        if (stage->replicas[r].has_thread)
            pthread_join(stage->replicas[r].thread, NULL);
}

static void destroy_stage(cohort_dependent *dependent)
{
    cohort_stage *stage = (cohort_stage *)dependent;
    cohort_strategy_disown(dependent);
    if (cohort_executor_has_lost(cohort_stage_executor(stage)))
        return; /* a replica may still be inside a device; its stage is leaked with it */
    stop_threads(stage);
    free_stage(stage);
}

/* Replicas that are hosted otherwise are of other lanes: the next step function makes a stage. */
static void end_stage(cohort_dependent *dependent)
{
    cohort_strategy_detach(((cohort_stage *)dependent)->strategy, &key);
    destroy_stage(dependent);
}

/* ------------------------------------------------------------------ making */

cohort_frame *cohort_stage_frame(cohort_stage *stage, cohort_frame *outer)
{
    cohort_frame **place = outer != NULL ? &outer->inner : &stage->base;
    if (*place != NULL)
        return *place;
    cohort_frame *frame = cohort_allocate(1, sizeof *frame);
    if (frame != NULL) {
        frame->outer = outer;
        frame->parts = cohort_allocate((size_t)stage->strategy->n_replicas, sizeof *frame->parts);
        frame->all = cohort_allocate((size_t)stage->strategy->n_replicas, sizeof *frame->all);
    }
    if (frame != NULL && frame->parts != NULL && frame->all != NULL)
        return *place = frame;
    free_frames(frame);
    (void)cohort_error_memory("a step function");
    return NULL;
}

/* Replicas in order of their ids, each to the lane of the device that hosts it. The first replica
 * of a lane is played by the lane's runner; the threads of all others are started with the first
 * step (step.c). */
static cohort_status cast(cohort_stage *stage)
{
    const cohort_strategy *s = stage->strategy;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_replica *replica = &stage->replicas[r];
        cohort_stage_lane *lane =
            &stage->lanes[cohort_strategy_context(s, s->host[r])->lane->index];
        if (lane->replicas == NULL)
            lane->replicas = cohort_allocate((size_t)s->n_replicas, sizeof *lane->replicas);
        if (lane->replicas == NULL)
            return cohort_error_memory("a step function");
        *replica = (cohort_replica){ .stage = stage, .lane = lane, .id = r, .cpu = -1 };
        lane->replicas[lane->n++] = replica;
    }
    return COHORT_OK;
}

/* A part of the host that is one core, or several such that share it. */
static bool is_one_core(const cohort_device *device)
{
    return (device->info->caps & COHORT_CAP_PROMPT) != 0 &&
           device->info->compute_units <= device->parts;
}

static cohort_status fill_stage(cohort_stage *stage)
{
    const cohort_strategy *s = stage->strategy;
    pthread_mutex_init(&stage->lock, NULL);
    stage->lanes = cohort_allocate((size_t)s->executor->n_lanes, sizeof *stage->lanes);
    stage->replicas = cohort_allocate((size_t)s->n_replicas, sizeof *stage->replicas);
    if (stage->lanes == NULL || stage->replicas == NULL)
        return cohort_error_memory("a step function");
    for (int32_t i = 0; i < s->executor->n_lanes; i++) {
        stage->lanes[i].index = i;
        atomic_init(&stage->lanes[i].here, -1 - i);
        cohort_condition_init(&stage->lanes[i].changed);
    }
    for (int32_t i = 0; i < s->executor->n_contexts; i++) {
        const cohort_context *context = s->executor->contexts[i];
        stage->lanes[context->lane->index].has_one_core = is_one_core(context->device);
    }
    return cohort_stage_frame(stage, NULL) != NULL ? cast(stage) : COHORT_ENOMEM;
}

/* Frames, lanes and replicas are kept for all later steps of the strategy. */
static cohort_stage *make_stage(cohort_strategy *strategy)
{
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
    stage->waiting = cohort_baton_waiting(stage);
    stage->dependent.destroy = destroy_stage;
    stage->dependent.rehost = end_stage;
    cohort_strategy_adopt(strategy, &stage->dependent);
    cohort_strategy_attach(strategy, &key, stage, NULL);
    return stage;
}

cohort_stage *cohort_stage_prepare(cohort_strategy *strategy)
{
    cohort_stage *stage = cohort_stage_of(strategy);
    return stage != NULL ? stage : make_stage(strategy);
}
