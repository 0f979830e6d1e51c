/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort/math.h: functions with one right result have it, and those of two floats come as close to
 * theirs as their comments say; all have the bits that every compiler must give. */
#include "tests/tap.h"

#include <float.h>
#include <inttypes.h>
#include <stdbool.h>

#include "tests/math_pairs.h"

enum { DRAWN = 400000, SEED = 20261130 };

static void show(const char *name, math_place p)
{
    diag("%s of %.9g, %.9g, %.9g, %d", name, (double)p.x, (double)p.y, (double)p.z, p.n);
}

static bool is_exact_on_edges(int function)
{
    static const int powers[] = { 0,    1,   -1,   24,    -149,      127,
                                  -278, 278, 2000, -2000, INT32_MAX, INT32_MIN };
    bool is = true;
    for (int i = 0; i < MATH_EDGES * MATH_EDGES * MATH_EDGES && is; i++) {
        math_place p = { math_edge(i % MATH_EDGES), math_edge(i / MATH_EDGES % MATH_EDGES),
                         math_edge(i / MATH_EDGES / MATH_EDGES),
                         powers[i / MATH_EDGES % (int)(sizeof powers / sizeof *powers)] };
        is = math_is_exact(function, p);
        if (!is)
            show(math_exact_names[function], p);
    }
    return is;
}

static bool is_exact_where_drawn(int function)
{
    bool is = true;
    for (uint64_t i = 0; i < DRAWN && is; i++) {
        math_place p = math_place_at(SEED, i);
        is = math_is_exact(function, p);
        if (!is)
            show(math_exact_names[function], p);
    }
    return is;
}

static void test_exact(void)
{
    for (int i = 0; i < MATH_EXACT; i++) {
        ok(is_exact_on_edges(i), "cohort_%s is exact on all edges", math_exact_names[i]);
        ok(is_exact_where_drawn(i), "and where it is drawn, by seed %d", SEED);
    }
}

/* An addend that takes away all but the last bits of a product, and results that are subnormal. */
static void test_fma(void)
{
    static const math_place places[] = { { 1.00000012f, 1.00000012f, -1.00000024f, 0 },
                                         { 1e-30f, 1e-10f, 1e-45f, 0 },
                                         { 1.00000012f, -1.17549435e-38f, 1.17549435e-38f, 0 },
                                         { 1e30f, 1e30f, -INFINITY, 0 },
                                         { 1e-30f, -1e-30f, 0.0f, 0 },
                                         { 1e-30f, -1e-30f, -0.0f, 0 },
                                         { 0.0f, -1.0f, 0.0f, 0 },
                                         { 0.0f, -1.0f, -0.0f, 0 },
                                         { 3.0f, 2.0f, -6.0f, 0 },
                                         { 16777215.0f, 16777215.0f, 1e-45f, 0 },
                                         { 16777215.0f, 1.40129846e-45f, -FLT_MIN, 0 },
                                         { 3.40282347e38f, 1.0f, 1.01412048e31f, 0 },
                                         { 3.40282347e38f, 1.0f, 1.01412042e31f, 0 },
                                         { 2.98023224e-08f, 4.70197740e-38f, 0x1p-149f, 0 } };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!ok(math_is_exact(MATH_FMA, places[i]), "fma is rounded once, case %d", (int)i))
            show("fmaf", places[i]);
}

static double error_at(const math_pair_function *f, math_place p)
{
    return ulp_error(f->exact((double)p.x, (double)p.y), f->function(p.x, p.y));
}

static void test_pairs(void)
{
    for (int k = 0; k < MATH_PAIR_FUNCTIONS; k++) {
        const math_pair_function *f = &math_pair_functions[k];
        double worst = 0;
        for (int i = 0; i < MATH_EDGES * MATH_EDGES; i++) {
            math_place p = { .x = math_edge(i % MATH_EDGES), .y = math_edge(i / MATH_EDGES) };
            worst = fmax(worst, error_at(f, p));
        }
        ok(worst <= f->bound, "%s is wrong by %g ulp at most on the edges", f->name, f->bound);
        for (uint64_t i = 0; i < DRAWN; i++)
            worst = fmax(worst, error_at(f, math_place_at(SEED, i)));
        ok(worst <= f->bound, "and where it is drawn, by seed %d", SEED);
        diag("%.3f ulp", worst);
    }
}

static void test_signs_of_angles(void)
{
    static const float wanted[][3] = { { 0.0f, 1.0f, 0.0f },
                                       { -0.0f, 1.0f, -0.0f },
                                       { 0.0f, 0.0f, 0.0f },
                                       { -0.0f, 0.0f, -0.0f },
                                       { 0.0f, -0.0f, 3.14159274f },
                                       { -0.0f, -0.0f, -3.14159274f },
                                       { 0.0f, -1.0f, 3.14159274f },
                                       { -0.0f, -1.0f, -3.14159274f },
                                       { INFINITY, -INFINITY, 2.3561945f },
                                       { -INFINITY, INFINITY, -0.785398185f },
                                       { 1.0f, INFINITY, 0.0f },
                                       { 1.0f, 0.0f, 1.57079637f } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ok(math_is_same(cohort_atan2f(wanted[i][0], wanted[i][1]), wanted[i][2]),
           "the angle of x = %g and y = %g is %g", (double)wanted[i][1], (double)wanted[i][0],
           (double)wanted[i][2]);
    ok(math_is_same(cohort_hypotf(NAN, -INFINITY), INFINITY), "hypot of infinity is infinity");
    ok(math_is_same(cohort_hypotf(3, -4), 5), "hypot of 3 and -4 is 5");
    ok(math_is_same(cohort_hypotf(FLT_MAX, FLT_MAX), INFINITY), "hypot overflows where it is to");
}

static void test_digests(void)
{
    static const uint64_t wanted[MATH_PAIR_FUNCTIONS] = { 0xda55155fdcad0a4e, 0xaff31c68a990a1a1,
                                                          0x4ae191fc9247259e, 0x4ab0a0ebffbf4709 };
    for (int k = 0; k < MATH_PAIR_FUNCTIONS; k++) {
        uint64_t digest = 0xcbf29ce484222325u;
        for (uint64_t i = 0; i < DRAWN; i++) {
            math_place p = math_place_at(SEED, i);
            digest =
                (digest ^ (uint32_t)cohort_math_bits_(math_pair_functions[k].function(p.x, p.y))) *
                0x100000001b3u;
        }
        if (!ok(digest == wanted[k], "%s gives the bits that it gives everywhere",
                math_pair_functions[k].name))
            diag("digest %016" PRIx64 ", wanted %016" PRIx64, digest, wanted[k]);
    }
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    test_exact();
    test_fma();
    test_pairs();
    test_signs_of_angles();
    test_digests();
    return tap_done();
}
