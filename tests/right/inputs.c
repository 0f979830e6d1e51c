/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: what each step hands to the replicas, with short last batches. */
#include "config.h"

#include "tests/right/right.h"

#include <stdio.h>

COHORT_ITEMS(sum_batch, j, d,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *sum COHORT_SHAPE(d)),
             {
                 sum[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum[j] += x[i * d + j];
             });
COHORT_ITEMS(add_scaled, i, n, (int64_t n, int64_t rows, const int64_t g[n], int64_t w[n]),
             { w[i] += rows * g[i]; });

/* Rows and their numbers, 13 in batches of so many: of 5 the last has 3. */
static cohort_dataset *batches(int64_t rows)
{
    const cohort_array arrays[] = { COHORT_ARRAY(whole, ROWS, COLUMNS), COHORT_ARRAY(ids, ROWS) };
    return cohort_dataset_batch(cohort_dataset_slices(2, arrays), rows, false);
}

static cohort_value *empty(cohort_strategy *s)
{
    return cohort_value_create(s);
}

static void steps_of_rows(cohort_strategy *s)
{
    cohort_input *input = cohort_distribute_dataset(s, batches(5));
    cohort_value *batch[] = { empty(s), empty(s) };
    int first = 0, wrong = 0;
    note_integer("steps per epoch", cohort_input_cardinality(input));
    const int own = cohort_strategy_local_replicas(s, &first);
    while (cohort_input_next(input, batch) == COHORT_OK) {
        note_integer("rows", cohort_input_rows(input));
        note_value("content", batch[0]);
        for (int r = first; r < first + own; r++)
            wrong += cohort_input_replica_rows(input, r) != cohort_value_rows(batch[0], r);
    }
    int64_t steps = 0;
    cohort_input_waits(input, NULL, NULL, &steps);
    note_integer("wrong", wrong);
    note_integer("steps", steps);
    note_integer("described", cohort_input_describe(input)[0] != '\0');
    cohort_input_initialize(input);
    note_integer("again", note_steps(s, "content", input, 2));
    cohort_input_destroy(input);
}

static void divided(cohort_strategy *s)
{
    static const double weights[MAX_REPLICAS] = { 1, 0, 2, 0.5, 3 };
    static const cohort_split splits[] = { COHORT_SPLIT_FILL, COHORT_SPLIT_BALANCED,
                                           COHORT_SPLIT_CEIL };
    for (int i = 0; i < 3; i++)
        for (int is_weighted = 0; is_weighted < (i < 2 ? 2 : 1); is_weighted++) {
            const cohort_dataset_options options = {
                .split = splits[i],
                .weights = is_weighted ? weights : NULL,
                .n_weights = is_weighted ? cohort_strategy_num_replicas(s) : 0
            };
            note_dataset(s, "rows", cohort_dataset_with_options(batches(6), &options));
        }
}

static void ahead(cohort_strategy *s)
{
    for (int n = -1; n < 4; n += 2) {
        cohort_input *input =
            cohort_distribute_dataset_with(s, batches(4), &(cohort_input_options){ .ahead = n });
        note_integer("steps", note_steps(s, "content", input, INT64_MAX));
        cohort_input_destroy(input);
    }
}

/* The numbers of this pipeline, one an element; each replica takes the next one. */
static cohort_dataset *own_numbers(const cohort_input_context *context, void *user)
{
    (void)user;
    return cohort_dataset_batch(cohort_dataset_shard(cohort_dataset_range(0, 60, 1),
                                                     context->num_input_pipelines,
                                                     context->input_pipeline_id),
                                1, false);
}

COHORT_ITEMS(gather_numbers, i, n, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[n]),
             { y[i] = x[i] * x[i]; });

static void note_numbers(cohort_strategy *s, const char *label, cohort_input *input)
{
    cohort_variable *sum =
        cohort_variable_create(s, label, (cohort_array){ .dtype = COHORT_I64 }, NULL);
    cohort_value *x = empty(s), *y = empty(s), *total = empty(s);
    while (cohort_input_next(input, &x) == COHORT_OK) {
        cohort_run(s, gather_numbers, x, y);
        cohort_reduce(COHORT_SUM, y, 0, total);
        cohort_variable_assign_add(sum, total);
    }
    note_variable(label, sum);
    cohort_input_destroy(input);
}

