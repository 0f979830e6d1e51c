/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact sums of integers and their means.
 *
 * Inputs of up to 32 bits: a sum of fewer than 2^32 of them fits 64 bits. Inputs of 64 bits are
 * summed in 128 bits, which are cut into limbs of 40, 40 and 48 bits, each kept in 64: limbs of
 * many such sums can be added without looking at carries (integers.h), and `join` puts the carries
 * right. A mean is rounded once for the sum, once for the quotient, and once more to float32; the
 * order of the terms changes no bit. */
#include "config.h"

#include "runtime/operation/integers.h"

#include "runtime/base/dtype.h"
#include "runtime/operation/fallback.h"

#include <cohort/array.h>

#include <string.h>

static bool is_wide(cohort_dtype dtype)
{
    return dtype == COHORT_I64 || dtype == COHORT_U64;
}

uint64_t cohort_integers_limbs(cohort_dtype dtype)
{
    return !cohort_dtype_is_integer(dtype) ? 0 : is_wide(dtype) ? 3 : 1;
}

cohort_dtype cohort_integers_mean(cohort_dtype dtype)
{
    return cohort_dtype_bytes(dtype) <= 2 ? COHORT_F32 : COHORT_F64;
}

/* ------------------------------------------------------------------ sums */

typedef struct sums {
    cohort_dtype dtype;
    uint32_t zero; /* in place of padding (fallback.h), as below */
    cohort_fold_shape shape;
} sums;

#define NARROW_SUM(name, T)                                                                        \
    static void sum_##name(const cohort_fold_shape *n, const void *from, uint64_t *into)           \
    {                                                                                              \
        const T *x = from;                                                                         \
        memset(into, 0, (size_t)(n->outer * n->inner) * sizeof *into);                             \
        for (int64_t o = 0; o < n->outer; o++, into += n->inner)                                   \
            for (int64_t row = 0; row < n->rows; row++, x += n->inner)                             \
                for (int64_t i = 0; i < n->inner; i++)                                             \
                    into[i] += (uint64_t)x[i];                                                     \
    }
NARROW_SUM(i8, int8_t)
NARROW_SUM(u8, uint8_t)
NARROW_SUM(i16, int16_t)
NARROW_SUM(u16, uint16_t)
NARROW_SUM(i32, int32_t)
NARROW_SUM(u32, uint32_t)

typedef struct wide { /* 128 bits, two's complement */
    uint64_t low, high;
} wide;

/* A sum that is smaller than what was added has wrapped: that is the carry. */
static wide add(wide a, wide b)
{
    uint64_t low = a.low + b.low;
    return (wide){ low, a.high + b.high + (low < b.low) };
}

static wide widen(uint64_t x, bool is_negative)
{
    return (wide){ x, is_negative ? UINT64_MAX : 0 };
}

static const uint64_t limb_mask = (UINT64_C(1) << 40) - 1;

/* The highest limb has the sign, so it is shifted as a signed number. */
static void split(wide sum, uint64_t *into, int64_t count)
{
    into[0] = sum.low & limb_mask;
    into[count] = (sum.low >> 40 | sum.high << 24) & limb_mask;
    into[2 * count] = (uint64_t)((int64_t)sum.high >> 16);
}

/* The limbs are added at their places in 128 bits, where carries of the lower ones find their
 * way. */
static wide join(const uint64_t *from, uint64_t count)
{
    wide low = { from[0], 0 }, middle = { from[count] << 40, from[count] >> 24 },
         high = { 0, from[2 * count] << 16 };
    return add(add(low, middle), high);
}

static void sum_wide(const sums *s, const uint64_t *x, uint64_t *into)
{
    /* so many columns at a time have their totals on the stack, while rows are read in their
     * order */
    enum { COLUMNS = 128 };
    const cohort_fold_shape *n = &s->shape;
    bool has_sign = cohort_dtype_is_signed(s->dtype);
    wide totals[COLUMNS];
    for (int64_t o = 0; o < n->outer; o++, x += n->rows * n->inner)
        for (int64_t first = 0; first < n->inner; first += COLUMNS) {
            int64_t columns = n->inner - first < COLUMNS ? n->inner - first : COLUMNS;
            memset(totals, 0, sizeof totals);
            for (int64_t row = 0; row < n->rows; row++)
                for (int64_t i = 0; i < columns; i++) {
                    uint64_t item = x[row * n->inner + first + i];
                    totals[i] = add(totals[i], widen(item, has_sign && item >> 63 != 0));
                }
            for (int64_t i = 0; i < columns; i++)
                split(totals[i], into + o * n->inner + first + i, n->outer * n->inner);
        }
}

