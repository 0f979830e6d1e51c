/* SPDX-License-Identifier: BSD-3-Clause */
/* Items that add up, to numbers and to small arrays; what is read are their blocks, and, joined,
 * the result. */
#include "config.h"

#include "tests/bodies/bodies.h"

#include <math.h>

COHORT_ITEMS_SUMS(dot, i, n, (int64_t n, const float x[n], const float y[n]),
                  ((COHORT_SUM, float, total)), { total += x[i] * y[i]; });
static cohort_status dot_call(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS])
{
    cohort_status status = cohort_run(s, dot, BODIES_FLOATS, BODIES_UNITS, v[0]);
    return status < 0 ? status : cohort_reduce(COHORT_SUM, v[0], 0, v[1]);
}

/* What mean and variance are made of. */
COHORT_ITEMS_SUMS(moments, i, n, (int64_t n, const float x[n]),
                  ((COHORT_SUM, float, sum), (COHORT_SUM, float, squares),
                   (COHORT_SUM, int64_t, number)),
                  {
                      if (x[i] < 0)
                          continue;
                      sum += x[i];
                      squares += x[i] * x[i];
                      number++;
                  });
BODIES_CALL(moments, BODIES_FLOATS, v[0], v[1], v[2])

COHORT_ITEMS_SUMS(largest, i, n, (int64_t n, const float x[n]), ((COHORT_MAX, float, most, at)), {
    float size = fabsf(x[i]);
    if (at < 0 || size > most) {
        most = size;
        at = i;
    }
});
BODIES_CALL(largest, BODIES_FLOATS, v[0], v[1])

COHORT_ITEMS_SUMS(bounds, i, n, (int64_t n, const int32_t x[n]),
                  ((COHORT_MIN, int32_t, low), (COHORT_MAX, int32_t, high)), {
                      low = x[i] < low ? x[i] : low;
                      high = x[i] > high ? x[i] : high;
                  });
static cohort_status bounds_call(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS])
{
    cohort_status status = cohort_run(s, bounds, BODIES_INTS, v[0], v[1]);
    return status < 0 ? status : cohort_reduce(COHORT_MIN, v[0], 0, v[2]);
}

COHORT_ITEMS_SUMS(checksum, i, n, (int64_t n, const uint64_t x[n]),
                  ((COHORT_BXOR, uint64_t, mixed), (COHORT_BOR, uint64_t, any),
                   (COHORT_BAND, uint64_t, all)),
                  {
                      mixed ^= x[i] * 0x9e3779b97f4a7c15u >> (i & 31);
                      any |= x[i] & 0xffff;
                      all &= x[i] | 0xff;
                  });
BODIES_CALL(checksum, BODIES_LONGS, v[0], v[1], v[2])

/* The numbers themselves are written as well. */
COHORT_ITEMS_SUMS(residual, i, n, (int64_t n, const float x[n], COHORT_OUT float r[n]),
                  ((COHORT_SUM, float, norm), (COHORT_PROD, float, product)), {
                      float left = i > 0 ? x[i - 1] : 0;
                      float right = i < n - 1 ? x[i + 1] : 0;
                      r[i] = left - 2 * x[i] + right;
                      norm += r[i] * r[i];
                      product *= x[i] < 0.5f ? 1.5f : 0.75f;
                  });
BODIES_CALL(residual, BODIES_UNITS, v[0], v[1], v[2])

COHORT_ITEMS_ARRAY_SUMS(histogram, i, n, (int64_t n, const uint8_t x[n]),
                        ((COHORT_SUM, int32_t, hits, 256)), { hits[x[i]]++; });
BODIES_CALL(histogram, BODIES_IMAGE, v[0])

/* Sums of points by what is nearest, and the smallest of each. */
COHORT_ITEMS_ARRAY_SUMS(cluster, i, n / d,
                        (int64_t n, int64_t k, int64_t d, const float x[n],
                         const float *centre COHORT_SHAPE(k, d)),
                        ((COHORT_SUM, float, sum, k, d + 1), (COHORT_MIN, float, least, k)), {
                            int64_t best = 0;
                            float nearest = INFINITY;
                            if ((i + 1) * d > n)
                                continue;
                            for (int64_t c = 0; c < k; c++) {
                                float square = 0;
                                for (int64_t j = 0; j < d; j++) {
                                    float off = x[i * d + j] - centre[c * d + j];
                                    square += off * off;
                                }
                                best = square < nearest ? c : best;
                                nearest = square < nearest ? square : nearest;
                            }
                            for (int64_t j = 0; j < d; j++)
                                sum[best * (d + 1) + j] += x[i * d + j];
                            sum[best * (d + 1) + d] += 1;
                            least[best] = nearest < least[best] ? nearest : least[best];
                        });
BODIES_CALL(cluster, BODIES_UNITS, COHORT_ARRAY(bodies_units, 5, 3), v[0], v[1])

/* How often one byte is followed by another, in classes of 32. */
COHORT_ITEMS_ARRAY_SUMS(pairs, i, n, (int64_t n, const uint8_t x[n]),
                        ((COHORT_SUM, int64_t, seen, 8, 8), (COHORT_BOR, uint32_t, bits, 8)), {
                            int64_t next = i < n - 1 ? x[i + 1] / 32 : 0;
                            seen[x[i] / 32 * 8 + next]++;
                            bits[next] |= (uint32_t)1 << x[i] % 32;
                        });
BODIES_CALL(pairs, BODIES_IMAGE, v[0], v[1])

const bodies_case bodies_of_sums[] = {
    { "dot", dot_call, 2, 0x234d18b2fd8196cf },
    { "moments", moments_call, 3, 0x31901b5d7d0d205d },
    { "largest", largest_call, 2, 0xe0930152070a0133 },
    { "bounds", bounds_call, 3, 0xfd4212377db4b716 },
    { "checksum", checksum_call, 3, 0x8d4fff5a6586fe53 },
    { "residual", residual_call, 3, 0x82e733be0a70a95e },
    { "histogram", histogram_call, 1, 0xc7c2874a22274ca8 },
    { "cluster", cluster_call, 2, 0x83939824bf15ee14 },
    { "pairs", pairs_call, 2, 0xefc6c11959f0169c },
    { 0 },
};
