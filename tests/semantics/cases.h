/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases of what tf.distribute does, in numbers: written down once, checked on many devices and
 * placements. */
#ifndef COHORT_TESTS_SEMANTICS_CASES_H
#define COHORT_TESTS_SEMANTICS_CASES_H

#include "tests/core.h"

enum { MOST = 8, WIDTH = 16 }; /* replicas; floats on one of them */

/* Under which placement policies a case is the same. */
typedef enum scope_of_case { ANY_PLACEMENT = 0, MIRRORED_ALONE, VALUES_ALONE } scope_of_case;

/* text      begins with the id of the case
 * replicas  it is about so many; 0: any number; -1: any number but one
 * data      what the check takes */
typedef struct semantic_case {
    const char *text;
    int replicas;
    scope_of_case where;
    bool (*check)(cohort_strategy *s, int replicas, const void *data);
    const void *data;
} semantic_case;

/* Each ends with a text that is NULL. */
extern const semantic_case reduce_cases[], run_cases[], mirrored_cases[], on_read_cases[],
    gather_cases[], placement_cases[];

/* ---- Inputs. */

typedef struct part {
    int n;
    float x[WIDTH];
} part;

cohort_array scalar(const float *x);
cohort_value *parts(cohort_strategy *s, int replicas, const part from[]); /* vectors */
cohort_value *numbers(cohort_strategy *s, int replicas, const float x[]); /* scalars */
cohort_value *same_number(cohort_strategy *s, int replicas, float x);     /* a component each */
cohort_variable *variable(cohort_strategy *s, float initial, cohort_synchronization synchronization,
                          /* with a name of its own, which begins with "weights" */
                          cohort_aggregation aggregation);

/* ---- Results, bit for bit. */

bool has_floats(cohort_value *value, int n,
                const float wanted[]); /* plain, a vector; n 0: one scalar */
bool has_number(cohort_value *value, cohort_dtype dtype, double wanted); /* plain, one element */
bool all_have_floats(cohort_value *value, int replicas, int n,
                     const float wanted[]); /* on every replica */
bool reduces_to(cohort_strategy *s, cohort_reduce_op op, cohort_value *x, int axis, int n,
                const float wanted[]);

/* A variable of one float: as it is read across replicas, as every copy has it, as every replica
 * reads it. */
bool reads(cohort_variable *v, float wanted);
bool each_reads(cohort_variable *v, const float wanted[]); /* replica r: wanted[r] */

/* ---- Errors: the call failed, its text has these words, it sticks, and the strategy works again
 * after recovering. */
bool refused_with(cohort_strategy *s, cohort_status status, const char *words);

/* Every replica passes what the program says. */
bool plays(cohort_strategy *s, cohort_step_fn step, void *user);

#endif
