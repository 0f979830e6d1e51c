/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds: what the arrays of a call say about the integers of its prototype. */
#include <cohort/cohort.h>

#include "runtime/function/bounds.h"
#include "tests/tap.h"

static const cohort_signature *signature;
static cohort_bounds bounds;

/* Start with a prototype; all its arrays are outputs without a shape until they are given. */
static void begin(const char *name, const char *prototype)
{
    cohort_function function = {
        .struct_size = sizeof function, .name = name, .returns = "void", .prototype = prototype
    };
    cohort_signature_release(signature);
    signature = cohort_signature_create(&function);
    if (signature == NULL)
        diag("%s", cohort_error_text());
    bounds = (cohort_bounds){ 0 };
    for (int i = 0; i < COHORT_MAX_ARGUMENTS; i++)
        bounds.arrays[i].rank = -1;
}

static int index_of(const char *name)
{
    for (int i = 0; i < signature->n_parameters; i++)
        if (strcmp(signature->parameters[i].name, name) == 0)
            return i;
    abort();
}

#define GIVE(name, ...)                                                                            \
    give(name, (int32_t)(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)),                    \
         (const int64_t[]){ __VA_ARGS__ })
static void give(const char *name, int32_t rank, const int64_t *shape)
{
    cohort_extents *array = &bounds.arrays[index_of(name)];
    array->rank = rank;
    memcpy(array->shape, shape, (size_t)rank * sizeof *shape);
}

static void give_name(const char *name, int64_t value)
{
    bounds.is_named[index_of(name)] = true;
    bounds.values[index_of(name)] = value;
}

static void refuses_at(const char *where, const char *message)
{
    ok(cohort_bounds_solve(signature, where, &bounds) == COHORT_EINVAL, "%s is refused",
       signature->prototype);
    is_text(cohort_error_text(), message, "and told");
}

static void refuses(const char *message)
{
    refuses_at("", message);
}

static bool solves(void)
{
    bool is_good = cohort_bounds_solve(signature, "", &bounds) == COHORT_OK;
    if (!is_good)
        diag("%s", cohort_error_text());
    return is_good;
}

static int64_t value_of(const char *name)
{
    return bounds.values[index_of(name)];
}

static bool has_shape(const char *name, int32_t rank, int64_t first, int64_t second)
{
    const cohort_extents *array = &bounds.arrays[index_of(name)];
    return array->rank == rank && (rank < 1 || array->shape[0] == first) &&
           (rank < 2 || array->shape[1] == second);
}

/* ---- Errors */

static void test_disagreement(void)
{
    begin("gradient", "(int64_t n, int64_t d, int64_t k, const float x[n][d], const float e[n][k], "
                      "out float g[d][k])");
    GIVE("x", 32, 64);
    GIVE("e", 31, 10);
    refuses_at(", replica 1 on host:0.1",
               "gradient, replica 1 on host:0.1: n is 32 rows of x but 31 rows of e; arrays "
               "that share a bound must agree");
    begin("f", "(int n, const float x[n][4], const float y[7][n], const float z[n])");
    GIVE("x", 3, 4);
    GIVE("y", 7, 5);
    refuses("f: n is 3 rows of x but 5 columns of y; arrays that share a bound must agree");
    begin("f", "(int n, const float x[n], const float y[2][2][n])");
    GIVE("x", 3, 4);
    GIVE("y", 2, 2, 5);
    refuses("f: n is 12 elements of x but 5 elements along axis 2 of y; arrays that share a bound "
            "must agree");
    begin("f", "(int n, const float x[n])");
    give_name("n", 3);
    GIVE("x", 4);
    refuses("f: n is 3 by name but 4 elements of x; arrays that share a bound must agree");
    begin("f", "(int n, const float x[n], out float y[n])");
    GIVE("x", 4);
    GIVE("y", 5);
    refuses("f: n is 4 elements of x but 5 elements of y; arrays that share a bound must agree");
}

