/* SPDX-License-Identifier: BSD-3-Clause */
/* The peak of one thread: float32 multiplications and additions in registers alone. */
#ifndef COHORT_CLI_BENCH_PEAK_H
#define COHORT_CLI_BENCH_PEAK_H

#include <stdint.h>

/* operations: of a round of the loop; name: what a table says */
typedef struct peak {
    const char *name;
    double operations;
    void (*loop)(int64_t rounds);
} peak;

/* The widest that this processor has. */
const peak *peak_find(void);

#endif
