/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that is loaded, and a device of it. */
#ifndef COHORT_PLUGIN_LOADED_H
#define COHORT_PLUGIN_LOADED_H

#include <cohort/device.h>
#include <cohort/plugin.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { COHORT_REFUSAL_BYTES = 1024 };

/* Why a plugin is not used any more: gate.h. */
typedef struct cohort_refusal {
    atomic_bool is_set;
    bool is_noted;                   /* held: the registry's lock */
    char text[COHORT_REFUSAL_BYTES]; /* written before is_set */
} cohort_refusal;

/* A loaded plugin, checked: the mandatory operations are there, names are sane. Lives as long as
 * the process. */
typedef struct cohort_loaded {
    const cohort_plugin *plugin;
    /* a copy of the plugin's table, as large as ours; NULL are slots that the plugin does not have,
     * and those whose partner it does not have */
    cohort_ops ops;
    const char *name; /* as in cohort-NAME.so */
    const char *file; /* real path */
    void *handle;     /* of the dynamic linker */
    /* place in the order of the search, in which devices are listed, whichever plugin was opened
     * first */
    uint32_t rank;
    /* held while a device is opened or closed: plugins have one caller for that */
    pthread_mutex_t *alone;
    /* held during each operation where the devices have COHORT_CAP_SERIALIZE, which none of them
     * waits in for the device (executor/question.c) */
    pthread_mutex_t *serial;
    cohort_refusal *refusal;
} cohort_loaded;

/* A whole device that a plugin enumerates, or one part of it. Interned: the same part has the same
 * address. */
struct cohort_device {
    const cohort_loaded *loaded;
    /* validated: texts terminated and printable, numbers in range */
    const cohort_device_info *info;
    uint32_t index, part, parts; /* as device_open gets them; part 0 of 1 is the whole device */
    char id[96];                 /* "host:0", "host:0.1" */
};

#endif
