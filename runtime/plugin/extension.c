/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of a vendor's own, for programs that know them. */
#include "config.h"

#include <cohort/device.h>

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/plugin/errand.h"
#include "runtime/plugin/gate.h"

#include <string.h>

typedef struct look {
    cohort_errand errand;
    const cohort_plugin *plugin;
    const char *name; /* the errand's block */
    const void *table;
} look;

static void ask(cohort_errand *errand)
{
    look *l = (look *)errand;
    l->table = l->plugin->extension(l->plugin->self, l->name);
}

static look *create(const cohort_device *device, const char *name)
{
    look *l = cohort_errand_create(sizeof *l, ask);
    if (l == NULL)
        return NULL;
    l->plugin = device->loaded->plugin;
    l->name = l->errand.block = cohort_string_copy(name);
    if (l->name != NULL)
        return l;
    cohort_errand_let_go(&l->errand);
    return NULL;
}

static cohort_status check(const cohort_device *device, const char *name, const void **out_table)
{
    static const char call[] = "cohort_device_extension";
    if (device == NULL || name == NULL || out_table == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %s is NULL", call,
                                device == NULL ? "device"
                                : name == NULL ? "name"
                                               : "out_table");
    if (strncmp(name, "cohort.", strlen("cohort.")) == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: '%s' is between Cohort and its plugins; a vendor's own is "
                                "'vendor.name/1'",
                                call, name);
    if (cohort_gate_is_shut(device->loaded))
        return cohort_gate_tell(device->loaded);
    return cohort_error_if_forked();
}

static cohort_status no_extension(const cohort_device *device, const char *name)
{
    return cohort_error_set(COHORT_ENOTSUP, "%s: plugin '%s' has no extension '%s'", device->id,
                            device->loaded->name, name);
}

cohort_status cohort_device_extension(const cohort_device *device, const char *name,
                                      const void **out_table)
{
    if (out_table != NULL)
        *out_table = NULL;
    cohort_status status = check(device, name, out_table);
    if (status < 0)
        return status;
    if (device->loaded->plugin->extension == NULL)
        return no_extension(device, name);
    look *l = create(device, name);
    if (l == NULL)
        return cohort_error_memory("a look at an extension");
    status = cohort_errand_do(&l->errand, name);
    if (status >= 0 && l->table == NULL)
        status = no_extension(device, name);
    *out_table = status >= 0 ? l->table : NULL;
    cohort_errand_let_go(&l->errand);
    return status;
}
