/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of arithmetic.h. Included once by each file that compiles them for a set of
 * instructions, hence without an include guard. The file defines before:
 *
 * LOOPS   name of the table of these loops
 * TARGET  attribute of each function, which says the instructions that the compiler may use;
 *         empty: those of every machine. Never an instruction that rounds once where two operations
 *         round twice, so that all tables give the same bits
 * HAS_HALF_LANES  those instructions convert float16 (half_lanes.h)
 * HAS_FIXUP       they make a NaN canonical in one (half_lanes.h)
 * HAS_SQUARES     they are AVX2 or more (squares.h)
 * PRODUCT_TARGET  as TARGET, without FMA: gcc 12 makes one operation of a product and an
 *                 alternating sum, as complex numbers have it, whatever -ffp-contract says */
#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/nan.h"
#include "runtime/base/half.h"

#ifndef PRODUCT_TARGET
#define PRODUCT_TARGET TARGET
#endif

enum { CHAINS = 8 };

/* Keeps chains in registers where a compiler would keep short arrays in memory. */
#if defined(__GNUC__) && !defined(__clang__)
#define EACH_CHAIN _Pragma("GCC unroll 8") for (size_t j = 0; j < CHAINS; j++)
#else
#define EACH_CHAIN for (size_t j = 0; j < CHAINS; j++)
#endif

/* A loop that is called, so that whoever calls it has little to save and to prepare before it. */
#if defined(__GNUC__)
#define BY_ITSELF __attribute__((noinline))
#else
#define BY_ITSELF
#endif

/* The pragma promises only that elements do not depend on each other: d may be a or b. `finish`
 * makes a NaN the canonical one. */
#define ROW(name, T, expression, finish)                                                           \
    BY_ITSELF TARGET static void name(T *d, const T *a, const T *b, size_t n)                      \
    {                                                                                              \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                         \
        {                                                                                          \
            const T x = a[i], y = b[i];                                                            \
            d[i] = finish((T)(expression));                                                        \
        }                                                                                          \
    }

/* One column, and eight, whose chains of operations do not wait for each other. */
#define COLUMNS(name, T, expression, finish)                                                       \
    TARGET static T name##_column(const T *f, size_t rows, ptrdiff_t stride)                       \
    {                                                                                              \
        T x = *f;                                                                                  \
        for (size_t row = 1; row < rows; row++) {                                                  \
            const T y = f[(ptrdiff_t)row * stride];                                                \
            x = (T)(expression);                                                                   \
        }                                                                                          \
        return rows > 1 ? finish(x) : x;                                                           \
    }                                                                                              \
    TARGET static void name##_columns(void *into, const void *from, size_t rows, ptrdiff_t stride, \
                                      ptrdiff_t column, size_t columns)                            \
    {                                                                                              \
        T *d = into, chains[CHAINS];                                                               \
        const T *f = from;                                                                         \
        size_t c = 0;                                                                              \
        for (; c + CHAINS <= columns; c += CHAINS, f += CHAINS * column) {                         \
            const T *at = f;                                                                       \
            EACH_CHAIN chains[j] = at[(ptrdiff_t)j * column];                                      \
            for (size_t row = 1; row < rows; row++) {                                              \
                at += stride;                                                                      \
                EACH_CHAIN                                                                         \
                {                                                                                  \
                    const T x = chains[j], y = at[(ptrdiff_t)j * column];                          \
                    chains[j] = (T)(expression);                                                   \
                }                                                                                  \
            }                                                                                      \
            EACH_CHAIN d[c + j] = rows > 1 ? finish(chains[j]) : chains[j];                        \
        }                                                                                          \
        for (; c < columns; c++, f += column)                                                      \
            d[c] = name##_column(f, rows, stride);                                                 \
    }

/* Four rows in one pass, so that d is read and written once for all of them. */
#define FOUR_ROWS(name, T, expression, finish)                                                     \
    TARGET static void name(T *d, const T *a, const T *b0, const T *b1, const T *b2, const T *b3,  \
                            size_t n)                                                              \
    {                                                                                              \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                         \
        {                                                                                          \
            T x = a[i], y = b0[i];                                                                 \
            x = (T)(expression), y = b1[i];                                                        \
            x = (T)(expression), y = b2[i];                                                        \
            x = (T)(expression), y = b3[i];                                                        \
            d[i] = finish((T)(expression));                                                        \
        }                                                                                          \
    }

