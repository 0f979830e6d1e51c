/* SPDX-License-Identifier: BSD-3-Clause */
/* float16 and bfloat16 as bits: widened exactly, narrowed to the nearest, ties to even. Without
 * branches, so that loops over them vectorise.
 *
 * Source: IEEE 754-2019, sections 3.4 and 4.3.1. */
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

#endif
