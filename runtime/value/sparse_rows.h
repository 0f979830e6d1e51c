/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse reads: the rows of a variable that ids name, on their way to another device. */
#ifndef COHORT_VALUE_SPARSE_ROWS_H
#define COHORT_VALUE_SPARSE_ROWS_H

#include "runtime/value/slices.h"

/* Post the read of the rows that the one slice names, as the replica sees them, into a buffer that
 * has room for them.
 */
void cohort_sparse_rows_post(cohort_variable *variable, int32_t replica, cohort_slices *slices,
                             cohort_buffer *into);

#endif
