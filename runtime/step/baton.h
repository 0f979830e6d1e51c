/* SPDX-License-Identifier: BSD-3-Clause */
/* The baton of a lane: who of its replicas runs, and what it does while it waits. All held: lock of
 * the stage. */
#ifndef COHORT_STEP_BATON_H
#define COHORT_STEP_BATON_H

#include "runtime/step/bed.h"
#include "runtime/step/stage.h"

/* The thing that a replica waits for. */
struct cohort_pause {
    bool (*is_over)(const cohort_replica *me, const cohort_frame *frame, uint64_t number);
    cohort_frame *frame;
    uint64_t number;
};

/* Do what is in the lane's step ring; false: nothing was. The lock is given up meanwhile. */
bool cohort_baton_serve(cohort_stage *stage, cohort_stage_lane *lane);

/* A step that this replica has not begun yet. */
bool cohort_baton_has_step(const cohort_replica *me);

/* Wait, with the baton at the end: others of the lane run meanwhile, its ring is done, and steps
 * that begin are played. The lock is given up meanwhile. */
void cohort_baton_wait(cohort_replica *me, const cohort_pause *wait);

/* Do the lane's ring, or wait a while when there is nothing in it. The lock is given up
 * meanwhile. */
void cohort_baton_attend(cohort_stage *stage, cohort_stage_lane *lane);

/* This replica's thread waits for the next step: another one of the lane goes on. Returns who was
 * called for it. */
cohort_call_out cohort_baton_leave(cohort_replica *me);

/* Before a replica with the baton goes on: on the core of its device, if that is a single one. Work
 * that is handed on there needs no other core to wake up. */
void cohort_baton_settle(cohort_replica *me);

/* All replicas have returned, or their device is lost. */
bool cohort_baton_is_step_over(const cohort_replica *me, const cohort_frame *frame,
                               uint64_t number);

/* How the planner waits while a step runs: it hands the baton on meanwhile. */
cohort_waiting cohort_baton_waiting(cohort_stage *stage);

#endif
