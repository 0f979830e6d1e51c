/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin says of one device. */
#ifndef COHORT_PLUGIN_INFO_H
#define COHORT_PLUGIN_INFO_H

#include <cohort/plugin.h>

/* Check each field. COHORT_EINVAL: the text names the device, and the first field that says what
 * cannot be.
 *
 * Limits above ours are cut: max_parts to COHORT_LIMIT_PARTS, max_args to COHORT_MAX_ARGS,
 * mem_max_alloc to mem_total. An alignment of 0 becomes 1, and formats NULL an empty list. */
cohort_status cohort_info_check(cohort_device_info *info, uint32_t index);

#endif