static void test_wrong_arrays(void)
{
    begin("f", "(int n, int d, const float x[n][d])");
    GIVE("x", 4, 5, 6);
    refuses("f: x[n][d] wants rank 2, the array has rank 3 (4 x 5 x 6)");
    begin("f", "(int n, int d, const float x[n][d])");
    bounds.arrays[2].rank = 0;
    refuses("f: x[n][d] wants rank 2, the array has rank 0 (1 element)");
    bounds.arrays[2].rank = 9;
    refuses("f: the array for x has rank 9");
    bounds.arrays[2].rank = -2;
    refuses("f: the array for x has rank -2");
    begin("f", "(int n, const float x[n])");
    GIVE("x", -4);
    refuses("f: the array for x is -4, which is negative or too large");
    GIVE("x", INT64_MAX, INT64_MAX);
    refuses("f: the array for x is 9223372036854775807 x 9223372036854775807, which is negative or "
            "too large");
    begin("f", "(int n, const float x[n], const float y[2 * n + 1])");
    GIVE("x", 10);
    GIVE("y", 20);
    refuses("f: y has 20 elements, but y[2 * n + 1] says 21; n is 10");
    begin("f", "(const float x[3][4])");
    GIVE("x", 3, 5);
    refuses("f: x has 5 columns, but x[3][4] says 4");
}

static void test_unknown(void)
{
    begin("topk", "(int64_t n, int k, const float x[n], COHORT_OUT float best[n][k])");
    GIVE("x", 100);
    refuses("topk: nothing says how large k is: only the output best[n][k] has it; pass "
            "COHORT_NAMED(k, SIZE) or make "
            "best with cohort_value_shaped");
    begin("f", "(int n, const float x[n / 2])");
    GIVE("x", 100);
    refuses("f: nothing says how large n is: only x[n / 2] has it; pass COHORT_NAMED(n, SIZE)");
    begin("f", "(int n, int m, const float x[n + m])");
    GIVE("x", 100);
    refuses("f: nothing says how large n is: only x[n + m] has it; pass COHORT_NAMED(n, SIZE)");
    begin("f", "(int n, const float x[n * n])");
    GIVE("x", 100);
    refuses("f: nothing says how large n is: only x[n * n] has it; pass COHORT_NAMED(n, SIZE)");
    begin("f", "(int n, const float x[n - n])");
    GIVE("x", 0);
    refuses("f: nothing says how large n is: only x[n - n] has it; pass COHORT_NAMED(n, SIZE)");
    begin("f", "(int n, COHORT_LOCAL float t[n])");
    refuses("f: nothing says how large n is: only t[n] has it; pass COHORT_NAMED(n, SIZE)");
    begin("f", "(int m, int twice COHORT_IS(2 * m))");
    refuses("f: nothing says how large m is: only twice has it; pass COHORT_NAMED(m, SIZE)");
}

static void test_wrong_values(void)
{
    begin("f", "(int8_t n, const float x[n])");
    GIVE("x", 128);
    refuses("f: n is 128 elements of x, which does not fit int8");
    begin("f", "(int n, out float x[n])");
    give_name("n", -1);
    refuses("f: n is -1 by name, which is below 0, and it is a bound");
    begin("f", "(int n, uint8_t m COHORT_IS(n * 2), const float x[n])");
    GIVE("x", 128);
    refuses("f: m is COHORT_IS(n * 2) and would be 256, which does not fit uint8; n is 128");
    begin("f", "(int n, unsigned m COHORT_IS(n - 2), const float x[n])");
    GIVE("x", 1);
    refuses("f: m is COHORT_IS(n - 2) and would be -1, which does not fit uint32; n is 1");
    begin("f", "(int n, int m COHORT_IS(7 / (n - 1)), const float x[n])");
    GIVE("x", 1);
    refuses("f: m is COHORT_IS(7 / (n - 1)), which divides by 0; n is 1");
    begin("f", "(int64_t n, int64_t m COHORT_IS(n * n), const char x[n])");
    GIVE("x", INT64_MAX);
    refuses("f: m is COHORT_IS(n * n), which overflows 64 bits; n is 9223372036854775807");
}

