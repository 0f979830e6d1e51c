/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin's description of a device is checked field by field before anything is computed with it:
 * sizes are multiplied, texts are printed, and an alignment is taken for a power of two. */
#include "config.h"

#include "runtime/plugin/info.h"

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/utf8.h"

#include <string.h>

enum { MAX_FORMATS = 64, MAX_FORMAT_BYTES = 64 };

/* A value that no real device has: the plugin is refused as a whole, for whoever lies in one field
 * is not believed in the others. */
static cohort_status lie(uint32_t index, const char *field, uint64_t value)
{
    return cohort_error_set(COHORT_EINVAL, "device %u: %s is %llu, which no device has", index,
                            field, (unsigned long long)value);
}

static cohort_status check_counts(const cohort_device_info *info, uint32_t index)
{
    const uint64_t known = COHORT_CAP_SERIALIZE | COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE |
                           COHORT_CAP_UNIFIED | COHORT_CAP_COHERENT | COHORT_CAP_WIDE_MEAN |
                           COHORT_CAP_GRID;
    if (info->struct_size < offsetof(cohort_device_info, reductions) + sizeof info->reductions)
        return lie(index, "struct_size", info->struct_size);
    if (info->type < COHORT_DEVICE_CPU || info->type > COHORT_DEVICE_ACCELERATOR)
        return lie(index, "type", info->type);
    if ((info->caps & ~known) != 0)
        return lie(index, "caps", info->caps);
    if (info->mem_total == 0 || info->mem_total > INT64_MAX)
        return lie(index, "mem_total", info->mem_total);
    if (info->mem_max_alloc == 0)
        return lie(index, "mem_max_alloc", info->mem_max_alloc);
    if (info->compute_units == 0 || info->compute_units > INT32_MAX)
        return lie(index, "compute_units", info->compute_units);
    if (info->max_parts == 0)
        return lie(index, "max_parts", info->max_parts);
    return COHORT_OK;
}

/* Where the device and its memory are. A number has one bit when it and its predecessor have none
 * in common; 0 passes, and becomes 1 later. An uuid of zeros is what a plugin that forgot it would
 * say, and all such devices would count as one. */
static cohort_status check_places(const cohort_device_info *info, uint32_t index)
{
    static const uint8_t none[sizeof info->uuid];
    if ((info->mem_align & (info->mem_align - 1)) != 0)
        return lie(index, "mem_align", info->mem_align);
    if ((info->import_align & (info->import_align - 1)) != 0)
        return lie(index, "import_align", info->import_align);
    if (info->numa_node < -1)
        return cohort_error_set(COHORT_EINVAL, "device %u: numa_node is %d; expected -1 or more",
                                index, info->numa_node);
    if (memcmp(info->uuid, none, sizeof none) == 0)
        return cohort_error_set(COHORT_EINVAL, "device %u: uuid is all zero", index);
    return COHORT_OK;
}

static cohort_status check_text(uint32_t index, const char *field, const char *text,
                                size_t capacity)
{
    if (cohort_utf8_is_printable(text, capacity))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "device %u: %s is not a terminated, printable UTF-8 text", index, field);
}

static cohort_status check_texts(const cohort_device_info *info, uint32_t index)
{
    cohort_status st = check_text(index, "pci", info->pci, sizeof info->pci);
    if (st >= 0)
        st = check_text(index, "name", info->name, sizeof info->name);
    if (st >= 0 && info->name[0] == '\0')
        st = cohort_error_set(COHORT_EINVAL, "device %u: name is empty", index);
    return st < 0 ? st : check_text(index, "driver", info->driver, sizeof info->driver);
}

static cohort_status check_formats(const cohort_device_info *info, uint32_t index)
{
    cohort_status st = COHORT_OK;
    for (int i = 0; st >= 0 && info->formats != NULL && info->formats[i] != NULL; i++) {
        if (i == MAX_FORMATS)
            return cohort_error_set(COHORT_EINVAL, "device %u: more than %d formats", index,
                                    MAX_FORMATS);
        st = check_text(index, "a format", info->formats[i], MAX_FORMAT_BYTES);
    }
    return st;
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

/* A generous limit is no fault, as the core never goes further than its own: it is cut. So is the
 * alignment 0, which becomes 1: what follows divides by it. */
static void cut_to_limits(cohort_device_info *info)
{
    static const char *const no_formats[] = { NULL };
    info->max_parts = at_most(info->max_parts, COHORT_LIMIT_PARTS);
    info->max_args =
        info->max_args > 0 ? at_most(info->max_args, COHORT_MAX_ARGS) : COHORT_MAX_ARGS;
    info->mem_max_alloc =
        info->mem_max_alloc < info->mem_total ? info->mem_max_alloc : info->mem_total;
    info->mem_align = info->mem_align > 0 ? info->mem_align : 1;
    info->import_align = info->import_align > 0 ? info->import_align : 1;
    info->formats = info->formats != NULL ? info->formats : no_formats;
}

cohort_status cohort_info_check(cohort_device_info *info, uint32_t index)
{
    cohort_status st = check_counts(info, index);
    if (st >= 0)
        st = check_places(info, index);
    if (st >= 0)
        st = check_texts(info, index);
    if (st >= 0)
        st = check_formats(info, index);
    if (st >= 0)
        cut_to_limits(info);
    return st;
}

/* ------------------------------------------------------------------ what it knows */

static bool has_bit(uint64_t bits, uint32_t i)
{
    return i < 64 && (bits >> i & 1) != 0;
}

bool cohort_info_has_reduction(const cohort_device_info *info, uint32_t op, uint32_t dtype)
{
    return has_bit(info->reductions, op) && has_bit(info->dtypes, dtype);
}

/* Whatever is no number belongs to the ABI: void, structs, long double and pointers. */
static bool is_known(const cohort_device_info *info, uint32_t dtype)
{
    return !cohort_dtype_is_number((cohort_dtype)dtype) || has_bit(info->dtypes, dtype);
}

static uint32_t unknown_member(const cohort_device_info *info, const cohort_layout *layout)
{
    for (uint32_t i = 0; i < layout->nmembers; i++)
        if (!is_known(info, layout->members[i].type))
            return layout->members[i].type;
    return COHORT_VOID;
}

cohort_dtype cohort_info_unknown_dtype(const cohort_device_info *info, const cohort_sig *sig)
{
    uint32_t unknown = is_known(info, sig->ret) ? (uint32_t)COHORT_VOID : sig->ret;
    for (uint32_t i = 0; i < sig->nargs && unknown == COHORT_VOID; i++)
        if (!is_known(info, sig->args[i].type))
            unknown = sig->args[i].type;
    for (uint32_t i = 0; i < sig->ntypes && unknown == COHORT_VOID; i++)
        unknown = unknown_member(info, &sig->types[i]);
    return (cohort_dtype)unknown;
}
