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
 * read and written in place; every other argument that is written needs a value of its own. A value
 * that is read and written must be per replica.
 *
 * A replica that has nothing to do is not launched, and its outputs are absent. It has nothing to
 * do
 *   - when all bounds are 0 that stand in the first extent of a per-replica argument that is read,
 *     as n of x[n] and of start[n + 1];
 *   - when its outputs have no element;
 *   - when it has no item (COHORT_ITEMS);
 *   - when an argument is absent that is not counted in rows, such as the loss[1] of a replica that
 *     was not launched.
 *
 * Other bounds may be 0: a share of a sparse matrix can have rows without entries. An array without
 * extents in the prototype, as a kernel's float *x, counts its elements. In a call with shares
 * (COHORT_SHARE, or COHORT_EACH for a bound) the first of them decides instead: a replica whose
 * share is 0 has nothing to do.
 *
 * COHORT_EINVAL for a wrong call; nothing has changed. COHORT_EINCOMPATIBLE: the function has no
 * body for a device. The error that is up (cohort/strategy.h). Waits for no device, but for room in
 * a full lane. */
COHORT_API cohort_status cohort_run_arguments(cohort_strategy *strategy,
                                              const cohort_function *function,
                                              const cohort_argument arguments[]);

/* cohort_update(v, f, arguments...): launch f once per copy of v, where it lives. Devices that
 * share memory have one copy, and the items (COHORT_ITEMS) are divided among them. Every array that
 * f writes is a variable placed like v; other arguments are numbers, variables, arrays and values
 * that are not per replica.
 *
 * Of a variable that is cut into shards, once for each shard: f gets the shard, and so do the other
 * arrays cut to the same rows whose first extent in the prototype is the same bound and who have as
 * many rows; all others it gets whole. Of an ON_READ variable once for each component, where its
 * replica is; then per-replica values are allowed too, and COHORT_REPLICA_ID.
 *
 * `site` is "file:line" of the caller, for messages; the macro fills it in. */
COHORT_API cohort_status cohort_update_arguments(const char *site, cohort_variable *variable,
                                                 const cohort_function *function,
                                                 const cohort_argument arguments[]);

#ifndef __cplusplus
#define cohort_run(strategy, ...)                                                                  \
    cohort_run_arguments((strategy), COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),                 \
                         COHORT_ARGUMENTS_(__VA_ARGS__))
#define cohort_update(variable, ...)                                                               \
    cohort_update_arguments(COHORT_SITE, (variable), COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)), \
                            COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* cohort_update_non_slot(COHORT_AT(x), f, arguments...): launch f once on every device where x
 * lives, for state that goes with x and has a shape of its own. Arrays that f writes are variables
 * that live on exactly these devices, whole. `site` is "file:line" of the caller, for messages; the
 * macro fills it in. */
COHORT_API cohort_status cohort_update_non_slot_arguments(const char *site, cohort_argument at,
                                                          const cohort_function *function,
                                                          const cohort_argument arguments[]);
#ifndef __cplusplus
#define cohort_update_non_slot(at, ...)                                                            \
    cohort_update_non_slot_arguments(COHORT_SITE, (at),                                            \
                                     COHORT_CALLED_(COHORT_HEAD_(__VA_ARGS__, 0)),                 \
                                     COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* A value to wait for that stands for n values: it is done when all of them are, as they are now.
 * It has no content; cohort_value_wait says the label in its errors. label: copied; NULL: none.
 * NULL with the reason in the error text. */
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

template <class... A>
inline cohort_status cohort_update_non_slot_(const char *site, cohort_argument at,
                                             const cohort_function *function, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_update_non_slot_arguments(site, at, function, list);
}
#define cohort_update_non_slot(...) cohort_update_non_slot_(COHORT_SITE, __VA_ARGS__)

template <class... A>
inline cohort_status cohort_update_(const char *site, cohort_variable *variable,
                                    const cohort_function *function, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_update_arguments(site, variable, function, list);
}
#define cohort_update(...) cohort_update_(COHORT_SITE, __VA_ARGS__)
#endif
#endif
