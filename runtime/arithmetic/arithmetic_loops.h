/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of arithmetic.h. Included once by each file that compiles them for a set of
 * instructions, hence without an include guard. The file defines before:
 *
 * LOOPS   name of the table of these loops
 * TARGET  attribute of each function, which says the instructions that the compiler may use;
 *         empty: those of every machine. Never an instruction that rounds once where two operations
 *         round twice, so that all tables give the same bits */
#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/nan.h"
#include "runtime/base/half.h"

enum { NARROW = 4 };

/* The pragma promises only that elements do not depend on each other: d may be a or b. `finish`
 * makes a NaN the canonical one; only in the last step, since a NaN stays one until then. */
#define ROW(name, T, expression, finish)                                                           \
    TARGET static void name(T *d, const T *a, const T *b, size_t n)                                \
    {                                                                                              \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++)                                         \
        {                                                                                          \
            const T x = a[i], y = b[i];                                                            \
            d[i] = finish((T)(expression));                                                        \
        }                                                                                          \
    }

/* Narrow rows are folded column by column, in a register. */
#define COMBINE(name, T, expression, finish)                                                       \
    TARGET static void name##_columns(T *d, const T *a, const T *b, size_t rows, ptrdiff_t stride, \
                                      size_t n)                                                    \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            T x = a[i];                                                                            \
            for (size_t row = 0; row < rows; row++) {                                              \
                const T y = b[(ptrdiff_t)row * stride + (ptrdiff_t)i];                             \
                x = (T)(expression);                                                               \
            }                                                                                      \
            d[i] = finish(x);                                                                      \
        }                                                                                          \
    }                                                                                              \
    ROW(name##_row, T, expression, )                                                               \
    ROW(name##_last_row, T, expression, finish)                                                    \
    TARGET static void name(void *into, const void *left, const void *right, size_t rows,          \
                            ptrdiff_t stride, size_t n)                                            \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = left, *b = right;                                                             \
        if (rows > 1 && n < NARROW) {                                                              \
            name##_columns(d, a, b, rows, stride, n);                                              \
            return;                                                                                \
        }                                                                                          \
        for (; rows > 1; rows--, a = d, b += stride)                                               \
            name##_row(d, a, b, n);                                                                \
        name##_last_row(d, a, b, n);                                                               \
    }

/* Unsigned arithmetic wraps, and signed sums and products have the same bits. */
#define WRAPPING(name, T, wide)                                                                    \
    COMBINE(sum_##name, T, (wide)x + (wide)y, ) COMBINE(prod_##name, T, (wide)x *(wide)y, )
WRAPPING(8, uint8_t, uint32_t)
WRAPPING(16, uint16_t, uint32_t)
WRAPPING(32, uint32_t, uint32_t)
WRAPPING(64, uint64_t, uint64_t)

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

/* A NaN wins; of equal values (-0 and +0) the right one is taken. */
#define FLOATING(name, T, from, to)                                                                \
    COMBINE(sum_##name, T, to(from(x) + from(y)), cohort_nan_canonical_##name)                     \
    COMBINE(prod_##name, T, to(from(x) * from(y)), cohort_nan_canonical_##name)                    \
    COMBINE(min_##name, T, from(x) < from(y) || from(x) != from(x) ? x : y,                        \
            cohort_nan_canonical_##name)                                                           \
    COMBINE(max_##name, T, from(x) > from(y) || from(x) != from(x) ? x : y,                        \
            cohort_nan_canonical_##name)
FLOATING(f16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)
FLOATING(bf16, uint16_t, cohort_half_from_bf16, cohort_half_to_bf16)
FLOATING(f32, float, , )
FLOATING(f64, double, , )

#define DIVIDE(name, T, real, from, to)                                                            \
    TARGET static void divide_##name(void *values, uint64_t divisor, size_t n)                     \
    {                                                                                              \
        T *d = values;                                                                             \
        const real by = (real)divisor;                                                             \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name(to(from(d[i]) / by));                                      \
    }
DIVIDE(f16, uint16_t, float, cohort_half_from_f16, cohort_half_to_f16)
DIVIDE(bf16, uint16_t, float, cohort_half_from_bf16, cohort_half_to_bf16)
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
QUOTIENT(f16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)
QUOTIENT(bf16, uint16_t, cohort_half_from_bf16, cohort_half_to_bf16)
QUOTIENT(f32, float, , )
QUOTIENT(f64, double, , )

/* Sums of four and eight terms in one pass: one read of each term and one write, as fast as
 * memory. */
#define FUSED_SUM(name, T)                                                                         \
    TARGET static void sum4_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = terms[0], *b = terms[1], *c = terms[2], *e = terms[3];                        \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] =                                  \
            cohort_nan_canonical_##name((a[i] + b[i]) + (c[i] + e[i]));                            \
    }                                                                                              \
    TARGET static void sum8_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = terms[0], *b = terms[1], *c = terms[2], *e = terms[3];                        \
        const T *p = terms[4], *q = terms[5], *r = terms[6], *s = terms[7];                        \
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) d[i] = cohort_nan_canonical_##name(     \
            ((a[i] + b[i]) + (c[i] + e[i])) + ((p[i] + q[i]) + (r[i] + s[i])));                    \
    }
FUSED_SUM(f32, float)
FUSED_SUM(f64, double)

/* Sums and quotients of complex numbers are those of their parts; products are the four-product
 * formula as written, without the recovery of infinities that C's own operator does. */
#define COMPLEX(name, T, part)                                                                     \
    TARGET static void sum_##name(void *into, const void *a, const void *b, size_t rows,           \
                                  ptrdiff_t stride, size_t n)                                      \
    {                                                                                              \
        sum_##part(into, a, b, rows, 2 * stride, 2 * n);                                           \
    }                                                                                              \
    TARGET static void sum4_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        sum4_##part(into, terms, 2 * n);                                                           \
    }                                                                                              \
    TARGET static void sum8_##name(void *into, const void *const *terms, size_t n)                 \
    {                                                                                              \
        sum8_##part(into, terms, 2 * n);                                                           \
    }                                                                                              \
    TARGET static void divide_##name(void *values, uint64_t divisor, size_t n)                     \
    {                                                                                              \
        divide_##part(values, divisor, 2 * n);                                                     \
    }                                                                                              \
    TARGET static void prod_##name(void *into, const void *left, const void *right, size_t rows,   \
                                   ptrdiff_t stride, size_t n)                                     \
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
    }
