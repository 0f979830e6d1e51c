/* SPDX-License-Identifier: BSD-3-Clause */
/* From a plugin's file to its checked tables. */
#ifndef COHORT_PLUGIN_PLUGIN_H
#define COHORT_PLUGIN_PLUGIN_H

#include "runtime/plugin/loaded.h"

/* Load a file that passed the checks of trust.h and elf.h, call its entry, and check its tables. No
 * operation of the plugin is called.
 *
 * fix  gets what the user can do about a failure, or stays
 * out  kept as long as the process, or freed with cohort_plugin_discard
 *
 * COHORT_EINCOMPATIBLE with the reason. */
cohort_status cohort_plugin_open(const char *real_path, const char *name, char *fix,
                                 size_t fix_bytes, cohort_loaded **out);

void cohort_plugin_discard(cohort_loaded *loaded); /* the library stays mapped */

#endif
