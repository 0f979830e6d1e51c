/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of matrices by cohort_matmul: wrong ones first, then each dtype, order of rows and batch
 * on all kinds of devices beside three plain loops, bit by bit; in recorded steps, step functions
 * and updates; and those that are left to BLAS. */
#include "config.h"

#include "tests/core.h"
#include "tests/product.h"

#include <cohort/matmul.h>

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { G = 3, MOST = G * 200 * 100 }; /* doubles, or twice as many floats */

static cohort_array array_of(cohort_dtype dtype, const void *data, int32_t rank, int64_t g,
                             int64_t rows, int64_t columns)
{
    cohort_array array = { .data = (void *)(uintptr_t)data, .dtype = dtype, .rank = rank };
    int64_t *shape = array.shape;
    if (rank == 3)
        *shape++ = g;
    shape[0] = rows;
    shape[1] = columns;
    return array;
}

/* ------------------------------------------------------------------ wrong ones */

static bool is_none(const cohort_matmul_options *options, const char *text)
{
    const cohort_function *f = cohort_matmul_function(options);
    return good(f == NULL) && says(text);
}

static void test_options(void)
{
    cohort_matmul_options o = { .dtype = COHORT_I32 };
    ok(is_none(&o, "there is no product of int32; take float32, float64, float16, bfloat16"),
       "other dtypes are refused");
    o = (cohort_matmul_options){ .reserved = { [13] = 1 } };
    ok(is_none(&o, "reserved[13]"), "reserved bytes are refused");
    o = (cohort_matmul_options){ .transpose_a = true, .reproducible = true };
    ok(cohort_matmul_function(&o) == cohort_matmul_function(&o) &&
           cohort_matmul_function(&o) != NULL,
       "the same options are the same function");
    ok(strcmp(cohort_matmul_function(NULL)->name, "matmul") == 0, "which is called matmul");
}

/* A library that there is not, at the first use. */
static void test_no_library(void)
{
    (void)setenv("COHORT_BLAS", "/nowhere/libblas.so", 1);
    ok(is_none(NULL, "COHORT_BLAS: library '/nowhere/libblas.so'"),
       "a library of COHORT_BLAS that is not there is an error");
    ok(cohort_matmul_function(&(cohort_matmul_options){ .reproducible = true }) != NULL,
       "which reproducible products do not ask for");
    (void)setenv("COHORT_BLAS", "libc.so.6", 1);
    ok(is_none(NULL, "no symbol 'cblas_sgemm'"), "so is one that is no BLAS");
    (void)setenv("COHORT_BLAS", "./libblas.so", 1);
    ok(is_none(NULL, "COHORT_BLAS: library './libblas.so': expected an absolute path"),
       "and one of whatever folder is the current one");
    (void)unsetenv("COHORT_BLAS");
}

/* Says of itself what OpenBLAS, or BLIS, does that is built for integers of 64 bits. */
static bool is_refused_with(const char *of_itself)
{
    static const char products[] = "void cblas_sgemm(void) {} void cblas_dgemm(void) {}";
    const char *builddir = getenv("builddir");
    char file[4096], command[4400];
    (void)snprintf(file, sizeof file, "%s/cohort-blas-XXXXXX.so",
                   builddir != NULL && builddir[0] == '/' ? builddir : "/tmp");
    int fd = mkstemps(file, 3);
    (void)snprintf(command, sizeof command,
                   "printf '%%s' '%s %s' | ${CC:-cc} -shared -fPIC -xc - -o '%s'", products,
                   of_itself, file);
    bool is_built = fd >= 0 && close(fd) == 0 && good(system(command) == 0);
    (void)setenv("COHORT_BLAS", file, 1);
    bool is = is_built && is_none(NULL, "has integers of 64 bits; take the one");
    (void)unsetenv("COHORT_BLAS");
    return unlink(file) == 0 && is;
}

static void test_long_integers(void)
{
    if (system("${CC:-cc} --version >/dev/null 2>&1") != 0) {
        skip("libraries with integers of 64 bits", "no C compiler makes one here ($CC)");
        return;
    }
    ok(is_refused_with("const char *openblas_get_config(void)"
                       "{ return \"OpenBLAS 0.3.21 USE64BITINT\"; }"),
       "an OpenBLAS with integers of 64 bits is refused");
    ok(is_refused_with("long bli_info_get_blas_int_type_size(void) { return 64; }"),
       "and such a BLIS");
}

