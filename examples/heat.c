/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil: heat spreads over a plate whose rim is kept at 0. Each replica has some rows of it,
 * and asks in every step for the rows beside them. The digest does not depend on how rows are
 * shared out.
 *
 * usage: heat [DEVICES] */
#include <cohort/cohort.h>

#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 100, COLUMNS = 120, STEPS = 200 };

/* Explicit Euler with the five-point stencil; edge has h rows above and h rows below. Which row is
 * meant is chosen among numbers, not places: so OpenCL on a CPU makes vector code of it, too. */
COHORT_ITEMS_2D(spread, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, float rate, const float *t COHORT_SHAPE(n, m),
                 const float *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT float *next COHORT_SHAPE(n, m)),
                {
                    float here = t[i * m + j];
                    float above = t[(i > 0 ? i - 1 : i) * m + j];
                    float below = t[(i < n - 1 ? i + 1 : i) * m + j];
                    float first = edge[(h - 1) * m + j];
                    float last = edge[h * m + j];
                    float up = i > 0 ? above : first;
                    float down = i < n - 1 ? below : last;
                    float left = j > 0 ? t[i * m + j - 1] : 0;
                    float right = j < m - 1 ? t[i * m + j + 1] : 0;
                    next[i * m + j] = here + rate * (up + down + left + right - 4 * here);
                });

/* A character for each 5 x 2 points, from cold to hot. */
static void print_picture(float plate[ROWS][COLUMNS])
{
    static const char shades[] = " ,:-=+*#%@";
    for (int i = 2; i < ROWS; i += 5) {
        for (int j = 1; j < COLUMNS; j += 2)
            putchar(shades[(int)(plate[i][j] / 100 * 9.99f)]);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    static float plate[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            plate[i][j] = i / 20 % 2 == j / 20 % 2 ? 100 : 0;

    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_value *now = cohort_value_split(s, COHORT_ARRAY(&plate[0][0], ROWS, COLUMNS)),
                 *next = cohort_value_create(s), *edge = cohort_value_create(s);
    for (int step = 0; step < STEPS; step++) {
        cohort_halo(now, 1, COHORT_EDGE_ZERO, edge); /* waits for nothing */
        cohort_run(s, spread, 0.2f, now, edge, next);
        cohort_value *before = now;
        now = next, next = before;
    }
    static float found[ROWS][COLUMNS];
    int is_good = cohort_value_read(now, COHORT_ARRAY(&found[0][0], ROWS, COLUMNS)) == COHORT_OK;
    if (is_good) {
        print_picture(found);
        printf("%.3f in the middle after %d steps on %d replicas\ndigest %016llx\n",
               (double)found[ROWS / 2][COLUMNS / 2], STEPS, cohort_strategy_num_replicas(s),
               (unsigned long long)digest_floats(&found[0][0], ROWS * COLUMNS));
    } else {
        fprintf(stderr, "heat: %s\n", cohort_error_text());
    }
    cohort_strategy_destroy(s);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
