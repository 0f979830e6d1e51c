/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of cohort/math_double.h: which there are, how far they may be off, where they are
 * tried, and those that have one right result beside libm. */
#ifndef COHORT_TESTS_MATH_DOUBLES_H
#define COHORT_TESTS_MATH_DOUBLES_H

#include <cohort/random.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* X(name, bound in ulp as the headers say, least, most): places are drawn between the last two, and
 * among all bit patterns. */
#define MATH_DOUBLES(X)                                                                            \
    X(exp, 0.53, -750, 715)                                                                        \
    X(log, 0.51, 0, 4)                                                                             \
    X(exp2, 0.54, -1080, 1025)                                                                     \
    X(expm1, 0.6, -5, 5)                                                                           \
    X(log1p, 0.51, -1, 3)                                                                          \
    X(log2, 0.51, 0, 4)                                                                            \
    X(log10, 0.51, 0, 4)                                                                           \
    X(sinh, 0.6, -12, 12)                                                                          \
    X(cosh, 0.54, -12, 12)                                                                         \
    X(tanh, 0.6, -6, 6)                                                                            \
    X(cbrt, 0.51, -8, 8)                                                                           \
    X(sin, 0.85, -10000, 10000)                                                                    \
    X(cos, 0.85, -10000, 10000)                                                                    \
    X(tan, 1, -10000, 10000)                                                                       \
    X(asin, 0.51, -1, 1)                                                                           \
    X(acos, 0.51, -1, 1)                                                                           \
    X(atan, 0.51, -4, 4)                                                                           \
    X(erf, 0.85, -6.5, 6.5)                                                                        \
    X(erfc, 0.85, -6.5, 27.5)
/* Of two doubles: X(name, bound). */
#define MATH_DOUBLE_PAIRS(X) X(pow, 0.55) X(atan2, 0.51) X(hypot, 0.51)

typedef struct math_double {
    const char *name;
    double (*function)(double);
    double bound, least, most;
} math_double;

typedef struct math_double_pair {
    const char *name;
    double (*function)(double, double);
    double bound;
} math_double_pair;

#define MATH_DOUBLE_ROW(name, bound, least, most) { #name, cohort_##name, bound, least, most },
static const math_double math_doubles[] = { MATH_DOUBLES(MATH_DOUBLE_ROW) };
#define MATH_DOUBLE_PAIR_ROW(name, bound) { #name, cohort_##name, bound },
static const math_double_pair math_double_pairs[] = { MATH_DOUBLE_PAIRS(MATH_DOUBLE_PAIR_ROW) };
enum {
    N_MATH_DOUBLES = sizeof math_doubles / sizeof *math_doubles,
    N_MATH_DOUBLE_PAIRS = sizeof math_double_pairs / sizeof *math_double_pairs
};

/* ---- Places */

static inline double math_uniform(cohort_random *r, double least, double most)
{
    return least + (most - least) * cohort_random_uniform(r);
}

static inline double math_pattern(cohort_random *r)
{
    const uint64_t high = cohort_random_bits(r);
    return cohort_math_double_((int64_t)(high << 32 | cohort_random_bits(r)));
}

/* Place i of a function, by its seed. */
static inline double math_double_at(const math_double *f, uint64_t seed, uint64_t i)
{
    cohort_random r = cohort_random_at(seed, 0, 0, i);
    return i % 4 == 0 ? math_pattern(&r) : math_uniform(&r, f->least, f->most);
}

/* x and y of place i: all patterns; of about one size; x^y finite; x close to 1. */
static inline double math_double_pair_at(uint64_t seed, uint64_t i, double *out_y)
{
    cohort_random r = cohort_random_at(seed, 1, 0, i);
    double x = math_pattern(&r), size = fabs(x);
    *out_y = math_pattern(&r);
    if (i % 4 == 0 || !isfinite(x) || x == 0)
        return x;
    if (i % 4 == 1) {
        *out_y = x * math_uniform(&r, -3, 3);
        return x;
    }
    x = i % 4 == 2 ? size : 1 + math_uniform(&r, -1, 1) * math_uniform(&r, 0, 0.01);
    *out_y = x == 1 ? 1 : math_uniform(&r, -750, 715) / cohort_log(x);
    return x;
}

/* ---- One right result: the same bits, and the one NaN */

static inline bool math_is_same_double(double found, double wanted)
{
    return cohort_math_long_bits_(found) ==
           (isnan(wanted) ? COHORT_MATH_LONG_NAN_ : cohort_math_long_bits_(wanted));
}

/* Of 0 and -0 C lets fmin give either, and of a signalling NaN libraries give what they like. */
static inline double math_lesser(double x, double y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? x : y) : fmin(x, y);
}

static inline double math_greater(double x, double y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? y : x) : fmax(x, y);
}

/* The first function of x, y, z and n that is wrong there, or NULL. */
static inline const char *math_double_wrong(double x, double y, double z, int n)
{
    int found_n = 0, wanted_n = 0;
    double found_whole = 0, wanted_whole = 0;
    const double part = cohort_frexp(x, &found_n), exact_part = frexp(x, &wanted_n);
    const double rest = cohort_modf(x, &found_whole), exact_rest = modf(x, &wanted_whole);
    const struct {
        const char *name;
        double found, wanted;
    } results[] = { { "trunc", cohort_trunc(x), trunc(x) },
                    { "floor", cohort_floor(x), floor(x) },
                    { "ceil", cohort_ceil(x), ceil(x) },
                    { "round", cohort_round(x), round(x) },
                    { "rint", cohort_rint(x), rint(x) },
                    { "fmin", cohort_fmin(x, y), math_lesser(x, y) },
                    { "fmax", cohort_fmax(x, y), math_greater(x, y) },
                    { "ldexp", cohort_ldexp(x, n), ldexp(x, n) },
                    { "frexp", part, exact_part },
                    /* C leaves open what stands beside an infinite number or a NaN */
                    { "frexp's power", found_n, isfinite(x) ? wanted_n : 0 },
                    { "modf", rest, exact_rest },
                    { "modf's integer", found_whole, wanted_whole },
                    { "fmod", cohort_fmod(x, y), fmod(x, y) },
                    { "remainder", cohort_remainder(x, y), remainder(x, y) },
                    { "fma", cohort_fma(x, y, z), fma(x, y, z) } };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (!math_is_same_double(results[i].found, results[i].wanted))
            return results[i].name;
    /* of a NaN the sign changes, too */
    const int64_t copied = cohort_math_long_bits_(cohort_copysign(x, y));
    return copied == ((cohort_math_long_bits_(x) & INT64_MAX) |
                      (cohort_math_long_bits_(y) & INT64_MIN))
               ? NULL
               : "copysign";
}

/* Three doubles and a power of place i: all patterns, or numbers of about one size. */
static inline const char *math_double_wrong_at(uint64_t seed, uint64_t i, double place[3])
{
    cohort_random r = cohort_random_at(seed, 2, 0, i);
    for (int k = 0; k < 3; k++)
        place[k] = math_pattern(&r);
    const int n = (int)(cohort_random_bits(&r) % 5001) - 2500;
    if (i % 2 == 1) {
        const int power = (int)(cohort_random_bits(&r) % 900) - 450;
        for (int k = 0; k < 3; k++)
            place[k] = ldexp(math_uniform(&r, -2, 2), (k == 2 && i % 4 == 1 ? 2 * power : power) +
                                                          (int)(cohort_random_bits(&r) % 81) - 40);
    }
    return math_double_wrong(place[0], place[1], place[2], n);
}

#endif
