/* SPDX-License-Identifier: BSD-3-Clause */
/* What names, numbers and operators of C mean in a body, they mean in its kernel: the bits of the
 * host on every OpenCL device. Compiled as C, with <tgmath.h>, and as C++. */
#include "config.h"

#include <cohort/cohort.h>
#include <cohort/math.h>

#ifdef WITH_TGMATH
#include <tgmath.h>
#endif
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/tap.h"

/* What compilers warn of, for it means something else than it seems to, is what is looked at. */
#pragma GCC diagnostic ignored "-Wpragmas"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#endif
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wabsolute-value"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"

/* One body fills a row of up to 16 results of each item. The bodies stand as they are in
 * COHORT_ITEMS, for a macro around it would expand those of <tgmath.h>. */
enum { N = 1024, ROW = 16, ALL = N * ROW };

COHORT_ITEMS(doubles, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = sqrt(x[i]);
                 z[i * 16 + 1] = fabs(x[i]);
                 z[i * 16 + 2] = floor(x[i]);
                 z[i * 16 + 3] = ceil(x[i]);
                 z[i * 16 + 4] = trunc(x[i]);
                 z[i * 16 + 5] = round(x[i]);
                 z[i * 16 + 6] = rint(x[i]);
                 z[i * 16 + 7] = nearbyint(x[i]);
                 z[i * 16 + 8] = logb(x[i]);
                 z[i * 16 + 9] = fmin(x[i], y[i]);
                 z[i * 16 + 10] = fmax(x[i], y[i]);
                 z[i * 16 + 11] = fma(x[i], y[i], 1.25e-3);
                 z[i * 16 + 12] = fmod(x[i], y[i]);
                 z[i * 16 + 13] = remainder(x[i], y[i]);
                 z[i * 16 + 14] = copysign(x[i], y[i]);
                 z[i * 16 + 15] = fdim(x[i], y[i]);
             });
COHORT_ITEMS(parts, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 int e = 0;
                 double w = 0;
                 z[i * 16 + 0] = nextafter(x[i], y[i]);
                 z[i * 16 + 1] = ldexp(x[i], k[i] % 300);
                 z[i * 16 + 2] = frexp(x[i], &e);
                 z[i * 16 + 3] = e;
                 z[i * 16 + 4] = modf(x[i], &w);
                 z[i * 16 + 5] = w;
             });
COHORT_ITEMS(floats, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT float *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = sqrtf(f[i]);
                 z[i * 16 + 1] = fabsf(f[i]);
                 z[i * 16 + 2] = floorf(f[i]);
                 z[i * 16 + 3] = ceilf(f[i]);
                 z[i * 16 + 4] = truncf(f[i]);
                 z[i * 16 + 5] = roundf(f[i]);
                 z[i * 16 + 6] = rintf(f[i]);
                 z[i * 16 + 7] = nearbyintf(f[i]);
                 z[i * 16 + 8] = logbf(f[i]);
                 z[i * 16 + 9] = fminf(f[i], g[i]);
                 z[i * 16 + 10] = fmaxf(f[i], g[i]);
                 z[i * 16 + 11] = fmaf(f[i], g[i], 1.25e-3f);
                 z[i * 16 + 12] = fmodf(f[i], g[i]);
                 z[i * 16 + 13] = remainderf(f[i], g[i]);
                 z[i * 16 + 14] = copysignf(f[i], g[i]);
                 z[i * 16 + 15] = fdimf(f[i], g[i]);
             });
COHORT_ITEMS(float_parts, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT float *z COHORT_SHAPE(n, 16)),
             {
                 int e = 0;
                 float w = 0;
                 z[i * 16 + 0] = nextafterf(f[i], g[i]);
                 z[i * 16 + 1] = ldexpf(f[i], k[i] % 300);
                 z[i * 16 + 2] = frexpf(f[i], &e);
                 z[i * 16 + 3] = (float)e;
                 z[i * 16 + 4] = modff(f[i], &w);
                 z[i * 16 + 5] = w;
             });
