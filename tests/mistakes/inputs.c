/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with inputs. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 8 };
static float x[N][2], y[N];
static int32_t labels[N];

COHORT_FUNCTION(loss,
                (int64_t n, const float x[n][2], const float y[n], float w,
                 COHORT_OUT float loss[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        loss[i] = (x[i][0] * w - y[i]) * (x[i][1] * w - y[i]);
}

static cohort_dataset *samples(void)
{
    return cohort_dataset_slices(
        2, (cohort_array[]){ COHORT_ARRAY(&x[0][0], N, 2), COHORT_ARRAY(y, N) });
}

static cohort_input *input_of(cohort_dataset *dataset)
{
    return cohort_distribute_dataset(s, cohort_dataset_batch(dataset, 4, false));
}

static cohort_status train(cohort_input *input)
{
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) },
                 *losses = cohort_value_create(s);
    while (cohort_input_next(input, batch) == COHORT_OK)
        cohort_run(s, loss, batch[0], batch[1], 0.5f, losses);
    return cohort_wait(s);
}

static cohort_status integers_for_floats(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_array arrays[] = { COHORT_ARRAY(&x[0][0], N, 2),
                              is_wrong ? COHORT_ARRAY(labels, N) : COHORT_ARRAY(y, N) };
    return train(input_of(cohort_dataset_slices(2, arrays)));
}

static cohort_status run_next_with_too_few(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_value *losses = cohort_value_create(s);
    for (int step = 0; step < 2; step++)
        if (is_wrong)
            cohort_run_next(s, loss, input, losses);
        else
            cohort_run_next(s, loss, input, 0.5f, losses);
    return cohort_wait(s);
}

static cohort_status null_among_components(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_value *batch[] = { cohort_value_create(s), is_wrong ? NULL : cohort_value_create(s) };
    while (cohort_input_next(input, batch) == COHORT_OK)
        ;
    return cohort_wait(s);
}

static cohort_status components_of_another_strategy(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(is_wrong ? other : s) };
    while (cohort_input_next(input, batch) == COHORT_OK)
        ;
    return cohort_wait(s);
}

static cohort_status forgotten_initialize(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input =
        cohort_make_dataset_iterator(s, cohort_dataset_batch(samples(), 4, false));
    if (!is_wrong)
        cohort_input_initialize(input);
    return train(input);
}

static cohort_status null_input(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = is_wrong ? NULL : input_of(samples()); /* declared, and forgotten */
    return train(input);
}

static cohort_dataset *make(const cohort_input_context *context, void *rows)
{
    return cohort_dataset_batch(samples(),
                                cohort_input_context_batch_size(context, *(int64_t *)rows), false);
}

static cohort_status batch_with_a_rest(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    int64_t rows = is_wrong ? 5 : 4;
    return train(cohort_distribute_datasets_from_function(s, make, &rows));
}

static cohort_dataset *make_nothing(const cohort_input_context *context, void *is_wrong)
{
    (void)context;
    return *(bool *)is_wrong ? NULL : cohort_dataset_batch(samples(), 4, false);
}

static cohort_status function_that_makes_nothing(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    return train(cohort_distribute_datasets_from_function(s, make_nothing, &is_wrong));
}

static cohort_dataset *make_a_fuss(const cohort_input_context *context, void *is_wrong)
{
    if (!*(bool *)is_wrong)
        return cohort_dataset_batch(samples(), 4, false);
    (void)cohort_error_set(COHORT_ENOENT, "the tape of pipeline %d is not wound",
                           (int)context->input_pipeline_id);
    return NULL;
}

static cohort_status own_words_of_a_function(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input =
        cohort_make_input_fn_iterator(s, make_a_fuss, COHORT_PER_WORKER, &is_wrong);
    cohort_input_initialize(input);
    return train(input);
}

static cohort_status save_into_a_missing_folder(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) };
    while (cohort_input_next(input, batch) == COHORT_OK)
        cohort_input_save(input, is_wrong ? "no-such-folder/position" : "position");
    return cohort_wait(s);
}

static cohort_status position_of_another_dataset(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_input *longer = input_of(cohort_dataset_repeat(samples(), 2));
    cohort_input_save(input, "another-position");
    cohort_input_restore(is_wrong ? longer : input, "another-position");
    return train(longer);
}

static cohort_status position_that_is_none(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_input_save(input, "no-position");
    if (is_wrong)
        (void)mistaken_text("no-position", "epoch 7\n");
    cohort_input_restore(input, "no-position");
    return train(input);
}

