/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is a peer (bench/peers.h): it waits for questions on its standard input, and
 * answers them with what it has. */
#ifndef COHORT_BENCH_SERVE_H
#define COHORT_BENCH_SERVE_H

/* One side of a row. time makes `calls` calls of this size, whatever that counts, and returns
 * their seconds; negative: it failed. */
typedef struct serve_side {
    const char *table, *row, *who, *how;
    double (*time)(long size, long calls);
    long size;
} serve_side;

/* Until the end of the input; returns what main is to return. */
int serve(const serve_side sides[], int n);

#endif
