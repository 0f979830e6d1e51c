/* SPDX-License-Identifier: BSD-3-Clause */
/* make check-long: cohort/math_double.h beside MPFR, and its exact functions beside libm, on 10^7
 * places each. Prints the largest errors, and how many results in a hundred are not the nearest
 * double: doc/math.md has them. SEED draws other places, PLACES other numbers of them, ONLY=pow
 * plays one function. */
#include "config.h"

#include "tests/tap.h"

#include "tests/math_doubles.h"

#ifndef HAVE_MPFR

int main(void)
{
    return skip_all("configured without MPFR (libmpfr-dev)");
}

#else

#include <mpfr.h>

enum { BITS = 100, CHUNK = 4096 };

typedef struct error_result {
    double error, at, at_y; /* the largest */
    int64_t n_others;       /* results that are not the nearest double */
} error_result;

static int64_t n_places = 10000000;
static uint64_t seed = 1;

#define EXACT(name, bound, least, most) mpfr_##name,
static int (*const exact[])(mpfr_t, const mpfr_t, mpfr_rnd_t) = { MATH_DOUBLES(EXACT) };
#define EXACT_PAIR(name, bound) mpfr_##name,
static int (*const exact_pairs[])(mpfr_t, const mpfr_t, const mpfr_t,
                                  mpfr_rnd_t) = { MATH_DOUBLE_PAIRS(EXACT_PAIR) };

static bool is_equal(double a, double b)
{
    return (isnan(a) && isnan(b)) || cohort_math_long_bits_(a) == cohort_math_long_bits_(b);
}

/* In units of the last place that a double of the size of `wanted` has; an infinite one counts as
 * 2^1024. */
static double error_of(mpfr_t wanted, double found)
{
    if (!mpfr_number_p(wanted) || isnan(found) || mpfr_zero_p(wanted))
        return INFINITY;
    mpfr_t difference;
    mpfr_init2(difference, 2 * BITS);
    long exponent = mpfr_get_exp(wanted);
    exponent = exponent < -1021 ? -1021 : exponent > 1024 ? 1024 : exponent;
    if (isinf(found))
        mpfr_set_si_2exp(difference, found < 0 ? -1 : 1, 1024, MPFR_RNDN);
    else
        mpfr_set_d(difference, found, MPFR_RNDN);
    mpfr_sub(difference, difference, wanted, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, 53 - exponent, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return error;
}

/* Most results are the nearest double, and nobody asks how far that is. */
static void look(error_result *into, mpfr_t wanted, double found, double x, double y)
{
    if (is_equal(mpfr_get_d(wanted, MPFR_RNDN), found))
        return;
    const double error = error_of(wanted, found);
    into->n_others++;
    if (error > into->error)
        *into = (error_result){ error, x, y, into->n_others };
}

static void look_at(error_result *into, int k, int64_t i, mpfr_t of_x, mpfr_t wanted)
{
    const double x = math_double_at(&math_doubles[k], seed, (uint64_t)i);
    mpfr_set_d(of_x, x, MPFR_RNDN);
    (void)exact[k](wanted, of_x, MPFR_RNDN);
    look(into, wanted, math_doubles[k].function(x), x, 0);
}

static void look_at_pair(error_result *into, int k, int64_t i, mpfr_t of_x, mpfr_t wanted)
{
    double y, x = math_double_pair_at(seed, (uint64_t)i, &y);
    mpfr_t of_y;
    mpfr_init2(of_y, 53);
    mpfr_set_d(of_x, x, MPFR_RNDN);
    mpfr_set_d(of_y, y, MPFR_RNDN);
    (void)exact_pairs[k](wanted, of_x, of_y, MPFR_RNDN);
    look(into, wanted, math_double_pairs[k].function(x, y), x, y);
    mpfr_clear(of_y);
}

typedef void look_fn(error_result *into, int k, int64_t i, mpfr_t of_x, mpfr_t wanted);

static error_result measure(look_fn *look_there, int k)
{
    error_result worst = { 0 };
#pragma omp parallel
    {
        error_result own = { 0 };
        mpfr_t of_x, wanted;
        mpfr_init2(of_x, 53);
        mpfr_init2(wanted, BITS);
#pragma omp for schedule(dynamic, CHUNK)
        for (int64_t i = 0; i < n_places; i++)
            look_there(&own, k, i, of_x, wanted);
        mpfr_clear(of_x);
        mpfr_clear(wanted);
#pragma omp critical
        {
            const int64_t n_others = worst.n_others + own.n_others;
            worst = own.error > worst.error ? own : worst;
            worst.n_others = n_others;
        }
        mpfr_free_cache();
    }
    return worst;
}

static bool is_asked(const char *name)
{
    const char *only = getenv("ONLY");
    return only == NULL || strcmp(only, name) == 0;
}

static void test(const char *name, double bound, look_fn *look_there, int k)
{
    if (!is_asked(name))
        return;
    const error_result r = measure(look_there, k);
    ok(r.error <= bound, "cohort_%s is wrong by %g ulp at most, on %lld places", name, bound,
       (long long)n_places);
    diag("%.4f ulp, at %a, %a; %.3f %% are not the nearest", r.error > 0.5 ? r.error : 0.5, r.at,
         r.at_y, 100.0 * (double)r.n_others / (double)n_places);
}

static void test_exact(void)
{
    int64_t n_wrong = 0;
    if (!is_asked("exact"))
        return;
#pragma omp parallel for schedule(dynamic, CHUNK) reduction(+ : n_wrong)
    for (int64_t i = 0; i < n_places; i++) {
        double place[3];
        n_wrong += math_double_wrong_at(seed, (uint64_t)i, place) != NULL;
    }
    ok(n_wrong == 0, "functions with one right result have it, on %lld places",
       (long long)n_places);
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *given = getenv(name);
    return given != NULL ? strtoull(given, NULL, 10) : otherwise;
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    seed = number("SEED", seed);
    n_places = (int64_t)number("PLACES", (uint64_t)n_places);
    diag("SEED=%llu", (unsigned long long)seed);
    for (int k = 0; k < N_MATH_DOUBLES; k++)
        test(math_doubles[k].name, math_doubles[k].bound, look_at, k);
    for (int k = 0; k < N_MATH_DOUBLE_PAIRS; k++)
        test(math_double_pairs[k].name, math_double_pairs[k].bound, look_at_pair, k);
    test_exact();
    return tap_done();
}

#endif
