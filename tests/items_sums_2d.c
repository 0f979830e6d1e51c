/* SPDX-License-Identifier: BSD-3-Clause */
/* Items of two indices with sums: the bits of the order that the header promises, written out by
 * hand, on every device and however the rows are shared out. */
#include "config.h"

#include "tests/core_opencl.h"

#include <math.h>

enum { MOST = 8192, LANES = 16 };

COHORT_STRUCT(pair, { float a, b; });

COHORT_ITEMS_SUMS_2D(total_of, i, n, j, m,
                     (int64_t n, int64_t m, int64_t first, const float *x COHORT_SHAPE(n, m),
                      COHORT_OUT float *z COHORT_SHAPE(n, m)),
                     ((COHORT_SUM, float, total), (COHORT_MAX, float, most, at),
                      (COHORT_SUM, int64_t, count)),
                     {
                         z[i * m + j] = -x[i * m + j];
                         count += 1;
                         if (j % 7 == 6)
                             continue;
                         total += x[i * m + j] * 0.1f;
                         if (at < 0 || x[i * m + j] > most)
                             most = x[i * m + j], at = (first + i) * m + j;
                     });
/* Every second column of a pair of rows: numbers of items that round up. */
COHORT_ITEMS_SUMS_2D(halves, i, n / 2, j, m / 2,
                     (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                     ((COHORT_SUM, double, total)), { total += (double)x[2 * i * m + 2 * j]; });
COHORT_ITEMS_SUMS_2D_OF_TYPES(of_pairs, i, n, j, m,
                              (int64_t n, int64_t m, const pair *x COHORT_SHAPE(n, m)),
                              COHORT_TYPES(pair), ((COHORT_SUM, float, total)),
                              { total += x[i * m + j].a * x[i * m + j].b; });
COHORT_ITEMS_SUMS_2D(leaves, i, n, j, m, (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                     ((COHORT_SUM, float, total)), {
                         if (j == 3)
                             return;
                         total += x[i * m + j];
                     });
COHORT_ITEMS_SUMS_2D(beyond, i, n, j, m, (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                     ((COHORT_SUM, float, total)), { total += x[i * m + j + 1]; });

static float x[MOST], z[MOST];
static const int64_t sizes[][2] = { { 1, 1 },   { 5, 1 },    { 300, 1 }, { 301, 3 }, { 67, 15 },
                                    { 33, 63 }, { 7, 126 },  { 9, 127 }, { 6, 128 }, { 5, 129 },
                                    { 2, 300 }, { 100, 16 }, { 0, 5 },   { 3, 0 } };
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)((i * 7919 + n) % 1009) / 17 - 20;
}

/* ---- The order, by hand. */

static float tree(const float *lanes, int n)
{
    return n == 1 ? lanes[0] : tree(lanes, n / 2) + tree(lanes + n / 2, n / 2);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A block of these rows and columns. */
static float block(const float *of, int64_t m, int64_t top, int64_t bottom, int64_t first,
                   int64_t end)
{
    float lanes[LANES] = { 0 };
    for (int64_t i = top; i < bottom; i++)
        for (int64_t j = first; j < end; j++)
            if (j % 7 != 6)
                lanes[(j - first) % LANES] += of[i * m + j] * 0.1f;
    return tree(lanes, LANES);
}

static int64_t blocks(const float *of, int64_t n, int64_t m, float *out)
{
    int64_t tall = (128 + m) / (m + 1), count = 0;
    for (int64_t top = 0; top < n; top += tall)
        for (int64_t first = 0; first < m; first += 128)
            out[count++] = block(of, m, top, lesser(top + tall, n), first, lesser(first + 128, m));
    return count;
}

static int64_t blocks_of_all(int64_t n, int64_t m, int replicas, float *out)
{
    int64_t count = 0, first = 0;
    for (int r = 0; r < replicas; r++) {
        int64_t rows = n / replicas + (r < n % replicas);
        count += blocks(x + first * m, rows, m, out + count);
        first += rows;
    }
    return count;
}

/* ---- On all devices. */

static double reduced(cohort_reduce_op op, cohort_value *of, cohort_value *into)
{
    (void)cohort_reduce(op, of, 0, into);
    return cohort_value_scalar(into);
}

static bool has_blocks(cohort_value *total, int64_t n, int64_t m, int replicas)
{
    static float wanted[MOST], found[MOST];
    int64_t count = blocks_of_all(n, m, replicas, wanted);
    return good(cohort_value_read(total, COHORT_ARRAY(found, count)) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)count * sizeof *found) == 0);
}

