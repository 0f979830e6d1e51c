/* SPDX-License-Identifier: BSD-3-Clause */
/* How many work-items run, and in which groups. */
#ifndef COHORT_OPENCL_GEOMETRY_H
#define COHORT_OPENCL_GEOMETRY_H

#include <cohort/plugin.h>

#include <stdbool.h>
#include <stddef.h>

/* The limits of device and kernel together. */
struct opencl_limits {
    size_t group;       /* work-items of a group */
    size_t items[3];    /* of a group, in each dimension */
    size_t required[3]; /* the kernel's own reqd_work_group_size, or 0 */
    size_t preferred;   /* a good size of groups on this device */
    bool is_guarded;    /* the range may be rounded up */
};

struct opencl_geometry {
    uint32_t dims;
    bool is_empty;        /* there is no work-item */
    bool is_local_chosen; /* `local` is set; else the driver chooses it */
    size_t global[3], local[3], offset[3];
};

/* Fit a range into the limits, its ids from 0 on. COHORT_EINVAL, with the reason: it does not
 * fit. */
cohort_status opencl_geometry_choose(const struct opencl_limits *limits, const cohort_range *range,
                                     struct opencl_geometry *out, cohort_error *err);

/* Let the ids begin at these. COHORT_EINVAL: the last one is more than the device can count. */
cohort_status opencl_geometry_shift(const uint64_t offset[3], struct opencl_geometry *geometry,
                                    cohort_error *err);

#endif
