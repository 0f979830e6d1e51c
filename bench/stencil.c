/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/stencil: heat on a plate, items of two indices beside the loop by hand: five points, the
 * rim at 0. Rows are steps of plates of some working set, which is two plates.
 *
 * By hand the first and the last column stand outside of the loop, which is vector code so, and one
 * region of OpenMP has all cores. Cohort has a halo in each step, and the body as it stands in
 * examples/heat.c. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float rate = 0.2F;

COHORT_ITEMS_2D(spread, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, float rate, const float *t COHORT_SHAPE(n, m),
                 const float *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT float *next COHORT_SHAPE(n, m)),
                {
                    float here = t[i * m + j];
                    float up = i > 0 ? t[(i - 1) * m + j] : edge[(h - 1) * m + j];
                    float down = i < n - 1 ? t[(i + 1) * m + j] : edge[h * m + j];
                    float left = j > 0 ? t[i * m + j - 1] : 0;
                    float right = j < m - 1 ? t[i * m + j + 1] : 0;
                    next[i * m + j] = here + rate * (up + down + left + right - 4 * here);
                });

/* With one index, which costs two divisions an item. */
COHORT_ITEMS(spread_flat, k, n *m,
             (int64_t n, int64_t m, int64_t h, float rate, const float *t COHORT_SHAPE(n, m),
              const float *edge COHORT_SHAPE(2 * h, m), COHORT_OUT float *next COHORT_SHAPE(n, m)),
             {
                 int64_t i = k / m;
                 int64_t j = k % m;
                 float up = i > 0 ? t[k - m] : edge[(h - 1) * m + j];
                 float down = i < n - 1 ? t[k + m] : edge[h * m + j];
                 float left = j > 0 ? t[k - 1] : 0;
                 float right = j < m - 1 ? t[k + 1] : 0;
                 next[k] = t[k] + rate * (up + down + left + right - 4 * t[k]);
             });

/* ------------------------------------------------------------------ by hand */

/* first: what values are made of, which is lent to them. */
typedef struct plates {
    int64_t n, m;
    float *first, *now, *next, *zeros;
} plates;

static void spread_row(const float *up, const float *row, const float *down, float *next, int64_t m)
{
    next[0] = row[0] + rate * (up[0] + down[0] + 0 + (m > 1 ? row[1] : 0) - 4 * row[0]);
#pragma omp simd
    for (int64_t j = 1; j < m - 1; j++)
        next[j] = row[j] + rate * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
    if (m > 1)
        next[m - 1] =
            row[m - 1] + rate * (up[m - 1] + down[m - 1] + row[m - 2] + 0 - 4 * row[m - 1]);
}

static void step_by_hand(void *bench)
{
    plates *p = bench;
    int64_t n = p->n, m = p->m;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const float *row = p->now + i * m;
        spread_row(i > 0 ? row - m : p->zeros, row, i < n - 1 ? row + m : p->zeros, p->next + i * m,
                   m);
    }
    float *before = p->now;
    p->now = p->next;
    p->next = before;
}

/* ------------------------------------------------------------------ with Cohort */

typedef struct sheet {
    cohort_strategy *s;
    const cohort_function *spread;
    cohort_value *now, *next, *edge;
} sheet;

static sheet open_sheet(const char *devices, const cohort_function *function, const plates *p)
{
    sheet t = { .s = cohort_mirrored(devices), .spread = function };
    t.now = cohort_value_split(t.s, COHORT_ARRAY(p->first, p->n, p->m));
    t.next = cohort_value_create(t.s);
    t.edge = cohort_value_create(t.s);
    must(t.edge != NULL, "a strategy");
    return t;
}

static void step(void *bench)
{
    sheet *t = bench;
    (void)cohort_halo(t->now, 1, COHORT_EDGE_ZERO, t->edge);
    (void)cohort_run(t->s, t->spread, rate, t->now, t->edge, t->next);
    cohort_value *before = t->now;
    t->now = t->next;
    t->next = before;
}

static void wait_for_all(void *bench)
{
    sheet *t = bench;
    must(cohort_wait(t->s) == COHORT_OK, "steps");
}

/* ------------------------------------------------------------------ rows */

static plates make_plates(int64_t n, int64_t m)
{
    size_t bytes = (size_t)(n * m) * sizeof(float);
    plates p = { n,
                 m,
                 malloc(bytes),
                 malloc(bytes),
                 calloc((size_t)(n * m), sizeof(float)),
                 calloc((size_t)m, sizeof(float)) };
    must(p.first != NULL && p.now != NULL && p.next != NULL && p.zeros != NULL, "memory");
    for (int64_t i = 0; i < n * m; i++)
        p.first[i] = (float)(i % 101);
    memcpy(p.now, p.first, bytes);
    return p;
}

static void free_plates(const plates *p)
{
    free(p->first);
    free(p->now);
    free(p->next);
    free(p->zeros);
}

/* The same bits: after some steps both are the same plate. */
static void compare(int64_t n, int64_t m)
{
    plates p = make_plates(n, m);
    float *found = malloc((size_t)(n * m) * sizeof *found);
    sheet t = open_sheet("host/2", spread, &p);
    must(found != NULL, "memory");
    for (int k = 0; k < 3; k++) {
        step_by_hand(&p);
        step(&t);
    }
    must(cohort_value_read(t.now, COHORT_ARRAY(found, n, m)) == COHORT_OK &&
             memcmp(found, p.now, (size_t)(n * m) * sizeof *found) == 0,
         "the same bits");
    cohort_strategy_destroy(t.s);
    free(found);
    free_plates(&p);
}

static void measure(int64_t n, int64_t m)
{
    char row[64];
    plates p = make_plates(n, m);
    sheet whole = open_sheet("host:0", spread, &p), halves = open_sheet("host/2", spread, &p),
          flat = open_sheet("host/2", spread_flat, &p);
    turns_side sides[] = {
        { .who = "OpenMP", .how = "by hand", .call = step_by_hand, .bench = &p, .is_limit = true },
        { .who = "Cohort", .how = "host:0", .call = step, .finish = wait_for_all, .bench = &whole },
        { .who = "Cohort",
          .how = "host/2",
          .call = step,
          .finish = wait_for_all,
          .bench = &halves },
        { .who = "Cohort",
          .how = "host/2, one index",
          .call = step,
          .finish = wait_for_all,
          .bench = &flat },
    };
    (void)snprintf(row, sizeof row, "%lld x %lld, %g MiB", (long long)n, (long long)m,
                   (double)(n * m) * 2 * sizeof(float) / (1 << 20));
    turns_row(row, sides, sizeof sides / sizeof *sides);
    cohort_strategy_destroy(whole.s);
    cohort_strategy_destroy(halves.s);
    cohort_strategy_destroy(flat.s);
    free_plates(&p);
}

int main(void)
{
    static const int64_t rows[] = { 128, 256, 512, 1024, 2048, 4096 };
    size_t n = turns_are_tiny() ? 1 : turns_are_quick() ? 4 : sizeof rows / sizeof *rows;
    turns_table("heat on a plate, a step");
    compare(130, 67);
    for (size_t i = 0; i < n; i++)
        measure(rows[i], 2 * rows[i]);
    return 0;
}
