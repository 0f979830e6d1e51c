/* SPDX-License-Identifier: BSD-3-Clause */
/* The registry: plugins that are loaded, the devices they offer, and why the rest is not used.
 *
 * One of the two tables of the process; the other one holds the signatures of functions
 * (runtime/function/signature_table.c). Plugins are looked for once, at the first call that needs
 * devices, and each is opened when a device is wanted that this plugin may have. */
#ifndef COHORT_PLUGIN_REGISTRY_H
#define COHORT_PLUGIN_REGISTRY_H

#include "runtime/plugin/inventory.h"
#include "runtime/plugin/loaded.h"

/* Open the plugins of a name, or all that may have devices (NULL), that are not open yet. One of
 * several threads opens a plugin and the others wait; a thread that wants only what is open waits
 * for nobody. Why a plugin is not used is in the inventory's `unused`, and no error. */
void cohort_registry_open(const char *name);

/* The plugin of a name, opened if need be. NULL with the reason: COHORT_ENOENT no such file,
 * COHORT_EINCOMPATIBLE what is wrong with it. */
const cohort_loaded *cohort_registry_plugin(const char *name);

/* Lock what is open, and unlock it. Never blocks for long. */
cohort_inventory *cohort_registry_acquire(void);
void cohort_registry_release(void);

/* The devices that a list names, in the order of the list.
 *
 * list   items separated by commas: "host:0"; "opencl", all devices of that plugin; "host/2",
 *        host:0 cut in two; "npu:1/4". NULL: $COHORT_DEVICES, else every accelerator that takes C
 *        functions or OpenCL C, else the first such device with COHORT_CAP_PROMPT
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
#endif
