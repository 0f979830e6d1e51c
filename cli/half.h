/* SPDX-License-Identifier: BSD-3-Clause */
/* Floating-point numbers of 16 bits. */
#ifndef COHORT_CLI_HALF_H
#define COHORT_CLI_HALF_H

#include <math.h>
#include <stdint.h>

/* float16 has 10 bits of fraction, bfloat16 7; the exponent has the rest. Source: IEEE 754, section
 * 3.6. */
enum { HALF_FRACTION = 10, BFLOAT_FRACTION = 7 };

static inline double half_to_double(uint16_t bits, int fraction)
{
    int bias = (1 << (14 - fraction)) - 1, exponent = (bits & 0x7fff) >> fraction;
    double digits = bits & ((1 << fraction) - 1), size;
    if (exponent == 2 * bias + 1)
        size = digits > 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        size = ldexp(digits, 1 - bias - fraction);
    else
        size = ldexp(digits + (1 << fraction), exponent - bias - fraction);
    return bits & 0x8000 ? -size : size;
}

/* To the nearest, ties to even; a carry out of the fraction runs into the exponent, as it
 * should. */
static inline uint16_t half_of_double(double x, int fraction)
{
    int bias = (1 << (14 - fraction)) - 1, infinity = (2 * bias + 1) << fraction, bits = infinity;
    double size = fabs(x);
    if (isnan(x))
        bits = infinity | 1 << (fraction - 1);
    else if (size < ldexp(1, 1 - bias))
        bits = (int)rint(ldexp(size, bias - 1 + fraction));
    else if (size < ldexp(1, bias + 1))
        bits =
            ((ilogb(size) + bias - 1) << fraction) + (int)rint(ldexp(size, fraction - ilogb(size)));
    return (uint16_t)(bits | (signbit(x) ? 0x8000 : 0));
}

#endif
