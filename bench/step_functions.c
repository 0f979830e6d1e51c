/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/step_functions: what a step function and the collectives in it cost on two devices of the
 * host, in one run and in turns.
 *
 *   empty       cohort_for_each_replica of a function that returns; beside an empty parallel region
 *   barrier     cohort_barrier in a step function; beside a barrier of two threads that spin
 *   all_reduce  cohort_all_reduce in a step function, of a double by 2 to 64 replicas and of 4 B to
 *               64 MiB of float32 by two; beside one pass in place in a parallel region, which the
 *               table of sizes has once more with threads that are there already and spin
 *
 * Collectives are timed in rows within one step, and printed by the row. A number as the argument:
 * no size above that many bytes. bench/turns.h says how. */
#include "config.h"

#include "bench/must.h"
#include "bench/sums.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

COHORT_FUNCTION(fill, (int64_t n, int32_t replica, COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)(i % 1000) * (float)replica;
}

COHORT_FUNCTION(begin_double, (COHORT_OUT double x[1]), COHORT_HOST_ONLY)
{
    x[0] = 0;
}

/* ------------------------------------------------------------------ what is timed */

typedef struct bench {
    cohort_strategy *s;
    cohort_value *value;
    int row;        /* collectives in a step */
    float *a, *b;   /* of the peer */
    int64_t floats; /* in each */
} bench;

static cohort_status return_at_once(cohort_replica *me, void *user)
{
    (void)me;
    (void)user;
    return COHORT_OK;
}

static void cohort_empty(void *user)
{
    const bench *t = user;
    cohort_for_each_replica(t->s, return_at_once, NULL);
}

static void region_empty(void *user)
{
    (void)user;
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

static cohort_status meet(cohort_replica *me, void *user)
{
    const bench *t = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < t->row && status >= 0; i++)
        status = cohort_barrier(me);
    return status;
}

static cohort_status add_up(cohort_replica *me, void *user)
{
    const bench *t = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < t->row && status >= 0; i++)
        status = cohort_all_reduce(me, COHORT_SUM, &t->value, 1);
    return status;
}

static void play(const bench *t, cohort_step_fn step)
{
    must(cohort_for_each_replica(t->s, step, (void *)t) == COHORT_OK, "a step function");
}

static void cohort_barriers(void *user)
{
    play(user, meet);
}

static void cohort_sums(void *user)
{
    play(user, add_up);
}

/* ------------------------------------------------------------------ by hand */

static atomic_int arrived;

/* `turn` counts the barriers of one thread, which are those of the other one, too. */
static void spin(int *turn)
{
    int last = 2 * ++*turn;
    atomic_fetch_add(&arrived, 1);
    while (atomic_load_explicit(&arrived, memory_order_acquire) < last)
        continue;
}

static void spin_barriers(void *user)
{
    const bench *t = user;
    atomic_store(&arrived, 0);
#pragma omp parallel num_threads(2)
    for (int i = 0, turn = 0; i < t->row; i++)
        spin(&turn);
}

SUMS_FAST static void add_half(const bench *t, int64_t from, int64_t to)
{
    float *a = t->a, *b = t->b;
#pragma omp simd
    for (int64_t i = from; i < to; i++)
        a[i] = b[i] = a[i] + b[i];
}

static void region_sums(void *user)
{
    const bench *t = user;
    for (int i = 0; i < t->row; i++)
#pragma omp parallel num_threads(2)
    {
        int64_t half = t->floats / 2, me = omp_get_thread_num();
        add_half(t, me * half, me == 0 ? half : t->floats);
    }
}

static void spin_sums(void *user)
{
    const bench *t = user;
    atomic_store(&arrived, 0);
#pragma omp parallel num_threads(2)
    for (int i = 0, turn = 0; i < t->row; i++) {
        int64_t half = t->floats / 2, me = omp_get_thread_num();
        spin(&turn);
        add_half(t, me * half, me == 0 ? half : t->floats);
        spin(&turn);
    }
}

/* ------------------------------------------------------------------ the table */

enum { ROW = 100 };

static cohort_strategy *make_strategy(int replicas)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .replicas = replicas });
    must(s != NULL, "a strategy");
    return s;
}

static void compare_doubles(int replicas)
{
    char name[80];
    bench t = { .s = make_strategy(replicas), .row = ROW };
    t.value = cohort_value_create(t.s);
    cohort_run(t.s, begin_double, t.value);
    (void)snprintf(name, sizeof name, "%d all_reduce of a double, R = %d", ROW, replicas);
    (void)turns_compare(name, "spin barriers, 2 threads", cohort_sums, spin_barriers, &t,
                        1 + 200 / (replicas * replicas));
    cohort_strategy_destroy(t.s);
}

/* Powers of two overflow in the end; then both sides add infinities, which takes as long. */
static void compare_sums(int64_t bytes)
{
    char name[80];
    bench t = { .s = make_strategy(2), .floats = bytes / (int64_t)sizeof(float) };
    t.row = bytes < 1 << 20 ? ROW : bytes < 1 << 24 ? 10 : 1;
    t.value = cohort_value_create(t.s);
    t.a = aligned_alloc(64, (size_t)bytes + 64 - (size_t)bytes % 64);
    t.b = aligned_alloc(64, (size_t)bytes + 64 - (size_t)bytes % 64);
    if (t.value == NULL || t.a == NULL || t.b == NULL)
        exit(1);
    memset(t.a, 0, (size_t)bytes);
    memset(t.b, 0, (size_t)bytes);
    cohort_run(t.s, fill, COHORT_REPLICA_ID, t.value, COHORT_NAMED(n, t.floats));
    (void)snprintf(name, sizeof name, "%d all_reduce of %lld B, R = 2", t.row, (long long)bytes);
    int calls = bytes < 1 << 20 ? 20 : bytes < 1 << 24 ? 20 : 3;
    (void)turns_compare(name, "region each, in place", cohort_sums, region_sums, &t, calls);
    (void)turns_compare(name, "spinning, in place", cohort_sums, spin_sums, &t, calls);
    cohort_strategy_destroy(t.s);
    free(t.a), free(t.b);
}

static void compare_steps(void)
{
    bench t = { .s = make_strategy(2), .row = ROW };
    (void)turns_compare("empty for_each_replica", "omp parallel, 2 threads", cohort_empty,
                        region_empty, &t, 2000);
    (void)turns_compare("100 barriers, R = 2", "spin barriers, 2 threads", cohort_barriers,
                        spin_barriers, &t, 50);
    cohort_strategy_destroy(t.s);
}

int main(int argc, char *argv[])
{
    const int64_t most = argc > 1 ? atoll(argv[1]) : 1 << 26;
    compare_steps();
    for (int replicas = 2; replicas <= 64; replicas *= replicas == 16 ? 4 : 2)
        compare_doubles(replicas);
    const int64_t sizes[] = { 4, 1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 26 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
        compare_sums(sizes[i]);
    return 0;
}
