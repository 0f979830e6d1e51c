/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in combining and bringing together. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 8 };
static float x[N] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[2 * N];
static bool truths[N];
static int32_t ids[4] = { 0, 1, 2, 3 };

COHORT_FUNCTION(longer, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = fmaxf(inout[i], in[i]);
}

COHORT_FUNCTION(swapped, (int64_t n, float inout[n], const float in[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = fmaxf(inout[i], in[i]);
}

/* Components of three and five rows, or of four each. */
static cohort_value *components(bool is_ragged)
{
    return cohort_value_per_replica(s, (cohort_array[]){ COHORT_ARRAY(x, is_ragged ? 3 : 4),
                                                         COHORT_ARRAY(x, is_ragged ? 5 : 4) });
}

static cohort_status into_null(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *sum = is_wrong ? NULL : cohort_value_create(s);
    cohort_reduce(COHORT_SUM, xs, 0, sum);
    return cohort_wait(s);
}

static cohort_status into_itself(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *sum = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, xs, COHORT_NO_AXIS, is_wrong ? xs : sum);
    return cohort_wait(s);
}

static cohort_status unknown_operation(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *mean = cohort_value_create(s);
    cohort_reduce(cohort_reduce_op_parse(is_wrong ? "average" : "mean"), xs, 0, mean);
    return mistaken_number(cohort_value_scalar(mean));
}

static cohort_status axis_that_is_not_there(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *sum = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, xs, is_wrong ? 1 : 0, sum);
    return cohort_wait(s);
}

static cohort_status sum_of_truths(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(truths, N)),
                 *any = cohort_value_create(s);
    cohort_reduce(is_wrong ? COHORT_SUM : COHORT_MAX, xs, 0, any);
    return mistaken_number(cohort_value_scalar(any));
}

static cohort_status unequal_components(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *sum = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, components(is_wrong), COHORT_NO_AXIS, sum);
    return cohort_value_read(sum, COHORT_ARRAY(y, 4));
}

static cohort_status list_with_null(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_value *into[] = { cohort_value_create(s), cohort_value_create(s) };
    cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ xs, is_wrong ? NULL : ys }, 2, 0, into);
    return cohort_wait(s);
}

static cohort_status list_into_one(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_value *sum = cohort_value_create(s), *next = cohort_value_create(s);
    cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ xs, ys }, 2, 0,
                       (cohort_value *[]){ sum, is_wrong ? sum : next });
    return mistaken_number(cohort_value_scalar(sum));
}

static cohort_status sum_of_nothing(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *loss = cohort_value_create(s), *mean = cohort_value_create(s);
    if (!is_wrong)
        loss = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_reduce(COHORT_MEAN, loss, 0, mean);
    return cohort_wait(s);
}

static cohort_status mean_of_no_rows(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, is_wrong ? 0 : N)),
                 *mean = cohort_value_create(s);
    cohort_reduce(COHORT_MEAN, xs, 0, mean);
    return cohort_wait(s);
}

static cohort_status too_few_weights(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *mean = cohort_value_create(s);
    cohort_value *weights = cohort_value_split(s, COHORT_ARRAY(x, is_wrong ? N / 2 : N));
    cohort_reduce_options weighted = { .axes = (int32_t[]){ 0 }, .n_axes = 1, .weights = weights };
    cohort_reduce_with(COHORT_MEAN, xs, &weighted, mean);
    return cohort_wait(s);
}

static cohort_status axis_twice(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, 4, 2)), *sum = cohort_value_create(s);
    cohort_reduce_options over = { .axes = (int32_t[]){ 0, is_wrong ? 0 : 1 }, .n_axes = 2 };
    cohort_reduce_with(COHORT_SUM, xs, &over, sum);
    return mistaken_number(cohort_value_scalar(sum));
}

static cohort_status combiner_of_another_prototype(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *most = cohort_value_create(s);
    cohort_reduce_with(0, xs, &(cohort_reduce_options){ .combine = is_wrong ? swapped : longer },
                       most);
    return cohort_value_read(most, COHORT_ARRAY(y, N / 2));
}

static cohort_status reduce_to_elsewhere(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *sum = cohort_value_create(s);
    cohort_reduce_to(COHORT_SUM, xs, COHORT_AT(is_wrong ? "host:0.2" : "host:0.1"), sum);
    return cohort_wait(s);
}

static cohort_status broadcast_to_no_device(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *copies = cohort_value_create(s);
    cohort_broadcast(s, 1.0, COHORT_AT(is_wrong ? "gpu:0" : "host:0.0"), copies);
    return mistaken_number(cohort_value_scalar(copies));
}

