/* SPDX-License-Identifier: BSD-3-Clause */
/* The waiting of calls of the program: whoever waits does the caller's lane meanwhile. */
#ifndef COHORT_EXECUTOR_WAITING_H
#define COHORT_EXECUTOR_WAITING_H

#include "runtime/executor/executor.h"

cohort_waiting cohort_waiting_of_calls(cohort_executor *executor);

#endif
