/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of matrices: each replica has some rows of the left one, and all of the right one. */
#include "config.h"

#include "cli/bench.h"
#include "cli/bench_peak.h"

#include <math.h>
#include <stdlib.h>

enum { FROM = 64, TO = 512, FACTOR = 2 };

/* An item has eight columns of a row of c in registers, or the last ones one by one. */
COHORT_ITEMS(gemm, item, m *(n / 8),
             (int64_t m, int64_t k, int64_t n, const float *a COHORT_SHAPE(m, k),
              const float *b COHORT_SHAPE(k, n), COHORT_OUT float *c COHORT_SHAPE(m, n)),
             {
                 int64_t strips = (n + 7) / 8;
                 int64_t i = item / strips;
                 int64_t first = item % strips * 8;
                 if (first + 8 <= n) {
                     float sum[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
                     for (int64_t l = 0; l < k; l++)
                         for (int j = 0; j < 8; j++)
                             sum[j] += a[i * k + l] * b[l * n + first + j];
                     for (int j = 0; j < 8; j++)
                         c[i * n + first + j] = sum[j];
                     continue;
                 }
                 for (int64_t j = first; j < n; j++) {
                     float sum = 0;
                     for (int64_t l = 0; l < k; l++)
                         sum += a[i * k + l] * b[l * n + j];
                     c[i * n + j] = sum;
                 }
             });

typedef struct product {
    bench *bench;
    bench_machine machine;
    int64_t side;
    float *left, *right, *result;
    cohort_value *a, *b, *c;
    const peak *peak;
    int64_t rounds; /* of the peak's loop, for as many operations as the product has */
    int calls;
} product;

/* ------------------------------------------------------------------ what is timed */

static cohort_status multiply(void *user, int calls)
{
    const product *p = user;
    cohort_strategy *s = p->machine.strategy;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++)
        status = cohort_run(s, gemm, p->a, p->b, p->c);
    return status < 0 ? status : cohort_wait(s);
}

static void compute(void *user, int thread)
{
    const product *p = user;
    bench_part part = bench_part_of(p->rounds, thread, p->machine.threads);
    p->peak->loop((part.end - part.first) * p->calls);
}

static cohort_status reach_peak(void *user, int calls)
{
    product *p = user;
    p->calls = calls;
    bench_team_run(p->machine.team, compute, user);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ rows */

/* Numbers of which all sums are exact, in any order. */
static void fill(product *p)
{
    for (int64_t i = 0; i < p->side * p->side; i++) {
        p->left[i] = (float)(i % 7 - 3);
        p->right[i] = (float)(i % 5 - 2);
    }
}

static double element(const product *p, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t l = 0; l < p->side; l++)
        sum += (double)p->left[i * p->side + l] * (double)p->right[l * p->side + j];
    return sum;
}

/* Its diagonal, and the last column. */
static int compare(product *p)
{
    if (cohort_value_read(p->c, COHORT_ARRAY(p->result, p->side, p->side)) < 0)
        return bench_failed("gemm");
    for (int64_t i = 0; i < p->side; i++)
        if ((double)p->result[i * p->side + i] != element(p, i, i) ||
            (double)p->result[i * p->side + p->side - 1] != element(p, i, p->side - 1))
            return cli_fail(EXIT_FAILED, "bench gemm: a row of the product is wrong");
    return EXIT_OK;
}

static int time_product(product *p, double seconds)
{
    cohort_strategy *s = p->machine.strategy;
    bench_row *row = bench_add(p->bench, BENCH_GEMM, "product", p->side);
    if (row == NULL)
        return EXIT_FAILED;
    row->work = 2 * pow((double)p->side, 3);
    p->rounds = (int64_t)ceil(row->work / p->peak->operations);
    p->a = cohort_value_split(s, COHORT_ARRAY(p->left, p->side, p->side));
    p->b = cohort_value_plain(s, COHORT_ARRAY(p->right, p->side, p->side));
    p->c = cohort_value_create(s);
    const bench_side sides[BENCH_SIDES] = { { multiply, p }, { reach_peak, p } };
    int code = bench_time(&p->machine, sides, seconds, row);
    if (code == EXIT_OK && row->cohort.n > 0)
        code = compare(p);
    cohort_value_destroy(p->a);
    cohort_value_destroy(p->b);
    cohort_value_destroy(p->c);
    return code;
}

static int time_size(void *user, int64_t size, double seconds)
{
    product *p = user;
    size_t elements = (size_t)size * (size_t)size;
    p->side = size;
    p->left = malloc(elements * sizeof(float));
    p->right = malloc(elements * sizeof(float));
    p->result = malloc(elements * sizeof(float));
    bool is_good = p->left != NULL && p->right != NULL && p->result != NULL;
    if (is_good)
        fill(p);
    int code =
        is_good ? time_product(p, seconds) : cli_fail(EXIT_FAILED, "bench gemm: out of memory");
    free(p->left);
    free(p->right);
    free(p->result);
    return code;
}

/* The command's three matrices, the product once more, and the right one on each device. */
static bool has_room(const product *p, double side)
{
    double bytes = side * side * sizeof(float);
    return bench_fits(&p->machine, "gemm", bytes * (4 + p->machine.devices), bytes * 3);
}

int bench_gemm(bench *b, double seconds)
{
    product p = { .bench = b, .peak = peak_find() };
    int code = bench_open(b, BENCH_GEMM, 1, &p.machine);
    if (code != EXIT_OK)
        return code;
    b->limits[BENCH_GEMM] = p.machine.team != NULL ? p.peak->name : NULL;
    code = has_room(&p, (double)bench_largest(b, TO))
               ? bench_each_size(b, FROM, TO, FACTOR, seconds, time_size, &p)
               : EXIT_FAILED;
    bench_close(&p.machine);
    return code;
}
