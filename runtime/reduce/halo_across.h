/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos across workers: rows of replicas that other processes host. */
#ifndef COHORT_REDUCE_HALO_ACROSS_H
#define COHORT_REDUCE_HALO_ACROSS_H

#include "runtime/reduce/halo.h"

/* All meet, and tell how many rows each of their replicas has, into counts of the plan, where
 * this worker's are already. COHORT_EINVAL, for all: halos that differ. */
cohort_status cohort_halo_across_count(cohort_halo_plan *plan);

/* Rows on their way. */
typedef struct cohort_halo_crossing {
    const cohort_halo_plan *plan;
    uint64_t *sent, *received; /* [workers + 1]: where those of each begin, in bytes */
    uint64_t *next;            /* [workers]: where the next rows of each lie */
    bool is_too_large;
    char *sent_block, *received_block;
    cohort_buffer *out, *in; /* at home; NULL: there is nothing */
} cohort_halo_crossing;

/* All meet; then `in` has what the others have sent. Blocks. The plan was prepared, and the reducer
 * restarted. end: always. */
cohort_status cohort_halo_crossing_make(cohort_halo_crossing *crossing,
                                        const cohort_halo_plan *plan);
void cohort_halo_crossing_end(cohort_halo_crossing *crossing);

/* Where in `in` the next piece lies, which is one of another worker: in the order of pieces. */
uint64_t cohort_halo_crossing_next(cohort_halo_crossing *crossing, const cohort_halo_piece *piece);

#endif
