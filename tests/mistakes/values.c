/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with values. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 8 };
static float x[N] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[N], matrix[N][2];
static double doubles[N];

COHORT_FUNCTION(twice, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= 2;
}

COHORT_FUNCTION(fill, (int64_t n, COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = 1;
}

static cohort_status read_too_little(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, twice, xs);
    cohort_value_read(xs, COHORT_ARRAY(y, is_wrong ? N / 2 : N));
    return cohort_value_read(xs, COHORT_ARRAY(y, N));
}

static cohort_status read_as_double(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, twice, xs);
    cohort_value_read(xs, is_wrong ? COHORT_ARRAY(doubles, N) : COHORT_ARRAY(y, N));
    return cohort_wait(s);
}

static cohort_status read_empty(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *total = cohort_value_create(s);
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    if (!is_wrong)
        cohort_reduce(COHORT_SUM, xs, 0, total);
    cohort_value_read(total, COHORT_ARRAY(y, 1));
    return cohort_strategy_status(s);
}

static cohort_status scalar_of_vector(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *sum = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, xs, is_wrong ? COHORT_NO_AXIS : 0, sum);
    return mistaken_number(cohort_value_scalar(sum));
}

static cohort_status split_of_a_number(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_array all = COHORT_ARRAY(x, N);
    if (is_wrong)
        all.rank = 0;
    cohort_run(s, twice, cohort_value_split(s, all));
    return cohort_wait(s);
}

static cohort_status components_of_two_dtypes(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_per_replica(
        s, (cohort_array[]){ COHORT_ARRAY(x, N),
                             is_wrong ? COHORT_ARRAY(doubles, N) : COHORT_ARRAY(y, N) });
    cohort_run(s, twice, xs);
    return cohort_wait(s);
}

static cohort_status array_without_memory(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    float *none = NULL;
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(is_wrong ? none : x, N));
    cohort_run(s, twice, xs);
    return cohort_wait(s);
}

static cohort_status negative_extent(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, is_wrong ? -N : N));
    cohort_run(s, twice, xs);
    return cohort_value_read(xs, COHORT_ARRAY(y, N));
}

static cohort_status set_of_another_rank(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    for (int i = 0; i < 3; i++) {
        cohort_value_set(xs, is_wrong ? COHORT_ARRAY(&matrix[0][0], N, 2) : COHORT_ARRAY(y, N));
        cohort_run(s, twice, xs);
    }
    return cohort_wait(s);
}

static cohort_status set_of_an_output(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs =
        is_wrong ? cohort_value_create(s) : cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_value_set(xs, COHORT_ARRAY(x, N));
    return cohort_wait(s);
}

static cohort_status fail_at_one(int replica, int num_replicas, cohort_array *out, void *is_wrong)
{
    (void)num_replicas;
    *out = COHORT_ARRAY(x, N);
    return replica == 1 && *(bool *)is_wrong
               ? cohort_error_set(COHORT_ENOENT, "no photo of person %d", replica)
               : 0;
}

static cohort_status own_words_of_a_value(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_from_function(s, fail_at_one, &is_wrong);
    cohort_run(s, twice, xs);
    return cohort_wait(s);
}

static cohort_status fill_nothing_in(int replica, int num_replicas, cohort_array *out,
                                     void *is_wrong)
{
    (void)num_replicas;
    if (replica == 0 || !*(bool *)is_wrong)
        *out = COHORT_ARRAY(x, N);
    return COHORT_OK;
}

static cohort_status nothing_filled_in(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_from_function(s, fill_nothing_in, &is_wrong);
    cohort_run(s, twice, xs);
    return cohort_wait(s);
}

static cohort_status one_of_a_group_is_null(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_value *all = cohort_group(s, "both", (cohort_value *[]){ xs, is_wrong ? NULL : xs }, 2);
    cohort_value_wait(all, -1);
    return cohort_wait(s);
}

static cohort_status results_of_nothing(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *sum = cohort_value_create(s), *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_array out[2];
    if (!is_wrong)
        cohort_reduce(COHORT_SUM, xs, 0, sum);
    int count = cohort_local_results(sum, out, 2);
    for (int i = 0; i < count; i++)
        y[0] += *(float *)out[i].data;
    return cohort_wait(s);
}

static cohort_status shaped_of_an_unknown_dtype(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *out =
        cohort_value_shaped(s, is_wrong ? COHORT_VOID : COHORT_F32, 1, (const int64_t[]){ N });
    cohort_run(s, fill, out);
    return cohort_wait(s);
}

static cohort_status null_value(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    /* declared, and forgotten */
    cohort_value *xs = is_wrong ? NULL : cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, twice, xs);
    return cohort_wait(s);
}

const mistaken_program mistaken_values[] = {
    MISTAKE(read_too_little, "cohort_value_read: the value has 8 elements, the array 4"),
    MISTAKE(read_as_double, "cohort_value_read: the value is float32, the array float64"),
    MISTAKE(read_empty, "cohort_value_read: nothing has written the value"),
    MISTAKE(scalar_of_vector, "cohort_value_scalar: the value has 4 elements, the array 1"),
    MISTAKE(split_of_a_number,
            "cohort_value_split: an array of rank 0 has no rows to split; use cohort_value_plain"),
    MISTAKE(components_of_two_dtypes, "cohort_value_per_replica: component 1 is float64 of rank 1, "
                                      "component 0 is float32 of rank 1"),
    MISTAKE(array_without_memory, "cohort_value_split: the array's data is NULL"),
    MISTAKE(negative_extent,
            "because of an earlier error: cohort_value_split: extent -8 of axis 0 is negative"),
    MISTAKE(set_of_another_rank,
            "cohort_value_set: the value is float32 of rank 1, the array float32 of rank 2"),
    MISTAKE(
        set_of_an_output,
        "cohort_value_set: only values made by cohort_value_number, _plain and _split can be set"),
    MISTAKE(own_words_of_a_value,
            "cohort_value_from_function: the function, for replica 1: no photo of person 1"),
    MISTAKE(nothing_filled_in,
            "cohort_value_from_function: the function, for replica 1: its array: "
            "dtype 0 of the array is none"),
    MISTAKE(one_of_a_group_is_null, "cohort_group: a value is NULL"),
    MISTAKE(results_of_nothing, "cohort_local_results: nothing has written the value"),
    MISTAKE(shaped_of_an_unknown_dtype, "cohort_value_shaped: dtype 0 of the array is none"),
    MISTAKE(null_value, "twice: x is NULL"),
    { NULL, NULL, NULL },
};
