/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosting: which device has how many of the replicas, and how that changes between steps.
 *
 *     const int32_t hosted[] = { 20, 12 }; // of 32 replicas on two devices
 *     cohort_strategy_options options = { .devices = "opencl:0,host", .replicas = 32,
 *                                         .n_hosted = 2, .hosted = hosted };
 *     cohort_strategy *s = cohort_strategy_create(&options);
 *     ...
 *     (void)cohort_strategy_set_hosted(s, (const int32_t[]){ 24, 8 }, 2);
 *
 * A replica is a number, not a device: it keeps its share of the batch, its components and its
 * place in the tree of every reduction wherever it is hosted. So results do not depend on the
 * hosting, to the last bit, where the bodies of the devices give the same bits. Each device hosts
 * replicas whose ids are contiguous, in the order of the devices; it may host none, and then keeps
 * its copies of variables, and idles.
 *
 * A device that is lost has its replicas hosted by the others (cohort_loss of cohort/strategy.h),
 * each of which gets as many more as it has already; it stays in the list of devices, and hosts
 * none any more.
 *
 * Devices of unequal speed: with R replicas of one share each, a device that is k times as fast as
 * another one gets k times as many. What R costs is in doc/benchmarks.md: cut 512 rows into 8
 * replicas and a step takes 1.05 of the time of one, cut 16 rows, 1.27. To give the replicas of a
 * faster device more rows instead (cohort_input_options) costs nothing of that, and gives other
 * bits: the sums of a batch are cut elsewhere. */
#ifndef COHORT_HOSTING_H
#define COHORT_HOSTING_H

#include <cohort/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Host the replicas otherwise, from now on: hosted[d] of them on the device at place d of
 * cohort_strategy_devices (with logical devices: on the d-th of those that are number 0), 0 or
 * more, in sum those that this process hosts. Between steps: outside of step functions, of merge
 * calls and of recordings.
 *
 * Waits for everything that was posted, and for the copies. What lies with a replica moves with it:
 * components of per-replica values, and of ON_READ variables. Other variables stay where they are.
 * Recorded programs go on; their next step is tried first, as that after cohort_strategy_recover,
 * for devices may have no body. Arrays that cohort_local_results has lent of something that moved
 * are not readable any more, and cohort_replica_handle and cohort_value_handle answer other
 * handles. Each worker of a cluster may do it at its own time.
 *
 * COHORT_EINVAL: another number of devices, a negative number, another sum, or the wrong time.
 * COHORT_ELOST: replicas on a device that is lost.
 * COHORT_ENOMEM, or a device failed to copy: the replicas stay where they are, and nothing has
 * changed but the error of the strategy. The same hosting again changes nothing. */
COHORT_API cohort_status cohort_strategy_set_hosted(cohort_strategy *strategy,
                                                    const int32_t hosted[], int n_hosted);

/* A step is over: look how long the devices took for their replicas, and host the replicas so that
 * all of them take equally long, where that pays. Called after each step of a loop, or every few
 * steps:
 *
 *     while (cohort_input_next(input, batch) == COHORT_OK) {
 *         ... a step
 *         (void)cohort_strategy_balance(s);
 *     }
 *
 * The first call begins to measure, which costs two looks at a clock for each launch. From then on
 * cohort_program_run does the same between its own steps, and needs no call; in the function of a
 * merge call, which is within a step, nothing moves.
 *
 * What is measured is the time that bodies had on a device (for one with events: from when it could
 * begin until it was seen to be done), step by step, or over the steps of a millisecond where they
 * are shorter. Replicas move where a step is found to take 15 % longer than it had to, by the
 * median of the last three, or 3 %, by the mean of 24. So a device that becomes slower is followed
 * in two or three steps, and noise moves nothing. Ranges begin at multiples of large powers of two
 * where that costs at most 2 %, for then fewer partial sums cross between devices. A device that is
 * so slow that it has no replica any more gets one again after 2,000 steps, to be measured, where
 * another one has two; one that was never given any gets none.
 *
 * How many replicas have moved, 0 mostly; else the errors of cohort_strategy_set_hosted. It waits
 * where something moves, and else does not. */
COHORT_API int cohort_strategy_balance(cohort_strategy *strategy);

/* What was measured of a device, since cohort_strategy_balance was called first.
 *
 * replicas_per_second  launches of single replicas that it would do in a second if they came at
 *                      once, by the median of the last three steps; 0: nothing is known
 * busy, idle           seconds in which it ran bodies, and in which it did not; devices that share
 *                      a core share their time */
typedef struct cohort_device_rate {
    double replicas_per_second, busy, idle;
} cohort_device_rate;

/* The devices in the order of cohort_strategy_devices: fills out[0 .. min(capacity, D) - 1] and
 * returns D. All zeros where nothing is measured. With logical devices those that are number 0
 * stand for all of their replicas, and the slowest of these counts. Also while an error is up. 0
 * with an error text for NULL, and while another call of the strategy is under way. */
COHORT_API int cohort_strategy_rates(const cohort_strategy *strategy, cohort_device_rate out[],
                                     int capacity);

#ifdef __cplusplus
}
#endif

#endif
