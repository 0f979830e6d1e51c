/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry: the sizes of a launch, as expressions of a prototype's integers. */
#include <cohort/cohort.h>

#include "runtime/base/memory.h"
#include "runtime/function/geometry.h"
#include "tests/tap.h"

static const cohort_signature *signature;
static int64_t values[COHORT_MAX_ARGUMENTS];
static cohort_grid grid;
static const cohort_range *const range = &grid.range;

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

static void refuses_all(const char *global, const char *local, const char *offset,
                        const char *message)
{
    cohort_geometry geometry;
    cohort_geometry_texts texts = { global, local, offset };
    int64_t blocks = cohort_memory_blocks();
    ok(cohort_geometry_init(&geometry, signature, &texts) == COHORT_EINVAL,
       "%s / %s / %s is refused", global != NULL ? global : "nothing",
       local != NULL ? local : "nothing", offset != NULL ? offset : "nothing");
    has_text(cohort_error_text(), message, "because: %.*s", (int)strcspn(message, "\n"), message);
    ok(geometry.dims == 0 && geometry.arena.newest == NULL && cohort_memory_blocks() == blocks,
       "and leaves nothing");
    cohort_geometry_fini(&geometry);
}

static void refuses(const char *global, const char *local, const char *message)
{
    refuses_all(global, local, NULL, message);
}

static cohort_status evaluate(const char *global, const char *local, const char *offset,
                              const char *where)
{
    cohort_geometry geometry;
    cohort_geometry_texts texts = { global, local, offset };
    cohort_status status = cohort_geometry_init(&geometry, signature, &texts);
    int64_t blocks = cohort_memory_blocks();
    if (status == COHORT_OK)
        status = cohort_geometry_evaluate(&geometry, signature, where, values, &grid);
    if (cohort_memory_blocks() != blocks)
        status = COHORT_EINTERNAL; /* evaluating allocates nothing */
    cohort_geometry_fini(&geometry);
    return status;
}

static bool gives_all(const char *global, const char *local, const char *offset)
{
    cohort_status status = evaluate(global, local, offset, "");
    if (status != COHORT_OK)
        diag("%s", cohort_error_text());
    return status == COHORT_OK;
}

static bool gives(const char *global, const char *local)
{
    return gives_all(global, local, NULL);
}

static void fails_all(const char *global, const char *local, const char *offset,
                      const char *message)
{
    ok(evaluate(global, local, offset, ", replica 1 on opencl:0") == COHORT_EINVAL,
       "%s / %s / %s fails", global, local != NULL ? local : "nothing",
       offset != NULL ? offset : "nothing");
    is_text(cohort_error_text(), message, "and it is told why");
}

static void fails(const char *global, const char *local, const char *message)
{
    fails_all(global, local, NULL, message);
}

static bool is_1d(uint64_t global)
{
    return range->dims == 1 && range->global[0] == global;
}

/* ---- Errors */

static void test_bad_texts(void)
{
    begin("(int64_t n, int32_t k, float rate, const float x[n], int m COHORT_IS(2 * n), void *p)");
    refuses("n, q", NULL,
            "saxpy: 'q' is no integer parameter; constants of the program are not known here: "
            "write the number, or make it a parameter\nn, q\n   ^");
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
    refuses("n", "q",
            "'q' is no integer parameter; constants of the program are not known here: write the "
            "number, or make it a parameter\nq\n^");
    refuses("n", "", "expected a name");
    refuses_all(NULL, NULL, "n", "saxpy: an offset \"n\" without a global size");
    refuses_all("n", NULL, "n, n", "the offset \"n, n\" has 2 dimensions, the global size \"n\" 1");
    refuses_all("n, n", "1, 1", "k", "the offset \"k\" has 1 dimensions");
    refuses_all("n", NULL, "rate", "'rate' is no integer parameter\nrate\n^");
    refuses_all("n", "1", "", "expected a name");
    refuses_all("n", NULL, "k, k, k, k", "more than 3 dimensions");
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
    fails_all("n", NULL, "k - 1",
              "saxpy, replica 1 on opencl:0: the offset k - 1 (-1) must be at least 0");
    fails_all("n", NULL, "n / k", "saxpy, replica 1 on opencl:0: the offset n / k divides by 0");
    fails_all(
        "n, n", NULL, "0, 9223372036854775798",
        "saxpy, replica 1 on opencl:0: the offset 9223372036854775798 and the global size are "
        "more than 2^63 ids");
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
    ok(gives("n", NULL) && is_1d(10) && range->local[0] == 0,
       "a bound alone; the device chooses the local size");
    ok(gives("k", NULL) && is_1d(3), "an integer that the call passes");
    ok(gives("m", NULL) && is_1d(20), "a computed one");
    ok(gives("2 + 3 * n", NULL) && is_1d(32), "operators bind as in C");
    ok(gives("(2 + 3) * n - -1", NULL) && is_1d(51), "parentheses and signs");
    ok(gives("n / k", NULL) && is_1d(4), "division rounds up");
    ok(gives("(n + 3) / 4 * 4", NULL) && is_1d(16), "also in the middle");
    ok(gives("n / 4 * 4", "4") && is_1d(12) && range->local[0] == 4,
       "so this is the next multiple of the local size");
    ok(gives("n, 2 * k, 7", "5, k, 1") && range->dims == 3 && range->global[0] == 10 &&
           range->global[1] == 6 && range->global[2] == 7 && range->local[0] == 5 &&
           range->local[1] == 3 && range->local[2] == 1,
       "three dimensions, the fastest first");
    ok(gives(" n /* rows */ , k ", NULL) && range->dims == 2 && range->global[1] == 3,
       "blanks and comments do no harm");
    values[0] = 0;
    ok(gives("n", "4") && is_1d(0) && range->local[0] == 4, "no work-items are fine");
    values[0] = INT64_MAX;
    ok(gives("n, 0", NULL) && range->global[1] == 0, "in any dimension");
}

static void test_offsets(void)
{
    begin("(int64_t n, int32_t first, const float x[n])");
    values[0] = 10, values[1] = 3;
    ok(gives("n", NULL) && grid.offset[0] == 0, "ids begin at 0");
    ok(gives_all("n", NULL, "first") && is_1d(10) && grid.offset[0] == 3 && grid.offset[1] == 0,
       "or at a number of the call");
    ok(gives_all("n, 4, 2", "5, 2, 1", "2 * first, 0, n / first") && grid.offset[0] == 6 &&
           grid.offset[1] == 0 && grid.offset[2] == 4 && range->global[2] == 2 &&
           range->local[1] == 2,
       "of each dimension, beside sizes of groups");
    ok(gives_all("n", NULL, "9223372036854775797") &&
           grid.offset[0] == UINT64_C(9223372036854775797),
       "up to the last id that there is");
}

static void test_none(void)
{
    cohort_geometry geometry;
    const cohort_geometry_texts texts = { NULL, NULL, NULL };
    begin("(int64_t n, const float x[n])");
    ok(cohort_geometry_init(&geometry, signature, &texts) == COHORT_OK && geometry.dims == 0,
       "a body without geometry");
    ok(cohort_geometry_evaluate(&geometry, signature, "", values, &grid) == COHORT_OK &&
           range->dims == 0,
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
    test_offsets();
    test_none();
    cohort_signature_release(signature);
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