static void test_wrong_extents(void)
{
    begin("f", "(int n, const float x[n], out float y[n - 2])");
    GIVE("x", 1);
    refuses("f: n - 2 of y[n - 2] is below 0; n is 1");
    begin("f", "(int n, const float x[n], out float y[1 / n])");
    GIVE("x", 0);
    refuses("f: 1 / n of y[1 / n] divides by 0; n is 0");
    begin("f", "(int64_t n, const char x[n], out float y[n + 1])");
    GIVE("x", INT64_MAX);
    refuses("f: n + 1 of y[n + 1] overflows 64 bits; n is 9223372036854775807");
    begin("f", "(int64_t n, int64_t d, out double y[n][d])");
    give_name("n", INT64_C(1) << 40);
    give_name("d", INT64_C(1) << 20);
    refuses("f: y[n][d] would be 1099511627776 x 1048576, which is too large");
    begin("f", "(int64_t n, COHORT_LOCAL double t[n])");
    give_name("n", INT64_MAX / 4);
    refuses("f: t[n] would be 2305843009213693951, which is too large");
}

/* ---- Answers */

static void test_answers(void)
{
    begin("f", "(int64_t n, int32_t d, int k, const float x[n][d], const float w[d][k], COHORT_OUT "
               "float z[n][k], "
               "int lda COHORT_IS(2 * k), out float half[(n + 1) / 2][3], local float t[n][2], "
               "float rate)");
    GIVE("x", 31, 64);
    GIVE("w", 64, 10);
    ok(solves() && value_of("n") == 31 && value_of("d") == 64 && value_of("k") == 10,
       "bounds are read off the inputs");
    ok(value_of("lda") == 20, "integers are computed");
    ok(has_shape("z", 2, 31, 10) && has_shape("half", 2, 16, 3),
       "outputs get their shapes, division rounds up");
    ok(value_of("t") == 62, "scratch gets its number of elements");
    begin("f", "(int n, const float w[n], float v[n], out float z[n])");
    GIVE("w", 3, 4, 5);
    GIVE("v", 60);
    ok(solves() && value_of("n") == 60 && has_shape("z", 1, 60, 0),
       "a single bracket takes any rank as its elements");
    begin("f", "(int n, const float w[n])");
    bounds.arrays[1].rank = 0;
    ok(solves() && value_of("n") == 1, "one element has rank 0");
    begin("f", "(int n, int k, const float x[n], out float best[n][k])");
    GIVE("x", 100);
    GIVE("best", 100, 7);
    ok(solves() && value_of("k") == 7, "a declared output solves a bound");
    begin("f", "(int n, int k, const float x[n], out float best[n][k])");
    GIVE("x", 100);
    give_name("k", 9);
    ok(solves() && has_shape("best", 2, 100, 9), "a bound can be named");
    begin("f", "(int n, const float x[n], const float y[2 * n + 1], const float z[3])");
    GIVE("x", 10);
    GIVE("y", 21);
    GIVE("z", 3);
    ok(solves(), "expressions and numbers are checked");
    begin("f", "(int n, int d, const float x[n][d], out float z[n][d])");
    GIVE("x", 0, 5);
    ok(solves() && has_shape("z", 2, 0, 5), "no rows are fine");
}

static void test_computed_extents(void)
{
    begin("f", "(const float *x COHORT_SHAPE(n, ld), int n, int k, int ld COHORT_IS(k + 2), const "
               "float y[k], "
               "int step COHORT_IS(-k), out float z[ld])");
    GIVE("x", 4, 12);
    GIVE("y", 10);
    ok(solves() && value_of("ld") == 12 && has_shape("z", 1, 12, 0),
       "computed integers are extents too");
    ok(value_of("step") == -10, "and may be negative");
    GIVE("x", 4, 11);
    bounds.arrays[index_of("z")].rank = -1;
    refuses("f: x has 11 columns, but x[n][ld] says 12; ld is 12");
    begin("f",
          "(int n, int a COHORT_IS((n + 3) / 4), int b COHORT_IS(-n / 2), int c COHORT_IS(n / -2), "
          "const char x[n])");
    GIVE("x", 7);
    ok(solves() && value_of("a") == 3 && value_of("b") == -3 && value_of("c") == -3,
       "division goes to the integer at or above, for negative numbers too");
    begin("f", "(int64_t n, int64_t a COHORT_IS(-9223372036854775807 - 1), int64_t b "
               "COHORT_IS((0-n-1) / -1), "
               "const char x[n])");
    GIVE("x", INT64_MAX);
    refuses("f: b is COHORT_IS((0-n-1) / -1), which overflows 64 bits; n is 9223372036854775807");
    begin("f", "(int a COHORT_IS(2 + 3 * 4 - (5 - 6) - 7))");
    ok(solves() && value_of("a") == 8, "operators bind as in C");
}

