/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort/math.h: special values, errors, and the bits that every compiler and device must give. */
#include "tests/tap.h"
#include "tests/ulp.h"

#include <float.h>
#include <inttypes.h>

static void is_bits(float found, int wanted, const char *claim)
{
    int bits = cohort_math_bits_(found);
    if (!ok(bits == wanted, "%s", claim))
        diag("found %08x, wanted %08x", (unsigned)bits, (unsigned)wanted);
}

static void is_float(float found, float wanted, const char *claim)
{
    is_bits(found, cohort_math_bits_(wanted), claim);
}

static void test_nan(void)
{
    static const int patterns[] = {
        0x7fc00000, 0x7f800001, 0x7fffffff, -0x00400000, -0x007fffff, -1
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (int f = 0; f < ULP_FUNCTIONS; f++)
            is_bits(ulp_functions[f].function(cohort_math_float_(patterns[i])), 0x7fc00000,
                    "a NaN gives the one NaN");
}

static void test_exp(void)
{
    is_float(cohort_expf(0.0f), 1.0f, "exp of 0 is 1");
    is_float(cohort_expf(-0.0f), 1.0f, "exp of -0 is 1");
    is_float(cohort_expf(1e-45f), 1.0f, "exp of the least subnormal number is 1");
    is_float(cohort_expf(INFINITY), INFINITY, "exp of infinity is infinity");
    is_float(cohort_expf(-INFINITY), 0.0f, "exp of -infinity is 0");
    is_float(cohort_expf(FLT_MAX), INFINITY, "exp of the largest float is infinity");
    is_float(cohort_expf(-FLT_MAX), 0.0f, "exp of its negative is 0");
    ok(isfinite(cohort_expf(88.7228317f)), "exp of 88.72283 is finite");
    is_float(cohort_expf(88.7228394f), INFINITY, "exp of the next float is infinity");
    is_float(cohort_expf(-103.5f), 1e-45f, "exp of -103.5 is the least subnormal number");
    is_float(cohort_expf(-103.972f), 1e-45f, "down to -103.972");
    is_float(cohort_expf(-103.9722f), 0.0f, "and 0 from there on");
    is_float(cohort_expf(-88.0f), 6.05460149e-39f, "exp of -88 is subnormal");
}

static void test_log(void)
{
    is_float(cohort_logf(1.0f), 0.0f, "log of 1 is 0");
    is_float(cohort_logf(0.0f), -INFINITY, "log of 0 is -infinity");
    is_float(cohort_logf(-0.0f), -INFINITY, "log of -0 is -infinity");
    is_float(cohort_logf(INFINITY), INFINITY, "log of infinity is infinity");
    is_bits(cohort_logf(-INFINITY), 0x7fc00000, "log of -infinity is NaN");
    is_bits(cohort_logf(-1.0f), 0x7fc00000, "log of -1 is NaN");
    is_bits(cohort_logf(-1e-45f), 0x7fc00000, "log of a negative subnormal number is NaN");
    is_float(cohort_logf(1e-45f), -103.278931f, "log of the least subnormal number");
    is_float(cohort_logf(1.17549421e-38f), -87.3365479f, "log of the largest subnormal number");
    is_float(cohort_logf(FLT_MIN), -87.3365479f, "log of the least normal number");
    is_float(cohort_logf(FLT_MAX), 88.7228394f, "log of the largest float");
}

static void test_tanh(void)
{
    static const float same[] = { 0.0f, 1e-45f, FLT_MIN, 1e-30f, 1e-5f };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        is_float(cohort_tanhf(same[i]), same[i], "tanh of a small number is that number");
        is_float(cohort_tanhf(-same[i]), -same[i], "also of a negative one");
    }
    is_float(cohort_tanhf(INFINITY), 1.0f, "tanh of infinity is 1");
    is_float(cohort_tanhf(-INFINITY), -1.0f, "tanh of -infinity is -1");
    is_float(cohort_tanhf(FLT_MAX), 1.0f, "tanh of the largest float is 1");
    is_float(cohort_tanhf(9.0f), 0.999999970f, "tanh of 9 is not yet 1");
    is_float(cohort_tanhf(10.0f), 1.0f, "tanh of 10 is");
}

