/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin says of one device. */
#ifndef COHORT_PLUGIN_INFO_H
#define COHORT_PLUGIN_INFO_H

#include <cohort/plugin.h>

/* Check each field; the error text names the device and the first lie. Limits that are merely
 * generous are cut to ours: max_parts to COHORT_LIMIT_PARTS, max_args to COHORT_MAX_ARGS,
 * mem_max_alloc to mem_total; an alignment of 0 is 1, and formats NULL is an empty list.
 * COHORT_EINVAL. */
cohort_status cohort_info_check(cohort_device_info *info, uint32_t index);

#endif
