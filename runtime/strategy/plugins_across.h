/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugins of a strategy's devices, which are compared with those of other workers: what two of
 * them compute with, they have in the same version, or bits could differ. */
#ifndef COHORT_STRATEGY_PLUGINS_ACROSS_H
#define COHORT_STRATEGY_PLUGINS_ACROSS_H

#include "runtime/strategy/strategy.h"

/* One plugin, as it says itself. */
typedef struct cohort_plugin_across {
    char name[256], version[256]; /* version "": none */
    uint32_t abi_minor;
    int32_t worker; /* whose it is; counts in no digest */
} cohort_plugin_across;

typedef struct cohort_plugins_across {
    cohort_plugin_across *list; /* [n], by name */
    uint64_t digest;            /* of all of it */
    int32_t n;
} cohort_plugins_across;

/* Of the devices that the strategy has opened. COHORT_ENOMEM. fini: all zero is allowed. */
cohort_status cohort_plugins_across_init(cohort_plugins_across *plugins, const cohort_strategy *s);
void cohort_plugins_across_fini(cohort_plugins_across *plugins);

/* The note of a worker in the meeting before. */
typedef struct cohort_plugins_note {
    uint64_t digest;
    int32_t n;
} cohort_plugins_note;
cohort_plugins_note cohort_plugins_across_note(const cohort_plugins_across *plugins);

/* notes: [workers], those of all. Where digests differ all meet, and get the lists of all.
 * COHORT_EINCOMPATIBLE, for all: two workers have a plugin in versions that differ, or one says
 * what cannot be; the errors of cohort_workers_meet. */
cohort_status cohort_plugins_across_compare(const cohort_plugins_across *plugins,
                                            cohort_workers *workers,
                                            const cohort_plugins_note notes[]);

#endif