/* In a process of its own, since it is decided once. */
static void test_off(void)
{
    pid_t child = fork();
    int state = -1;
    if (child == 0) {
        (void)setenv("COHORT_BLAS", "off", 1);
        _exit(cohort_matmul_function(NULL) ==
                      cohort_matmul_function(&(cohort_matmul_options){ .reproducible = true })
                  ? 0
                  : 1);
    }
    ok(child > 0 && waitpid(child, &state, 0) == child && state == 0,
       "with COHORT_BLAS=off there is one product");
}

static void test_calls(void)
{
    static const float x[2 * 3 * 4] = { 1 };
    static const double d[12];
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .replicas = 2 });
    cohort_value *a = cohort_value_plain(s, COHORT_ARRAY(x, 2, 3)),
                 *b = cohort_value_plain(s, COHORT_ARRAY(x, 4, 2)),
                 *fits = cohort_value_plain(s, COHORT_ARRAY(x, 3, 4)),
                 *doubles = cohort_value_plain(s, COHORT_ARRAY(d, 3, 4)),
                 *batch = cohort_value_plain(s, COHORT_ARRAY(x, 2, 3, 4)),
                 *c = cohort_value_create(s);
    const cohort_matmul_options adds = { .accumulate = true },
                                both = { .batch_a = true, .batch_b = true };
    ok(refused_for(s, "k is 3 columns of a but 4 rows of b", cohort_matmul(s, NULL, 1, a, b, c)),
       "inner extents that differ are refused, with both");
    ok(refused(s, COHORT_EINVAL, cohort_matmul(s, NULL, 1, a, doubles, c)), "and another dtype");
    ok(refused(s, COHORT_EINVAL, cohort_matmul(s, NULL, 1, a, batch, c)), "and another rank");
    ok(refused(s, COHORT_EINVAL, cohort_matmul(s, NULL, 1, a, fits, a)), "and c that is a");
    ok(refused(s, COHORT_EINVAL, cohort_matmul(s, &adds, 1, a, fits, 1, c)),
       "and to add to what is not written");
    ok(refused(s, COHORT_EINVAL, cohort_matmul(s, NULL, 1, a, fits, 1, c)),
       "and a beta without accumulate");
    ok(refused(s, COHORT_EINVAL, cohort_matmul(s, &both, 1, batch, batch, c)),
       "and matrices of a batch that do not fit");
    ok(refused_for(s,
                   "the function is NULL, because of an earlier error: cohort_matmul_function: "
                   "there is no product of int8",
                   cohort_matmul(s, &(cohort_matmul_options){ .dtype = COHORT_I8 }, 1, a, fits, c)),
       "and a function that there is not, with the reason");
    ok(cohort_value_kind_of(c) == COHORT_EMPTY_VALUE, "and nothing has changed");
    ok(good(cohort_matmul(s, NULL, 1, a, fits, c) == COHORT_OK) &&
           good(cohort_wait(s) == COHORT_OK),
       "what is right is done");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ on devices */

/* Replica r has r rows more than x says. a is per replica, b all replicas have. */
typedef struct trial {
    product_case x;
    cohort_matmul_options options;
} trial;

static double memory_a[8][MOST], memory_b[MOST], memory_c[8][MOST], wanted[8][MOST];
static uint64_t seed;

static cohort_array a_of(const trial *t, int r)
{
    const product_case *x = &t->x;
    int64_t m = x->m + r;
    return array_of(x->dtype, memory_a[r], t->options.batch_a ? 3 : 2, G, x->turn_a ? x->k : m,
                    x->turn_a ? m : x->k);
}

static cohort_array c_of(const trial *t, int r)
{
    bool is_batch = t->options.batch_a || t->options.batch_b;
    return array_of(t->x.dtype, memory_c[r], is_batch ? 3 : 2, G, t->x.m + r, t->x.n);
}

