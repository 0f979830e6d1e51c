/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with functions and their arguments. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 8 };
static float x[N] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[N];
static double doubles[N];

COHORT_FUNCTION(saxpy, (int64_t n, float a, const float x[n], float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

COHORT_FUNCTION(level, (int64_t n, int8_t by, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += by;
}

COHORT_FUNCTION(both, (int64_t n, float a[n], float b[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        b[i] += a[i], a[i] = 0;
}

COHORT_FUNCTION(rows, (int64_t n, const float x[n][4], COHORT_OUT float sums[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        sums[i] = x[i][0] + x[i][1] + x[i][2] + x[i][3];
}

COHORT_FUNCTION(best, (int64_t n, int64_t k, const float x[n], COHORT_OUT float out[k]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < k; i++)
        out[i] = x[i % n];
}

COHORT_FUNCTION_RETURNING(cohort_status, refuse, (int32_t id, int32_t bad, float x[1]),
                          COHORT_HOST_ONLY)
{
    x[0] += 1;
    return id == bad ? COHORT_EINVAL : COHORT_OK;
}

COHORT_FUNCTION(root, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = sqrtf(x[i]);
}

COHORT_FUNCTION(twice, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= 2;
}

/* ---- The first program of README.md. */
static cohort_status half_of_x(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, is_wrong ? N / 2 : N));
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_value_read(ys, COHORT_ARRAY(y, N));
}

static cohort_status too_few(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    if (is_wrong)
        cohort_run(s, saxpy, xs, ys);
    else
        cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_wait(s);
}

static cohort_status too_many(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    if (is_wrong)
        cohort_run(s, saxpy, 2.0f, xs, ys, N); /* as one would call it in C */
    else
        cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_value_read(ys, COHORT_ARRAY(y, N));
}

static cohort_status doubles_for_floats(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs =
        cohort_value_split(s, is_wrong ? COHORT_ARRAY(doubles, N) : COHORT_ARRAY(x, N));
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_value_read(ys, COHORT_ARRAY(y, N));
}

static cohort_status number_out_of_range(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, level, is_wrong ? 300 : 3, xs);
    return cohort_value_read(xs, COHORT_ARRAY(y, N));
}

static cohort_status fraction_for_an_integer(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, level, is_wrong ? 0.5 : 1.0, xs);
    return cohort_wait(s);
}

static cohort_status array_for_a_number(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    if (is_wrong)
        cohort_run(s, saxpy, xs, 2.0f, ys);
    else
        cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_wait(s);
}

static cohort_status function_that_was_not_made(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(doubles, 2));
    cohort_function *f = cohort_function_parse(is_wrong ? "void cosine(int64_t n, duoble x[n])"
                                                        : "double cos(double x)",
                                               is_wrong ? NULL : "libm.so.6", NULL);
    if (is_wrong)
        cohort_run(s, f, xs);
    else
        cohort_run(s, f, 1.0, cohort_value_create(s));
    cohort_status status = cohort_wait(s);
    cohort_function_destroy(f);
    return status;
}

static cohort_status symbol_that_is_not_there(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *out = cohort_value_create(s);
    cohort_function *f = cohort_function_parse(
        is_wrong ? "double cosinus(double x)" : "double cos(double x)", "libm.so.6", NULL);
    cohort_run(s, f, 1.0, out);
    cohort_status status = cohort_value_read(out, COHORT_ARRAY(doubles, 2));
    cohort_function_destroy(f);
    return status;
}

static cohort_status function_without_a_body(bool is_wrong)
{
    s = cohort_mirrored("host");
    cohort_function *f = cohort_function_parse("void twice(int64_t n, float x[n])", NULL, NULL);
    if (!is_wrong)
        cohort_function_add_body(
            f, &(cohort_body){ .format = "native.fn", .fn = (void (*)(void))twice_host });
    cohort_run(s, f, cohort_value_split(s, COHORT_ARRAY(x, N)));
    cohort_status status = cohort_wait(s);
    cohort_function_destroy(f);
    return status;
}

static cohort_status value_of_another_strategy(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(is_wrong ? other : s, COHORT_ARRAY(x, N));
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_value_read(ys, COHORT_ARRAY(y, N));
}

static cohort_status never_written(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs =
        is_wrong ? cohort_value_create(s) : cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_run(s, saxpy, 2.0f, xs, ys);
    return cohort_wait(s);
}

static cohort_status matrix_of_other_columns(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = is_wrong ? cohort_value_split(s, COHORT_ARRAY(x, 4, 2))
                                : cohort_value_split(s, COHORT_ARRAY(x, 2, 4));
    cohort_value *sums = cohort_value_create(s);
    cohort_run(s, rows, xs, sums);
    return cohort_value_read(sums, COHORT_ARRAY(y, 2));
}

static cohort_status vector_for_a_matrix(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = is_wrong ? cohort_value_split(s, COHORT_ARRAY(x, N))
                                : cohort_value_split(s, COHORT_ARRAY(x, 2, 4));
    cohort_value *sums = cohort_value_create(s), *total = cohort_value_create(s);
    cohort_run(s, rows, xs, sums);
    cohort_reduce(COHORT_SUM, sums, 0, total);
    return mistaken_number(cohort_value_scalar(total));
}

static cohort_status one_value_written_twice(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    cohort_run(s, both, xs, is_wrong ? xs : ys);
    return cohort_wait(s);
}

static cohort_status plain_value_written(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = is_wrong ? cohort_value_plain(s, COHORT_ARRAY(x, N))
                                : cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, twice, xs);
    return cohort_value_read(xs, COHORT_ARRAY(y, N));
}

static cohort_status array_written(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    if (is_wrong)
        cohort_run(s, twice, COHORT_ARRAY(y, N));
    else
        cohort_run(s, twice, ys);
    return cohort_wait(s);
}

static cohort_status bound_that_nothing_tells(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *out = cohort_value_create(s);
    if (is_wrong)
        cohort_run(s, best, xs, out);
    else
        cohort_run(s, best, xs, out, COHORT_NAMED(k, 2));
    return cohort_wait(s);
}

static cohort_status name_of_no_parameter(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *out = cohort_value_create(s);
    if (is_wrong)
        cohort_run(s, best, xs, out, COHORT_NAMED(top, 2));
    else
        cohort_run(s, best, xs, out, COHORT_NAMED(k, 2));
    return cohort_value_read(out, COHORT_ARRAY(y, 4));
}

static cohort_status body_that_refuses(bool is_wrong)
{
    s = cohort_strategy_create(&(cohort_strategy_options){ .devices = "host/2", .replicas = 5 });
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, 5));
    for (int step = 0; step < 3; step++)
        cohort_run(s, refuse, COHORT_REPLICA_ID, is_wrong ? 3 : -1, xs);
    return cohort_value_read(xs, COHORT_ARRAY(y, 5));
}

