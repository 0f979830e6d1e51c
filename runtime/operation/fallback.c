/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/fallback.h"

#include "runtime/base/fpstate.h"
#include "runtime/base/memory.h"

#include <string.h>

typedef struct fallback_op {
    cohort_op op;
    cohort_fallback_fn fn;
    cohort_fallback_memory sources[COHORT_FALLBACK_SOURCES], into;
    int32_t n_sources;
    uint64_t what[COHORT_FALLBACK_WORK_BYTES / sizeof(uint64_t)];
} fallback_op;

/* Bits do not depend on what the runner's thread does to its rounding. */
static cohort_status compute(const fallback_op *h, const void *const sources[], void *into)
{
    cohort_fpstate before = cohort_fpstate_get();
    cohort_fpstate_set(cohort_fpstate_default());
    cohort_status status = h->fn(h->what, sources, into);
    cohort_fpstate_set(before);
    return status;
}

static bool is_visible(const fallback_op *h)
{
    bool is_all = h->into.buffer->host != NULL;
    for (int32_t i = 0; i < h->n_sources; i++)
        is_all = is_all && h->sources[i].buffer->host != NULL;
    return is_all;
}

static cohort_status do_in_place(const fallback_op *h)
{
    const void *sources[COHORT_FALLBACK_SOURCES];
    for (int32_t i = 0; i < h->n_sources; i++)
        sources[i] = h->sources[i].buffer->host;
    return compute(h, sources, h->into.buffer->host);
}

static uint64_t rounded_up(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static cohort_status do_on_copies(const fallback_op *h, char *staging)
{
    cohort_context *where = h->into.buffer->context;
    const void *sources[COHORT_FALLBACK_SOURCES];
    cohort_status status = COHORT_OK;
    char *next = staging + rounded_up(h->into.bytes);
    for (int32_t i = 0; i < h->n_sources && status >= 0; i++) {
        sources[i] = next;
        status = cohort_context_read(where, h->sources[i].buffer->mem, 0, next, h->sources[i].bytes,
                                     NULL);
        next += rounded_up(h->sources[i].bytes);
    }
    if (status >= 0)
        status = compute(h, sources, staging);
    return status < 0
               ? status
               : cohort_context_write(where, h->into.buffer->mem, 0, staging, h->into.bytes, NULL);
}

static cohort_status do_fallback(cohort_lane *lane, cohort_op *op)
{
    const fallback_op *h = (const fallback_op *)op;
    if (is_visible(h))
        return do_in_place(h);
    uint64_t bytes = rounded_up(h->into.bytes);
    for (int32_t i = 0; i < h->n_sources; i++)
        bytes += rounded_up(h->sources[i].bytes);
    char *staging = cohort_allocate_aligned(bytes, 64);
    if (staging == NULL)
        return cohort_error_memory("a reduction");
    cohort_status status = do_on_copies(h, staging);
    if (!cohort_lane_is_lost(lane)) /* else a late device may still touch it */
        cohort_free(staging);
    return status;
}

void cohort_fallback_post(cohort_fallback_fn fn, const void *what, size_t what_bytes,
                          const cohort_fallback_memory sources[], int32_t n_sources,
                          cohort_fallback_memory into)
{
    cohort_executor *executor = into.buffer->executor;
    fallback_op f = {
        .op = COHORT_OP(.run = do_fallback), .fn = fn, .n_sources = n_sources, .into = into
    };
    memcpy(f.sources, sources, (size_t)n_sources * sizeof *sources);
    memcpy(f.what, what, what_bytes);
    cohort_executor_need_nothing(executor);
    for (int32_t i = 0; i < n_sources; i++)
        cohort_buffer_need_read(sources[i].buffer);
    cohort_buffer_need_write(into.buffer);
    cohort_fence fence = cohort_executor_post(executor, into.buffer->context, &f.op, sizeof f);
    for (int32_t i = 0; i < n_sources; i++)
        cohort_buffer_note_read(sources[i].buffer, fence);
    cohort_buffer_note_write(into.buffer, fence, true);
}
