/* SPDX-License-Identifier: BSD-3-Clause */
/* Work of this process on a device's memory, as one operation in the lane of that device.
 *
 * In place needs an address of every buffer, which only the runner knows, as memory comes and goes
 * in the lane. On copies the sources are read, and all of the result is written: it is never read,
 * so what the work leaves out would be garbage. */
#include "config.h"

#include "runtime/operation/fallback.h"

#include "runtime/base/assert.h"
#include "runtime/base/fpstate.h"
#include "runtime/operation/use.h"

#include <string.h>

typedef struct fallback_op {
    cohort_op op;
    cohort_fallback_fn fn;
    cohort_fallback_memory sources[COHORT_FALLBACK_SOURCES], into;
    int32_t n_sources;
    uint64_t work[COHORT_FALLBACK_WORK_BYTES / sizeof(uint64_t)];
} fallback_op;

/* The runner may be the program's thread, with any rounding. Bits must not depend on that, and the
 * program must find its state as it was. */
static cohort_status compute(const fallback_op *f, const void *const sources[], void *into)
{
    cohort_fpstate before = cohort_fpstate_get();
    cohort_fpstate_set(cohort_fpstate_default());
    cohort_status status = f->fn(f->work, sources, into);
    cohort_fpstate_set(before);
    return status;
}

static bool is_visible(const fallback_op *f)
{
    bool is_all = f->into.buffer->host != NULL;
    for (int32_t i = 0; i < f->n_sources; i++)
        is_all = is_all && f->sources[i].buffer->host != NULL;
    return is_all;
}

static cohort_status do_in_place(const fallback_op *f)
{
    const void *sources[COHORT_FALLBACK_SOURCES];
    for (int32_t i = 0; i < f->n_sources; i++)
        sources[i] = f->sources[i].buffer->host;
    return compute(f, sources, f->into.buffer->host);
}

static uint64_t rounded_up(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static cohort_status do_on_copies(const fallback_op *f, char *staging)
{
    cohort_context *where = f->into.buffer->context;
    const void *sources[COHORT_FALLBACK_SOURCES];
    cohort_status status = COHORT_OK;
    char *next = staging + rounded_up(f->into.bytes);
    for (int32_t i = 0; i < f->n_sources && status >= 0; i++) {
        sources[i] = next;
        status = cohort_context_read(where, f->sources[i].buffer->mem, 0, next, f->sources[i].bytes,
                                     NULL);
        next += rounded_up(f->sources[i].bytes);
    }
    if (status >= 0)
        status = compute(f, sources, staging);
    return status < 0
               ? status
               : cohort_context_write(where, f->into.buffer->mem, 0, staging, f->into.bytes, NULL);
}

static cohort_status do_fallback(cohort_lane *lane, cohort_op *op)
{
    const fallback_op *f = (const fallback_op *)op;
    if (is_visible(f))
        return do_in_place(f);
    uint64_t bytes = rounded_up(f->into.bytes);
    for (int32_t i = 0; i < f->n_sources; i++)
        bytes += rounded_up(f->sources[i].bytes);
    char *staging = cohort_staging_take(f->into.buffer->context->staging, bytes);
    if (staging == NULL)
        return cohort_error_memory("a reduction");
    cohort_status status = do_on_copies(f, staging);
    if (!cohort_lane_is_lost(lane)) /* else a late device may still touch it */
        cohort_staging_give(staging);
    return status;
}

void cohort_fallback_post(cohort_fallback_fn fn, const void *work, size_t work_bytes,
                          const cohort_fallback_memory sources[], int32_t n_sources,
                          cohort_fallback_memory into)
{
    fallback_op f = {
        .op = COHORT_OP(.run = do_fallback), .fn = fn, .n_sources = n_sources, .into = into
    };
    cohort_use uses[COHORT_FALLBACK_SOURCES + 1];
    for (int32_t i = 0; i < n_sources; i++) {
        f.sources[i] = sources[i];
        uses[i] = (cohort_use){ COHORT_USE_READ, sources[i].buffer, NULL };
    }
    uses[n_sources] = (cohort_use){ COHORT_USE_WRITE, into.buffer, NULL };
    cohort_assert(work_bytes <= sizeof f.work && n_sources <= COHORT_FALLBACK_SOURCES);
    memcpy(f.work, work, work_bytes);
    (void)cohort_submit(into.buffer->executor, into.buffer->context, &f.op, sizeof f, uses,
                        n_sources + 1);
}
