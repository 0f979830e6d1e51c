/* SPDX-License-Identifier: BSD-3-Clause */
/* Replica context: code that branches or talks per replica.
 *
 * cohort_for_each_replica(s, step, user) calls `step` once per replica, on its device's executor.
 * Replicas on different devices run at the same time. Of the replicas that one device hosts, one
 * runs while the others wait in their collective: a replica must not wait for another one of its
 * device in any other way, such as on a mutex that this one holds, for it would wait for ever. From
 * its first line to its last a step function is on one thread, which is no other replica's, so that
 * thread-local variables are its own. A value stands for this replica's component, a variable for
 * what cohort/variable.h says.
 *
 * All replicas call collectives alike: the same calls in the same order with the same values. A
 * call that differs, or a replica that returns while others wait, is an error on all of them that
 * names both calls, where they stand and the replicas. A replica that does not come is an error
 * after COHORT_TIMEOUT_COLLECTIVE. `site` is "file:line" of the caller; the macros fill it in.
 *
 * While a program is recorded the function is traced (cohort/program.h): every call of a replica
 * that acts on its strategy is a collective there, which only records. */
#ifndef COHORT_REPLICA_H
#define COHORT_REPLICA_H

#include <cohort/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_replica cohort_replica;

/* A step function. Returns COHORT_OK, or the error that ends the step on all replicas. Must not
 * leave by longjmp or pthread_exit. */
typedef cohort_status (*cohort_step_fn)(cohort_replica *me, void *user);

/* Call a step function once per replica. Returns when all replicas are done. An error inside one
 * replica, whether its step function returned it or a call in it was refused, stops the others at
 * their next call, is returned and sticks; its text names step function, replica and device. With
 * COHORT_LOSS_MOVE_CALLS the loss of a device undoes all that the step function wrote to variables.
 * COHORT_EINVAL in a step function of the strategy, as for cohort_run, cohort_reduce and the like;
 * the function of a cohort_merge_call may make it. COHORT_ENOTSUP outside of a recording where
 * replicas have several devices (cohort/logical.h). name: of the step, for messages. */
COHORT_API cohort_status cohort_for_each_replica_at(const char *site, const char *name,
                                                    cohort_strategy *strategy, cohort_step_fn step,
                                                    void *user);