static cohort_status position_that_is_not_there(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_input_save(input, "there");
    cohort_input_restore(input, is_wrong ? "not-there" : "there");
    return train(input);
}

static cohort_status reserved_not_zero(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input_options options = { .reserved = { is_wrong ? s : NULL } };
    return train(
        cohort_distribute_dataset_with(s, cohort_dataset_batch(samples(), 4, false), &options));
}

static cohort_status pipeline_that_is_none(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input_options options = { .pipeline = { 2, is_wrong ? 2 : 1, 4 } };
    return train(
        cohort_distribute_dataset_with(s, cohort_dataset_batch(samples(), 4, false), &options));
}

static cohort_status input_of_no_strategy(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input =
        cohort_distribute_dataset(is_wrong ? NULL : s, cohort_dataset_batch(samples(), 4, false));
    return train(input);
}

static cohort_status numpy_of_unequal_rows(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_array arrays[] = { COHORT_ARRAY(&x[0][0], N, 2), COHORT_ARRAY(y, is_wrong ? N - 2 : N) };
    return train(input_of(cohort_make_numpy_dataset(s, 2, arrays, COHORT_NUMPY_COPY)));
}

static cohort_value *both[2];

static cohort_status next_in_a_step(cohort_replica *me, void *input)
{
    (void)me;
    cohort_input_next(input, both);
    return COHORT_OK;
}

static cohort_status only_a_barrier(cohort_replica *me, void *input)
{
    (void)input;
    return cohort_barrier(me);
}

static cohort_status input_in_a_step(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_input *input = input_of(samples());
    cohort_step_fn step = is_wrong ? next_in_a_step : only_a_barrier;
    both[0] = cohort_value_create(s), both[1] = cohort_value_create(s);
    cohort_for_each_replica(s, step, input);
    return cohort_wait(s);
}

const mistaken_program mistaken_inputs[] = {
    MISTAKE(integers_for_floats, "loss: argument 'y' expects float32, got int32"),
    MISTAKE(run_next_with_too_few,
            "loss: takes x, y, w, loss (from (int64_t n, const float x[n][2], "
            "const float y[n], float w,"),
    MISTAKE(null_among_components,
            "cohort_input_next: value 1 of 2 is NULL: an earlier call failed, "
            "or the list is too short"),
    MISTAKE(components_of_another_strategy,
            "cohort_input_next: value 1 belongs to another strategy than the input"),
    MISTAKE(forgotten_initialize, "cohort_input_next: the input is not initialized: call "
                                  "cohort_input_initialize before the first step"),
    MISTAKE(null_input, "cohort_input_next: the input is NULL"),
    MISTAKE(batch_with_a_rest,
            "cohort_distribute_datasets_from_function: the dataset function, for "
            "input pipeline 0 of 1:|-1 rows"),
    MISTAKE(function_that_makes_nothing, "cohort_distribute_datasets_from_function: the dataset "
                                         "function, for input pipeline 0 of 1: it returned NULL"),
    MISTAKE(own_words_of_a_function,
            "cohort_make_input_fn_iterator: the dataset function, for input "
            "pipeline 0 of 1: the tape of pipeline 0"),
    MISTAKE(save_into_a_missing_folder,
            "cohort_input_save: no-such-folder/position: No such file or directory"),
    MISTAKE(position_of_another_dataset,
            "cohort_input_restore: another-position: the position is one "
            "of another dataset (other sources,"),
    MISTAKE(position_that_is_none,
            "cohort_input_restore: no-position: line 1 is not what cohort_input_save writes: the "
            "file is no position, or damaged"),
    MISTAKE(position_that_is_not_there,
            "cohort_input_restore: not-there: No such file or directory"),
    MISTAKE(reserved_not_zero,
            "cohort_distribute_dataset_with: reserved word 0 of the options is not zero"),
    MISTAKE(pipeline_that_is_none,
            "cohort_distribute_dataset_with: input pipeline 2 of 2; 0 to the "
            "number less one are possible"),
    MISTAKE(input_of_no_strategy,
            "because of an earlier error: cohort_distribute_dataset: the strategy is NULL"),
    MISTAKE(
        numpy_of_unequal_rows,
        "cohort_make_numpy_dataset: array 1 has 6 rows, array 0 has 8; they stand side by side"),
    MISTAKE(input_in_a_step,
            "step function step|: cohort_input_next: called inside a step function"),
    { NULL, NULL, NULL },
};
