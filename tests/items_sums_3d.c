/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of items of three indices, and arrays that items of two and three add up: sums have the bits
 * of two indices, whose order tests/items_sums_2d.c has by hand; that of arrays is by hand here. */
#include "config.h"

#include "tests/core_opencl.h"

enum { MOST = 4096, C = 3 };

COHORT_ITEMS_SUMS_3D(cube, i, n, j, m, k, l,
                     (int64_t n, int64_t m, int64_t l, int64_t first,
                      const float *x COHORT_SHAPE(n, m, l)),
                     ((COHORT_SUM, float, total), (COHORT_MAX, float, most, at)), {
                         const float here = x[(i * m + j) * l + k];
                         if (k % 7 == 6)
                             continue;
                         total += here * 0.1f;
                         if (at < 0 || here > most)
                             most = here, at = ((first + i) * m + j) * l + k;
                     });
COHORT_ITEMS_SUMS_2D(plate, i, n, k, l,
                     (int64_t n, int64_t l, int64_t first, const float *x COHORT_SHAPE(n, l)),
                     ((COHORT_SUM, float, total), (COHORT_MAX, float, most, at)), {
                         const float here = x[i * l + k];
                         if (k % 7 == 6)
                             continue;
                         total += here * 0.1f;
                         if (at < 0 || here > most)
                             most = here, at = (first + i) * l + k;
                     });
COHORT_ITEMS_ARRAY_SUMS_3D(cubes, i, n, j, m, k, l,
                           (int64_t n, int64_t m, int64_t l, int64_t c,
                            const float *x COHORT_SHAPE(n, m, l)),
                           ((COHORT_SUM, float, sums, c), (COHORT_SUM, int64_t, planes, 2)), {
                               if (k == 5)
                                   continue;
                               sums[(j + k) % c] += x[(i * m + j) * l + k];
                               planes[i % 2]++;
                           });
COHORT_ITEMS_ARRAY_SUMS_2D(plates, i, n, j, m,
                           (int64_t n, int64_t m, int64_t c, const float *x COHORT_SHAPE(n, m)),
                           ((COHORT_SUM, float, sums, c), (COHORT_SUM, int64_t, lines, 2)), {
                               sums[(i + j) % c] += x[i * m + j];
                               lines[i % 2]++;
                           });
COHORT_ITEMS_SUMS_3D(beyond, i, n, j, m, k, l,
                     (int64_t n, int64_t m, int64_t l, const float *x COHORT_SHAPE(n, m, l)),
                     ((COHORT_SUM, float, total)), { total += x[(i * m + j) * l + k + 1]; });
COHORT_ITEMS_ARRAY_SUMS_2D(leaves, i, n, j, m,
                           (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                           ((COHORT_SUM, float, sums, 1)), {
                               if (j == 3)
                                   return;
                               sums[0] += x[i * m + j];
                           });

static float x[MOST];
/* Planes of a replica, rows, columns. */
static const int64_t sizes[][3] = { { 1, 1, 1 },   { 2, 3, 1 },   { 1, 67, 3 },  { 3, 5, 15 },
                                    { 2, 1, 63 },  { 1, 3, 126 }, { 1, 3, 127 }, { 1, 2, 129 },
                                    { 1, 1, 300 }, { 5, 20, 3 },  { 0, 4, 4 },   { 2, 0, 3 },
                                    { 2, 3, 0 } };
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)((i * 7919 + n) % 1009) / 17 - 20;
}

static int64_t divided(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Blocks of a replica with these lines. */
static int64_t blocks(int64_t lines, int64_t l, int64_t length)
{
    return divided(lines, divided(length, l + 1)) * divided(l, length);
}

/* Bytes of both are equal; each has `count` rows. */
static bool are_equal(cohort_value *a, cohort_value *b, int64_t count, bool is_place)
{
    static float numbers[2][MOST];
    static int64_t places[2][MOST];
    cohort_value *const of[2] = { a, b };
    bool is_good = true;
    for (int i = 0; i < 2 && is_good; i++)
        is_good =
            good(cohort_value_read(of[i], is_place ? COHORT_ARRAY(places[i], count)
                                                   : COHORT_ARRAY(numbers[i], count)) == COHORT_OK);
    return is_good &&
           good(is_place
                    ? memcmp(places[0], places[1], (size_t)count * sizeof places[0][0]) == 0
                    : memcmp(numbers[0], numbers[1], (size_t)count * sizeof numbers[0][0]) == 0);
}

/* What of these planes are lines of two indices. */
static bool is_as_of_two(cohort_strategy *s, int replicas, const int64_t size[3])
{
    const int64_t n = size[0] * replicas, m = size[1], l = size[2],
                  count = replicas * blocks(size[0] * m, l, 128);
    cohort_value *three = cohort_value_split(s, COHORT_ARRAY(x, n, m, l)),
                 *two = cohort_value_split(s, COHORT_ARRAY(x, n * m, l)), *out[6];
    for (int i = 0; i < 6; i++)
        out[i] = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, cube, COHORT_FIRST_ROW, three, out[0], out[1], out[2]) == COHORT_OK) &&
        good(cohort_run(s, plate, COHORT_FIRST_ROW, two, out[3], out[4], out[5]) == COHORT_OK);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = are_equal(out[i], out[i + 3], count, i == 2);
    for (int i = 0; i < 6; i++)
        cohort_value_destroy(out[i]);
    cohort_value_destroy(three);
    cohort_value_destroy(two);
    return is_good;
}

