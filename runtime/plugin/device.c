/* SPDX-License-Identifier: BSD-3-Clause */
/* The questions of a program to a device: its id, and its properties as texts.
 *
 * The texts live as long as the process, since devices do: those that are no words of the
 * plugin were printed when the device was found (inventory.c). */
#include "config.h"

#include <cohort/device.h>

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/plugin/registry.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *cohort_device_id(const cohort_device *device)
{
    return device != NULL ? device->id : "";
}

static const char *type_name(uint32_t type)
{
    static const char *const names[] = { [COHORT_DEVICE_CPU] = "cpu",
                                         [COHORT_DEVICE_GPU] = "gpu",
                                         [COHORT_DEVICE_ACCELERATOR] = "accelerator" };
    cohort_assert(type < sizeof names / sizeof *names); /* cohort_info_check let it pass */
    return names[type];
}

/* Whether a strategy without a list of devices would use this one. Choosing may fail, when there is
 * no default device; that is no error of the caller, whose slot stays as it was. */
static const char *is_default(const cohort_device *device)
{
    const cohort_device **list = NULL;
    cohort_error_saved earlier;
    bool is_among = false;
    int n = 0;
    cohort_error_save(&earlier);
    (void)cohort_registry_select(NULL, &list, &n);
    for (int i = 0; i < n; i++)
        is_among |= list[i]->loaded == device->loaded && list[i]->index == device->index;
    cohort_free(list);
    cohort_error_restore(&earlier);
    return is_among ? "yes" : "no";
}

const char *cohort_device_property(const cohort_device *device, const char *key)
{
    if (device == NULL || key == NULL)
        return NULL;
    const cohort_inventory_device *whole = ((const cohort_inventory_device *)device)->whole;
    const struct {
        const char *key, *value;
    } properties[] = { { "plugin", device->loaded->name },
                       { "name", device->info->name },
                       { "driver", device->info->driver },
                       { "type", type_name(device->info->type) },
                       { "compute_units", whole->compute_units },
                       { "memory_bytes", whole->memory_bytes },
                       { "numa_node", whole->numa_node },
                       { "max_parts", whole->max_parts },
                       { "formats", whole->formats },
                       { "note", whole->note } };
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (strcmp(properties[i].key, key) == 0)
            return properties[i].value;
    return strcmp(key, "default") == 0 ? is_default(device) : NULL;
}
