/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-replica calls: run, update, wait. */
#ifndef COHORT_RUN_H
#define COHORT_RUN_H

#include <cohort/reduce.h>

#ifdef __cplusplus
extern "C" {
#endif

/* cohort_run(s, f, arguments...): launch f once per replica, on the device that hosts it.
 *
 * Arguments mirror the prototype without its bounds: numbers, values, variables (read only),
 * borrowed arrays (given whole to every replica), COHORT_VALUES, COHORT_BYTES, COHORT_POINTER,
 * COHORT_NAMED, constants such as COHORT_REPLICA_ID. The result of a function that returns
 * something is one more output at the end; COHORT_DROP where an output is not wanted. Per-replica
 * values give each replica its component. Outputs become per replica. Numbers are converted as in a
 * C call; a fraction for an integer, or a value out of range, is an error. Dtypes of arrays must
 * match.
 *
 * One value may stand for several arguments that are read, or for one that is read and one that is
 * read and written in place; everything else that is written wants a value of its own. What is read
 * and written must be per replica.
 *
 * A replica that has nothing to do is not launched, and its outputs are absent: one for which every
 * bound is 0 that stands in the first extent of a per-replica argument that is read, as n of x[n]
 * and of start[n + 1]; one whose outputs have no element; one with no item (COHORT_ITEMS); and one
 * that an argument is absent for which is not counted in rows, such as the loss[1] of a replica
 * that was not launched. Other bounds may be 0: a share of a sparse matrix can have rows without
 * entries. Of a call with shares (COHORT_SHARE), the first share says it instead.
 *
 * COHORT_EINVAL for a wrong call; nothing has changed. COHORT_EINCOMPATIBLE: the function has no
 * body for a device. The error that is up (cohort/strategy.h). Waits for no device, but for room in
 * a full lane. */
COHORT_API cohort_status cohort_run_arguments(cohort_strategy *strategy,
                                              const cohort_function *function,
                                              const cohort_argument arguments[]);

/* cohort_update(v, f, arguments...): launch f once per copy of v, where it lives; on devices that
 * share memory there is one, and items (COHORT_ITEMS) are divided among them. Every array that f
 * writes is a variable placed like v; other arguments are numbers, variables, arrays and values
 * that are not per replica.
 *
 * Of a variable that is cut into shards, once for each shard: f gets the shard, and so do the other
 * arrays cut to the same rows whose first extent in the prototype is the same bound and who have as
 * many rows; all others it gets whole. Of an ON_READ variable once for each component, where its
 * replica is; then per-replica values are allowed too, and COHORT_REPLICA_ID. */
COHORT_API cohort_status cohort_update_arguments(cohort_variable *variable,
                                                 const cohort_function *function,
                                                 const cohort_argument arguments[]);

#ifndef __cplusplus
#define cohort_run(strategy, ...)                                                                  \
    cohort_run_arguments((strategy), COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),                 \
                         COHORT_ARGUMENTS_(__VA_ARGS__))
#define cohort_update(variable, ...)                                                               \
    cohort_update_arguments((variable), COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),              \
                            COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* cohort_update_non_slot(COHORT_AT(x), f, arguments...): launch f once on every device where x
 * lives, for state that goes with x and has a shape of its own. Arrays that f writes are variables
 * that live on exactly these devices, whole.
 */
COHORT_API cohort_status cohort_update_non_slot_arguments(cohort_argument at,
                                                          const cohort_function *function,
                                                          const cohort_argument arguments[]);
#ifndef __cplusplus
#define cohort_update_non_slot(at, ...)                                                            \
    cohort_update_non_slot_arguments((at), COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),           \
                                     COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* One thing to wait for that stands for n values: a value that is done when all of them are, as
 * they are now. It has no content; cohort_value_wait says the label in its errors. label: copied;
 * NULL: none. NULL with the reason in the error text. */
COHORT_API cohort_value *cohort_group(cohort_strategy *strategy, const char *label,
                                      cohort_value *const values[], int n);

/* Wait until everything called so far is done, and return the error that is up, or COHORT_OK. */
COHORT_API cohort_status cohort_wait(cohort_strategy *strategy);

#ifdef __cplusplus
}

template <class... A> inline cohort_status cohort_run(cohort_strategy *strategy,
                                                      const cohort_function *function,
                                                      const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_run_arguments(strategy, function, list);
}

template <class... A> inline cohort_status cohort_update_non_slot(cohort_argument at,
                                                                  const cohort_function *function,
                                                                  const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_update_non_slot_arguments(at, function, list);
}

template <class... A> inline cohort_status cohort_update(cohort_variable *variable,
                                                         const cohort_function *function,
                                                         const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_update_arguments(variable, function, list);
}
#endif
#endif