static cohort_status sum_here(const void *what, const void *const sources[], void *const results[])
{
    static void (*const narrow[])(const cohort_fold_shape *, const void *, uint64_t *) = {
        [COHORT_I8] = sum_i8,   [COHORT_U8] = sum_u8,   [COHORT_I16] = sum_i16,
        [COHORT_U16] = sum_u16, [COHORT_I32] = sum_i32, [COHORT_U32] = sum_u32,
    };
    const sums *s = what;
    if (is_wide(s->dtype))
        sum_wide(s, sources[0], results[0]);
    else
        narrow[s->dtype](&s->shape, sources[0], results[0]);
    return COHORT_OK;
}

void cohort_integers_post_sum(cohort_dtype dtype, cohort_buffer *src, cohort_fold_shape shape,
                              cohort_buffer *dst)
{
    sums s = { .dtype = dtype, .shape = shape };
    uint64_t count = (uint64_t)(shape.outer * shape.inner);
    uint64_t from = count * (uint64_t)(shape.rows * cohort_dtype_bytes(dtype));
    (void)cohort_fallback_post(&(cohort_fallback){
        .fn = sum_here,
        .work = &s,
        .work_bytes = sizeof s,
        .sources = { { src, from } },
        .n_sources = 1,
        .results = { { dst, count * cohort_integers_limbs(dtype) * sizeof(uint64_t) } },
        .n_results = 1 });
}

/* ------------------------------------------------------------------ the division */

typedef struct quotient {
    cohort_dtype dtype;
    uint32_t zero;
    uint64_t count, divisor;
} quotient;

/* To the nearest double, rounded once: the highest 64 bits are converted, with their last bit set
 * when anything below them is not zero. A double has 53 bits, so that bit only decides what is not
 * a tie; the scaling by a power of two is exact. */
static double round_magnitude(wide x)
{
    if (x.high == 0)
        return (double)x.low;
    int shift = 64 - __builtin_clzll(x.high);
    uint64_t top = shift == 64 ? x.high : x.high << (64 - shift) | x.low >> shift;
    bool has_rest = (shift == 64 ? x.low : x.low << (64 - shift)) != 0;
    return (double)(top | has_rest) * 2 * (double)(UINT64_C(1) << (shift - 1));
}

static double round_wide(wide x)
{
    if (x.high >> 63 == 0)
        return round_magnitude(x);
    return -round_magnitude(add((wide){ ~x.low, ~x.high }, (wide){ 1, 0 }));
}

static double sum_at(const quotient *q, const uint64_t *limbs, uint64_t i)
{
    if (is_wide(q->dtype))
        return round_wide(join(limbs + i, q->count));
    return cohort_dtype_is_signed(q->dtype) ? (double)(int64_t)limbs[i] : (double)limbs[i];
}

static cohort_status divide_here(const void *what, const void *const sources[],
                                 void *const results[])
{
    const quotient *q = what;
    double *doubles = results[0], by = (double)q->divisor;
    float *floats = results[0];
    bool is_float = cohort_integers_mean(q->dtype) == COHORT_F32;
    for (uint64_t i = 0; i < q->count; i++) {
        double mean = sum_at(q, sources[0], i) / by;
        if (is_float)
            floats[i] = (float)mean;
        else
            doubles[i] = mean;
    }
    return COHORT_OK;
}

void cohort_integers_post_quotient(cohort_dtype dtype, cohort_buffer *limbs, uint64_t count,
                                   uint64_t divisor, cohort_buffer *dst)
{
    quotient q = { .dtype = dtype, .count = count, .divisor = divisor };
    uint64_t from = count * cohort_integers_limbs(dtype) * sizeof(uint64_t);
    uint64_t bytes = count * (uint64_t)cohort_dtype_bytes(cohort_integers_mean(dtype));
    (void)cohort_fallback_post(&(cohort_fallback){ .fn = divide_here,
                                                   .work = &q,
                                                   .work_bytes = sizeof q,
                                                   .sources = { { limbs, from } },
                                                   .n_sources = 1,
                                                   .results = { { dst, bytes } },
                                                   .n_results = 1 });
}
