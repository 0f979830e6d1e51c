/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts: the rows of an update's arguments that go with one shard of its variable. */
#ifndef COHORT_CALL_CUT_H
#define COHORT_CALL_CUT_H

#include "runtime/call/binding.h"

/* Is it an update of a variable that is cut, here or on parameter servers? */
bool cohort_cut_is_on(const cohort_binding *binding);

/* The rows of the shard of a launch. */
int64_t cohort_cut_rows(const cohort_binding *binding, int32_t launch);

/* Is this array cut to the rows of each shard? That is: what is written, and what is read
 * when its first extent is the same bound as that of the written variable, and has as many rows.
 * The other arrays are passed whole. */
bool cohort_cut_has(const cohort_binding *binding, const cohort_bound_array *array);

/* Scratch for the rows that have to be brought, before anything is posted. COHORT_ENOMEM. */
cohort_status cohort_cut_prepare(cohort_binding *binding);

/* The rows of an argument that is read, on the device of that launch: the shard of a variable that
 * lies alike, else a copy of these rows alone. */
cohort_buffer *cohort_cut_place(const cohort_binding *binding, const cohort_bound_array *array,
                                int32_t launch);

#endif
