/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugins that are loaded and the devices that they have.
 *
 * Devices are never freed: a program holds their addresses, and equal devices have equal addresses,
 * so that addresses can be compared. Whole devices are in one list, in the order of the search for
 * plugins; a part hangs at its whole device, and is made when it is first asked for. The registry's
 * lock is held for all of this. */
#include "config.h"

#include "runtime/plugin/inventory.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/plugin/unused.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const cohort_loaded *cohort_inventory_plugin(const cohort_inventory *inventory, const char *name)
{
    for (size_t i = 0; i < inventory->loaded_count; i++)
        if (strcmp(inventory->loaded[i]->name, name) == 0)
            return inventory->loaded[i];
    return NULL;
}

/* The properties that are numbers, as texts that can be handed out for ever. */
static void print_properties(cohort_inventory_device *node)
{
    const cohort_device_info *info = node->device.info;
    (void)snprintf(node->compute_units, sizeof node->compute_units, "%" PRIu32,
                   info->compute_units);
    (void)snprintf(node->memory_bytes, sizeof node->memory_bytes, "%" PRIu64, info->mem_total);
    (void)snprintf(node->numa_node, sizeof node->numa_node, "%" PRId32, info->numa_node);
    (void)snprintf(node->max_parts, sizeof node->max_parts, "%" PRIu32, info->max_parts);
    cohort_text formats = cohort_text_begin(node->formats, sizeof node->formats);
    for (const char *const *f = info->formats; *f != NULL; f++)
        cohort_text_add_item(&formats, ", ", "%s", *f);
}

static cohort_inventory_device *create_whole(const cohort_loaded *loaded,
                                             const cohort_device_info *info, uint32_t index)
{
    cohort_inventory_device *node = cohort_allocate(1, sizeof *node);
    if (node == NULL)
        return NULL;
    node->info = *info;
    node->device = (cohort_device){
        .loaded = loaded, .info = &node->info, .index = index, .part = 0, .parts = 1
    };
    node->whole = node;
    (void)snprintf(node->device.id, sizeof node->device.id, "%s:%" PRIu32, loaded->name, index);
    print_properties(node);
    return node;
}

/* Two plugins may offer one device, as a vendor's and that of OpenCL do: it is used once. */
static const cohort_inventory_device *find_uuid(const cohort_inventory_device *list,
                                                const uint8_t uuid[16])
{
    for (; list != NULL; list = list->next)
        if (memcmp(list->device.info->uuid, uuid, 16) == 0)
            return list;
    return NULL;
}

static void free_list(cohort_inventory_device *list)
{
    while (list != NULL) {
        cohort_inventory_device *next = list->next;
        cohort_free(list);
        list = next;
    }
}

/* All devices of a plugin or none: a list that lacks some would pass for all that there are. */
static cohort_inventory_device *create_list(const cohort_loaded *loaded,
                                            const cohort_device_info *infos, uint32_t n)
{
    cohort_inventory_device *list = NULL, **end = &list;
    for (uint32_t i = 0; i < n; i++, end = &(*end)->next)
        if ((*end = create_whole(loaded, &infos[i], i)) == NULL) {
            free_list(list);
            return NULL;
        }
    return list;
}

/* Two drivers may offer one card under uuids that are not equal: then it is used twice, which may
 * be meant, and nobody can know that it is one. Devices of one driver at one place are parts of a
 * card, or virtual ones, and each is used once. */
static void note_card(const cohort_inventory *inventory, cohort_inventory_device *node)
{
    const cohort_device_info *info = node->device.info;
    for (const cohort_inventory_device *at = inventory->devices; at != NULL; at = at->next)
        if (info->pci[0] != '\0' && strcmp(at->device.info->pci, info->pci) == 0 &&
            strcmp(at->device.info->driver, info->driver) != 0) {
            (void)snprintf(node->note, sizeof node->note,
                           "may be the same card as %s, by another driver (PCI address %s)",
                           at->device.id, info->pci);
            return;
        }
}

/* Add a device behind those of its plugin and of plugins before it, so that the list does not
 * depend on which plugin was opened first. A device that is there already, of this plugin or
 * another one, becomes an unused one. */
static void insert(cohort_inventory *inventory, cohort_inventory_device *node)
{
    const cohort_inventory_device *same = find_uuid(inventory->devices, node->device.info->uuid);
    cohort_inventory_device **end = &inventory->devices;
    if (same != NULL) {
        (void)cohort_error_set(COHORT_EINVAL, "the same device as %s (equal uuid)",
                               same->device.id);
        cohort_unused_add(&inventory->unused, node->device.id, "", "");
        cohort_free(node);
        return;
    }
    note_card(inventory, node);
    while (*end != NULL && (*end)->device.loaded->rank <= node->device.loaded->rank)
        end = &(*end)->next;
    node->next = *end;
    *end = node;
}

cohort_status cohort_inventory_add(cohort_inventory *inventory, const cohort_loaded *loaded,
                                   const cohort_device_info *infos, uint32_t n)
{
    cohort_inventory_device *list = create_list(loaded, infos, n);
    if (n > 0 && list == NULL)
        return cohort_error_memory("the devices of a plugin");
    while (list != NULL) {
        cohort_inventory_device *node = list;
        list = node->next;
        insert(inventory, node);
    }
    return COHORT_OK;
}

static cohort_inventory_device *create_part(cohort_inventory_device *whole, uint32_t part,
                                            uint32_t parts)
{
    cohort_inventory_device *node = cohort_allocate(1, sizeof *node);
    if (node == NULL)
        return NULL;
    node->device = whole->device;
    node->device.part = part;
    node->device.parts = parts;
    node->whole = whole;
    node->next = whole->parts;
    whole->parts = node;
    (void)snprintf(node->device.id, sizeof node->device.id, "%s:%" PRIu32 ".%" PRIu32,
                   whole->device.loaded->name, whole->device.index, part);
    return node;
}

const cohort_device *cohort_inventory_part(cohort_inventory_device *whole, uint32_t part,
                                           uint32_t parts)
{
    cohort_assert(whole->whole == whole && part < parts);
    /* interned, and kept as long as the process: equal devices have equal addresses */
    cohort_inventory_device *node = parts == 1 ? whole : whole->parts;
    while (node != NULL && (node->device.part != part || node->device.parts != parts))
        node = node->next;
    if (node == NULL)
        node = create_part(whole, part, parts);
    return node != NULL ? &node->device : NULL;
}
