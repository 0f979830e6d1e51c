/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and rules of the plugin's tests (plugins/loopback.h): every operation begins by asking for
 * a rule, and ends by adding to the counts. */
#ifndef COHORT_LOOPBACK_STEERING_H
#define COHORT_LOOPBACK_STEERING_H

#include "plugins/loopback.h"

#include <stdbool.h>

extern const cohort_loopback steering_table;

/* The name of the plugin and of its device: "loopback" or "stream". */
extern const char device_name[];

/* Count an operation and obey the rules for it: sleep, wait, or return the status with which the
 * operation is to fail. *out_corrupt says whether it is to flip a bit; out_corrupt may be NULL. */
cohort_status steering_begin(uint32_t part, cohort_loopback_op op, bool *out_corrupt,
                             cohort_error *err);

/* Add to, or take away from, the counts of a part: &(cohort_loopback_counts){ .bytes_in = 8 }. */
void steering_add(uint32_t part, const cohort_loopback_counts *more);
void steering_subtract(uint32_t part, const cohort_loopback_counts *less);

/* One more operation of the part is in flight. */
void steering_enqueued(uint32_t part);

/* The answer that enumerate is to give. */
cohort_loopback_lie steering_lie(void);

#endif