static void from_functions(cohort_strategy *s)
{
    note_numbers(s, "per worker", cohort_distribute_datasets_from_function(s, own_numbers, NULL));
    const cohort_input_options options = { .replication_mode = COHORT_PER_REPLICA };
    note_numbers(s, "per replica",
                 cohort_distribute_datasets_from_function_with(s, own_numbers, NULL, &options));
    cohort_input *input = cohort_make_input_fn_iterator(s, own_numbers, COHORT_PER_REPLICA, NULL);
    cohort_input_initialize(input);
    note_numbers(s, "first version", input);
    const cohort_input_context context = { 1, 0, 4 };
    note_integer("share", cohort_input_context_batch_size(&context, 12));
}

static void first_version(cohort_strategy *s)
{
    cohort_input *input = cohort_make_dataset_iterator(s, batches(5));
    cohort_input_initialize(input);
    note_integer("steps", note_steps(s, "content", input, INT64_MAX));
    cohort_input_destroy(input);
    const cohort_array stack[] = { COHORT_ARRAY(whole, COLUMNS), COHORT_ARRAY(whole + 9, COLUMNS) };
    cohort_dataset *rows =
        cohort_make_numpy_dataset(s, 2, stack, COHORT_NUMPY_COPY | COHORT_NUMPY_STACK);
    note_dataset(s, "stacked", cohort_dataset_batch(rows, 2, false));
}

static void optional(cohort_strategy *s)
{
    cohort_input *input = cohort_distribute_dataset(s, batches(5));
    cohort_value *batch[] = { empty(s), empty(s) };
    int64_t steps = 0;
    bool has_value = true;
    for (; cohort_input_next_as_optional(input, batch, &has_value) == COHORT_OK && has_value;
         steps++)
        note_value("content", batch[0]);
    note_integer("steps", steps);
}

/* Batches of one component. */
static cohort_dataset *rows_alone(int64_t rows)
{
    const cohort_array array = COHORT_ARRAY(whole, ROWS, COLUMNS);
    return cohort_dataset_batch(cohort_dataset_slices(1, &array), rows, false);
}

static void run_next(cohort_strategy *s)
{
    cohort_input *train = cohort_distribute_dataset(s, rows_alone(5));
    cohort_value *each = empty(s), *sum = empty(s);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(whole, COLUMNS), NULL);
    while (cohort_run_next(s, sum_batch, train, each) == COHORT_OK) {
        cohort_reduce(COHORT_SUM, each, COHORT_NO_AXIS, sum);
        cohort_update(w, add_scaled, COHORT_BATCH_ROWS, sum, w);
    }
    note_variable("w", w);
}

static void two_inputs(cohort_strategy *s)
{
    cohort_input *train = cohort_distribute_dataset(s, rows_alone(5)),
                 *test = cohort_distribute_dataset(s, rows_alone(4));
    cohort_value *x = empty(s), *y = empty(s), *each = empty(s), *sum = empty(s);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(whole, COLUMNS), NULL);
    while (cohort_input_next(train, &x) == COHORT_OK && cohort_input_next(test, &y) == COHORT_OK) {
        cohort_run(s, sum_batch, x, each);
        cohort_reduce(COHORT_SUM, each, COHORT_NO_AXIS, sum);
        cohort_update(w, add_scaled, COHORT_BATCH_ROWS_OF(train), sum, w);
        cohort_run(s, sum_batch, y, each);
        cohort_reduce(COHORT_SUM, each, COHORT_NO_AXIS, sum);
        cohort_update(w, add_scaled, COHORT_BATCH_ROWS_OF(test), sum, w);
    }
    note_variable("w", w);
}

static void position(cohort_strategy *s)
{
    const char *file = own_file("position");
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_shuffle(cohort_dataset_range(0, 23, 1), 23, 5), 4,
                                false));
    note_integer("before", note_steps(s, "content", input, 2));
    cohort_input_save(input, file);
    note_integer("behind", note_steps(s, "content", input, 3));
    cohort_input_restore(input, file);
    note_integer("restored", note_steps(s, "content", input, INT64_MAX));
    (void)remove(file);
}

const right_program right_inputs[] = { RIGHT(steps_of_rows),  RIGHT(divided),       RIGHT(ahead),
                                       RIGHT(from_functions), RIGHT(first_version), RIGHT(optional),
                                       RIGHT(run_next),       RIGHT(two_inputs),    RIGHT(position),
                                       { NULL, NULL } };
