/* SPDX-License-Identifier: BSD-3-Clause */
/* The baton of a lane: who of its replicas runs, and what it does while it waits. All held: lock of
 * the stage. */
#ifndef COHORT_RUN_BATON_H
#define COHORT_RUN_BATON_H

#include "runtime/run/bed.h"
#include "runtime/run/stage.h"
#include "runtime/strategy/scope.h"

/* What a replica waits for. */
struct cohort_pause {
    bool (*is_over)(const cohort_replica *me, const cohort_frame *frame, uint64_t number);
    cohort_frame *frame;
    uint64_t number;
};

/* What runs on this thread. */
typedef struct cohort_player {
    cohort_replica *me;      /* whose thread this is */
    cohort_replica *current; /* the same; NULL in the function of a merge call */
    cohort_inside inside;
    bool has_lock; /* of me's stage */
} cohort_player;

/* Become another one; returns what was before, to go back to. */
cohort_player cohort_baton_become(cohort_player player);

/* The replica whose thread this is, in the function of a merge call too. */
cohort_replica *cohort_baton_me(void);

/* Take and give the lock of a stage on a thread that may plan. It is held for a microsecond or two,
 * so whoever finds it taken looks for a while before it sleeps. */
void cohort_baton_lock(cohort_stage *stage);
void cohort_baton_unlock(cohort_stage *stage);

/* Somebody may go on, or a ring has something to do: news for all lanes. _busy: nobody may, but
 * rings have, if any. */
void cohort_baton_wake(cohort_stage *stage);
void cohort_baton_wake_busy(cohort_stage *stage);

/* An error of the step; wakes all. What was planned before is done all the same. */
void cohort_baton_raise(cohort_stage *stage, cohort_status status);

/* The same, of a thread that may have been planning: lanes stop, for what they wait for may never
 * be posted. */
void cohort_baton_stop(cohort_stage *stage, cohort_status status);

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

/* Before a replica with the baton goes on: on the core of its device, if that is a single one. What
 * is handed on there needs no other core to wake up. */
void cohort_baton_settle(cohort_replica *me);

/* All replicas have returned, or their device is lost. */
bool cohort_baton_is_step_over(const cohort_replica *me, const cohort_frame *frame,
                               uint64_t number);

/* How the planner waits while a step runs: it hands the baton on meanwhile. */
cohort_waiting cohort_baton_waiting(cohort_stage *stage);

#endif
