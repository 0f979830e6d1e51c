/* SPDX-License-Identifier: BSD-3-Clause */
/* A step function: what each replica of it calls, in a loop, and traced where it is recorded. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

typedef struct job {
    world *w;
    const step_call *c;
} job;

static cohort_argument step_of(const world *w)
{
    return w->step > 0 ? COHORT_ARG_(w->step) : COHORT_STEP;
}

/* Its own number, too, so that the replicas do not all do the same. */
static cohort_status run_own(cohort_replica *me, const job *j)
{
    world *w = j->w;
    return cohort_replica_run(me, w->f->scale[j->c->type],
                              j->c->number / 8.0 + cohort_replica_id(me), step_of(w),
                              w->values[j->c->x], w->values[j->c->into]);
}

static cohort_status run_and_reduce(cohort_replica *me, const job *j)
{
    cohort_status status = run_own(me, j);
    return status < 0
               ? status
               : cohort_all_reduce(me, (cohort_reduce_op)j->c->op, &j->w->values[j->c->into], 1);
}

static cohort_status run_and_broadcast(cohort_replica *me, const job *j)
{
    cohort_status status = run_own(me, j);
    return status < 0 ? status
                      : cohort_replica_broadcast(me, j->w->values[j->c->into],
                                                 j->c->number % cohort_replica_count(me));
}

static cohort_status merge(cohort_strategy *s, void *const user[], int n)
{
    const job *j = user[0];
    (void)s, (void)n;
    return cohort_reduce((cohort_reduce_op)j->c->op, j->w->values[j->c->into], COHORT_NO_AXIS,
                         j->w->values[j->c->second]);
}

static cohort_status run_and_merge(cohort_replica *me, job *j)
{
    cohort_status status = run_own(me, j);
    return status < 0 ? status : cohort_merge_call(me, merge, j);
}

static cohort_status play_replica(cohort_replica *me, void *user)
{
    job *j = user;
    world *w = j->w;
    const step_call *c = j->c;
    switch (c->does) {
    case ALL_REDUCE:
        return run_and_reduce(me, j);
    case ALL_REDUCE_INTO:
        return cohort_all_reduce_into(me, (cohort_reduce_op)c->op, w->values[c->x],
                                      w->values[c->into]);
    case ALL_GATHER:
        return cohort_all_gather(me, w->values[c->x], 0, w->values[c->into]);
    case REPLICA_BROADCAST:
        return run_and_broadcast(me, j);
    case REPLICA_UPDATE:
        return cohort_replica_update(me, w->variables[c->v], w->f->mark[c->type], c->number / 8.0,
                                     step_of(w), w->variables[c->v]);
    default:
        return run_and_merge(me, j);
    }
}

cohort_status make_step_function(world *w, const step_call *c)
{
    return cohort_for_each_replica(w->s, play_replica, &(job){ w, c });
}
