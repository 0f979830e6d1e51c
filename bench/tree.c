/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/tree: what it costs that a sum has the same bits for any hosting: cohort_reduce of R = 2 to
 * 64 contributions on two devices, along the tree, beside the sum by hand that forgets who
 * contributed what: each of two threads adds half of the contributions from left to right, and
 * then both halves are added. That one has other bits where R or the number of threads changes.
 *
 * 1,000 and 100,000 float32, and 10 million where memory and time allow. bench/turns.h says how. */
#include "config.h"

#include "bench/must.h"
#include "bench/sums.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* BLOCK: floats that stay in a first-level cache while contributions are added to them. */
enum { MOST_REPLICAS = 64, DEVICES = 2, BLOCK = 2048 };

typedef struct bench {
    int replicas;
    int64_t n;
    float *x[MOST_REPLICAS], *partial[DEVICES], *result;
    cohort_strategy *s;
    cohort_value *contributions, *sum;
} bench;

/* ------------------------------------------------------------------ what is timed */

SUMS_FAST static void add_to(float *sum, const float *x, int64_t n)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        sum[i] += x[i];
}

static void add_half(const bench *t, int device)
{
    int each = t->replicas / DEVICES, first = device * each;
    for (int64_t begin = 0; begin < t->n; begin += BLOCK) {
        int64_t n = t->n - begin < BLOCK ? t->n - begin : BLOCK;
        float *sum = t->partial[device] + begin;
        memcpy(sum, t->x[first] + begin, (size_t)n * sizeof *sum);
        for (int i = first + 1; i < first + each; i++)
            add_to(sum, t->x[i] + begin, n);
    }
}

static void partial_sums(void *user)
{
    const bench *t = user;
#pragma omp parallel num_threads(DEVICES)
    {
        int device = omp_get_thread_num();
        add_half(t, device);
#pragma omp barrier
        int64_t half = t->n / DEVICES, begin = device * half;
        int64_t n = device == 0 ? half : t->n - half;
        memcpy(t->result + begin, t->partial[0] + begin, (size_t)n * sizeof(float));
        add_to(t->result + begin, t->partial[1] + begin, n);
    }
}

static void reduce_and_wait(void *user)
{
    const bench *t = user;
    must(!cohort_reduce(COHORT_SUM, t->contributions, COHORT_NO_AXIS, t->sum) && !cohort_wait(t->s),
         "reduce");
}

/* ------------------------------------------------------------------ rows */

static void check(bench *t, const char *row)
{
    float *found = sums_random(t->n);
    partial_sums(t);
    reduce_and_wait(t);
    must(!cohort_value_read(t->sum, COHORT_ARRAY(found, t->n)), row);
    for (int64_t i = 0; i < t->n; i++)
        must(fabsf(found[i] - t->result[i]) <= 1e-5f * t->result[i], "the sums differ");
    free(found);
}

static void measure(int64_t n, int replicas)
{
    char row[64];
    cohort_array parts[MOST_REPLICAS];
    bench t = { .replicas = replicas, .n = n, .result = sums_random(n) };
    for (int i = 0; i < replicas; i++) {
        t.x[i] = sums_random(n);
        parts[i] = COHORT_ARRAY(t.x[i], n);
    }
    for (int i = 0; i < DEVICES; i++)
        t.partial[i] = sums_random(n);
    t.s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .replicas = replicas });
    t.contributions = cohort_value_per_replica(t.s, parts);
    t.sum = cohort_value_create(t.s);
    (void)snprintf(row, sizeof row, "%lld float32, R = %d", (long long)n, replicas);
    check(&t, row);
    turns_side sides[] = {
        { "by hand, partial sums", "2 threads, other bits", partial_sums, .bench = &t,
          .is_limit = true },
        { "cohort, reduce", "host/2, the tree, a wait each", reduce_and_wait, .bench = &t },
    };
    turns_row(row, sides, 2);
    cohort_strategy_destroy(t.s);
    for (int i = 0; i < replicas; i++)
        free(t.x[i]);
    for (int i = 0; i < DEVICES; i++)
        free(t.partial[i]);
    free(t.result);
}

int main(void)
{
    static const int64_t sizes[] = { 1000, 100000, 10000000 };
    int n = turns_are_tiny() ? 1 : turns_are_quick() ? 2 : 3;
    turns_table("the tree");
    for (int i = 0; i < n; i++)
        for (int replicas = 2; replicas <= MOST_REPLICAS; replicas *= 2)
            measure(sizes[i], replicas);
    return 0;
}