COMPLEX(c64, float, f32)
COMPLEX(c128, double, f64)

const cohort_arithmetic_row LOOPS[COHORT_ARITHMETIC_TYPES] = {
    [COHORT_BOOL] = { NULL, NULL, min_bool, max_bool, NULL, NULL, NULL, NULL },
    [COHORT_I8] = { sum_8, prod_8, min_i8, max_i8, NULL, NULL, NULL, NULL },
    [COHORT_U8] = { sum_8, prod_8, min_u8, max_u8, NULL, NULL, NULL, NULL },
    [COHORT_I16] = { sum_16, prod_16, min_i16, max_i16, NULL, NULL, NULL, NULL },
    [COHORT_U16] = { sum_16, prod_16, min_u16, max_u16, NULL, NULL, NULL, NULL },
    [COHORT_I32] = { sum_32, prod_32, min_i32, max_i32, NULL, NULL, NULL, NULL },
    [COHORT_U32] = { sum_32, prod_32, min_u32, max_u32, NULL, NULL, NULL, NULL },
    [COHORT_I64] = { sum_64, prod_64, min_i64, max_i64, NULL, NULL, NULL, NULL },
    [COHORT_U64] = { sum_64, prod_64, min_u64, max_u64, NULL, NULL, NULL, NULL },
    [COHORT_F16] = { sum_f16, prod_f16, min_f16, max_f16, divide_f16, quotient_f16, NULL, NULL },
    [COHORT_BF16] = { sum_bf16, prod_bf16, min_bf16, max_bf16, divide_bf16, quotient_bf16, NULL,
                      NULL },
    [COHORT_F32] = { sum_f32, prod_f32, min_f32, max_f32, divide_f32, quotient_f32, sum4_f32,
                     sum8_f32 },
    [COHORT_F64] = { sum_f64, prod_f64, min_f64, max_f64, divide_f64, quotient_f64, sum4_f64,
                     sum8_f64 },
    [COHORT_C64] = { sum_c64, prod_c64, NULL, NULL, divide_c64, NULL, sum4_c64, sum8_c64 },
    [COHORT_C128] = { sum_c128, prod_c128, NULL, NULL, divide_c128, NULL, sum4_c128, sum8_c128 },
};
