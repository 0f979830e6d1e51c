/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that are left to CLBlast: libraries that are none first, then each order, batch and beta
 * beside three plain loops, extents of 0, what is never left to it, and what it fails with.
 *
 * CLBLAST=libclblast.so.1: with that library, whose kernels PoCL builds for a quarter of a minute
 * and more; else with one that has its functions (tests/clblast_plain.c). */
#include "config.h"

#include "tests/core.h"
#include "tests/product.h"

#include <cohort/matmul.h>

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

enum { G = 3, M = 5, N = 11, K = 17, MOST = G * 32 * 32 };

static const cohort_dtype dtypes[] = { COHORT_F32, COHORT_F64 };
static double memory[3][MOST], wanted[MOST];
static uint64_t seed = 48;

/* ------------------------------------------------------------------ wrong ones */

static bool is_refused(const char *library, const char *text)
{
    (void)setenv("COHORT_CLBLAST", library, 1);
    bool is = good(cohort_matmul_function(NULL) == NULL) && says(text);
    (void)unsetenv("COHORT_CLBLAST");
    return is;
}

static void test_wrong_libraries(void)
{
    ok(is_refused("/nowhere/libclblast.so", "COHORT_CLBLAST: library '/nowhere/libclblast.so'"),
       "a library that is not there is an error");
    ok(is_refused("./libclblast.so", "expected an absolute path"),
       "and one of whatever folder is the current one");
    ok(is_refused("libc.so.6", "COHORT_CLBLAST: libc.so.6 has no symbol 'CLBlast"),
       "and one that is no CLBlast");
    (void)setenv("COHORT_CLBLAST", "/nowhere/libclblast.so", 1);
    ok(cohort_matmul_function(&(cohort_matmul_options){ .reproducible = true }) != NULL &&
           cohort_matmul_function(&(cohort_matmul_options){ .dtype = COHORT_F16 }) != NULL,
       "which reproducible products and those of 16 bits do not ask for");
}

static bool is_left_to_it(const cohort_matmul_options *o)
{
    const cohort_function *f = cohort_matmul_function(o);
    return f != NULL && f->more != NULL && strcmp(f->more->format, "opencl.enqueue") == 0;
}

static void test_what_is_left(void)
{
    ok(is_left_to_it(NULL) && is_left_to_it(&(cohort_matmul_options){ .dtype = COHORT_F64 }),
       "products of float32 and float64 are left to the library");
    ok(!is_left_to_it(&(cohort_matmul_options){ .reproducible = true }) &&
           !is_left_to_it(&(cohort_matmul_options){ .dtype = COHORT_F16 }) &&
           !is_left_to_it(&(cohort_matmul_options){ .dtype = COHORT_BF16 }),
       "reproducible ones are not, nor those of 16 bits");
}

/* ------------------------------------------------------------------ on a device */

/* Operands and c, which is written and read by the call. */
typedef struct trial {
    product_case x;
    cohort_matmul_options options;
    int64_t g;
} trial;

static trial trial_of(int bits, cohort_dtype dtype, double alpha, double beta)
{
    bool is_batch = (bits & (4 + 8)) != 0;
    return (trial){ { dtype, bits & 1, bits & 2, M, N, K, alpha, beta },
                    { .dtype = dtype,
                      .transpose_a = bits & 1,
                      .transpose_b = bits & 2,
                      .batch_a = bits & 4,
                      .batch_b = bits & 8,
                      .accumulate = bits & 16 },
                    is_batch ? G : 1 };
}

static cohort_array array_of(const trial *t, void *data, bool is_batch, int64_t rows,
                             int64_t columns)
{
    return is_batch ? (cohort_array){ .data = data,
                                      .dtype = t->x.dtype,
                                      .rank = 3,
                                      .shape = { t->g, rows, columns } }
                    : (cohort_array){
                          .data = data, .dtype = t->x.dtype, .rank = 2, .shape = { rows, columns }
                      };
}

static cohort_array a_of(const trial *t)
{
    const product_case *x = &t->x;
    return array_of(t, memory[0], t->options.batch_a, x->turn_a ? x->k : x->m,
                    x->turn_a ? x->m : x->k);
}

