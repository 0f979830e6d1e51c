/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros, constants, tables and functions of the program in bodies: the host and every OpenCL
 * device compute the same bits of them, and each name that is a macro in C is there. Compiled as C,
 * with <tgmath.h>, and as C++. */
#include "config.h"

#include <cohort/cohort.h>
#include <cohort/math.h>

#ifdef WITH_TGMATH
#include <tgmath.h>
#endif
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/tap.h"

#define ROW 16
enum { N = 512, ALL = N * ROW };

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* ---- Of the program */

#define RATE 0.1f
#define SQ(x) ((x) * (x))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define ROWS(n) ((n) / 1)
#define EACH(OF, UP_TO) for (int OF = 0; OF < (UP_TO); OF++)
#define expf cohort_expf /* what the host calls, a kernel calls */
#define IS_ODD(x) (isnan(SQ(x)) || (signbit(x) != 0 && isfinite(LARGER(x, -RATE))))
#define TAPS 3

COHORT_CONSTANT(float, threshold, RATE * 5);
COHORT_CONSTANT(double, third, 1.0 / 3);
COHORT_CONSTANT(uint8_t, mask, 0x1f);
COHORT_TABLE(float, weights, [TAPS], { 0.25f, RATE, -1 / 3.0f });
COHORT_TABLE(int32_t, grid, [][2], {
    { 1, INT32_MIN },
    {
        3, INT16_MAX
    }
});
COHORT_TABLE(double, limits, [3], { DBL_MAX, INFINITY, -HUGE_VAL });
COHORT_STRUCT(pair, {
    float a;
    int32_t b;
});
COHORT_STRUCT(inner, { int32_t c[2]; });
COHORT_STRUCT(outer, {
    inner of[2];
    double d;
});
COHORT_HELPER(float, soften, (float x), { return x > threshold ? x - threshold : 0; });
COHORT_HELPER(float, clamp, (float x, float low, float high), {
    return x < low ? low : x > high ? high : soften(x);
});
COHORT_HELPER(int32_t, digits_of, (uint32_t x), {
    int32_t found = 0;
    while (x != 0) {
        if (found > 40)
            return -1;
        x /= 10;
        found++;
    }
    return found;
});
COHORT_HELPER(pair, swapped, (pair p, float scale), {
    pair q = { (float)p.b * scale, (int32_t)(p.a * 16) };
    return q;
});
COHORT_HELPER(double, sum_of, (outer o), { return o.of[0].c[1] + o.of[1].c[0] * o.d; });
COHORT_HELPER(double, horner, (double x), { return (x * third + 1) * x + limits[0] * 0; });

COHORT_ITEMS(macros, i, ROWS(n),
             (int64_t n, const float *x COHORT_SHAPE(n), const int32_t *k COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 double sum = 0;
                 EACH(j, TAPS)
                 sum += SQ(x[i]) * RATE;
                 z[i * ROW + 0] = sum;
                 z[i * ROW + 1] = LARGER(k[i], 7);
                 z[i * ROW + 2] = (double)expf(LARGER(-x[i], 0.5f) * -RATE);
                 z[i * ROW + 3] = IS_ODD(x[i]) ? 1 : 0;
             });
COHORT_ITEMS_OF_TYPES(
    declared, i, n,
    (int64_t n, const float *x COHORT_SHAPE(n), const int32_t *k COHORT_SHAPE(n),
     COHORT_OUT double *z COHORT_SHAPE(n, 16), pair first),
    COHORT_TYPES(pair, outer, inner), {
        pair p = swapped(first, x[i] != x[i] ? 2 : 0.5f);
        z[i * 16 + 0] = (double)(weights[k[i] & 1] * soften(x[i]));
        z[i * 16 + 1] = (double)clamp(x[i], -weights[0], (float)grid[1][0]);
        z[i * 16 + 2] = digits_of((uint32_t)k[i]) + grid[k[i] & 1][1];
        z[i * 16 + 3] = (double)p.a * p.b;
        z[i * 16 + 4] = horner(k[i] * third);
        z[i * 16 + 5] = limits[2 - (i & 1)];
        z[i * 16 + 6] = k[i] & mask;
        outer o = { { { { 1, k[i] } }, { { 3, 4 } } }, 0.5 }; /* not a parameter */
        z[i * 16 + 7] = sum_of(o);
    });
COHORT_ITEMS_2D(planes, i, n / 16 * 1, j, SQ(4),
                (int64_t n, const float *x COHORT_SHAPE(n), const int32_t *k COHORT_SHAPE(n),
                 COHORT_OUT double *z COHORT_SHAPE(n, 16)),
                {
                    for (int64_t l = i * 16; l < LARGER(i * 16 + 16, 0); l++)
                        z[l * 16 + j] = (double)soften(x[l]) * (double)j;
                });

/* ---- Of C */

