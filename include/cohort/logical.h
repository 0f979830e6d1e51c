/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas of several devices. Each replica of a strategy that was made with logical_devices = L
 * has L devices, its logical devices 0 to L - 1: a function runs on one of them, with what lies
 * there, and what runs on different ones runs at the same time.
 *
 *     cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
 *         .devices = "host/4", .logical_devices = 2 }); // two replicas of two devices each
 *     cohort_value *x = cohort_value_split(s, rows), *h = cohort_value_create(s);
 *     (void)cohort_strategy_use_logical_device(s, 1);
 *     cohort_value *h1 = cohort_value_create(s), *y = cohort_value_create(s);
 *     cohort_variable *w1 = cohort_variable_create(s, "w1", start, NULL);
 *     (void)cohort_strategy_use_logical_device(s, 0);
 *
 *     cohort_run(s, first_layer, x, h);          // on logical device 0 of each replica
 *     cohort_assign_to_logical_device(h, h1);    // from logical device 0 to 1
 *     cohort_run(s, second_layer, h1, w1, y);    // on logical device 1 of each replica
 *     cohort_reduce(COHORT_MEAN, y, 0, loss);    // over the replicas, as ever
 *
 * Or all of them run a function, each on its part of an array that is cut along an axis:
 *
 *     cohort_split_to_logical_devices(x, 1, parts, 2);
 *     for (int l = 0; l < 2; l++)
 *         cohort_run(s, f, parts[l], out[l]);
 *     cohort_join_logical_devices(out, 2, 1, y);
 *
 * Where things lie:
 *   - a value that is per replica, and a variable, on the logical device that was in use when it
 *     was made, for all of its life: of a replica's component, that replica's device of this
 *     number; of a variable, those of all replicas;
 *   - what is plain or mirrored, and a variable whose parameter devices the options name, as those
 *     of "central" are, on every logical device alike; but the components of an ON_READ variable on
 *     the one that was in use;
 *   - the rows that cohort_run_next takes as a value that was made by the first such call of their
 *     input, and the state of a metric as one that was made with it.
 *
 * A run, and an update, take place where that lies which it reads and writes; where all of this
 * lies everywhere, on the logical device that is in use. Two of its arguments on different logical
 * devices are COHORT_EINVAL, which names both: nothing travels unless the program says so. So it is
 * with x and weights of a reduction, and a metric and its two values. All other calls (reductions,
 * gathers, halos, reads, assignments) take what lies on any logical device, and what they fill
 * stays where it was made.
 *
 * Results have the bits of a strategy with one device for each replica.
 *
 * Step functions with logical devices are COHORT_ENOTSUP outside of a recording, as is a strategy
 * over workers or parameter servers with logical_devices.
 *
 * Source: logical devices of tf.distribute.TPUStrategy, whose annotations name where one tensor of
 * a function lies; here it is a function that runs there. */
#ifndef COHORT_LOGICAL_H
#define COHORT_LOGICAL_H

#include <cohort/argument.h>
#include <cohort/strategy.h>
#include <cohort/value.h>
#include <cohort/variable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many logical devices each replica has: 1, or what the strategy was made with. 0 for NULL. */
COHORT_API int cohort_strategy_num_logical_devices(const cohort_strategy *strategy);

/* The device of a replica of this process, by its id and a number of logical device. NULL with the
 * reason: COHORT_EINVAL, there is no such replica here, or no such logical device. */
COHORT_API const cohort_device *cohort_strategy_logical_device(const cohort_strategy *strategy,
                                                               int replica, int logical_device);

/* From now on values, variables, inputs and metrics are made on this logical device; at first it is
 * 0. Not recorded: what a step function of a program makes is made while it is recorded.
 *
 * logical_device  0 to L - 1
 * Returns the one that was in use before; COHORT_EINVAL, nothing has changed.
 *
 * Source: experimental_logical_device of TPUStrategy's extended. */
COHORT_API int cohort_strategy_use_logical_device(cohort_strategy *strategy, int logical_device);

/* The logical device of a value that is per replica or has no content yet, and of a variable. -1:
 * it lies on all of them; COHORT_EINVAL for NULL. */
COHORT_API int cohort_value_logical_device(const cohort_value *value);
COHORT_API int cohort_variable_logical_device(const cohort_variable *variable);

/* cohort_assign_to_logical_device(x, into): copy x to the logical device on which `into` lies,
 * which becomes per replica: component r is a copy of what replica r sees of x. Waits for nothing.
 *
 * x     a value, a variable, an array or a number (float64). Absent components stay absent
 * into  another value than x
 * COHORT_EINVAL: x has no content, `into` is x, is of another strategy, or was made
 * (cohort_value_shaped) for another dtype or shape; COHORT_ENOMEM. Nothing has changed. */
COHORT_API cohort_status cohort_assign_to_logical_device_argument(cohort_argument x,
                                                                  cohort_value *into);
#define cohort_assign_to_logical_device(x, into)                                                   \
    cohort_assign_to_logical_device_argument(COHORT_ARG_(x), (into))

/* cohort_split_to_logical_devices(x, axis, parts, n): cut x along an axis into L parts of equal
 * extent, in order; parts[l], which lies on logical device l, becomes per replica.
 *
 * x      as above
 * axis   0 to its rank - 1, the same of all replicas
 * parts  n values, each another one, none of them x
 * n      L
 * COHORT_EINVAL: also where an extent along the axis is not divisible by L, or parts[l] lies on
 * another logical device; COHORT_ENOMEM. Nothing has changed.
 *
 * Source: split_to_logical_devices (experimental_split_to_logical_devices) of TPUStrategy, which
 * takes a number of cuts for each axis; cut by several axes one after the other. */
COHORT_API cohort_status cohort_split_to_logical_devices_argument(cohort_argument x, int axis,
                                                                  cohort_value *const parts[],
                                                                  int n);
#define cohort_split_to_logical_devices(x, axis, parts, n)                                         \
    cohort_split_to_logical_devices_argument(COHORT_ARG_(x), (axis), (parts), (n))

/* cohort_replicate_to_logical_devices(x, copies, n): copies[l] becomes a copy of x on logical
 * device l, per replica. Arguments and errors as of cohort_split_to_logical_devices, but that x may
 * have any shape. */
COHORT_API cohort_status cohort_replicate_to_logical_devices_argument(cohort_argument x,
                                                                      cohort_value *const copies[],
                                                                      int n);
#define cohort_replicate_to_logical_devices(x, copies, n)                                          \
    cohort_replicate_to_logical_devices_argument(COHORT_ARG_(x), (copies), (n))

/* The way back: concatenate, for each replica, parts along an axis, in their order; `into` becomes
 * per replica, where it lies. Waits for nothing.
 *
 * parts  n values that are per replica, on any logical devices, none of them `into`
 * n      at least 1
 * axis   0 to the rank - 1; extents along it may differ, and absent components are left out. Where
 *        all components of a replica are absent, so is that of `into`
 * COHORT_EINVAL: also where dtypes, ranks or other extents of a replica's parts differ;
 * COHORT_ENOMEM. Nothing has changed. */
COHORT_API cohort_status cohort_join_logical_devices(cohort_value *const parts[], int n, int axis,
                                                     cohort_value *into);

#ifdef __cplusplus
}
#endif
#endif