COHORT_ITEMS(mixed, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = sqrt(k[i] < 0 ? -(double)k[i] : k[i]);
                 z[i * 16 + 1] = floor(k[i] / 7);
                 z[i * 16 + 2] = fabs(k[i]);
                 z[i * 16 + 3] = fmax(f[i], x[i]);
                 z[i * 16 + 4] = fmin(k[i], f[i]);
                 z[i * 16 + 5] = fma(f[i], 3, g[i]);
                 z[i * 16 + 6] = fmod(k[i], 7);
                 z[i * 16 + 7] = copysign(1, k[i]);
                 z[i * 16 + 8] = sqrt((double)f[i]) * 3;
                 z[i * 16 + 9] = floor(f[i] / 7.0) + 0.1;
                 z[i * 16 + 10] = fabsf(f[i]) * 0.1;
                 z[i * 16 + 11] = sqrtf(x[i] * 0.5);
                 z[i * 16 + 12] = nextafter(k[i], 1);
                 z[i * 16 + 13] = (float)x[i] * 0.1f;
                 z[i * 16 + 14] = (double)(f[i] * 0.1f);
                 z[i * 16 + 15] = f[i] * 0.1;
             });
COHORT_ITEMS(absolutes, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT int64_t *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = abs(k[i]) - 10 < 0;
                 z[i * 16 + 1] = -abs(k[i] / 2);
                 z[i * 16 + 2] = abs((int)(k[i] / 3)) > -1;
                 z[i * 16 + 3] = abs((int8_t)k[i]);
                 z[i * 16 + 4] = abs((uint8_t)k[i]);
                 z[i * 16 + 5] = abs(k[i] > 0);
                 z[i * 16 + 6] = abs('a' - 'z');
                 z[i * 16 + 7] = labs(k[i] * (int64_t)3) - 30;
                 z[i * 16 + 8] = llabs(l[i] / 2);
                 z[i * 16 + 9] = llabs(k[i] / 2) - 5 < 0;
                 z[i * 16 + 10] = abs(k[i] % 1000) * -0.5f < -3;
                 z[i * 16 + 11] = (int64_t)abs(k[i] / 2) << 33;
             });
COHORT_ITEMS(promotions, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT int64_t *z COHORT_SHAPE(n, 16)),
             {
                 uint8_t a = (uint8_t)k[i], b = 77;
                 z[i * 16 + 0] = (uint8_t)k[i] << 23;
                 z[i * 16 + 1] = ~(uint8_t)k[i];
                 z[i * 16 + 2] = -(uint8_t)k[i];
                 z[i * 16 + 3] = (int8_t)k[i] >> 2;
                 z[i * 16 + 4] = (uint16_t)k[i] * (uint16_t)3;
                 z[i * 16 + 5] = (int16_t)(k[i] + 1);
                 z[i * 16 + 6] = (uint8_t)k[i] - (uint8_t)l[i] < 0;
                 z[i * 16 + 7] = (uint8_t)(k[i] + 200) + (uint8_t)200;
                 z[i * 16 + 8] = (int8_t)k[i] < (uint8_t)l[i];
                 z[i * 16 + 9] = (int8_t)k[i] == (uint8_t)k[i];
                 z[i * 16 + 10] = (uint16_t)k[i] > -b;
                 z[i * 16 + 11] = (int8_t)k[i] & 0xffffffffu;
                 z[i * 16 + 12] = (int16_t)k[i] | (uint32_t)1;
                 z[i * 16 + 13] = sizeof(a + b);
                 z[i * 16 + 14] = (a += b, a);
                 z[i * 16 + 15] = (a <<= 1) + b;
             });
