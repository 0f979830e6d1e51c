/* SPDX-License-Identifier: BSD-3-Clause */
/* The policies of the library, and the checked call of any policy. */
#ifndef COHORT_PLACEMENT_PLACEMENT_H
#define COHORT_PLACEMENT_PLACEMENT_H

#include <cohort/placement.h>
#include <cohort/status.h>

enum { COHORT_PLACEMENT_CAPACITY = 4096 }; /* copies of one variable */

/* Of sharded.c. */
int cohort_place_shard_per_device(const cohort_place_request *request, cohort_copy out[],
                                  int capacity, void *user);

/* Is it a policy at all? COHORT_EINVAL with "who: ...". */
cohort_status cohort_placement_check(const cohort_placement *placement, const char *who);

/* Ask a policy, and check what it answers. *out_copies is the caller's (cohort_free): whole copies
 * on different devices in ascending order of devices, or ranges of rows in ascending order; rows of
 * a whole copy are 0. Returns their number. COHORT_EINVAL: the policy refuses the variable, or
 * gives a wrong answer, which the text describes. */
int cohort_placement_ask(const cohort_placement *placement, const cohort_place_request *request,
                         cohort_copy **out_copies);

#endif
