/* SPDX-License-Identifier: BSD-3-Clause */
/* Twelve chains of a = a * b + c, which is more than a processor has units times the steps that one
 * takes. Where there is an instruction for both it is used. */
#include "config.h"

#include "cli/bench_peak.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif

enum { CHAINS = 12 };

/* The compiler may not know what the numbers are, nor drop them. */
#define KEEP(x) __asm__ volatile("" : "+m"(x))

/* One loop for each kind of vector: `step` of a, b and c. */
#define PEAK_LOOP(NAME, TARGET, VECTOR, SET, STEP)                                                 \
    TARGET static void NAME(int64_t rounds)                                                        \
    {                                                                                              \
        float b = 0.5f, c = 0.5f, kept = 0;                                                        \
        KEEP(b);                                                                                   \
        KEEP(c);                                                                                   \
        const VECTOR scale = SET(b), shift = SET(c);                                               \
        VECTOR a0 = scale, a1 = scale, a2 = scale, a3 = scale, a4 = scale, a5 = scale, a6 = scale, \
               a7 = scale, a8 = scale, a9 = scale, a10 = scale, a11 = scale;                       \
        for (int64_t i = 0; i < rounds; i++) {                                                     \
            a0 = STEP(a0, scale, shift), a1 = STEP(a1, scale, shift);                              \
            a2 = STEP(a2, scale, shift), a3 = STEP(a3, scale, shift);                              \
            a4 = STEP(a4, scale, shift), a5 = STEP(a5, scale, shift);                              \
            a6 = STEP(a6, scale, shift), a7 = STEP(a7, scale, shift);                              \
            a8 = STEP(a8, scale, shift), a9 = STEP(a9, scale, shift);                              \
            a10 = STEP(a10, scale, shift), a11 = STEP(a11, scale, shift);                          \
        }                                                                                          \
        const VECTOR all[CHAINS] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };           \
        for (int i = 0; i < CHAINS; i++)                                                           \
            kept += *(const float *)(const void *)&all[i];                                         \
        KEEP(kept);                                                                                \
    }

#if defined(__x86_64__)
#define STEP_512(a, b, c) _mm512_fmadd_ps((a), (b), (c))
#define STEP_256(a, b, c) _mm256_fmadd_ps((a), (b), (c))
#define STEP_128(a, b, c) _mm_add_ps(_mm_mul_ps((a), (b)), (c))
PEAK_LOOP(loop_512, __attribute__((target("avx512f"))), __m512, _mm512_set1_ps, STEP_512)
PEAK_LOOP(loop_256, __attribute__((target("avx,fma"))), __m256, _mm256_set1_ps, STEP_256)
PEAK_LOOP(loop_128, , __m128, _mm_set1_ps, STEP_128)
#elif defined(__aarch64__)
#define STEP_NEON(a, b, c) vfmaq_f32((c), (a), (b))
PEAK_LOOP(loop_neon, , float32x4_t, vdupq_n_f32, STEP_NEON)
#else
#define SET_ONE(x) (x)
#define PLAIN_STEP(a, b, c) ((a) * (b) + (c))
PEAK_LOOP(loop_one, , float, SET_ONE, PLAIN_STEP)
#endif

const peak *peak_find(void)
{
#if defined(__x86_64__)
    static const peak of_512 = { "the peak of as many cores: fused multiply-add of 16 float32",
                                 2 * 16 * CHAINS, loop_512 };
    static const peak of_256 = { "the peak of as many cores: fused multiply-add of 8 float32",
                                 2 * 8 * CHAINS, loop_256 };
    static const peak of_128 = { "the peak of as many cores: multiply and add of 4 float32",
                                 2 * 4 * CHAINS, loop_128 };
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return &of_512;
    return __builtin_cpu_supports("avx") && __builtin_cpu_supports("fma") ? &of_256 : &of_128;
#elif defined(__aarch64__)
    static const peak of_neon = { "the peak of as many cores: fused multiply-add of 4 float32",
                                  2 * 4 * CHAINS, loop_neon };
    return &of_neon;
#else
    static const peak of_one = { "the peak of as many cores: multiply and add of a float32",
                                 2 * CHAINS, loop_one };
    return &of_one;
#endif
}
