/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of accelerators: kinds, and how many there are of each. */
#ifndef COHORT_CLUSTER_ACCELERATORS_H
#define COHORT_CLUSTER_ACCELERATORS_H

#include <cohort/cluster.h>

enum { COHORT_ACCELERATOR_KINDS = 64 }; /* that one resolver may name */

/* A copy of n of them, checked: each kind a text, and once; no negative count. */
cohort_status cohort_accelerators_copy(const cohort_accelerators list[], int n,
                                       cohort_accelerators **out);
void cohort_accelerators_free(cohort_accelerators list[], int n); /* of such a copy; NULL is fine */

/* Fill in the kinds of accelerators that this machine has, and return their number. */
int cohort_accelerators_count(cohort_accelerators out[], int capacity);

#endif
