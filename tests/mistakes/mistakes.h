/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with one mistake each, which look at nothing but the status of their last call; and the
 * same without it. */
#ifndef COHORT_TESTS_LOUD_H
#define COHORT_TESTS_LOUD_H

#include "cohort/cohort.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LOUD_CANNOT = 77 }; /* a program's answer where it cannot run; the error text says why */

/* words  parts of the first error's sentence, in their order, with | between them */
typedef struct loud_program {
    cohort_status (*run)(bool is_wrong); /* answers what its last call answered */
    const char *words, *name;
} loud_program;

#define LOUD(run, words)                                                                           \
    {                                                                                              \
        run, words, #run                                                                           \
    }

/* Ended by a name that is NULL. */
extern const loud_program loud_values[], loud_runs[], loud_reduces[], loud_variables[],
    loud_metrics[], loud_steps[], loud_datasets[], loud_inputs[], loud_devices[];

/* The strategies of the program that runs, destroyed behind its end. */
extern cohort_strategy *s, *other;

/* A file of that content in the program's folder; returns its name. */
const char *loud_file(const char *name, const void *content, size_t bytes);

static inline const char *loud_text(const char *name, const char *text)
{
    return loud_file(name, text, strlen(text));
}

/* What a call at the end answered that has no status. */
static inline cohort_status loud_number(double number)
{
    return isnan(number) ? COHORT_EINVAL : COHORT_OK;
}
static inline cohort_status loud_made(const void *object)
{
    return object == NULL ? COHORT_EINVAL : COHORT_OK;
}

#endif
