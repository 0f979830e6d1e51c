/* SPDX-License-Identifier: BSD-3-Clause */
/* Several ways to do the same, timed in turns (A B C A B C): rows of a table.
 *
 * Each turn lets the other sides' threads fall asleep, warms up, and times a batch of calls. Of all
 * turns the median, minimum and maximum are told, and the ratio of the median to the limit: the
 * fastest of the sides that are marked so, else the first side. Turns in which the machine was not
 * quiet (bench/quiet.h) are left out; where too few were, all of them count, and the row says so.
 *
 * Settings are variables of the environment, which `bench/run` sets:
 *
 *   BENCH_SIZE   tiny: every side is called once or twice, which shows that it works and measures
 *                nothing; quick; full, which is what stands for none
 *   BENCH_JSON   a file: each line of a row is added to it as an object of JSON
 *   BENCH_PEERS  commands, one a line: programs that know other sides of the same rows
 *                (bench/peers.h)
 *   BENCH_FLAGS  what the program was compiled with beside the flags of the build
 *
 * An object has table, row, who, how (the configuration, "" for nothing worth saying), unit, flags
 * ("": those of the build), median, min, max, turns, quiet and ratio; times are in seconds. */
#ifndef COHORT_BENCH_TURNS_H
#define COHORT_BENCH_TURNS_H

#include <stdbool.h>

typedef void (*turns_fn)(void *bench);

/* who, how   which program or library, and how it is set up
 * call       what is timed, of `bench`
 * begin      comes ahead of a batch of so many calls, outside of its time; may be NULL
 * finish     ends a batch of calls, within its time; may be NULL
 * calls      of a batch; 0: as many as fill a turn
 * steps      what one call does that many times, for the time of one; 0: once
 * is_limit   what ratios refer to: what the machine can do without a runtime
 * median     [out] seconds */
typedef struct turns_side {
    const char *who, *how;
    turns_fn call, finish;
    void (*begin)(void *bench, int calls);
    void *bench;
    int calls, steps;
    bool is_limit;
    double median;
} turns_side;

/* Rows from here on belong to this table. The text is lent; peers are asked what they know of
 * it. */
void turns_table(const char *table);

/* Time the sides and those of the peers in turns, and print one line for each. */
void turns_row(const char *row, turns_side sides[], int n);

/* A row of two: cohort and, second but what ratios refer to, a peer. Returns the ratio of the
 * medians, ours to theirs. */
double turns_compare(const char *row, const char *peer, turns_fn ours, turns_fn theirs, void *bench,
                     int calls);

/* One line of a row that was measured in another way: n figures of a unit ("s" is printed as us, or
 * "B", "x", ...), sorted by it; first: what ratios refer to, 0 for none. */
void turns_put(const char *row, const char *who, const char *how, const char *unit,
               double figures[], int n, double first);

/* Whether nothing is measured: data may be as small as they work. */
bool turns_are_tiny(void);

/* Whether it should be over in minutes: the largest sizes may be left out. */
bool turns_are_quick(void);

double turns_now(void); /* seconds, from some point in time */

/* Of n times, which are sorted by it. */
double turns_median(double times[], int n);

#endif