COHORT_ITEMS(numbers, i, n,
             (int64_t n, const float *x COHORT_SHAPE(n), const int32_t *k COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = (double)(NAN);
                 z[i * 16 + 1] = (double)INFINITY;
                 z[i * 16 + 2] = -HUGE_VAL;
                 z[i * 16 + 3] = (double)HUGE_VALF;
                 z[i * 16 + 4] = (double)FLT_MAX;
                 z[i * 16 + 5] = (double)FLT_MIN;
                 z[i * 16 + 6] = (double)FLT_EPSILON * (double)x[i];
                 z[i * 16 + 7] = DBL_MAX;
                 z[i * 16 + 8] = DBL_MIN + k[i];
                 z[i * 16 + 9] = DBL_EPSILON;
                 z[i * 16 + 10] = true + false * 2;
                 z[i * 16 + 11] = k[i] % 2 == 0 ? M_PI : -M_E;
                 z[i * 16 + 12] = (bool)x[i] ? CHAR_BIT : FLT_DIG + DBL_DIG;
                 z[i * 16 + 13] = INT_MAX / 2 - SHRT_MIN;
                 z[i * 16 + 14] = UINT8_MAX + INT8_MIN + INT16_MAX * 2 + UINT16_MAX;
                 z[i * 16 + 15] = UINT32_MAX % 1000u + (uint32_t)UINT_MAX / 3;
             });
COHORT_ITEMS(integers, i, n,
             (int64_t n, const float *x COHORT_SHAPE(n), const int32_t *k COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = (double)(INT64_MAX - k[i] * 0);
                 z[i * 16 + 1] = (double)(INT64_MIN / 3);
                 z[i * 16 + 2] = (double)(UINT64_MAX >> (k[i] & 31));
                 z[i * 16 + 3] = (double)(INT64_C(0x123456789) * k[i]);
                 z[i * 16 + 4] = (double)(UINT64_C(18446744073709551615) % UINT32_C(1000003));
                 z[i * 16 + 5] = (double)INT32_MIN - INT32_MAX;
             });
COHORT_ITEMS(tests, i, n,
             (int64_t n, const float *x COHORT_SHAPE(n), const int32_t *k COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 float w = x[(i + 1) % n];
                 z[i * 16 + 0] = isnan(x[i]) ? 1 : 0;
                 z[i * 16 + 1] = isfinite(x[i]) ? 1 : 0;
                 z[i * 16 + 2] = isinf(x[i]) != 0 ? 1 : 0;
                 z[i * 16 + 3] = isnormal(x[i]) ? 1 : 0;
                 z[i * 16 + 4] = signbit(x[i]) != 0 ? 1 : 0;
                 z[i * 16 + 5] = isgreater(x[i], w) ? 1 : 0;
                 z[i * 16 + 6] = isgreaterequal(x[i], w) ? 1 : 0;
                 z[i * 16 + 7] = isless(x[i], w) ? 1 : 0;
                 z[i * 16 + 8] = islessequal(x[i], w) ? 1 : 0;
                 z[i * 16 + 9] = islessgreater(x[i], w) ? 1 : 0;
                 z[i * 16 + 10] = isunordered(x[i], w) ? 1 : 0;
                 z[i * 16 + 11] = isnan(fabs((double)LARGER(x[i], w))) ? 2 : sqrt(SQ((double)k[i]));
                 z[i * 16 + 12] = isless(isnan(w) ? NAN : (INFINITY), SQ(x[i])) ? 1 : 0;
             });

/* ---- What the host refuses, whoever hides it */

#define LEAVE return
#define UP(x) (x)++
#define ROOT(x) sqrt(x)
#define COUNTED static int seen = 0
static const float plain = 0.5f;
static float twice(float x)
{
    return 2 * x;
}
COHORT_ITEMS(leaves, i, n, (int64_t n, const float *x COHORT_SHAPE(n), float *y COHORT_SHAPE(n)), {
    if (x[i] > 0)
        LEAVE;
    y[i] = 1;
});
COHORT_ITEMS(changes, i, n, (int64_t n, int32_t a, float *y COHORT_SHAPE(n)), {
    UP(a);
    y[i] = (float)a;
});
#ifndef __cplusplus
COHORT_ITEMS(rounds, i, n, (int64_t n, const float *x COHORT_SHAPE(n), float *y COHORT_SHAPE(n)),
             { y[i] = (float)ROOT(x[i]); });
#endif
COHORT_ITEMS(counts, i, n, (int64_t n, float *y COHORT_SHAPE(n)), {
    COUNTED;
    y[i] = (float)seen;
});
COHORT_ITEMS(names, i, n, (int64_t n, float *y COHORT_SHAPE(n)), { y[i] *= plain; });
COHORT_ITEMS(calls, i, n, (int64_t n, float *y COHORT_SHAPE(n)), { y[i] = twice(y[i]); });
COHORT_ITEMS(lists, i, n, (int64_t n, float *y COHORT_SHAPE(n)), { y[i] *= N; });
#ifndef NDEBUG
COHORT_ITEMS(claims, i, n, (int64_t n, float *y COHORT_SHAPE(n)), {
    assert(y[i] > 0);
    y[i] = 1;
});
#endif

