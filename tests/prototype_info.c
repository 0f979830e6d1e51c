/* SPDX-License-Identifier: BSD-3-Clause */
/* What a prototype says, asked from outside. */
#include "config.h"

#include <cohort/prototype.h>

#include "tests/tap.h"

static const cohort_type inner = { .name = "inner", .is = "{ int8_t a; double b[2]; }" };
static const cohort_type outer = { .name = "outer", .is = "{ float x; inner in[2]; }" };
static const cohort_type *const types[] = { &inner, &outer, NULL };
static const char text[] =
    "float f(int64_t n, outer o, const float x[n][2 * n], COHORT_OUT double y[n], int v[3])";

static void test_bad_arguments(const cohort_function *f)
{
    cohort_parameter_info p = { 0 };
    cohort_dtype dtype;
    int64_t offset;
    ok(cohort_function_parameter(f, 0, &p) == COHORT_EINVAL,
       "a struct without its size is refused");
    ok(cohort_function_parameter(f, 0, NULL) == COHORT_EINVAL, "so is none");
    p.struct_size = sizeof p;
    ok(cohort_function_parameter(NULL, 0, &p) == COHORT_EINVAL, "so is no function");
    ok(cohort_function_parameter(f, -2, &p) == COHORT_EINVAL, "so is a negative place");
    ok(cohort_function_parameter(f, 5, &p) == COHORT_END, "the end is told");
    ok(cohort_function_scalar(NULL, 0, 0, &dtype, &offset) == COHORT_EINVAL,
       "no function has no numbers");
    ok(cohort_function_scalar(f, 0, -1, &dtype, &offset) == COHORT_EINVAL,
       "a negative number of them is refused");
    ok(cohort_function_scalar(f, 5, 0, &dtype, &offset) == COHORT_END,
       "nor is there one past the end");
}

static void test_parameters(const cohort_function *f)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    ok(cohort_function_parameter(f, 0, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_BOUND &&
           p.dtype == COHORT_I64,
       "a bound");
    is_text(p.name, "n", "by name");
    ok(cohort_function_parameter(f, 1, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_STRUCT &&
           p.dtype == COHORT_RECORD && p.item_bytes == 56,
       "a struct");
    is_text(p.type, "outer", "with its type");
    ok(cohort_function_parameter(f, 2, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_ARRAY &&
           p.rank == 2 && p.flags == COHORT_PARAMETER_READ,
       "an array that is read");
    is_text(p.extents[1], "2 * n", "with its extents");
    ok(p.extents[2] == NULL, "and no more");
    ok(cohort_function_parameter(f, 3, &p) == COHORT_OK && p.flags == COHORT_PARAMETER_WRITTEN,
       "one that is written");
    ok(cohort_function_parameter(f, 4, &p) == COHORT_OK && p.flags == 3, "and one that is both");
    ok(cohort_function_parameter(f, COHORT_RESULT, &p) == COHORT_OK && p.dtype == COHORT_F32,
       "the result");
    uint32_t old = p.struct_size = offsetof(cohort_parameter_info, extents);
    p.extents[0] = text;
    ok(cohort_function_parameter(f, 2, &p) == COHORT_OK && p.extents[0] == text &&
           p.struct_size == old,
       "a smaller struct of an older caller is not overrun");
}

static void test_scalars(const cohort_function *f)
{
    static const int64_t offsets[] = { 0, 8, 16, 24, 32, 40, 48 };
    cohort_dtype dtype;
    int64_t offset;
    for (int i = 0; i < 7; i++)
        ok(cohort_function_scalar(f, 1, i, &dtype, &offset) == COHORT_OK && offset == offsets[i] &&
               dtype == (i == 0             ? COHORT_F32
                         : (i - 1) % 3 == 0 ? COHORT_I8
                                            : COHORT_F64),
           "number %d of nested structs is at %d", i, (int)offsets[i]);
    ok(cohort_function_scalar(f, 1, 7, &dtype, &offset) == COHORT_END, "there are seven");
    ok(cohort_function_scalar(f, 2, 0, &dtype, &offset) == COHORT_OK && dtype == COHORT_F32 &&
           offset == 0,
       "an element that is a number is its own");
    ok(cohort_function_scalar(f, 2, 1, &dtype, &offset) == COHORT_END, "and its only one");
}

int main(void)
{
    cohort_function *f = cohort_function_parse(text, NULL, types);
    ok(f != NULL, "a prototype with structs whose sizes are not known parses");
    test_bad_arguments(f);
    test_parameters(f);
    test_scalars(f);
    cohort_function_destroy(f);
    f = cohort_function_parse("cohort_status g(void)", NULL, NULL);
    cohort_parameter_info p = { .struct_size = sizeof p };
    ok(cohort_function_parameter(f, COHORT_RESULT, &p) == COHORT_OK && p.dtype == COHORT_VOID,
       "a verdict is no result");
    cohort_function_destroy(f);
    f = cohort_function_parse("kernel void k(global const float4 *x, local int *t)", NULL, NULL);
    ok(cohort_function_parameter(f, 0, &p) == COHORT_OK && p.rank == 0 && p.extents[0] == NULL &&
           p.kind == COHORT_PARAMETER_ARRAY,
       "a kernel's pointer has no extents");
    ok(cohort_function_parameter(f, 1, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_LOCAL &&
           p.dtype == COHORT_I32,
       "scratch memory");
    cohort_function_destroy(f);
    return tap_done();
}
