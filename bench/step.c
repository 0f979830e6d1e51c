/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/step: what a step costs beside a hand-written OpenMP program, in one run and in turns.
 *
 *   empty      cohort_run of a function without arguments on host/2, then cohort_wait; beside an empty parallel region
 *   reduction  cohort_reduce of two components of 1 MiB of float32, then cohort_wait; beside the loop a[i] + b[i] in a
 *              parallel region
 *
 * Each turn lets the other side's threads fall asleep, warms up, and times a batch; of all turns the median, minimum
 * and maximum are printed, and the ratio of the medians. A yardstick (a dependent multiplication) is timed around each
 * turn: turns in which it moved by more than 10 % are left out. */
#include "config.h"

#include <cohort/cohort.h>

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FLOATS = 1 << 18, TURNS = 15, MOST_TURNS = 60 };

COHORT_FUNCTION(nothing, (void), COHORT_HOST_ONLY)
{
}

COHORT_FUNCTION(fill, (int64_t n, int32_t replica, COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)(i % 1000) + (float)replica;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ------------------------------------------------------------------ what is timed */

typedef struct bench {
    cohort_strategy *s;
    cohort_value *parts, *sum;
    float *a, *b, *c;
} bench;

static void cohort_empty(bench *t)
{
    cohort_run(t->s, nothing);
    cohort_wait(t->s);
}

static void region_empty(bench *t)
{
    (void)t;
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

static void cohort_sum(bench *t)
{
    cohort_reduce(COHORT_SUM, t->parts, COHORT_NO_AXIS, t->sum);
    cohort_wait(t->s);
}

static void region_sum(bench *t)
{
    const float *a = t->a, *b = t->b;
    float *c = t->c;
#pragma omp parallel for simd num_threads(2)
    for (int i = 0; i < FLOATS; i++)
        c[i] = a[i] + b[i];
}

/* ------------------------------------------------------------------ turns */

static double yardstick(void)
{
    double best = 1;
    for (int round = 0; round < 5; round++) {
        double start = now(), x = 1.0000001;
        for (int i = 0; i < 20000; i++) {
            x *= 1.0000001;
            __asm__ volatile("" : "+x"(x));
        }
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static double time_batch(void (*call)(bench *), bench *t, int calls)
{
    usleep(20000); /* spinning threads of the other side go to sleep */
    for (int i = 0; i < calls / 4 + 1; i++)
        call(t);
    double start = now();
    for (int i = 0; i < calls; i++)
        call(t);
    return (now() - start) / calls;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name, double times[], int n)
{
    qsort(times, (size_t)n, sizeof *times, by_size);
    printf("  %-28s %9.2f us  (%.2f to %.2f, %d turns)\n", name, times[n / 2] * 1e6, times[0] * 1e6, times[n - 1] * 1e6,
           n);
}

static double compare(const char *name, const char *peer, void (*ours)(bench *), void (*theirs)(bench *), bench *t,
                      int calls)
{
    double mine[MOST_TURNS], other[MOST_TURNS], usual = yardstick();
    int n = 0;
    for (int turn = 0; turn < MOST_TURNS && n < TURNS; turn++) {
        double before = yardstick();
        mine[n] = time_batch(ours, t, calls);
        other[n] = time_batch(theirs, t, calls);
        double after = yardstick();
        bool is_quiet = before < 1.1 * usual && after < 1.1 * usual;
        usual = before < usual ? before : usual;
        n += is_quiet;
    }
    if (n == 0) {
        printf("%s: no quiet turn; run again on a quieter machine\n", name);
        return 0;
    }
    printf("%s\n", name);
    print_times("cohort", mine, n);
    print_times(peer, other, n);
    printf("  ratio of the medians         %9.2f\n", mine[n / 2] / other[n / 2]);
    return mine[n / 2] / other[n / 2];
}

/* Both sides must have added the same numbers. */
static int check(const bench *t)
{
    static float sum[FLOATS];
    if (cohort_value_read(t->sum, COHORT_ARRAY(sum, FLOATS)) < 0) {
        fprintf(stderr, "step: %s\n", cohort_error_text());
        return 1;
    }
    if (memcmp(sum, t->c, sizeof sum) != 0) {
        fprintf(stderr, "step: the sums differ\n");
        return 1;
    }
    return 0;
}

int main(void)
{
    bench t = { .s = cohort_mirrored("host/2") };
    if (t.s == NULL) {
        fprintf(stderr, "step: %s\n", cohort_error_text());
        return 1;
    }
    t.parts = cohort_value_create(t.s);
    t.sum = cohort_value_create(t.s);
    t.a = aligned_alloc(64, FLOATS * sizeof(float));
    t.b = aligned_alloc(64, FLOATS * sizeof(float));
    t.c = aligned_alloc(64, FLOATS * sizeof(float));
    for (int i = 0; i < FLOATS; i++)
        t.a[i] = (float)(i % 1000), t.b[i] = (float)(i % 1000) + 1;
    cohort_run(t.s, fill, COHORT_REPLICA_ID, t.parts, COHORT_NAMED(n, FLOATS));
    compare("empty step, host/2", "omp parallel, 2 threads", cohort_empty, region_empty, &t, 20000);
    compare("sum of 2 x 1 MiB, host/2", "omp parallel for, 2 threads", cohort_sum, region_sum, &t, 500);
    int wrong = check(&t);
    cohort_strategy_destroy(t.s);
    free(t.a), free(t.b), free(t.c);
    return wrong;
}
