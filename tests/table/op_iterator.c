/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that step over an input: experimental_run, experimental_run_steps_on_iterator; arrays
 * as datasets. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

COHORT_ITEMS(table_same_number, i, 1, (const int64_t x[1], COHORT_OUT int64_t y[1]),
             { y[i] = x[i]; });
COHORT_ITEMS(table_plus_one, i, n, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[n]),
             { y[i] = x[i] + 1; });
COHORT_ITEMS(table_add_rows, i, 1, (int64_t n, const int64_t x[n], COHORT_OUT float y[1]), {
    float sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += (float)x[k];
    y[i] = sum;
});

/* ---- experimental_run until the end, twice. */

/* is_number: what f gives is one number, which stands for itself in the table. */
static json_t *run_round(table_case *c, cohort_input *input, const cohort_function *f,
                         bool is_number)
{
    cohort_value *y = cohort_value_create(c->s);
    json_t *steps = json_array();
    cohort_status status;
    while ((status = cohort_run_next(c->s, f, input, y)) == COHORT_OK) {
        cohort_array arrays[TABLE_MAX_REPLICAS];
        json_t *values = json_array();
        if (cohort_local_results(y, arrays, TABLE_MAX_REPLICAS) != c->replicas)
            break;
        for (int r = 0; r < c->replicas; r++) {
            arrays[r].rank = is_number ? 0 : arrays[r].rank;
            json_array_append_new(values, table_numbers(&arrays[r]));
        }
        json_array_append_new(steps, values);
    }
    json_array_append_new(steps, json_string(status == COHORT_END ? "END" : cohort_error_text()));
    return steps;
}

static json_t *run_twice(table_case *c, cohort_input *input, const cohort_function *f,
                         bool is_number)
{
    json_t *rounds = json_array();
    for (int i = 0; i < 2; i++) {
        if (input == NULL || cohort_input_initialize(input) != COHORT_OK)
            return json_decref(rounds), table_failed(c);
        json_array_append_new(rounds, run_round(c, input, f, is_number));
    }
    return json_pack("{s:o}", "rounds", rounds);
}

static cohort_dataset *numbers(const cohort_input_context *context, void *user)
{
    (void)context;
    return table_dataset(user, "range(n)");
}

static json_t *run_numbers(table_case *c)
{
    cohort_input *input = cohort_make_input_fn_iterator(c->s, numbers, COHORT_PER_WORKER, c);
    return run_twice(c, input, table_same_number, true);
}

static json_t *run_batches(table_case *c)
{
    cohort_input *input = cohort_make_dataset_iterator(c->s, table_dataset(c, "range(n).batch(G)"));
    return run_twice(c, input, table_plus_one, false);
}

/* ---- Some steps in one go: what the last one gave. The sum of a replica's rows, over the
 * replicas. */

static json_t *run_steps(table_case *c)
{
    double iterations = 0;
    cohort_value *y = cohort_value_create(c->s), *sum = cohort_value_create(c->s),
                 *mean = cohort_value_create(c->s);
    char chain[64];
    (void)snprintf(chain, sizeof chain, "range(%d).batch(%d)", 20 * c->replicas, 2 * c->replicas);
    cohort_input *input = cohort_make_dataset_iterator(c->s, table_dataset(c, chain));
    if (!table_number(c, "iterations", &iterations))
        return NULL;
    if (input == NULL || cohort_input_initialize(input) != COHORT_OK)
        return table_failed(c);
    for (int i = 0; i < (int)iterations; i++)
        if (cohort_run_next(c->s, table_add_rows, input, y) != COHORT_OK)
            return table_failed(c);
    if (cohort_reduce(COHORT_SUM, y, COHORT_NO_AXIS, sum) != COHORT_OK ||
        cohort_reduce(COHORT_MEAN, y, COHORT_NO_AXIS, mean) != COHORT_OK)
        return table_failed(c);
    /* What is no tensor a program keeps for itself. */
    (void)snprintf(chain, sizeof chain, "(%d,)", cohort_strategy_num_replicas(c->s));
    return json_pack("{s:[f], s:[f], s:{s:s}}", "sum", cohort_value_scalar(sum), "mean",
                     cohort_value_scalar(mean), "non_tensor", "nt", chain);
}

/* ---- Arrays, twice, whole: the components of a step brought together again. */

static json_t *gathered(table_case *c, table_stepper *it)
{
    json_t *parts = json_array();
    cohort_value *all = cohort_value_create(c->s);
    for (int k = 0; k < it->n; k++) {
        cohort_array array;
        if (cohort_gather(it->values[k], 0, all) != COHORT_OK ||
            cohort_local_results(all, &array, 1) != 1)
            return json_decref(parts), table_failed(c);
        json_array_append_new(parts, table_numbers(&array));
    }
    return parts;
}

static json_t *iterate_arrays(table_case *c)
{
    static float x[] = { 1, 2, 6, 12, 2, 4, 5, 10, 3, 6, 4, 8 }, y[] = { 5, 4, 3, 2, 1, 0 };
    cohort_dataset *d = cohort_make_numpy_dataset(
        c->s, 2, (cohort_array[]){ COHORT_ARRAY(x, 6, 2), COHORT_ARRAY(y, 6) }, COHORT_NUMPY_COPY);
    table_stepper it = { .is_structure = true };
    json_t *steps = json_array(), *parts;
    d = cohort_dataset_batch(cohort_dataset_repeat(d, 2), 6, false);
    if (!table_stepper_open(c, &it, c->s, cohort_distribute_dataset(c->s, d)))
        return json_decref(steps), NULL;
    cohort_status status = COHORT_OK;
    while ((status = cohort_input_next(it.input, it.values)) == COHORT_OK &&
           (parts = gathered(c, &it)) != NULL)
        json_array_append_new(steps, parts);
    if (status != COHORT_END)
        return json_decref(steps), table_failed(c);
    json_array_append_new(steps, json_string("END"));
    return json_pack("{s:o}", "steps", steps);
}

const table_operation table_iterator_operations[] = {
    { "make_input_fn_iterator(range(10)); experimental_run(identity); initialize again",
      run_numbers },
    { "make_dataset_iterator(range(3*R).batch(R)); experimental_run(x+1); initialize again",
      run_batches },
    { "experimental_run_steps_on_iterator with initial_loop_values {sum: 0}", run_steps },
    { "experimental_run_steps_on_iterator, outputs set in the replicas: sum, mean of sum(x); "
      "range(20R).batch(2R)",
      run_steps },
    { "numpy dataset of 6 rows, repeat 2, batch 6: concatenation of each step", iterate_arrays },
    { NULL, NULL },
};
