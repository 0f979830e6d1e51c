/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the machine is quiet while something is timed: whether its clock stays what it is, and
 * whether others work when we sleep. */
#ifndef COHORT_BENCH_QUIET_H
#define COHORT_BENCH_QUIET_H

#include <stdbool.h>

/* One turn, from quiet_begin to quiet_end.
 * before        the yardstick, a dependent multiplication, in seconds
 * idle, ticks   of the processors while we slept, where the system tells */
typedef struct quiet_turn {
    double before;
    long long idle, ticks;
} quiet_turn;

quiet_turn quiet_begin(void);

/* Sleep, so that the threads of what was timed before stop spinning. */
void quiet_rest(quiet_turn *turn);

/* usual: the fastest yardstick until now, which the caller keeps; 0 before the first turn. True
 * when the yardstick moved by at most 10 % and nine tenths of the sleep were idle. */
bool quiet_end(const quiet_turn *turn, double *usual);

#endif