static char *at(void *data, const product_case *x, int64_t elements)
{
    return (char *)data + elements * cohort_dtype_bytes(x->dtype);
}

static void prepare(const trial *t, int r)
{
    product_case x = t->x;
    const cohort_matmul_options *o = &t->options;
    x.m += r;
    product_fill(x.dtype, memory_a[r], G * x.m * x.k, &seed);
    product_fill(x.dtype, memory_c[r], G * x.m * x.n, &seed);
    memcpy(wanted[r], memory_c[r], sizeof wanted[r]);
    for (int i = 0; i < (o->batch_a || o->batch_b ? G : 1); i++)
        product_define(&x, at(memory_a[r], &x, o->batch_a ? i * x.m * x.k : 0),
                       at(memory_b, &x, o->batch_b ? i * x.k * x.n : 0),
                       at(wanted[r], &x, i * x.m * x.n));
}

/* c of each replica; NULL: refused. */
static cohort_value *multiply(cohort_strategy *s, int replicas, const trial *t)
{
    const product_case *x = &t->x;
    cohort_array as[8], cs[8];
    product_fill(x->dtype, memory_b, G * x->k * x->n, &seed);
    for (int r = 0; r < replicas; r++) {
        prepare(t, r);
        as[r] = a_of(t, r);
        cs[r] = c_of(t, r);
    }
    cohort_value *a = cohort_value_per_replica_list(s, as, replicas),
                 *b = cohort_value_plain(s, array_of(x->dtype, memory_b, t->options.batch_b ? 3 : 2,
                                                     G, x->turn_b ? x->n : x->k,
                                                     x->turn_b ? x->k : x->n)),
                 *c = t->options.accumulate ? cohort_value_per_replica_list(s, cs, replicas)
                                            : cohort_value_create(s);
    cohort_status status = t->options.accumulate
                               ? cohort_matmul(s, &t->options, x->alpha, a, b, x->beta, c)
                               : cohort_matmul(s, &t->options, x->alpha, a, b, c);
    return status == COHORT_OK ? c : NULL;
}

static bool is_wanted(const trial *t, int replicas, cohort_value *c)
{
    cohort_array out[8];
    bool is = good(c != NULL) && good(cohort_local_results(c, out, 8) == replicas);
    for (int r = 0; r < replicas && is; r++)
        is = good(memcmp(out[r].data, wanted[r],
                         (size_t)(cohort_array_items(&out[r]) * cohort_dtype_bytes(t->x.dtype))) ==
                  0);
    if (!is)
        diag("%s, turned %d %d, batches %d %d, adds %d", cohort_dtype_name(t->x.dtype), t->x.turn_a,
             t->x.turn_b, t->options.batch_a, t->options.batch_b, t->options.accumulate);
    return is;
}

static trial trial_of(int bits, cohort_dtype dtype)
{
    bool adds = bits & 16;
    return (trial){ { dtype, bits & 1, bits & 2, 5, 11, 17, adds ? 0.7 : 1, adds ? -1.3 : 0 },
                    { .dtype = dtype,
                      .transpose_a = bits & 1,
                      .transpose_b = bits & 2,
                      .batch_a = bits & 4,
                      .batch_b = bits & 8,
                      .accumulate = adds,
                      .reproducible = true } };
}

static bool has_bits_of(cohort_strategy *s, int replicas, int bits, cohort_dtype dtype)
{
    const trial t = trial_of(bits, dtype);
    return is_wanted(&t, replicas, multiply(s, replicas, &t));
}

/* Each option of each dtype, though not all together: drivers build each kernel anew. */
static bool has_bits(cohort_strategy *s, int replicas)
{
    static const int some[] = { 0, 1 + 8, 2 + 16, 1 + 2 + 4, 2 + 4 + 8 + 16 };
    bool is = true;
    for (int i = 0; i < PRODUCT_DTYPES && is; i++)
        for (size_t k = 0; k < sizeof some / sizeof *some && is; k++)
            is = has_bits_of(s, replicas, some[k], product_dtypes[i]);
    return is;
}

