/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver's own objects behind a strategy, for programs that know the driver; cohort/opencl.h
 * gives them types. */
#ifndef COHORT_HANDLE_H
#define COHORT_HANDLE_H

#include <cohort/strategy.h>
#include <cohort/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An object of the device that hosts a replica, by name, such as "cl_context".
 * COHORT_EINVAL no such replica; COHORT_ENOTSUP that device shows none; COHORT_ENOENT it has none
 * of that name; any error gives NULL. Borrowed: lives as long as the strategy. */
COHORT_API cohort_status cohort_replica_handle(cohort_strategy *strategy, int32_t replica,
                                               const char *what, void **out_handle);

/* The memory of a replica's component, on the device that hosts the replica, where its content is
 * complete: waits for everything called so far. Commands that the caller enqueues there must be
 * over before the next call that uses the value. COHORT_EINVAL also when nothing has written the
 * value; any error gives NULL. Borrowed: until the next call that writes the value. */
COHORT_API cohort_status cohort_value_handle(cohort_value *value, int32_t replica, const char *what,
                                             void **out_handle);

#ifdef __cplusplus
}
#endif
#endif
