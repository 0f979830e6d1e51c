/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer: how its memory comes, changes and goes, by operations in the lane of its device.
 *
 * What the planner knows (planned, imported) runs ahead of what the runner has done (mem, capacity,
 * is_import): it is true once everything posted is over. The two sides share no field, so neither
 * takes a lock. After a failure they differ, and cohort_buffer_settle brings the planner back. */
#include "config.h"

#include "runtime/operation/buffer.h"

#include "runtime/base/assert.h"
#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/operation/use.h"

#include <stddef.h>
#include <string.h>

cohort_buffer *cohort_buffer_create(cohort_executor *executor, cohort_context *context)
{
    size_t rings = (size_t)cohort_executor_rings(executor);
    size_t bytes = offsetof(cohort_buffer, fences) + 2 * rings * sizeof(cohort_noted);
    bytes = bytes > sizeof(cohort_buffer) ? bytes : sizeof(cohort_buffer);
    cohort_buffer *buffer = cohort_staging_take(context->staging, bytes);
    if (buffer == NULL) {
        (void)cohort_error_memory("a buffer");
        return NULL;
    }
    memset(buffer, 0, bytes);
    buffer->executor = executor;
    buffer->context = context;
    buffer->ring = cohort_executor_ring(executor, context)->index;
    return buffer;
}

/* The failure is raised before an operation counts as done, so it is asked last. */
bool cohort_buffer_is_idle(const cohort_buffer *buffer)
{
    const cohort_executor *executor = buffer->executor;
    return cohort_executor_has_reached(executor, cohort_buffer_writers(buffer)) &&
           cohort_executor_has_reached(
               executor, cohort_buffer_readers(buffer, cohort_executor_rings(executor))) &&
           !cohort_failure_is_set(&buffer->executor->failure);
}

void cohort_buffer_wait_written(cohort_buffer *buffer)
{
    (void)cohort_executor_wait_fences(buffer->executor, cohort_buffer_writers(buffer), INT64_MAX);
}

bool cohort_buffer_is_written_late(const cohort_buffer *buffer)
{
    return cohort_executor_has_late(buffer->executor, cohort_buffer_writers(buffer));
}

bool cohort_buffer_is_used_late(const cohort_buffer *buffer)
{
    const cohort_executor *executor = buffer->executor;
    return cohort_buffer_is_written_late(buffer) ||
           cohort_executor_has_late(executor,
                                    cohort_buffer_readers(buffer, cohort_executor_rings(executor)));
}

/* Memory that is written late is left to who writes it. */
static void forsake_memory(cohort_buffer *buffer)
{
    buffer->mem = NULL;
    buffer->host = NULL;
    buffer->capacity = 0;
    buffer->is_import = buffer->is_lent = false;
}

/* Who has been given up counts as over from now on, so that no fence of its may be asked about. */
static bool settle_lost(cohort_buffer *buffer)
{
    const bool is_written = cohort_buffer_is_written_late(buffer);
    if (is_written) {
        cohort_keep(buffer->mem);
        forsake_memory(buffer);
    } else if (cohort_buffer_is_used_late(buffer))
        buffer->is_lent = true;
    cohort_ledger_reset(buffer->fences, 2 * cohort_executor_rings(buffer->executor), 0);
    return is_written;
}

/* Nothing is posted any more, so the planner may read what is the runner's. A buffer of a lost
 * device stays as it is, for its runner may be in it still. */
bool cohort_buffer_settle(cohort_buffer *buffer)
{
    bool is_bad = cohort_executor_has_bad(buffer->executor, cohort_buffer_writers(buffer));
    if (cohort_context_is_lost(buffer->context))
        return true;
    if (!cohort_executor_is_whole(buffer->executor))
        is_bad = settle_lost(buffer) || is_bad;
    buffer->planned = buffer->is_import ? 0 : buffer->capacity;
    if (is_bad || !buffer->is_import)
        buffer->imported = NULL;
    return is_bad;
}

void cohort_buffer_settle_whole(cohort_buffer *buffer)
{
    const bool is_lost = cohort_context_is_lost(buffer->context);
    if (!is_lost && !cohort_executor_is_whole(buffer->executor)) {
        buffer->is_lent = buffer->is_lent || cohort_buffer_is_used_late(buffer);
        cohort_ledger_reset(buffer->fences, 2 * cohort_executor_rings(buffer->executor), 0);
    }
    (void)cohort_buffer_settle(buffer);
}

/* ------------------------------------------------------------------ memory */

typedef struct memory_op {
    cohort_op op;
    cohort_import what; /* memory NULL: it is the buffer's own that changes */
} memory_op;

