/* SPDX-License-Identifier: BSD-3-Clause */
/* The roll: who of a group has come to where all wait for all. It is called when the waiting has
 * lasted too long, so that nothing is sent in a group that comes together. */
#ifndef COHORT_MPI_ROLL_H
#define COHORT_MPI_ROLL_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { MPI_ROLL_MOST = 4096 }; /* of a larger group nobody is named */

typedef struct mpi_roll {
    MPI_Comm group; /* the program's, whose errors return */
    int rank, size;
    bool has_come[MPI_ROLL_MOST];
} mpi_roll;

void mpi_roll_begin(mpi_roll *roll, MPI_Comm group);

/* Say to those that have called the roll that this process is here. While it waits. */
void mpi_roll_answer(mpi_roll *roll);

/* Call it, for a second at most: "rank 1 of 3, rank 2 of 3" of those that neither answer nor have
 * called it; "": all have come, or they are too many. */
void mpi_roll_call(mpi_roll *roll, char *out, size_t bytes);

#endif
