/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ways to do the same, timed in turns.
 *
 * Each turn lets the other side's threads fall asleep, warms up, and times a batch; of all turns
 * the median, minimum and maximum are printed, and the ratio of the medians. A yardstick (a
 * dependent multiplication) is timed around each turn: turns in which it moved by more than 10 %
 * are left out. */
#ifndef COHORT_BENCH_TURNS_H
#define COHORT_BENCH_TURNS_H

typedef void (*turns_fn)(void *bench);

/* Prints both sides and returns the ratio of the medians, ours to theirs; 0 when no turn was
 * quiet. */
double turns_compare(const char *name, const char *peer, turns_fn ours, turns_fn theirs,
                     void *bench, int calls);

double turns_now(void); /* seconds, from some point in time */

/* Of n times, which are sorted by it. */
double turns_median(double times[], int n);

#endif