static void test_all(void)
{
    cohort_strategy *s = cohort_one_device("host");
    bool is = true;
    for (int i = 0; i < PRODUCT_DTYPES && is; i++)
        for (int bits = 0; bits < 32 && is; bits++)
            is = has_bits_of(s, 1, bits, product_dtypes[i]);
    ok(is, "each dtype, order and batch has the bits of three loops");
    cohort_strategy_destroy(s);
}

/* So many rows that the threads of a device divide them; again and again, since it learns. */
static void test_threads(void)
{
    cohort_strategy *s = cohort_one_device("host");
    trial t = trial_of(0, COHORT_F32);
    bool is = true;
    t.x.m = t.x.n = t.x.k = 190;
    for (int i = 0; i < 6; i++)
        is = is_wanted(&t, 1, multiply(s, 1, &t)) && is;
    t = trial_of(4, COHORT_F64);
    t.x.m = t.x.n = t.x.k = 110;
    for (int i = 0; i < 6; i++)
        is = is_wanted(&t, 1, multiply(s, 1, &t)) && is;
    ok(is, "so have products that the threads of a device share");
    cohort_strategy_destroy(s);
}

static void test_opencl(void)
{
    static const char claim[] = "so has %s";
    int n = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0) {
            cohort_strategy *s = cohort_strategy_create(
                &(cohort_strategy_options){ .devices = cohort_device_id(d), .replicas = 2 });
            ok(good(s != NULL) && has_bits(s, 2), claim, cohort_device_id(d));
            cohort_strategy_destroy(s);
            n++;
        }
    if (n == 0)
        skip("OpenCL has the same bits", "no OpenCL device");
}

/* ------------------------------------------------------------------ extents of 0 */

static void test_zero(void)
{
    static const float none[1], one[6] = { 1, 2, 3, 4, 5, 6 };
    float c[6] = { NAN, NAN, NAN, NAN, NAN, NAN };
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .replicas = 2 });
    cohort_value *z = cohort_value_create(s),
                 *rows = cohort_value_split(s, COHORT_ARRAY(one, 1, 3)),
                 *w = cohort_value_plain(s, COHORT_ARRAY(one, 3, 2)),
                 *thin = cohort_value_plain(s, COHORT_ARRAY(none, 2, 0)),
                 *flat = cohort_value_plain(s, COHORT_ARRAY(none, 0, 3)),
                 *e = cohort_value_split(s, COHORT_ARRAY(one, 1, 2)), *sum = cohort_value_create(s);
    const cohort_matmul_options turn = { .transpose_a = true, .reproducible = true };
    ok(good(cohort_matmul(s, NULL, 1, rows, w, z) == COHORT_OK) &&
           good(cohort_value_rows(z, 0) == 1) && good(cohort_value_rows(z, 1) == 0) &&
           good(cohort_value_read(z, COHORT_ARRAY(c, 1, 2)) == COHORT_OK) && good(c[0] == 22) &&
           good(c[1] == 28),
       "a replica without rows has none of the product");
    ok(good(cohort_matmul(s, &turn, 1, rows, e, z) == COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, z, COHORT_NO_AXIS, sum) == COHORT_OK) &&
           good(cohort_value_read(sum, COHORT_ARRAY(c, 3, 2)) == COHORT_OK) && good(c[5] == 6),
       "and adds nothing to a sum of products");
    ok(good(cohort_matmul(s, &(cohort_matmul_options){ .reproducible = true }, 1, thin, flat, z) ==
            COHORT_OK) &&
           good(cohort_value_rows(z, 0) == 2),
       "a sum without terms");
    cohort_array out[2];
    ok(good(cohort_local_results(z, out, 2) == 2) && good(((float *)out[0].data)[5] == 0), "is 0");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ wherever functions are */

typedef struct step {
    cohort_strategy *s;
    cohort_value *a, *b, *c;
    cohort_variable *w;
} step;

static const cohort_matmul_options same = { .reproducible = true };
static const cohort_matmul_options grows = { .accumulate = true, .reproducible = true };

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    const step *x = user;
    return cohort_matmul(s, &same, 1, x->a, x->b, x->c);
}

static cohort_status run_replica(cohort_replica *me, void *user)
{
    const step *x = user;
    return cohort_replica_run(me, cohort_matmul_function(&same), 2, x->a, x->b, x->c);
}

