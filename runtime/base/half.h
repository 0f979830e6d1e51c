/* SPDX-License-Identifier: BSD-3-Clause */
/* float16, bfloat16 and float8 as bits: widened exactly, narrowed to the nearest, ties to even.
 * Without branches, so that loops over them vectorise.
 *
 * Source: IEEE 754-2019, sections 3.4 and 4.3.1; OCP 8-bit Floating Point Specification, 1.0. */
#ifndef COHORT_BASE_HALF_H
#define COHORT_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float cohort_half_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t cohort_half_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* a where the condition is 1, b where it is 0: a conditional expression would keep some compilers
 * from vectorising. */
static inline uint32_t cohort_half_select(uint32_t condition, uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & (0u - condition));
}

static inline float cohort_half_from_f16(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, shifted = (uint32_t)(half & 0x7fffu)
                                                                      << 13;
    /* A subnormal becomes the fraction of 2^-14, and 2^-14 is taken off again, which is exact. */
    const uint32_t tiny = cohort_half_bits(cohort_half_float(shifted + 0x38800000u) - 0x1p-14f);
    const uint32_t usual = shifted + 0x38000000u, special = shifted | 0x7f800000u;
    const uint32_t large = cohort_half_select(shifted < 0x0f800000u, usual, special);
    const uint32_t magnitude = cohort_half_select(shifted < 0x00800000u, tiny, large);
    return cohort_half_float(sign | magnitude);
}

static inline uint16_t cohort_half_to_f16(float value)
{
    const uint32_t bits = cohort_half_bits(value), sign = bits >> 16 & 0x8000u,
                   magnitude = bits & 0x7fffffffu;
    const uint32_t is_tiny = magnitude < 0x38800000u;
    /* 0.5 has the last place of a subnormal float16: adding it rounds there. */
    const uint32_t tiny =
        cohort_half_bits(cohort_half_float(cohort_half_select(is_tiny, magnitude, 0)) + 0.5f) -
        0x3f000000u;
    const uint32_t usual = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    const uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    const uint32_t large = cohort_half_select(magnitude > 0x7f800000u, nan, 0x7c00u);
    const uint32_t finite = cohort_half_select(is_tiny, tiny, usual);
    return (uint16_t)(sign | cohort_half_select(magnitude < 0x477ff000u, finite, large));
}

static inline float cohort_half_from_bf16(uint16_t half)
{
    return cohort_half_float((uint32_t)half << 16);
}

static inline uint16_t cohort_half_to_bf16(float value)
{
    const uint32_t bits = cohort_half_bits(value);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16, nan = bits >> 16 | 0x40u;
    return (uint16_t)cohort_half_select((bits & 0x7fffffffu) > 0x7f800000u, nan, rounded);
}

/* float8_e4m3fn, which has no infinity: what is beyond its numbers is a NaN. */
static inline float cohort_half_from_e4m3(uint8_t code)
{
    const uint32_t sign = (uint32_t)(code & 0x80u) << 24, magnitude = code & 0x7fu;
    const uint32_t tiny = cohort_half_bits((float)magnitude * 0x1p-9f);
    const uint32_t usual = (magnitude << 20) + 0x3c000000u;
    const uint32_t finite = cohort_half_select(magnitude < 0x08u, tiny, usual);
    return cohort_half_float(sign | cohort_half_select(magnitude == 0x7fu, 0x7fc00000u, finite));
}

static inline uint8_t cohort_half_to_e4m3(float value)
{
    const uint32_t bits = cohort_half_bits(value), sign = bits >> 24 & 0x80u,
                   magnitude = bits & 0x7fffffffu;
    const uint32_t is_tiny = magnitude < 0x3c800000u;
    /* 2^14 has the last place of a subnormal number: adding it rounds there. */
    const uint32_t tiny =
        cohort_half_bits(cohort_half_float(cohort_half_select(is_tiny, magnitude, 0)) + 0x1p14f) -
        0x46800000u;
    const uint32_t usual = (magnitude - 0x3c000000u + 0x7ffffu + (magnitude >> 20 & 1u)) >> 20;
    const uint32_t large = cohort_half_select(magnitude <= 0x43e80000u, usual, 0x7fu);
    return (uint8_t)(sign | cohort_half_select(is_tiny, tiny, large));
}

/* float8_e5m2 is the upper half of a float16. */
static inline float cohort_half_from_e5m2(uint8_t code)
{
    return cohort_half_from_f16((uint16_t)(code << 8));
}

static inline uint8_t cohort_half_to_e5m2(float value)
{
    const uint32_t bits = cohort_half_bits(value), sign = bits >> 24 & 0x80u,
                   magnitude = bits & 0x7fffffffu;
    const uint32_t is_tiny = magnitude < 0x38800000u;
    /* So has 2^7 here. */
    const uint32_t tiny =
        cohort_half_bits(cohort_half_float(cohort_half_select(is_tiny, magnitude, 0)) + 0x1p7f) -
        0x43000000u;
    const uint32_t usual = (magnitude - 0x38000000u + 0xfffffu + (magnitude >> 21 & 1u)) >> 21;
    const uint32_t beyond = cohort_half_select(magnitude > 0x7f800000u, 0x7eu, 0x7cu);
    const uint32_t large = cohort_half_select(magnitude < 0x47700000u, usual, beyond);
    return (uint8_t)(sign | cohort_half_select(is_tiny, tiny, large));
}

/* The floating-point dtypes with less bits than float, as X(name, bits, to float, from float). */
#define COHORT_NARROW_FLOATS(X)                                                                    \
    X(F16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)                                     \
    X(BF16, uint16_t, cohort_half_from_bf16, cohort_half_to_bf16)                                  \
    X(F8_E4M3, uint8_t, cohort_half_from_e4m3, cohort_half_to_e4m3)                                \
    X(F8_E5M2, uint8_t, cohort_half_from_e5m2, cohort_half_to_e5m2)

#endif
