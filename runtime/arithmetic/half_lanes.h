/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of float16 for processors that convert it to float32 and back, which compilers do not
 * use by themselves. Included by arithmetic_loops.h; the conversions round as base/half.h does,
 * and a NaN stays one; the last one of a loop is of the canonical NaN, which stays that.
 *
 * Each loop is a step of LANES elements. The elements left at the end take the same step on fewer,
 * copied to whole lanes and back. */
#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>

enum { LANES = 4 };
typedef float32x4_t lanes;
typedef uint16x4_t halves;

TARGET static inline lanes lanes_widen(halves h)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(h));
}

TARGET static inline halves lanes_narrow(lanes x)
{
    return vreinterpret_u16_f16(vcvt_f16_f32(x));
}

TARGET static inline lanes lanes_canonical(lanes x)
{
    return vbslq_f32(vceqq_f32(x, x), x, vdupq_n_f32((float)NAN));
}
#else
#include <immintrin.h>

enum { LANES = 8 };
typedef __m256 lanes;
typedef uint16_t halves __attribute__((vector_size(16)));

TARGET static inline lanes lanes_widen(halves h)
{
    return _mm256_cvtph_ps((__m128i)h);
}

/* To the nearest, whatever mode the thread is in. */
TARGET static inline halves lanes_narrow(lanes x)
{
    return (halves)_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
}

TARGET static inline lanes lanes_canonical(lanes x)
{
#ifdef HAS_FIXUP
    /* one instruction, which leaves the first operand for both kinds of NaN, and takes x for the
     * six kinds of numbers */
    return _mm256_fixupimm_ps(_mm256_set1_ps((float)NAN), x, _mm256_set1_epi32(0x11111100), 0);
#else
    return _mm256_blendv_ps(x, _mm256_set1_ps((float)NAN), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
#endif
}
#endif

/* m: LANES in all steps but the last, where the compiler sees it. */
TARGET static inline lanes lanes_load(const uint16_t *from, size_t m)
{
    halves h = { 0 };
    memcpy(&h, from, m == LANES ? sizeof h : m * sizeof *from);
    return lanes_widen(h);
}

TARGET static inline void lanes_store(uint16_t *into, lanes x, size_t m)
{
    const halves h = lanes_narrow(lanes_canonical(x));
    memcpy(into, &h, m == LANES ? sizeof h : m * sizeof *into);
}

TARGET static inline lanes lanes_round(lanes x)
{
    return lanes_widen(lanes_narrow(x));
}

TARGET static inline lanes lanes_all(float x)
{
    return (lanes){ 0 } + x;
}

/* Elements that lie `apart` from each other. */
TARGET static inline lanes lanes_gather(const uint16_t *from, ptrdiff_t apart)
{
    halves h = { 0 };
    for (int j = 0; j < LANES; j++)
        h[j] = from[j * apart];
    return lanes_widen(h);
}

/* step(i, m) for elements i to i + m, of n. */
#define EACH_LANES(n, step)                                                                        \
    do {                                                                                           \
        size_t i = 0;                                                                              \
        for (; i + LANES <= (n); i += LANES)                                                       \
            step(i, LANES);                                                                        \
        if (i < (n))                                                                               \
            step(i, (n)-i);                                                                        \
    } while (0)

/* ---- To float32 and back. */

#define WIDEN_STEP(i, m)                                                                           \
    do {                                                                                           \
        const lanes x = lanes_canonical(lanes_load(a + (i), m));                                   \
        memcpy(d + (i), &x, (m) * sizeof *d);                                                      \
    } while (0)
TARGET static void widen_all_f16(void *into, const void *from, size_t n)
{
    float *d = into;
    const uint16_t *a = from;
    EACH_LANES(n, WIDEN_STEP);
}

#define NARROW_STEP(i, m)                                                                          \
    do {                                                                                           \
        lanes x = lanes_all(0);                                                                    \
        memcpy(&x, a + (i), (m) * sizeof *a);                                                      \
        lanes_store(d + (i), x, m);                                                                \
    } while (0)
TARGET static void narrow_all_f16(void *into, const void *from, size_t n)
{
    uint16_t *d = into;
    const float *a = from;
    EACH_LANES(n, NARROW_STEP);
}

/* ---- Sums and products. */

#define HALF_COMBINE(name, op)                                                                     \
    TARGET static void name##_f16(void *into, const void *left, const void *right, size_t rows,    \
                                  ptrdiff_t stride, size_t n)                                      \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        const uint16_t *a = left, *b = right;                                                      \
        for (; rows >= 4; rows -= 4, a = d, b += 4 * stride)                                       \
            EACH_LANES(n, name##_FOUR_ROWS);                                                       \
        for (; rows > 0; rows--, a = d, b += stride)                                               \
            EACH_LANES(n, name##_ROW);                                                             \
    }                                                                                              \
    TARGET static void name##_f16_columns(void *into, const void *from, size_t rows,               \
                                          ptrdiff_t stride, ptrdiff_t column, size_t columns)      \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        const uint16_t *f = from;                                                                  \
        if (rows == 1) {                                                                           \
            for (size_t c = 0; c < columns; c++, f += column)                                      \
                d[c] = *f;                                                                         \
            return;                                                                                \
        }                                                                                          \
        for (; columns >= LANES; columns -= LANES, f += LANES * column, d += LANES) {              \
            lanes x = lanes_gather(f, column);                                                     \
            for (size_t row = 1; row < rows; row++)                                                \
                x = lanes_round(x op lanes_gather(f + (ptrdiff_t)row * stride, column));           \
            lanes_store(d, x, LANES);                                                              \
        }                                                                                          \
        for (; columns > 0; columns--, f += column, d++) {                                         \
            lanes x = lanes_gather(f, 0);                                                          \
            for (size_t row = 1; row < rows; row++)                                                \
                x = lanes_round(x op lanes_gather(f + (ptrdiff_t)row * stride, 0));                \
            lanes_store(d, x, 1);                                                                  \
        }                                                                                          \
    }
