/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and rules: what every operation asks before and tells after its work. */
#ifndef COHORT_LOOPBACK_STEERING_H
#define COHORT_LOOPBACK_STEERING_H

#include "plugins/loopback.h"

#include <stdbool.h>

extern const cohort_loopback steering_table;

/* Of the plugin, and of its device: "loopback", "stream". */
extern const char device_name[];

/* Count the operation and obey the rules: may sleep, wait, or return the status to fail with.
 * *out_corrupt, which may be NULL: a bit is to be flipped. */
cohort_status steering_begin(uint32_t part, cohort_loopback_op op, bool *out_corrupt,
                             cohort_error *err);

/* Add to a count of the part: &(cohort_loopback_counts){ .bytes_in = 8 }. Subtract: the same, taken
 * away. */
void steering_add(uint32_t part, const cohort_loopback_counts *more);
void steering_subtract(uint32_t part, const cohort_loopback_counts *less);

/* One more operation of the part is in flight. */
void steering_enqueued(uint32_t part);

cohort_loopback_lie steering_lie(void);

#endif