COHORT_ITEMS(signs, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT int64_t *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = k[i] < 3u;
                 z[i * 16 + 1] = (uint32_t)k[i] > l[i];
                 z[i * 16 + 2] = k[i] + 3u < 2;
                 z[i * 16 + 3] = -1 < (k[i] & 1) + 0u;
                 z[i * 16 + 4] = (uint32_t)k[i] * 3u;
                 z[i * 16 + 5] = (uint64_t)l[i] * 3u > 7;
                 z[i * 16 + 6] = l[i] < 3u;
                 z[i * 16 + 7] = (uint32_t)k[i] - 7;
                 z[i * 16 + 8] = (int32_t)((uint32_t)k[i] + 5u);
                 z[i * 16 + 9] = 4294967295 + k[i];
                 z[i * 16 + 10] = 0xffffffff + k[i];
                 z[i * 16 + 11] = 2147483648 + k[i];
                 z[i * 16 + 12] = 0x7fffffff - (k[i] & 1);
                 z[i * 16 + 13] = (k[i] & 1) - 1u;
                 z[i * 16 + 14] = -2147483647 - 1 < k[i];
                 z[i * 16 + 15] = 1u - 2 > 0;
             });
COHORT_ITEMS(quotients, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT int64_t *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = k[i] / 7;
                 z[i * 16 + 1] = k[i] % 7;
                 z[i * 16 + 2] = k[i] / -7;
                 z[i * 16 + 3] = k[i] % -7;
                 z[i * 16 + 4] = l[i] / 1000003;
                 z[i * 16 + 5] = l[i] % 1000003;
                 z[i * 16 + 6] = (int8_t)k[i] / 3;
                 z[i * 16 + 7] = (int8_t)k[i] % 3;
                 z[i * 16 + 8] = (uint32_t)k[i] / 7;
                 z[i * 16 + 9] = (uint32_t)k[i] % 7u;
                 z[i * 16 + 10] = k[i] >> 3;
                 z[i * 16 + 11] = (uint32_t)k[i] >> 3;
                 z[i * 16 + 12] = l[i] >> 40;
                 z[i * 16 + 13] = (uint64_t)l[i] >> 40;
                 z[i * 16 + 14] = (uint32_t)k[i] << 5;
                 z[i * 16 + 15] = (uint64_t)l[i] << (k[i] & 31);
             });
COHORT_ITEMS(truths, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT int64_t *z COHORT_SHAPE(n, 16)),
             {
                 bool t = k[i] & 2;
                 z[i * 16 + 0] = (bool)f[i];
                 z[i * 16 + 1] = (bool)0.25f + 1;
                 z[i * 16 + 2] = t + t;
                 z[i * 16 + 3] = !k[i] + !!k[i];
                 z[i * 16 + 4] = (k[i] > 2) + (k[i] > 1) * 2;
                 z[i * 16 + 5] = k[i] && f[i] > 0;
                 z[i * 16 + 6] = true + true;
                 z[i * 16 + 7] = (t = k[i] & 4, t);
                 z[i * 16 + 8] = isnan(f[i]) == 1;
                 z[i * 16 + 9] = isfinite(f[i]) + isnormal(f[i]) * 2;
                 z[i * 16 + 10] = signbit(f[i]) ? 1 : 2;
                 z[i * 16 + 11] = (isinf(f[i]) != 0) + !signbit(g[i]);
                 z[i * 16 + 12] = isgreater(f[i], g[i]) + islessequal(f[i], g[i]) * 2;
                 z[i * 16 + 13] = isunordered(x[i], y[i]) * 3;
                 z[i * 16 + 14] = fabsf(f[i]) < 1e9f ? (int)f[i] : 0;
                 z[i * 16 + 15] = fabs(x[i]) < 1e15 ? (int64_t)x[i] : 0;
             });
