/* SPDX-License-Identifier: BSD-3-Clause */
/* Contributions: what the replicas bring to a collective, a component of their own or what all see. */
#ifndef COHORT_RUN_CONTRIBUTION_H
#define COHORT_RUN_CONTRIBUTION_H

#include "runtime/run/stage.h"

/* As one replica calls it: may `me` call this, and are the values its strategy's? COHORT_EINVAL with "call: ...". */
cohort_status cohort_contribution_check(const cohort_replica *me, cohort_value *const values[], int n,
                                        const char *call);

/* Does every replica have a component of its own? */
bool cohort_contribution_is_own(const cohort_value *value);

/* Where a replica's contribution lies: what all see is at home. */
int32_t cohort_contribution_device(const cohort_value *value, int32_t replica);

/* Is there something, or an absent component? COHORT_EINVAL with "call: ...". */
cohort_status cohort_contribution_check_written(const char *call, const cohort_value *value, int32_t replica);

/* Bookkeeping for reading and writing all contributions of a value, before anything is posted. COHORT_ENOMEM. */
cohort_status cohort_contribution_prepare(const cohort_value *value);

/* The buffer to read a contribution from, up to date. */
cohort_buffer *cohort_contribution_place(const cohort_value *value, int32_t replica);

/* The content becomes a copy of `from`, which has the bytes of that shape; NULL: it has no element. is_component: of
 * one replica, which is absent when it has no row. Prepared. */
void cohort_contribution_store(cohort_content *content, const cohort_content *shape, cohort_crew *crew, int32_t device,
                               cohort_buffer *from, bool is_component);

/* "sum", for cohort_meeting. */
void cohort_contribution_describe_op(const cohort_meeting *meeting, char *out, size_t size);

#endif
