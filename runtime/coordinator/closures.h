/* SPDX-License-Identifier: BSD-3-Clause */
/* Closures in order, each of which the list holds. */
#ifndef COHORT_COORDINATOR_CLOSURES_H
#define COHORT_COORDINATOR_CLOSURES_H

#include "runtime/coordinator/closure.h"

typedef struct cohort_closures {
    cohort_closure *first, *last; /* by next */
    int64_t n;
} cohort_closures;

/* Held already: the list takes that over. */
void cohort_closures_append(cohort_closures *list, cohort_closure *closure);
void cohort_closures_prepend(cohort_closures *list, cohort_closure *closure);

/* It stays held, by the caller then. NULL: there is none. */
cohort_closure *cohort_closures_take_first(cohort_closures *list);

#endif
