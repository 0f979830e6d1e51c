/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils on plates and in cubes. */
#include "config.h"

#include "tests/bodies/bodies.h"

COHORT_ITEMS_2D(heat, i, n, j, m,
                (int64_t n, int64_t m, float rate, const float *t COHORT_SHAPE(n, m),
                 COHORT_OUT float *next COHORT_SHAPE(n, m)),
                {
                    float here = t[i * m + j];
                    float up = i > 0 ? t[(i - 1) * m + j] : 0;
                    float down = i < n - 1 ? t[(i + 1) * m + j] : 0;
                    float left = j > 0 ? t[i * m + j - 1] : 0;
                    float right = j < m - 1 ? t[i * m + j + 1] : 0;
                    next[i * m + j] = here + rate * (up + down + left + right - 4 * here);
                });
BODIES_CALL(heat, 0.2f, BODIES_PLATE, v[0])

/* Conway's, on a torus. */
COHORT_ITEMS_2D(life, i, n, j, m,
                (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(n, m)),
                {
                    int around = 0;
                    for (int64_t a = i + n - 1; a <= i + n + 1; a++)
                        for (int64_t b = j + m - 1; b <= j + m + 1; b++)
                            around += x[a % n * m + b % m] & 1;
                    around -= x[i * m + j] & 1;
                    y[i * m + j] = around == 3 || (around == 2 && (x[i * m + j] & 1) != 0);
                });
BODIES_CALL(life, BODIES_IMAGE, v[0])

/* Nine points of weight 20, 4 and 1. */
COHORT_ITEMS_2D(nine_points, i, n, j, m,
                (int64_t n, int64_t m, const float *u COHORT_SHAPE(n, m),
                 COHORT_OUT float *y COHORT_SHAPE(n, m)),
                {
                    y[i * m + j] = u[i * m + j];
                    if (i == 0 || j == 0 || i == n - 1 || j == m - 1)
                        continue;
                    int64_t at = i * m + j;
                    float sides = u[at - 1] + u[at + 1] + u[at - m] + u[at + m];
                    float corners = u[at - m - 1] + u[at - m + 1] + u[at + m - 1] + u[at + m + 1];
                    y[at] = (4 * sides + corners) / 20;
                });
BODIES_CALL(nine_points, BODIES_PLATE, v[0])

/* The wave equation, of which two times are needed. */
COHORT_ITEMS_2D(wave, i, n, j, m,
                (int64_t n, int64_t m, float c, const float *u COHORT_SHAPE(n, m),
                 const float *before COHORT_SHAPE(n, m), COHORT_OUT float *next COHORT_SHAPE(n, m)),
                {
                    bool is_rim = i == 0 || j == 0 || i == n - 1 || j == m - 1;
                    int64_t at = i * m + j;
                    float bend =
                        is_rim ? 0 : u[at - 1] + u[at + 1] + u[at - m] + u[at + m] - 4 * u[at];
                    next[at] = is_rim ? 0 : 2 * u[at] - before[at] + c * c * bend;
                });
BODIES_CALL(wave, 0.3f, BODIES_PLATE, COHORT_ARRAY(bodies_units, BODIES_ROWS, BODIES_COLUMNS), v[0])

/* In place: red points read black ones. */
COHORT_ITEMS_2D(relax_red, i, n, j, m / 2, (int64_t n, int64_t m, float *u COHORT_SHAPE(n, m)), {
    int64_t at = i * m + 2 * j + (i & 1);
    if (i == 0 || i == n - 1 || at == i * m || at >= (i + 1) * m - 1)
        continue;
    u[at] = (u[at - 1] + u[at + 1] + u[at - m] + u[at + m]) * 0.25f;
});
static cohort_status relax_red_call(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS])
{
    cohort_value_destroy(v[0]);
    v[0] = cohort_value_split(s, BODIES_PLATE);
    return cohort_run(s, relax_red, v[0]);
}

