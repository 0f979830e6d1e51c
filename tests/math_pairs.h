/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of cohort/math.h that take two floats or more, or that have one right result, beside
 * those of libm: on a grid of edges, and on drawn places. */
#ifndef COHORT_TESTS_MATH_PAIRS_H
#define COHORT_TESTS_MATH_PAIRS_H

#include "tests/ulp.h"

#include <cohort/random.h>

/* ---- One right result: the same bits, and the one NaN. */

typedef struct math_place {
    float x, y, z;
    int n;
} math_place;

enum {
    MATH_TRUNC,
    MATH_FLOOR,
    MATH_CEIL,
    MATH_ROUND,
    MATH_RINT,
    MATH_COPYSIGN,
    MATH_LDEXP,
    MATH_FREXP,
    MATH_MODF,
    MATH_FMOD,
    MATH_REMAINDER,
    MATH_FMIN,
    MATH_FMAX,
    MATH_FMA,
    MATH_EXACT
};
static const char *const math_exact_names[MATH_EXACT] = {
    "truncf", "floorf", "ceilf", "roundf",     "rintf", "copysignf", "ldexpf",
    "frexpf", "modff",  "fmodf", "remainderf", "fminf", "fmaxf",     "fmaf"
};

/* A NaN is the one NaN; 0 has its sign. */
static inline bool math_is_same(float found, float wanted)
{
    return cohort_math_bits_(found) == (isnan(wanted) ? 0x7fc00000 : cohort_math_bits_(wanted));
}

static inline bool math_has_same_parts(math_place p)
{
    int found = 0, wanted = 0;
    float part = cohort_frexpf(p.x, &found), exact = frexpf(p.x, &wanted);
    /* C leaves open what stands beside an infinite number or a NaN */
    return math_is_same(part, exact) && found == (isfinite(p.x) ? wanted : 0);
}

static inline bool math_has_same_whole(math_place p)
{
    float found = 0, wanted = 0;
    float rest = cohort_modff(p.x, &found), exact = modff(p.x, &wanted);
    return math_is_same(rest, exact) && math_is_same(found, wanted);
}

/* Of 0 and -0 C lets fminf give either, and of a signalling NaN libraries give what they like. */
static inline float math_lesser_float(float x, float y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? x : y) : fminf(x, y);
}

static inline float math_greater_float(float x, float y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? y : x) : fmaxf(x, y);
}

static inline bool math_is_exact(int function, math_place p)
{
    switch (function) {
    case MATH_TRUNC:
        return math_is_same(cohort_truncf(p.x), truncf(p.x));
    case MATH_FLOOR:
        return math_is_same(cohort_floorf(p.x), floorf(p.x));
    case MATH_CEIL:
        return math_is_same(cohort_ceilf(p.x), ceilf(p.x));
    case MATH_ROUND:
        return math_is_same(cohort_roundf(p.x), roundf(p.x));
    case MATH_RINT:
        return math_is_same(cohort_rintf(p.x), rintf(p.x));
    case MATH_COPYSIGN: /* of a NaN the sign changes, too */
        return cohort_math_bits_(cohort_copysignf(p.x, p.y)) ==
               ((cohort_math_bits_(p.x) & 0x7fffffff) |
                (cohort_math_bits_(p.y) & (-0x7fffffff - 1)));
    case MATH_LDEXP:
        return math_is_same(cohort_ldexpf(p.x, p.n), ldexpf(p.x, p.n));
    case MATH_FREXP:
        return math_has_same_parts(p);
    case MATH_MODF:
        return math_has_same_whole(p);
    case MATH_FMOD:
        return math_is_same(cohort_fmodf(p.x, p.y), fmodf(p.x, p.y));
    case MATH_REMAINDER:
        return math_is_same(cohort_remainderf(p.x, p.y), remainderf(p.x, p.y));
    case MATH_FMIN:
        return math_is_same(cohort_fminf(p.x, p.y), math_lesser_float(p.x, p.y));
    case MATH_FMAX:
        return math_is_same(cohort_fmaxf(p.x, p.y), math_greater_float(p.x, p.y));
    default:
        return math_is_same(cohort_fmaf(p.x, p.y, p.z), fmaf(p.x, p.y, p.z));
    }
}

/* ---- An error */

typedef struct math_pair_function {
    const char *name;
    float (*function)(float, float);
    double (*exact)(double, double);
    double bound; /* as the headers say, in ulp */
} math_pair_function;

/* A power of x that is a finite float, by 22 bits of y, which a NaN keeps as a double, too. */
static inline float math_finite_power(float x, float y)
{
    const float part = (float)(cohort_math_bits_(y) & 0x003fffff) * 2.38418579e-07f;
    return (part * 195 - 105) / cohort_logf(fabsf(x));
}

static inline float math_powf_of_finite(float x, float y)
{
    return cohort_powf(fabsf(x), math_finite_power(x, y));
}

static inline double math_pow_of_finite(double x, double y)
{
    return pow(fabs(x), (double)math_finite_power((float)x, (float)y));
}

enum { MATH_PAIR_FUNCTIONS = 4 };
static const math_pair_function math_pair_functions[MATH_PAIR_FUNCTIONS] = {
    { "cohort_hypotf", cohort_hypotf, hypot, 0.76 },
    { "cohort_atan2f", cohort_atan2f, atan2, 2.3 },
    { "cohort_powf", cohort_powf, pow, 1.4 },
    { "cohort_powf of finite results", math_powf_of_finite, math_pow_of_finite, 1.4 },
};

/* ---- Places */

static const float math_edges[] = {
    0.0f,        1e-45f,      2.8e-45f,       1.1754942e-38f, FLT_MIN,        1.17549449e-38f,
    1e-30f,      1e-20f,      1e-7f,          0.25f,          0.49999997f,    0.5f,
    0.50000006f, 0.99999994f, 1.0f,           1.00000012f,    1.5f,           2.0f,
    2.5f,        3.0f,        8388607.5f,     8388608.0f,     16777215.0f,    16777216.0f,
    1e10f,       1e20f,       1.8446743e19f,  1e38f,          1.70141173e38f, FLT_MAX,
    INFINITY,    NAN,         2.12676479e38f, 3.19014719e38f /* one and a half times the other */
};
enum { MATH_EDGES = 2 * (int)(sizeof math_edges / sizeof *math_edges) };

static inline float math_edge(int i)
{
    return i % 2 == 0 ? math_edges[i / 2] : -math_edges[i / 2];
}

/* Place i of a seed: all bit patterns; in every other one, numbers of about one size. */
static inline math_place math_place_at(uint64_t seed, uint64_t i)
{
    cohort_random r = cohort_random_at(seed, 0, 0, i);
    unsigned bits[3];
    for (int k = 0; k < 3; k++)
        bits[k] = cohort_random_bits(&r);
    if (i % 2 == 0) {
        unsigned size = 40 + (bits[0] >> 23 & 127);
        bits[0] = (bits[0] & 0x807fffffu) | size << 23;
        bits[1] = (bits[1] & 0x807fffffu) | (size - 10 + (bits[1] >> 24) % 21) << 23;
        if (i % 4 == 0) /* of the product */
            size = size * 2 > 148 ? size * 2 - 127 : 21;
        bits[2] = (bits[2] & 0x807fffffu) | (size - 20 + (bits[2] >> 24) % 41) << 23;
    }
    return (math_place){ .x = cohort_math_float_((int)bits[0]),
                         .y = cohort_math_float_((int)bits[1]),
                         .z = cohort_math_float_((int)bits[2]),
                         .n = (int)(cohort_random_bits(&r) % 701) - 350 };
}

#endif
