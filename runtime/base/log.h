/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the log: for the callback of cohort_log_set, or for stderr as COHORT_LOG wants. */
#ifndef COHORT_BASE_LOG_H
#define COHORT_BASE_LOG_H

#include "runtime/base/subsystem.h"

#include <cohort/status.h>

void cohort_log(cohort_subsystem from, int level, const char *format, ...) COHORT_PRINTF_(3, 4);

/* Which worker of how many this process is, for lines of COHORT_LOG_FORMAT; the last one that it
 * has become counts. */
void cohort_log_set_rank(int rank);

#endif