COHORT_ITEMS(numbers, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = 1 / 3;
                 z[i * 16 + 1] = 1 / 3.0;
                 z[i * 16 + 2] = 1 / 3.0f;
                 z[i * 16 + 3] = 0.1f;
                 z[i * 16 + 4] = 0.1;
                 z[i * 16 + 5] = 1e-3 + 0x1p-60;
                 z[i * 16 + 6] = INT32_MAX / 2 + k[i] % 2;
                 z[i * 16 + 7] = UINT32_MAX - (uint32_t)i;
                 z[i * 16 + 8] = (double)(INT64_MAX - i);
                 z[i * 16 + 9] = INT8_MIN + UINT16_MAX;
                 z[i * 16 + 10] = FLT_MAX * 2.0;
                 z[i * 16 + 11] = DBL_MAX;
                 z[i * 16 + 12] = FLT_EPSILON + DBL_MIN;
                 z[i * 16 + 13] = INFINITY;
                 z[i * 16 + 14] = -HUGE_VALF - HUGE_VAL;
                 z[i * 16 + 15] = M_PI * 2;
             });
COHORT_ITEMS(letters, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT int64_t *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16 + 0] = 'a';
                 z[i * 16 + 1] = '\x7f' < 0;
                 z[i * 16 + 2] = '\n' + '0';
                 z[i * 16 + 3] = sizeof(int);
                 z[i * 16 + 4] = sizeof(int64_t);
                 z[i * 16 + 5] = sizeof k[i];
                 z[i * 16 + 6] = sizeof(f[i] * 2.0);
                 z[i * 16 + 7] = sizeof(x) + sizeof(size_t);
                 z[i * 16 + 8] = (size_t)k[i] > 0;
                 z[i * 16 + 9] = (signed char)k[i];
                 z[i * 16 + 10] = (unsigned char)k[i];
                 z[i * 16 + 11] = (signed char)65;
                 z[i * 16 + 12] = sizeof(uint8_t);
             });

/* Of NaN the bits count, too. */
COHORT_ITEMS(floats_of_nan, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT float *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16] = NAN;
                 z[i * 16 + 1] = -NAN;
                 z[i * 16 + 2] = f[i] > 0 ? f[i] : NAN;
                 z[i * 16 + 3] = (float)(double)NAN;
             });
COHORT_ITEMS(doubles_of_nan, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16] = NAN;
                 z[i * 16 + 1] = -NAN;
                 z[i * 16 + 2] = x[i] > 0 ? 1 : (double)NAN;
             });

/* No rule fixes their last bits: OpenCL C allows 16 ulp, and C libraries are nearer. */
COHORT_ITEMS(bounded, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT double *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16] = exp(x[i]);
                 z[i * 16 + 1] = log(x[i]);
                 z[i * 16 + 2] = pow(x[i], 3);
                 z[i * 16 + 3] = pow(x[i], y[i]);
                 z[i * 16 + 4] = tanh(x[i]);
                 z[i * 16 + 5] = atan(x[i]);
                 z[i * 16 + 6] = cbrt(x[i]);
                 z[i * 16 + 7] = hypot(x[i], y[i]);
                 z[i * 16 + 8] = exp2(x[i]);
                 z[i * 16 + 9] = log2(x[i]);
                 z[i * 16 + 10] = erf(x[i]);
                 z[i * 16 + 11] = expm1(x[i]);
                 z[i * 16 + 12] = sinh(k[i] % 50);
                 z[i * 16 + 13] = atan2(x[i], k[i]);
                 z[i * 16 + 14] = log1p(fabs(x[i]));
                 z[i * 16 + 15] = asinh(x[i]);
             });
COHORT_ITEMS(bounded_floats, i, n,
             (int64_t n, const double *x COHORT_SHAPE(n), const double *y COHORT_SHAPE(n),
              const float *f COHORT_SHAPE(n), const float *g COHORT_SHAPE(n),
              const int32_t *k COHORT_SHAPE(n), const int64_t *l COHORT_SHAPE(n),
              COHORT_OUT float *z COHORT_SHAPE(n, 16)),
             {
                 z[i * 16] = expf(f[i]);
                 z[i * 16 + 1] = logf(f[i]);
                 z[i * 16 + 2] = powf(f[i], g[i]);
                 z[i * 16 + 3] = tanhf(f[i] / 4);
                 z[i * 16 + 4] = sinf(k[i] % 50);
                 z[i * 16 + 5] = cosf(k[i] % 50);
                 z[i * 16 + 6] = atanf(f[i]);
                 z[i * 16 + 7] = cbrtf(f[i]);
                 z[i * 16 + 8] = log10f(f[i]);
             });

