/* SPDX-License-Identifier: BSD-3-Clause */
/* Beds: where the replicas of a lane sleep while another one has the baton, and how they are
 * called.
 *
 * A replica on a thread of its own, of devices of one core, sleeps together with the others of its
 * lane: when a collective is complete all of them can go on, one after the other, and one call
 * wakes them all. On the one core that they have they come one after the other too, each when the
 * one before sleeps again, and none of them has to wake the next: to wake threads one by one takes
 * half as long again. A replica that was woken in vain, because somebody has kept the baton for
 * longer than the system let it run, sleeps by itself until its wait is over, and so does the
 * runner of a lane, which waits for the end of the step. All held, but where it says otherwise:
 * lock of the stage. */
#ifndef COHORT_STEP_BED_H
#define COHORT_STEP_BED_H

#include "runtime/step/stage.h"

/* The replicas that were called, and have to be woken. */
typedef struct cohort_call_out {
    cohort_stage_lane *lane; /* those who sleep together in it; NULL: they were not called */
    cohort_replica *one;     /* who sleeps by itself; NULL: nobody */
} cohort_call_out;

/* It may come for the baton: counted in the lane's n_called until it has. */
void cohort_bed_call(cohort_replica *replica);

/* It is awake. */
void cohort_bed_come(cohort_replica *me);

/* Wake who was called. Without the lock, or the threads that wake up would wait for it. */
void cohort_bed_wake(cohort_call_out called);

/* Wake `called`, and sleep until called or until that time of cohort_clock_ns; INT64_MAX: without
 * an end. A replica that wakes up takes the baton if nobody has it. The lock is given up meanwhile.
 *
 * is_patient  it may sleep together with others: this wait has not been woken in vain */
void cohort_bed_sleep(cohort_replica *me, cohort_call_out called, int64_t end_ns, bool is_patient);

#endif
