/* SPDX-License-Identifier: BSD-3-Clause */
/* From the uses of an operation to its fences, and back to the buffers.
 *
 * A read waits for the last writers, a write for all users since. A buffer therefore keeps two
 * sets: who wrote it last, and who has read it since. A write forgets both and stands in them
 * alone, for whoever comes later waits for the write, which itself waits for the others. A use that
 * is not noted is a race, so nothing else in the runtime touches these sets but to read them.
 *
 * Most buffers are used by operations of one ring alone. Those are done in their order anyway, so an
 * operation of that ring has nothing to wait for, and of each set one number counts. */
#include "config.h"

#include "runtime/operation/use.h"

#include "runtime/base/assert.h"
#include "runtime/operation/series.h"

static void add_needs(uint64_t needs[], const cohort_use *use, const cohort_executor *executor)
{
    cohort_assert((use->mode == COHORT_USE_FENCES) == (use->buffer == NULL));
    switch (use->mode) {
    case COHORT_USE_FENCES:
        cohort_fences_join(needs, use->fences, executor->n_used);
        break;
    case COHORT_USE_READ:
        cohort_buffer_add_writers(use->buffer, executor, needs);
        break;
    default:
        cohort_buffer_add_users(use->buffer, executor, needs);
    }
}

static inline bool is_of_ring(const cohort_use *use, int32_t ring)
{
    return use->buffer != NULL && use->buffer->ring == ring;
}

/* After a write: it waits for all users before it, so a later one waits for the write alone. */
static void forget_users(cohort_buffer *buffer, int32_t rings)
{
    cohort_fences_clear(buffer->fences, 2 * rings);
}

/* Of a buffer that the fence's ring alone uses: the sets have no other number than its. */
static inline void note_alone(const cohort_use *use, cohort_fence fence, int32_t rings)
{
    uint64_t *read = cohort_buffer_read(use->buffer, rings) + fence.lane->index;
    if (use->mode == COHORT_USE_READ) {
        *read = fence.number;
    } else {
        *read = 0;
        use->buffer->fences[fence.lane->index] = fence.number;
    }
}

static void note_among_others(const cohort_use *use, cohort_fence fence, int32_t rings)
{
    use->buffer->ring = -1;
    if (use->mode == COHORT_USE_READ) {
        cohort_fences_add(cohort_buffer_read(use->buffer, rings), fence);
    } else {
        forget_users(use->buffer, rings);
        cohort_fences_add(use->buffer->fences, fence);
    }
}

/* What is only waited for is not: the buffer may be gone by then, for that is how it ends. */
static inline bool is_noted(const cohort_use *use)
{
    return use->mode == COHORT_USE_READ || use->mode == COHORT_USE_WRITE;
}

/* Only after the post: the fence has the number that the operation got there. A lost device gives
 * no fence, and then nothing is noted. */
static void note(const cohort_use *use, cohort_fence fence, int32_t rings)
{
    cohort_assert(fence.lane != NULL && fence.lane->index < rings);
    if (!is_noted(use))
        return;
    if (is_of_ring(use, fence.lane->index))
        note_alone(use, fence, rings);
    else
        note_among_others(use, fence, rings);
}

/* At what all operations use that are posted from number `first` of the step on. */
static void look_there(cohort_executor *executor, const cohort_use uses[], int32_t n, size_t first)
{
    for (int32_t i = 0; i < n; i++)
        if (uses[i].buffer != NULL) {
            cohort_series_look_there(executor, COHORT_SERIES_FENCES, uses[i].buffer->fences,
                                     2 * cohort_executor_rings(executor));
            cohort_series_look_at_use(executor, &uses[i], first);
        }
}

static void look(cohort_executor *executor, const cohort_context *context, const cohort_op *op,
                 size_t bytes, cohort_fence fence, const cohort_use uses[], int32_t n)
{
    size_t at = cohort_series_count_posts(executor);
    cohort_series_look_at(executor, context, op, bytes, fence);
    look_there(executor, uses, n, at);
}

/* Behind what executor->needs has already, and what the uses wait for. */
static cohort_fence submit_behind(cohort_executor *executor, const cohort_context *context,
                                  const cohort_op *op, size_t bytes, const cohort_use uses[],
                                  int32_t n)
{
    int32_t rings = cohort_executor_rings(executor);
    int32_t ring = cohort_executor_ring(executor, context)->index;
    for (int32_t i = 0; i < n; i++)
        if (!is_of_ring(&uses[i], ring))
            add_needs(executor->needs, &uses[i], executor);
    cohort_fence fence = cohort_executor_post(executor, context, op, bytes);
    for (int32_t i = 0; i < n && fence.lane != NULL; i++)
        note(&uses[i], fence, rings);
    if (cohort_series_is_looking(executor))
        look(executor, context, op, bytes, fence, uses, n);
    return fence;
}

cohort_fence cohort_submit(cohort_executor *executor, const cohort_context *context,
                           const cohort_op *op, size_t bytes, const cohort_use uses[], int32_t n)
{
    cohort_fences_clear(executor->needs, cohort_executor_rings(executor));
    return submit_behind(executor, context, op, bytes, uses, n);
}

/* ------------------------------------------------------------------ parts */

/* The needs of what all parts share are collected once, before any part is noted: so no part waits
 * for another one. */
cohort_parts cohort_parts_begin(cohort_executor *executor, const cohort_use shared[], int32_t n)
{
    int32_t rings = cohort_executor_rings(executor);
    cohort_fences_clear(executor->shared_needs, rings);
    cohort_fences_clear(executor->parts, rings);
    for (int32_t i = 0; i < n; i++)
        add_needs(executor->shared_needs, &shared[i], executor);
    return (cohort_parts){ executor, shared, n,
                           cohort_series_is_looking(executor) ? cohort_series_count_posts(executor)
                                                              : 0 };
}

cohort_fence cohort_parts_submit(const cohort_parts *parts, const cohort_context *context,
                                 const cohort_op *op, size_t bytes, const cohort_use own[],
                                 int32_t n_own)
{
    cohort_executor *executor = parts->executor;
    int32_t rings = cohort_executor_rings(executor);
    cohort_fences_clear(executor->needs, rings);
    cohort_fences_join(executor->needs, executor->shared_needs, rings);
    cohort_fence fence = submit_behind(executor, context, op, bytes, own, n_own);
    cohort_fences_add(executor->parts, fence);
    return fence;
}

static bool is_empty(const uint64_t set[], int32_t rings)
{
    bool is_empty = true;
    for (int32_t i = 0; i < rings; i++)
        is_empty = is_empty && set[i] == 0;
    return is_empty;
}

void cohort_parts_end(const cohort_parts *parts)
{
    const uint64_t *all = parts->executor->parts;
    if (cohort_series_is_looking(parts->executor))
        look_there(parts->executor, parts->shared, parts->n, parts->first);
    int32_t rings = cohort_executor_rings(parts->executor);
    if (is_empty(all, rings)) /* every device that was to do a part is lost */
        return;
    for (int32_t i = 0; i < parts->n; i++) {
        const cohort_use *use = &parts->shared[i];
        if (!is_noted(use))
            continue;
        use->buffer->ring = -1;
        if (use->mode == COHORT_USE_WRITE)
            forget_users(use->buffer, rings);
        cohort_fences_join(use->mode == COHORT_USE_WRITE ? use->buffer->fences
                                                         : cohort_buffer_read(use->buffer, rings),
                           all, rings);
    }
}