static cohort_status not_a_number(bool is_wrong)
{
    s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .guard = COHORT_GUARD_ERROR });
    x[5] = is_wrong ? -1 : 1;
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, root, xs);
    return cohort_wait(s);
}

COHORT_FUNCTION(number, (int64_t n, int64_t first, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)(first + i);
}

COHORT_FUNCTION(count, (int64_t first, COHORT_OUT float out[1]), COHORT_HOST_ONLY)
{
    out[0] = (float)first;
}

static cohort_status first_row_of_nothing(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *out = cohort_value_create(s);
    if (is_wrong)
        cohort_run(s, count, COHORT_FIRST_ROW, out);
    else
        cohort_run(s, number, COHORT_FIRST_ROW, xs);
    return cohort_wait(s);
}

static cohort_status null_function(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    const cohort_function *f = is_wrong ? NULL : &twice[0];
    cohort_run(s, f, cohort_value_split(s, COHORT_ARRAY(x, N)));
    return cohort_wait(s);
}

static cohort_status replica_call_outside_of_steps(bool is_wrong)
{
    s = cohort_mirrored("host");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    if (is_wrong)
        cohort_replica_run(cohort_replica_current(), twice, xs);
    else
        cohort_run(s, twice, xs);
    return cohort_wait(s);
}

