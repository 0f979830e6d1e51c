/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences and quotients of whole arrays. Loops of their own beside those of reductions,
 * because a quotient of integers must be able to stop, at the first divisor of zero. */
#include "config.h"

#include "runtime/arithmetic/write_arithmetic.h"

#include "runtime/arithmetic/nan.h"
#include "runtime/base/half.h"

/* T is the type in which elements are stored, for 16-bit floats their bits. x and y are read
 * before d is written, so d may be a or b. */
#define LOOP(name, T, check, expression)                                                           \
    static bool name(void *into, const void *left, const void *right, size_t n)                    \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = left, *b = right;                                                             \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = a[i], y = b[i];                                                            \
            if (check)                                                                             \
                return false;                                                                      \
            d[i] = (T)(expression);                                                                \
        }                                                                                          \
        return true;                                                                               \
    }

/* Differences of signed and unsigned integers have the same bits. */
#define DIFFERENCE(bits, T, wide) LOOP(sub_##bits, T, false, (wide)x - (wide)y)
DIFFERENCE(8, uint8_t, uint32_t)
DIFFERENCE(16, uint16_t, uint32_t)
DIFFERENCE(32, uint32_t, uint32_t)
DIFFERENCE(64, uint64_t, uint64_t)

/* The smallest number by -1 overflows, which is undefined in C and a trap on x86. Like sums, it
 * wraps here: to itself, as the negative made of unsigned bits. */
#define SIGNED_QUOTIENT(name, T, U)                                                                \
    LOOP(div_##name, T, y == 0, y == -1 ? (T)(0 - (U)x) : (T)(x / y))
SIGNED_QUOTIENT(i8, int8_t, uint32_t)
SIGNED_QUOTIENT(i16, int16_t, uint32_t)
SIGNED_QUOTIENT(i32, int32_t, uint32_t)
SIGNED_QUOTIENT(i64, int64_t, uint64_t)
#define QUOTIENT(name, T) LOOP(div_##name, T, y == 0, x / y)
QUOTIENT(u8, uint8_t)
QUOTIENT(u16, uint16_t)
QUOTIENT(u32, uint32_t)
QUOTIENT(u64, uint64_t)

/* 16-bit floats are computed in float32, and the result is rounded again: the rule of
 * reduction.h for quotients. */
#define FLOATING(name, T, from, to)                                                                \
    LOOP(sub_##name, T, false, cohort_nan_canonical_##name(to(from(x) - from(y))))                 \
    LOOP(div_##name, T, false, cohort_nan_canonical_##name(to(from(x) / from(y))))
FLOATING(f16, uint16_t, cohort_half_from_f16, cohort_half_to_f16)
FLOATING(bf16, uint16_t, cohort_half_from_bf16, cohort_half_to_bf16)
FLOATING(f32, float, , )
FLOATING(f64, double, , )

/* A difference of complex numbers is that of their parts, which lie side by side; quotients of
 * complex numbers are not among the operations. */
static bool sub_c64(void *into, const void *a, const void *b, size_t n)
{
    return sub_f32(into, a, b, 2 * n);
}

static bool sub_c128(void *into, const void *a, const void *b, size_t n)
{
    return sub_f64(into, a, b, 2 * n);
}

typedef struct write_row {
    cohort_write_arithmetic_fn sub, div;
} write_row;

static const write_row table[] = {
    [COHORT_I8] = { sub_8, div_i8 },     [COHORT_U8] = { sub_8, div_u8 },
    [COHORT_I16] = { sub_16, div_i16 },  [COHORT_U16] = { sub_16, div_u16 },
    [COHORT_I32] = { sub_32, div_i32 },  [COHORT_U32] = { sub_32, div_u32 },
    [COHORT_I64] = { sub_64, div_i64 },  [COHORT_U64] = { sub_64, div_u64 },
    [COHORT_F16] = { sub_f16, div_f16 }, [COHORT_BF16] = { sub_bf16, div_bf16 },
    [COHORT_F32] = { sub_f32, div_f32 }, [COHORT_F64] = { sub_f64, div_f64 },
    [COHORT_C64] = { sub_c64, NULL },    [COHORT_C128] = { sub_c128, NULL },
};

cohort_write_arithmetic_fn cohort_write_arithmetic_find(cohort_write_arithmetic op, uint32_t type)
{
    static const write_row none;
    const write_row *row = type < sizeof table / sizeof *table ? &table[type] : &none;
    return op == COHORT_WRITE_SUB ? row->sub : row->div;
}
