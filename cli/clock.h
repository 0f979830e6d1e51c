/* SPDX-License-Identifier: BSD-3-Clause */
/* The time that deadlines of the command are told by: of no day, and never set back. */
#ifndef COHORT_CLI_CLOCK_H
#define COHORT_CLI_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
