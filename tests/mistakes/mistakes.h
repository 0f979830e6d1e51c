/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with one mistake each, which look at nothing but the status of their last call; and the
 * same without it. */
#ifndef COHORT_TESTS_MISTAKES_H
#define COHORT_TESTS_MISTAKES_H

#include "cohort/cohort.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MISTAKE_CANNOT = 77 }; /* a program's answer where it cannot run; the error text says why */

/* words  parts of the first error's sentence, in their order, with | between them */
typedef struct mistaken_program {
    cohort_status (*run)(bool is_wrong); /* answers what its last call answered */
    const char *words, *name;
} mistaken_program;

#define MISTAKE(run, words)                                                                        \
    {                                                                                              \
        run, words, #run                                                                           \
    }

/* Ended by a name that is NULL. */
extern const mistaken_program mistaken_values[], mistaken_runs[], mistaken_reduces[],
    mistaken_variables[], mistaken_metrics[], mistaken_steps[], mistaken_datasets[],
    mistaken_inputs[], mistaken_devices[];

/* The strategies of the program that runs, destroyed behind its end. */
extern cohort_strategy *s, *other;

/* A file of that content in the program's folder; returns its name. */
const char *mistaken_file(const char *name, const void *content, size_t bytes);

static inline const char *mistaken_text(const char *name, const char *text)
{
    return mistaken_file(name, text, strlen(text));
}

/* What a call at the end answered that has no status. */
static inline cohort_status mistaken_number(double number)
{
    return isnan(number) ? COHORT_EINVAL : COHORT_OK;
}
static inline cohort_status mistaken_made(const void *object)
{
    return object == NULL ? COHORT_EINVAL : COHORT_OK;
}

#endif
