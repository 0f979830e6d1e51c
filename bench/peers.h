/* SPDX-License-Identifier: BSD-3-Clause */
/* Other sides of the rows of a table, in processes of their own: what cannot be linked beside
 * Cohort (ranks of MPI, Python), or would disturb it when it is not asked.
 *
 * A command of BENCH_PEERS is started by the first table and lives as long as the program that
 * asks it. It reads lines and answers on its standard output:
 *
 *   sides TABLE                  a line ROW<tab>WHO<tab>HOW for each side that it knows, and an
 *                                empty one
 *   time ROW<tab>WHO<tab>BUDGET  the seconds of one call, of a batch that takes about as many
 *                                seconds as the budget says (0: one call), warmed up before; or
 *                                "! " and why not
 *
 * Until it is asked it sleeps. bench/serve.h answers for programs in C. */
#ifndef COHORT_BENCH_PEERS_H
#define COHORT_BENCH_PEERS_H

typedef struct peers_side {
    const char *row, *who, *how; /* lent until the next table */
    int process;                 /* of BENCH_PEERS */
} peers_side;

/* What all of them know of a table: fills out[0 .. n) and returns n, at most `capacity`. */
int peers_sides(const char *table, peers_side out[], int capacity);

/* Seconds of a call. Negative where the peer says why not, or is gone, which is printed once; it is
 * not asked any more. */
double peers_time(const peers_side *side, double budget);

#endif
