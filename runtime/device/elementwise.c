/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/elementwise.h"

#include "runtime/base/memory.h"
#include "runtime/device/half.h"

#include <cohort/array.h>

/* ------------------------------------------------------------------ loops */

typedef void (*loop_fn)(void *into, const void *a, const void *b, size_t n, uint32_t divisor);

#define LOOP(name, T, expression)                                                                                      \
    static void name(void *into, const void *left, const void *right, size_t n, uint32_t divisor)                      \
    {                                                                                                                  \
        T *d = into;                                                                                                   \
        const T *a = left != NULL ? left : right, *b = right;                                                          \
        (void)divisor;                                                                                                 \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const T x = a[i], y = b[i];                                                                                \
            (void)x;                                                                                                   \
            d[i] = (T)(expression);                                                                                    \
        }                                                                                                              \
    }

/* Unsigned arithmetic wraps, and signed sums and differences have the same bits. */
#define WRAPPING(name, T, wide) LOOP(add_##name, T, (wide)x + (wide)y) LOOP(subtract_##name, T, (wide)x - (wide)y)
WRAPPING(8, uint8_t, uint32_t)
WRAPPING(16, uint16_t, uint32_t)
WRAPPING(32, uint32_t, uint32_t)
WRAPPING(64, uint64_t, uint64_t)

#define SHARED(name, T, wide)                                                                                          \
    LOOP(share_##name, T, (wide)y / (wide)divisor)                                                                     \
    LOOP(rest_##name, T, (wide)y / (wide)divisor + (wide)y % (wide)divisor)
SHARED(i8, int8_t, int64_t)
SHARED(u8, uint8_t, uint64_t)
SHARED(i16, int16_t, int64_t)
SHARED(u16, uint16_t, uint64_t)
SHARED(i32, int32_t, int64_t)
SHARED(u32, uint32_t, uint64_t)
SHARED(i64, int64_t, int64_t)
SHARED(u64, uint64_t, uint64_t)

#define FLOATING(name, T, real, from, to)                                                                              \
    LOOP(add_##name, T, to(from(x) + from(y)))                                                                         \
    LOOP(subtract_##name, T, to(from(x) - from(y)))                                                                    \
    LOOP(share_##name, T, to(from(y) / (real)divisor))
FLOATING(f16, uint16_t, float, cohort_half_from_f16, cohort_half_to_f16)
FLOATING(bf16, uint16_t, float, cohort_half_from_bf16, cohort_half_to_bf16)
FLOATING(f32, float, float, , )
FLOATING(f64, double, double, , )

typedef struct row {
    loop_fn loops[4]; /* by cohort_elementwise_op */
    uint32_t parts;   /* of an element: complex numbers have two, which do not mix here */
} row;

static const row table[] = {
    [COHORT_I8] = { { add_8, subtract_8, share_i8, rest_i8 }, 1 },
    [COHORT_U8] = { { add_8, subtract_8, share_u8, rest_u8 }, 1 },
    [COHORT_I16] = { { add_16, subtract_16, share_i16, rest_i16 }, 1 },
    [COHORT_U16] = { { add_16, subtract_16, share_u16, rest_u16 }, 1 },
    [COHORT_I32] = { { add_32, subtract_32, share_i32, rest_i32 }, 1 },
    [COHORT_U32] = { { add_32, subtract_32, share_u32, rest_u32 }, 1 },
    [COHORT_I64] = { { add_64, subtract_64, share_i64, rest_i64 }, 1 },
    [COHORT_U64] = { { add_64, subtract_64, share_u64, rest_u64 }, 1 },
    [COHORT_F16] = { { add_f16, subtract_f16, share_f16, share_f16 }, 1 },
    [COHORT_BF16] = { { add_bf16, subtract_bf16, share_bf16, share_bf16 }, 1 },
    [COHORT_F32] = { { add_f32, subtract_f32, share_f32, share_f32 }, 1 },
    [COHORT_F64] = { { add_f64, subtract_f64, share_f64, share_f64 }, 1 },
    [COHORT_C64] = { { add_f32, subtract_f32, share_f32, share_f32 }, 2 },
    [COHORT_C128] = { { add_f64, subtract_f64, share_f64, share_f64 }, 2 },
};

bool cohort_elementwise_has(cohort_dtype dtype)
{
    return (size_t)dtype < sizeof table / sizeof *table && table[dtype].parts > 0;
}

/* ------------------------------------------------------------------ the operation */

typedef struct elementwise_op {
    cohort_op op;
    cohort_elementwise_op which;
    cohort_dtype dtype;
    cohort_buffer *a, *b, *into; /* a may be NULL */
    uint64_t count;
    uint32_t divisor;
} elementwise_op;

static void run_loop(const elementwise_op *e, const void *a, const void *b, void *into)
{
    const row *r = &table[e->dtype];
    r->loops[e->which](into, a, b, (size_t)(e->count * r->parts), e->divisor);
}

static bool is_visible(const elementwise_op *e)
{
    return (e->a == NULL || e->a->host != NULL) && e->b->host != NULL && e->into->host != NULL;
}

static cohort_status do_staged(const elementwise_op *e)
{
    uint64_t bytes = e->count * (uint64_t)cohort_dtype_bytes(e->dtype), stride = (bytes + 63) / 64 * 64;
    char *staging = cohort_allocate_aligned(3 * stride, 64);
    if (staging == NULL)
        return cohort_error_memory("an assignment");
    cohort_opened *where = e->into->opened;
    cohort_status status = cohort_opened_read(where, e->b->mem, 0, staging, bytes, NULL);
    if (status >= 0 && e->a != NULL)
        status = cohort_opened_read(where, e->a->mem, 0, staging + stride, bytes, NULL);
    if (status >= 0) {
        run_loop(e, e->a != NULL ? staging + stride : NULL, staging, staging + 2 * stride);
        status = cohort_opened_write(where, e->into->mem, 0, staging + 2 * stride, bytes, NULL);
    }
    if (!cohort_lane_is_lost(where->lane)) /* else a late device may still touch it */
        cohort_free(staging);
    return status;
}

static cohort_status do_elementwise(cohort_lane *lane, cohort_op *op)
{
    const elementwise_op *e = (const elementwise_op *)op;
    (void)lane;
    if (!is_visible(e))
        return do_staged(e);
    run_loop(e, e->a != NULL ? e->a->host : NULL, e->b->host, e->into->host);
    return COHORT_OK;
}

void cohort_elementwise_post(cohort_elementwise_op op, cohort_dtype dtype, cohort_buffer *a, cohort_buffer *b,
                             cohort_buffer *into, uint64_t count, uint32_t divisor)
{
    cohort_crew *crew = into->crew;
    if (count == 0)
        return;
    cohort_crew_need_nothing(crew);
    if (a != NULL)
        cohort_buffer_need_read(a);
    cohort_buffer_need_read(b);
    cohort_buffer_need_write(into);
    elementwise_op *e = cohort_crew_begin(crew, into->opened, sizeof *e, do_elementwise);
    if (e == NULL)
        return;
    cohort_op head = e->op;
    *e = (elementwise_op){
        .op = head, .which = op, .dtype = dtype, .a = a, .b = b, .into = into, .count = count, .divisor = divisor
    };
    e->op.flags = cohort_opened_has(into->opened, COHORT_CAP_HOST_VISIBLE) ? COHORT_OP_QUICK : 0;
    cohort_tick tick = cohort_crew_post(crew, into->opened, &e->op);
    if (a != NULL)
        cohort_buffer_note_read(a, tick);
    cohort_buffer_note_read(b, tick);
    cohort_buffer_note_write(into, tick, true);
}
