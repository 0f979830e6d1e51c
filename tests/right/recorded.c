/* SPDX-License-Identifier: BSD-3-Clause */
/* Recorded steps: the same as their calls made one by one, with short last batches. */
#include "config.h"

#include "tests/right/right.h"

COHORT_ITEMS(columns_of_batch, j, d,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *sum COHORT_SHAPE(d)),
             {
                 sum[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum[j] += x[i * d + j];
             });
COHORT_ITEMS(add_step, i, n,
             (int64_t n, int64_t step, int64_t rows, const int64_t g[n], int64_t w[n]),
             { w[i] += step * rows * g[i]; });
COHORT_ITEMS(residual, i, n,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float w[d],
              COHORT_OUT float *r COHORT_SHAPE(n, d)),
             {
                 float dot = -1;
                 for (int64_t j = 0; j < d; j++)
                     dot += w[j] * x[i * d + j];
                 for (int64_t j = 0; j < d; j++)
                     r[i * d + j] = dot * x[i * d + j];
             });
COHORT_ITEMS(go_down, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

typedef struct model {
    cohort_variable *w;
    cohort_value *each, *sum, *rate;
    cohort_metric *metric;
} model;

static cohort_status step_of_integers(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    cohort_run(s, columns_of_batch, batch[0], m->each);
    cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
    cohort_metric_update(m->metric, batch[0], NULL);
    return cohort_update(m->w, add_step, COHORT_STEP, COHORT_BATCH_ROWS, m->sum, m->w);
}

static cohort_status step_of_reals(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    cohort_run(s, residual, batch[0], m->w, m->each);
    cohort_reduce(COHORT_MEAN, m->each, 0, m->sum);
    return cohort_update(m->w, go_down, m->rate, m->sum, m->w);
}

static model made(cohort_strategy *s, cohort_array initial)
{
    return (model){ .w = cohort_variable_create(s, "w", initial, NULL),
                    .each = cohort_value_create(s),
                    .sum = cohort_value_create(s),
                    .rate = cohort_value_number(s, 0.25),
                    .metric = cohort_metric_create(s, "sum", "sum") };
}

/* Batches of 5, the last one of 3, so often. */
static cohort_input *input_of(cohort_strategy *s, cohort_array rows, int64_t times)
{
    return cohort_distribute_dataset(
        s, cohort_dataset_repeat(cohort_dataset_batch(cohort_dataset_slices(1, &rows), 5, false),
                                 times));
}

static void play(cohort_strategy *s, cohort_array rows, model *m, cohort_record_fn step)
{
    cohort_input *input = input_of(s, rows, 4);
    cohort_spec spec[1];
    const int n = cohort_input_element_spec(input, spec, 1);
    cohort_program *program = cohort_program_record(s, step, m, spec, n);
    cohort_program_run(program, input, 2);
    note_variable("two", m->w);
    cohort_value_set(m->rate, 0.125);
    cohort_program_run(program, input, 0);
    while (cohort_program_run(program, input, 4) == COHORT_OK)
        ;
    note_variable("all", m->w);
    note_integer("steps", cohort_program_steps(program));
    note_integer("described", cohort_program_describe(program)[0] != '\0');
    cohort_program_destroy(program);
    cohort_input_destroy(input);
}

static void recorded_integers(cohort_strategy *s)
{
    model m = made(s, COHORT_ARRAY(whole, COLUMNS));
    play(s, COHORT_ARRAY(whole, ROWS, COLUMNS), &m, step_of_integers);
    note_integer("metric", (int64_t)cohort_metric_result(m.metric));
}

static void recorded_reals(cohort_strategy *s)
{
    model m = made(s, COHORT_ARRAY(real, COLUMNS));
    play(s, COHORT_ARRAY(real, ROWS, COLUMNS), &m, step_of_reals);
}

const right_program right_programs[] = { RIGHT(recorded_integers),
                                         RIGHT(recorded_reals),
                                         { NULL, NULL } };
