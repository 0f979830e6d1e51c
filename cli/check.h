/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of cohort check, each through the public interface alone, on a strategy that has no
 * error. A test that fails may leave one. */
#ifndef COHORT_CLI_CHECK_H
#define COHORT_CLI_CHECK_H

#include <cohort/cohort.h>

#include <stdbool.h>

enum { CHECK_REASON_BYTES = 512, CHECK_WEIGHTS = 6 };

typedef enum check_verdict { CHECK_OK = 0, CHECK_FAILED, CHECK_SKIPPED } check_verdict;

/* Why it failed or was skipped; "" where it did neither. */
typedef struct check_reason {
    check_verdict verdict;
    char text[CHECK_REASON_BYTES];
} check_reason;

/* y += a x, and every element beside a loop of this command. */
check_reason check_saxpy(cohort_strategy *strategy);

/* The sum over replicas of elements of one dtype, of bool the maximum, beside the same tree in this
 * command. */
check_reason check_reduce(cohort_strategy *strategy, cohort_dtype dtype);

/* A variable placed so, updated by a function. policy: as of cohort_placement_find. */
check_reason check_variable(cohort_strategy *strategy, const char *policy);

/* A model trained on an input of several batches, the last one smaller, its step recorded or not.
 * out: its weights. */
check_reason check_training(cohort_strategy *strategy, bool is_recorded, float out[CHECK_WEIGHTS]);

/* The error text of this thread as a reason to fail, or, where the device has no body for a
 * function, to be skipped. */
check_reason check_error(cohort_status status);

#endif