static const struct {
    const char *name;
    const cohort_function *function;
    cohort_dtype dtype;
    int n_results; /* of a row */
    int ulps;      /* 0: the same bits, but of a NaN that is computed; -1: of that too */
} bodies[] = {
    { "functions of doubles", doubles, COHORT_F64, 16, 0 },
    { "those that take a double apart, or put one together", parts, COHORT_F64, 6, 0 },
    { "functions of floats", floats, COHORT_F32, 16, 0 },
    { "those that take a float apart, or put one together", float_parts, COHORT_F32, 6, 0 },
    { "integers, floats and doubles together, which C makes doubles", mixed, COHORT_F64, 16, 0 },
    { "absolute values", absolutes, COHORT_I64, 12, 0 },
    { "promotions of small integers", promotions, COHORT_I64, 16, 0 },
    { "signed and unsigned integers together", signs, COHORT_I64, 16, 0 },
    { "quotients, remainders and shifts", quotients, COHORT_I64, 16, 0 },
    { "bools, comparisons and what floats become", truths, COHORT_I64, 16, 0 },
    { "numbers and constants", numbers, COHORT_F64, 16, 0 },
    { "characters and sizes", letters, COHORT_I64, 13, 0 },
    { "NAN in floats", floats_of_nan, COHORT_F32, 4, -1 },
    { "NAN in doubles", doubles_of_nan, COHORT_F64, 3, -1 },
    { "functions of doubles without a rule", bounded, COHORT_F64, 16, 24 },
    { "functions of floats without a rule", bounded_floats, COHORT_F32, 9, 24 },
};
enum { BODIES = sizeof bodies / sizeof *bodies };

/* ---- What they get, and what comes out */

static double x[N], y[N];
static float f[N], g[N];
static int32_t k[N];
static int64_t l[N];

typedef union results {
    double doubles[ALL];
    float floats[ALL];
    int64_t integers[ALL];
} results;
static results on_host, on_device;

/* Each edge beside each, then all sizes and signs. No signalling NaN, for which C has no rules. */
static void fill(void)
{
    static const double edges[] = { 0,        -0.0,      1,   -1,    0.5,      1.5,    2.5,
                                    -2.5,     3,         -7,  1e10,  5e-324,   1e-310, DBL_MAX,
                                    INFINITY, -INFINITY, NAN, 1e-40, 8388607.5 };
    enum { EDGES = sizeof edges / sizeof *edges };
    uint64_t random = 88172645463325252U;
    for (int i = 0; i < N; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        double some = (double)(int64_t)(random >> 3) * (i % 3 != 0 ? 0x1p-56 : 0x1p-20);
        x[i] = i < EDGES * EDGES ? edges[i / EDGES] : some - (i % 3 != 0 ? 16 : 1e10);
        y[i] = i < EDGES * EDGES ? edges[i % EDGES] : (double)(int32_t)random * 0x1p-26;
        f[i] = fabs(x[i]) < 3e38 || !isfinite(x[i]) ? (float)x[i] : 1;
        g[i] = fabs(y[i]) < 3e38 || !isfinite(y[i]) ? (float)y[i] : 1;
        k[i] = i % 2 != 0 ? (int32_t)(random >> 32) / 4 : i - N / 2;
        l[i] = (int64_t)random / 8;
    }
}

