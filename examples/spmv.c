/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse matrix in compressed rows (CSR), times a vector: each replica has some of its rows. */
#include <cohort/cohort.h>

#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 5000, MOST = 7 };
static int32_t start[N + 1], column[N * MOST];
static float number[N * MOST], x[N];

COHORT_ITEMS(multiply, i, rows,
             (int64_t rows, int64_t m, int64_t n, const int32_t *start COHORT_SHAPE(rows + 1),
              const int32_t column[m], const float number[m], const float x[n],
              COHORT_OUT float y[rows]),
             {
                 float sum = 0;
                 for (int32_t k = start[i]; k < start[i + 1]; k++)
                     sum += number[k] * x[column[k]];
                 y[i] = sum;
             });

/* Row i has i % MOST entries, in columns all over the matrix. */
static int64_t make_matrix(void)
{
    int32_t m = 0;
    for (int i = 0; i < N; i++) {
        start[i] = m, x[i] = 1;
        for (int k = 0; k < i % MOST; k++, m++)
            column[m] = (i * 31 + k * 977) % N, number[m] = 1.0f / (float)(k + i % MOST);
    }
    return start[N] = m;
}

int main(int argc, char **argv)
{
    int64_t m = make_matrix();
    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_array offsets = COHORT_ARRAY(start, N + 1);
    cohort_value *v = cohort_value_plain(s, COHORT_ARRAY(x, N)), *y = cohort_value_create(s),
                 *rows = cohort_value_split_offsets(s, offsets, NULL),
                 *columns = cohort_value_split_entries(s, COHORT_ARRAY(column, m), offsets, NULL),
                 *numbers = cohort_value_split_entries(s, COHORT_ARRAY(number, m), offsets, NULL);
    for (int step = 0; step < 50; step++) {
        cohort_run(s, multiply, rows, columns, numbers, v, y, COHORT_NAMED(rows, COHORT_SHARE(N)));
        cohort_gather(y, 0, v);
    }
    int is_good = cohort_value_read(v, COHORT_ARRAY(x, N)) == COHORT_OK;
    if (is_good)
        printf("%lld entries on %d replicas\ndigest %016llx\n", (long long)m,
               cohort_strategy_num_replicas(s), (unsigned long long)digest_floats(x, N));
    else
        fprintf(stderr, "spmv: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
