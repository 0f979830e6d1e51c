/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that attract one another: each replica moves some of them, and sees all. The digest does
 * not depend on how they are shared out.
 *
 * usage: nbody [DEVICES] */
#include <cohort/cohort.h>

#include "digest.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 512, STEPS = 200, SHOWN = 40 };
static const float step_length = 0.005f, softening = 0.01f;

/* Velocities after a step. All masses are 1 / m, and so is the constant of gravitation 1. */
COHORT_ITEMS(kick, i, n,
             (int64_t n, int64_t m, float dt, float soft, const float *x COHORT_SHAPE(n, 3),
              const float *all COHORT_SHAPE(m, 3), float *v COHORT_SHAPE(n, 3)),
             {
                 float sum[3] = { 0, 0, 0 };
                 for (int64_t j = 0; j < m; j++) {
                     float dx = all[3 * j] - x[3 * i];
                     float dy = all[3 * j + 1] - x[3 * i + 1];
                     float dz = all[3 * j + 2] - x[3 * i + 2];
                     float square = dx * dx + dy * dy + dz * dz + soft;
                     float force = 1 / (square * sqrtf(square));
                     sum[0] += force * dx;
                     sum[1] += force * dy;
                     sum[2] += force * dz;
                 }
                 for (int k = 0; k < 3; k++)
                     v[3 * i + k] += dt / (float)m * sum[k];
             });

COHORT_ITEMS(drift, i, n, (int64_t n, float dt, const float v[n], float x[n]),
             { x[i] += dt * v[i]; });

static double energy(const float *x, const float *v)
{
    double sum = 0;
    for (int i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++)
            sum += (double)v[3 * i + k] * (double)v[3 * i + k] / 2 / BODIES;
        for (int j = 0; j < i; j++) {
            double square = (double)softening;
            for (int k = 0; k < 3; k++)
                square += pow((double)x[3 * i + k] - (double)x[3 * j + k], 2);
            sum -= 1 / sqrt(square) / BODIES / BODIES;
        }
    }
    return sum;
}

static double radius(const float *x)
{
    double sum = 0;
    for (int i = 0; i < 3 * BODIES; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum / BODIES);
}

int main(int argc, char **argv)
{
    static float x[BODIES * 3], v[BODIES * 3], first_x[BODIES * 3], first_v[BODIES * 3];
    uint64_t random = 1;
    for (int i = 0; i < 3 * BODIES; i++)
        x[i] = first_x[i] = random_uniform(&random, 1);
    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(first_x, BODIES, 3)),
                 *vs = cohort_value_split(s, COHORT_ARRAY(first_v, BODIES, 3)),
                 *all = cohort_value_create(s);
    double first = energy(x, v), now = first;
    printf("step  energy    radius\n%4d  %.5f  %.4f\n", 0, first, radius(x));
    for (int step = 1; step <= STEPS; step++) {
        cohort_gather(xs, 0, all);
        cohort_run(s, kick, step_length, softening, xs, all, vs);
        cohort_run(s, drift, step_length, vs, xs);
        if (step % SHOWN == 0 && cohort_value_read(vs, COHORT_ARRAY(v, BODIES, 3)) == COHORT_OK &&
            cohort_value_read(xs, COHORT_ARRAY(x, BODIES, 3)) == COHORT_OK) {
            now = energy(x, v);
            printf("%4d  %.5f  %.4f\n", step, now, radius(x));
        }
    }
    int is_good = cohort_wait(s) == COHORT_OK;
    if (is_good)
        printf("digest %016llx\n", (unsigned long long)digest_floats(x, 3 * BODIES));
    else
        fprintf(stderr, "nbody: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_good && fabs(now / first - 1) < 0.02 ? EXIT_SUCCESS : EXIT_FAILURE;
}
