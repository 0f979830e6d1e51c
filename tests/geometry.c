/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry: the sizes of a launch, as expressions of a prototype's integers. */
#include <cohort/cohort.h>

#include "runtime/base/memory.h"
#include "runtime/function/geometry.h"
#include "tests/tap.h"

static const cohort_signature *signature;
static int64_t values[COHORT_MAX_ARGUMENTS];
static cohort_range range;

static void begin(const char *prototype)
{
    cohort_function function = {
        .struct_size = sizeof function, .name = "saxpy", .returns = "void", .prototype = prototype
    };
    cohort_signature_release(signature);
    signature = cohort_signature_create(&function);
    if (signature == NULL)
        diag("%s", cohort_error_text());
    memset(values, 0, sizeof values);
}

static void refuses(const char *global, const char *local, const char *message)
{
    cohort_geometry geometry;
    int64_t blocks = cohort_memory_blocks();
    ok(cohort_geometry_init(&geometry, signature, global, local) == COHORT_EINVAL,
       "%s / %s is refused", global != NULL ? global : "nothing",
       local != NULL ? local : "nothing");
    has_text(cohort_error_text(), message, "because: %.*s", (int)strcspn(message, "\n"), message);
    ok(geometry.dims == 0 && geometry.arena.newest == NULL && cohort_memory_blocks() == blocks,
       "and leaves nothing");
    cohort_geometry_fini(&geometry);
}

static cohort_status evaluate(const char *global, const char *local, const char *where)
{
    cohort_geometry geometry;
    cohort_status status = cohort_geometry_init(&geometry, signature, global, local);
    int64_t blocks = cohort_memory_blocks();
    if (status == COHORT_OK)
        status = cohort_geometry_evaluate(&geometry, signature, where, values, &range);
    if (cohort_memory_blocks() != blocks)
        status = COHORT_EINTERNAL; /* evaluating allocates nothing */
    cohort_geometry_fini(&geometry);
    return status;
}

static bool gives(const char *global, const char *local)
{
    cohort_status status = evaluate(global, local, "");
    if (status != COHORT_OK)
        diag("%s", cohort_error_text());
    return status == COHORT_OK;
}

static void fails(const char *global, const char *local, const char *message)
{
    ok(evaluate(global, local, ", replica 1 on opencl:0") == COHORT_EINVAL, "%s / %s fails", global,
       local != NULL ? local : "nothing");
    is_text(cohort_error_text(), message, "and it is told why");
}

static bool is_1d(uint64_t global)
{
    return range.dims == 1 && range.global[0] == global;
}

/* ---- Errors */

static void test_bad_texts(void)
{
    begin("(int64_t n, int32_t k, float rate, const float x[n], int m COHORT_IS(2 * n), void *p)");
    refuses("n, q", NULL, "saxpy: 'q' is no integer parameter\nn, q\n   ^");
    refuses("rate", NULL, "'rate' is no integer parameter");
    refuses("x", NULL, "'x' is no integer parameter");
    refuses("p", NULL, "'p' is no integer parameter");
    refuses("", NULL, "expected a name or an integer here");
    refuses("n,", NULL, "expected a name or an integer here");
    refuses(", n", NULL, "expected a name or an integer here");
    refuses("n n", NULL, "the geometry ends before this; sizes are divided by commas\nn n\n  ^");
    refuses("(n", NULL, "to close the parenthesis");
    refuses("n % 2", NULL, "unexpected '%'");
    refuses("n, n, n, n", NULL, "more than 3 dimensions");
    refuses(NULL, "64", "a local size \"64\" without a global size");
    refuses("n", "8, 8", "the local size \"8, 8\" has 2 dimensions, the global size \"n\" 1");
    refuses("n, n", "8", "has 1 dimensions, the global size \"n, n\" 2");
    refuses("n", "q", "'q' is no integer parameter\nq\n^");
    refuses("n", "", "expected a name");
    begin("(int64_t rows, const float x[rows])");
    refuses("row", NULL, "'row' is no integer parameter; did you mean 'rows'?");
    static char text[20000];
    memset(text, '(', sizeof text - 1);
    refuses(text, NULL, "a text of more than 16384 bytes");
    text[5000] = '\0';
    refuses(text, NULL, "more than 64 parentheses");
}

