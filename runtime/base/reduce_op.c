/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ways are read off the list in cohort/codes.h. */
#include "config.h"

#include "runtime/base/reduce_op.h"

#include "runtime/base/ascii.h"

#include <cohort/array.h>

#define OP_NAME(name, value, text) [value] = text,
static const char *const names[COHORT_REDUCE_OPS_END] = { COHORT_REDUCE_OPS(OP_NAME) };

const char *cohort_reduce_op_name(int64_t op)
{
    return op >= 0 && op < COHORT_REDUCE_OPS_END ? names[op] : NULL;
}

cohort_reduce_op cohort_reduce_op_parse(const char *text)
{
    for (int op = 0; text != NULL && op < COHORT_REDUCE_OPS_END; op++)
        if (names[op] != NULL && cohort_ascii_same(text, names[op]))
            return (cohort_reduce_op)op;
    return (cohort_reduce_op)0;
}
