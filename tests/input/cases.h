/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases in numbers: what each worker's replicas get of a dataset. */
#ifndef COHORT_TESTS_INPUT_CASES_H
#define COHORT_TESTS_INPUT_CASES_H

#include "tests/input/shared.h"

/* id        what the case is called
 * by        who makes the datasets
 * replicas  of each worker
 * workers   input pipelines; each is an input of its own in this process
 * dataset   as for dataset_of
 * gets      worker by worker, as steps_of gives it; NULL: nobody looks. "!" and words between
 *           semicolons: the error */
typedef enum case_by { BY_DATASET = 0, BY_FUNCTION, BY_REPLICA, BY_ITERATOR } case_by;
typedef struct input_case {
    const char *id;
    case_by by;
    int replicas, workers;
    const char *dataset;
    const char *gets[MOST_WORKERS];
} input_case;

/* The input of one worker's pipeline. */
cohort_input *input_of(const input_case *it, cohort_strategy *s, int worker);

/* Each case on every list of devices, twice over: after the end the input starts over. Ends with an
 * id that is NULL. */
void check_cases(const input_case cases[]);

#endif
