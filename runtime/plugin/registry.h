/* SPDX-License-Identifier: BSD-3-Clause */
/* The registry: plugins that are loaded, the devices they offer, and why the rest is not used.
 *
 * One of the two tables of the process; the other one holds the signatures of functions
 * (runtime/function/registry.c). Plugins are looked for once, at the first call that needs
 * devices, and each is opened when a device is wanted that may be its. */
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
    /* as large as ours; what the plugin does not have, or groups it has only half, is NULL */
    cohort_ops ops;
    const char *name; /* as in cohort-NAME.so */
    const char *file; /* real path */
    void *handle;
    /* devices are listed in this order: that of the search, whichever plugin was opened first */
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
    uint32_t index, part, parts; /* of device_open; 0 of 1 is the whole */
    char id[96];                 /* "host:0", "host:0.1" */
};

/* The devices that a list names, in its order: "host:0", "opencl" (all of that plugin), "host/2"
 * (host:0 cut in two), "npu:1/4"; NULL: $COHORT_DEVICES, else every accelerator, else the first CPU
 * device with CAP_PROMPT. A list opens the plugins that it names; all are opened for the default,
 * and for the error that says what there is.
 * *out is the caller's (cohort_free). COHORT_ENODEV: unknown device or plugin; names what there is,
 *   and what is close: no device 'opencl:2'; have host:0 opencl:0 opencl:1. did you mean opencl:1?
 * and, for a plugin that was found but not used, its reason. COHORT_EINVAL: bad syntax, a device
 * listed twice or cut in two ways, more parts than it allows. Threads: any. */
cohort_status cohort_registry_select(const char *list, const cohort_device ***out, int *out_n);

/* The table lent to plugins; the same for all. */
const cohort_host *cohort_registry_host_table(void);

#endif