#define FOUR_ROWS_OF(op, i, m)                                                                     \
    do {                                                                                           \
        lanes x = lanes_round(lanes_load(a + (i), m) op lanes_load(b + (i), m));                   \
        x = lanes_round(x op lanes_load(b + stride + (i), m));                                     \
        x = lanes_round(x op lanes_load(b + 2 * stride + (i), m));                                 \
        lanes_store(d + (i), x op lanes_load(b + 3 * stride + (i), m), m);                         \
    } while (0)
#define sum_FOUR_ROWS(i, m) FOUR_ROWS_OF(+, i, m)
#define prod_FOUR_ROWS(i, m) FOUR_ROWS_OF(*, i, m)
#define sum_ROW(i, m) lanes_store(d + (i), lanes_load(a + (i), m) + lanes_load(b + (i), m), m)
#define prod_ROW(i, m) lanes_store(d + (i), lanes_load(a + (i), m) * lanes_load(b + (i), m), m)
HALF_COMBINE(sum, +)
HALF_COMBINE(prod, *)

#define HALF_PAIR(name, step)                                                                      \
    TARGET static bool name##_f16(void *into, const void *left, const void *right, size_t n)       \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        const uint16_t *a = left, *b = right;                                                      \
        EACH_LANES(n, step);                                                                       \
        return true;                                                                               \
    }
#define SUBTRACT_STEP(i, m) lanes_store(d + (i), lanes_load(a + (i), m) - lanes_load(b + (i), m), m)
#define RATIO_STEP(i, m) lanes_store(d + (i), lanes_load(a + (i), m) / lanes_load(b + (i), m), m)
HALF_PAIR(subtract, SUBTRACT_STEP)
HALF_PAIR(ratio, RATIO_STEP)

/* ---- One number for all elements. */

#define DIVIDE_STEP(i, m) lanes_store(d + (i), lanes_load(d + (i), m) / by, m)
#define MULTIPLY_STEP(i, m) lanes_store(d + (i), lanes_load(d + (i), m) * part, m)
TARGET static void divide_f16(void *values, uint64_t divisor, size_t n)
{
    uint16_t *d = values;
    const lanes by = lanes_all((float)divisor), part = 1 / by;
    if (IS_POWER_OF_TWO(divisor))
        EACH_LANES(n, MULTIPLY_STEP);
    else
        EACH_LANES(n, DIVIDE_STEP);
}

#define WEIGH_STEP(i, m) lanes_store(d + (i), lanes_load(a + (i), m) * w, m)
TARGET static void weigh_f16(void *into, const void *from, const void *weight, size_t n)
{
    uint16_t *d = into;
    const uint16_t *a = from;
    const lanes w = lanes_gather(weight, 0);
    EACH_LANES(n, WEIGH_STEP);
}

/* ---- Terms: in one pass, weighed or not. TERM(t) is the term's next lanes. */

#define PLUS(x, y) lanes_round((x) + (y))
#define TERMS4(d, i, m)                                                                            \
    lanes_store((d) + (i),                                                                         \
                PLUS(TERM(0, i, m), TERM(1, i, m)) + PLUS(TERM(2, i, m), TERM(3, i, m)), m)
#define TERMS8(d, i, m)                                                                            \
    lanes_store((d) + (i),                                                                         \
                PLUS(PLUS(TERM(0, i, m), TERM(1, i, m)), PLUS(TERM(2, i, m), TERM(3, i, m))) +     \
                    PLUS(PLUS(TERM(4, i, m), TERM(5, i, m)), PLUS(TERM(6, i, m), TERM(7, i, m))),  \
                m)

#define TERM(t, i, m) lanes_load((const uint16_t *)terms[t] + (i), m)
#define SUM4_STEP(i, m) TERMS4((uint16_t *)into, i, m)
#define SUM8_STEP(i, m) TERMS8((uint16_t *)into, i, m)
TARGET static void sum4_f16(void *into, const void *const *terms, size_t n)
{
    EACH_LANES(n, SUM4_STEP);
}

TARGET static void sum8_f16(void *into, const void *const *terms, size_t n)
{
    EACH_LANES(n, SUM8_STEP);
}
#undef TERM

#define TERM(t, i, m) lanes_round(lanes_load((const uint16_t *)terms[t] + (i), m) * w[t])
#define SUM2_STEP(i, m) lanes_store((uint16_t *)into + (i), TERM(0, i, m) + TERM(1, i, m), m)
#define HALF_WEIGHED(count, step)                                                                  \
    TARGET static void sum##count##_weighed_f16(void *into, const void *const *terms,              \
                                                const void *const *weights, size_t n)              \
    {                                                                                              \
        lanes w[count];                                                                            \
        for (int t = 0; t < (count); t++)                                                          \
            w[t] = lanes_gather(weights[t], 0);                                                    \
        EACH_LANES(n, step);                                                                       \
    }
HALF_WEIGHED(2, SUM2_STEP)
HALF_WEIGHED(4, SUM4_STEP)
HALF_WEIGHED(8, SUM8_STEP)
#undef TERM
