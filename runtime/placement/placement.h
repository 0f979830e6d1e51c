/* SPDX-License-Identifier: BSD-3-Clause */
/* The policies of the library, and the checked call of any policy. */
#ifndef COHORT_PLACEMENT_PLACEMENT_H
#define COHORT_PLACEMENT_PLACEMENT_H

#include <cohort/placement.h>
#include <cohort/status.h>

#include <stdint.h>

enum { COHORT_PLACEMENT_CAPACITY = 4096 }; /* copies of one variable */

/* The note of a policy that processes compare, which does not see the function itself: the digest
 * of all its name and of its numbers. The text is for messages, "sharded(3, 0)", and tells two
 * policies apart as the digest does: where the name is cut, or there are flags, the digest stands
 * behind it. */
enum { COHORT_PLACEMENT_TEXT = 128 };
typedef struct cohort_placement_note {
    uint64_t digest;
    char text[COHORT_PLACEMENT_TEXT];
} cohort_placement_note;

/* NULL: the usual one. */
cohort_placement_note cohort_placement_note_of(const cohort_placement *placement);

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