COHORT_ITEMS_3D(laplace, i, n, j, m, k, l,
                (int64_t n, int64_t m, int64_t l, const float *u COHORT_SHAPE(n, m, l),
                 COHORT_OUT float *y COHORT_SHAPE(n, m, l)),
                {
                    int64_t at = (i * m + j) * l + k;
                    float sum = -6 * u[at];
                    sum += i > 0 ? u[at - m * l] : 0;
                    sum += i < n - 1 ? u[at + m * l] : 0;
                    sum += j > 0 ? u[at - l] : 0;
                    sum += j < m - 1 ? u[at + l] : 0;
                    sum += k > 0 ? u[at - 1] : 0;
                    sum += k < l - 1 ? u[at + 1] : 0;
                    y[at] = sum;
                });
BODIES_CALL(laplace, BODIES_CUBE, v[0])

/* The mean of those of 27 points that there are. */
COHORT_ITEMS_3D(box, i, n, j, m, k, l,
                (int64_t n, int64_t m, int64_t l, const float *u COHORT_SHAPE(n, m, l),
                 COHORT_OUT float *y COHORT_SHAPE(n, m, l)),
                {
                    float sum = 0;
                    int points = 0;
                    for (int64_t a = i - 1; a <= i + 1; a++)
                        for (int64_t b = j - 1; b <= j + 1; b++)
                            for (int64_t c = k - 1; c <= k + 1; c++) {
                                if (a < 0 || a >= n || b < 0 || b >= m || c < 0 || c >= l)
                                    continue;
                                sum += u[(a * m + b) * l + c];
                                points++;
                            }
                    y[(i * m + j) * l + k] = sum / (float)points;
                });
BODIES_CALL(box, BODIES_CUBE, v[0])

/* Transport along the first axis, from where the stream comes. */
COHORT_ITEMS_3D(upwind, i, n, j, m, k, l,
                (int64_t n, int64_t m, int64_t l, float dt, const float *u COHORT_SHAPE(n, m, l),
                 COHORT_OUT float *y COHORT_SHAPE(n, m, l)),
                {
                    int64_t at = (i * m + j) * l + k;
                    float speed = (float)(k - l / 2) / (float)l;
                    float before = u[(((i + n - 1) % n) * m + j) * l + k];
                    float behind = u[(((i + 1) % n) * m + j) * l + k];
                    y[at] = u[at] -
                            dt * (speed > 0 ? speed * (u[at] - before) : speed * (behind - u[at]));
                });
BODIES_CALL(upwind, 0.4f, BODIES_CUBE, v[0])

COHORT_ITEMS_2D(max_pool, i, n / 2, j, m / 2,
                (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m),
                 COHORT_OUT float *y COHORT_SHAPE(n / 2, m / 2),
                 COHORT_OUT int32_t *at COHORT_SHAPE(n / 2, m / 2)),
                {
                    int64_t to = i * ((m + 1) / 2) + j;
                    int64_t best = 2 * i * m + 2 * j;
                    for (int64_t a = 2 * i; a < 2 * i + 2 && a < n; a++)
                        for (int64_t b = 2 * j; b < 2 * j + 2 && b < m; b++)
                            best = x[a * m + b] > x[best] ? a * m + b : best;
                    y[to] = x[best];
                    at[to] = (int32_t)best;
                });
BODIES_CALL(max_pool, BODIES_PLATE, v[0], v[1])

const bodies_case bodies_of_stencils[] = {
    { "heat", heat_call, 1, 0x0913afc8568f5c77 },
    { "life", life_call, 1, 0xc74b63fa97edc946 },
    { "nine_points", nine_points_call, 1, 0x25aebc6ef369a778 },
    { "wave", wave_call, 1, 0xe9e30c72cff5037c },
    { "relax_red", relax_red_call, 1, 0xff251f83406cf03b },
    { "laplace", laplace_call, 1, 0x445a93c3a9432323 },
    { "box", box_call, 1, 0x92856f3299e50568 },
    { "upwind", upwind_call, 1, 0xa30822f9ac3e79e0 },
    { "max_pool", max_pool_call, 2, 0x413f469ed92695e1 },
    { 0 },
};
