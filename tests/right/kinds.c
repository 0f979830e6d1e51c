/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of each kind of dtype, and of numbers that are none. */
#include "config.h"

#include "tests/right/right.h"

#include <complex.h>
#include <math.h>

static cohort_value *split_as(cohort_strategy *s, const void *content, cohort_dtype dtype)
{
    return cohort_value_split(s, (cohort_array){ .data = (void *)(uintptr_t)content,
                                                 .dtype = dtype,
                                                 .rank = 2,
                                                 .shape = { ROWS, COLUMNS } });
}

static void reduce_as(cohort_strategy *s, const void *content, cohort_dtype dtype,
                      const char *label, cohort_reduce_op op)
{
    cohort_value *x = split_as(s, content, dtype), *into = cohort_value_create(s);
    cohort_reduce(op, x, 0, into);
    note_value(label, into);
    cohort_value_destroy(x);
    cohort_value_destroy(into);
}

/* They wrap, and so does each part of their sum. */
static void small_integers(cohort_strategy *s)
{
    static const cohort_dtype dtypes[] = { COHORT_I8,  COHORT_U8,  COHORT_I16, COHORT_U16,
                                           COHORT_I32, COHORT_U32, COHORT_I64, COHORT_U64 };
    for (int i = 0; i < 8; i++) {
        uint64_t bytes[CELLS];
        for (int k = 0; k < CELLS; k++)
            bytes[k] = (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15);
        reduce_as(s, bytes, dtypes[i], "sum", COHORT_SUM);
        reduce_as(s, bytes, dtypes[i], "product", COHORT_PROD);
        reduce_as(s, bytes, dtypes[i], "least", COHORT_MIN);
        reduce_as(s, bytes, dtypes[i], "largest", COHORT_MAX);
        reduce_as(s, bytes, dtypes[i], "mean", COHORT_MEAN);
    }
}

static void truths(cohort_strategy *s)
{
    bool x[CELLS];
    for (int i = 0; i < CELLS; i++)
        x[i] = i % COLUMNS == 1 || i == 9;
    reduce_as(s, x, COHORT_BOOL, "all", COHORT_MIN);
    reduce_as(s, x, COHORT_BOOL, "any", COHORT_MAX);
}

static void half_floats(cohort_strategy *s)
{
    static const cohort_dtype dtypes[] = { COHORT_F16, COHORT_BF16 };
    uint16_t x[CELLS];
    for (int i = 0; i < CELLS; i++)
        x[i] = (uint16_t)(0x3b00 + i * 53);
    for (int i = 0; i < 2; i++) {
        reduce_as(s, x, dtypes[i], "sum", COHORT_SUM);
        reduce_as(s, x, dtypes[i], "mean", COHORT_MEAN);
        reduce_as(s, x, dtypes[i], "largest", COHORT_MAX);
        reduce_as(s, x, dtypes[i], "product", COHORT_PROD);
    }
}

static void doubles(cohort_strategy *s)
{
    double x[CELLS];
    for (int i = 0; i < CELLS; i++)
        x[i] = 1.0 / (i + 3);
    reduce_as(s, x, COHORT_F64, "sum", COHORT_SUM);
    reduce_as(s, x, COHORT_F64, "mean", COHORT_MEAN);
    reduce_as(s, x, COHORT_F64, "product", COHORT_PROD);
}

static void complex_numbers(cohort_strategy *s)
{
    float _Complex x[CELLS];
    for (int i = 0; i < CELLS; i++)
        x[i] = real[i] + 0.3f * real[CELLS - 1 - i] * (float _Complex)I;
    reduce_as(s, x, COHORT_C64, "sum", COHORT_SUM);
    reduce_as(s, x, COHORT_C64, "mean", COHORT_MEAN);
    reduce_as(s, x, COHORT_C64, "product", COHORT_PROD);
}

/* NaN wins, infinities of both signs make one, and zeros keep their sign. */
static void no_numbers(cohort_strategy *s)
{
    float x[CELLS] = { 0 };
    for (int i = 0; i < CELLS; i++)
        x[i] = i % COLUMNS == 0 ? -0.0f : 0.5f;
    x[1] = -NAN, x[4] = 3, x[5] = INFINITY, x[CELLS - 1] = -INFINITY;
    reduce_as(s, x, COHORT_F32, "sum", COHORT_SUM);
    reduce_as(s, x, COHORT_F32, "product", COHORT_PROD);
    reduce_as(s, x, COHORT_F32, "least", COHORT_MIN);
    reduce_as(s, x, COHORT_F32, "largest", COHORT_MAX);
    reduce_as(s, x, COHORT_F32, "mean", COHORT_MEAN);
}

/* More rows than a block of a sum has. */
static void many_rows(cohort_strategy *s)
{
    static float x[1501];
    static int64_t n[1501];
    for (int i = 0; i < 1501; i++)
        x[i] = 1.0f / (float)(i % 97 + 1), n[i] = i * 7919 % 1009;
    cohort_value *into = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, cohort_value_split(s, COHORT_ARRAY(x, 1501)), 0, into);
    note_value("reals", into);
    cohort_reduce(COHORT_SUM, cohort_value_split(s, COHORT_ARRAY(n, 1501)), 0, into);
    note_value("integers", into);
    cohort_reduce(COHORT_MEAN, cohort_value_split(s, COHORT_ARRAY(n, 1501)), 0, into);
    note_value("mean", into);
}

COHORT_STRUCT(extent, {
    int32_t least;
    int32_t most;
});
COHORT_ITEMS_OF_TYPES(widen, i, n, (int64_t n, const extent in[n], extent inout[n]),
                      COHORT_TYPES(extent), {
                          inout[i].least =
                              in[i].least < inout[i].least ? in[i].least : inout[i].least;
                          inout[i].most = in[i].most > inout[i].most ? in[i].most : inout[i].most;
                      });
COHORT_ITEMS_OF_TYPES(extents, j, 1 + 0 * n,
                      (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
                       COHORT_OUT extent *y COHORT_SHAPE(1)),
                      COHORT_TYPES(extent), {
                          y[j].least = (int32_t)x[0];
                          y[j].most = (int32_t)x[0];
                          for (int64_t i = 1; i < n * d; i++) {
                              y[j].least = x[i] < y[j].least ? (int32_t)x[i] : y[j].least;
                              y[j].most = x[i] > y[j].most ? (int32_t)x[i] : y[j].most;
                          }
                      });

static void structs_combined(cohort_strategy *s)
{
    cohort_value *each = cohort_value_create(s), *into = cohort_value_create(s);
    cohort_run(s, extents, uneven_rows(s), each);
    cohort_reduce_with(0, each, &(cohort_reduce_options){ .combine = widen }, into);
    extent found = { 0, 0 };
    if (cohort_value_read(into, COHORT_ARRAY(&found, 1)) != COHORT_OK)
        note_failure("extent");
    note_integer("least", found.least);
    note_integer("most", found.most);
}

const right_program right_kinds[] = { RIGHT(small_integers),  RIGHT(truths),
                                      RIGHT(half_floats),     RIGHT(doubles),
                                      RIGHT(complex_numbers), RIGHT(no_numbers),
                                      RIGHT(many_rows),       RIGHT(structs_combined),
                                      { NULL, NULL } };
