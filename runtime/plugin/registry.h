/* SPDX-License-Identifier: BSD-3-Clause */
/* The registry: plugins that are loaded, the devices they offer, and why the rest is not used.
 *
 * One of the two tables of the process; the other one holds the signatures of functions
 * (runtime/function/registry.c). Plugins are looked for once, at the first call that needs
 * devices, and each is opened when a device is wanted that this plugin may have. */
#ifndef COHORT_PLUGIN_REGISTRY_H
#define COHORT_PLUGIN_REGISTRY_H

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
    /* held during each operation where the devices have COHORT_CAP_SERIALIZE */
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

/* The devices that a list names, in the order of the list.
 *
 * list   items separated by commas: "host:0"; "opencl", all devices of that plugin; "host/2",
 *        host:0 cut in two; "npu:1/4". NULL: $COHORT_DEVICES, else every accelerator, else the
 *        first CPU device with COHORT_CAP_PROMPT
 * out    the caller's (cohort_free), NULL after a failure
 *
 * A list opens the plugins that it names. All plugins are opened for the default, and for an error
 * that says which devices there are.
 *
 * COHORT_ENODEV  a device or plugin that is not there. The text names what there is and what is
 *                close, "no device 'opencl:2'; have host:0 opencl:0 opencl:1. did you mean
 *                opencl:1?", and for a plugin that was found and is not used, the reason
 * COHORT_EINVAL  bad syntax, a device listed twice or cut in two ways, or more parts than the
 *                device allows
 *
 * Threads: any. */
cohort_status cohort_registry_select(const char *list, const cohort_device ***out, int *out_n);

/* The functions of the core that plugins may call; one table for all plugins. */
const cohort_host *cohort_registry_host_table(void);

#endif