static void test_powers(void)
{
    bool are_exact = true;
    for (int n = -149; n < 128; n++)
        are_exact &=
            cohort_exp2f((float)n) == ldexpf(1, n) && cohort_log2f(ldexpf(1, n)) == (float)n;
    ok(are_exact, "exp2 of integers and log2 of powers of two are exact");
    is_float(cohort_exp2f(128.0f), INFINITY, "exp2 of 128 is infinity");
    is_float(cohort_exp2f(-150.0f), 0.0f, "exp2 of -150 is 0");
    is_float(cohort_exp2f(-INFINITY), 0.0f, "exp2 of -infinity is 0");
    is_float(cohort_exp2f(FLT_MAX), INFINITY, "exp2 of the largest float is infinity");
    is_float(cohort_log2f(-0.0f), -INFINITY, "log2 of -0 is -infinity");
    is_bits(cohort_log2f(-1.0f), 0x7fc00000, "log2 of -1 is NaN");
    is_float(cohort_log10f(1.0f), 0.0f, "log10 of 1 is 0");
    is_float(cohort_log10f(1000.0f), 3.0f, "log10 of 1000 is 3");
    is_float(cohort_log10f(INFINITY), INFINITY, "log10 of infinity is infinity");
    is_float(cohort_log10f(0.0f), -INFINITY, "log10 of 0 is -infinity");
    is_float(cohort_cbrtf(-27.0f), -3.0f, "the cube root of -27 is -3");
    is_float(cohort_cbrtf(-0.0f), -0.0f, "of -0 it is -0");
    is_float(cohort_cbrtf(-INFINITY), -INFINITY, "of -infinity it is -infinity");
}

static void test_angles(void)
{
    static float (*const odd[])(float) = { cohort_sinf, cohort_tanf, cohort_atanf, cohort_erff };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        is_float(odd[i](-0.0f), -0.0f, "an odd function of -0 is -0");
    is_float(cohort_cosf(0.0f), 1.0f, "cos of 0 is 1");
    is_bits(cohort_sinf(INFINITY), 0x7fc00000, "sin of infinity is NaN");
    is_bits(cohort_cosf(-INFINITY), 0x7fc00000, "cos of -infinity is NaN");
    is_bits(cohort_tanf(INFINITY), 0x7fc00000, "tan of infinity is NaN");
    is_float(cohort_sinf(FLT_MAX), -0.521876514f, "sin of the largest float is that of its value");
    is_float(cohort_atanf(INFINITY), 1.57079637f, "atan of infinity is pi / 2");
    is_float(cohort_erff(INFINITY), 1.0f, "erf of infinity is 1");
    is_float(cohort_erff(-4.0f), -1.0f, "erf of -4 is -1");
}

static void test_more(void)
{
    static float (*const odd[])(float) = { cohort_expm1f, cohort_log1pf, cohort_sinhf,
                                           cohort_asinf };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        is_float(odd[i](-0.0f), -0.0f, "a function that crosses 0 has -0 of -0");
        is_float(odd[i](1e-45f), 1e-45f, "and what is subnormal of that");
    }
    is_float(cohort_expm1f(-INFINITY), -1.0f, "expm1 of -infinity is -1");
    is_float(cohort_expm1f(INFINITY), INFINITY, "expm1 of infinity is infinity");
    is_float(cohort_log1pf(-1.0f), -INFINITY, "log1p of -1 is -infinity");
    is_bits(cohort_log1pf(-1.00000012f), 0x7fc00000, "log1p below is NaN");
    is_float(cohort_sinhf(-INFINITY), -INFINITY, "sinh of -infinity is -infinity");
    is_float(cohort_sinhf(89.4159851f), 3.40281962e+38f, "sinh of 89.41598 is finite");
    is_float(cohort_coshf(-INFINITY), INFINITY, "cosh of -infinity is infinity");
    is_float(cohort_coshf(-0.0f), 1.0f, "cosh of -0 is 1");
    is_float(cohort_asinf(1.0f), 1.57079637f, "asin of 1 is pi / 2");
    is_bits(cohort_asinf(1.00000012f), 0x7fc00000, "asin above is NaN");
    is_float(cohort_acosf(-1.0f), 3.14159274f, "acos of -1 is pi");
    is_float(cohort_acosf(1.0f), 0.0f, "acos of 1 is 0");
    is_bits(cohort_acosf(-INFINITY), 0x7fc00000, "acos of -infinity is NaN");
    is_float(cohort_erfcf(INFINITY), 0.0f, "erfc of infinity is 0");
    is_float(cohort_erfcf(-INFINITY), 2.0f, "erfc of -infinity is 2");
    is_float(cohort_erfcf(0.0f), 1.0f, "erfc of 0 is 1");
}

