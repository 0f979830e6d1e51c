/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons, bool, least and largest, and conversions. */
#include "config.h"

#include "tests/bodies/bodies.h"

#include <math.h>

COHORT_ITEMS(choose, i, n,
             (int64_t n, const float x[n], const float y[n], COHORT_OUT uint8_t is_less[n],
              COHORT_OUT float least[n]),
             {
                 is_less[i] = x[i] < y[i];
                 least[i] = is_less[i] ? x[i] : y[i];
             });
BODIES_CALL(choose, BODIES_FLOATS, BODIES_UNITS, v[0], v[1])

COHORT_ITEMS(logic, i, n,
             (int64_t n, const int32_t x[n], COHORT_OUT uint8_t all[n], COHORT_OUT uint8_t any[n],
              COHORT_OUT int32_t number[n]),
             {
                 bool is_odd = x[i] & 1;
                 bool is_small = -1000 < x[i] && x[i] < 1000;
                 bool is_left = i < n / 2;
                 all[i] = is_odd && !is_small && is_left;
                 any[i] = is_odd || is_small || is_left;
                 number[i] = is_odd + is_small * 2 + (is_left != is_odd) * 4;
             });
BODIES_CALL(logic, BODIES_INTS, v[0], v[1], v[2])

COHORT_ITEMS(limit, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = fminf(fmaxf(x[i], -100), 100) + fmaxf(fminf(x[i], -0.5f), -2); });
BODIES_CALL(limit, BODIES_FLOATS, v[0])

COHORT_ITEMS(classes, i, n, (int64_t n, const float x[n], COHORT_OUT int32_t y[n]), {
    float parts[3] = { x[i], i % 5 == 0 ? INFINITY : x[i], i % 7 == 0 ? NAN : x[i] };
    y[i] = 0;
    for (int k = 0; k < 3; k++) {
        y[i] = 8 * y[i] + (isnan(parts[k]) ? 1 : 0) + (isinf(parts[k]) ? 2 : 0);
        y[i] += (isfinite(parts[k]) && signbit(parts[k])) ? 4 : 0;
    }
});
BODIES_CALL(classes, BODIES_FLOATS, v[0])

/* As a network's numbers become bytes: to nearest, to even if there are two, and not beyond. */
COHORT_ITEMS(quantise, i, n, (int64_t n, float scale, const float x[n], COHORT_OUT int8_t y[n]), {
    float q = rintf(x[i] * scale);
    y[i] = (int8_t)(q < -127 ? -127 : q > 127 ? 127 : q);
});
BODIES_CALL(quantise, 11, BODIES_FLOATS, v[0])

COHORT_ITEMS(add_saturated, i, n, (int64_t n, const int32_t x[n], COHORT_OUT int16_t y[n]), {
    int16_t a = (int16_t)(x[i] % 32768);
    int16_t b = (int16_t)(x[n - 1 - i] % 32768);
    int32_t sum = a + b;
    y[i] = (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
});
BODIES_CALL(add_saturated, BODIES_INTS, v[0])

/* Unlike signs and widths meet as in C. */
COHORT_ITEMS(widths, i, n,
             (int64_t n, const int32_t x[n], const uint32_t w[n], COHORT_OUT int64_t y[n]), {
                 int8_t narrow = (int8_t)(x[i] % 128);
                 uint8_t byte = (uint8_t)x[i];
                 uint16_t half_word = (uint16_t)w[i];
                 y[i] = narrow * byte - half_word;
                 y[i] += (int64_t)x[i] * (int64_t)w[i] / 3;
                 y[i] ^= (int64_t)(narrow < byte) << 40 | (int64_t)(x[i] >> 3);
             });
BODIES_CALL(widths, BODIES_INTS, BODIES_WORDS, v[0])

/* Four numbers, by a network of five comparisons. */
COHORT_ITEMS(sort_four, i, n / 4, (int64_t n, const int32_t x[n], COHORT_OUT int32_t y[n]), {
    const int first[5] = { 0, 2, 0, 1, 1 };
    const int second[5] = { 1, 3, 2, 3, 2 };
    int32_t four[4] = { 0 };
    for (int k = 0; k < 4 && 4 * i + k < n; k++)
        four[k] = x[4 * i + k];
    for (int k = 0; k < 5; k++) {
        int32_t a = four[first[k]];
        int32_t b = four[second[k]];
        four[first[k]] = a < b ? a : b;
        four[second[k]] = a < b ? b : a;
    }
    for (int k = 0; k < 4 && 4 * i + k < n; k++)
        y[4 * i + k] = four[k];
});
BODIES_CALL(sort_four, BODIES_INTS, v[0])

COHORT_ITEMS(whole, i, n, (int64_t n, const float x[n], COHORT_OUT int64_t y[n]), {
    float z = fabsf(x[i]) < 1e15f ? x[i] : 0;
    y[i] = (int64_t)floorf(z) + (int64_t)ceilf(z) + (int64_t)truncf(z) + (int64_t)z;
});
BODIES_CALL(whole, BODIES_FLOATS, v[0])

const bodies_case bodies_of_numbers[] = {
    { "choose", choose_call, 2, 0x84a204560d9f95e3 },
    { "logic", logic_call, 3, 0x4c2b75526e836788 },
    { "limit", limit_call, 1, 0x343c1f255f7b23bd },
    { "classes", classes_call, 1, 0x7e560d4119756aa3 },
    { "quantise", quantise_call, 1, 0xfa7f53566f0d8129 },
    { "add_saturated", add_saturated_call, 1, 0x7ad98b1220b1dbf4 },
    { "widths", widths_call, 1, 0x7b0abe612c263d02 },
    { "sort_four", sort_four_call, 1, 0x62aa42a044461f60 },
    { "whole", whole_call, 1, 0x1398e841e90a36ac },
    { 0 },
};
