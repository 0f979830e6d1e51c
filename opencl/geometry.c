/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items and groups: the size of groups where the program leaves it open, and what does not
 * fit.
 *
 * A range of a guarded kernel may be rounded up, so any size of groups will do; one of another
 * kernel needs sizes that divide it. OpenCL 1.2 demands that each local size divides the global
 * one. */
#include "config.h"

#include "opencl/geometry.h"

enum { SMALLEST_GROUP = 16 };

static size_t power_below(size_t n)
{
    size_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* Groups of this size make the range more than an eighth longer. */
static bool is_wasteful(uint64_t global, size_t size)
{
    uint64_t rest = global % size;
    return rest > 0 && size - rest > global / 8;
}

/* The size of groups for a range that may be rounded up. Some drivers compile a kernel again for
 * each size, so there are few of them: one for lines, where the items too many cost next to
 * nothing, else powers of four, and quarters where each line would have many items too many. */
static size_t rounded_size(uint64_t global, size_t most, bool is_line)
{
    size_t size = 1;
    if (is_line)
        return power_below(most);
    while (size < global && size * 4 <= most)
        size *= 4;
    if (size < global)
        size = power_below(most);
    while (size > SMALLEST_GROUP && is_wasteful(global, size))
        size /= 4;
    return size;
}

/* The size of groups for a range that has to be divided: the largest power of two in it, when that
 * makes groups worth having, else the largest divisor that is allowed. */
static size_t divisor_size(uint64_t global, size_t most)
{
    uint64_t power = global & (~global + 1);
    if (power > most)
        power = power_below(most);
    if (power >= SMALLEST_GROUP)
        return (size_t)power;
    for (size_t size = global < most ? (size_t)global : most; size > 1; size--)
        if (global % size == 0)
            return size;
    return 1;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static uint64_t product(const cohort_range *range)
{
    uint64_t items = 1;
    for (uint32_t d = 0; d < range->dims; d++)
        items *= range->global[d]; /* only compared with 1 */
    return items;
}

/* Sizes that the program gave, or the kernel demands (reqd_work_group_size), count first; what is
 * left of the largest group is shared out to the other dimensions, the first one first. */
static void choose_local(const struct opencl_limits *limits, const cohort_range *range,
                         struct opencl_geometry *out)
{
    size_t left = smaller(limits->preferred, limits->group);
    for (uint32_t d = 0; d < range->dims; d++)
        if (range->local[d] != 0 && range->local[d] <= left)
            left /= (size_t)range->local[d];
    for (uint32_t d = 0; d < range->dims; d++) {
        size_t most = smaller(left, limits->items[d]);
        if (limits->required[0] != 0)
            out->local[d] = limits->required[d] > 0 ? limits->required[d] : 1;
        else if (range->local[d] != 0)
            out->local[d] = (size_t)range->local[d];
        else
            out->local[d] = limits->is_guarded
                                ? rounded_size(range->global[d], most, range->dims == 1)
                                : divisor_size(range->global[d], most);
        if (range->local[d] == 0 && out->local[d] <= left)
            left /= out->local[d];
    }
}

/* Neither the program nor the kernel has said anything about groups. */
static bool is_all_ours(const struct opencl_limits *limits, const cohort_range *range)
{
    return range->local[0] == 0 && range->local[1] == 0 && range->local[2] == 0 &&
           limits->required[0] == 0;
}

static cohort_status check_local(const struct opencl_limits *limits, const cohort_range *range,
                                 const struct opencl_geometry *geometry, cohort_error *err)
{
    size_t items = 1;
    for (uint32_t d = 0; d < range->dims; d++) {
        size_t local = geometry->local[d];
        if (range->local[d] != 0 && range->local[d] != local)
            return cohort_fail(
                err, COHORT_EINVAL, 0,
                "local size %llu in dimension %u, but the kernel's reqd_work_group_size has %zu",
                (unsigned long long)range->local[d], d, local);
        if (local > limits->items[d])
            return cohort_fail(err, COHORT_EINVAL, 0,
                               "local size %zu in dimension %u; this device has at most %zu", local,
                               d, limits->items[d]);
        if (local > limits->group / items)
            return cohort_fail(err, COHORT_EINVAL, 0,
                               "more than the %zu work-items that a group of this kernel may have",
                               limits->group);
        items *= local;
        if (!limits->is_guarded && range->global[d] % local != 0)
            return cohort_fail(err, COHORT_EINVAL, 0,
                               "global size %llu is no multiple of local size %zu in dimension %u",
                               (unsigned long long)range->global[d], local, d);
    }
    return COHORT_OK;
}

static cohort_status round_up(const cohort_range *range, struct opencl_geometry *geometry,
                              cohort_error *err)
{
    for (uint32_t d = 0; d < range->dims; d++) {
        uint64_t rest = range->global[d] % geometry->local[d];
        uint64_t more = rest > 0 ? geometry->local[d] - rest : 0;
        if (range->global[d] > SIZE_MAX - more)
            return cohort_fail(
                err, COHORT_EINVAL, 0,
                "global size %llu in dimension %u is more than this machine can count",
                (unsigned long long)range->global[d], d);
        geometry->global[d] = (size_t)(range->global[d] + more);
    }
    return COHORT_OK;
}

cohort_status opencl_geometry_shift(const uint64_t offset[3], struct opencl_geometry *geometry,
                                    cohort_error *err)
{
    for (uint32_t d = 0; d < geometry->dims; d++) {
        if (offset[d] > SIZE_MAX - geometry->global[d])
            return cohort_fail(
                err, COHORT_EINVAL, 0,
                "offset %llu and %zu work-items in dimension %u are more than this machine can "
                "count",
                (unsigned long long)offset[d], geometry->global[d], d);
        geometry->offset[d] = (size_t)offset[d];
    }
    return COHORT_OK;
}

cohort_status opencl_geometry_choose(const struct opencl_limits *limits, const cohort_range *range,
                                     struct opencl_geometry *out, cohort_error *err)
{
    *out = (struct opencl_geometry){ .dims = range->dims, .local = { 1, 1, 1 } };
    if (range->dims == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "the OpenCL body has no global size");
    if (range->dims > 3)
        return cohort_fail(err, COHORT_EINVAL, 0, "%u dimensions; OpenCL has 3", range->dims);
    for (uint32_t d = 0; d < range->dims; d++)
        out->is_empty |= range->global[d] == 0;
    if (out->is_empty)
        return COHORT_OK;
    choose_local(limits, range, out);
    cohort_status st = check_local(limits, range, out, err);
    if (st == COHORT_OK)
        st = round_up(range, out, err);
    /* groups of one item, chosen here for want of a divisor, would be the slowest: then the driver
     * chooses */
    bool is_single = out->local[0] * out->local[1] * out->local[2] == 1;
    out->is_local_chosen = !(is_all_ours(limits, range) && is_single && product(range) > 1);
    return st;
}
