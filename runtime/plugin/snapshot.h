/* SPDX-License-Identifier: BSD-3-Clause */
/* A snapshot of what a plugin must leave alone while it is loaded. Floating-point state and locale
 * of the thread are put back. A change of the folder, the umask or the locale of the process is
 * only logged, since another thread may have made it. */
#ifndef COHORT_PLUGIN_SNAPSHOT_H
#define COHORT_PLUGIN_SNAPSHOT_H

#include "runtime/base/fpstate.h"

#include <locale.h>

typedef struct cohort_snapshot {
    cohort_fpstate fp;
    locale_t thread_locale;
    char process_locale[256];
    uint64_t folder_device, folder_inode;
    unsigned mask;
} cohort_snapshot;

void cohort_snapshot_take(cohort_snapshot *out);

/* Put back what is the thread's, and log what else has changed. plugin: named in the log */
void cohort_snapshot_restore(const cohort_snapshot *before, const char *plugin);

#endif
