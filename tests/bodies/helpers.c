/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies with functions, constants, tables, structs and macros of the program. */
#include "config.h"

#include "tests/bodies/bodies.h"

#include <cohort/math.h>

#include <math.h>

COHORT_CONSTANT(float, slope, 0.25f);
COHORT_HELPER(float, leaky, (float x), { return x > 0 ? x : slope * x; });
COHORT_ITEMS(rectify, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = leaky(x[i]) - leaky(-x[i]); });
BODIES_CALL(rectify, BODIES_FLOATS, v[0])

/* By Horner's rule. */
COHORT_TABLE(float, coefficients, [], { 0.5f, -1.25f, 3, 0.125f, -2 });
COHORT_HELPER(float, polynomial, (float x), {
    float sum = 0;
    for (int k = 4; k >= 0; k--)
        sum = sum * x + coefficients[k];
    return sum;
});
COHORT_ITEMS(evaluate, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = polynomial(x[i]); });
BODIES_CALL(evaluate, BODIES_UNITS, v[0])

#define SQUARE(x) ((x) * (x))
#define EDGE 0.75f
COHORT_HELPER(float, clamped, (float x, float low, float high), {
    return x < low ? low : x > high ? high : x;
});
COHORT_HELPER(float, smooth_step, (float low, float high, float x), {
    float t = clamped((x - low) / (high - low), 0, 1);
    return SQUARE(t) * (3 - 2 * t);
});
COHORT_ITEMS(smooth, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = smooth_step(0.25f, EDGE, x[i]); });
BODIES_CALL(smooth, BODIES_UNITS, v[0])

COHORT_STRUCT(complex_float, {
    float re;
    float im;
});
COHORT_HELPER(complex_float, multiplied, (complex_float a, complex_float b), {
    complex_float product;
    product.re = a.re * b.re - a.im * b.im;
    product.im = a.re * b.im + a.im * b.re;
    return product;
});
COHORT_ITEMS_OF_TYPES(turn, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                      COHORT_TYPES(complex_float), {
                          complex_float z;
                          z.re = x[i];
                          z.im = 1 - x[i];
                          for (int k = 0; k < 5; k++)
                              z = multiplied(z, z);
                          y[i] = z.re - z.im;
                      });
BODIES_CALL(turn, BODIES_UNITS, v[0])

/* The colour wheel, in bytes. */
COHORT_HELPER(int, channel, (float hue, float offset), {
    float k = cohort_fmodf(offset + hue * 6, 6);
    float least = k < 4 - k ? k : 4 - k;
    least = clamped(least, 0, 1);
    return (int)(255 * (1 - 0.8f * least) + 0.5f);
});
COHORT_ITEMS(colours, i, n, (int64_t n, const float x[n], COHORT_OUT int32_t y[n]),
             { y[i] = channel(x[i], 5) << 16 | channel(x[i], 3) << 8 | channel(x[i], 1); });
BODIES_CALL(colours, BODIES_UNITS, v[0])

/* The day of the week of a day, by Sakamoto's table. */
enum { DAYS = 7 };
COHORT_TABLE(int32_t, months, [12], { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 });
COHORT_HELPER(int32_t, weekday, (int32_t year, int32_t month, int32_t day), {
    year -= month < 3;
    return (year + year / 4 - year / 100 + year / 400 + months[month - 1] + day) % 7;
});
COHORT_ITEMS(weekdays, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT int32_t y[n]), {
    int32_t year = 1583 + (int32_t)(x[i] % 1000);
    y[i] = weekday(year, 1 + (int32_t)(x[i] / 1000 % 12), 1 + (int32_t)(x[i] / 12000 % 28));
});
BODIES_CALL(weekdays, BODIES_WORDS, v[0])

/* Cubic interpolation in a table of two axes. */
COHORT_TABLE(float, heights, [3][4], {
    { 0, 1, 4, 9 }, { 2, 0.5f, -1, 3 },
    {
        1, 1, 2, -0.25f
    }
});
COHORT_HELPER(float, cubic, (float a, float b, float c, float d, float t), {
    float bend = (d - c) - (a - b);
    return ((bend * t + ((a - b) - bend)) * t + (c - a)) * t + b;
});
COHORT_ITEMS(interpolate, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    int row = (int)(i % 3);
    y[i] = cubic(heights[row][0], heights[row][1], heights[row][2], heights[row][3], x[i]);
});
BODIES_CALL(interpolate, BODIES_UNITS, v[0])

/* Black and Scholes; a normal distribution by the error function. */
COHORT_CONSTANT(float, volatility, 0.2f);
COHORT_HELPER(float, normal_below, (float x),
              { return 0.5f * (1 + cohort_erff(x * 0.70710678f)); });
COHORT_ITEMS(price, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    float strike = 50 + 100 * x[i];
    float d1 = (cohort_logf(100 / strike) + 0.05f + volatility * volatility / 2) / volatility;
    y[i] = 100 * normal_below(d1) - strike * cohort_expf(-0.05f) * normal_below(d1 - volatility);
});
BODIES_CALL(price, BODIES_UNITS, v[0])

const bodies_case bodies_of_helpers[] = {
    { "rectify", rectify_call, 1, 0xf089e5072d859728 },
    { "evaluate", evaluate_call, 1, 0x6d3e86bc1c637ffb },
    { "smooth", smooth_call, 1, 0x828e93290a540850 },
    { "turn", turn_call, 1, 0x8ba3c0efccf1be58 },
    { "colours", colours_call, 1, 0xa336fc427fd1d1b1 },
    { "weekdays", weekdays_call, 1, 0x60f7dfef8f5e1462 },
    { "interpolate", interpolate_call, 1, 0xe7967d649b519380 },
    { "price", price_call, 1, 0xa2c9d7abaaada5a2 },
    { 0 },
};
