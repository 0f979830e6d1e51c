/* SPDX-License-Identifier: BSD-3-Clause */
/* Items with sums in C++. */
#include <cohort/cohort.h>

#include "tests/tap.h"

COHORT_STRUCT(pixel, { uint8_t r, g; });

COHORT_ITEMS_SUMS(dot, i, n,
                  (int64_t n, const float *x COHORT_SHAPE(n), const float *y COHORT_SHAPE(n)),
                  ((COHORT_SUM, double, total), (COHORT_MAX, float, most, at)), {
                      total += (double)x[i] * (double)y[i];
                      if (at >= 0 && x[i] <= most)
                          continue;
                      most = x[i];
                      at = i;
                  });
COHORT_ITEMS_SUMS_OF_TYPES(red, i, n, (int64_t n, const pixel *x COHORT_SHAPE(n)),
                           COHORT_TYPES(pixel), ((COHORT_SUM, int64_t, total)),
                           { total += x[i].r; });
COHORT_ITEMS_SUMS_2D(plate, i, n, j, m, (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                     ((COHORT_SUM, double, total), (COHORT_MIN, float, least, at)), {
                         total += (double)x[i * m + j];
                         if (at >= 0 && x[i * m + j] >= least)
                             continue;
                         least = x[i * m + j];
                         at = i * m + j;
                     });
COHORT_ITEMS_ARRAY_SUMS(bins, i, n, (int64_t n, int64_t k, const int32_t *x COHORT_SHAPE(n)),
                        ((COHORT_SUM, int64_t, hits, k), (COHORT_MIN, int32_t, least, k, 2)), {
                            hits[x[i] % k]++;
                            least[x[i] % k * 2] = x[i];
                        });
COHORT_ITEMS_SUMS_3D(cube, i, n, j, m, k, l,
                     (int64_t n, int64_t m, int64_t l, const float *x COHORT_SHAPE(n, m, l)),
                     ((COHORT_SUM, double, total)),
                     { total += (double)x[(i * m + j) * l + k] * (double)i; });
COHORT_ITEMS_ARRAY_SUMS_3D(cubes, i, n, j, m, k, l,
                           (int64_t n, int64_t m, int64_t l, const float *x COHORT_SHAPE(n, m, l)),
                           ((COHORT_SUM, double, sums, 3)),
                           { sums[k] += (double)x[(i * m + j) * l + k] * (double)j; });

int main()
{
    float x[300], y[300];
    for (int i = 0; i < 300; i++)
        x[i] = float(i % 200), y[i] = 2;
    double total[4] = {};
    float most[3] = {};
    int64_t at[3] = {};
    dot_host(0, 3, 300, x, y, 300, total, most, at);
    ok(total[0] == 16256 && total[0] + total[1] + total[2] == 49700, "a body has sums");
    ok(most[1] == 199 && at[1] == 199 && at[0] == 127 && at[2] == 299, "and places");
    is_text(dot->item, "cohort_block", "the items of the descriptor are blocks");
    is_text(dot->count, "(n) / 128", "and their number");
    plate_host(0, 2, 2, 150, x, 2, 0, 150, total, most, at);
    ok(total[0] == 8128 && total[1] == 3047 && most[1] == 128 && at[1] == 128,
       "of two indices, by columns");
    plate_host(0, 3, 90, 3, x, 90, 0, 3, total, most, at);
    ok(total[0] + total[1] + total[2] == 22315 && at[1] == 96 && at[2] == 200, "and by rows");
    is_text(plate->count, "(n) / (128 / ((m) + 1)) * ((m) / 128)", "and their number");
    cube_host(0, 4, 10, 10, 3, x, 100, 10, 3, total);
    ok(total[0] + total[1] + total[2] + total[3] == 120075, "of three indices");
    double sums[3] = {};
    cubes_host(0, 1, 1, 10, 3, x, 10, 10, 3, 176, 3, sums);
    ok(sums[0] == 855 && sums[1] == 900 && sums[2] == 945, "and in arrays");
    pixel pixels[2] = { { 200, 1 }, { 201, 2 } };
    int64_t reds[1] = {};
    red_host(0, 1, 2, pixels, 2, reds);
    ok(reds[0] == 401, "items have structs");
    int32_t numbers[4] = { 7, 8, 9, 10 }, least[6] = {};
    int64_t hits[3] = {};
    bins_host(0, 1, 4, 3, numbers, 4, 272, 3, hits, 6, least);
    ok(hits[0] == 1 && hits[1] == 2 && hits[2] == 1, "sums may be arrays");
    ok(least[0] == 9 && least[1] == INT32_MAX && least[2] == 10,
       "which begin as the reduction says");
    bool all_parse = cohort_function_check(dot, nullptr) == COHORT_OK &&
                     cohort_function_check(red, nullptr) == COHORT_OK &&
                     cohort_function_check(plate, nullptr) == COHORT_OK &&
                     cohort_function_check(bins, nullptr) == COHORT_OK &&
                     cohort_function_check(cube, nullptr) == COHORT_OK &&
                     cohort_function_check(cubes, nullptr) == COHORT_OK;
    if (!ok(all_parse, "and all parse"))
        diag("%s", cohort_error_text());
    return tap_done();
}
