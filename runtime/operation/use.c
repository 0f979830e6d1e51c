/* SPDX-License-Identifier: BSD-3-Clause */
/* From the uses of an operation to its fences, and back to the buffers.
 *
 * A read waits for the last writers, a write for all users since. A buffer therefore keeps two
 * sets: who wrote it last, and who has read it since. A write forgets both and stands in them
 * alone, for whoever comes later waits for the write, which itself waits for the others. A use that
 * is not noted is a race, so nothing else in the runtime touches these sets but to read them.
 *
 * Most buffers are used by operations of one ring alone. Those are done in their order anyway, so
 * an operation of that ring has nothing to wait for, and of each set one number counts. */
#include "config.h"

#include "runtime/operation/use.h"

#include "runtime/base/assert.h"
#include "runtime/operation/ledger.h"

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

/* The sets of a buffer, to be written: its writers, and behind them its readers. */
static inline uint64_t *open_sets(const cohort_use *use, cohort_executor *executor, int32_t rings)
{
    return cohort_ledger_open(executor, COHORT_NOTED_FENCES, use->buffer->fences, 2 * rings);
}

/* Of a buffer that the fence's ring alone uses: the sets have no other number than its. */
static inline void note_alone(const cohort_use *use, cohort_fence fence, cohort_executor *executor,
                              int32_t rings)
{
    uint64_t *writer = open_sets(use, executor, rings) + fence.lane->index;
    uint64_t *reader = writer + rings;
    if (use->mode == COHORT_USE_READ) {
        *reader = fence.number;
    } else {
        *reader = 0;
        *writer = fence.number;
    }
}

/* A write waits for all users before it, so a later one waits for the write alone. */
static void note_among_others(const cohort_use *use, cohort_fence fence, cohort_executor *executor,
                              int32_t rings)
{
    uint64_t *writers = open_sets(use, executor, rings);
    use->buffer->ring = -1;
    if (use->mode == COHORT_USE_READ) {
        cohort_fences_add(writers + rings, fence);
    } else {
        cohort_fences_clear(writers, 2 * rings);
        cohort_fences_add(writers, fence);
    }
}

/* What is only waited for is not: the buffer may be gone by then, for that is how it ends. */
static inline bool is_noted(const cohort_use *use)
{
    return use->mode == COHORT_USE_READ || use->mode == COHORT_USE_WRITE;
}

/* Only after the post: the fence has the number that the operation got there. A lost device gives
 * no fence, and then nothing is noted. */
static void note(const cohort_use *use, cohort_fence fence, cohort_executor *executor,
                 int32_t rings)
{
    cohort_assert(fence.lane != NULL && fence.lane->index < rings);
    if (!is_noted(use))
        return;
    if (is_of_ring(use, fence.lane->index))
        note_alone(use, fence, executor, rings);
    else
        note_among_others(use, fence, executor, rings);
}

/* What all operations use that were posted since n_posted were. */
static void tell(cohort_executor *executor, const cohort_use uses[], int32_t n, uint64_t n_posted)
{
    for (int32_t i = 0; i < n; i++)
        if (uses[i].buffer != NULL)
            cohort_ledger_use(executor, uses[i].buffer, (int)uses[i].mode, n_posted);
}

/* Behind what executor->needs has already, and what the uses wait for. */
static cohort_fence submit_behind(cohort_executor *executor, const cohort_context *context,
                                  const cohort_op *op, size_t bytes, const cohort_use uses[],
                                  int32_t n)
{
    int32_t ring = cohort_executor_ring(executor, context)->index,
            rings = cohort_executor_rings(executor);
    for (int32_t i = 0; i < n; i++)
        if (!is_of_ring(&uses[i], ring))
            add_needs(executor->needs, &uses[i], executor);
    uint64_t n_posted = executor->n_posted;
    cohort_fence fence = cohort_ledger_post(executor, context, op, bytes);
    for (int32_t i = 0; i < n && fence.lane != NULL; i++)
        note(&uses[i], fence, executor, rings);
    if (executor->plan.watch != NULL)
        tell(executor, uses, n, n_posted);
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
    return (cohort_parts){ executor, shared, n, executor->n_posted };
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
    if (parts->executor->plan.watch != NULL)
        tell(parts->executor, parts->shared, parts->n, parts->n_posted);
    int32_t rings = cohort_executor_rings(parts->executor);
    if (is_empty(all, rings)) /* every device that was to do a part is lost */
        return;
    for (int32_t i = 0; i < parts->n; i++) {
        const cohort_use *use = &parts->shared[i];
        if (!is_noted(use))
            continue;
        uint64_t *writers = open_sets(use, parts->executor, rings);
        use->buffer->ring = -1;
        if (use->mode == COHORT_USE_WRITE)
            cohort_fences_clear(writers, 2 * rings);
        cohort_fences_join(use->mode == COHORT_USE_WRITE ? writers : writers + rings, all, rings);
    }
}