static cohort_status null_strategy(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(is_wrong ? NULL : s, twice, xs);
    return cohort_wait(s);
}

const mistaken_program mistaken_runs[] = {
    MISTAKE(half_of_x, "saxpy, replica 0 on host:0.0: n is 2 elements of x but 4 elements of y; "
                       "arrays that share a bound"),
    MISTAKE(too_few,
            "saxpy: takes a, x, y (from (int64_t n, float a, const float x[n], float y[n]); "
            "n is read off the"),
    MISTAKE(too_many,
            "saxpy: takes a, x, y (from (int64_t n, float a, const float x[n], float y[n]); "
            "n is read off the"),
    MISTAKE(doubles_for_floats, "saxpy: argument 'x' expects float32, got float64"),
    MISTAKE(number_out_of_range, "level: argument 'by': 300 is out of the range of int8"),
    MISTAKE(fraction_for_an_integer,
            "level: argument 'by': 0.5 has a fraction, the parameter is int8"),
    MISTAKE(array_for_a_number, "saxpy: argument 'a' expects a number, got a value that "
                                "cohort_value_number did not make; a number"),
    MISTAKE(function_that_was_not_made,
            "because of an earlier error: cosine: unknown type 'duoble'; did you mean 'double'?"),
    MISTAKE(symbol_that_is_not_there,
            "because of an earlier error: cosinus: libm.so.6 has no symbol 'cosinus'"),
    MISTAKE(function_without_a_body,
            "twice: no body for host:0: it takes native.fn, the function has none"),
    MISTAKE(first_row_of_nothing,
            "count: argument 'first': COHORT_FIRST_ROW counts the rows of a per-replica value"),
    MISTAKE(null_function, "cohort_run: the function is NULL"),
    MISTAKE(value_of_another_strategy, "saxpy: argument 'x' belongs to another strategy"),
    MISTAKE(never_written, "saxpy: nothing has written argument 'x' yet"),
    MISTAKE(matrix_of_other_columns,
            "rows, replica 0 on host:0.0: x has 2 columns, but x[n][4] says 4"),
    MISTAKE(vector_for_a_matrix,
            "rows, replica 0 on host:0.0: x[n][4] wants rank 2, the array has rank 1 (4)"),
    MISTAKE(one_value_written_twice,
            "both: arguments 'a' and 'b' are the same, and 'a' is written"),
    MISTAKE(plain_value_written,
            "twice: 'x' is read and written by every replica, so its value must "
            "be per replica; this one is plain"),
    MISTAKE(
        array_written,
        "twice: 'x' is written, and an array of the caller is only read: pass a value, such as"),
    MISTAKE(bound_that_nothing_tells,
            "best, replica 0 on host:0.0: nothing says how large k is: only "
            "the output out[k] has it; pass"),
    MISTAKE(name_of_no_parameter, "best: no parameter 'top' in (int64_t n, int64_t k, const float "
                                  "x[n], COHORT_OUT float out[k])"),
    MISTAKE(body_that_refuses,
            "refuse, replica 3 on host:0.1 (|): the body returned -1 (EINVAL: invalid argument)"),
    MISTAKE(not_a_number,
            "root, replica 1 on host:0.1: 'x' has nan at element 1 of 4; the strategy's "
            "guard refuses that"),
    MISTAKE(replica_call_outside_of_steps, "cohort_replica_run: the replica is NULL"),
    MISTAKE(null_strategy, "cohort_run: the strategy is NULL"),
    { NULL, NULL, NULL },
};