/* C, Annex F.10.4.4. */
static void test_pow(void)
{
    static const float wanted[][3] = { { 0, -3, INFINITY },
                                       { -0.0f, -3, -INFINITY },
                                       { -0.0f, -2, INFINITY },
                                       { -0.0f, 3, -0.0f },
                                       { -0.0f, 2.5f, 0 },
                                       { -1, INFINITY, 1 },
                                       { 1, NAN, 1 },
                                       { NAN, -0.0f, 1 },
                                       { 0.5f, -INFINITY, INFINITY },
                                       { -2, -INFINITY, 0 },
                                       { 0.5f, INFINITY, 0 },
                                       { 2, INFINITY, INFINITY },
                                       { -INFINITY, -3, -0.0f },
                                       { -INFINITY, 3, -INFINITY },
                                       { -INFINITY, 2.5f, INFINITY },
                                       { INFINITY, -0.5f, 0 },
                                       { -2, 3, -8 },
                                       { -2, 127, -1.70141183e38f },
                                       { 2, -149, 1.40129846e-45f },
                                       { -1, 16777216.0f, 1 },
                                       { -1, 16777215.0f, -1 },
                                       { 0.99999994f, 3e38f, 0 },
                                       { 1.00000012f, 3e38f, INFINITY },
                                       { 5, 1e-45f, 1 } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        is_float(cohort_powf(wanted[i][0], wanted[i][1]), wanted[i][2], "pow of an edge");
    is_bits(cohort_powf(-8.0f, 0.333333343f), 0x7fc00000, "a root of what is negative is NaN");
    is_bits(cohort_powf(NAN, 1.0f), 0x7fc00000, "a power of NaN is NaN");
}

static void test_order(void)
{
    int n_odd = 0, n_beyond = 0;
    for (float x = -12; x < 12; x += 0.001f) {
        n_odd += cohort_tanhf(-x) == -cohort_tanhf(x);
        n_beyond += fabsf(cohort_tanhf(x)) > 1;
    }
    ok(n_odd > 20000 && n_beyond == 0, "tanh is odd, and never beyond 1");
}

/* Every 9973rd float, which is all sizes and signs. */
static void test_sample(void)
{
    static const uint64_t digests[ULP_FUNCTIONS] = {
        0xad12f9590332119b, 0x91f0ce666bb1bd74, 0x1a564ef358379a51, 0xe8c63441fc9f918e,
        0x703fc3f594d7e2fe, 0x29c3235ecb089e80, 0xab3b2fe7d9098022, 0xd5b6074d10c93c11,
        0x2d6a79135616a27e, 0x35b26e062adffc82, 0x9f1ab6669b4fe341, 0x65266b9457d5dcce,
        0x88ca247111c2ffe3, 0xf4f352d845e3aff8, 0xb1e73401cc687f2a, 0x2d698c046c4ad565,
        0x9accb12b875fadbb, 0x5604465890aefbf4, 0xa07ec481be73b766
    };
    for (int i = 0; i < ULP_FUNCTIONS; i++) {
        const ulp_function *f = &ulp_functions[i];
        ulp_result r = ulp_measure(f, 0, UINT64_C(1) << 32, 9973);
        ok(r.error <= f->bound, "%s is wrong by %g ulp at most", f->name, f->bound);
        diag("%.3f ulp, at %.9g", r.error, (double)r.at);
        if (!ok(r.digest == digests[i], "%s gives the bits that it gives everywhere", f->name))
            diag("digest %016" PRIx64 ", wanted %016" PRIx64, r.digest, digests[i]);
    }
}

/* Results near 1 and the two ends of exp, the change of method of tanh: each float. */
static void test_dense(void)
{
    static const struct {
        int function;
        float from, to;
    } ranges[] = { { 0, 88.7f, 88.75f },
                   { 0, 103.5f, 104.5f },
                   { 0, 1e-4f, 1.2e-4f },
                   { 1, 0.99f, 1.01f },
                   { 1, 1.17549e-38f, 1.1755e-38f },
                   { 1, 1.4140f, 1.4144f },
                   { 2, 0.62f, 0.63f },
                   { 2, 8.9f, 10.1f },
                   { 3, 127.9f, 128.1f },
                   { 4, 0.99f, 1.01f },
                   { 5, 0.99f, 1.01f },
                   { 6, 1.17549e-38f, 1.1755e-38f },
                   { 7, 3.14f, 3.15f },
                   { 8, 1.57f, 1.58f },
                   { 9, 0.78f, 0.79f },
                   { 9, 1.57f, 1.58f },
                   { 10, 0.41f, 0.42f },
                   { 11, 0.92f, 0.93f },
                   { 11, 3.8f, 4.1f },
                   { 12, 0.34f, 0.36f },
                   { 12, 16.9f, 17.6f },
                   { 14, 0.99f, 1.01f },
                   { 16, 0.499f, 0.501f },
                   { 17, 0.499f, 0.501f },
                   { 18, 0.499f, 0.501f },
                   { 18, 1.99f, 2.01f },
                   { 18, 9.1f, 10.2f } };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const ulp_function *f = &ulp_functions[ranges[i].function];
        uint64_t from = (uint64_t)cohort_math_bits_(ranges[i].from),
                 to = (uint64_t)cohort_math_bits_(ranges[i].to);
        double above = ulp_measure(f, from, to, 1).error;
        double below = ulp_measure(f, from | 0x80000000u, to | 0x80000000u, 1).error;
        ok(above <= f->bound && below <= f->bound,
           "%s is right at all floats from %g to %g, and their negatives", f->name,
           (double)ranges[i].from, (double)ranges[i].to);
    }
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    test_nan();
    test_exp();
    test_log();
    test_tanh();
    test_powers();
    test_angles();
    test_more();
    test_pow();
    test_order();
    test_sample();
    test_dense();
    return tap_done();
}
