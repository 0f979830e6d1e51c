/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of tables and rows that several programs have sides of; bench/peers.py knows them too. */
#ifndef COHORT_BENCH_ROWS_H
#define COHORT_BENCH_ROWS_H

#include <stdint.h>
#include <stdio.h>

#define ROWS_DISPATCH "dispatch, two replicas"
#define ROWS_EMPTY "an empty step"
#define ROWS_FIRST_STEP "softmax 784-10, batch 32, to the end of the first step"
#define ROWS_START "start of a process"
#define ROWS_SUMS "all-reduce"
#define ROWS_INPUT "input"
#define ROWS_SUMS_ACROSS "all-reduce over processes"
#define ROWS_TRAINING "training step"
#define ROWS_TRAINING_ACROSS "training step over two processes"

enum { ROWS_TEXT = 64, ROWS_SIZES = 11, ROWS_LARGE = 1 << 20 };

/* Bytes of each contribution in the table of sums. */
static const int64_t rows_sizes[ROWS_SIZES] = { 4,        1 << 10,   4 << 10,  16 << 10,
                                                64 << 10, 256 << 10, 1 << 20,  4 << 20,
                                                16 << 20, 64 << 20,  256 << 20 };

/* "float32, 2 x 64 KiB" */
static inline const char *rows_sum(char row[ROWS_TEXT], const char *type, int parts, int64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB" };
    int unit = bytes >= 1 << 20 ? 2 : bytes >= 1 << 10 ? 1 : 0;
    (void)snprintf(row, ROWS_TEXT, "%s, %d x %lld %s", type, parts,
                   (long long)(bytes >> (10 * unit)), units[unit]);
    return row;
}

#endif
