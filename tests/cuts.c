/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts: the hosting of least time, by trying all, and where cuts are drawn to. */
#include "config.h"

#include "runtime/strategy/cuts.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

static uint64_t chance = 51;

static double draw(void)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(chance >> 40) / (double)(1 << 24);
}

static double least_of(const double costs[], int32_t n, int32_t r)
{
    if (n == 1)
        return r > 0 ? r * costs[0] : 0;
    double least = INFINITY;
    for (int32_t own = 0; own <= r; own++)
        least =
            fmin(least, fmax(own > 0 ? own * costs[0] : 0, least_of(costs + 1, n - 1, r - own)));
    return least;
}

static bool sums_to(const int32_t hosted[], int32_t n, int32_t r)
{
    for (int32_t d = 0; d < n; d++) {
        r -= hosted[d];
        if (hosted[d] < 0)
            return false;
    }
    return r == 0;
}

static bool is_best(const double costs[], int32_t n, int32_t r)
{
    int32_t hosted[4], round[4];
    const double least = least_of(costs, n, r);
    cohort_cuts_choose(costs, n, r, 0, hosted);
    cohort_cuts_choose(costs, n, r, 0.02, round);
    return sums_to(hosted, n, r) && sums_to(round, n, r) &&
           cohort_cuts_time(hosted, costs, n) <= least * (1 + 1e-9) &&
           cohort_cuts_time(round, costs, n) <= least * (1.02 + 1e-9);
}

static bool cuts(const double costs[], int32_t n, int32_t r, double slack, const int32_t wanted[])
{
    int32_t hosted[4];
    cohort_cuts_choose(costs, n, r, slack, hosted);
    bool is_same = memcmp(hosted, wanted, (size_t)n * sizeof *hosted) == 0;
    for (int32_t d = 0; d < n && !is_same; d++)
        diag("device %d has %d, not %d", (int)d, (int)hosted[d], (int)wanted[d]);
    return is_same;
}

int main(void)
{
    bool is_good = true;
    for (int i = 0; i < 3000 && is_good; i++) {
        double costs[4];
        const int32_t n = 1 + i % 4, r = 1 + (int32_t)(draw() * 20);
        for (int32_t d = 0; d < n; d++)
            costs[d] = draw() < 0.1 && d > 0 ? INFINITY : 0.01 + draw() * (draw() < 0.2 ? 50 : 1);
        is_good = is_best(costs, n, r);
    }
    ok(is_good, "3,000 hostings of up to 20 replicas by 4 devices take the least time (seed 51)");
    ok(cuts((const double[]){ 1, 1 }, 2, 32, 0, (const int32_t[]){ 16, 16 }), "equal devices");
    ok(cuts((const double[]){ 1, 3 }, 2, 32, 0, (const int32_t[]){ 24, 8 }), "one of a third");
    ok(cuts((const double[]){ 1, INFINITY }, 2, 5, 0, (const int32_t[]){ 5, 0 }),
       "one that is out");
    ok(cuts((const double[]){ INFINITY, 2 }, 2, 5, 0, (const int32_t[]){ 0, 5 }), "the first one");
    ok(cuts((const double[]){ 1, 20 }, 2, 8, 0, (const int32_t[]){ 8, 0 }),
       "a device for which one replica is too many");
    ok(cuts((const double[]){ 0.98, 1.02 }, 2, 1000, 0.05, (const int32_t[]){ 512, 488 }),
       "a cut goes to a multiple of a large power of two");
    ok(cuts((const double[]){ 1, 1, 1, 1 }, 4, 65536, 0.02,
            (const int32_t[]){ 16384, 16384, 16384, 16384 }),
       "many replicas");
    return tap_done();
}
