/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/operation.h"

#include "runtime/base/dtype.h"
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
    bool is_order = op == COHORT_MIN || op == COHORT_MAX;
    bool is_good = dtype != COHORT_RECORD && !(cohort_dtype_is_complex(dtype) && is_order) &&
                   !(dtype == COHORT_BOOL && !is_order);
    return is_good ? COHORT_OK
                   : cohort_error_set(COHORT_EINVAL, "%s: no %s of %s", call, name,
                                      cohort_dtype_name(dtype));
}

cohort_dtype cohort_reduce_result(cohort_reduce_op op, cohort_dtype dtype)
{
    return op == COHORT_MEAN && cohort_integers_limbs(dtype) > 0 ? cohort_integers_mean(dtype)
                                                                 : dtype;
}

void cohort_reduce_fill_neutral(cohort_reduce_op op, cohort_dtype dtype, void *items,
                                uint64_t count)
{
    uint64_t bytes = (uint64_t)cohort_dtype_bytes(dtype);
    memset(items, 0, count * bytes);
    if (op != COHORT_PROD || count == 0)
        return;
    (void)cohort_dtype_convert(COHORT_U8, &(uint8_t){ 1 }, dtype, items);
    for (uint64_t i = 1; i < count; i++)
        memcpy((char *)items + i * bytes, items, bytes);
}