static cohort_status broadcast_of_components(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = is_wrong ? components(false) : cohort_value_plain(s, COHORT_ARRAY(x, 4));
    cohort_value *copies = cohort_value_create(s);
    cohort_broadcast(s, xs, COHORT_AT("host:0.0,host:0.1"), copies);
    return cohort_value_read(copies, COHORT_ARRAY(y, 4));
}

static cohort_status gather_of_unequal_rows(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *all = cohort_value_create(s);
    cohort_value *xs = cohort_value_per_replica(
        s, (cohort_array[]){ COHORT_ARRAY(x, 2, 2),
                             COHORT_ARRAY(x, is_wrong ? 3 : 2, is_wrong ? 1 : 2) });
    cohort_gather(xs, 0, all);
    return cohort_value_read(all, COHORT_ARRAY(y, 4, 2));
}

static cohort_status gather_of_numbers(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = is_wrong ? cohort_value_number(s, 1) : components(false),
                 *all = cohort_value_create(s);
    cohort_gather(xs, 0, all);
    return cohort_wait(s);
}

static cohort_status ids_that_are_floats(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *which =
        cohort_value_split(s, is_wrong ? COHORT_ARRAY(x, 4) : COHORT_ARRAY(ids, 4));
    cohort_value *rows = cohort_value_split(s, COHORT_ARRAY(x, 4, 2));
    cohort_reduce_slices(COHORT_SUM, which, rows, cohort_value_create(s), cohort_value_create(s));
    return cohort_wait(s);
}

static cohort_status reduce_into_another_strategy(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *sum = cohort_value_create(is_wrong ? other : s);
    cohort_reduce(COHORT_SUM, xs, 0, sum);
    return mistaken_number(cohort_value_scalar(sum));
}

const mistaken_program mistaken_reduces[] = {
    MISTAKE(into_null, "cohort_reduce: the value to fill is NULL"),
    MISTAKE(into_itself, "cohort_reduce: a value cannot be combined into itself"),
    MISTAKE(unknown_operation,
            "cohort_reduce: 0 is no reduction; there are COHORT_SUM, COHORT_MEAN, COHORT_MIN, "
            "COHORT_MAX, COHORT_PROD, COHORT_BAND, COHORT_BOR, COHORT_BXOR"),
    MISTAKE(axis_that_is_not_there, "cohort_reduce: axis 1 of a value of rank 1"),
    MISTAKE(sum_of_truths, "cohort_reduce: no sum of bool"),
    MISTAKE(unequal_components, "cohort_reduce: the component of replica 1 is float32[5], that of "
                                "replica 0 float32[3]; shapes must"),
    MISTAKE(list_with_null, "cohort_reduce_list: a value is NULL"),
    MISTAKE(list_into_one,
            "cohort_reduce_list: the value that gets result 0 is also that of result "
            "1; each needs its own"),
    MISTAKE(sum_of_nothing, "cohort_reduce: nothing has written the value"),
    MISTAKE(mean_of_no_rows, "cohort_reduce: no elements: no replica contributes anything"),
    MISTAKE(too_few_weights, "cohort_reduce_with: the weights of replica 0 are float32[2]; its "
                             "component takes float32[4], or rank 0"),
    MISTAKE(axis_twice, "cohort_reduce_with: axis 0 of a value of rank 2 is named twice"),
    MISTAKE(combiner_of_another_prototype,
            "cohort_reduce_with: 'inout' of swapped is the left side, "
            "and must be const; void f(int64_t n, const"),
    MISTAKE(reduce_to_elsewhere,
            "cohort_reduce_to: the destination 'host:0.2' is no device of the strategy"),
    MISTAKE(broadcast_to_no_device,
            "cohort_broadcast: the destination 'gpu:0' is no device of the strategy"),
    MISTAKE(broadcast_of_components,
            "cohort_broadcast: what is per replica has no one content; reduce or gather it first"),
    MISTAKE(gather_of_unequal_rows,
            "cohort_gather: the component of replica 1 is float32[3][1], that "
            "of replica 0 float32[2][2]; shapes"),
    MISTAKE(gather_of_numbers, "cohort_gather: axis 0 of a value of rank 0"),
    MISTAKE(ids_that_are_floats,
            "cohort_reduce_slices: ids are float32 of rank 1; they are int32 or int64 of rank 1"),
    MISTAKE(reduce_into_another_strategy,
            "cohort_reduce: what is combined and the value to fill belong to different strategies"),
    { NULL, NULL, NULL },
};