static cohort_array b_of(const trial *t)
{
    const product_case *x = &t->x;
    return array_of(t, memory[1], t->options.batch_b, x->turn_b ? x->n : x->k,
                    x->turn_b ? x->k : x->n);
}

static cohort_array c_of(const trial *t)
{
    return array_of(t, memory[2], t->g > 1, t->x.m, t->x.n);
}

static char *at(void *data, const product_case *x, int64_t elements)
{
    return (char *)data + elements * cohort_dtype_bytes(x->dtype);
}

static void define(const trial *t)
{
    const product_case *x = &t->x;
    memcpy(wanted, memory[2], sizeof wanted);
    for (int64_t i = 0; i < t->g; i++)
        product_define(x, at(memory[0], x, t->options.batch_a ? i * x->m * x->k : 0),
                       at(memory[1], x, t->options.batch_b ? i * x->k * x->n : 0),
                       at(wanted, x, i * x->m * x->n));
}

/* Within what two orders of additions may differ by, as tests/matmul.c has it. */
static bool is_near(const trial *t)
{
    const double unit = t->x.dtype == COHORT_F64 ? 0x1p-53 : 0x1p-24;
    const double most = 2 * unit * (double)((t->x.k + 3) * (t->x.k + 3)) * 2;
    bool is = true;
    for (int64_t i = 0; i < t->g * t->x.m * t->x.n && is; i++)
        is = good(fabs(product_get(t->x.dtype, memory[2], i) -
                       product_get(t->x.dtype, wanted, i)) <= most);
    return is;
}

static cohort_status multiply(cohort_strategy *s, const trial *t)
{
    cohort_value *a = cohort_value_plain(s, a_of(t)), *b = cohort_value_plain(s, b_of(t)),
                 *c = t->options.accumulate ? cohort_value_split(s, c_of(t))
                                            : cohort_value_create(s);
    cohort_status status = t->options.accumulate
                               ? cohort_matmul(s, &t->options, t->x.alpha, a, b, t->x.beta, c)
                               : cohort_matmul(s, &t->options, t->x.alpha, a, b, c);
    if (status >= 0)
        status = cohort_wait(s);
    if (status >= 0) {
        cohort_array out;
        status = (cohort_status)cohort_local_results(c, &out, 1);
        const size_t bytes = (size_t)(t->g * t->x.m * t->x.n * cohort_dtype_bytes(t->x.dtype));
        if (status >= 0 && bytes > 0)
            memcpy(memory[2], out.data, bytes);
    }
    cohort_value_destroy(a);
    cohort_value_destroy(b);
    cohort_value_destroy(c);
    return status;
}

static bool is_right(cohort_strategy *s, const trial *t)
{
    define(t);
    bool is = good(multiply(s, t) >= 0) && is_near(t);
    if (!is)
        diag("%s, turned %d %d, batches %d %d, adds %d", cohort_dtype_name(t->x.dtype), t->x.turn_a,
             t->x.turn_b, t->options.batch_a, t->options.batch_b, t->options.accumulate);
    return is;
}

static void fill(cohort_dtype dtype)
{
    for (int i = 0; i < 3; i++)
        product_fill(dtype, memory[i], dtype == COHORT_F32 ? 2 * MOST : MOST, &seed);
}

static void test_products(cohort_strategy *s)
{
    bool is = true;
    for (int bits = 0; bits < 32; bits++)
        for (int i = 0; i < 2; i++) {
            const trial t = trial_of(bits, dtypes[i], bits & 16 ? 0.7 : 1, bits & 16 ? -1.3 : 0);
            fill(dtypes[i]);
            is = is_right(s, &t) && is;
        }
    ok(is, "each order, batch and beta is as near as its roundings allow");
}

