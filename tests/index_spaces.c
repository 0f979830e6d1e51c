/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares, compressed rows and halos on OpenCL devices, alone and beside the host: what the tests of
 * each show on the host, where devices have memory of their own and kernels a range. */
#include "config.h"

#include "tests/core.h"

enum { ROWS = 41, COLUMNS = 5, MOST = 4 };

COHORT_ITEMS(grid, i, n *m,
             (int64_t n, int64_t m, int64_t first, int32_t by,
              COHORT_OUT int32_t *y COHORT_SHAPE(n, m)),
             { y[i] = (int32_t)(first * m + i) + by; });

COHORT_ITEMS(multiply, i, rows,
             (int64_t rows, int64_t m, int64_t n, const int32_t *start COHORT_SHAPE(rows + 1),
              const int32_t column[m], const int32_t number[m], const int32_t x[n],
              COHORT_OUT int32_t y[rows]),
             {
                 y[i] = 0;
                 for (int32_t k = start[i]; k < start[i + 1]; k++)
                     y[i] += number[k] * x[column[k]];
             });

COHORT_ITEMS(beside, k, n *m,
             (int64_t n, int64_t m, int64_t h, const int32_t *x COHORT_SHAPE(n, m),
              const int32_t *edge COHORT_SHAPE(2 * h, m), COHORT_OUT int32_t *y COHORT_SHAPE(n, m)),
             {
                 int64_t i = k / m;
                 y[k] = (i >= h ? x[k - h * m] : edge[k]) -
                        (i + h < n ? x[k + h * m] : edge[(h + i + h - n) * m + k % m]);
             });

/* Each replica adds the tenfold of its id to its part of a grid. */
static bool shares(cohort_strategy *s, int replicas)
{
    int32_t by[8], found[ROWS][COLUMNS];
    for (int r = 0; r < replicas; r++)
        by[r] = 10 * r;
    cohort_value *y = cohort_value_create(s);
    bool is_good = true;
    for (int rows = 1; rows <= ROWS && is_good; rows += 20) { /* 1 row leaves some without any */
        is_good =
            good(cohort_run(s, grid, COHORT_FIRST_ROW, COHORT_EACH (COHORT_ARRAY(by, replicas)), y,
                            COHORT_NAMED(n, COHORT_SHARE(rows)),
                            COHORT_NAMED(m, COLUMNS)) == COHORT_OK) &&
            good(cohort_value_read(y, COHORT_ARRAY(&found[0][0], rows, COLUMNS)) == COHORT_OK);
        int64_t first = 0;
        for (int r = 0; r < replicas && is_good; first += cohort_value_rows(y, r++))
            for (int64_t i = first; i < first + cohort_value_rows(y, r) && is_good; i++)
                for (int j = 0; j < COLUMNS && is_good; j++)
                    is_good = good(found[i][j] == i * COLUMNS + j + by[r]);
    }
    return is_good;
}

/* Rows 10 to 33 have no entry, which is all that some replicas have. */
static bool compressed(cohort_strategy *s, int replicas)
{
    int32_t offsets[ROWS + 1], columns[ROWS * MOST], numbers[ROWS * MOST], x[COLUMNS],
        m = 0, wanted[ROWS], found[ROWS];
    (void)replicas;
    for (int j = 0; j < COLUMNS; j++)
        x[j] = j + 1;
    for (int i = 0; i < ROWS; i++) {
        offsets[i] = m, wanted[i] = 0;
        for (int k = 0; k < 1 + i % MOST && (i < 10 || i >= 34); k++, m++) {
            columns[m] = (i + k) % COLUMNS, numbers[m] = i - k;
            wanted[i] += numbers[m] * x[columns[m]];
        }
    }
    offsets[ROWS] = m;
    cohort_array all = COHORT_ARRAY(offsets, ROWS + 1);
    cohort_value *start = cohort_value_split_offsets(s, all, NULL),
                 *column = cohort_value_split_entries(s, COHORT_ARRAY(columns, m), all, NULL),
                 *number = cohort_value_split_entries(s, COHORT_ARRAY(numbers, m), all, NULL),
                 *y = cohort_value_create(s);
    return good(cohort_run(s, multiply, start, column, number, COHORT_ARRAY(x, COLUMNS), y,
                           COHORT_NAMED(rows, COHORT_SHARE(ROWS))) == COHORT_OK) &&
           good(cohort_value_read(y, COHORT_ARRAY(found, ROWS)) == COHORT_OK) &&
           good(memcmp(found, wanted, sizeof found) == 0);
}

static bool halos(cohort_strategy *s, int replicas)
{
    int32_t found[ROWS][COLUMNS];
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s),
                 *edge = cohort_value_create(s);
    (void)replicas;
    bool is_good =
        good(cohort_run(s, grid, COHORT_FIRST_ROW, 0, x, COHORT_NAMED(n, COHORT_SHARE(ROWS)),
                        COHORT_NAMED(m, COLUMNS)) == COHORT_OK);
    for (int h = 1; h < 8 && is_good; h += 3)
        for (int e = 0; e < 2 && is_good; e++) {
            is_good =
                good(cohort_halo(x, h, e == 0 ? COHORT_EDGE_ZERO : COHORT_EDGE_PERIODIC, edge) ==
                     COHORT_OK) &&
                good(cohort_run(s, beside, x, edge, y) == COHORT_OK) &&
                good(cohort_value_read(y, COHORT_ARRAY(&found[0][0], ROWS, COLUMNS)) == COHORT_OK);
            for (int k = 0; k < ROWS * COLUMNS && is_good; k++) {
                int all = ROWS * COLUMNS, up = k - h * COLUMNS, down = k + h * COLUMNS;
                int above = e == 1 ? (up + all) % all : up < 0 ? 0 : up;
                int below = e == 1 ? down % all : down >= all ? 0 : down;
                is_good = good(found[k / COLUMNS][k % COLUMNS] == above - below);
            }
        }
    return is_good;
}

static bool everywhere(core_check_fn check)
{
    static const core_place places[] = { { "opencl:0", 1, NULL },
                                         { "opencl:0", 3, NULL },
                                         { "host,opencl:0", 2, NULL },
                                         { "opencl:0,host/2", 5, NULL } };
    bool is_good = true;
    for (size_t i = 0; i < sizeof places / sizeof *places && is_good; i++) {
        cohort_strategy *s = core_open(&places[i]);
        is_good = s != NULL && check(s, places[i].replicas);
        if (!is_good)
            diag("%d replicas on %s", (int)places[i].replicas, places[i].devices);
        cohort_strategy_destroy(s);
    }
    return is_good;
}

int main(void)
{
    cohort_strategy *gpu = cohort_mirrored("opencl:0");
    if (gpu == NULL)
        return skip_all("no OpenCL device");
    cohort_strategy_destroy(gpu);
    ok(everywhere(shares), "index spaces are shared out, with a number for each replica");
    ok(everywhere(compressed), "compressed rows, also those without entries");
    ok(everywhere(halos), "halos of one row and of more than a replica has");
    return tap_done();
}
