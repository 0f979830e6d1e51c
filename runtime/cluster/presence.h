/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes have come to where all wait for all. Who waits in MPI_Init cannot ask MPI who has not
 * come, so each process says by itself that it has: for those of one machine. */
#ifndef COHORT_CLUSTER_PRESENCE_H
#define COHORT_CLUSTER_PRESENCE_H

#include <stdbool.h>
#include <stddef.h>

/* This process has come, and is there until it ends. Does nothing where the launcher does not say which
 * of how many it is, or has started some on other machines. */
void cohort_presence_say(void);

/* "rank 1 of 3" of those that have not said so, or have ended; false: nobody is missed, or it is not
 * known. A name that has no room is left out. */
bool cohort_presence_find_absent(char *out, size_t bytes);

#endif
