/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/replay.h"

#include <stdlib.h>

enum { COMPONENTS = 2 };

/* A batch is divided as cohort_value_split divides the rows of an unrecorded step. */
static cohort_input *open_input(cohort_strategy *s, int64_t features, const replay_rows *rows)
{
    cohort_array arrays[COMPONENTS] = { COHORT_ARRAY(rows->x, rows->rows, features),
                                        COHORT_ARRAY(rows->y, rows->rows) };
    cohort_dataset *all = cohort_make_numpy_dataset(s, COMPONENTS, arrays, 0);
    return cohort_distribute_dataset(
        s,
        cohort_dataset_with_options(cohort_dataset_batch(all, rows->batch, false),
                                    &(cohort_dataset_options){ .split = COHORT_SPLIT_BALANCED }));
}

static cohort_value *open_rates(replay *r, cohort_strategy *s, int64_t batch, double rate)
{
    r->rates = malloc((size_t)(batch + 1) * sizeof *r->rates);
    if (r->rates == NULL) {
        (void)cohort_error_set(COHORT_ENOMEM, "out of memory for the learning rates");
        return NULL;
    }
    nn_rates(r->rates, batch, rate);
    return cohort_value_plain(s, COHORT_ARRAY(r->rates, batch + 1));
}

bool replay_open(replay *r, const struct nn *nn, const replay_rows *rows, double rate, double decay)
{
    cohort_strategy *s = nn->strategy;
    cohort_spec specs[COMPONENTS];
    *r = (replay){ .step = { .nn = *nn, .decay = decay } };
    r->step.rates = open_rates(r, s, rows->batch, rate);
    r->input = r->step.rates != NULL ? open_input(s, nn->inputs, rows) : NULL;
    if (r->input == NULL || cohort_input_element_spec(r->input, specs, COMPONENTS) != COMPONENTS)
        return false;
    r->program = cohort_program_record(s, nn_record_step, &r->step, specs, COMPONENTS);
    return r->program != NULL;
}

cohort_status replay_begin(replay *r)
{
    return cohort_input_initialize(r->input);
}

cohort_status replay_run(replay *r, int64_t *out_steps)
{
    int64_t before = cohort_program_steps(r->program);
    cohort_status status = cohort_program_run(r->program, r->input, 0);
    *out_steps = cohort_program_steps(r->program) - before;
    return status;
}

void replay_free(replay *r)
{
    free(r->rates);
}
