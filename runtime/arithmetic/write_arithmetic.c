/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences and quotients of whole arrays. Quotients of integers have loops of their own, since
 * they must be able to stop, at the first divisor of zero; the others are those of this machine
 * (arithmetic.h), which cannot. */
#include "config.h"

#include "runtime/arithmetic/write_arithmetic.h"

#include "runtime/arithmetic/arithmetic.h"

/* x and y are read before d is written, so d may be a or b. */
#define LOOP(name, T, expression)                                                                  \
    static bool name(void *into, const void *left, const void *right, size_t n)                    \
    {                                                                                              \
        T *d = into;                                                                               \
        const T *a = left, *b = right;                                                             \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = a[i], y = b[i];                                                            \
            if (y == 0)                                                                            \
                return false;                                                                      \
            d[i] = (T)(expression);                                                                \
        }                                                                                          \
        return true;                                                                               \
    }

/* The smallest number by -1 overflows, which is undefined in C and a trap on x86. Like sums, it
 * wraps here: to itself, as the negative made of unsigned bits. */
#define SIGNED_QUOTIENT(name, T, U) LOOP(div_##name, T, y == -1 ? (T)(0 - (U)x) : (T)(x / y))
SIGNED_QUOTIENT(i8, int8_t, uint32_t)
SIGNED_QUOTIENT(i16, int16_t, uint32_t)
SIGNED_QUOTIENT(i32, int32_t, uint32_t)
SIGNED_QUOTIENT(i64, int64_t, uint64_t)
#define QUOTIENT(name, T) LOOP(div_##name, T, x / y)
QUOTIENT(u8, uint8_t)
QUOTIENT(u16, uint16_t)
QUOTIENT(u32, uint32_t)
QUOTIENT(u64, uint64_t)

static const cohort_write_arithmetic_fn quotients[] = {
    [COHORT_I8] = div_i8,   [COHORT_U8] = div_u8,   [COHORT_I16] = div_i16, [COHORT_U16] = div_u16,
    [COHORT_I32] = div_i32, [COHORT_U32] = div_u32, [COHORT_I64] = div_i64, [COHORT_U64] = div_u64,
};

cohort_write_arithmetic_fn cohort_write_arithmetic_find(cohort_write_arithmetic op, uint32_t type)
{
    if (op == COHORT_WRITE_SUB)
        return cohort_arithmetic_find_subtract(type);
    return type < sizeof quotients / sizeof *quotients && quotients[type] != NULL
               ? quotients[type]
               : cohort_arithmetic_find_ratio(type);
}
