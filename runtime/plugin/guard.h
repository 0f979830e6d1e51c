/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin must leave alone: floating-point state and locale of the thread, which are put
 * back, and folder, umask and locale of the process, where a change is said in the log, since other
 * threads may have made it. */
#ifndef COHORT_PLUGIN_GUARD_H
#define COHORT_PLUGIN_GUARD_H

#include "runtime/base/fpstate.h"

#include <locale.h>

typedef struct cohort_process_guard {
    cohort_fpstate fp;
    locale_t thread_locale;
    char process_locale[256];
    uint64_t folder_device, folder_inode;
    unsigned mask;
} cohort_process_guard;

void cohort_guard_enter(cohort_process_guard *out);
void cohort_guard_leave(const cohort_process_guard *guard, const char *plugin);

#endif