static cohort_status compute(const char *device, int body, results *out)
{
    cohort_strategy *s = cohort_one_device(device);
    cohort_value *z = cohort_value_create(s);
    cohort_status status = cohort_run(s, bodies[body].function, COHORT_ARRAY(x, N),
                                      COHORT_ARRAY(y, N), COHORT_ARRAY(f, N), COHORT_ARRAY(g, N),
                                      COHORT_ARRAY(k, N), COHORT_ARRAY(l, N), z);
    if (status >= 0 && bodies[body].dtype == COHORT_F64)
        status = cohort_value_read(z, COHORT_ARRAY(out->doubles, N, ROW));
    else if (status >= 0 && bodies[body].dtype == COHORT_F32)
        status = cohort_value_read(z, COHORT_ARRAY(out->floats, N, ROW));
    else if (status >= 0)
        status = cohort_value_read(z, COHORT_ARRAY(out->integers, N, ROW));
    cohort_strategy_destroy(s);
    return status;
}

static bool is_near(double a, double b, int ulps, double epsilon, double least)
{
    bool is_equal = a == b || (isnan(a) && isnan(b));
    return is_equal || fabs(a - b) <= ulps * (fabs(a) * epsilon + least);
}

static bool is_same(int body, int j)
{
    bool is_wide = bodies[body].dtype != COHORT_F32;
    const char *a = is_wide ? (const char *)&on_host.doubles[j] : (const char *)&on_host.floats[j],
               *b = is_wide ? (const char *)&on_device.doubles[j]
                            : (const char *)&on_device.floats[j];
    bool has_bits = memcmp(a, b, is_wide ? 8 : 4) == 0;
    if (has_bits || bodies[body].ulps < 0 || bodies[body].dtype == COHORT_I64)
        return has_bits;
    if (is_wide)
        return bodies[body].ulps == 0 ? isnan(on_host.doubles[j]) && isnan(on_device.doubles[j])
                                      : is_near(on_host.doubles[j], on_device.doubles[j],
                                                bodies[body].ulps, DBL_EPSILON, 5e-324);
    return bodies[body].ulps == 0 ? isnan(on_host.floats[j]) && isnan(on_device.floats[j])
                                  : is_near((double)on_host.floats[j], (double)on_device.floats[j],
                                            bodies[body].ulps, FLT_EPSILON, 1e-45);
}

static void show(int body, int j)
{
    int i = j / ROW;
    diag("result %d of x %a, y %a, f %a, g %a, k %d, l %lld", j % ROW, x[i], y[i], (double)f[i],
         (double)g[i], (int)k[i], (long long)l[i]);
    if (bodies[body].dtype == COHORT_I64)
        diag("%lld, on the host %lld", (long long)on_device.integers[j],
             (long long)on_host.integers[j]);
    else if (bodies[body].dtype == COHORT_F32)
        diag("%a, on the host %a", (double)on_device.floats[j], (double)on_host.floats[j]);
    else
        diag("%a, on the host %a", on_device.doubles[j], on_host.doubles[j]);
}

static void test_body(const char *device, int body)
{
    bool is_done = compute("host", body, &on_host) >= 0 && compute(device, body, &on_device) >= 0;
    if (!ok(is_done, "%s runs %s", device, bodies[body].name)) {
        diag("%s", cohort_error_text());
        return;
    }
    int j = 0;
    while (j < ALL && (j % ROW >= bodies[body].n_results || is_same(body, j)))
        j++;
    if (!ok(j == ALL, "and gives what the host gives"))
        show(body, j);
}

/* 0x7fc00000, whatever the compiler and the device have for NAN. */
static void test_nan(void)
{
    uint32_t bits = 0;
    uint64_t wide = 0;
    (void)compute("host", BODIES - 4, &on_host);
    memcpy(&bits, &on_host.floats[0], sizeof bits);
    ok(bits == 0x7fc00000, "NAN is the canonical one in floats");
    (void)compute("host", BODIES - 3, &on_host);
    memcpy(&wide, &on_host.doubles[0], sizeof wide);
    ok(wide == UINT64_C(0x7ff8000000000000), "and in doubles");
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    int n_devices = 0;
    fill();
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0) {
            for (int i = 0; i < BODIES; i++)
                test_body(cohort_device_id(d), i);
            n_devices++;
        }
    if (n_devices == 0)
        return skip_all("no OpenCL device");
    test_nan();
    return tap_done();
}