/* The buffer has no memory afterwards, also when freeing it failed: it must not be freed twice. */
static cohort_status drop_memory(cohort_buffer *buffer)
{
    cohort_assert((buffer->mem != NULL) || buffer->capacity == 0);
    cohort_mem *mem = buffer->mem;
    if (buffer->is_lent) {
        cohort_keep(mem);
        mem = NULL;
    }
    if (!buffer->is_import && !buffer->is_lent) /* what is not freed is still held */
        cohort_account_shrink(&buffer->context->account, buffer->purpose, buffer->capacity);
    forsake_memory(buffer);
    return cohort_context_free(buffer->context, mem);
}

static cohort_status grow(cohort_buffer *buffer, uint64_t bytes)
{
    cohort_status status = drop_memory(buffer);
    if (status >= 0)
        status = cohort_context_alloc(buffer->context, bytes, &buffer->mem, &buffer->host);
    if (status < 0)
        return status;
    buffer->capacity = bytes;
    cohort_account_grow(&buffer->context->account, buffer->purpose, bytes);
    return COHORT_OK;
}

static cohort_status do_grow(cohort_lane *lane, cohort_op *op)
{
    memory_op *m = (memory_op *)op;
    (void)lane;
    return grow(m->what.buffer, m->what.bytes);
}

cohort_status cohort_buffer_do_import(cohort_buffer *b, const void *memory, uint64_t bytes)
{
    /* the same memory, imported again to show new content: a coherent device sees that content
     * without a question, any other one only after it has been given the memory once more */
    bool is_coherent = cohort_context_has(b->context, COHORT_CAP_COHERENT);
    if (b->is_import && is_coherent && b->host == memory && b->capacity == bytes)
        return COHORT_OK; /* the same memory, set again */
    cohort_status status = drop_memory(b);
    if (status >= 0)
        status = cohort_context_import(b->context, cohort_memory_read_only(memory), bytes, &b->mem);
    if (status == COHORT_ENOTSUP) {
        status = grow(b, bytes);
        return status < 0 ? status
                          : cohort_context_write(b->context, b->mem, 0, memory, bytes, NULL);
    }
    if (status >= 0) {
        b->host = cohort_memory_read_only(memory);
        b->is_import = true;
        b->capacity = bytes;
    }
    return status;
}

static cohort_status do_import(cohort_lane *lane, cohort_op *op)
{
    memory_op *m = (memory_op *)op;
    (void)lane;
    return cohort_buffer_do_import(m->what.buffer, m->what.memory, m->what.bytes);
}

cohort_import *cohort_buffer_import_of(cohort_op *op)
{
    return op->run == do_import ? &((memory_op *)op)->what : NULL;
}

static cohort_status do_destroy(cohort_lane *lane, cohort_op *op)
{
    memory_op *m = (memory_op *)op;
    (void)lane;
    cohort_status status = drop_memory(m->what.buffer);
    cohort_staging_give(m->what.buffer);
    return status;
}

/* Post an operation on the memory of a buffer. A destroyed buffer is freed by its runner, so
 * nothing is noted in it (AFTER); where the device is lost nobody frees it. */
static void post_memory_op(cohort_buffer *buffer, cohort_op_fn run, uint64_t bytes,
                           const void *memory)
{
    memory_op m = { .op = COHORT_OP(.run = run), .what = { buffer, memory, bytes } };
    cohort_use use = { COHORT_USE_WRITE, buffer, NULL };
    if (run == do_destroy) {
        m.op.flags = COHORT_OP_ALWAYS;
        use.mode = COHORT_USE_AFTER; /* its runner frees it */
    }
    if (run == do_import)
        m.op.flags = COHORT_OP_REPEATABLE;
    (void)cohort_submit(buffer->executor, buffer->context, &m.op, sizeof m, &use, 1);
}

void cohort_buffer_destroy(cohort_buffer *buffer)
{
    if (buffer != NULL &&
        (buffer->executor->plan.keeps_memory || cohort_lane_is_lost(buffer->context->lane)))
        cohort_keep(buffer);
    else if (buffer != NULL)
        post_memory_op(buffer, do_destroy, 0, NULL);
}

/* A buffer that is to have more grows to exactly that; it never shrinks. */
void cohort_buffer_require(cohort_buffer *buffer, uint64_t bytes)
{
    if (cohort_buffer_has(buffer, bytes))
        return;
    bytes = bytes > 0 ? bytes : 1; /* so that an empty buffer has memory too */
    buffer->imported = NULL;
    buffer->planned = bytes;
    post_memory_op(buffer, do_grow, bytes, NULL);
}

void cohort_buffer_note_import(cohort_buffer *buffer, const void *memory)
{
    buffer->imported = memory;
    buffer->planned = 0;
}

void cohort_buffer_import(cohort_buffer *buffer, const void *memory, uint64_t bytes)
{
    cohort_buffer_note_import(buffer, memory);
    post_memory_op(buffer, do_import, bytes, memory);
}
