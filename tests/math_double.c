/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort/math_double.h: special values, functions with one right result, errors beside libm's long
 * doubles, and the bits that every compiler and device must give. */
#include "tests/tap.h"

#include <inttypes.h>

#include "tests/math_doubles.h"

enum { DRAWN = 40000, SEED = 20261201 };

static const uint64_t nothing = 0xcbf29ce484222325u;

static uint64_t fold(uint64_t digest, double y)
{
    const uint64_t bits = (uint64_t)cohort_math_long_bits_(y);
    digest = (digest ^ (bits & 0xffffffffu)) * 0x100000001b3u;
    return (digest ^ bits >> 32) * 0x100000001b3u;
}

static void is_double(double found, double wanted, const char *claim)
{
    if (!ok(math_is_same_double(found, wanted), "%s", claim))
        diag("found %a, wanted %a", found, wanted);
}

/* ---- Special values */

static void test_nan(void)
{
    static const int64_t patterns[] = { 0x7ff8000000000000, 0x7ff0000000000001, INT64_MAX, -1 };
    bool is_one = true;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const double nan = cohort_math_double_(patterns[i]);
        for (int f = 0; f < N_MATH_DOUBLES; f++)
            is_one &= math_is_same_double(math_doubles[f].function(nan), NAN);
        for (int f = 0; f < N_MATH_DOUBLE_PAIRS; f++)
            is_one &= math_is_same_double(math_double_pairs[f].function(nan, 2), NAN) &&
                      math_is_same_double(math_double_pairs[f].function(2, nan), NAN);
        is_one &=
            math_double_wrong(nan, 1, 2, 3) == NULL && math_double_wrong(1, nan, 2, 3) == NULL;
    }
    ok(is_one, "a NaN gives the one NaN");
}