static bool sums(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int k = 0; k < SIZES && is_good; k++) {
        const int64_t n = sizes[k][0] * replicas * sizes[k][1] * sizes[k][2];
        if (n > MOST)
            continue;
        fill(n);
        is_good = is_as_of_two(s, replicas, sizes[k]);
        if (!is_good)
            diag("%lld planes of %lld rows of %lld", (long long)sizes[k][0], (long long)sizes[k][1],
                 (long long)sizes[k][2]);
    }
    return is_good;
}

/* ---- Arrays, by hand. */

typedef struct rows {
    float sums[MOST][C];
    int64_t firsts[MOST][2];
} rows;

static void item(rows *into, int64_t block, const float *of, int64_t m, int64_t l, int64_t line,
                 int64_t k, bool is_three)
{
    if (is_three && k == 5)
        return;
    const int64_t outer = is_three ? line / m : line, inner = is_three ? line % m : line;
    into->sums[block][(inner + k) % C] += of[line * l + k];
    into->firsts[block][outer % 2]++;
}

/* Adds a replica's blocks from this one on; returns the next. */
static int64_t by_hand(rows *into, int64_t block, const float *of, int64_t lines, int64_t m,
                       int64_t l, bool is_three)
{
    const int64_t length = 128 + 16 * (C + 2), tall = divided(length, l + 1);
    for (int64_t top = 0; top < lines; top += tall)
        for (int64_t first = 0; first < l; first += length, block++) {
            memset(into->sums[block], 0, sizeof into->sums[block]);
            memset(into->firsts[block], 0, sizeof into->firsts[block]);
            for (int64_t line = top; line < lesser(top + tall, lines); line++)
                for (int64_t k = first; k < lesser(first + length, l); k++)
                    item(into, block, of, m, l, line, k, is_three);
        }
    return block;
}

static bool has_rows(cohort_value *sums, cohort_value *firsts, const rows *wanted, int64_t count)
{
    static rows found;
    return good(cohort_value_read(sums, COHORT_ARRAY(&found.sums[0][0], count, C)) == COHORT_OK) &&
           good(cohort_value_read(firsts, COHORT_ARRAY(&found.firsts[0][0], count, 2)) ==
                COHORT_OK) &&
           good(memcmp(found.sums, wanted->sums, (size_t)count * sizeof found.sums[0]) == 0) &&
           good(memcmp(found.firsts, wanted->firsts, (size_t)count * sizeof found.firsts[0]) == 0);
}

static bool adds_arrays(cohort_strategy *s, int replicas, const int64_t size[3], bool is_three)
{
    static rows wanted;
    const int64_t lines = size[0] * size[1], m = size[1], l = size[2], n = size[0] * replicas;
    int64_t count = 0;
    for (int r = 0; r < replicas; r++)
        count = by_hand(&wanted, count, x + r * lines * l, lines, m, l, is_three);
    cohort_value *in = is_three ? cohort_value_split(s, COHORT_ARRAY(x, n, m, l))
                                : cohort_value_split(s, COHORT_ARRAY(x, n * m, l)),
                 *sums = cohort_value_create(s), *firsts = cohort_value_create(s);
    bool is_good = good(cohort_run(s, is_three ? cubes : plates, in, sums, firsts,
                                   COHORT_NAMED(c, C)) == COHORT_OK) &&
                   has_rows(sums, firsts, &wanted, count);
    cohort_value_destroy(in);
    cohort_value_destroy(sums);
    cohort_value_destroy(firsts);
    return is_good;
}

static bool arrays(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int k = 0; k < 2 * SIZES && is_good; k++) {
        const int64_t *size = sizes[k / 2], n = size[0] * replicas * size[1] * size[2];
        if (n > MOST)
            continue;
        fill(n);
        is_good = adds_arrays(s, replicas, size, k % 2 == 1);
        if (!is_good)
            diag("%lld planes of %lld rows of %lld: %d", (long long)size[0], (long long)size[1],
                 (long long)size[2], k % 2 + 2);
    }
    return is_good;
}

static bool refuses(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 80, 10)),
                 *total = cohort_value_create(s);
    bool is_good = refused_for(s, "return", cohort_run(s, leaves, in, total)) &&
                   refused_for(s, "x", cohort_run(s, beyond, in, total)) &&
                   refused_for(s, "argument", cohort_run(s, beyond, in)) &&
                   good(cohort_value_kind_of(total) == COHORT_EMPTY_VALUE);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    return is_good;
}

static void test_check(const char *devices)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .check = "bodies" });
    fill(1000);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 10, 10, 10)),
                 *t = cohort_value_create(s);
    (void)cohort_run(s, beyond, in, t);
    ok(cohort_wait(s) == COHORT_EINVAL && says("behind its end") &&
           cohort_strategy_recover(s) == COHORT_OK,
       "on %s the check of bodies finds what is read behind an array", devices);
    cohort_value_destroy(in);
    cohort_value_destroy(t);
    cohort_strategy_destroy(s);
}

/* ---- Everywhere. */

static const core_claim claims[] = {
    { refuses, "what is wrong is refused in words, and nothing changed" },
    { sums, "sums of three indices have the bits of two" },
    { arrays, "arrays have the bits of blocks, rows and columns by hand" },
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
    }
    core_no_leak(warm);
    core_all_on_opencl(claims, CLAIMS, 3, 0);
    return tap_done();
}
