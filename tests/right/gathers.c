/* SPDX-License-Identifier: BSD-3-Clause */
/* What brings rows together, or beside others, and lends them. */
#include "config.h"

#include "tests/right/right.h"

static void gather(cohort_strategy *s)
{
    cohort_value *into = cohort_value_create(s);
    cohort_gather(uneven_rows(s), 0, into);
    note_value("uneven", into);
    cohort_gather(cohort_value_split(s, COHORT_ARRAY(real, CELLS)), -1, into);
    note_value("reals", into);
    cohort_gather(COHORT_ARRAY(whole, ROWS, COLUMNS), 0, into);
    note_value("an array", into);
}

COHORT_ITEMS_2D(smooth, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, const int64_t *x COHORT_SHAPE(n, m),
                 const int64_t *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT int64_t *y COHORT_SHAPE(n, m)),
                {
                    int64_t k = i * m + j;
                    int64_t up = i >= h ? x[k - h * m] : edge[k];
                    int64_t down = i + h < n ? x[k + h * m] : edge[k + (2 * h - n) * m];
                    y[k] = 3 * up - 5 * down + x[k];
                });

static void halo(cohort_strategy *s)
{
    static const char *const names[2][2] = { { "zero", "zero, uneven" },
                                             { "periodic", "periodic, uneven" } };
    cohort_value *edge = cohort_value_create(s), *y = cohort_value_create(s);
    for (int is_periodic = 0; is_periodic < 2; is_periodic++)
        for (int is_uneven = 0; is_uneven < 2; is_uneven++) {
            cohort_value *x = is_uneven ? uneven_rows(s) : whole_rows(s);
            for (int rows = 1; rows <= 3; rows += 2) {
                cohort_halo(x, rows, is_periodic ? COHORT_EDGE_PERIODIC : COHORT_EDGE_ZERO, edge);
                cohort_run(s, smooth, x, edge, y);
                note_value(names[is_periodic][is_uneven], y);
            }
        }
}

/* Integers, which have no order, and reals. */
static void prefix(cohort_strategy *s)
{
    const cohort_prefix_options before = { .exclusive = true };
    cohort_value *into = cohort_value_create(s);
    cohort_prefix(COHORT_SUM, uneven_rows(s), 0, NULL, into);
    note_value("sums", into);
    cohort_prefix(COHORT_MAX, whole_rows(s), 0, &before, into);
    note_value("the most before", into);
    cohort_prefix(COHORT_MIN, cohort_value_split(s, COHORT_ARRAY(real, CELLS)), -1, NULL, into);
    note_value("reals", into);
    cohort_prefix(COHORT_SUM, COHORT_ARRAY(whole, ROWS, COLUMNS), 1, NULL, into);
    note_value("an array", into);
}

static int64_t sum_of(const cohort_array list[], int n)
{
    int64_t sum = 0;
    for (int r = 0; r < n; r++)
        for (int64_t i = 0; i < cohort_array_items(&list[r]); i++)
            sum += ((const int64_t *)list[r].data)[i];
    return sum;
}

/* A process is lent what it holds: as much as is the sum of its rows. */
static void local_results(cohort_strategy *s)
{
    cohort_array lent[MAX_REPLICAS];
    cohort_value *rows = uneven_rows(s);
    const int own = cohort_strategy_local_replicas(s, NULL);
    int n = cohort_local_results(rows, lent, MAX_REPLICAS);
    const int64_t found = n == own ? sum_of(lent, n) : INT64_MIN;
    note_added(s, "sum", found);
    n = cohort_unwrap(COHORT_ARRAY(whole, CELLS), lent, MAX_REPLICAS);
    note_integer("arrays", n);
    note_array("array", &lent[0]);
    const cohort_argument both[] = { COHORT_ARG_(rows), COHORT_ARG_(rows) };
    cohort_array two[2 * MAX_REPLICAS];
    n = cohort_local_results_list(s, both, 2, two, 2 * MAX_REPLICAS);
    note_integer("twice", n == own ? sum_of(two, 2 * n) - 2 * found : INT64_MIN);
}

const right_program right_gathers[] = {
    RIGHT(gather), RIGHT(halo), RIGHT(prefix), RIGHT(local_results), { NULL, NULL }
};
