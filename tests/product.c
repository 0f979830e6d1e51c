/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocked product of the host beside three plain loops: each set of instructions, type and
 * order of rows, extents around those of tiles and blocks, any part of c, and short memory. */
#include "config.h"

#include "runtime/matmul/product.h"
#include "tests/product.h"
#include "tests/sanitized.h"
#include "tests/tap.h"
#if !IS_SANITIZED
#include "tests/short_memory.h"
#endif

#include <cohort/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300000 };
static double a[MOST], b[MOST], c[MOST], wanted[MOST];
static uint64_t seed = 1;

static cohort_product product_of(const product_case *x)
{
    return (cohort_product){ .dtype = x->dtype,
                             .a = a,
                             .b = b,
                             .c = c,
                             .n = x->n,
                             .k = x->k,
                             .a_row = x->turn_a ? 1 : x->k,
                             .a_column = x->turn_a ? x->m : 1,
                             .b_row = x->turn_b ? 1 : x->n,
                             .b_column = x->turn_b ? x->k : 1,
                             .alpha = x->alpha,
                             .beta = x->beta };
}

static void prepare(const product_case *x)
{
    product_fill(x->dtype, a, x->m * x->k, &seed);
    product_fill(x->dtype, b, x->k * x->n, &seed);
    product_fill(x->dtype, c, x->m * x->n, &seed);
    memcpy(wanted, c, sizeof c);
    product_define(x, a, b, wanted);
}

/* Also what is behind c. */
static bool is_equal(const product_case *x, const char *what)
{
    bool is = memcmp(c, wanted, sizeof c) == 0;
    if (!is)
        diag("%s: %s, turned %d %d, m %d n %d k %d", what, cohort_dtype_name(x->dtype), x->turn_a,
             x->turn_b, (int)x->m, (int)x->n, (int)x->k);
    return is;
}

static bool is_defined(const cohort_product_set *set, const product_case *x)
{
    prepare(x);
    const cohort_product p = product_of(x);
    cohort_product_compute(set, &p, 0, x->m, 0, x->n);
    return is_equal(x, set->name);
}

/* 1, and a bit less and more than tiles and blocks have. */
static const int64_t extents[][3] = { { 1, 1, 1 },   { 1, 33, 7 },   { 7, 1, 3 },
                                      { 4, 8, 0 },   { 13, 17, 5 },  { 12, 32, 256 },
                                      { 25, 65, 9 }, { 6, 16, 257 }, { 61, 10, 64 } };
static const int64_t large[][3] = { { 205, 260, 130 }, { 97, 193, 270 }, { 400, 3, 20 } };

static bool are_defined(const cohort_product_set *set, const int64_t (*list)[3], size_t n)
{
    bool are = true;
    for (size_t i = 0; i < n; i++)
        for (int bits = 0; bits < 8 * PRODUCT_DTYPES; bits++) {
            const product_case x = { product_dtypes[bits / 8],
                                     bits & 1,
                                     bits & 2,
                                     list[i][0],
                                     list[i][1],
                                     list[i][2],
                                     bits & 4 ? 0.3 : 1,
                                     bits & 4 ? -1.7 : 0 };
            are = is_defined(set, &x) && are;
        }
    return are;
}

static void test_sets(void)
{
    for (const cohort_product_set *set = cohort_product_sets; set->name != NULL; set++) {
        if (!set->is_usable()) {
            skip(set->name, "this machine has no such instructions");
            continue;
        }
        ok(are_defined(set, extents, sizeof extents / sizeof *extents),
           "%s: each bit is that of three loops", set->name);
        ok(are_defined(set, large, sizeof large / sizeof *large), "%s: and in several blocks",
           set->name);
    }
}

/* Into ranges of rows and columns, which begin anywhere. */
static void test_parts(void)
{
    const product_case x = { COHORT_F32, false, true, 41, 53, 77, 1, 0 };
    bool is = true;
    for (int64_t step = 1; step < 60; step += 13) {
        prepare(&x);
        const cohort_product p = product_of(&x);
        for (int64_t i = 0; i < x.m; i += step)
            for (int64_t j = 0; j < x.n; j += 20)
                cohort_product_compute(NULL, &p, i, i + step < x.m ? step : x.m - i, j,
                                       j + 20 < x.n ? 20 : x.n - j);
        is = is_equal(&x, "parts") && is;
    }
    ok(is, "however c is divided, its bits are the same");
}

static void test_nan(void)
{
    const product_case x = { COHORT_F32, false, false, 2, 2, 0, 1, 0 };
    const cohort_product p = product_of(&x);
    float *of = (float *)c;
    for (int i = 0; i < 4; i++)
        of[i] = NAN;
    cohort_product_compute(NULL, &p, 0, 2, 0, 2);
    ok(of[0] == 0 && of[3] == 0, "with beta 0 a NaN of c is not looked at");
}

#if !IS_SANITIZED
static void test_short_memory(void)
{
    const product_case cases[] = { { COHORT_F32, true, false, 205, 300, 500, 1, 0.5 },
                                   { COHORT_F64, false, true, 97, 193, 515, 2, 0 } };
    bool is = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        prepare(&cases[i]);
        const cohort_product p = product_of(&cases[i]);
        atomic_store(&was_refused, false);
        atomic_store(&left, 1);
        cohort_product_compute(NULL, &p, 0, cases[i].m, 0, cases[i].n);
        atomic_store(&left, -1);
        is = is_equal(&cases[i], "short of memory") && atomic_load(&was_refused) && is;
    }
    ok(is, "without memory it is done in smaller blocks, with equal bits");
}
#else
static void test_short_memory(void)
{
    skip("without memory it is done in smaller blocks", "the sanitizer has the allocator");
}
#endif

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    test_sets();
    test_parts();
    test_nan();
    test_short_memory();
    return tap_done();
}
