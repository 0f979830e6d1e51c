/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_FIRST_ROW: where the rows of a replica begin among those of all, of every worker. The
 * first row of shares is known to each replica by itself. The first row of a value follows from
 * what the replicas before it have, which takes all of them: a call for all replicas counts those
 * of this worker, and meets the others; a replica that calls for itself alone meets the other
 * replicas for it first (replica_first_row.h). */
#ifndef COHORT_CALL_FIRST_ROW_H
#define COHORT_CALL_FIRST_ROW_H

#include "runtime/call/binding.h"

/* Does a call pass it? Looks at the arguments alone, which may be NULL. */
bool cohort_first_row_is_asked(const cohort_argument arguments[]);

/* The value whose rows it counts, the first per-replica value that the call reads. NULL: the call
 * has none, or shares, whose rows it counts. */
const cohort_value *cohort_first_row_value(const cohort_binding *binding);

/* Fills in the binding's first_rows, where the call asks. COHORT_EINVAL: more rows than 64 bits
 * count, or a share that is wrong; the errors of a meeting. */
cohort_status cohort_first_row_solve(cohort_binding *binding);

/* The same of a value alone: out[r] for each replica r of this process. name: of the function, for
 * messages and the meeting; is_step: the replicas have met for it in a step function. */
cohort_status cohort_first_row_count(cohort_strategy *strategy, const cohort_value *value,
                                     const char *name, bool is_step, int64_t out[]);

/* The rows that a replica's share gives it, by the binding's lead. COHORT_EINVAL. */
cohort_status cohort_first_row_share(const cohort_binding *binding, int32_t replica, int64_t *out);

#endif
