/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/reduce_shapes: reductions that do more than add: of [rows][256] float32 from each of two
 * replicas, 64 KiB to 64 MiB in all,
 *
 *   one weight a replica    SUM of all elements times their replica's weight
 *   one weight a row        MEAN over the rows of both
 *   axis 0, 1, both         SUM along them and over both
 *
 * beside loops by hand in a region of two threads and on the caller alone, which add in whatever
 * order is fastest: Cohort keeps blocks of 128 rows and its tree, so results are close, not equal.
 * Along axis 1 and both axes, where vectors of neighbours would be another order, there are also
 * loops by hand in Cohort's order, whose bits must be Cohort's; ratios there refer to these alone.
 * Each reduction with a wait. bench/turns.h says how. */
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
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define HAS_AVX2
#include <immintrin.h>
#endif

enum { COLUMNS = 256, REPLICAS = 2, BLOCK = 128, SIDE = 8 };

typedef struct bench bench;

/* One of the reductions. results: how many elements are left. has_order: there are loops by hand in
 * Cohort's order. */
typedef struct shape {
    const char *name;
    bool has_row_weights, has_weights, has_order;
    int32_t axes[2];
    int n_axes;
    int64_t (*results)(const bench *t);
    cohort_reduce_op op;
} shape;

struct bench {
    const shape *shape;
    int64_t rows; /* of a replica */
    float *x[REPLICAS], *weights[REPLICAS], *partial[REPLICAS], *result;
    cohort_strategy *s;
    cohort_value *values, *by, *into;
};

/* ------------------------------------------------------------------ by hand */

SUMS_FAST static void add_weighted(const float *a, float u, const float *b, float v, float *out,
                                   int64_t begin, int64_t end)
{
#pragma omp simd
    for (int64_t i = begin; i < end; i++)
        out[i] = u * a[i] + v * b[i];
}

/* out[j] = sum of weights[i] * x[i][j]; weights NULL: all 1 */
SUMS_FAST static void add_rows(const float *x, const float *weights, int64_t rows, float *out)
{
    float sums[COLUMNS] = { 0 };
    for (int64_t i = 0; i < rows; i++) {
        float weight = weights != NULL ? weights[i] : 1;
#pragma omp simd
        for (int j = 0; j < COLUMNS; j++)
            sums[j] += weight * x[i * COLUMNS + j];
    }
    for (int j = 0; j < COLUMNS; j++)
        out[j] = sums[j];
}

/* out[i] = the sum of row i */
SUMS_FAST static void add_columns(const float *x, int64_t begin, int64_t end, float *out)
{
    for (int64_t i = begin; i < end; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < COLUMNS; j++)
            sum += x[i * COLUMNS + j];
        out[i] = sum;
    }
}

static float sum_of(const float *x, int64_t n)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* What thread r of n does: of one thread all. */
static void add_part(const bench *t, int r, int n)
{
    int64_t elements = t->rows * COLUMNS;
    if (t->shape->has_weights) {
        add_weighted(t->x[0], t->weights[0][0], t->x[1], t->weights[1][0], t->result,
                     r * elements / n, (r + 1) * elements / n);
        return;
    }
    for (int p = r; p < REPLICAS; p += n)
        if (t->shape->n_axes == 1 && t->shape->axes[0] == 1)
            add_columns(t->x[p], 0, t->rows, t->partial[p]);
        else
            add_rows(t->x[p], t->shape->has_row_weights ? t->weights[p] : NULL, t->rows,
                     t->partial[p]);
}

static void merge(const bench *t)
{
    const shape *s = t->shape;
    if (s->has_weights)
        return;
    int64_t n = s->n_axes == 1 && s->axes[0] == 1 ? t->rows : COLUMNS;
    for (int64_t i = 0; i < n; i++)
        t->result[i] = t->partial[0][i] + t->partial[1][i];
    if (s->has_row_weights) {
        float all = sum_of(t->weights[0], t->rows) + sum_of(t->weights[1], t->rows);
        for (int j = 0; j < COLUMNS; j++)
            t->result[j] /= all;
    }
    if (s->n_axes == 2)
        t->result[0] = sum_of(t->result, COLUMNS);
}

/* In a region of two threads, and on the caller alone. */
static void in_region(const bench *t, void (*add)(const bench *t, int r, int n),
                      void (*end)(const bench *t))
{
#pragma omp parallel num_threads(REPLICAS)
    add(t, omp_get_thread_num(), REPLICAS);
    end(t);
}

static void alone(const bench *t, void (*add)(const bench *t, int r, int n),
                  void (*end)(const bench *t))
{
    add(t, 0, 1);
    end(t);
}

static void hand(void *user)
{
    in_region(user, add_part, merge);
}

static void hand_alone(void *user)
{
    alone(user, add_part, merge);
}

