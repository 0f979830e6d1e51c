/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of a state, which any thread can write while the state goes on. */
#ifndef COHORT_CHECKPOINT_STATE_COPY_H
#define COHORT_CHECKPOINT_STATE_COPY_H

#include "runtime/checkpoint/plan.h"

typedef struct cohort_state_copy {
    cohort_checkpoint_plan plan; /* without sources */
    void **copies;               /* [plan.layout.n], as the tensors will lie: in the room */
    char *room;                  /* stays for the next copy */
    size_t room_bytes;
} cohort_state_copy;

/* By who holds the strategy; waits for what is under way. out: all zero, or dropped. Errors as
 * cohort_checkpoint_save has them of a state; after one there is nothing to free. */
cohort_status cohort_state_copy_take(cohort_state_copy *out, const cohort_state *state,
                                     int64_t step);

/* As the next generation of the folder, durably, and once; path: of its file, into room of
 * COHORT_LIMIT_PATH_BYTES. Errors as cohort_checkpoint_save has them of a folder. */
cohort_status cohort_state_copy_write(cohort_state_copy *copy, const char *folder, int32_t keep,
                                      cohort_checkpoint_best best, char *path);

/* It was written: only its memory stays, which the system would have to clear again. */
void cohort_state_copy_drop(cohort_state_copy *copy);

void cohort_state_copy_free(cohort_state_copy *copy); /* all of it, also one that was dropped */

/* Of the arguments of a save. */
cohort_status cohort_checkpoint_check_step(int64_t step, const char *caller);
cohort_status cohort_checkpoint_check_folder(const char *folder, const char *caller);

#endif
