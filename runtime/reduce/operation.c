/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/operation.h"

#include "runtime/base/error.h"
#include "runtime/operation/integers.h"

#include <string.h>

static const char *op_name(cohort_reduce_op op)
{
#define OP_NAME(name, value, text) [value] = text,
    static const char *const names[] = { COHORT_REDUCE_OPS(OP_NAME) };
    return op >= COHORT_SUM && op <= COHORT_PROD ? names[op] : NULL;
}

cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call)
{
    const char *name = op_name(op);
    if (name == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %d is no reduction; COHORT_SUM, MEAN, MIN, MAX or PROD", call,
                                (int)op);
    bool is_complex = dtype == COHORT_C64 || dtype == COHORT_C128,
         is_order = op == COHORT_MIN || op == COHORT_MAX;
    bool is_good =
        dtype != COHORT_RECORD && !(is_complex && is_order) && !(dtype == COHORT_BOOL && !is_order);
    return is_good ? COHORT_OK
                   : cohort_error_set(COHORT_EINVAL, "%s: no %s of %s", call, name,
                                      cohort_dtype_name(dtype));
}

cohort_dtype cohort_reduce_result(cohort_reduce_op op, cohort_dtype dtype)
{
    return op == COHORT_MEAN && cohort_integers_limbs(dtype) > 0 ? cohort_integers_mean(dtype)
                                                                 : dtype;
}

bool cohort_dtype_is_real(cohort_dtype dtype)
{
    return dtype >= COHORT_F16 && dtype <= COHORT_F64;
}

static uint64_t one_bits(cohort_dtype dtype)
{
    switch (dtype) {
    case COHORT_F16:
        return 0x3c00;
    case COHORT_BF16:
        return 0x3f80;
    case COHORT_F32:
    case COHORT_C64:
        return 0x3f800000;
    case COHORT_F64:
    case COHORT_C128:
        return UINT64_C(0x3ff0000000000000);
    default:
        return 1;
    }
}

/* The bits of a one, as a number of that size, which has the bytes of this machine in order. */
static void store_one(cohort_dtype dtype, void *item)
{
    uint64_t bits = one_bits(dtype);
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    int64_t bytes = cohort_dtype_bytes(dtype);
    if (dtype == COHORT_C64 || dtype == COHORT_C128)
        bytes /= 2;
    memcpy(item,
           bytes == 1   ? (void *)&u8
           : bytes == 2 ? (void *)&u16
           : bytes == 4 ? (void *)&u32
                        : (void *)&bits,
           (size_t)bytes);
}

void cohort_reduce_fill_neutral(cohort_reduce_op op, cohort_dtype dtype, void *items,
                                uint64_t count)
{
    uint64_t bytes = (uint64_t)cohort_dtype_bytes(dtype);
    memset(items, 0, count * bytes);
    for (uint64_t i = 0; op == COHORT_PROD && i < count; i++)
        store_one(dtype, (char *)items + i * bytes);
}
