/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of a child of probe.h, and its reports: a word, and what belongs to it behind a blank.
 *
 *     plugin NAME FILE    one that may be asked
 *     open ID             it begins to open the device
 *     run ID              it begins to build and run a kernel there
 *     good ID             it has
 *     failed ID TEXT      it could not
 *     said ID TEXT        a warning in the log
 *     refused             the plugin is not used, for a reason in words
 *     done                all was done */
#ifndef COHORT_CLI_PROBE_CHILD_H
#define COHORT_CLI_PROBE_CHILD_H

#include <stdbool.h>

typedef struct probe_task {
    const char *file;
    bool is_given;    /* by the user, and not found by the search */
    bool has_kernels; /* are to be run */
    int n_skipped;    /* of its devices, from the first on */
} probe_task;

/* Reports the plugins that the search finds; what: NULL. */
void probe_child_list(int reports, const void *what);

/* Asks one plugin; what: its probe_task. */
void probe_child_ask(int reports, const void *what);

#endif