/* ------------------------------------------------------------------ by hand, in Cohort's order */

#ifdef HAS_AVX2
#define AVX2 __attribute__((target("avx2")))

/* into[i], element j = element i of line j: a square of eight by eight, in two halves. */
AVX2 static inline void turn_square(const float *x, int64_t line, __m256 into[SIDE])
{
#pragma GCC unroll 2
    for (int half = 0; half < SIDE; half += SIDE / 2) {
        __m256 lines[SIDE / 2];
#pragma GCC unroll 4
        for (int j = 0; j < SIDE / 2; j++) {
            const float *at = x + half + j * line;
            lines[j] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at)),
                                            _mm_loadu_ps(at + SIDE / 2 * line), 1);
        }
        __m256 a = _mm256_unpacklo_ps(lines[0], lines[1]),
               b = _mm256_unpackhi_ps(lines[0], lines[1]),
               c = _mm256_unpacklo_ps(lines[2], lines[3]),
               d = _mm256_unpackhi_ps(lines[2], lines[3]);
        into[half] = _mm256_shuffle_ps(a, c, 0x44);
        into[half + 1] = _mm256_shuffle_ps(a, c, 0xee);
        into[half + 2] = _mm256_shuffle_ps(b, d, 0x44);
        into[half + 3] = _mm256_shuffle_ps(b, d, 0xee);
    }
}

/* What lies in the next eight lines is on its way meanwhile: half of their lines of the cache with
 * each square, which is half as wide. */
AVX2 static void add_block_avx2(const float *x, int64_t line, float sums[SIDE])
{
    __m256 square[SIDE], sum = _mm256_set1_ps(-0.0f);
    for (int i = 0; i < BLOCK; i += SIDE) {
        const float *next = x + i + (SIDE + i / SIDE % 2) * line;
#pragma GCC unroll 4
        for (int j = 0; j < SIDE; j += 2)
            __builtin_prefetch(next + j * line);
        turn_square(x + i, line, square);
#pragma GCC unroll 8
        for (int k = 0; k < SIDE; k++)
            sum = _mm256_add_ps(sum, square[k]);
    }
    _mm256_storeu_ps(sums, sum);
}
#endif

static void add_block_plain(const float *x, int64_t line, float sums[SIDE])
{
    for (int j = 0; j < SIDE; j++)
        sums[j] = x[j * line];
    for (int i = 1; i < BLOCK; i++)
        for (int j = 0; j < SIDE; j++)
            sums[j] += x[i + j * line];
}

/* sums[j] = the block that begins at x + j * line, added one by one */
static void add_block(const float *x, int64_t line, float sums[SIDE])
{
#ifdef HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        add_block_avx2(x, line, sums);
        return;
    }
#endif
    add_block_plain(x, line, sums);
}

/* out[i] = the sum of row i: of its two blocks */
static void add_lines(const float *x, int64_t rows, float *out)
{
    float left[SIDE], right[SIDE];
    for (int64_t i = 0; i < rows; i += SIDE) {
        add_block(x + i * COLUMNS, COLUMNS, left);
        add_block(x + i * COLUMNS + BLOCK, COLUMNS, right);
        for (int j = 0; j < SIDE; j++)
            out[i + j] = left[j] + right[j];
    }
}

