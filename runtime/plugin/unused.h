/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates that were found and are not used, and why. Entries are appended and live as long as
 * the process.
 *
 * Held by callers: the registry's lock. */
#ifndef COHORT_PLUGIN_UNUSED_H
#define COHORT_PLUGIN_UNUSED_H

#include "runtime/base/text.h"

#include <cohort/device.h>

struct cohort_unused {
    cohort_unused *next;
    char *candidate, *reason, *fix;
    char *name; /* of the plugin it would have been; "" when unknown */
};

/* The reason is the calling thread's error text. The same candidate with the same reason is
 * recorded once. Without memory for it the entry is lost, which the log says. */
void cohort_unused_add(cohort_unused **list, const char *candidate, const char *name,
                       const char *fix);

/* The first entry of a plugin's name, or NULL. */
const cohort_unused *cohort_unused_find(const cohort_unused *list, const char *name);

/* "FILE: REASON (fix: COMMAND)". */
void cohort_unused_say(cohort_text *s, const cohort_unused *unused);

/* "plugin 'npu' is not used: ", and the same. */
void cohort_unused_say_plugin(cohort_text *s, const cohort_unused *unused);

#endif