/* Of two terms into two arrays at once. */
#define ALL_OF_TWO(name, T, expression, finish)                                                    \
    TARGET static void name(void *const *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        T *d = into[0], *e = into[1];                                                              \
        const T *a = terms[0], *b = terms[1];                                                      \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                         \
        {                                                                                          \
            const T x = a[i], y = b[i], z = finish((T)(expression));                               \
            d[i] = z;                                                                              \
            e[i] = z;                                                                              \
        }                                                                                          \
    }

#define ROWS(name, T, expression, finish)                                                          \
    ROW(name##_row, T, expression, finish)                                                         \
    FOUR_ROWS(name##_four_rows, T, expression, finish)                                             \
    BY_ITSELF TARGET static void name##_rows(T *d, const T *a, const T *b, size_t rows,            \
                                             ptrdiff_t stride, size_t n)                           \
    {                                                                                              \
        for (; rows >= 4; rows -= 4, a = d, b += 4 * stride)                                       \
            name##_four_rows(d, a, b, b + stride, b + 2 * stride, b + 3 * stride, n);              \
        for (; rows > 0; rows--, a = d, b += stride)                                               \
            name##_row(d, a, b, n);                                                                \
    }                                                                                              \
    TARGET static void name(void *into, const void *left, const void *right, size_t rows,          \
                            ptrdiff_t stride, size_t n)                                            \
    {                                                                                              \
        if (rows == 1)                                                                             \
            name##_row(into, left, right, n);                                                      \
        else                                                                                       \
            name##_rows(into, left, right, rows, stride, n);                                       \
    }

#define COMBINE(name, T, expression, finish)                                                       \
    COLUMNS(name, T, expression, finish) ROWS(name, T, expression, finish)

/* cohort_half_to_bf16 without its care for NaN, whose lower half may carry into the sign: in what
 * comes out of one operation on bfloat16 that half is zero. */
TARGET static inline uint16_t narrow_bf16(float value)
{
    const uint32_t bits = cohort_half_bits(value);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* Unsigned arithmetic wraps, and signed sums and products have the same bits. */
#define WRAPPING(name, T, wide)                                                                    \
    COMBINE(sum_##name, T, (wide)x + (wide)y, )                                                    \
    ALL_OF_TWO(sum2_all_##name, T, (wide)x + (wide)y, ) COMBINE(prod_##name, T, (wide)x *(wide)y, )
WRAPPING(16, uint16_t, uint32_t)
WRAPPING(32, uint32_t, uint32_t)
WRAPPING(64, uint64_t, uint64_t)
COMBINE(sum_8, uint8_t, (uint32_t)x + (uint32_t)y, )
ALL_OF_TWO(sum2_all_8, uint8_t, (uint32_t)x + (uint32_t)y, )

/* Products of bytes, two neighbours at a time, since no processor multiplies bytes and to widen
 * them takes longer: each half of a word of 16 bits is the lower byte of a product of two halves,
 * and whichever of the two bytes is the first, both are done alike. */
typedef uint16_t byte_pair __attribute__((may_alias, aligned(1)));
#define PAIR_PRODUCT ((uint32_t)x * y & 0xffu) | (x & 0xff00u) * (uint32_t)(y >> 8)
ROW(prod_pairs_row, byte_pair, PAIR_PRODUCT, )
FOUR_ROWS(prod_pairs_four_rows, byte_pair, PAIR_PRODUCT, )
COLUMNS(prod_8, uint8_t, (uint32_t)x *(uint32_t)y, )
TARGET static void prod_8(void *into, const void *left, const void *right, size_t rows,
                          ptrdiff_t stride, size_t n)
{
    uint8_t *d = into;
    const uint8_t *a = left, *b = right;
#define PAIRS(row) ((const byte_pair *)(const void *)(row))
    if (n % 2 == 1) {
        const uint8_t last[2] = { a[n - 1], prod_8_column(b + n - 1, rows, stride) };
        d[n - 1] = (uint8_t)(last[0] * last[1]);
    }
    for (; rows >= 4; rows -= 4, a = d, b += 4 * stride)
        prod_pairs_four_rows((byte_pair *)(void *)d, PAIRS(a), PAIRS(b), PAIRS(b + stride),
                             PAIRS(b + 2 * stride), PAIRS(b + 3 * stride), n / 2);
    for (; rows > 0; rows--, a = d, b += stride)
        prod_pairs_row((byte_pair *)(void *)d, PAIRS(a), PAIRS(b), n / 2);
#undef PAIRS
}

#define ELEMENTS(name, T, expression, finish)                                                      \
    ROW(name##_elements, T, expression, finish)                                                    \
    TARGET static bool name(void *into, const void *a, const void *b, size_t n)                    \
    {                                                                                              \
        name##_elements(into, a, b, n);                                                            \
        return true;                                                                               \
    }
ELEMENTS(subtract_8, uint8_t, (uint32_t)x - (uint32_t)y, )
ELEMENTS(subtract_16, uint16_t, (uint32_t)x - (uint32_t)y, )
ELEMENTS(subtract_32, uint32_t, x - y, )
ELEMENTS(subtract_64, uint64_t, x - y, )

#define ORDERED(name, T)                                                                           \
    COMBINE(min_##name, T, x < y ? x : y, ) COMBINE(max_##name, T, x > y ? x : y, )
ORDERED(i8, int8_t)
ORDERED(u8, uint8_t)
ORDERED(i16, int16_t)
ORDERED(u16, uint16_t)
ORDERED(i32, int32_t)
ORDERED(u32, uint32_t)
ORDERED(i64, int64_t)
ORDERED(u64, uint64_t)
COMBINE(min_bool, uint8_t, (x != 0) & (y != 0), )
COMBINE(max_bool, uint8_t, (x != 0) | (y != 0), )
COMBINE(bxor_bool, uint8_t, (x != 0) ^ (y != 0), )

#define BITWISE(name, T)                                                                           \
    COMBINE(band_##name, T, x &y, ) COMBINE(bor_##name, T, x | y, ) COMBINE(bxor_##name, T, x ^ y, )
BITWISE(8, uint8_t)
BITWISE(16, uint16_t)
BITWISE(32, uint32_t)
BITWISE(64, uint64_t)

/* A NaN wins; of equal values (-0 and +0) the right one is taken. */
#define NUMBERS(name, T, from, to)                                                                 \
    COMBINE(sum_##name, T, to(from(x) + from(y)), cohort_nan_canonical_##name)                     \
    COMBINE(prod_##name, T, to(from(x) * from(y)), cohort_nan_canonical_##name)                    \
    ELEMENTS(subtract_##name, T, to(from(x) - from(y)), cohort_nan_canonical_##name)               \
    ELEMENTS(ratio_##name, T, to(from(x) / from(y)), cohort_nan_canonical_##name)
/* A comparison with a NaN is false, so y is chosen; a NaN is there where x or what was chosen is
 * one. With vectors that is a minimum, one look for NaN and a selection. Along columns, where
 * numbers wait for each other, to take x where it is less or a NaN is the shorter chain. */
#define ORDERED_NUMBERS(name, T)                                                                   \
    COLUMNS(min_##name, T, x < y || x != x ? x : y, cohort_nan_canonical_##name)                   \
    COLUMNS(max_##name, T, x > y || x != x ? x : y, cohort_nan_canonical_##name)                   \
    ROWS(min_##name, T, cohort_nan_either_##name(x, x < y ? x : y), )                              \
    ROWS(max_##name, T, cohort_nan_either_##name(x, x > y ? x : y), )
NUMBERS(f32, float, , )
NUMBERS(f64, double, , )
ORDERED_NUMBERS(f32, float)
ORDERED_NUMBERS(f64, double)

/* 16-bit floats are ordered as integers, twice as many at a time as of float32 and without a
 * conversion. A NaN is more than infinity. */
TARGET static inline int16_t order_of(uint16_t half)
{
    const int16_t sign = (int16_t)((int16_t)half >> 15), magnitude = (int16_t)(half & 0x7fff);
    return (int16_t)((magnitude ^ sign) - sign);
}

TARGET static inline uint16_t choose_half(bool takes_left, uint16_t x, uint16_t y, int16_t infinity,
                                          uint16_t nan)
{
    const int16_t left = (int16_t)(x & 0x7fff), right = (int16_t)(y & 0x7fff);
    const uint16_t number = takes_left ? x : y;
    return (left > right ? left : right) > infinity ? nan : number;
}
#define ORDERED_HALVES(name, infinity, nan)                                                        \
    COMBINE(min_##name, uint16_t, choose_half(order_of(x) < order_of(y), x, y, infinity, nan), )   \
    COMBINE(max_##name, uint16_t, choose_half(order_of(x) > order_of(y), x, y, infinity, nan), )
ORDERED_HALVES(f16, 0x7c00, 0x7e00)
ORDERED_HALVES(bf16, 0x7f80, 0x7fc0)

/* float8 as the upper byte of such a half. most: the largest that is no NaN. */
#define UPPER(x) ((uint16_t)((x) << 8))
#define CHOOSE_BYTE(by, most, nan)                                                                 \
    (choose_half(order_of(UPPER(x)) by order_of(UPPER(y)), UPPER(x), UPPER(y), most, nan) >> 8)
#define ORDERED_BYTES(name, most, nan)                                                             \
    COMBINE(min_##name, uint8_t, CHOOSE_BYTE(<, most, nan), )                                      \
    COMBINE(max_##name, uint8_t, CHOOSE_BYTE(>, most, nan), )
ORDERED_BYTES(e4m3, 0x7e00, 0x7f00)
ORDERED_BYTES(e5m2, 0x7c00, 0x7e00)

/* A power of two has an exact reciprocal, and both the quotient and the product are what is nearest
 * to the same number: the product takes a fifth of the time. */
#define IS_POWER_OF_TWO(divisor) (((divisor) & ((divisor)-1)) == 0)
#define DIVIDE(name, T, real, from, to)                                                            \
    TARGET static void divide_##name(void *values, uint64_t divisor, size_t n)                     \
    {                                                                                              \
        T *d = values;                                                                             \
        const real by = (real)divisor, part = 1 / by;                                              \
        if (IS_POWER_OF_TWO(divisor)) {                                                            \
            _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                              \
                cohort_nan_canonical_##name(to(from(d[i]) * part));                                \
            return;                                                                                \
        }                                                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(to(from(d[i]) / by));                                      \
    }
DIVIDE(f32, float, float, , )
DIVIDE(f64, double, double, , )

#define QUOTIENT(name, T, from, to)                                                                \
    TARGET static void quotient_##name(void *values, const void *divisor, size_t n)                \
    {                                                                                              \
        T *d = values;                                                                             \
        const T by = *(const T *)divisor;                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(to(from(d[i]) / from(by)));                                \
    }
QUOTIENT(f32, float, , )
QUOTIENT(f64, double, , )

#define ONE_OPERATION(name, T, from, to)                                                           \
    TARGET static inline T times_##name(T a, T b)                                                  \
    {                                                                                              \
        return to(from(a) * from(b));                                                              \
    }                                                                                              \
    TARGET static inline T plus_##name(T a, T b)                                                   \
    {                                                                                              \
        return to(from(a) + from(b));                                                              \
    }
ONE_OPERATION(f32, float, , )
ONE_OPERATION(f64, double, , )

#define SUM_DIVIDE(name, T, real, from, to)                                                        \
    TARGET static void sum_divide_##name(void *into, const void *left, const void *right,          \
                                         uint64_t divisor, size_t n)                               \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = left, *b = right;                                                             \
        const real by = (real)divisor, part = 1 / by;                                              \
        if (IS_POWER_OF_TWO(divisor)) {                                                            \
            _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                              \
                cohort_nan_canonical_##name(to(from(plus_##name(a[i], b[i])) * part));             \
            return;                                                                                \
        }                                                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(to(from(plus_##name(a[i], b[i])) / by));                   \
    }
SUM_DIVIDE(f32, float, float, , )
SUM_DIVIDE(f64, double, double, , )

/* Terms, and the tree over element i of them. */
#define TERMS_OF_FOUR(T) const T *a = terms[0], *b = terms[1], *c = terms[2], *e = terms[3]
#define TERMS_OF_EIGHT(T)                                                                          \
    TERMS_OF_FOUR(T);                                                                              \
    const T *p = terms[4], *q = terms[5], *r = terms[6], *s = terms[7]
#define TREE_OF_FOUR(name) plus_##name(plus_##name(a[i], b[i]), plus_##name(c[i], e[i]))
#define TREE_OF_EIGHT(name)                                                                        \
    plus_##name(TREE_OF_FOUR(name), plus_##name(plus_##name(p[i], q[i]), plus_##name(r[i], s[i])))

/* Sums of four and eight terms in one pass: one read of each term and one write, as fast as
 * memory. */
#define FUSED_SUM(name, T)                                                                         \
    TARGET static void sum4_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        T *d = into;                                                                               \
        TERMS_OF_FOUR(T);                                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(TREE_OF_FOUR(name));                                       \
    }                                                                                              \
    TARGET static void sum8_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        T *d = into;                                                                               \
        TERMS_OF_EIGHT(T);                                                                         \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(TREE_OF_EIGHT(name));                                      \
    }
FUSED_SUM(f32, float)
FUSED_SUM(f64, double)

/* The same into as many arrays. */
#define FUSED_SUM_TO_ALL(name, T)                                                                  \
    TARGET static void sum4_all_##name(void *const *into, const void *const *terms, size_t n)      \
    {                                                                                              \
        T *d0 = into[0], *d1 = into[1], *d2 = into[2], *d3 = into[3];                              \
        TERMS_OF_FOUR(T);                                                                          \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d0[i] = d1[i] = d2[i] = d3[i] =         \
            cohort_nan_canonical_##name(TREE_OF_FOUR(name));                                       \
    }                                                                                              \
    TARGET static void sum8_all_##name(void *const *into, const void *const *terms, size_t n)      \
    {                                                                                              \
        T *d0 = into[0], *d1 = into[1], *d2 = into[2], *d3 = into[3];                              \
        T *d4 = into[4], *d5 = into[5], *d6 = into[6], *d7 = into[7];                              \
        TERMS_OF_EIGHT(T);                                                                         \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d0[i] = d1[i] = d2[i] = d3[i] = d4[i] = \
            d5[i] = d6[i] = d7[i] = cohort_nan_canonical_##name(TREE_OF_EIGHT(name));              \
    }
ALL_OF_TWO(sum2_all_f32, float, x + y, cohort_nan_canonical_f32)
ALL_OF_TWO(sum2_all_f64, double, x + y, cohort_nan_canonical_f64)
FUSED_SUM_TO_ALL(f32, float)
FUSED_SUM_TO_ALL(f64, double)

/* Products are rounded to the type before they are added, as two loops would do it. */
#define ADD_WEIGHED(name, T)                                                                       \
    TARGET static void add_weighed_##name(void *into, const void *right, const void *weights,      \
                                          size_t rows, ptrdiff_t stride, ptrdiff_t weight_stride,  \
                                          size_t n)                                                \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *b = right, *w = weights;                                                          \
        for (; rows >= 4; rows -= 4, b += 4 * stride, w += 4 * weight_stride) {                    \
            const T *c[4] = { b, b + stride, b + 2 * stride, b + 3 * stride };                     \
            const T u[4] = { *w, w[weight_stride], w[2 * weight_stride], w[3 * weight_stride] };   \
            _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                     \
            {                                                                                      \
                T x = plus_##name(d[i], times_##name(c[0][i], u[0]));                              \
                x = plus_##name(x, times_##name(c[1][i], u[1]));                                   \
                x = plus_##name(x, times_##name(c[2][i], u[2]));                                   \
                x = plus_##name(x, times_##name(c[3][i], u[3]));                                   \
                d[i] = cohort_nan_canonical_##name(x);                                             \
            }                                                                                      \
        }                                                                                          \
        for (; rows > 0; rows--, b += stride, w += weight_stride) {                                \
            const T u = *w;                                                                        \
            _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                              \
                cohort_nan_canonical_##name(plus_##name(d[i], times_##name(b[i], u)));             \
        }                                                                                          \
    }
#define WEIGHED(name, T)                                                                           \
    TARGET static void weigh_##name(void *into, const void *from_, const void *weight, size_t n)   \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = from_, w = *(const T *)weight;                                                \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(times_##name(a[i], w));                                    \
    }                                                                                              \
    TARGET static void sum2_weighed_##name(void *into, const void *const *terms,                   \
                                           const void *const *weights, size_t n)                   \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = terms[0], *b = terms[1];                                                      \
        const T u = *(const T *)weights[0], v = *(const T *)weights[1];                            \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] = cohort_nan_canonical_##name(     \
            plus_##name(times_##name(a[i], u), times_##name(b[i], v)));                            \
    }                                                                                              \
    TARGET static void sum4_weighed_##name(void *into, const void *const *terms,                   \
                                           const void *const *weights, size_t n)                   \
    {                                                                                              \
        T *d = into, w[4];                                                                         \
        const T *t[4];                                                                             \
        for (int j = 0; j < 4; j++)                                                                \
            t[j] = terms[j], w[j] = *(const T *)weights[j];                                        \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                         \
        {                                                                                          \
            const T x = plus_##name(times_##name(t[0][i], w[0]), times_##name(t[1][i], w[1])),     \
                    y = plus_##name(times_##name(t[2][i], w[2]), times_##name(t[3][i], w[3]));     \
            d[i] = cohort_nan_canonical_##name(plus_##name(x, y));                                 \
        }                                                                                          \
    }                                                                                              \
    TARGET static void sum8_weighed_##name(void *into, const void *const *terms,                   \
                                           const void *const *weights, size_t n)                   \
    {                                                                                              \
        T *d = into, w[8];                                                                         \
        const T *t[8];                                                                             \
        for (int j = 0; j < 8; j++)                                                                \
            t[j] = terms[j], w[j] = *(const T *)weights[j];                                        \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                         \
        {                                                                                          \
            const T x = plus_##name(times_##name(t[0][i], w[0]), times_##name(t[1][i], w[1])),     \
                    y = plus_##name(times_##name(t[2][i], w[2]), times_##name(t[3][i], w[3])),     \
                    z = plus_##name(times_##name(t[4][i], w[4]), times_##name(t[5][i], w[5])),     \
                    v = plus_##name(times_##name(t[6][i], w[6]), times_##name(t[7][i], w[7]));     \
            d[i] = cohort_nan_canonical_##name(plus_##name(plus_##name(x, y), plus_##name(z, v))); \
        }                                                                                          \
    }
ADD_WEIGHED(f32, float)
ADD_WEIGHED(f64, double)
WEIGHED(f32, float)
WEIGHED(f64, double)

/* A NaN that is widened is the canonical one already, since instructions that convert make it quiet
 * and keep what else is in it, and others do not. */
#define WIDEN_AND_NARROW(name, T, from, to)                                                        \
    TARGET static void widen_all_##name(void *into, const void *elements, size_t n)                \
    {                                                                                              \
        float *d = into;                                                                           \
        const T *a = elements;                                                                     \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_f32(from(a[i]));                                                  \
    }                                                                                              \
    TARGET static void narrow_all_##name(void *into, const void *floats, size_t n)                 \
    {                                                                                              \
        T *d = into;                                                                               \
        const float *a = floats;                                                                   \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            to(cohort_nan_canonical_f32(a[i]));                                                    \
    }
WIDEN_AND_NARROW(bf16, uint16_t, cohort_half_from_bf16, narrow_bf16)

#include "runtime/arithmetic/bfloat_twos.h"
#ifdef HAS_HALF_LANES
#include "runtime/arithmetic/half_lanes.h"
#else
NUMBERS(f16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)
DIVIDE(f16, uint16_t, float, cohort_half_from_f16, cohort_half_to_f16)
ONE_OPERATION(f16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)
FUSED_SUM(f16, uint16_t)
WEIGHED(f16, uint16_t)
WIDEN_AND_NARROW(f16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)
#endif

#define FLOAT8(name)                                                                               \
    NUMBERS(name, uint8_t, cohort_half_from_##name, cohort_half_to_##name)                         \
    DIVIDE(name, uint8_t, float, cohort_half_from_##name, cohort_half_to_##name)                   \
    ONE_OPERATION(name, uint8_t, cohort_half_from_##name, cohort_half_to_##name)                   \
    FUSED_SUM(name, uint8_t)                                                                       \
    WEIGHED(name, uint8_t)                                                                         \
    WIDEN_AND_NARROW(name, uint8_t, cohort_half_from_##name, cohort_half_to_##name)
FLOAT8(e4m3)
FLOAT8(e5m2)

#ifdef HAS_SQUARES
#include "runtime/arithmetic/squares.h"
#define F32_COLUMNS f32_squares
#else
#define F32_COLUMNS f32_columns
#endif

/* Sums and quotients of complex numbers are those of their parts; products are the four-product
 * formula as written, without the recovery of infinities that C's own operator does. */
#define COMPLEX(name, T, part)                                                                     \
    TARGET static void sum_##name(void *into, const void *a, const void *b, size_t rows,           \
                                  ptrdiff_t stride, size_t n)                                      \
    {                                                                                              \
        sum_##part(into, a, b, rows, 2 * stride, 2 * n);                                           \
    }                                                                                              \
    TARGET static void sum_##name##_columns(void *into, const void *from, size_t rows,             \
                                            ptrdiff_t stride, ptrdiff_t column, size_t columns)    \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *f = from;                                                                         \
        for (size_t c = 0; c < columns; c++, f += 2 * column) {                                    \
            d[2 * c] = sum_##part##_column(f, rows, 2 * stride);                                   \
            d[2 * c + 1] = sum_##part##_column(f + 1, rows, 2 * stride);                           \
        }                                                                                          \
    }                                                                                              \
    TARGET static void sum4_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        sum4_##part(into, terms, 2 * n);                                                           \
    }                                                                                              \
    TARGET static void sum8_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        sum8_##part(into, terms, 2 * n);                                                           \
    }                                                                                              \
    TARGET static void sum2_all_##name(void *const *into, const void *const *terms, size_t n)      \
    {                                                                                              \
        sum2_all_##part(into, terms, 2 * n);                                                       \
    }                                                                                              \
    TARGET static void sum4_all_##name(void *const *into, const void *const *terms, size_t n)      \
    {                                                                                              \
        sum4_all_##part(into, terms, 2 * n);                                                       \
    }                                                                                              \
    TARGET static void sum8_all_##name(void *const *into, const void *const *terms, size_t n)      \
    {                                                                                              \
        sum8_all_##part(into, terms, 2 * n);                                                       \
    }                                                                                              \
    TARGET static bool subtract_##name(void *into, const void *a, const void *b, size_t n)         \
    {                                                                                              \
        return subtract_##part(into, a, b, 2 * n);                                                 \
    }                                                                                              \
    TARGET static void divide_##name(void *values, uint64_t divisor, size_t n)                     \
    {                                                                                              \
        divide_##part(values, divisor, 2 * n);                                                     \
    }                                                                                              \
    TARGET static void sum_divide_##name(void *into, const void *a, const void *b,                 \
                                         uint64_t divisor, size_t n)                               \
    {                                                                                              \
        sum_divide_##part(into, a, b, divisor, 2 * n);                                             \
    }                                                                                              \
    PRODUCT_TARGET static void prod_##name(void *into, const void *left, const void *right,        \
                                           size_t rows, ptrdiff_t stride, size_t n)                \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = left;                                                                         \
        for (size_t row = 0; row < rows; row++, a = d) {                                           \
            const T *b = (const T *)right + 2 * (ptrdiff_t)row * stride;                           \
            for (size_t i = 0; i < 2 * n; i += 2) {                                                \
                const T real = a[i] * b[i] - a[i + 1] * b[i + 1],                                  \
                        imaginary = a[i] * b[i + 1] + a[i + 1] * b[i];                             \
                d[i] = cohort_nan_canonical_##part(real);                                          \
                d[i + 1] = cohort_nan_canonical_##part(imaginary);                                 \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    PRODUCT_TARGET static void prod_##name##_columns(void *into, const void *from, size_t rows,    \
                                                     ptrdiff_t stride, ptrdiff_t column,           \
                                                     size_t columns)                               \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *f = from;                                                                         \
        for (size_t c = 0; c < columns; c++, d += 2, f += 2 * column) {                            \
            const T first[2] = { f[0], f[1] };                                                     \
            d[0] = first[0], d[1] = first[1];                                                      \
            if (rows > 1)                                                                          \
                prod_##name(d, d, f + 2 * stride, rows - 1, stride, 1);                            \
        }                                                                                          \
    }
COMPLEX(c64, float, f32)
COMPLEX(c128, double, f64)

#define INTEGERS(bits, name)                                                                       \
    {                                                                                              \
        .combine = { [COHORT_SUM] = sum_##bits,   [COHORT_PROD] = prod_##bits,                     \
                     [COHORT_MIN] = min_##name,   [COHORT_MAX] = max_##name,                       \
                     [COHORT_BAND] = band_##bits, [COHORT_BOR] = bor_##bits,                       \
                     [COHORT_BXOR] = bxor_##bits },                                                \
        .columns = { [COHORT_SUM] = sum_##bits##_columns,   [COHORT_PROD] = prod_##bits##_columns, \
                     [COHORT_MIN] = min_##name##_columns,   [COHORT_MAX] = max_##name##_columns,   \
                     [COHORT_BAND] = band_##bits##_columns, [COHORT_BOR] = bor_##bits##_columns,   \
                     [COHORT_BXOR] = bxor_##bits##_columns },                                      \
        .subtract = subtract_##bits, .sum2_all = sum2_all_##bits                                   \
    }
#define ALL(name)                                                                                  \
    .sum2_all = sum2_all_##name, .sum4_all = sum4_all_##name, .sum8_all = sum8_all_##name
#define FUSED(name) .sum4 = sum4_##name, .sum8 = sum8_##name
#define COLUMNS_OF(kind)                                                                           \
    .columns = { [COHORT_SUM] = sum_##kind,                                                        \
                 [COHORT_PROD] = prod_##kind,                                                      \
                 [COHORT_MIN] = min_##kind,                                                        \
                 [COHORT_MAX] = max_##kind }
#define FLOATS(name, kind)                                                                         \
    .combine = { [COHORT_SUM] = sum_##name,                                                        \
                 [COHORT_PROD] = prod_##name,                                                      \
                 [COHORT_MIN] = min_##name,                                                        \
                 [COHORT_MAX] = max_##name },                                                      \
    COLUMNS_OF(kind), .divide = divide_##name, .subtract = subtract_##name, .ratio = ratio_##name, \
    .weigh = weigh_##name, .sum2_weighed = sum2_weighed_##name,                                    \
    .sum4_weighed = sum4_weighed_##name, .sum8_weighed = sum8_weighed_##name, FUSED(name)
/* Of what 16-bit floats are combined in float32 for, and so have no loops. */
#define IN_FULL(name)                                                                              \
    .sum_divide = sum_divide_##name, .quotient = quotient_##name, .add_weighed = add_weighed_##name
#define CONVERSIONS(name) .widen = widen_all_##name, .narrow = narrow_all_##name
#define COMPLEXES(name)                                                                            \
    {                                                                                              \
        .combine = { [COHORT_SUM] = sum_##name, [COHORT_PROD] = prod_##name },                     \
        .columns = { [COHORT_SUM] = sum_##name##_columns, [COHORT_PROD] = prod_##name##_columns }, \
        .divide = divide_##name, .sum_divide = sum_divide_##name, .subtract = subtract_##name,     \
        ALL(name), FUSED(name)                                                                     \
    }

const cohort_arithmetic_row LOOPS[COHORT_ARITHMETIC_TYPES] = {
    [COHORT_BOOL] = { .combine = { [COHORT_MIN] = min_bool,
                                   [COHORT_MAX] = max_bool,
                                   [COHORT_BAND] = min_bool,
                                   [COHORT_BOR] = max_bool,
                                   [COHORT_BXOR] = bxor_bool },
                      .columns = { [COHORT_MIN] = min_bool_columns,
                                   [COHORT_MAX] = max_bool_columns,
                                   [COHORT_BAND] = min_bool_columns,
                                   [COHORT_BOR] = max_bool_columns,
                                   [COHORT_BXOR] = bxor_bool_columns } },
    [COHORT_I8] = INTEGERS(8, i8),
    [COHORT_U8] = INTEGERS(8, u8),
    [COHORT_I16] = INTEGERS(16, i16),
    [COHORT_U16] = INTEGERS(16, u16),
    [COHORT_I32] = INTEGERS(32, i32),
    [COHORT_U32] = INTEGERS(32, u32),
    [COHORT_I64] = INTEGERS(64, i64),
    [COHORT_U64] = INTEGERS(64, u64),
    [COHORT_F16] = { FLOATS(f16, f16_columns), CONVERSIONS(f16) },
    [COHORT_BF16] = { FLOATS(bf16, bf16_columns), CONVERSIONS(bf16) },
    [COHORT_F8_E4M3] = { FLOATS(e4m3, e4m3_columns), CONVERSIONS(e4m3) },
    [COHORT_F8_E5M2] = { FLOATS(e5m2, e5m2_columns), CONVERSIONS(e5m2) },
    [COHORT_F32] = { FLOATS(f32, F32_COLUMNS), IN_FULL(f32), ALL(f32) },
    [COHORT_F64] = { FLOATS(f64, f64_columns), IN_FULL(f64), ALL(f64) },
    [COHORT_C64] = COMPLEXES(c64),
    [COHORT_C128] = COMPLEXES(c128),
};
