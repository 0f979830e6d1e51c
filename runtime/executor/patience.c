/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/executor/patience.h"

#include <stdatomic.h>

/* MOST: times least_ns. A core that is away for longer than that is away for milliseconds, and it
 * matters little how its thread is waited for. */
enum { MOST = 10 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* An hour is as good as any longer time, and ten of them do not overflow. */
void cohort_patience_init(cohort_patience *patience, int64_t least_ns)
{
    const int64_t hour_ns = INT64_C(3600000000000);
    patience->least_ns = least(least_ns, hour_ns);
    atomic_init(&patience->woken_ns, 0);
}

int64_t cohort_patience_ns(const cohort_patience *patience)
{
    int64_t wanted = 2 * atomic_load_explicit(&patience->woken_ns, memory_order_relaxed);
    return wanted > patience->least_ns ? least(wanted, MOST * patience->least_ns)
                                       : patience->least_ns;
}

/* A part of the difference, so that one late thread alone does not make others wait long. */
void cohort_patience_learn(cohort_patience *patience, int64_t woken_ns)
{
    int64_t before = atomic_load_explicit(&patience->woken_ns, memory_order_relaxed);
    int64_t counted = least(woken_ns, MOST * patience->least_ns);
    atomic_store_explicit(&patience->woken_ns, before + (counted - before) / 4,
                          memory_order_relaxed);
}
