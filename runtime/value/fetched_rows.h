/* SPDX-License-Identifier: BSD-3-Clause */
/* Index slices that are fetched into memory of this process, those of one replica behind those of
 * another: what goes to parameter servers. */
#ifndef COHORT_VALUE_FETCHED_ROWS_H
#define COHORT_VALUE_FETCHED_ROWS_H

#include "runtime/value/operand.h"

/* All zero but the variable is the empty list. */
typedef struct cohort_fetched_rows {
    const cohort_variable *variable; /* that the ids are of */
    int64_t *ids;                    /* [n] */
    int64_t n;
    char *rows; /* [n] rows; NULL: only ids were added */
} cohort_fetched_rows;

/* What a replica brings, which cohort_slices_check has looked at; rows may be NULL. Waits for it.
 * COHORT_EINVAL: an id is no row of the variable; COHORT_ENOMEM. */
cohort_status cohort_fetched_rows_add(cohort_fetched_rows *list, const cohort_operand *ids,
                                      const cohort_operand *rows, int32_t replica);
void cohort_fetched_rows_fini(cohort_fetched_rows *list);

#endif