/* c is x times a b. */
static bool is_times(cohort_value *c, float x)
{
    float out[4];
    return good(cohort_value_read(c, COHORT_ARRAY(out, 2, 2)) == COHORT_OK) &&
           good(out[0] == x * 19) && good(out[1] == x * 22) && good(out[2] == x * 43) &&
           good(out[3] == x * 50);
}

static bool goes_anywhere(cohort_strategy *s, int replicas)
{
    static const float a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };
    float out[4];
    step x = { s, cohort_value_split(s, COHORT_ARRAY(a, 2, 2)),
               cohort_value_plain(s, COHORT_ARRAY(b, 2, 2)), cohort_value_create(s),
               cohort_variable_create(s, "w", COHORT_ARRAY(a, 2, 2), NULL) };
    cohort_program *program = cohort_program_record(s, record, &x, NULL, 0);
    (void)replicas;
    return good(program != NULL) && good(cohort_program_run(program, NULL, 3) == COHORT_OK) &&
           is_times(x.c, 1) && good(cohort_for_each_replica(s, run_replica, &x) == COHORT_OK) &&
           is_times(x.c, 2) &&
           good(cohort_update(x.w, cohort_matmul_function(&grows), 1, COHORT_ARRAY(a, 2, 2), x.b, 2,
                              x.w) == COHORT_OK) &&
           good(cohort_variable_read(x.w, COHORT_ARRAY(out, 2, 2)) == COHORT_OK) &&
           good(out[0] == 19 + 2) && good(out[3] == 50 + 8);
}

/* ------------------------------------------------------------------ BLAS */

/* Within what both orders of additions may differ by: k roundings of sums below k. Source: Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.5. */
static bool is_near(const trial *t, cohort_value *c)
{
    cohort_array out[1];
    const double unit = t->x.dtype == COHORT_F64 ? 0x1p-53 : 0x1p-24;
    double most = 2 * unit * (double)((t->x.k + 3) * (t->x.k + 3)) * 2;
    bool is = good(c != NULL) && good(cohort_local_results(c, out, 1) == 1);
    for (int64_t i = 0; i < t->x.m * t->x.n && is; i++)
        is = good(fabs(product_get(t->x.dtype, out[0].data, i) -
                       product_get(t->x.dtype, wanted[0], i)) <= most);
    return is;
}

static void test_fast(void)
{
    const cohort_matmul_options fast = { 0 }, strict = { .reproducible = true };
    cohort_strategy *s = cohort_one_device("host");
    bool is = true;
    for (int bits = 0; bits < 32; bits++)
        for (int i = 0; i < 2; i++) {
            trial t = trial_of(bits, product_dtypes[i]);
            t.options.reproducible = false;
            t.x.m = 40;
            is = is_near(&t, multiply(s, 1, &t)) && is;
        }
    diag("products that need not be reproducible are %s",
         cohort_matmul_function(&fast) == cohort_matmul_function(&strict) ? "Cohort's"
                                                                          : "those of a BLAS");
    ok(is, "those that need not be reproducible are as near as their roundings allow");
    const cohort_matmul_options half = { .dtype = COHORT_F16 },
                                strict_half = { .dtype = COHORT_F16, .reproducible = true };
    ok(cohort_matmul_function(&half) == cohort_matmul_function(&strict_half),
       "of 16 bits there is one product");
    cohort_strategy_destroy(s);
}

/* What drivers and libraries start, and what is known of each function, stays: the second time
 * nothing does. */
static void test_leaks(void)
{
    const core_live warm = core_live_now();
    core_everywhere(goes_anywhere, "and again");
    test_fast();
    core_no_leak(warm);
}

int main(void)
{
    seed = 2026;
    test_off();
    test_no_library();
    test_long_integers();
    test_options();
    test_calls();
    if (HAS_EQUAL_BITS) {
        test_all();
        core_everywhere(has_bits, "on devices of every kind");
        test_threads();
        test_opencl();
    } else {
        skip("products have the bits of three loops", UNEQUAL_BITS);
    }
    test_zero();
    core_everywhere(goes_anywhere, "recorded steps, step functions and updates take it");
    test_fast();
    test_leaks();
    return tap_done();
}