#define cohort_for_each_replica(strategy, step, ...) /* user */                                    \
    cohort_for_each_replica_at(COHORT_SITE, #step, (strategy), (step), __VA_ARGS__)

/* The replica that runs on this thread; NULL outside a step function, and in the function of a
 * merge call. */
COHORT_API cohort_replica *cohort_replica_current(void);

/* A replica's id, the number of replicas, its strategy and its device. `me` is valid inside the
 * step function that got it, on its thread. */
COHORT_API int cohort_replica_id(
    const cohort_replica *me); /* replica_id_in_sync_group; -1 for NULL */
COHORT_API int cohort_replica_count(
    const cohort_replica *me); /* num_replicas_in_sync; 0 for NULL */
COHORT_API cohort_strategy *cohort_replica_strategy(const cohort_replica *me);
COHORT_API const cohort_device *cohort_replica_device(const cohort_replica *me);

/* cohort_replica_run(me, f, arguments...): as cohort_run, for this replica alone; done on return.
 * With COHORT_FIRST_ROW of a value it is a collective: all replicas, those without rows too, come
 * to the same call with the same value, for only then are the rows of the replicas before this one
 * known. In a recording all replicas run the same function, and with COHORT_FIRST_ROW they pass the
 * same arguments. */
COHORT_API cohort_status cohort_replica_run_arguments(const char *site, cohort_replica *me,
                                                      const cohort_function *function,
                                                      const cohort_argument arguments[]);
#ifndef __cplusplus
#define cohort_replica_run(me, ...)                                                                \
    cohort_replica_run_arguments(COHORT_SITE, (me), COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),  \
                                 COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* Copy this replica's component (of a value that is not per replica: the content) into `into`. */
COHORT_API cohort_status cohort_replica_read(cohort_replica *me, cohort_value *value,
                                             cohort_array into);

/* cohort_replica_set(me, value, x): this replica's component becomes the number (float64) or array
 * x, copied; the value becomes per replica. */
COHORT_API cohort_status cohort_replica_set_argument(cohort_replica *me, cohort_value *value,
                                                     cohort_argument content);
#define cohort_replica_set(me, value, content)                                                     \
    cohort_replica_set_argument((me), (value), COHORT_ARG_(content))

/* ---- Collectives. */

/* Combine n values across the replicas, in place, as cohort_reduce does without an axis. Shapes
 * must be equal on all replicas that have a component. Absent replicas contribute nothing, and get
 * the result too; where all are absent, they stay so. MEAN of integers changes the dtype. A value
 * that is not per replica is contributed by every replica, and stays what it is. The values are n
 * different ones; n 0 is a barrier. */
COHORT_API cohort_status cohort_all_reduce_at(const char *site, cohort_replica *me,
                                              cohort_reduce_op op, cohort_value *const values[],
                                              int n);
#define cohort_all_reduce(...) cohort_all_reduce_at(COHORT_SITE, __VA_ARGS__)

/* Combine x, a value or a variable, across the replicas into another value, which becomes per
 * replica; x stays as it is. An ON_READ variable is combined from its components; every replica
 * contributes any other variable. */
COHORT_API cohort_status cohort_all_reduce_into_at(const char *site, cohort_replica *me,
                                                   cohort_reduce_op op, cohort_argument x,
                                                   cohort_value *into);
#define cohort_all_reduce_into(me, op, x, into)                                                    \
    cohort_all_reduce_into_at(COHORT_SITE, (me), (op), COHORT_ARG_(x), (into))

/* Bring together index slices, in place: afterwards every replica has the ids and rows of all of
 * them; as cohort_reduce_slices. */
COHORT_API cohort_status cohort_all_reduce_slices_at(const char *site, cohort_replica *me,
                                                     cohort_reduce_op op, cohort_value *ids,
                                                     cohort_value *rows);
#define cohort_all_reduce_slices(...) cohort_all_reduce_slices_at(COHORT_SITE, __VA_ARGS__)

/* Every replica gets what x, a value or a variable, has on all of them, concatenated along an axis
 * as cohort_gather does. into: another value; it becomes per replica. */
COHORT_API cohort_status cohort_all_gather_at(const char *site, cohort_replica *me,
                                              cohort_argument x, int axis, cohort_value *into);
#define cohort_all_gather(me, x, axis, into)                                                       \
    cohort_all_gather_at(COHORT_SITE, (me), COHORT_ARG_(x), (axis), (into))

/* Every replica gets the rows beside its own, as cohort_halo brings them. */
COHORT_API cohort_status cohort_replica_halo_at(const char *site, cohort_replica *me,
                                                cohort_argument x, int64_t rows, cohort_edge edge,
                                                cohort_value *into);
#define cohort_replica_halo(me, x, rows, edge, into)                                               \
    cohort_replica_halo_at(COHORT_SITE, (me), COHORT_ARG_(x), (rows), (edge), (into))

/* Every replica gets the component of replica `root`, in place. */
COHORT_API cohort_status cohort_replica_broadcast_at(const char *site, cohort_replica *me,
                                                     cohort_value *value, int root);
#define cohort_replica_broadcast(...) cohort_replica_broadcast_at(COHORT_SITE, __VA_ARGS__)

/* Wait until every replica is here, of all workers. */
COHORT_API cohort_status cohort_barrier_at(const char *site, cohort_replica *me);
#define cohort_barrier(me) cohort_barrier_at(COHORT_SITE, (me))

/* Call merge once for all replicas, which pause, in cross-replica context: it may run, reduce,
 * update, read and wait, and even cohort_for_each_replica. All replicas pass the same function. Its
 * error ends the step on all replicas. Outside of step functions, with me NULL as
 * cohort_replica_current() gives it there, merge is called at once, with strategy NULL and one
 * replica.
 *
 * user[r]       what replica r of this worker passed, counted from its first
 * num_replicas  of this worker */
typedef cohort_status (*cohort_merge_fn)(cohort_strategy *strategy, void *const user[],
                                         int num_replicas);
COHORT_API cohort_status cohort_merge_call_at(const char *site, cohort_replica *me,
                                              cohort_merge_fn merge, void *user);
#define cohort_merge_call(...) cohort_merge_call_at(COHORT_SITE, __VA_ARGS__)

/* cohort_replica_update(me, v, f, arguments...): as cohort_update, once for all replicas, which
 * pass the same function and arguments: numbers, variables, arrays and values. A per-replica value
 * is refused, as there: combine it first. Arrays must stay as they are until the step ends or all
 * have met again. An ON_READ variable is updated for this replica's component alone, and the call
 * is a collective only with COHORT_FIRST_ROW of a value, as cohort_replica_run. */
COHORT_API cohort_status cohort_replica_update_arguments(const char *site, cohort_replica *me,
                                                         cohort_variable *variable,
                                                         const cohort_function *function,
                                                         const cohort_argument arguments[]);
#ifndef __cplusplus
#define cohort_replica_update(me, variable, ...)                                                   \
    cohort_replica_update_arguments(COHORT_SITE, (me), (variable),                                 \
                                    COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),                  \
                                    COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

#ifdef __cplusplus
}

template <class... A> inline cohort_status cohort_replica_run_(const char *site, cohort_replica *me,
                                                               const cohort_function *function,
                                                               const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_replica_run_arguments(site, me, function, list);
}
#define cohort_replica_run(...) cohort_replica_run_(COHORT_SITE, __VA_ARGS__)

template <class... A>
inline cohort_status cohort_replica_update_(const char *site, cohort_replica *me,
                                            cohort_variable *variable,
                                            const cohort_function *function, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_replica_update_arguments(site, me, variable, function, list);
}
#define cohort_replica_update(...) cohort_replica_update_(COHORT_SITE, __VA_ARGS__)
#endif
#endif
