/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking a plugin for its devices, on a thread of ours, within COHORT_TIMEOUT_OPEN. */
#ifndef COHORT_PLUGIN_ENUMERATION_H
#define COHORT_PLUGIN_ENUMERATION_H

#include "runtime/plugin/loaded.h"

/* The devices of a plugin, checked; *out is the caller's (cohort_free), NULL for none.
 *
 * COHORT_ETIMEDOUT  the plugin does not answer; the thread is left behind
 * COHORT_EINVAL     the plugin says something that cannot be
 * else              the plugin's own status, with the plugin's text */
cohort_status cohort_enumeration_make(const cohort_loaded *loaded, cohort_device_info **out,
                                      uint32_t *out_n);

/* Called for each device that a plugin saw and does not offer; the reason is in the error slot. */
typedef void (*cohort_note_unused_fn)(const char *candidate, const char *name, const char *fix);

/* Ask the plugin, after cohort_enumeration_make, for the devices that it does not offer. A wrong
 * answer, or none within COHORT_TIMEOUT_OPEN, shuts the plugin's gate. */
void cohort_enumeration_of_unused(const cohort_loaded *loaded, cohort_note_unused_fn note);

#endif
