/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a chain that says what a dataset is. */
#ifndef COHORT_TESTS_TABLE_PIPELINE_H
#define COHORT_TESTS_TABLE_PIPELINE_H

#include "tests/table/table.h"

enum { PIPELINE_WORD = 32, PIPELINE_NUMBERS = 4, PIPELINE_CHAINS = 2 };

/* One call: its numbers and its datasets, each in their order. Numbers that are not there are 0. */
typedef struct pipeline_call {
    char word[PIPELINE_WORD];
    int64_t numbers[PIPELINE_NUMBERS];
    cohort_dataset *datasets[PIPELINE_CHAINS];
    int n_numbers, n_datasets;
} pipeline_call;

/* Both take the datasets of the call; NULL with an error text, or after table_malformed. */
cohort_dataset *pipeline_source(table_case *c, const pipeline_call *x);
cohort_dataset *pipeline_transform(table_case *c, cohort_dataset *d, const pipeline_call *x);

/* Gives up what a call was given. */
cohort_dataset *pipeline_give_up(cohort_dataset *d, const pipeline_call *x); /* NULL */

#endif
