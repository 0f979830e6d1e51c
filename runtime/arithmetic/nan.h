/* SPDX-License-Identifier: BSD-3-Clause */
/* One NaN for each type. The machine, and the order in which the compiler puts the operands, decide
 * which of two NaN an operation gives, and the sign of infinity - infinity; so a result is the
 * canonical NaN, quiet, positive and without payload. Without branches, so that loops over them
 * vectorise.
 *
 * Source: IEEE 754-2019, section 6.2.3. */
#ifndef COHORT_ARITHMETIC_NAN_H
#define COHORT_ARITHMETIC_NAN_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t cohort_nan_canonical_f16(uint16_t bits)
{
    return (bits & 0x7fffu) > 0x7c00u ? 0x7e00 : bits;
}

static inline uint16_t cohort_nan_canonical_bf16(uint16_t bits)
{
    return (bits & 0x7fffu) > 0x7f80u ? 0x7fc0 : bits;
}

static inline uint8_t cohort_nan_canonical_e4m3(uint8_t bits)
{
    return (bits & 0x7fu) == 0x7fu ? 0x7f : bits;
}

static inline uint8_t cohort_nan_canonical_e5m2(uint8_t bits)
{
    return (bits & 0x7fu) > 0x7cu ? 0x7e : bits;
}

static inline float cohort_nan_canonical_f32(float x)
{
    return x != x ? (float)NAN : x;
}

static inline double cohort_nan_canonical_f64(double x)
{
    return x != x ? (double)NAN : x;
}

/* NaN where x or chosen is one, else chosen. By masks: of two conditional expressions, this one and
 * that by which it was chosen, compilers make one, and then none is a minimum. */
#define COHORT_NAN_EITHER(name, T, bits_type, nan)                                                 \
    static inline T cohort_nan_either_##name(T x, T chosen)                                        \
    {                                                                                              \
        const bits_type mask = (bits_type)0 - (bits_type)isunordered(x, chosen);                   \
        bits_type bits;                                                                            \
        memcpy(&bits, &chosen, sizeof bits);                                                       \
        bits = (bits & ~mask) | ((nan)&mask);                                                      \
        memcpy(&chosen, &bits, sizeof bits);                                                       \
        return chosen;                                                                             \
    }
COHORT_NAN_EITHER(f32, float, uint32_t, 0x7fc00000u)
COHORT_NAN_EITHER(f64, double, uint64_t, 0x7ff8000000000000u)
#undef COHORT_NAN_EITHER

#endif
