/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/fold_halves.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/dtype.h"
#include "runtime/operation/fallback.h"

#include <string.h>

cohort_dtype cohort_halves_sum(cohort_dtype dtype)
{
    return cohort_dtype_is_narrow(dtype) ? COHORT_F32 : dtype;
}

typedef struct conversion {
    cohort_dtype dtype;
    uint64_t count;
} conversion;

static cohort_status widen(const void *what, const void *const sources[], void *const results[])
{
    const conversion *c = what;
    cohort_arithmetic_find_widen((uint32_t)c->dtype)(results[0], sources[0], (size_t)c->count);
    return COHORT_OK;
}

static cohort_status narrow(const void *what, const void *const sources[], void *const results[])
{
    const conversion *c = what;
    cohort_arithmetic_find_narrow((uint32_t)c->dtype)(results[0], sources[0], (size_t)c->count);
    return COHORT_OK;
}

/* In blocks that stay in the first-level cache, since sums are another's to read. */
void cohort_halves_divide(cohort_dtype dtype, const void *sums, uint64_t count, const void *divisor,
                          void *into)
{
    enum { BLOCK = 1024 };
    float block[BLOCK];
    const float *from = sums;
    const size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    char *to = into;
    for (uint64_t done = 0; done < count; done += BLOCK) {
        const size_t n = (size_t)(count - done < BLOCK ? count - done : BLOCK);
        memcpy(block, from + done, n * sizeof *block);
        cohort_arithmetic_find_quotient(COHORT_F32)(block, divisor, n);
        cohort_arithmetic_find_narrow((uint32_t)dtype)(to + done * bytes, block, n);
    }
}

static cohort_status divide(const void *what, const void *const sources[], void *const results[])
{
    const conversion *c = what;
    cohort_halves_divide(c->dtype, sources[0], c->count, sources[1], results[0]);
    return COHORT_OK;
}

/* divisor: NULL where there is none. */
static void post(cohort_fallback_fn fn, const conversion *c, cohort_buffer *src, uint64_t src_item,
                 cohort_buffer *divisor, cohort_buffer *dst, uint64_t dst_item)
{
    (void)cohort_fallback_post(
        &(cohort_fallback){ .fn = fn,
                            .work = c,
                            .work_bytes = sizeof *c,
                            .sources = { { src, c->count * src_item }, { divisor, sizeof(float) } },
                            .n_sources = divisor != NULL ? 2 : 1,
                            .results = { { dst, c->count * dst_item } },
                            .n_results = 1 });
}

void cohort_halves_post_widen(cohort_dtype dtype, cohort_buffer *src, uint64_t count,
                              cohort_buffer *dst)
{
    const conversion c = { dtype, count };
    post(widen, &c, src, (uint64_t)cohort_dtype_bytes(dtype), NULL, dst, sizeof(float));
}

void cohort_halves_post_narrow(cohort_dtype dtype, cohort_buffer *src, uint64_t count,
                               cohort_buffer *dst)
{
    const conversion c = { dtype, count };
    post(narrow, &c, src, sizeof(float), NULL, dst, (uint64_t)cohort_dtype_bytes(dtype));
}

void cohort_halves_post_quotient(cohort_dtype dtype, cohort_buffer *src, uint64_t count,
                                 cohort_buffer *divisor, cohort_buffer *dst)
{
    const conversion c = { dtype, count };
    post(divide, &c, src, sizeof(float), divisor, dst, (uint64_t)cohort_dtype_bytes(dtype));
}
