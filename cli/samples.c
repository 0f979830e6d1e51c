/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/samples.h"

#include "examples/random.h"

#include <stdlib.h>

int64_t samples_training_rows(const samples *s)
{
    return s->rows * 4 / 5;
}

void samples_split(const samples *s, uint64_t *random, int32_t *order)
{
    for (int64_t i = 0; i < s->rows; i++)
        order[i] = (int32_t)i;
    random_shuffle(order, s->rows, random);
}

cohort_status samples_parts(const samples *s, const int32_t *order, cohort_dataset *parts[2])
{
    const cohort_split_options blocks = { .by = COHORT_SPLIT_BY_BLOCKS };
    cohort_dataset *rows = cohort_dataset_slices(1, &COHORT_ARRAY(order, s->rows));
    return cohort_dataset_split(rows, 2, (const double[]){ 0.8, 0.2 }, &blocks, parts);
}

void samples_free(samples *s)
{
    free(s->x);
    free(s->y);
    for (int64_t i = 0; i < s->classes && s->names != NULL; i++)
        free(s->names[i]);
    free(s->names);
    *s = (samples){ 0 };
}
