/* SPDX-License-Identifier: BSD-3-Clause */
/* A stage: where the replicas of step functions run and meet.
 *
 * A step is one operation per lane. The lane's runner plays its first replica; every further
 * replica of the lane has a thread of its own, and a baton goes round: one replica of a lane runs,
 * the others wait for their turn. The holder of the baton also does the lane's step ring, while it
 * waits for others too, so that what another lane planned for this one gets done.
 *
 * The frame is the part that belongs to one step. The function of a merge call may play a step of
 * its own: its frame lies upon the outer one, and every replica plays it where it waits.
 *
 * Everything here is guarded by one lock, which is also that of the planner while a step runs; but
 * while a merge function runs, all replicas wait for it, and its thread alone plans, without the
 * lock.
 *
 * A lane has one thread that is not asleep: whoever has its baton. So it may look for a while for
 * what the others do before it sleeps, as runners do that wait for a lane, and no more threads look
 * than the executor has lanes. Replicas that wait for the baton sleep until they are called: see
 * bed.h. */
#ifndef COHORT_STEP_STAGE_H
#define COHORT_STEP_STAGE_H

#include "runtime/strategy/strategy.h"
#include "runtime/value/value.h"

#include <cohort/replica.h>

typedef struct cohort_stage cohort_stage;
typedef struct cohort_stage_lane cohort_stage_lane;
typedef struct cohort_frame cohort_frame;
typedef struct cohort_pause cohort_pause;
typedef struct cohort_traced cohort_traced;

/* A collective as one replica calls it. */
typedef struct cohort_rendezvous {
    const char *call, *site; /* "cohort_barrier", "step.c:12" */

    /* the same on all replicas */
    cohort_reduce_op op; /* or another number */
    int32_t n;
    cohort_value *const *values;
    const void *what; /* a variable or a function that the call is about, or NULL */

    /* what differs: plan gets that of all replicas, all[0 .. R - 1] */
    void *mine;

    /* Posts what the collective needs, once, when all are here; may be NULL. A failure is that of
     * all. */
    cohort_status (*plan)(cohort_strategy *strategy, const struct cohort_rendezvous *rendezvous,
                          void *const all[]);

    /* All of these may be NULL. */
    /* instead of plan: called in cross-replica context */
    cohort_merge_fn merge;
    /* of two replicas, where `mine` has to be the same */
    bool (*is_same)(const void *mine, const void *other);
    /* the arguments in words */
    void (*describe)(const struct cohort_rendezvous *rendezvous, char *out, size_t size);
    /* how a program records it (trace.h); NULL: it cannot */
    const cohort_traced *traced;
} cohort_rendezvous;

struct cohort_replica {
    cohort_stage *stage;
    cohort_stage_lane *lane;
    int32_t id;
    pthread_t thread; /* when the runner does not play it */
    bool has_thread;
    const cohort_pause *wait; /* what it waits for; NULL: for a step to play */
    atomic_uint calls;        /* of this one alone: a futex */
    atomic_bool is_called;    /* and has not come since; changes when held: lock of the stage */
    bool is_together;         /* it sleeps, or goes to sleep, with the others of its lane */
    int cpu;                  /* that its thread is bound to; -1: none */
};

/* Play a step on all replicas: returns when all are done, with the first error. The strategy was
 * entered, by the program or by the function of a merge call. `site` and `name` are the caller's,
 * for messages. */
cohort_status cohort_stage_play(cohort_strategy *strategy, const char *site, const char *name,
                                cohort_step_fn step, void *user);

/* Meet all other replicas. Returns when all are here and what was planned is done on this lane. An
 * error is the strategy's, of all of them. */
cohort_status cohort_stage_meet(cohort_replica *me, const cohort_rendezvous *rendezvous);

/* Plan on behalf of this replica: lock, then post, then unlock, which has the lane's step ring done
 * to its end. Returns the error that sticks, if any. Nobody else plans in between, also when the
 * plan is longer than a ring and the stage's own lock is given up meanwhile. */
void cohort_stage_lock(cohort_replica *me);
cohort_status cohort_stage_unlock(cohort_replica *me);

/* The replica that runs on this thread; NULL in the function of a merge call. */
cohort_replica *cohort_stage_current(void);

/* A call of replica context: `me` runs on this thread, and nothing has failed. COHORT_EINVAL with
 * "call: ...", or the error that sticks. */
