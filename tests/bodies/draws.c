/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers (cohort/random.h). */
#include "config.h"

#include "tests/bodies/bodies.h"

#include <cohort/random.h>

COHORT_ITEMS(noise, i, n, (int64_t n, uint64_t seed, const float x[n], COHORT_OUT float y[n]), {
    cohort_random r = cohort_random_at(seed, 0, 0, (uint64_t)i);
    y[i] = x[i] + 0.1f * cohort_random_normalf(&r);
});
BODIES_CALL(noise, 42, BODIES_UNITS, v[0])

COHORT_ITEMS(dropout, i, n,
             (int64_t n, uint64_t seed, uint64_t step, const float x[n], COHORT_OUT float y[n]), {
                 cohort_random r = cohort_random_at(seed, step, 0, (uint64_t)i);
                 y[i] = cohort_random_uniformf(&r) < 0.5f ? 0.0f : 2.0f * x[i];
             });
BODIES_CALL(dropout, 7, 1000, BODIES_FLOATS, v[0])

COHORT_ITEMS(dice, i, n, (int64_t n, COHORT_OUT int32_t y[n]), {
    cohort_random r = cohort_random_at(1, 2, 3, (uint64_t)i);
    y[i] = 0;
    for (int k = 0; k < 5; k++)
        y[i] = 10 * y[i] + (int32_t)cohort_random_below(&r, 6) + 1;
});
BODIES_CALL(dice, v[0], COHORT_NAMED(n, BODIES_N))

/* How many of some points are in a quarter of a circle. */
COHORT_ITEMS_SUMS(circle, i, n, (int64_t n, uint64_t seed), ((COHORT_SUM, int64_t, inside)), {
    cohort_random r = cohort_random_at(seed, 0, 0, (uint64_t)i);
    for (int k = 0; k < 4; k++) {
        float x = cohort_random_uniformf(&r);
        float y = cohort_random_uniformf(&r);
        inside += x * x + y * y < 1;
    }
});
static cohort_status circle_call(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS])
{
    cohort_status status = cohort_run(s, circle, 3, v[0], COHORT_NAMED(n, 5000));
    return status < 0 ? status : cohort_reduce(COHORT_SUM, v[0], 0, v[1]);
}

/* Until it has left, which takes some longer than others. */
COHORT_ITEMS(walk, i, n, (int64_t n, COHORT_OUT int32_t steps[n]), {
    cohort_random r = cohort_random_at(9, 0, 0, (uint64_t)i);
    int at = 0;
    steps[i] = 0;
    while (at > -12 && at < 12 && steps[i] < 2000) {
        at += (cohort_random_bits(&r) >> 31) != 0 ? 1 : -1;
        steps[i]++;
    }
});
BODIES_CALL(walk, v[0], COHORT_NAMED(n, 700))

/* A class by Gumbel's trick. */
COHORT_ITEMS(gumbel, i, n, (int64_t n, const float x[n], COHORT_OUT int32_t y[n]), {
    cohort_random r = cohort_random_at(5, 0, 0, (uint64_t)i);
    float best = -1e30f;
    y[i] = -1;
    for (int k = 0; k < 6; k++) {
        float u = cohort_random_uniformf(&r) + 2.98023224e-08f;
        float score = x[(i + k) % n] - cohort_logf(-cohort_logf(u));
        y[i] = score > best ? k : y[i];
        best = score > best ? score : best;
    }
});
BODIES_CALL(gumbel, BODIES_UNITS, v[0])

const bodies_case bodies_of_draws[] = {
    { "noise", noise_call, 1, 0x0219efd28f8efb2c },
    { "dropout", dropout_call, 1, 0x5a5ec534edd331e7 },
    { "dice", dice_call, 1, 0xf565ca2d297b0db3 },
    { "circle", circle_call, 2, 0x1e9dd1185f2d154b },
    { "walk", walk_call, 1, 0xc2597719f8536a2a },
    { "gumbel", gumbel_call, 1, 0xe09fcec55913ae35 },
    { 0 },
};
