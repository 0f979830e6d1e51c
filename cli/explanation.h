/* SPDX-License-Identifier: BSD-3-Clause */
/* The explanation of each status: its meaning, its usual cause, what to do, and calls that answer
 * it. */
#ifndef COHORT_CLI_EXPLANATION_H
#define COHORT_CLI_EXPLANATION_H

#include <cohort/status.h>

/* when, next and calls: one a line, ended by NULL. */
typedef struct explanation {
    cohort_status status;
    const char *meaning;
    const char *const *when, *const *next, *const *calls;
} explanation;

/* In the order of cohort/codes.h; NULL past the last. */
const explanation *explanation_at(int index);

/* By name, in any case and with or without COHORT_, or by number, such as -1; NULL: none. */
const explanation *explanation_find(const char *word);

/* The name that was meant by one that is none, without COHORT_; NULL: none is near. */
const char *explanation_meant(const char *word);

#endif
