/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking a plugin for its devices, on a thread of ours, within COHORT_TIMEOUT_OPEN. */
#ifndef COHORT_PLUGIN_ENUMERATE_H
#define COHORT_PLUGIN_ENUMERATE_H

#include "runtime/plugin/registry.h"

/* The devices of a plugin, checked; *out is the caller's (cohort_free), NULL for none.
 * COHORT_ETIMEDOUT: it does not answer, the thread is left behind; COHORT_EINVAL: it lies; or the
 * plugin's own status with its text. */
cohort_status cohort_enumerate(const cohort_loaded *loaded, cohort_device_info **out,
                               uint32_t *out_n);

/* Tell what the plugin itself saw and does not offer, after enumerate; the reason is in the error
 * slot. A wrong answer, or none within the deadline, shuts its gate. */
typedef void (*cohort_note_unused_fn)(const char *candidate, const char *name, const char *fix);
void cohort_enumerate_unused(const cohort_loaded *loaded, cohort_note_unused_fn note);

#endif
