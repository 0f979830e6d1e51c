/* SPDX-License-Identifier: BSD-3-Clause */
/* What a benchmark calls has to succeed: else it says what did not, and ends. */
#ifndef COHORT_BENCH_MUST_H
#define COHORT_BENCH_MUST_H

#include <cohort/cohort.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline void must(bool is_good, const char *what)
{
    if (is_good)
        return;
    fprintf(stderr, "%s: %s\n", what, cohort_error_text());
    exit(1);
}

#endif
