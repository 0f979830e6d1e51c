/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugins that are loaded, their devices, and what was found and is not used. The registry has the
 * one inventory of the process: it is read and changed under the registry's lock
 * (cohort_registry_acquire). */
#ifndef COHORT_PLUGIN_INVENTORY_H
#define COHORT_PLUGIN_INVENTORY_H

#include "runtime/plugin/loaded.h"

#include <stddef.h>

/* A whole device, or a part of one. `device` comes first, so that the cohort_device * of a program
 * is the address of this struct. */
typedef struct cohort_inventory_device {
    cohort_device device;
    cohort_device_info info; /* of a whole device, and its parts point to it */
    /* the next whole device; of a part, the next part of the same device */
    struct cohort_inventory_device *next;
    struct cohort_inventory_device *whole; /* itself, unless a part */
    struct cohort_inventory_device *parts; /* those that were asked for so far */
    char compute_units[16], memory_bytes[24], numa_node[16], max_parts[16];
    char formats[512]; /* "native.fn, acme.source", those that have room */
    char note[256];    /* beside it in a list: "" for most */
} cohort_inventory_device;

typedef struct cohort_inventory {
    cohort_loaded **loaded;
    size_t loaded_capacity, loaded_count;
    cohort_inventory_device *devices;
    cohort_unused *unused;
} cohort_inventory;

/* The plugin of a name; NULL: none is loaded. */
const cohort_loaded *cohort_inventory_plugin(const cohort_inventory *inventory, const char *name);

/* Add the devices of a plugin; infos are copied. A device whose uuid is there already becomes an
 * unused one. COHORT_ENOMEM: no device is added. */
cohort_status cohort_inventory_add(cohort_inventory *inventory, const cohort_loaded *loaded,
                                   const cohort_device_info *infos, uint32_t n);

/* Part `part` of `parts` of a whole device, the same address each time; NULL: out of memory. */
const cohort_device *cohort_inventory_part(cohort_inventory_device *whole, uint32_t part,
                                           uint32_t parts);

#endif
