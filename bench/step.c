/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/step: what a step costs beside a hand-written OpenMP program, in one run and in turns.
 *
 *   empty      cohort_run of a function without arguments on host/2, then cohort_wait; beside an
 *              empty parallel region
 *   reduction  cohort_reduce of two components of 1 MiB of float32, then cohort_wait; beside the
 *              loop a[i] + b[i] in a parallel region
 * *
 * bench/turns.h says how. */
#include "config.h"

#include "bench/turns.h"

#include <cohort/cohort.h>

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 1 << 18 };

COHORT_FUNCTION(nothing, (void), COHORT_HOST_ONLY)
{
}

COHORT_FUNCTION(fill, (int64_t n, int32_t replica, COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)(i % 1000) + (float)replica;
}

/* ------------------------------------------------------------------ what is timed */

typedef struct bench {
    cohort_strategy *s;
    cohort_value *parts, *sum;
    float *a, *b, *c;
} bench;

static void cohort_empty(void *user)
{
    const bench *t = user;
    cohort_run(t->s, nothing);
    cohort_wait(t->s);
}

static void region_empty(void *user)
{
    (void)user;
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

static void cohort_sum(void *user)
{
    const bench *t = user;
    cohort_reduce(COHORT_SUM, t->parts, COHORT_NO_AXIS, t->sum);
    cohort_wait(t->s);
}

static void region_sum(void *user)
{
    const bench *t = user;
    const float *a = t->a, *b = t->b;
    float *c = t->c;
#pragma omp parallel for simd num_threads(2)
    for (int i = 0; i < FLOATS; i++)
        c[i] = a[i] + b[i];
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
    (void)turns_compare("empty step, host/2", "omp parallel, 2 threads", cohort_empty, region_empty,
                        &t, 20000);
    (void)turns_compare("sum of 2 x 1 MiB, host/2", "omp parallel for, 2 threads", cohort_sum,
                        region_sum, &t, 500);
    int wrong = check(&t);
    cohort_strategy_destroy(t.s);
    free(t.a), free(t.b), free(t.c);
    return wrong;
}