/* ---- Extents with one unknown */

/* x[EXTENT] of `found` elements, with k 3: what n is; -1: it is refused. */
static int64_t solved(const char *extent, int64_t found)
{
    char prototype[200];
    (void)snprintf(prototype, sizeof prototype,
                   "(int64_t n, int64_t k, int64_t m COHORT_IS(n * 2 - 1), const char x[%s], "
                   "const char y[k])",
                   extent);
    begin("f", prototype);
    GIVE("x", found);
    GIVE("y", 3);
    return cohort_bounds_solve(signature, "", &bounds) == COHORT_OK ? value_of("n") : -1;
}

static void test_unknown_extents(void)
{
    static const struct {
        const char *extent;
        int64_t found, n; /* n -1: refused */
    } cases[] = {
        { "n + 1", 11, 10 },
        { "n + 1", 1, 0 },
        { "n + 1", 0, -1 },
        { "1 + n", 8, 7 },
        { "n - 4", 8, 12 },
        { "20 - n", 8, 12 },
        { "20 - n", 21, -1 },
        { "n * k", 12, 4 },
        { "k * n", 12, 4 },
        { "n * k", 13, -1 },
        { "n * k", 0, 0 },
        { "-(n - 9)", 4, 5 },
        { "n + n + n", 12, 4 },
        { "3 * n - n", 8, 4 },
        { "(n + 2) * (k + 1)", 20, 3 },
        { "(4 * n + 6) / 2", 11, 4 },
        { "(4 * n + 5) / 2", 11, 4 }, /* rounded up */
        { "(6 * n) / k", 8, 4 },
        { "(6 * n) / 4", 6, -1 },
        { "n / 1", 6, 6 },
        { "n / -1 + 8", 6, 2 },
        { "12 / n", 6, -1 },
        { "(n - n + k) * n", 12, 4 },
        { "n * n", 16, -1 },
        { "m", 7, 4 },
        { "m + 1", 8, 4 },
        { "m * n", 28, -1 },
        { "n * 4611686018427387904", INT64_C(1) << 62, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t n = solved(cases[i].extent, cases[i].found);
        ok(n == cases[i].n, "x[%s] of %lld elements: n is %lld", cases[i].extent,
           (long long)cases[i].found, (long long)cases[i].n);
    }
    begin("spmv", "(int64_t rows, int64_t m, const int64_t start[rows + 1], const int column[m], "
                  "const float value[m], out float y[rows])");
    GIVE("start", 6);
    GIVE("column", 9);
    GIVE("value", 9);
    ok(solves() && value_of("rows") == 5 && has_shape("y", 1, 5, 0),
       "start[rows + 1] says how many rows there are");
    begin("f",
          "(int a, int b, const char x[b + c], const char y[a + b], int c, const char z[2 * a])");
    GIVE("x", 9);
    GIVE("y", 7);
    GIVE("z", 8);
    ok(solves() && value_of("a") == 4 && value_of("b") == 3 && value_of("c") == 6,
       "what one extent solves is known to the others, in any order");
    begin("f", "(int n, const char x[n][2 * n])");
    GIVE("x", 3, 6);
    ok(solves() && value_of("n") == 3, "a bound by itself comes first");
    begin("f", "(int64_t n, const char x[n + 1])");
    GIVE("x", INT64_MAX);
    ok(solves() && value_of("n") == INT64_MAX - 1, "to the end of 64 bits");
    begin("f", "(int n, out char y[n + 2], out char z[n])");
    GIVE("y", 6);
    ok(solves() && has_shape("z", 1, 4, 0), "a declared output solves too");
}

static void test_wrong_solutions(void)
{
    begin("f", "(int n, int k, const float x[n * k], const float y[k])");
    GIVE("x", 7);
    GIVE("y", 2);
    refuses("f: x has 7 elements, which is x[n * k] for no n; k is 2");
    begin("f", "(int n, const float x[n + 1][2])");
    GIVE("x", 0, 2);
    refuses_at(", replica 1 on host:0.1",
               "f, replica 1 on host:0.1: x has 0 rows, which is x[n + 1][2] for no n but -1");
    begin("f", "(int64_t n, int64_t k, const char x[n * k * k], const char y[k])");
    GIVE("x", 7);
    GIVE("y", INT64_C(1) << 40);
    refuses("f: n * k * k of x[n * k * k] overflows 64 bits; k is 1099511627776");
    begin("f", "(int64_t n, int64_t k, const char x[n / (k - 2)], const char y[k])");
    GIVE("x", 7);
    GIVE("y", 2);
    refuses("f: n / (k - 2) of x[n / (k - 2)] divides by 0; k is 2");
    begin("f", "(int8_t n, const char x[n - 1])");
    GIVE("x", 127);
    refuses("f: n is 128 by x[n - 1], which does not fit int8");
    begin("f", "(int n, const char x[n + 1], const char y[n + 2])");
    GIVE("x", 4);
    GIVE("y", 4);
    refuses("f: y has 4 elements, but y[n + 2] says 5; n is 3");
    begin("f", "(int64_t n, const char x[n - 9223372036854775807])");
    GIVE("x", 7);
    refuses("f: x has 7 elements, which is x[n - 9223372036854775807] for no n");
}

/* ---- Outputs that are like an array */

static void test_rank_is_kept(void)
{
    static const char prototype[] = "(int n, const float x[n], out float y[n], out char z[n], "
                                    "const float w[n])";
    begin("f", prototype);
    bounds.keeps_rank = true;
    GIVE("x", 4, 5);
    GIVE("w", 20);
    ok(solves() && has_shape("y", 2, 4, 5) && has_shape("z", 2, 4, 5),
       "outputs of a single bracket are like the first array of it");
    begin("f", prototype);
    bounds.keeps_rank = true;
    bounds.arrays[index_of("x")].rank = 0;
    GIVE("w", 1);
    ok(solves() && has_shape("y", 1, 1, 0), "of a number there is one element");
    begin("f", prototype);
    bounds.keeps_rank = true;
    give_name("n", 6);
    GIVE("x", 0, 3);
    GIVE("w", 6);
    refuses("f: n is 6 by name but 0 elements of x; arrays that share a bound must agree");
    begin("f",
          "(int n, int m, const float x[n], out float y[m], out float z[n + 1], out float a[n])");
    bounds.keeps_rank = true;
    GIVE("x", 2, 3);
    GIVE("y", 7, 1);
    ok(solves() && has_shape("y", 2, 7, 1) && has_shape("z", 1, 7, 0) && has_shape("a", 2, 2, 3),
       "not of another bound, and not where a shape was given");
    begin("f", "(int n, const float x[n][2], out float y[n])");
    bounds.keeps_rank = true;
    GIVE("x", 3, 2);
    ok(solves() && has_shape("y", 1, 3, 0), "rows of a matrix are no elements");
}

static void test_no_allocation(void)
{
    begin("f", "(int n, const float x[n], out float y[n * 2])");
    int64_t before = cohort_memory_blocks();
    GIVE("x", 10);
    for (int i = 0; i < 100; i++) {
        bounds.arrays[2].rank = -1;
        (void)cohort_bounds_solve(signature, "", &bounds);
    }
    GIVE("x", 3, -1);
    (void)cohort_bounds_solve(signature, "", &bounds);
    ok(cohort_memory_blocks() == before, "solving takes no memory, failing neither");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_disagreement();
    test_wrong_arrays();
    test_unknown();
    test_wrong_values();
    test_wrong_extents();
    test_answers();
    test_computed_extents();
    test_unknown_extents();
    test_wrong_solutions();
    test_rank_is_kept();
    test_no_allocation();
    cohort_signature_release(signature);
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
