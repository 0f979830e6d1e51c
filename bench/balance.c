/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/balance: replicas on two devices of unequal speed, beside what both could do together.
 *
 * The devices are the halves of the host, of which the second one is made 1 to 8 times as slow:
 * a row of a replica takes 2 us, or so many times 2 us, by spinning. A step is 32 replicas of 16
 * rows. By hand, two threads have
 *
 *   shares   the rows that suit their speeds, exactly: the sum of both rates, which is the limit
 *   HGuided  packets from one heap, each a share by speed of what is left, divided by 2, of 4 rows
 *            at least (Nozal, Bosque, Beivide: EngineCL, Future Generation Computer Systems 107,
 *            2020), which knows the speeds
 *
 * and Cohort has the replicas evenly, and where cohort_strategy_balance puts them, which knows
 * nothing. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { REPLICAS = 32, ROWS = 16, ALL_ROWS = REPLICAS * ROWS, LEAST = 4, CONVERGES = 300 };
static const double row_seconds = 2e-6;

static double ratio; /* of the time of a row on the second device */

static void spin(int64_t rows, bool is_slow)
{
    const double end = turns_now() + (double)rows * row_seconds * (is_slow ? ratio : 1);
    while (turns_now() < end)
        ;
}

COHORT_FUNCTION(work, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    cohort_running here = { .struct_size = sizeof here };
    (void)x;
    spin(n, cohort_running_here(&here) == COHORT_OK && strcmp(here.device, "host:0.1") == 0);
}

/* ------------------------------------------------------------------ by hand */

static void shares(void *user)
{
    const int64_t slow = (int64_t)(ALL_ROWS / (1 + ratio) + 0.5);
    (void)user;
#pragma omp parallel num_threads(2)
    spin(omp_get_thread_num() == 1 ? slow : ALL_ROWS - slow, omp_get_thread_num() == 1);
}

/* The next packet of a thread; 0: nothing is left. */
static int64_t take(_Atomic int64_t *left, bool is_slow)
{
    const double power = (is_slow ? 1 : ratio) / (1 + ratio);
    int64_t now = atomic_load(left), packet;
    do {
        packet = (int64_t)((double)now * power / 2);
        packet = packet < LEAST ? LEAST : packet;
        packet = packet > now ? now : packet;
    } while (packet > 0 && !atomic_compare_exchange_weak(left, &now, now - packet));
    return packet;
}

static void guided(void *user)
{
    _Atomic int64_t left = ALL_ROWS;
    (void)user;
#pragma omp parallel num_threads(2)
    for (int64_t rows; (rows = take(&left, omp_get_thread_num() == 1)) > 0;)
        spin(rows, omp_get_thread_num() == 1);
}

/* ------------------------------------------------------------------ Cohort */

typedef struct bench {
    cohort_strategy *s;
    cohort_value *x;
    bool balances;
} bench;

static void step(void *user)
{
    const bench *t = user;
    (void)cohort_run(t->s, work, t->x);
    (void)cohort_wait(t->s);
    if (t->balances)
        must(cohort_strategy_balance(t->s) >= 0, "balance");
}

static bench make(const float rows[], bool balances)
{
    cohort_strategy_options options = { .devices = "host:0/2", .replicas = REPLICAS };
    bench t = { .s = cohort_strategy_create(&options), .balances = balances };
    must(t.s != NULL, "a strategy");
    t.x = cohort_value_split(t.s, COHORT_ARRAY(rows, ALL_ROWS));
    must(t.x != NULL, "rows");
    for (int i = 0; balances && i < (turns_are_tiny() ? 1 : CONVERGES); i++)
        step(&t);
    return t;
}

/* Steps until most replicas have left a device that has become slow. */
static void measure_follow(const float rows[])
{
    enum { TIMES = 9, MOST = 100 };
    double steps[TIMES];
    for (int i = 0; i < TIMES; i++) {
        int n = 0;
        ratio = 1;
        bench t = make(rows, true);
        const int before = cohort_strategy_hosted(t.s, 1);
        ratio = 4;
        for (; n < MOST && cohort_strategy_hosted(t.s, 1) > before * 2 / 3; n++)
            step(&t);
        steps[i] = n;
        cohort_strategy_destroy(t.s);
    }
    turns_put("becomes 4 times as slow", "Cohort", "steps until followed", "x", steps, TIMES, 0);
}

static void measure(const float rows[], double times)
{
    char row[64], how[64];
    ratio = times;
    bench even = make(rows, false), balanced = make(rows, true);
    turns_side sides[] = {
        { .who = "OpenMP", .how = "shares", .call = shares, .is_limit = true },
        { .who = "OpenMP", .how = "HGuided", .call = guided },
        { .who = "Cohort", .how = "evenly", .call = step, .bench = &even },
        { .who = "Cohort", .how = how, .call = step, .bench = &balanced },
    };
    (void)snprintf(row, sizeof row, "one %g times as slow", times);
    (void)snprintf(how, sizeof how, "balanced: %d, %d", cohort_strategy_hosted(balanced.s, 0),
                   cohort_strategy_hosted(balanced.s, 1));
    turns_row(row, sides, sizeof sides / sizeof *sides);
    cohort_strategy_destroy(even.s);
    cohort_strategy_destroy(balanced.s);
}

int main(void)
{
    static const double ratios[] = { 1, 1.5, 2, 3, 5, 8 };
    static float rows[ALL_ROWS];
    turns_table("two devices of unequal speed");
    for (size_t i = 0; i < (turns_are_tiny() ? 2 : sizeof ratios / sizeof *ratios); i++)
        measure(rows, ratios[i]);
    measure_follow(rows);
    return 0;
}
