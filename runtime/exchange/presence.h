/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that have come to where MPI begins. A process that waits in MPI_Init cannot ask MPI
 * who has not come, so each process says by itself that it has, to those of its machine. Once MPI
 * is there, its communicator asks (plugins/mpi/roll.h). */
#ifndef COHORT_EXCHANGE_PRESENCE_H
#define COHORT_EXCHANGE_PRESENCE_H

#include <stdbool.h>
#include <stddef.h>

/* This process has come, and is there until it ends. Does nothing where the launcher does not say
 * which of how many it is, and how many are on this machine. */
void cohort_presence_say(void);

/* "rank 1 of 3" of those that have not said so, or have ended; where not all are on this machine,
 * how many of those that are, or that it is none of them. false: nobody is missed, or it is not
 * known. A name that has no room is left out. */
bool cohort_presence_find_absent(char *out, size_t bytes);

/* Of a job of so many ranks, all on this machine, of which this process is `own`: the rank has said
 * that it has come, and has not ended. false: it has ended, or it is not known. */
bool cohort_presence_is_there(long rank, long own, long size);
bool cohort_presence_are_all_there(long own, long size);

#endif