static bool has_others(cohort_value *const out[6], int64_t n, int64_t m)
{
    double most = -INFINITY;
    for (int64_t k = 0; k < n * m; k++)
        most = k % m % 7 != 6 && (double)x[k] > most ? (double)x[k] : most;
    bool is_good = good(reduced(COHORT_MAX, out[2], out[4]) == most) &&
                   good((int64_t)reduced(COHORT_SUM, out[5], out[4]) == n * m) &&
                   good(cohort_value_read(out[0], COHORT_ARRAY(z, n * m)) == COHORT_OK);
    for (int64_t k = 0; k < n * m && is_good; k++)
        is_good = good(z[k] == -x[k]);
    return is_good;
}

static bool sums(cohort_strategy *s, int replicas)
{
    cohort_value *out[6];
    bool is_good = true;
    for (int i = 0; i < 6; i++)
        out[i] = cohort_value_create(s);
    for (int k = 0; k < SIZES && is_good; k++) {
        int64_t n = sizes[k][0], m = sizes[k][1];
        fill(n * m);
        cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, n, m));
        is_good = good(cohort_run(s, total_of, COHORT_FIRST_ROW, in, out[0], out[1], out[2], out[3],
                                  out[5]) == COHORT_OK) &&
                  has_blocks(out[1], n, m, replicas) && (n * m == 0 || has_others(out, n, m));
        if (!is_good)
            diag("%lld rows of %lld", (long long)n, (long long)m);
        cohort_value_destroy(in);
    }
    for (int i = 0; i < 6; i++)
        cohort_value_destroy(out[i]);
    return is_good;
}

static bool rounds_up(cohort_strategy *s, int replicas)
{
    enum { M = 51 };
    int64_t rows = 15, n = rows * (replicas < 8 ? replicas : 8);
    double about = 0;
    (void)replicas;
    fill(n * M);
    int64_t each = n / replicas;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, each * replicas, M)),
                 *total = cohort_value_create(s), *sum = cohort_value_create(s);
    for (int64_t i = 0; i < each * replicas; i++)
        for (int64_t j = 0; j < M; j += 2)
            about += i % each % 2 == 0 ? (double)x[i * M + j] : 0;
    bool is_good = good(cohort_run(s, halves, in, total) == COHORT_OK) &&
                   good(fabs(reduced(COHORT_SUM, total, sum) - about) < 1e-6);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    cohort_value_destroy(sum);
    return is_good;
}

static bool structs(cohort_strategy *s, int replicas)
{
    enum { N = 40, M = 20 };
    static pair pairs[N * M];
    double about = 0;
    (void)replicas;
    fill(N * M);
    for (int i = 0; i < N * M; i++)
        pairs[i] = (pair){ x[i], 2 }, about += 2 * (double)x[i];
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(pairs, N, M)),
                 *total = cohort_value_create(s), *sum = cohort_value_create(s);
    bool is_good = good(cohort_run(s, of_pairs, in, total) == COHORT_OK) &&
                   good(fabs(reduced(COHORT_SUM, total, sum) - about) < 0.1);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    cohort_value_destroy(sum);
    return is_good;
}

static bool refuses(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 80, 10)),
                 *flat = cohort_value_split(s, COHORT_ARRAY(x, 80)),
                 *total = cohort_value_create(s);
    bool is_good = refused_for(s, "return", cohort_run(s, leaves, in, total)) &&
                   refused_for(s, "x", cohort_run(s, halves, flat, total)) &&
                   refused_for(s, "argument", cohort_run(s, halves, in)) &&
                   good(cohort_value_kind_of(total) == COHORT_EMPTY_VALUE);
    cohort_value_destroy(in);
    cohort_value_destroy(flat);
    cohort_value_destroy(total);
    return is_good;
}

static void test_check(const char *devices)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .check = "bodies" });
    fill(1000);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 100, 10)), *t = cohort_value_create(s);
    (void)cohort_run(s, beyond, in, t);
    ok(cohort_wait(s) == COHORT_EINVAL && says("behind its end") &&
           cohort_strategy_recover(s) == COHORT_OK,
       "on %s the check of bodies finds what is read behind an array", devices);
    ok(sums(s, cohort_strategy_num_replicas(s)), "and right bodies pass");
    cohort_strategy_destroy(s);
}

/* ---- Everywhere. */

static const core_claim claims[] = {
    { refuses, "what is wrong is refused in words, and nothing changed" },
    { sums, "sums have the bits of blocks, rows, lanes and their tree by hand" },
    { rounds_up, "numbers of items round up" },
    { structs, "items have structs" },
};
enum { CLAIMS = sizeof claims / sizeof *claims };

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_all_everywhere(claims, CLAIMS);
        test_check("host");
        test_check("host/2");
    }
    core_no_leak(warm);
    core_all_on_opencl(claims, CLAIMS, 3, 4);
    return tap_done();
}
