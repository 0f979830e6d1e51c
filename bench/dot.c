/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/dot: items that add up, beside a reduction of OpenMP: the dot product of two arrays of
 * floats, added in float32 and in float64. Rows are pairs of arrays of some working set.
 *
 * By hand one region of OpenMP has all cores, and each thread a sum of its own, as vector code.
 * Cohort runs the body, joins the blocks and reads the number, in a call each. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

COHORT_ITEMS_SUMS(dot_single, i, n, (int64_t n, const float x[n], const float y[n]),
                  ((COHORT_SUM, float, total)), { total += x[i] * y[i]; });
COHORT_ITEMS_SUMS(dot_double, i, n, (int64_t n, const float x[n], const float y[n]),
                  ((COHORT_SUM, double, total)), { total += (double)x[i] * (double)y[i]; });

typedef struct bench {
    bool is_double;
    int64_t n;
    float *x, *y;
    double by_hand, found;
    cohort_strategy *s;
    cohort_value *xs, *ys, *blocks, *total;
} bench;

/* ------------------------------------------------------------------ what is timed */

static double hand_single(const bench *t)
{
    const float *x = t->x, *y = t->y;
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int64_t i = 0; i < t->n; i++)
        sum += x[i] * y[i];
    return (double)sum;
}

static double hand_double(const bench *t)
{
    const float *x = t->x, *y = t->y;
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int64_t i = 0; i < t->n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

static void hand(void *user)
{
    bench *t = user;
    t->by_hand = t->is_double ? hand_double(t) : hand_single(t);
}

static void joined(void *user)
{
    bench *t = user;
    (void)cohort_run(t->s, t->is_double ? dot_double : dot_single, t->xs, t->ys, t->blocks);
    (void)cohort_reduce(COHORT_SUM, t->blocks, 0, t->total);
    t->found = cohort_value_scalar(t->total);
}

/* ------------------------------------------------------------------ rows */

static bench make(const char *devices, bool is_double, int64_t n, float *x, float *y)
{
    bench t = { .is_double = is_double, .n = n, .x = x, .y = y, .s = cohort_mirrored(devices) };
    t.xs = cohort_value_split(t.s, COHORT_ARRAY(x, n));
    t.ys = cohort_value_split(t.s, COHORT_ARRAY(y, n));
    t.blocks = cohort_value_create(t.s);
    t.total = cohort_value_create(t.s);
    must(t.total != NULL, "a strategy");
    return t;
}

/* Both orders are right, to their roundings. */
static void compare(bench *t)
{
    hand(t);
    joined(t);
    must(fabs(t->found - t->by_hand) <= (t->is_double ? 1e-10 : 1e-2) * (double)t->n,
         "the same sum");
}

static void measure(int64_t n, bool is_double)
{
    char row[64];
    float *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    must(x != NULL && y != NULL, "memory");
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)(i % 101) / 101 - 0.5F;
        y[i] = (float)(i % 97) / 97 - 0.5F;
    }
    bench whole = make("host:0", is_double, n, x, y), halves = make("host/2", is_double, n, x, y);
    compare(&whole);
    compare(&halves);
    turns_side sides[] = {
        { .who = "OpenMP", .how = "reduction", .call = hand, .bench = &whole, .is_limit = true },
        { .who = "Cohort", .how = "host:0", .call = joined, .bench = &whole },
        { .who = "Cohort", .how = "host/2", .call = joined, .bench = &halves },
    };
    (void)snprintf(row, sizeof row, "%s, %g MiB", is_double ? "float64" : "float32",
                   (double)n * 2 * sizeof(float) / (1 << 20));
    turns_row(row, sides, sizeof sides / sizeof *sides);
    cohort_strategy_destroy(whole.s);
    cohort_strategy_destroy(halves.s);
    free(x);
    free(y);
}

int main(void)
{
    static const int64_t items[] = { 1 << 15, 1 << 18, 1 << 21, 1 << 24 };
    size_t n = turns_are_tiny() ? 1 : turns_are_quick() ? 3 : sizeof items / sizeof *items;
    turns_table("a dot product");
    for (size_t i = 0; i < n; i++)
        for (int is_double = 0; is_double < 2; is_double++)
            measure(items[i], is_double);
    return 0;
}