static void test_ends(void)
{
    static const struct {
        double (*function)(double);
        double x, y;
        const char *claim;
    } ends[] = {
        { cohort_exp, -0.0, 1, "exp of -0 is 1" },
        { cohort_exp, INFINITY, INFINITY, "exp of infinity is infinity" },
        { cohort_exp, -INFINITY, 0, "exp of -infinity is 0" },
        { cohort_exp, 709.782712893384, 0x1.fffffffffff2ap1023, "exp of 709.78 is finite" },
        { cohort_exp, 709.7827128933841, INFINITY, "exp of the next one is not" },
        { cohort_exp, -745.1332191019411, 0x1p-1074, "exp of -745.13 is subnormal" },
        { cohort_exp, -745.1332191019412, 0, "and 0 from there on" },
        { cohort_exp2, -1074, 0x1p-1074, "2^-1074 is the least number" },
        { cohort_exp2, 1023, 0x1p1023, "2^1023 is exact" },
        { cohort_exp2, 1024, INFINITY, "2^1024 is infinite" },
        { cohort_expm1, -0.0, -0.0, "expm1 of -0 is -0" },
        { cohort_expm1, -INFINITY, -1, "expm1 of -infinity is -1" },
        { cohort_expm1, 1e-320, 1e-320, "expm1 of what is subnormal is that" },
        { cohort_log, 0, -INFINITY, "log of 0 is -infinity" },
        { cohort_log, -0.0, -INFINITY, "of -0 as well" },
        { cohort_log, 1, 0, "log of 1 is 0" },
        { cohort_log, -1, NAN, "log of -1 is NaN" },
        { cohort_log, INFINITY, INFINITY, "log of infinity is infinity" },
        { cohort_log2, 0x1p-1074, -1074, "log2 of the least number is exact" },
        { cohort_log10, 1e22, 22, "log10 of 10^22 is exact" },
        { cohort_log1p, -0.0, -0.0, "log1p of -0 is -0" },
        { cohort_log1p, -1, -INFINITY, "log1p of -1 is -infinity" },
        { cohort_log1p, -1.0000000000000002, NAN, "log1p below is NaN" },
        { cohort_log1p, 1e-320, 1e-320, "log1p of what is subnormal is that" },
        { cohort_sinh, -INFINITY, -INFINITY, "sinh of -infinity is -infinity" },
        { cohort_sinh, -0.0, -0.0, "sinh of -0 is -0" },
        { cohort_cosh, -INFINITY, INFINITY, "cosh of -infinity is infinity" },
        { cohort_cosh, 0, 1, "cosh of 0 is 1" },
        { cohort_tanh, -INFINITY, -1, "tanh of -infinity is -1" },
        { cohort_tanh, -0.0, -0.0, "tanh of -0 is -0" },
        { cohort_cbrt, -27, -3, "the cube root of -27 is -3" },
        { cohort_cbrt, -INFINITY, -INFINITY, "of -infinity it is -infinity" },
        { cohort_cbrt, 0x1p-1074, 0x1p-358, "of the least number it is exact" },
        { cohort_sin, -0.0, -0.0, "sin of -0 is -0" },
        { cohort_sin, INFINITY, NAN, "sin of infinity is NaN" },
        { cohort_cos, -INFINITY, NAN, "cos of -infinity is NaN" },
        { cohort_tan, INFINITY, NAN, "tan of infinity is NaN" },
        { cohort_sin, DBL_MAX, 0.004961954789184062, "sin of the largest double is its own" },
        { cohort_cos, 6381956970095103 * 0x1p797, -4.687165924254628e-19,
          "of all doubles this one is closest to a zero of cos" },
        { cohort_asin, 1, 1.5707963267948966, "asin of 1 is pi / 2" },
        { cohort_asin, 1.0000000000000002, NAN, "asin above is NaN" },
        { cohort_acos, -1, 3.141592653589793, "acos of -1 is pi" },
        { cohort_acos, 1, 0, "acos of 1 is 0" },
        { cohort_acos, -INFINITY, NAN, "acos of -infinity is NaN" },
        { cohort_atan, -INFINITY, -1.5707963267948966, "atan of -infinity is -pi / 2" },
        { cohort_atan, -0.0, -0.0, "atan of -0 is -0" },
        { cohort_erf, -INFINITY, -1, "erf of -infinity is -1" },
        { cohort_erf, -0.0, -0.0, "erf of -0 is -0" },
        { cohort_erf, 0x1p-1074, 0x1p-1074, "erf of the least number is that" },
        { cohort_erfc, INFINITY, 0, "erfc of infinity is 0" },
        { cohort_erfc, -INFINITY, 2, "erfc of -infinity is 2" },
        { cohort_erfc, 26.5, 0x1.3df6725a60cf5p-1019, "erfc of 26.5 is that far from 0" },
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        is_double(ends[i].function(ends[i].x), ends[i].y, ends[i].claim);
}

/* C, Annex F.10.4.4. */
static void test_pow(void)
{
    static const double wanted[][3] = {
        { 0, -3, INFINITY },
        { -0.0, -3, -INFINITY },
        { -0.0, -2, INFINITY },
        { -0.0, -INFINITY, INFINITY },
        { 0, 3, 0 },
        { -0.0, 3, -0.0 },
        { -0.0, 2.5, 0 },
        { -1, INFINITY, 1 },
        { -1, -INFINITY, 1 },
        { 1, NAN, 1 },
        { NAN, -0.0, 1 },
        { -8, 1.0 / 3, NAN },
        { 0.5, -INFINITY, INFINITY },
        { -2, -INFINITY, 0 },
        { 0.5, INFINITY, 0 },
        { 2, INFINITY, INFINITY },
        { -INFINITY, -3, -0.0 },
        { -INFINITY, -2, 0 },
        { -INFINITY, 3, -INFINITY },
        { -INFINITY, 2.5, INFINITY },
        { INFINITY, -0.5, 0 },
        { INFINITY, 0.5, INFINITY },
        { -2, 3, -8 },
        { -2, 1023, -0x1p1023 },
        { 2, -1074, 0x1p-1074 },
        { 10, 22, 1e22 },
        { -1, 9007199254740993.0, 1 },
        { -1, 9007199254740991.0, -1 },
        { 0x1.fffffffffffffp-1, 1e300, 0 },
        { 1 + DBL_EPSILON, 1e300, INFINITY },
        { 5, 1e-320, 1 },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!ok(math_is_same_double(cohort_pow(wanted[i][0], wanted[i][1]), wanted[i][2]),
                "%g to the power %g is %g", wanted[i][0], wanted[i][1], wanted[i][2]))
            diag("%a", cohort_pow(wanted[i][0], wanted[i][1]));
}

static void test_angles(void)
{
    static const double wanted[][3] = { { 0.0, 1.0, 0.0 },
                                        { -0.0, 1.0, -0.0 },
                                        { 0.0, -0.0, 3.141592653589793 },
                                        { -0.0, -0.0, -3.141592653589793 },
                                        { -0.0, -1.0, -3.141592653589793 },
                                        { INFINITY, -INFINITY, 2.356194490192345 },
                                        { -INFINITY, INFINITY, -0.7853981633974483 },
                                        { 1.0, INFINITY, 0.0 },
                                        { 1.0, -INFINITY, 3.141592653589793 },
                                        { -1.0, 0.0, -1.5707963267948966 },
                                        { 0x1p-1074, 1.0, 0x1p-1074 },
                                        { 0x1p-1074, DBL_MAX, 0.0 },
                                        { 0x1p-1074, 0x1p-1074, 0.7853981633974483 } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ok(math_is_same_double(cohort_atan2(wanted[i][0], wanted[i][1]), wanted[i][2]),
           "the angle of x = %g and y = %g is %g", wanted[i][1], wanted[i][0], wanted[i][2]);
    is_double(cohort_hypot(NAN, -INFINITY), INFINITY, "hypot of infinity is infinity");
    is_double(cohort_hypot(3, -4), 5, "hypot of 3 and -4 is 5");
    is_double(cohort_hypot(DBL_MAX, DBL_MAX), INFINITY, "hypot overflows where it is to");
    is_double(cohort_hypot(3 * 0x1p-1074, 4 * 0x1p-1074), 5 * 0x1p-1074, "and not before");
}

/* ---- One right result */

static void test_exact(void)
{
    static const double edges[] = { 0,          0x1p-1074, 0x1p-1023, DBL_MIN, 0.49999999999999994,
                                    0.5,        1,         1.5,       2.5,     1 + DBL_EPSILON,
                                    3,          1e-300,    0x1p52,    0x1p53,  4503599627370495.5,
                                    1e17,       0x1p1022,  DBL_MAX,   1e300,   INFINITY,
                                    0x1.4p1023, 0x1.ep1023 /* one and a half times the other */ };
    enum { EDGES = 2 * (int)(sizeof edges / sizeof *edges) };
    static const int powers[] = { 0, 1, -1, 53, -1074, 1023, -2200, 2200, INT32_MAX, INT32_MIN };
    const char *wrong = NULL;
    double place[3] = { 0 };
    for (int i = 0; i < EDGES * EDGES * EDGES && wrong == NULL; i++) {
        const int at[] = { i % EDGES, i / EDGES % EDGES, i / EDGES / EDGES };
        for (int k = 0; k < 3; k++)
            place[k] = at[k] % 2 == 0 ? edges[at[k] / 2] : -edges[at[k] / 2];
        wrong = math_double_wrong(place[0], place[1], place[2], powers[i / EDGES % 10]);
    }
    if (!ok(wrong == NULL, "functions with one right result have it on all edges"))
        diag("%s of %a, %a, %a", wrong, place[0], place[1], place[2]);
    wrong = NULL;
    for (uint64_t i = 0; i < DRAWN && wrong == NULL; i++)
        wrong = math_double_wrong_at(SEED, i, place);
    if (!ok(wrong == NULL, "and where it is drawn, by seed %d", SEED))
        diag("%s of %a, %a, %a", wrong, place[0], place[1], place[2]);
}

/* ---- Errors */

/* Long doubles that are longer, and a libm that knows them. */
#define HAS_LONGER (LDBL_MANT_DIG >= 64)

/* In units of the last place that a double of the size of `exact` has; an infinite one counts as
 * 2^1024. */
static double error_of(long double exact, double found)
{
    int exponent;
    if (isnan(exact) || isnan(found))
        return isnan(exact) && isnan(found) ? 0 : INFINITY;
    const long double most = ldexpl(1, 1024);
    const long double wanted = fmaxl(-most, fminl(exact, most));
    const long double value = isinf(found) ? copysignl(most, found) : (long double)found;
    (void)frexpl(wanted, &exponent);
    exponent = exponent < -1021 ? -1021 : exponent > 1024 ? 1024 : exponent;
    return (double)(fabsl(value - wanted) / ldexpl(1, exponent - 53));
}

#define EXACT(name, bound, least, most) name##l,
static long double (*const exact[])(long double) = { MATH_DOUBLES(EXACT) };
#define EXACT_PAIR(name, bound) name##l,
static long double (*const exact_pairs[])(long double,
                                          long double) = { MATH_DOUBLE_PAIRS(EXACT_PAIR) };

static void test_error(double worst, double at, const char *name, double bound)
{
    if (HAS_LONGER)
        ok(worst <= bound, "cohort_%s is wrong by %g ulp at most, by seed %d", name, bound, SEED);
    else
        skip(name, "its error is not known: long doubles are doubles here");
    diag("%.4f ulp, at %a", worst, at);
}

static void is_digest(uint64_t found, uint64_t wanted, const char *name)
{
    if (!ok(found == wanted, "cohort_%s gives the bits that it gives everywhere", name))
        diag("digest 0x%016" PRIx64 ", wanted 0x%016" PRIx64, found, wanted);
}

static void test_sample(void)
{
    static const uint64_t digests[N_MATH_DOUBLES] = {
        0x86b8a1783eb17de2, 0xd384b637842f414a, 0x8966506e4e4c83ad, 0x34f5d2cc6b31661c,
        0x341d046462e1477e, 0x4783363b8889edac, 0x7532da9a14a41139, 0xe0a5694874055a2e,
        0x2ad01cd6a159a3c2, 0x5d927f75caa2c097, 0xfabac9c1f50581ab, 0x242d95144444f608,
        0xadad6c18c6722a19, 0x590b1f93262d5e50, 0xbc4d6d77bf58003c, 0x2459c72166732643,
        0x791bbf60fb18cc64, 0x000e44f29792c2c6, 0x611eaab7d5d941a2
    };
    for (int k = 0; k < N_MATH_DOUBLES; k++) {
        const math_double *f = &math_doubles[k];
        uint64_t digest = nothing;
        double worst = 0, at = 0;
        for (uint64_t i = 0; i < DRAWN; i++) {
            const double x = math_double_at(f, SEED, i), y = f->function(x);
            const double error = HAS_LONGER ? error_of(exact[k]((long double)x), y) : 0;
            at = error > worst ? x : at;
            worst = error > worst ? error : worst;
            digest = fold(digest, y);
        }
        test_error(worst, at, f->name, f->bound);
        is_digest(digest, digests[k], f->name);
    }
}

static void test_pairs(void)
{
    static const uint64_t digests[N_MATH_DOUBLE_PAIRS] = { 0x9ac9d03921189209, 0x3bbe740c926cdb82,
                                                           0x1ebc5bb416991ae6 };
    for (int k = 0; k < N_MATH_DOUBLE_PAIRS; k++) {
        const math_double_pair *f = &math_double_pairs[k];
        uint64_t digest = nothing;
        double worst = 0, at = 0;
        for (uint64_t i = 0; i < DRAWN; i++) {
            double y, x = math_double_pair_at(SEED, i, &y);
            const double found = f->function(x, y);
            const double error =
                HAS_LONGER ? error_of(exact_pairs[k]((long double)x, (long double)y), found) : 0;
            at = error > worst ? x : at;
            worst = error > worst ? error : worst;
            digest = fold(digest, found);
        }
        test_error(worst, at, f->name, f->bound);
        is_digest(digest, digests[k], f->name);
    }
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    test_nan();
    test_ends();
    test_pow();
    test_angles();
    test_exact();
    test_sample();
    test_pairs();
    return tap_done();
}