/* What no check knows: a text is constant memory in a kernel, to which no pointer of a body
 * leads. */
COHORT_ITEMS(letters, i, n, (int64_t n, float *y COHORT_SHAPE(n)), {
    const char *letters = "ab";
    y[i] = letters[i & 1] == 'a' ? 1 : 2;
});

static void test_build(const char *device)
{
    char place[300];
    (void)snprintf(place, sizeof place, "%s:%d: ", letters->file, (int)letters->line);
    ok(cohort_function_check(letters, device) == COHORT_EBUILD, "%s does not build what it cannot",
       device);
    has_text(cohort_error_text(), place, "and says where, without a column");
    has_text(cohort_error_text(), "(cohort/function.h, COHORT_ITEMS)", "and where the rules are");
}

static void refuses(const cohort_function *function, const char *message)
{
    ok(cohort_function_check(function, NULL) == COHORT_EINVAL, "%s is refused", function->name);
    has_text(cohort_error_text(), message, "because it %s", message);
}

static void test_refused(void)
{
    refuses(leaves, "has 'return'");
    refuses(changes, "changes 'a'");
#ifndef __cplusplus
    refuses(rounds, "calls sqrt() with a float");
#endif
    refuses(counts, "has a variable that is 'static'");
    refuses(names, "names 'plain', which no kernel has");
    refuses(calls, "calls twice(), which no kernel has");
    refuses(lists, "names 'N', which no kernel has");
#ifndef NDEBUG
    refuses(claims, "alone, perhaps by a macro");
#endif
}

/* ---- The same bits */

static const struct {
    const cohort_function *function;
    int n_results;
} bodies[] = { { macros, 4 },   { declared, 8 }, { planes, 16 },
               { numbers, 16 }, { integers, 6 }, { tests, 13 } };
enum { BODIES = sizeof bodies / sizeof *bodies };

static float x[N];
static int32_t k[N];
static double on_host[ALL], on_device[ALL];

static void fill(void)
{
    static const float edges[] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, 0.5f };
    enum { EDGES = sizeof edges / sizeof *edges };
    for (int i = 0; i < N; i++) {
        x[i] = i < EDGES * EDGES ? edges[i % EDGES] : (float)(i * 37 % 101 - 50) * 0.173f;
        k[i] = (int32_t)((uint32_t)i * 2654435761u) / 8;
    }
}

static cohort_status compute(const char *device, const cohort_function *function, double *out)
{
    cohort_strategy *s = cohort_one_device(device);
    cohort_value *z = cohort_value_create(s);
    pair first = { 3.25f, 7 };
    cohort_status status = function == declared
                               ? cohort_run(s, function, COHORT_ARRAY(x, N), COHORT_ARRAY(k, N), z,
                                            COHORT_BYTES(&first))
                               : cohort_run(s, function, COHORT_ARRAY(x, N), COHORT_ARRAY(k, N), z);
    if (status >= 0)
        status = cohort_value_read(z, COHORT_ARRAY(out, N, ROW));
    cohort_strategy_destroy(s);
    return status;
}

static void test_body(const char *device, int b)
{
    const cohort_function *function = bodies[b].function;
    bool is_done =
        compute("host", function, on_host) >= 0 && compute(device, function, on_device) >= 0;
    if (!ok(is_done, "%s runs %s", device, function->name)) {
        diag("%s", cohort_error_text());
        return;
    }
    int j = 0;
    while (j < ALL && (j % ROW >= bodies[b].n_results ||
                       memcmp(&on_host[j], &on_device[j], sizeof *on_host) == 0))
        j++;
    if (!ok(j == ALL, "with the bits of the host"))
        diag("result %d of x %a, k %d: %a, on the host %a", j % ROW, (double)x[j / ROW],
             (int)k[j / ROW], on_device[j], on_host[j]);
}

/* What the names are, so that both sides are not wrong alike. */
static void test_host(void)
{
    fill();
    ok(compute("host", numbers, on_host) >= 0 && on_host[1] == (double)INFINITY &&
           on_host[2] == -HUGE_VAL && on_host[7] == DBL_MAX && on_host[9] == DBL_EPSILON,
       "numbers of C are those of C");
    ok(compute("host", declared, on_host) >= 0 && on_host[2 * ROW + 1] == 0.5 &&
           on_host[2 * ROW + 3] == 3.5 * 52 && on_host[6 * ROW + 3] == 14.0 * 52,
       "helpers compute what they say");
}

int main(void)
{
    test_refused();
    test_host();
    int n_devices = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL && HAS_EQUAL_BITS;
         d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0) {
            for (int b = 0; b < BODIES; b++)
                test_body(cohort_device_id(d), b);
            test_build(cohort_device_id(d));
            n_devices++;
        }
    if (n_devices == 0)
        skip("the same bits on OpenCL devices", "no OpenCL device, or " UNEQUAL_BITS);
    return tap_done();
}
