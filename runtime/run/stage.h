/* SPDX-License-Identifier: BSD-3-Clause */
/* A stage: where the replicas of one step function run and meet.
 *
 * A step is one operation per lane. The lane's executor plays its first replica; every further replica of the lane has
 * a thread of its own, and a baton goes round: one replica of a lane runs, the others wait for their turn. Whoever has
 * the baton also does the lane's step ring, while it waits for others too, so that what another lane planned for this
 * one gets done.
 *
 * Everything here is guarded by one lock, which is also that of the planner while a step runs. */
#ifndef COHORT_RUN_STAGE_H
#define COHORT_RUN_STAGE_H

#include "runtime/strategy/strategy.h"
#include "runtime/value/value.h"

#include <cohort/replica.h>

typedef struct cohort_stage cohort_stage;
typedef struct cohort_stage_lane cohort_stage_lane;

/* A collective as one replica calls it. */
typedef struct cohort_meeting {
    const char *call, *site; /* "cohort_barrier", "step.c:12" */

    /* the same on all replicas */
    cohort_reduce_op op; /* or another number */
    int32_t n;
    cohort_value *const *values;
    const void *what; /* a variable or a function that the call is about, or NULL */

    /* what differs: plan gets that of all replicas, all[0 .. R - 1] */
    void *mine;

    /* Posts what the collective needs, once, when all are here; may be NULL. A failure is that of all. */
    cohort_status (*plan)(cohort_strategy *strategy, const struct cohort_meeting *meeting, void *const all[]);
} cohort_meeting;

struct cohort_replica {
    cohort_stage *stage;
    cohort_stage_lane *lane;
    int32_t id;
    pthread_t thread; /* when the executor does not play it */
    bool has_thread;
    pthread_cond_t turn; /* the baton came */
    enum { COHORT_REPLICA_IDLE, COHORT_REPLICA_READY, COHORT_REPLICA_WAITING, COHORT_REPLICA_DONE } state;
};

/* Play a step on all replicas: returns when all are done, with the first error. The strategy was entered. */
cohort_status cohort_stage_play(cohort_strategy *strategy, cohort_step_fn step, void *user);

/* Meet all other replicas. Returns when all are here and what was planned is done on this lane. */
cohort_status cohort_stage_meet(cohort_replica *me, const cohort_meeting *meeting);

/* Plan on behalf of this replica: lock, then post, then unlock, which has the lane's step ring done to its end. Returns
 * the error that sticks, if any. */
void cohort_stage_lock(cohort_replica *me);
cohort_status cohort_stage_unlock(cohort_replica *me);

/* The replica that runs on this thread. */
cohort_replica *cohort_stage_current(void);

struct cohort_stage {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    pthread_mutex_t lock;
    cohort_stage_lane *lanes; /* [lanes of the crew] */
    cohort_replica *replicas; /* [replicas] */
    cohort_step_fn step;
    void *user;
    int32_t finished;       /* replicas that have returned */
    int32_t arrived;        /* replicas that wait in the collective */
    uint64_t meetings;      /* collectives that are complete */
    cohort_meeting meeting; /* as the first replica that arrived called it */
    void **all;             /* [replicas]: what each has brought to it */
    int32_t first;          /* that replica */
};

struct cohort_stage_lane {
    int32_t index;
    int32_t n;                 /* replicas that it hosts */
    cohort_replica **replicas; /* [n]; the first is the executor's */
    cohort_replica *turn;      /* who has the baton */
    cohort_watch *watches;     /* [lanes]: how long who has it here has waited for each lane's device */
    pthread_cond_t changed;    /* something happened that who has the baton may wait for */
    bool should_stop;
};

static inline cohort_strategy *cohort_stage_strategy(const cohort_replica *me)
{
    return me->stage->strategy;
}

#endif
