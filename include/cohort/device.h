/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of this machine and the plugins that bring them.
 *
 * Plugins are looked for once, at the first call that needs devices, in this order: files given to
 * cohort_plugin_load, the folders of $COHORT_PLUGIN_PATH, the installed folder
 * (cohort_installed_folder("plugins"), in a tree that was not moved pkg-config --variable=plugindir
 * cohort), the manifests in $sysconfdir/cohort/plugins.d.
 *
 * A plugin is opened when a device is wanted that may be its: "host/2" opens the host's alone, and
 * maps no driver of another. All plugins are opened by the default devices, by the two lists below,
 * and by an unknown name, whose error lists the names. A plugin that is opened later changes no
 * device that is there already. */
#ifndef COHORT_DEVICE_H
#define COHORT_DEVICE_H

#include <cohort/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device that a plugin offers. Lives as long as the process. */
typedef struct cohort_device cohort_device;

/* The device after `previous`, in the order of plugins and of their own lists; NULL starts, NULL
 * ends.
 * Threads: any. Blocks: opens the plugins that are not open yet and asks them, each within
 * COHORT_TIMEOUT_OPEN.
 * Devices with the same uuid are listed once: as the device of the first plugin, or of one that was
 * asked for by name before. */
COHORT_API const cohort_device *cohort_device_next(const cohort_device *previous);

/* The id of a device, such as "host:0", accepted wherever a device is named. A part, asked for with
 * "host:0/2", has an id such as "host:0.1". */
COHORT_API const char *cohort_device_id(const cohort_device *device);

/* A property as text, NULL when the key is unknown: "plugin", "name", "driver", "type" (cpu, gpu,
 * accelerator), "compute_units", "memory_bytes", "numa_node", "max_parts", "default" (yes, no),
 * "formats" (of the bodies that it takes, best first, as "native.fn, acme.source"), "note" (what
 * belongs beside it in a list: that it may be the card of another device, which another driver
 * offers; "" for most).
 * A part has those of its whole device. */
COHORT_API const char *cohort_device_property(const cohort_device *device, const char *key);

/* A table of functions that the vendor of a device adds to its own, by name, such as
 * "vendor.name/1"; the vendor's header says what it holds. In a step function the device is that of
 * the replica:
 *
 *     const void *table;
 *     cohort_device_extension(cohort_replica_device(me), "vendor.name/1", &table);
 *
 * What such functions need of a strategy, the vendor shows by names of cohort_replica_handle and
 * cohort_value_handle.
 *
 * COHORT_EINVAL: an argument is NULL, or the name begins with "cohort.", which are tables between
 * Cohort and its plugins. COHORT_ENOTSUP: the plugin has none of that name. COHORT_ELOST: the
 * plugin is not used any more. COHORT_ETIMEDOUT: it does not answer. COHORT_ENODEV: after a fork.
 * Any error gives NULL. The table lives as long as the process. Threads: any. Blocks: asks on a
 * thread of its own, for COHORT_TIMEOUT_OPEN at most. */
COHORT_API cohort_status cohort_device_extension(const cohort_device *device, const char *name,
                                                 const void **out_table);

/* Load one plugin file, an absolute path, ahead of those that are found. The checks are the same.
 * COHORT_ENOENT, COHORT_EINCOMPATIBLE, COHORT_EINVAL (refused; the text says why), COHORT_ETIMEDOUT
 * or the plugin's own status when it does not list its devices, COHORT_OK also when a plugin of
 * that name is there already. Threads: any. */
COHORT_API cohort_status cohort_plugin_load(const char *file);

/* The file of a plugin that may have devices, which the search found and COHORT_PLUGINS lets in.
 * Lives as long as the process. */
typedef struct cohort_candidate cohort_candidate;

/* The candidate after `previous`, in the order of the search; NULL starts, NULL ends. The others
 * ask about it without opening it: the name that its devices have, as "host" in "host:0", and its
 * path. Threads: any. Looks for plugins if nobody has, and opens none. A process that has asked for
 * nothing else may still fork, and its children may use devices. */
COHORT_API const cohort_candidate *cohort_candidate_next(const cohort_candidate *previous);
COHORT_API const char *cohort_candidate_name(const cohort_candidate *candidate);
COHORT_API const char *cohort_candidate_file(const cohort_candidate *candidate);

/* Do not open this file, by whichever name the search found it. cohort_unused_reason and errors
 * then tell the reason, and the fix. So a program that has tried a plugin in a process of its own,
 * as cohort devices does, keeps one that ends processes out of this one. cohort_plugin_load, which
 * names the file itself, opens it nevertheless.
 *
 * reason  a sentence
 * fix     what to do; NULL or "" when there is nothing
 *
 * COHORT_EINVAL: candidate or reason is NULL, or the file was opened or left out before.
 * COHORT_ENODEV: this process was forked from one that has used Cohort.
 * Threads: any. Blocks: while another thread opens plugins. */
COHORT_API cohort_status cohort_candidate_leave_out(const cohort_candidate *candidate,
                                                    const char *reason, const char *fix);

/* A plugin or device that was found and is not used. Lives as long as the process. */
typedef struct cohort_unused cohort_unused;

/* The unused one after `previous`; NULL starts, NULL ends. The others ask about it. Asking opens
 * all plugins. */
COHORT_API const cohort_unused *cohort_unused_next(const cohort_unused *previous);
COHORT_API const char *cohort_unused_candidate(const cohort_unused *unused); /* file or device id */
COHORT_API const char *cohort_unused_reason(const cohort_unused *unused);    /* a sentence */
COHORT_API const char *cohort_unused_fix(const cohort_unused *unused); /* "" when there is none */

#ifdef __cplusplus
}
#endif
#endif
