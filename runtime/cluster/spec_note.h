/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes of clusters, which processes compare: each was told of the cluster by its own TF_CONFIG,
 * which may be another. */
#ifndef COHORT_CLUSTER_SPEC_NOTE_H
#define COHORT_CLUSTER_SPEC_NOTE_H

#include "runtime/cluster/membership.h"

/* The digest is of all jobs, in whatever order, and of their tasks and addresses. The text is for
 * messages, "worker 0 a:1, worker 1 b:1", and may be cut. */
typedef struct cohort_spec_note {
    uint64_t digest;
    char resolver[32], text[512];
} cohort_spec_note;

/* All zero where there is no cluster. */
cohort_spec_note cohort_spec_note_of(const cohort_membership *membership);

/* Describe how two notes differ: what each has, from the task on from which they do. Notes that
 * come from elsewhere are closed first. */
enum { COHORT_SPEC_NOTE_SHOWN = 192 };
void cohort_spec_note_show(const cohort_spec_note *a, const cohort_spec_note *b,
                           char out_a[COHORT_SPEC_NOTE_SHOWN], char out_b[COHORT_SPEC_NOTE_SHOWN]);
void cohort_spec_note_close(cohort_spec_note *note);

#endif
