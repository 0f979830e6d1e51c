/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-replica calls: run, update, reduce, gather, wait. */
#ifndef COHORT_RUN_H
#define COHORT_RUN_H

#include <cohort/function.h>
#include <cohort/variable.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { COHORT_NO_AXIS = INT32_MIN };

/* cohort_run(s, f, arguments...): launch f once per replica, on the device that hosts it.
 *
 * Arguments mirror the prototype without its bounds: numbers, values, variables (read only), borrowed arrays
 * (given whole to every replica), COHORT_BYTES, COHORT_POINTER, COHORT_NAMED, constants such as
 * COHORT_REPLICA_ID. The result of a function that returns something is one more output at the end; COHORT_DROP
 * where an output is not wanted. Per-replica values give each replica its component. Outputs become per replica.
 * Numbers are converted as in a C call; a fraction for an integer, or a value out of range, is an error. Dtypes
 * of arrays must match.
 *
 * One value may stand for several arguments that are read, or for one that is read and one that is read and written in
 * place; everything else that is written wants a value of its own. What is read and written must be per replica.
 *
 * A replica for which a bound read off a per-replica argument is 0 is not launched: its outputs are absent.
 *
 * COHORT_EINVAL for a wrong call, told at once; nothing has changed. COHORT_EINCOMPATIBLE: the function has no
 * body for a device. The error that sticks. Waits for no device, but for room in a full lane. */
COHORT_API cohort_status cohort_run_arguments(cohort_strategy *strategy, const cohort_function *function,
                                              const cohort_argument arguments[]);

/* cohort_update(v, f, arguments...): launch f once per copy of v, where it lives. Every array that f writes is a
 * variable placed like v; other arguments are numbers, variables, arrays and plain values. */
COHORT_API cohort_status cohort_update_arguments(cohort_variable *variable, const cohort_function *function,
                                                 const cohort_argument arguments[]);

#ifndef __cplusplus
#define cohort_run(strategy, ...)                                                                                      \
    cohort_run_arguments((strategy), COHORT_HEAD_(__VA_ARGS__, 0), COHORT_ARGUMENTS_(__VA_ARGS__))
#define cohort_update(variable, ...)                                                                                   \
    cohort_update_arguments((variable), COHORT_HEAD_(__VA_ARGS__, 0), COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* Combine the components of a value along the fixed tree over replica ids: sum[a,b) = sum[a,a+m) + sum[a+m,b), m
 * the largest power of two below b - a; absent components contribute nothing. Each step is rounded to the dtype,
 * integers wrap. For a given R the result does not depend on devices, hosting, threads or timing.
 *
 * axis  COHORT_NO_AXIS: elementwise across replicas, shapes must be equal; MEAN divides by the replicas that
 *       contributed. An axis (negative counts from the end): each replica combines along it first, rows in order
 *       within blocks of 128, blocks by the same tree, and the axis disappears; MEAN divides by the elements along
 *       it on all replicas
 * value a plain value counts as contributed by every replica
 * into  becomes plain, whatever it held; another value than `value`
 * bool has no SUM, MEAN and PROD; MEAN wants a floating dtype.
 * Source: the tree has the shape of RFC 6962, section 2.1. */
COHORT_API cohort_status cohort_reduce(cohort_reduce_op op, cohort_value *value, int axis, cohort_value *into);

/* Concatenate the components along an axis in replica order; extents along it may differ, and be 0. A plain value
 * is copied. `into` becomes plain. */
COHORT_API cohort_status cohort_gather(cohort_value *value, int axis, cohort_value *into);

/* cohort_local_results(x, out, n): the contents of a value or variable that this process holds, as arrays in its
 * memory: one per replica, per copy of a variable, or one. Fills out[0 .. min(n, count) - 1] and returns the count,
 * negative on failure. Waits. The arrays are lent until x is next written, set or destroyed, or asked again;
 * absent components have 0 rows. cohort_unwrap is the same. */
COHORT_API int cohort_local_results_of(cohort_argument x, cohort_array out[], int capacity);
#define cohort_local_results(x, out, capacity) cohort_local_results_of(COHORT_ARG_(x), (out), (capacity))
#define cohort_unwrap(x, out, capacity) cohort_local_results_of(COHORT_ARG_(x), (out), (capacity))

/* Wait until everything called so far is done, and return the error that sticks, or COHORT_OK. */
COHORT_API cohort_status cohort_wait(cohort_strategy *strategy);

#ifdef __cplusplus
}

template <class... A>
inline cohort_status cohort_run(cohort_strategy *strategy, const cohort_function *function, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)..., cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_run_arguments(strategy, function, list);
}

template <class... A>
inline cohort_status cohort_update(cohort_variable *variable, const cohort_function *function, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)..., cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_update_arguments(variable, function, list);
}
#endif
#endif