cohort_status cohort_stage_check(const cohort_replica *me, const char *call);

/* The end of a public call of replica context: as cohort_call_end. me: may be NULL; then `first`
 * counts, the strategy of the call's first object, or NULL. */
cohort_status cohort_stage_end(const cohort_replica *me, cohort_strategy *first,
                               cohort_status status);

/* The device that hosts it, for messages. */
const char *cohort_stage_device_id(const cohort_replica *me);

/* A replica's share of a frame. */
typedef struct cohort_part {
    enum { COHORT_PART_IDLE, COHORT_PART_PLAYS, COHORT_PART_WAITS, COHORT_PART_DONE } state;
    const char *call; /* its latest collective that all have met in; NULL: none */
    char site[96];    /* where it was called */
} cohort_part;

/* One step. */
struct cohort_frame {
    cohort_frame *outer, *inner; /* inner: kept for the next step inside this one */
    const char *site, *name;
    cohort_step_fn step;
    void *user;
    cohort_part *parts;           /* [replicas] */
    int32_t finished;             /* replicas that have returned */
    int32_t arrived;              /* replicas that wait in the collective */
    int32_t first;                /* the one that came first */
    uint64_t n_complete;          /* collectives that are complete */
    cohort_rendezvous rendezvous; /* as the first has called it */
    void **all;                   /* [replicas]: what each has brought to it */
    cohort_replica *concluder;    /* who plans it, or runs its merge function; NULL: nobody yet */
};

struct cohort_stage {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    pthread_mutex_t lock;
    cohort_stage_lane *lanes; /* [lanes of the executor] */
    cohort_replica *replicas; /* [replicas] */
    cohort_frame *base;       /* frame of the outermost step, kept */
    cohort_frame *frame;      /* of the innermost one that runs; NULL: none */
    cohort_replica *planner;  /* who plans for itself alone; NULL: nobody */
    int32_t n_queued;         /* replicas that wait for it to be NULL */
    cohort_waiting waiting;   /* of the planner while a step runs: see baton.h */
    /* play the innermost step on the thread of a replica that has not begun it (step.c). held:
     * lock, given up meanwhile */
    void (*play)(cohort_replica *me);
    bool must_ring; /* some lane that has news is asleep */
};

struct cohort_stage_lane {
    int32_t index;
    int32_t n;                 /* replicas that it hosts */
    cohort_replica **replicas; /* [n]; the first is the runner's */
    cohort_replica *turn;      /* who has the baton; NULL: whoever of those called comes first */
    int32_t n_called;          /* replicas that were called, and have not come */
    atomic_uint calls;         /* of those who sleep together: a futex, see bed.h */
    bool has_one_core;         /* what its devices are: see baton.c */
    int cpu;                   /* where its runner was last seen */
    int64_t met_ns; /* since when its runner has met the program's thread there; 0: has not */
    bool should_stop;
    atomic_bool is_asleep;  /* who has the baton sleeps until there are news; changes when held */
    pthread_cond_t changed; /* there are */
    int64_t told_ns;        /* when news were told to a sleeper first; held: lock of the stage */
    uint32_t n_late; /* times in a row that they came too late to look for: see news_await.c */

    /* Counts what has happened that who has the baton may wait for; changes under the lock, and is
     * read without it. It has a cache line of its own, for one thread looks at it all the time. */
    char before[64];
    atomic_uint news;
    atomic_int here; /* the CPU where who has the baton was last seen; written by it alone */
    char behind[64];
};

static inline cohort_strategy *cohort_stage_strategy(const cohort_replica *me)
{
    return me->stage->strategy;
}

/* The replica of this strategy that runs on this thread; NULL: none, the call is one of
 * cross-replica context. */
static inline cohort_replica *cohort_stage_replica_of(const cohort_strategy *strategy)
{
    cohort_replica *me = cohort_stage_current();
    return me != NULL && cohort_stage_strategy(me) == strategy ? me : NULL;
}

static inline cohort_executor *cohort_stage_executor(const cohort_stage *stage)
{
    return stage->strategy->executor;
}

static inline bool cohort_stage_has_failed(const cohort_stage *stage)
{
    return cohort_failure_is_set(&cohort_stage_executor(stage)->failure);
}

#endif
