/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <string.h>

COHORT_ITEMS(table_one, i, n, (int64_t n, COHORT_OUT float y[n]), { y[i] = 1; });
COHORT_ITEMS(table_id, i, n, (int64_t n, int32_t id, COHORT_OUT int32_t y[n]), { y[i] = id; });
COHORT_ITEMS(table_mean, i, m, (int64_t n, int64_t m, const float x[n], COHORT_OUT float y[m]), {
    y[i] = 0;
    for (int64_t k = 0; k < n; k++)
        y[i] += x[k];
    y[i] /= (float)n;
});
COHORT_ITEMS(table_square, i, 1, (float x, COHORT_OUT float y[1]), { y[i] = x * x; });
COHORT_ITEMS(table_first, i, 1, (int32_t start, int32_t id, COHORT_OUT int32_t y[1]),
             { y[i] = start + id; });
COHORT_ITEMS(table_second, i, 1,
             (const int32_t x[1], COHORT_OUT int32_t a[1], COHORT_OUT int32_t b[1]), {
                 a[i] = 2 * x[i];
                 b[i] = x[i] * x[i];
             });
COHORT_ITEMS(table_third, i, 1, (const int32_t b[1], const int32_t a[1], COHORT_OUT int32_t y[1]),
             { y[i] = a[i] + 2 * b[i] + 2; });
COHORT_ITEMS(table_sum3, i, 1,
             (const int32_t a[1], int32_t b, const int32_t c[1], COHORT_OUT int32_t y[1]),
             { y[i] = a[i] + b + c[i]; });
COHORT_ITEMS(table_slope, i, 1, (float r, const float w[1], COHORT_OUT float g[1]),
             { g[i] = r * (w[i] - 1); });
COHORT_ITEMS(table_descend, i, 1, (float rate, const float g[1], float w[1]),
             { w[i] -= rate * g[i]; });
COHORT_ITEMS(table_add, i, n, (int64_t n, const float x[n], float v[n]), { v[i] += x[i]; });
COHORT_ITEMS(table_set, i, n, (int64_t n, float x, COHORT_OUT float v[n]), { v[i] = x; });
COHORT_ITEMS(table_times, i, n, (int64_t n, float x, const float v[n], COHORT_OUT float y[n]),
             { y[i] = x * v[i]; });
COHORT_ITEMS(table_next_float, i, 1, (const float v[1], COHORT_OUT float y[1]),
             { y[i] = v[i] + 1; });
COHORT_ITEMS(table_next_int, i, 1, (const int32_t v[1], COHORT_OUT int32_t y[1]),
             { y[i] = v[i] + 1; });
COHORT_ITEMS(table_square_rows, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i] * x[i]; });
COHORT_ITEMS(table_next_rows, i, n, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[n]),
             { y[i] = x[i] + 1; });
COHORT_ITEMS(table_same_number, i, 1, (const int64_t x[1], COHORT_OUT int64_t y[1]),
             { y[i] = x[i]; });
COHORT_ITEMS(table_add_rows, i, 1, (int64_t n, const int64_t x[n], COHORT_OUT float y[1]), {
    float sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += (float)x[k];
    y[i] = sum;
});

const cohort_function *function_find(const char *name)
{
    const cohort_function *const all[] = {
        table_one,         table_id,        table_mean,        table_square,     table_first,
        table_second,      table_third,     table_sum3,        table_slope,      table_descend,
        table_add,         table_set,       table_times,       table_next_float, table_next_int,
        table_square_rows, table_next_rows, table_same_number, table_add_rows,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name + strlen("table_"), name) == 0)
            return all[i];
    return NULL;
}
