/* SPDX-License-Identifier: BSD-3-Clause */
/* make check-long: cohort/math.h beside libm: functions of one float at all 2^32, those of more on
 * 10^8 drawn places. Prints the largest errors. SEED draws other places. */
#include "tests/tap.h"

#include <float.h>
#include <stdbool.h>

#include "tests/math_pairs.h"

enum { PIECES = 4096, DRAWN = 100000000 };

static ulp_result measure_all(const ulp_function *f)
{
    static ulp_result piece[PIECES];
    const uint64_t length = (UINT64_C(1) << 32) / PIECES;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < PIECES; i++)
        piece[i] = ulp_measure(f, length * (uint64_t)i, length * (uint64_t)(i + 1), 1);
    ulp_result worst = piece[0];
    for (int i = 1; i < PIECES; i++)
        if (piece[i].error > worst.error)
            worst = piece[i];
    return worst;
}

static bool is_exact_everywhere(int function)
{
    int n_wrong = 0;
#pragma omp parallel for schedule(dynamic, 65536) reduction(+ : n_wrong)
    for (int64_t i = 0; i < INT64_C(1) << 32; i++)
        n_wrong +=
            !math_is_exact(function, (math_place){ .x = cohort_math_float_((int)(uint32_t)i) });
    return n_wrong == 0;
}

static bool is_exact_where_drawn(int function, uint64_t seed)
{
    int n_wrong = 0;
#pragma omp parallel for schedule(dynamic, 65536) reduction(+ : n_wrong)
    for (int64_t i = 0; i < DRAWN; i++)
        n_wrong += !math_is_exact(function, math_place_at(seed, (uint64_t)i));
    return n_wrong == 0;
}

static double measure_drawn(const math_pair_function *f, uint64_t seed)
{
    double worst = 0;
#pragma omp parallel for schedule(dynamic, 65536) reduction(max : worst)
    for (int64_t i = 0; i < DRAWN; i++) {
        math_place p = math_place_at(seed, (uint64_t)i);
        worst = fmax(worst, ulp_error(f->exact((double)p.x, (double)p.y), f->function(p.x, p.y)));
    }
    return worst;
}

static bool takes_one_float(int function)
{
    return function <= MATH_RINT || function == MATH_FREXP || function == MATH_MODF;
}

static void test_more_floats(uint64_t seed)
{
    for (int i = 0; i < MATH_EXACT; i++)
        ok(takes_one_float(i) ? is_exact_everywhere(i) : is_exact_where_drawn(i, seed),
           "cohort_%s is exact, over %s", math_exact_names[i],
           takes_one_float(i) ? "all floats" : "10^8 places");
    for (int i = 0; i < MATH_PAIR_FUNCTIONS; i++) {
        const math_pair_function *f = &math_pair_functions[i];
        double worst = measure_drawn(f, seed);
        ok(worst <= f->bound, "%s is wrong by %g ulp at most, over 10^8 pairs", f->name, f->bound);
        diag("%.4f ulp", worst);
    }
}

int main(void)
{
    const char *given = getenv("SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : 1;
    diag("SEED=%llu", (unsigned long long)seed);
    for (int i = 0; i < ULP_FUNCTIONS; i++) {
        const ulp_function *f = &ulp_functions[i];
        ulp_result r = measure_all(f);
        ok(r.error <= f->bound, "%s is wrong by %g ulp at most, over all floats", f->name,
           f->bound);
        diag("%.4f ulp, at %.9g", r.error, (double)r.at);
    }
    test_more_floats(seed);
    return tap_done();
}
