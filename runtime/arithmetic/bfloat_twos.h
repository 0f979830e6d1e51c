/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of bfloat16, two neighbours at a time. A word of two becomes two float32 by a shift and
 * by a mask, and two results become a word in the same way: half of the instructions that it takes
 * to widen and narrow each by itself. Whichever of the two is the lower half, both are done alike.
 * Included by arithmetic_loops.h.
 *
 * The element left at the end of an odd count is the lower half of a word. */
typedef uint32_t two __attribute__((may_alias, aligned(2)));

TARGET static inline float two_lower(uint32_t word)
{
    return cohort_half_float(word << 16);
}

TARGET static inline float two_upper(uint32_t word)
{
    return cohort_half_float(word & 0xffff0000u);
}

/* To the nearest, ties to even; the rounded half is the upper one. The canonical NaN is the same
 * afterwards. */
TARGET static inline uint32_t two_round(float value)
{
    const uint32_t bits = cohort_half_bits(cohort_nan_canonical_f32(value));
    return bits + 0x7fffu + (bits >> 16 & 1u);
}

TARGET static inline uint32_t two_of(float lower, float upper)
{
    return two_round(lower) >> 16 | (two_round(upper) & 0xffff0000u);
}

#define TWO_OPERATION(name, op)                                                                    \
    TARGET static inline uint32_t name(uint32_t x, uint32_t y)                                     \
    {                                                                                              \
        return two_of(two_lower(x) op two_lower(y), two_upper(x) op two_upper(y));                 \
    }                                                                                              \
    TARGET static inline uint32_t name##_all(uint32_t x, float y)                                  \
    {                                                                                              \
        return two_of(two_lower(x) op y, two_upper(x) op y);                                       \
    }
TWO_OPERATION(two_sum, +)
TWO_OPERATION(two_difference, -)
TWO_OPERATION(two_product, *)
TWO_OPERATION(two_ratio, /)

/* d becomes expression(AT) for n elements, where AT(p) is what stands at d's place in array p. */
#define AT_WORD(p) (((const two *)(const void *)(p))[i])
#define AT_LAST(p) ((uint32_t)((const uint16_t *)(p))[n - 1])
#define EACH_TWO(expression)                                                                       \
    do {                                                                                           \
        _Pragma("omp simd") for (size_t i = 0; i < n / 2; i++)((two *)(void *)d)[i] =              \
            expression(AT_WORD);                                                                   \
        if (n % 2 == 1)                                                                            \
            d[n - 1] = (uint16_t)expression(AT_LAST);                                              \
    } while (0)

#define BFLOAT_COMBINE(name, op)                                                                   \
    COLUMNS(name##_bf16, uint16_t,                                                                 \
            narrow_bf16(cohort_half_from_bf16(x) op cohort_half_from_bf16(y)),                     \
            cohort_nan_canonical_bf16)                                                             \
    TARGET static void name##_bf16(void *into, const void *left, const void *right, size_t rows,   \
                                   ptrdiff_t stride, size_t n)                                     \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        const uint16_t *a = left, *b = right;                                                      \
        for (; rows >= 4; rows -= 4, a = d, b += 4 * stride) {                                     \
            const uint16_t *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;                 \
            EACH_TWO(name##_FOUR_TWOS);                                                            \
        }                                                                                          \
        for (; rows > 0; rows--, a = d, b += stride)                                               \
            EACH_TWO(name##_TWOS);                                                                 \
    }
#define sum_TWOS(AT) two_sum(AT(a), AT(b))
#define sum_FOUR_TWOS(AT) two_sum(two_sum(two_sum(sum_TWOS(AT), AT(b1)), AT(b2)), AT(b3))
#define prod_TWOS(AT) two_product(AT(a), AT(b))
#define prod_FOUR_TWOS(AT)                                                                         \
    two_product(two_product(two_product(prod_TWOS(AT), AT(b1)), AT(b2)), AT(b3))
BFLOAT_COMBINE(sum, +)
BFLOAT_COMBINE(prod, *)

#define BFLOAT_ELEMENTS(name, two_op)                                                              \
    TARGET static bool name##_bf16(void *into, const void *a, const void *b, size_t n)             \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        EACH_TWO(two_op);                                                                          \
        return true;                                                                               \
    }
#define SUBTRACT_TWOS(AT) two_difference(AT(a), AT(b))
#define RATIO_TWOS(AT) two_ratio(AT(a), AT(b))
BFLOAT_ELEMENTS(subtract, SUBTRACT_TWOS)
BFLOAT_ELEMENTS(ratio, RATIO_TWOS)

/* ---- One number for all elements. */

#define DIVIDE_TWOS(AT) two_ratio_all(AT(a), by)
#define MULTIPLY_TWOS(AT) two_product_all(AT(a), by)
TARGET static void divide_bf16_by(uint16_t *d, const void *a, float by, size_t n)
{
    EACH_TWO(DIVIDE_TWOS);
}

TARGET static void multiply_bf16_by(uint16_t *d, const void *a, float by, size_t n)
{
    EACH_TWO(MULTIPLY_TWOS);
}

TARGET static void divide_bf16(void *values, uint64_t divisor, size_t n)
{
    if (IS_POWER_OF_TWO(divisor))
        multiply_bf16_by(values, values, 1 / (float)divisor, n);
    else
        divide_bf16_by(values, values, (float)divisor, n);
}

TARGET static void weigh_bf16(void *into, const void *a, const void *weight, size_t n)
{
    multiply_bf16_by(into, a, cohort_half_from_bf16(*(const uint16_t *)weight), n);
}

/* ---- Terms: in one pass, weighed or not. */

#define TERM(AT, t) AT(terms[t])
#define TWO_TERMS(AT) two_sum(TERM(AT, 0), TERM(AT, 1))
#define FOUR_TERMS(AT) two_sum(TWO_TERMS(AT), two_sum(TERM(AT, 2), TERM(AT, 3)))
#define EIGHT_TERMS(AT)                                                                            \
    two_sum(FOUR_TERMS(AT),                                                                        \
            two_sum(two_sum(TERM(AT, 4), TERM(AT, 5)), two_sum(TERM(AT, 6), TERM(AT, 7))))
#define BFLOAT_FUSED(count, expression)                                                            \
    TARGET static void sum##count##_bf16(void *into, const void *const *from, size_t n)            \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        const void *terms[count];                                                                  \
        for (int t = 0; t < (count); t++)                                                          \
            terms[t] = from[t];                                                                    \
        EACH_TWO(expression);                                                                      \
    }
BFLOAT_FUSED(4, FOUR_TERMS)
BFLOAT_FUSED(8, EIGHT_TERMS)
#undef TERM

#define TERM(AT, t) two_product_all(AT(terms[t]), w[t])
#define BFLOAT_WEIGHED(count, expression)                                                          \
    TARGET static void sum##count##_weighed_bf16(void *into, const void *const *from,              \
                                                 const void *const *weights, size_t n)             \
    {                                                                                              \
        uint16_t *d = into;                                                                        \
        const void *terms[count];                                                                  \
        float w[count];                                                                            \
        for (int t = 0; t < (count); t++) {                                                        \
            terms[t] = from[t];                                                                    \
            w[t] = cohort_half_from_bf16(*(const uint16_t *)weights[t]);                           \
        }                                                                                          \
        EACH_TWO(expression);                                                                      \
    }
BFLOAT_WEIGHED(2, TWO_TERMS)
BFLOAT_WEIGHED(4, FOUR_TERMS)
BFLOAT_WEIGHED(8, EIGHT_TERMS)
#undef TERM