static void test_bad_values(void)
{
    begin("(int64_t n, int64_t k, const float x[n], const float y[k])");
    values[0] = 10, values[1] = 0;
    fails("n / k", NULL, "saxpy, replica 1 on opencl:0: the global size n / k divides by 0");
    fails("k - n", NULL,
          "saxpy, replica 1 on opencl:0: the global size k - n (-10) must be at least 0");
    fails("n", "k", "saxpy, replica 1 on opencl:0: the local size k (0) must be at least 1");
    fails("n", "-2", "saxpy, replica 1 on opencl:0: the local size -2 must be at least 1");
    fails("n", "4",
          "saxpy, replica 1 on opencl:0: the local size 4 does not divide the global size n (10)");
    fails("n, n", "5, 3",
          "saxpy, replica 1 on opencl:0: the local size 3 does not divide the global size n (10)");
    values[0] = INT64_MAX;
    fails("n + 1", NULL, "saxpy, replica 1 on opencl:0: the global size n + 1 overflows 64 bits");
    fails("n, 2", NULL,
          "saxpy, replica 1 on opencl:0: the global size has more than 2^63 work-items");
}

/* ---- Behaviour */

static void test_sizes(void)
{
    begin("(int64_t n, int32_t k, int m COHORT_IS(2 * n), const float x[n])");
    values[0] = 10, values[1] = 3, values[2] = 20;
    ok(gives("n", NULL) && is_1d(10) && range.local[0] == 0,
       "a bound alone; the device chooses the local size");
    ok(gives("k", NULL) && is_1d(3), "an integer that the call passes");
    ok(gives("m", NULL) && is_1d(20), "a computed one");
    ok(gives("2 + 3 * n", NULL) && is_1d(32), "operators bind as in C");
    ok(gives("(2 + 3) * n - -1", NULL) && is_1d(51), "parentheses and signs");
    ok(gives("n / k", NULL) && is_1d(4), "division rounds up");
    ok(gives("(n + 3) / 4 * 4", NULL) && is_1d(16), "also in the middle");
    ok(gives("n / 4 * 4", "4") && is_1d(12) && range.local[0] == 4,
       "so this is the next multiple of the local size");
    ok(gives("n, 2 * k, 7", "5, k, 1") && range.dims == 3 && range.global[0] == 10 &&
           range.global[1] == 6 && range.global[2] == 7 && range.local[0] == 5 &&
           range.local[1] == 3 && range.local[2] == 1,
       "three dimensions, the fastest first");
    ok(gives(" n /* rows */ , k ", NULL) && range.dims == 2 && range.global[1] == 3,
       "blanks and comments do no harm");
    values[0] = 0;
    ok(gives("n", "4") && is_1d(0) && range.local[0] == 4, "no work-items are fine");
    values[0] = INT64_MAX;
    ok(gives("n, 0", NULL) && range.global[1] == 0, "in any dimension");
}

static void test_none(void)
{
    cohort_geometry geometry;
    begin("(int64_t n, const float x[n])");
    ok(cohort_geometry_init(&geometry, signature, NULL, NULL) == COHORT_OK && geometry.dims == 0,
       "a body without geometry");
    ok(cohort_geometry_evaluate(&geometry, signature, "", values, &range) == COHORT_OK &&
           range.dims == 0,
       "is launched without");
    cohort_geometry_fini(&geometry);
    cohort_geometry_fini(&geometry);
    ok(geometry.dims == 0 && geometry.arena.newest == NULL,
       "fini may be repeated, and leaves nothing");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_bad_texts();
    test_bad_values();
    test_sizes();
    test_none();
    cohort_signature_release(signature);
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
