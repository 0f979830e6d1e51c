/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/matmul: products of square matrices by cohort_matmul beside OpenBLAS, one thread each, with
 * a wait. bench/turns.h says how. */
#include "config.h"

#include "bench/blas.h"
#include "bench/must.h"
#include "bench/turns.h"

#include <cblas.h>
#include <cohort/cohort.h>

#include <math.h>
#include <stdlib.h>

typedef struct bench {
    int64_t n;
    float *a, *b, *c, *other;
    cohort_strategy *strategy;
    cohort_value *x, *y, *z;
} bench;

static const cohort_matmul_options reproducible = { .reproducible = true };

static void by_blas(void *user)
{
    const bench *t = user;
    const int n = (int)t->n;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, t->a, n, t->b, n, 0, t->c,
                n);
}

static void by_cohort(void *user)
{
    const bench *t = user;
    must(cohort_matmul(t->strategy, NULL, 1, t->x, t->y, t->z) == COHORT_OK, "matmul");
    must(cohort_wait(t->strategy) == COHORT_OK, "wait");
}

static void by_cohort_reproducibly(void *user)
{
    const bench *t = user;
    must(cohort_matmul(t->strategy, &reproducible, 1, t->x, t->y, t->z) == COHORT_OK, "matmul");
    must(cohort_wait(t->strategy) == COHORT_OK, "wait");
}

static void open_bench(bench *t)
{
    size_t bytes = (size_t)(t->n * t->n) * sizeof(float);
    t->a = malloc(bytes), t->b = malloc(bytes), t->c = malloc(bytes), t->other = malloc(bytes);
    must(t->a != NULL && t->b != NULL && t->c != NULL && t->other != NULL, "memory");
    for (int64_t i = 0; i < t->n * t->n; i++) {
        t->a[i] = (float)(i % 17 - 8) / 8;
        t->b[i] = (float)(i % 13 - 6) / 6;
    }
    t->strategy = cohort_one_device("host");
    must(t->strategy != NULL, "a strategy");
    t->x = cohort_value_plain(t->strategy, COHORT_ARRAY(t->a, t->n, t->n));
    t->y = cohort_value_plain(t->strategy, COHORT_ARRAY(t->b, t->n, t->n));
    t->z = cohort_value_create(t->strategy);
}

/* All numbers are sums of n products below 1. */
static void check(bench *t, const char *row)
{
    by_blas(t);
    by_cohort_reproducibly(t);
    must(cohort_value_read(t->z, COHORT_ARRAY(t->other, t->n, t->n)) == COHORT_OK, row);
    for (int64_t i = 0; i < t->n * t->n; i++)
        must(fabsf(t->c[i] - t->other[i]) <= 1e-6f * (float)(t->n * t->n), "equal products");
}

static void close_bench(bench *t)
{
    cohort_strategy_destroy(t->strategy);
    free(t->a);
    free(t->b);
    free(t->c);
    free(t->other);
}

int main(int argc, char **argv)
{
    static const int64_t sizes[] = { 32, 128, 512, 1024 };
    int n = turns_are_tiny() ? 1 : sizeof sizes / sizeof *sizes;
    (void)argc;
    blas_begin(argv);
    (void)setenv("OMP_NUM_THREADS", "1", 1); /* of the device, which is opened later */
    turns_table("product of two matrices, float32");
    for (int k = 0; k < n; k++) {
        char row[64];
        bench t = { .n = sizes[k] };
        (void)snprintf(row, sizeof row, "%lld x %lld", (long long)t.n, (long long)t.n);
        open_bench(&t);
        check(&t, row);
        turns_side sides[] = {
            { blas_name(), "the caller alone", by_blas, .bench = &t, .is_limit = true },
            { "cohort_matmul", "1 thread, a wait each", by_cohort, .bench = &t },
            { "cohort_matmul, reproducible", "1 thread, a wait each", by_cohort_reproducibly,
              .bench = &t },
        };
        turns_row(row, sides, sizeof sides / sizeof *sides);
        close_bench(&t);
    }
    return 0;
}
