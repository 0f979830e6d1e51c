/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for the log callback of cohort_log_set. */
#ifndef COHORT_BASE_LOG_H
#define COHORT_BASE_LOG_H

#include <cohort/status.h>

void cohort_log(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
