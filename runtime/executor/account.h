/* SPDX-License-Identifier: BSD-3-Clause */
/* What is counted as it happens, for cohort/stats.h: of a device by its runner, of a strategy by
 * its planner.
 *
 * Each number has one writer, so to add is a load and a store, no locked instruction; others read
 * it when nothing is posted. The counts are never switched off, for a look whether they are on
 * would cost as much. */
#ifndef COHORT_EXECUTOR_ACCOUNT_H
#define COHORT_EXECUTOR_ACCOUNT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What memory of a device is for. */
typedef enum cohort_purpose {
    COHORT_PURPOSE_OTHER, /* sums on their way, what feeds them, results that nobody wants */
    COHORT_PURPOSE_VALUES,
    COHORT_PURPOSE_VARIABLES,
    COHORT_PURPOSES
} cohort_purpose;

typedef struct cohort_account_memory {
    _Atomic uint64_t now, peak; /* bytes */
} cohort_account_memory;

/* Of a device. Questions that its plugin has answered with COHORT_OK. */
typedef struct cohort_account {
    _Atomic uint64_t launches, reductions, copies, writes, reads, allocations, imports, builds;
    _Atomic uint64_t bytes_copied, bytes_written, bytes_read;
    cohort_account_memory memory, memory_for[COHORT_PURPOSES];
    const struct cohort_account *next_traced; /* of another device of its lane; NULL: none */
} cohort_account;

static inline void cohort_account_add(_Atomic uint64_t *count, uint64_t more)
{
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + more,
                          memory_order_relaxed);
}

static inline int64_t cohort_account_read(const _Atomic uint64_t *count)
{
    return (int64_t)atomic_load_explicit(count, memory_order_relaxed);
}

static inline void cohort_account_grow_(cohort_account_memory *m, uint64_t bytes)
{
    cohort_account_add(&m->now, bytes);
    uint64_t now = atomic_load_explicit(&m->now, memory_order_relaxed);
    if (now > atomic_load_explicit(&m->peak, memory_order_relaxed))
        atomic_store_explicit(&m->peak, now, memory_order_relaxed);
}

/* The device has so many bytes more for a purpose, or less. */
static inline void cohort_account_grow(cohort_account *account, cohort_purpose purpose,
                                       uint64_t bytes)
{
    cohort_account_grow_(&account->memory, bytes);
    cohort_account_grow_(&account->memory_for[purpose], bytes);
}

static inline void cohort_account_shrink(cohort_account *account, cohort_purpose purpose,
                                         uint64_t bytes)
{
    cohort_account_add(&account->memory.now, 0 - bytes);
    cohort_account_add(&account->memory_for[purpose].now, 0 - bytes);
}

/* Of a strategy. */
typedef struct cohort_step_account {
    uint64_t planned, repeated;       /* steps of programs */
    uint64_t replica_steps;           /* of step functions */
    uint64_t input_steps, input_rows; /* rows: of replicas of this process */
    /* why the last step of a program that was planned was not repeated, in words that last as long
     * as the process; NULL: nothing is known */
    const char *why_planned;
    size_t why_call; /* the call of the step that is why, from 1; 0: none is */
} cohort_step_account;

#endif