/* The tree over blocks, of which there are a power of two, and eight at least. */
static float add_tree(const float *x, int64_t blocks)
{
    float s[SIDE];
    if (blocks > SIDE)
        return add_tree(x, blocks / 2) + add_tree(x + blocks / 2 * BLOCK, blocks / 2);
    add_block(x, BLOCK, s);
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

static void add_part_in_order(const bench *t, int r, int n)
{
    for (int p = r; p < REPLICAS; p += n)
        if (t->shape->n_axes == 1)
            add_lines(t->x[p], t->rows, t->partial[p]);
        else
            t->partial[p][0] = add_tree(t->x[p], t->rows * COLUMNS / BLOCK);
}

static void merge_in_order(const bench *t)
{
    int64_t n = t->shape->results(t);
    for (int64_t i = 0; i < n; i++)
        t->result[i] = t->partial[0][i] + t->partial[1][i];
}

static void hand_in_order(void *user)
{
    in_region(user, add_part_in_order, merge_in_order);
}

static void hand_in_order_alone(void *user)
{
    alone(user, add_part_in_order, merge_in_order);
}

/* ------------------------------------------------------------------ Cohort */

static void reduce(void *user)
{
    const bench *t = user;
    const shape *s = t->shape;
    const cohort_reduce_options options = { .axes = s->n_axes > 0 ? s->axes : NULL,
                                            .n_axes = s->n_axes,
                                            .weights = t->by };
    must(!cohort_reduce_with(s->op, t->values, &options, t->into) && !cohort_wait(t->s), s->name);
}

static int64_t all_elements(const bench *t)
{
    return t->rows * COLUMNS;
}

static int64_t all_columns(const bench *t)
{
    (void)t;
    return COLUMNS;
}

static int64_t all_rows(const bench *t)
{
    return t->rows;
}

static int64_t one(const bench *t)
{
    (void)t;
    return 1;
}

static const shape shapes[] = {
    { "one weight a replica", .has_weights = true, .results = all_elements, .op = COHORT_SUM },
    { "one weight a row, MEAN", .has_row_weights = true, .axes = { 0 }, .n_axes = 1,
      .results = all_columns, .op = COHORT_MEAN },
    { "axis 0", .axes = { 0 }, .n_axes = 1, .results = all_columns, .op = COHORT_SUM },
    { "axis 1", .has_order = true, .axes = { 1 }, .n_axes = 1, .results = all_rows,
      .op = COHORT_SUM },
    { "both axes", .has_order = true, .axes = { 0, 1 }, .n_axes = 2, .results = one,
      .op = COHORT_SUM },
};

/* ------------------------------------------------------------------ rows */

static void open_bench(bench *t)
{
    const shape *s = t->shape;
    int64_t most = t->rows * COLUMNS;
    cohort_array x[REPLICAS], by[REPLICAS];
    for (int r = 0; r < REPLICAS; r++) {
        t->x[r] = sums_random(most);
        t->weights[r] = sums_random(t->rows);
        t->partial[r] = sums_random(t->rows > COLUMNS ? t->rows : COLUMNS);
        x[r] = COHORT_ARRAY(t->x[r], t->rows, COLUMNS);
        by[r] = COHORT_ARRAY(t->weights[r], t->rows);
        by[r].rank = s->has_weights ? 0 : 1;
    }
    t->result = sums_random(most);
    t->s = cohort_mirrored("host/2");
    t->values = cohort_value_per_replica(t->s, x);
    t->by = s->has_weights || s->has_row_weights ? cohort_value_per_replica(t->s, by) : NULL;
    t->into = cohort_value_create(t->s);
    must(t->into != NULL, "values");
}

static void close_bench(bench *t)
{
    cohort_strategy_destroy(t->s);
    for (int r = 0; r < REPLICAS; r++) {
        free(t->x[r]);
        free(t->weights[r]);
        free(t->partial[r]);
    }
    free(t->result);
}

static void check_bits(bench *t, const float *found, int64_t n, const char *row)
{
    hand_in_order(t);
    if (memcmp(found, t->result, (size_t)n * sizeof *found) != 0) {
        fprintf(stderr, "reduce_shapes: %s: other bits by hand, in Cohort's order\n", row);
        exit(1);
    }
}

static void check(bench *t, const char *row)
{
    int64_t n = t->shape->results(t);
    float *found = sums_random(n);
    cohort_array out = { .data = found, .dtype = COHORT_F32, .rank = 1, .shape = { n } };
    hand(t);
    reduce(t);
    must(!cohort_value_read(t->into, out), row);
    for (int64_t i = 0; i < n; i++)
        if (!(fabsf(found[i] - t->result[i]) <= 1e-3f * fabsf(t->result[i]))) {
            fprintf(stderr, "reduce_shapes: %s: %g by hand, not %g\n", row, t->result[i], found[i]);
            exit(1);
        }
    if (t->shape->has_order)
        check_bits(t, found, n, row);
    free(found);
}

int main(void)
{
    static const int64_t sizes[] = { 64 << 10, 1 << 20, 16 << 20, 64 << 20 };
    int n = turns_are_tiny() ? 1 : sizeof sizes / sizeof *sizes;
    turns_table("reductions with weights and along axes");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int k = 0; k < n; k++) {
            char row[64];
            bench t = { .shape = &shapes[i],
                        .rows = sizes[k] / REPLICAS / COLUMNS / (int64_t)sizeof(float) };
            (void)snprintf(row, sizeof row, "%s, %lld KiB", shapes[i].name,
                           (long long)(sizes[k] >> 10));
            open_bench(&t);
            check(&t, row);
            const bool has_order = t.shape->has_order;
            turns_side sides[] = {
                { "by hand", "2 threads", hand, .bench = &t, .is_limit = !has_order },
                { "by hand, alone", "the caller alone", hand_alone, .bench = &t,
                  .is_limit = !has_order },
                { "cohort", "host/2, a wait each", reduce, .bench = &t },
                { "by hand, Cohort's order", "2 threads", hand_in_order, .bench = &t,
                  .is_limit = has_order },
                { "by hand, Cohort's order, alone", "the caller alone", hand_in_order_alone,
                  .bench = &t, .is_limit = has_order },
            };
            turns_row(row, sides, has_order ? 5 : 3);
            close_bench(&t);
        }
    return 0;
}
