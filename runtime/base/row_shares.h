/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule by which rows are shared out: n div R each, and the first n mod R replicas one more. */
#ifndef COHORT_BASE_ROW_SHARES_H
#define COHORT_BASE_ROW_SHARES_H

#include <stdint.h>

/* Rows of the replicas before this one, of n of them: its own begin there. replica: 0 to n, and at
 * n that is all rows. */
static inline int64_t cohort_row_shares_before(int64_t rows, int32_t replica, int32_t n)
{
    int64_t more = rows % n;
    return rows / n * replica + (replica < more ? replica : more);
}

/* The rows of one replica. */
static inline int64_t cohort_row_shares_of(int64_t rows, int32_t replica, int32_t n)
{
    return cohort_row_shares_before(rows, replica + 1, n) -
           cohort_row_shares_before(rows, replica, n);
}

#endif
