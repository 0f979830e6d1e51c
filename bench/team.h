/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose sides are calls of all processes of MPI_COMM_WORLD. The first process measures and
 * prints; the others sleep until it says what to call, and how often. */
#ifndef COHORT_BENCH_TEAM_H
#define COHORT_BENCH_TEAM_H

#include "bench/turns.h"

/* Called by all processes with sides in the same order, at most 16. */
void team_row(const char *row, const turns_side sides[], int n);

/* MPI_Init for such a program, and which of how many processes this is. */
void team_begin(int *argc, char ***argv, int *rank, int *size);

#endif
