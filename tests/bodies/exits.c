/* SPDX-License-Identifier: BSD-3-Clause */
/* Items that are done sooner than others: loops that end early, searches, small interpreters. */
#include "config.h"

#include "tests/bodies/bodies.h"

#include <math.h>

COHORT_ITEMS_2D(mandelbrot, i, n, j, m,
                (int64_t n, int64_t m, int32_t most, COHORT_OUT int32_t *y COHORT_SHAPE(n, m)), {
                    float a = -2 + 2.5f * (float)j / (float)m;
                    float b = -1.25f + 2.5f * (float)i / (float)n;
                    float u = 0;
                    float w = 0;
                    int32_t steps = 0;
                    while (steps < most && u * u + w * w < 4) {
                        float next = u * u - w * w + a;
                        w = 2 * u * w + b;
                        u = next;
                        steps++;
                    }
                    y[i * m + j] = steps;
                });
BODIES_CALL(mandelbrot, 200, v[0], COHORT_NAMED(n, 40), COHORT_NAMED(m, 57))

COHORT_ITEMS(collatz, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT int32_t y[n]), {
    uint64_t k = x[i] % 100000 + 1;
    int32_t steps = 0;
    for (; k != 1; steps++)
        k = (k & 1) != 0 ? 3 * k + 1 : k / 2;
    y[i] = steps;
});
BODIES_CALL(collatz, BODIES_WORDS, v[0])

/* The first place of a sorted table that is not below. */
COHORT_ITEMS(lower_bound, i, n,
             (int64_t n, int64_t m, const float x[n], const int32_t table[m],
              COHORT_OUT int32_t y[n]),
             {
                 int64_t low = 0;
                 int64_t high = m;
                 while (low < high) {
                     int64_t middle = low + (high - low) / 2;
                     if ((float)table[middle] < x[i])
                         low = middle + 1;
                     else
                         high = middle;
                 }
                 y[i] = (int32_t)low;
             });
static cohort_status lower_bound_call(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS])
{
    static int32_t table[200];
    for (int i = 0; i < 200; i++)
        table[i] = i * i - 20000;
    return cohort_run(s, lower_bound, BODIES_FLOATS, COHORT_ARRAY(table, 200), v[0]);
}

/* Newton's, until nothing changes, or it swings. */
COHORT_ITEMS(newton, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    y[i] = 0;
    if (!(x[i] > 0))
        continue;
    float root = x[i] > 1 ? x[i] : 1;
    for (int k = 0; k < 200; k++) {
        float next = 0.5f * (root + x[i] / root);
        if (next >= root)
            break;
        root = next;
    }
    y[i] = root;
});
BODIES_CALL(newton, BODIES_FLOATS, v[0])

COHORT_ITEMS(is_prime, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT uint8_t y[n]), {
    uint32_t k = x[i] % 1000000;
    bool is = k == 2 || k == 3;
    y[i] = is;
    if (k < 5 || k % 2 == 0 || k % 3 == 0)
        break;
    is = true;
    for (uint32_t by = 5; by * by <= k && is; by += 6)
        is = k % by != 0 && k % (by + 2) != 0;
    y[i] = is;
});
BODIES_CALL(is_prime, BODIES_WORDS, v[0])

/* How many bytes of a row there are before a byte comes again, by a set of bits. */
COHORT_ITEMS(distinct, i, n,
             (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m), COHORT_OUT int32_t y[n]), {
                 uint32_t seen[8] = { 0 };
                 int32_t found = 0;
                 for (int64_t j = 0; j < m; j++) {
                     uint8_t byte = x[i * m + j];
                     if ((seen[byte >> 5] >> (byte & 31) & 1) != 0)
                         break;
                     seen[byte >> 5] |= (uint32_t)1 << (byte & 31);
                     found++;
                 }
                 y[i] = found;
             });
BODIES_CALL(distinct, BODIES_IMAGE, v[0])

/* A machine with a stack, whose program are the half bytes of a number. */
COHORT_ITEMS(interpret, i, n, (int64_t n, const uint64_t x[n], COHORT_OUT int64_t y[n]), {
    int64_t stack[18];
    int top = 2;
    stack[0] = 1;
    stack[1] = 2;
    for (uint64_t rest = x[i]; rest != 0; rest >>= 4) {
        switch (rest & 15) {
        case 0:
            stack[top - 2] += stack[top - 1];
            top = top > 2 ? top - 1 : top;
            break;
        case 1:
            stack[top - 2] -= stack[top - 1];
            top = top > 2 ? top - 1 : top;
            break;
        case 2:
            stack[top - 1] = stack[top - 1] % 1000 * 3;
            break;
        case 3:
            stack[top - 1] = -stack[top - 1];
            /* fall through */
        case 4:
            stack[top - 2] ^= stack[top - 1];
            break;
        default:
            stack[top] = (int64_t)(rest & 15);
            top++;
            break;
        }
    }
    y[i] = stack[top - 1] + 1000 * top;
});
BODIES_CALL(interpret, BODIES_LONGS, v[0])

/* A ray through three spheres, by steps of the distance to the nearest. */
COHORT_ITEMS(march, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    float dx = 2 * x[i] - 1;
    float dy = 2 * x[n - 1 - i] - 1;
    float norm = sqrtf(dx * dx + dy * dy + 1);
    float far = 0;
    for (int k = 0; k < 64; k++) {
        float px = far * dx / norm;
        float py = far * dy / norm;
        float pz = far / norm;
        float least = 1e9f;
        for (int c = 0; c < 3; c++) {
            float ox = px - (float)(c - 1);
            float oz = pz - 3 - (float)c;
            float d = sqrtf(ox * ox + py * py + oz * oz) - 0.5f;
            least = d < least ? d : least;
        }
        if (least < 1e-3f || far > 10)
            break;
        far += least;
    }
    y[i] = far;
});
BODIES_CALL(march, BODIES_UNITS, v[0])

const bodies_case bodies_of_exits[] = {
    { "mandelbrot", mandelbrot_call, 1, 0x5493c3fb4ddd872d },
    { "collatz", collatz_call, 1, 0x8a212f96f6e3dd40 },
    { "lower_bound", lower_bound_call, 1, 0x625a31cc8c07808a },
    { "newton", newton_call, 1, 0xe5111abac13d506a },
    { "is_prime", is_prime_call, 1, 0xc7809481b39b21bb },
    { "distinct", distinct_call, 1, 0xd3483326f527d388 },
    { "interpret", interpret_call, 1, 0x3226ad48b73f1c2a },
    { "march", march_call, 1, 0xcc625b4816998320 },
    { 0 },
};
