/* SPDX-License-Identifier: BSD-3-Clause */
/* Replica context: code that branches or talks per replica.
 *
 * cohort_for_each_replica(s, step, user) calls `step` once per replica, on its device's executor. Replicas on
 * different devices run at the same time; of those that one device hosts, one runs and the others wait in their
 * collective. A value stands for this replica's component. Collectives are called alike by all replicas: the same
 * calls in the same order; what differs is an error on all of them that names both. */
#ifndef COHORT_REPLICA_H
#define COHORT_REPLICA_H

#include <cohort/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_replica cohort_replica;

/* Returns COHORT_OK, or the error that ends the step on all replicas. Must not leave by longjmp or pthread_exit. */
typedef cohort_status (*cohort_step_fn)(cohort_replica *me, void *user);

/* Returns when all replicas are done. An error inside one replica stops the others at their next call, is returned and
 * sticks. Inside a step function: COHORT_EINVAL, as for cohort_run, cohort_reduce and the like. */
COHORT_API cohort_status cohort_for_each_replica(cohort_strategy *strategy, cohort_step_fn step, void *user);

/* The replica that runs on this thread; NULL outside a step function. */
COHORT_API cohort_replica *cohort_replica_current(void);

/* `me` is valid inside the step function that got it, on its thread. */
COHORT_API int cohort_replica_id(const cohort_replica *me);    /* replica_id_in_sync_group; -1 for NULL */
COHORT_API int cohort_replica_count(const cohort_replica *me); /* num_replicas_in_sync; 0 for NULL */
COHORT_API cohort_strategy *cohort_replica_strategy(const cohort_replica *me);
COHORT_API const cohort_device *cohort_replica_device(const cohort_replica *me);

/* cohort_replica_run(me, f, arguments...): as cohort_run, for this replica alone; done on return. */
COHORT_API cohort_status cohort_replica_run_arguments(cohort_replica *me, const cohort_function *function,
                                                      const cohort_argument arguments[]);
#ifndef __cplusplus
#define cohort_replica_run(me, ...)                                                                                    \
    cohort_replica_run_arguments((me), COHORT_HEAD_(__VA_ARGS__, 0), COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* Copy this replica's component (of a plain value: the content) into `into`. */
COHORT_API cohort_status cohort_replica_read(cohort_replica *me, cohort_value *value, cohort_array into);

/* Combine n values across the replicas, in place, along the tree of cohort_reduce without an axis. Shapes must be
 * equal on all replicas that have a component. */
COHORT_API cohort_status cohort_all_reduce(cohort_replica *me, cohort_reduce_op op, cohort_value *const values[],
                                           int n);

/* Wait until every replica is here. */
COHORT_API cohort_status cohort_barrier(cohort_replica *me);

#ifdef __cplusplus
}

template <class... A>
inline cohort_status cohort_replica_run(cohort_replica *me, const cohort_function *function, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)..., cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_replica_run_arguments(me, function, list);
}
#endif
#endif
