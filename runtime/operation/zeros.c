/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeros: in place where the device shows its memory, else one small block of them again and
 * again. */
#include "config.h"

#include "runtime/operation/zeros.h"

#include "runtime/operation/use.h"

#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

typedef struct zeros_op {
    cohort_op op;
    cohort_buffer *into;
    uint64_t bytes;
} zeros_op;

static cohort_status do_zeros(cohort_lane *lane, cohort_op *op)
{
    static const char zeros[BLOCK_BYTES];
    const zeros_op *z = (const zeros_op *)op;
    const cohort_buffer *into = z->into;
    cohort_status status = COHORT_OK;
    (void)lane;
    if (into->host != NULL) {
        memset(into->host, 0, z->bytes);
        return COHORT_OK;
    }
    for (uint64_t at = 0; at < z->bytes && status >= 0; at += BLOCK_BYTES)
        status =
            cohort_context_write(into->context, into->mem, at, zeros,
                                 z->bytes - at < BLOCK_BYTES ? z->bytes - at : BLOCK_BYTES, NULL);
    return status;
}

void cohort_zeros_post(cohort_buffer *into, uint64_t bytes)
{
    zeros_op z = { .op = COHORT_OP(.run = do_zeros, .flags = COHORT_OP_REPEATABLE),
                   .into = into,
                   .bytes = bytes };
    cohort_use use = { COHORT_USE_WRITE, into, NULL };
    (void)cohort_submit(into->executor, into->context, &z.op, sizeof z, &use, 1);
}
