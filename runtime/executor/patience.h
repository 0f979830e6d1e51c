/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a thread looks for what another one is about to finish before it sleeps: twice as long
 * as it has lately taken until a sleeper that was woken ran.
 *
 * A thread that sleeps loses that time, and so does the other thread where it has gone to sleep
 * meanwhile and must be woken in its turn. To look as long as sleeping would cost is at most twice
 * as bad as to know beforehand which is better (Karlin, Li, Manasse, Owicki: Empirical studies of
 * competitive spinning for a shared-memory multiprocessor, 1991). On an idle core a thread runs 20
 * to 50 us after it was woken, and the least, COHORT_SPIN, is longer than twice that. On a virtual
 * machine whose host has given the core of the sleeper to somebody else it takes 100 to 400 us: two
 * threads that work in turns of 10 us and once were late would wake each other for each turn from
 * then on.
 *
 * Any number of threads may ask and learn at once; of two that learn at the same time one may be
 * forgotten. */
#ifndef COHORT_EXECUTOR_PATIENCE_H
#define COHORT_EXECUTOR_PATIENCE_H

#include <stdint.h>

typedef struct cohort_patience {
    int64_t least_ns;         /* 0: never look */
    _Atomic int64_t woken_ns; /* how long it has lately taken until a woken thread ran */
} cohort_patience;

void cohort_patience_init(cohort_patience *patience, int64_t least_ns);

/* How long to look: least_ns to ten times that. */
int64_t cohort_patience_ns(const cohort_patience *patience);

/* A thread runs so long after it was woken. */
void cohort_patience_learn(cohort_patience *patience, int64_t woken_ns);

#endif
