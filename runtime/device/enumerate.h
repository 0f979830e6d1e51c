/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking a plugin for its devices, on a thread of ours, within COHORT_TIMEOUT_OPEN. */
#ifndef COHORT_DEVICE_ENUMERATE_H
#define COHORT_DEVICE_ENUMERATE_H

#include "runtime/device/registry.h"

/* The devices of a plugin, checked; *out is the caller's (cohort_free), NULL for none. COHORT_ETIMEDOUT: it does not
 * answer, the thread is left behind; COHORT_EINVAL: it lies; or the plugin's own status with its text. */
cohort_status cohort_enumerate(const cohort_loaded *loaded, cohort_device_info **out, uint32_t *out_n);

#endif
