/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of inputs share: datasets from a line of text, and what replicas get as a line of
 * text. */
#ifndef COHORT_TESTS_INPUT_SHARED_H
#define COHORT_TESTS_INPUT_SHARED_H

#include "tests/core.h"
#include "tests/steer.h"

enum { MOST_REPLICAS = 8, MOST_WORKERS = 5, MOST_ROWS = 4096 };

/* ---- Datasets.
 *
 * "range 14, batch 8, repeat 2": the words of include/cohort/dataset.h with their numbers, W and w
 * being the number of pipelines and the one that reads. Besides: "drop N", a batch that drops the
 * remainder; "pair", every number twice, side by side; "off", "file", "data", "hint", "ceil",
 * "balanced" and "global N", the options; "files N M", N text files of M lines, "0" being the first
 * line of the first; "numbers", what such a line says. NULL as the calls. */
cohort_dataset *dataset_of(const char *text, int pipelines, int pipeline);

/* The files of "files N M", made at need in a folder of this process, which the second call takes
 * away. */
const char *const *files_of(int n, int lines);
void remove_files(void);

/* ---- Steps. */

/* (x, by, plus, out y): by * x + plus, on every kind of device. */
extern const cohort_function *const affine;

/* The int64 that each replica finds in component 0, on its device, in the next steps (-1: to the
 * end): replicas in brackets, a blank between steps, "[0,1][2] [3][]"; an error is "!" and its
 * text. Lent until the next call. */
const char *steps_of(cohort_strategy *s, cohort_input *input, int steps);

/* The same, with the values given; they hold the last step afterwards. */
const char *steps_into(cohort_strategy *s, cohort_input *input, cohort_value *const values[],
                       int steps);

/* The same, of values that hold something: one step. */
const char *step_in(cohort_strategy *s, cohort_value *component);

/* One number at the end of a text. */
size_t add_number(char text[], size_t used, size_t capacity, int64_t number, bool is_first);

bool is_line(const char *found, const char *wanted); /* equal, or a diagnostic and false */

/* ---- Where. */

/* The lists of devices on which R replicas are checked; NULL behind the last. Those with OpenCL
 * only where it is. */
const char *place_of(int replicas, int i);
cohort_strategy *open_on(const char *devices, int replicas);

/* ---- Groups of tests: input.c calls them in this order. */

void test_wrong_calls(void);
void test_batches(void);
void test_pipelines(void);
void test_ends(void);
void test_examples(void);
void test_values(void);
void test_loans(void);
void test_grown(void);
void test_steady(void);
void test_cardinality(void);
void test_ahead(void);
void test_faults(const cohort_loopback *loopback);
/* their functions, and the team of the host, stay */
void warm_up_ahead(void);
void warm_up_faults(void);
void warm_up_loans(void);
void warm_up_values(void);

#endif
