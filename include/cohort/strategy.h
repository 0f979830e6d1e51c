/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies: R replicas, hosted by D devices.
 *
 * A strategy and everything made from it is used by one thread at a time, which may be any; different strategies
 * by any threads at once. Everything made from a strategy dies with it, or earlier by its own destroy.
 *
 * Calls are asynchronous: they return when the caller has done its own device's part and wait for no other
 * device. An error of a call is returned at once and changes nothing. An error of a device sticks: every later
 * call does nothing and returns it, until cohort_strategy_recover. */
#ifndef COHORT_STRATEGY_H
#define COHORT_STRATEGY_H

#include <cohort/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_strategy cohort_strategy;

/* All zero is the default of everything; reserved words must be zero.
 *
 * devices   device ids separated by commas: "host:0", "opencl" (all of that plugin), "host/2" (host:0 cut into
 *           two parts, host:0.0 and host:0.1), "opencl:radeon" (those of the plugin that have it in their name or
 *           driver, in any case). NULL: $COHORT_DEVICES, else every accelerator, and the host when
 *           there is none
 * replicas  R, 1 to 65,536; 0: one per device. It may be larger than the number of devices, not smaller
 * hosted    replicas on each device, in the order of the devices, each at least 1, R in sum; ids are contiguous.
 *           NULL: even, the first R mod D devices one more */
typedef struct cohort_strategy_options {
    const char *devices;
    int32_t replicas;
    const int32_t *hosted;
    void *reserved[8];
} cohort_strategy_options;

/* NULL with the reason in the error text: COHORT_ENODEV no such device, or it does not open; COHORT_EINVAL.
 * Blocks until the devices are open, each within COHORT_TIMEOUT_OPEN. */
COHORT_API cohort_strategy *cohort_strategy_create(const cohort_strategy_options *options);

/* One replica per device; every variable has a copy on each device, kept equal. */
COHORT_API cohort_strategy *cohort_mirrored(const char *devices);

/* One replica on one device; COHORT_EINVAL when the text names several. */
COHORT_API cohort_strategy *cohort_one_device(const char *device);

/* Waits for what is under way, each device within its deadline, and frees everything made from the strategy.
 * NULL is allowed. What a lost device held is not freed; the log says so once. */
COHORT_API void cohort_strategy_destroy(cohort_strategy *strategy);

COHORT_API int cohort_strategy_num_replicas(const cohort_strategy *strategy); /* num_replicas_in_sync; 0 for NULL */

/* Fills out[0 .. min(capacity, D) - 1] in hosting order and returns D. */
COHORT_API int cohort_strategy_devices(const cohort_strategy *strategy, const cohort_device *out[], int capacity);

/* Replicas on the device at that place of the list; 0 outside the list. */
COHORT_API int cohort_strategy_hosted(const cohort_strategy *strategy, int device);

/* The error that sticks, or COHORT_OK. Sets the error text. Does not wait. */
COHORT_API cohort_status cohort_strategy_status(const cohort_strategy *strategy);

/* Waits for all devices and clears the error. Variables are as after the last update that all their copies
 * finished; what a failed call was to write cannot be read until it is written again.
 * COHORT_ELOST while a device of the strategy is lost: make a new strategy without it. */
COHORT_API cohort_status cohort_strategy_recover(cohort_strategy *strategy);

/* A few lines about devices, replicas and hosting, for people. Lent until the strategy dies. */
COHORT_API const char *cohort_strategy_describe(cohort_strategy *strategy);

#ifdef __cplusplus
}
#endif
#endif
