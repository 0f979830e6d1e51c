/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin's description of one device. */
#ifndef COHORT_PLUGIN_INFO_H
#define COHORT_PLUGIN_INFO_H

#include <cohort/plugin.h>

#include <stdbool.h>

/* Check each field. COHORT_EINVAL: the text names the device, and the first field that says what
 * cannot be.
 *
 * Limits above ours are cut: max_parts to COHORT_LIMIT_PARTS, max_args to COHORT_MAX_ARGS,
 * mem_max_alloc to mem_total. An alignment of 0 becomes 1, and formats NULL an empty list. */
cohort_status cohort_info_check(cohort_device_info *info, uint32_t index);

/* Whether the device says that it knows a reduction of a dtype. */
bool cohort_info_has_reduction(const cohort_device_info *info, uint32_t op, uint32_t dtype);

/* A dtype of the signature that the device does not say it knows; COHORT_VOID: there is none. */
cohort_dtype cohort_info_unknown_dtype(const cohort_device_info *info, const cohort_sig *sig);

#endif
