/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, differences and shares of whole buffers by the core's own loops, through fallbacks.
 *
 * A share is what one of n copies holds of a value that is the sum of its copies. Of integers the n
 * quotients need not add up to the value, so one copy takes the remainder as well
 * (COHORT_ELEMENTWISE_REST). */
#include "config.h"

#include "runtime/operation/elementwise.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/write_arithmetic.h"
#include "runtime/operation/fallback.h"

#include <cohort/array.h>

#include <string.h>

/* ------------------------------------------------------------------ shares of integers */

typedef void (*share_fn)(void *values, uint32_t divisor, bool has_rest, size_t n);

/* In 64 bits: the divisor has 32 without a sign, and a quotient towards zero of a negative number
 * needs a type with one. */
#define SHARE(name, T, wide)                                                                       \
    static void share_##name(void *values, uint32_t divisor, bool has_rest, size_t n)              \
    {                                                                                              \
        T *d = values;                                                                             \
        for (size_t i = 0; i < n; i++)                                                             \
            d[i] = (T)((wide)d[i] / (wide)divisor + (has_rest ? (wide)d[i] % (wide)divisor : 0));  \
    }
SHARE(i8, int8_t, int64_t)
SHARE(u8, uint8_t, uint64_t)
SHARE(i16, int16_t, int64_t)
SHARE(u16, uint16_t, uint64_t)
SHARE(i32, int32_t, int64_t)
SHARE(u32, uint32_t, uint64_t)
SHARE(i64, int64_t, int64_t)
SHARE(u64, uint64_t, uint64_t)

static const share_fn shares[] = {
    [COHORT_I8] = share_i8,   [COHORT_U8] = share_u8,   [COHORT_I16] = share_i16,
    [COHORT_U16] = share_u16, [COHORT_I32] = share_i32, [COHORT_U32] = share_u32,
    [COHORT_I64] = share_i64, [COHORT_U64] = share_u64,
};

bool cohort_elementwise_has(cohort_dtype dtype)
{
    return cohort_write_arithmetic_find(COHORT_WRITE_SUB, dtype) != NULL;
}

/* ------------------------------------------------------------------ the operation */

typedef struct elementwise {
    cohort_elementwise_op op;
    cohort_dtype dtype;
    uint64_t count;
    uint32_t divisor, zero; /* zero: in place of padding (fallback.h) */
} elementwise;

static void divide(const elementwise *e, void *values)
{
    cohort_arithmetic_divide_fn of_floats = cohort_arithmetic_find_divide(e->dtype);
    if (of_floats != NULL)
        of_floats(values, e->divisor, (size_t)e->count);
    else
        shares[e->dtype](values, e->divisor, e->op == COHORT_ELEMENTWISE_REST, (size_t)e->count);
}

/* sources: a and b of a sum or difference, b of a share. */
static cohort_status combine(const void *what, const void *const sources[], void *const results[])
{
    const elementwise *e = what;
    size_t n = (size_t)e->count;
    switch (e->op) {
    case COHORT_ELEMENTWISE_ADD:
        cohort_arithmetic_find(COHORT_SUM, e->dtype)(results[0], sources[0], sources[1], 1, 0, n);
        break;
    case COHORT_ELEMENTWISE_SUBTRACT:
        (void)cohort_write_arithmetic_find(COHORT_WRITE_SUB, e->dtype)(results[0], sources[0],
                                                                       sources[1], n);
        break;
    default:
        memcpy(results[0], sources[0], n * (size_t)cohort_dtype_bytes(e->dtype));
        divide(e, results[0]);
    }
    return COHORT_OK;
}

void cohort_elementwise_post(cohort_elementwise_op op, cohort_dtype dtype, cohort_buffer *a,
                             cohort_buffer *b, cohort_buffer *into, uint64_t count,
                             uint32_t divisor)
{
    uint64_t bytes = count * (uint64_t)cohort_dtype_bytes(dtype);
    elementwise e = { .op = op, .dtype = dtype, .count = count, .divisor = divisor };
    bool is_share = a == NULL;
    if (count > 0)
        (void)cohort_fallback_post(
            &(cohort_fallback){ .fn = combine,
                                .work = &e,
                                .work_bytes = sizeof e,
                                .sources = { { is_share ? b : a, bytes }, { b, bytes } },
                                .n_sources = is_share ? 1 : 2,
                                .results = { { into, bytes } },
                                .n_results = 1 });
}
