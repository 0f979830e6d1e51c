/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for threads of somebody else, who ends the process where the system does not start one. */
#ifndef COHORT_KIT_ROOM_H
#define COHORT_KIT_ROOM_H

#include <stddef.h>

/* Start so many threads at the same time, and end them, so that there is room for others, unless
 * somebody takes it meanwhile. Blocks until none of them counts for the limits of the system.
 *
 * threads      0 and less: nothing is started
 * stack_bytes  of each; 0: as the system has it
 * out_error    why it starts fewer, an error number; 0 when it starts all
 * Returns      how many were there. */
int room_count(int threads, size_t stack_bytes, int *out_error);

#endif
