/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that the plugin splits among the threads of a device. */
#ifndef COHORT_HOST_WORK_H
#define COHORT_HOST_WORK_H

#include "host/crew.h"

#include <cohort/plugin.h>

/* Call fn for all of 0..n, in ranges that start at multiples of grain.
 *
 * is_worth_it  false: in one range, on the calling thread; true: by the device's crew, which is
 *              made at the first such call
 * False: fn has ended a thread of the crew. */
bool work_split(cohort_dev *dev, bool is_worth_it, uint64_t n, uint64_t grain, crew_fn fn,
                void *context);

#endif
