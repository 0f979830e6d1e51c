/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults: an error that is told later, in another thread, or again. */
#ifndef COHORT_DATASET_FAULT_H
#define COHORT_DATASET_FAULT_H

#include <cohort/status.h>

#include <stdbool.h>

typedef struct cohort_fault {
    cohort_status status; /* 0: none */
    bool can_go_on;       /* as of a cursor */
    char *text;           /* NULL: none, or no memory for it */
} cohort_fault;

/* Store an error with the text of this thread's slot; what the fault had before is forgotten.
 * Returns status. */
cohort_status cohort_fault_note(cohort_fault *fault, cohort_status status, bool can_go_on);

/* Put the text of the fault into this thread's slot. Returns its status. */
cohort_status cohort_fault_tell(const cohort_fault *fault);

void cohort_fault_forget(cohort_fault *fault); /* there is no error in it any more */

#endif
