/* SPDX-License-Identifier: BSD-3-Clause */
/* Small programs whose results say nothing of the devices that they ran on: each is given a
 * strategy and writes down what it found. */
#ifndef COHORT_TESTS_RIGHT_H
#define COHORT_TESTS_RIGHT_H

#include "cohort/cohort.h"

#include <stdbool.h>

enum { MAX_REPLICAS = 5, ROWS = 13, COLUMNS = 3, CELLS = ROWS * COLUMNS, CLASSES = 4 };

typedef struct right_program {
    void (*run)(cohort_strategy *s);
    const char *name;
} right_program;

#define RIGHT(run)                                                                                 \
    {                                                                                              \
        run, #run                                                                                  \
    }

/* Ended by a name that is NULL. */
extern const right_program right_values[], right_runs[], right_reduces[], right_gathers[],
    right_kinds[], right_logical[], right_variables[], right_scatters[], right_steps[],
    right_inputs[], right_datasets[], right_sources[], right_metrics[], right_programs[];

/* ---- What programs work on: the same in every process. */

extern int64_t whole[CELLS]; /* integers, of which rows and columns may be made */
extern float real[CELLS];    /* whose sums are rounded */
extern int32_t ids[ROWS];    /* of classes; some repeat */

/* Rows of all of `whole` and `real`, shared out evenly; and so that some replicas have none. */
cohort_value *whole_rows(cohort_strategy *s);
cohort_value *real_rows(cohort_strategy *s);
cohort_value *uneven_rows(cohort_strategy *s);
void uneven_counts(const cohort_strategy *s, int64_t counts[MAX_REPLICAS]);

/* The sum of the integers of each column of its own rows, for each replica that has some. */
cohort_value *own_sums(cohort_strategy *s);

/* A file of this process alone, in the folder of the test; lent until the next call. */
const char *own_file(const char *name);

/* A file of tests/data; lent until the next call. */
const char *data_file(const char *name);

/* ---- Writing down: a label, and what there is. Of a value that is per replica, its rows of all
 * replicas; rank 0 has none. */
void note_value(const char *label, cohort_value *value);
void note_variable(const char *label, cohort_variable *variable);
void note_array(const char *label, const cohort_array *array);
void note_integer(const char *label, int64_t number);
void note_real(const char *label, double number);

/* All rows of a dataset's batches, as its input hands them to the replicas: a line for each
 * component, of all steps. The dataset is taken. */
void note_dataset(cohort_strategy *s, const char *label, cohort_dataset *dataset);

/* The same of an input, from where it is; at most so many steps, which it answers. */
int64_t note_steps(cohort_strategy *s, const char *label, cohort_input *input, int64_t steps);

/* A number, a line of every process that made its own: they are added up over the workers. */
void note_added(cohort_strategy *s, const char *label, int64_t number);

/* One more error that sticks, where a call says nothing to the strategy itself. */
void note_failure(const char *label);

/* ---- What cannot be equal everywhere, and why. */

typedef enum right_how {
    RIGHT_BY_REPLICAS = 'r', /* equal wherever there are as many replicas */
    RIGHT_NEARLY = 'n',      /* equal but for some units in the last place */
    RIGHT_ON_HOST = 'h'      /* not to be had elsewhere than on the host */
} right_how;

typedef struct right_exception {
    const char *name; /* PROGRAM.LABEL; or of what prints, such as guide/sum */
    right_how how;
    const char *reason;
} right_exception;

/* Ended by a name that is NULL. */
extern const right_exception right_exceptions[];

#endif
