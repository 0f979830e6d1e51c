/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin must leave alone: floating-point state and locale of the thread, which are put
 * back, and folder, umask and locale of the process, where a change is said in the log, since other
 * threads may have made it. */
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
void cohort_snapshot_restore(const cohort_snapshot *before, const char *plugin);

#endif