/* NaN in c, of which beta 0 takes no notice, and sums without terms. */
static void test_edges(cohort_strategy *s)
{
    bool ignores = true, is_zero = true, is_scaled = true, is_nothing = true;
    for (int i = 0; i < 2; i++) {
        trial t = trial_of(16, dtypes[i], 1, 0);
        fill(dtypes[i]);
        product_put(dtypes[i], memory[2], 3, (double)NAN);
        ignores = is_right(s, &t) && ignores;
        product_put(dtypes[i], memory[2], 3, (double)NAN);
        t.x.k = 0;
        is_zero = is_right(s, &t) && is_zero;
        t.x.beta = 0.5;
        fill(dtypes[i]);
        is_scaled = is_right(s, &t) && is_scaled;
        t.x.m = 0;
        t.x.k = K;
        is_nothing = good(multiply(s, &t) >= 0) && is_nothing;
    }
    ok(ignores, "with beta 0 the numbers of c are not looked at");
    ok(is_zero, "a sum without terms is 0");
    ok(is_scaled, "or beta c");
    ok(is_nothing, "and no rows are nothing to do");
}

static void test_too_large(void)
{
    typedef cohort_status (*body)(void *queue, int64_t m, int64_t n, int64_t k, int64_t g,
                                  int32_t kind, float alpha, void *a, void *b, void *c);
    body f = (body)cohort_matmul_function(NULL)->more->fn;
    const int64_t half = INT64_C(1) << 16;
    ok(f(NULL, half, half, 1, 1, 0, 1, NULL, NULL, NULL) == COHORT_ENOTSUP &&
           f(NULL, half, 1, half, 1, 0, 1, NULL, NULL, NULL) == COHORT_ENOTSUP &&
           f(NULL, 1, half, half, 1, 0, 1, NULL, NULL, NULL) == COHORT_ENOTSUP &&
           f(NULL, half, 1, 1, half, 0, 1, NULL, NULL, NULL) == COHORT_ENOTSUP &&
           f(NULL, 1, 1, 2 * half * half, 1, 0, 1, NULL, NULL, NULL) == COHORT_ENOTSUP,
       "matrices of 2^31 elements are refused");
}

/* What the plain library answers. */
static void test_answers(cohort_strategy *s)
{
    static const struct {
        int answer;
        cohort_status status;
    } all[] = { { -4, COHORT_ENOMEM },    { -5, COHORT_ENOMEM },     { -6, COHORT_ENOMEM },
                { -11, COHORT_EBUILD },   { -2044, COHORT_ENOTSUP }, { -1022, COHORT_EINTERNAL },
                { -38, COHORT_EINTERNAL } };
    bool is = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const trial t = trial_of(0, COHORT_F32, all[i].answer, 0);
        is = good(multiply(s, &t) == all[i].status) && says("matmul") && is;
        is = good(cohort_strategy_recover(s) == COHORT_OK) && is;
    }
    const trial fine = trial_of(0, COHORT_F32, 1, 0);
    fill(COHORT_F32);
    ok(is, "what it answers fails the call");
    ok(is_right(s, &fine), "and the strategy recovers");
}

/* ------------------------------------------------------------------ which library */

static void test_device(int *calls)
{
    cohort_strategy *s = cohort_one_device("opencl:0");
    if (s == NULL) {
        skip("products on OpenCL", "there is no OpenCL device");
        return;
    }
    test_products(s);
    test_edges(s);
    if (calls != NULL) {
        ok(*calls > 64, "all by the library");
        test_answers(s);
    }
    cohort_strategy_destroy(s);
}

int main(void)
{
    const char *real = getenv("CLBLAST"), *builddir = getenv("builddir");
    char plain[4096];
    test_wrong_libraries();
    (void)snprintf(plain, sizeof plain, "%s/tests/.libs/clblast_plain.so",
                   builddir != NULL ? builddir : ".");
    void *library = dlopen(real != NULL ? real : plain, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        skip("products by CLBlast", dlerror());
        return tap_done();
    }
    (void)setenv("COHORT_CLBLAST", real != NULL ? real : plain, 1);
    test_what_is_left();
    test_too_large();
    test_device(real != NULL ? NULL : (int *)dlsym(library, "clblast_plain_calls"));
    return tap_done();
}
