/* SPDX-License-Identifier: BSD-3-Clause */
/* The device of loopback and stream: what it says of itself, true or told otherwise, and its parts.
 *
 * An opened part holds nothing but its number, by which rules and counts know it (steering.h). */
#include "config.h"

#include "plugins/loopback/device.h"

#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "native.fn", NULL };

/* A CPU without COHORT_CAP_PROMPT: nobody gets it who did not ask for it. */
static const cohort_device_info honest = {
    .struct_size = sizeof honest,
    .type = COHORT_DEVICE_CPU,
    .caps = COHORT_CAP_COHERENT,
    .mem_total = UINT64_C(1) << 32,
    .mem_max_alloc = UINT64_C(1) << 32,
    .mem_align = 64,
    .import_align = 1,
    .compute_units = 1,
    .max_parts = COHORT_LOOPBACK_PARTS,
    .numa_node = -1,
    .max_args = COHORT_MAX_ARGS,
    .formats = formats,
    .dtypes = COHORT_ALL_DTYPES,
};

static void name(cohort_device_info *info)
{
    (void)snprintf((char *)info->uuid, sizeof info->uuid, "cohort %s", device_name);
    (void)snprintf(info->name, sizeof info->name, "%s", device_name);
    (void)snprintf(info->driver, sizeof info->driver, "%s " PACKAGE_VERSION, device_name);
}

/* Each lie is one that the core must find by itself (plugin/info.c), but for that of small blocks,
 * which loopback does not insist on: the core has to. Nothing else of the device changes. */
static void tell_a_lie(cohort_device_info *info, cohort_loopback_lie lie)
{
    if (lie == COHORT_LOOPBACK_NO_MEMORY)
        info->mem_total = info->mem_max_alloc = 0;
    else if (lie == COHORT_LOOPBACK_NO_PARTS)
        info->max_parts = 0;
    else if (lie == COHORT_LOOPBACK_NO_UUID)
        memset(info->uuid, 0, sizeof info->uuid);
    else if (lie == COHORT_LOOPBACK_NO_FORMATS)
        info->formats = NULL;
    else if (lie == COHORT_LOOPBACK_ODD_TYPE)
        info->type = 99;
    else if (lie == COHORT_LOOPBACK_ODD_ALIGN)
        info->mem_align = 48;
    else if (lie == COHORT_LOOPBACK_FALSE_CAPS)
        info->caps |= COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE;
    else if (lie == COHORT_LOOPBACK_SMALL_BLOCKS)
        info->mem_max_alloc = 4096;
    else if (lie == COHORT_LOOPBACK_OPEN_TEXT) {
        memset(info->name, 'x', sizeof info->name);
        memset(info->driver, 'x', sizeof info->driver);
    }
}

static uint32_t device_count(cohort_loopback_lie lie)
{
    if (lie == COHORT_LOOPBACK_NO_DEVICES)
        return 0;
    return lie == COHORT_LOOPBACK_MANY_DEVICES ? 1000000000u : 1;
}

cohort_status loopback_enumerate(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                                 uint32_t *out_n, cohort_error *err)
{
    (void)self;
    cohort_status st = steering_begin(0, COHORT_LOOPBACK_ENUMERATE, NULL, err);
    cohort_loopback_lie lie = steering_lie();
    if (st == COHORT_OK && lie == COHORT_LOOPBACK_REFUSES)
        st = cohort_fail(err, COHORT_EINTERNAL, -1, "%s was told to refuse", device_name);
    if (st < 0)
        return st;
    cohort_device_info info = honest;
    name(&info);
    tell_a_lie(&info, lie);
    *out_n = device_count(lie);
    if (cap > 0 && *out_n > 0)
        memcpy(out, &info, stride < sizeof info ? stride : sizeof info);
    return COHORT_OK;
}

cohort_status loopback_device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                   cohort_dev **out_dev, cohort_error *err)
{
    (void)self;
    if (index != 0)
        return cohort_fail(err, COHORT_ENODEV, 0, "no %s device %u", device_name, index);
    if (part >= parts || parts > COHORT_LOOPBACK_PARTS)
        return cohort_fail(err, COHORT_EINVAL, 0, "part %u of %u; at most %d parts", part, parts,
                           COHORT_LOOPBACK_PARTS);
    cohort_status st = steering_begin(part, COHORT_LOOPBACK_OPEN, NULL, err);
    if (st < 0)
        return st;
    cohort_dev *dev = malloc(sizeof *dev);
    if (dev == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a device");
    *dev = (cohort_dev){ .part = part };
    steering_add(part, &(cohort_loopback_counts){ .live_devices = 1 });
    *out_dev = dev;
    return COHORT_OK;
}

cohort_status loopback_device_close(cohort_dev *dev, cohort_error *err)
{
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_CLOSE, NULL, err);
    /* also when it is told to fail: by plugin.h the device is gone whatever is answered */
    steering_subtract(dev->part, &(cohort_loopback_counts){ .live_devices = 1 });
    free(dev);
    return st;
}
