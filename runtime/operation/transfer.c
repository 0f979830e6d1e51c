/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes between buffers, and between a buffer and this process, as operations.
 *
 * Memory of the host that a device may still be using is the core's own, or the device is prompt
 * and done when it returns: a program may free its array, and a lost device may write late. Such a
 * block is given back by the `end` of the operation, which a lost device never has, so then
 * it leaks. */
#include "config.h"

#include "runtime/operation/transfer.h"

#include "runtime/base/memory.h"
#include "runtime/operation/use.h"

#include <stddef.h>
#include <string.h>

enum { ZERO_BYTES = 8192 }; /* bytes of zeros that are written at once */

typedef struct transfer_op {
    cohort_op op;
    cohort_buffer *dst, *src;
    uint64_t dst_offset, src_offset, bytes; /* of the first block */
    uint64_t count, dst_stride, src_stride; /* blocks, and bytes from one to the next */
    void *memory;
} transfer_op;

/* The last of several blocks may stay in pending: the queue does them in order, and the others are
 * waited for. */
static cohort_pending *pending_of(transfer_op *t, uint64_t block)
{
    return block + 1 == t->count ? &t->op.pending : NULL;
}

static cohort_status write_blocks(transfer_op *t, const void *first)
{
    cohort_status status = COHORT_OK;
    for (uint64_t i = 0; i < t->count && status >= 0; i++)
        status = cohort_context_write(
            t->dst->context, t->dst->mem, t->dst_offset + i * t->dst_stride,
            (const char *)first + i * t->src_stride, t->bytes, pending_of(t, i));
    return status;
}

static cohort_status do_write(cohort_lane *lane, cohort_op *op)
{
    transfer_op *t = (transfer_op *)op;
    (void)lane;
    return write_blocks(t, t->memory);
}

static cohort_status do_write_from_buffer(cohort_lane *lane, cohort_op *op)
{
    transfer_op *t = (transfer_op *)op;
    (void)lane;
    return write_blocks(t, (const char *)t->src->host + t->src_offset);
}

/* The block was the transfer's own. */
static cohort_status give_block(cohort_op *op, cohort_status status)
{
    cohort_staging_give(((transfer_op *)op)->memory);
    return status;
}

static cohort_status do_read(cohort_lane *lane, cohort_op *op)
{
    transfer_op *t = (transfer_op *)op;
    (void)lane;
    return cohort_context_read(t->src->context, t->src->mem, t->src_offset, t->memory, t->bytes,
                               &op->pending);
}

static cohort_status do_copy_here(cohort_lane *lane, cohort_op *op)
{
    const transfer_op *t = (transfer_op *)op;
    (void)lane;
    for (uint64_t i = 0; i < t->count; i++)
        memcpy((char *)t->dst->host + t->dst_offset + i * t->dst_stride,
               (const char *)t->src->host + t->src_offset + i * t->src_stride, t->bytes);
    return COHORT_OK;
}

/* Many small blocks where both memories are in this process are copied by this thread, in less time
 * than a question to the device for each would take. One block is left to the device. */
static bool is_copied_here(const transfer_op *t)
{
    return t->count > 1 && t->dst->host != NULL && t->src->host != NULL;
}

static cohort_status do_copy_near(cohort_lane *lane, cohort_op *op)
{
    transfer_op *t = (transfer_op *)op;
    cohort_status status = COHORT_OK;
    if (is_copied_here(t))
        return do_copy_here(lane, op);
    for (uint64_t i = 0; i < t->count && status >= 0; i++)
        status = cohort_context_copy(t->dst->context, t->dst->mem,
                                     t->dst_offset + i * t->dst_stride, t->src->mem,
                                     t->src_offset + i * t->src_stride, t->bytes, pending_of(t, i));
    return status;
}

static cohort_status do_read_into_buffer(cohort_lane *lane, cohort_op *op)
{
    transfer_op *t = (transfer_op *)op;
    cohort_status status = COHORT_OK;
    (void)lane;
    for (uint64_t i = 0; i < t->count && status >= 0; i++)
        status = cohort_context_read(
            t->src->context, t->src->mem, t->src_offset + i * t->src_stride,
            (char *)t->dst->host + t->dst_offset + i * t->dst_stride, t->bytes, pending_of(t, i));
    return status;
}

/* What this process copies happens behind the device's back, so nothing of the lane may be in
 * flight then: of several blocks that may be so (is_copied_here). One block is only enqueued. */
static uint32_t flags_of(const transfer_op *t, cohort_op_fn run)
{
    return t->count > 1 || run == do_copy_here ? 0 : COHORT_OP_STREAM;
}

/* Memory of another device that this one reads or writes as the host's is no memory of its queue,
 * whose order says nothing about it: a plugin may take what it writes in the call, and what it
 * reads is there when its event is done. So an operation of the same lane that has such memory is
 * over before the next one is issued. Returns its number, 0: there is none. */
static uint64_t comes_after(const cohort_executor *executor, const cohort_context *where,
                            const transfer_op *what, cohort_op_fn run)
{
    const int32_t ring = cohort_executor_ring(executor, where)->index;
    if (run == do_write_from_buffer)
        return cohort_buffer_writers(what->src)[ring];
    if (run != do_read_into_buffer)
        return 0;
    const uint64_t written = cohort_buffer_writers(what->dst)[ring],
                   read = cohort_buffer_readers(what->dst, cohort_executor_rings(executor))[ring];
    return written > read ? written : read;
}

static cohort_fence submit_with(const cohort_context *where, const transfer_op *what,
                                cohort_op_fn run, cohort_op_end_fn end, const cohort_use uses[],
                                int32_t n)
{
    transfer_op t = *what;
    cohort_executor *executor = uses[0].buffer->executor;
    executor->plan.moved += what->count * what->bytes;
    t.op =
        (cohort_op)COHORT_OP(.run = run, .end = end, .flags = what->op.flags | flags_of(what, run),
                             .after = comes_after(executor, where, what, run));
    return cohort_submit(executor, where, &t.op, sizeof t, uses, n);
}

/* One operation in the lane of `where`, which reads src and writes dst; either may be NULL. */
static cohort_fence submit(const cohort_context *where, const transfer_op *what, cohort_op_fn run,
                           cohort_op_end_fn end)
{
    cohort_use uses[2];
    int32_t n = 0;
    if (what->src != NULL)
        uses[n++] = (cohort_use){ COHORT_USE_READ, what->src, NULL };
    if (what->dst != NULL)
        uses[n++] = (cohort_use){ COHORT_USE_WRITE, what->dst, NULL };
    return submit_with(where, what, run, end, uses, n);
}

void cohort_transfer_upload_taken(cohort_buffer *buffer, uint64_t offset, void *block,
                                  uint64_t bytes)
{
    transfer_op t = {
        .dst = buffer, .dst_offset = offset, .memory = block, .bytes = bytes, .count = 1
    };
    (void)submit(buffer->context, &t, do_write, give_block);
}

void cohort_transfer_fail(cohort_buffer *buffer, const char *what)
{
    transfer_op nothing = { .dst = buffer };
    cohort_failure_raise_own(&buffer->executor->failure, cohort_error_memory(what));
    (void)submit(buffer->context, &nothing, do_write, NULL); /* skipped, for the failure is set */
}

/* A copy of the bytes in a block for the device. NULL: there is none, which is the strategy's
 * failure. */
static void *take_copy(cohort_buffer *buffer, const void *from, uint64_t bytes, const char *what)
{
    void *block = cohort_staging_take(buffer->context->staging, bytes);
    if (block != NULL)
        memcpy(block, from, bytes);
    else
        cohort_transfer_fail(buffer, what);
    return block;
}

typedef struct upload_op {
    cohort_op op;
    cohort_import what;
    uint64_t is_taken; /* 0 or 1, as wide as a word: records are compared */
} upload_op;

static cohort_status do_upload(cohort_lane *lane, cohort_op *op)
{
    const cohort_import *what = &((upload_op *)op)->what;
    (void)lane;
    return cohort_context_write(what->buffer->context, what->buffer->mem, 0, what->memory,
                                what->bytes, &op->pending);
}

static cohort_status give_taken(cohort_op *op, cohort_status status)
{
    cohort_staging_give(cohort_memory_own(((upload_op *)op)->what.memory));
    return status;
}

cohort_import *cohort_transfer_upload_of(cohort_op *op, bool *out_is_taken)
{
    upload_op *u = (upload_op *)op;
    if (op->run != do_upload)
        return NULL;
    *out_is_taken = u->is_taken != 0;
    return &u->what;
}

void cohort_transfer_upload(cohort_buffer *buffer, const void *from, uint64_t bytes)
{
    bool is_taken = cohort_context_may_be_lost(buffer->context);
    const void *memory = is_taken ? take_copy(buffer, from, bytes, "a transfer") : from;
    if (memory == NULL)
        return;
    upload_op u = { .op = COHORT_OP(.run = do_upload, .end = is_taken ? give_taken : NULL,
                                    .flags = COHORT_OP_STREAM | COHORT_OP_REPEATABLE),
                    .what = { buffer, memory, bytes },
                    .is_taken = is_taken };
    cohort_use use = { COHORT_USE_WRITE, buffer, NULL };
    buffer->executor->plan.moved += bytes;
    (void)cohort_submit(buffer->executor, buffer->context, &u.op, sizeof u, &use, 1);
}

/* Little is in the record itself, which is there until the device is done, and may be posted
 * again. */
enum { LITTLE_BYTES = 2048, FILL_BYTES = 64 };

typedef struct little_op {
    cohort_op op;
    cohort_buffer *dst;
    uint64_t offset, bytes;
    uint64_t content[LITTLE_BYTES / sizeof(uint64_t)];
} little_op;

static cohort_status do_write_little(cohort_lane *lane, cohort_op *op)
{
    const little_op *l = (little_op *)op;
    (void)lane;
    return cohort_context_write(l->dst->context, l->dst->mem, l->offset, l->content, l->bytes,
                                &op->pending);
}

/* Whole words of the content, the last one filled up with zeros, for records are compared. */
static void upload_little(cohort_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes)
{
    little_op l; /* not cleared: it is large */
    cohort_use use = { COHORT_USE_WRITE, buffer, NULL };
    uint64_t words = (bytes + sizeof *l.content - 1) / sizeof *l.content;
    l.op = (cohort_op)COHORT_OP(.run = do_write_little,
                                .flags = COHORT_OP_STREAM | COHORT_OP_REPEATABLE);
    l.dst = buffer;
    l.offset = offset;
    l.bytes = bytes;
    l.content[words - 1] = 0;
    memcpy(l.content, from, bytes);
    buffer->executor->plan.moved += bytes;
    (void)cohort_submit(buffer->executor, buffer->context, &l.op,
                        offsetof(little_op, content) + words * sizeof *l.content, &use, 1);
}

void cohort_transfer_upload_copy(cohort_buffer *buffer, uint64_t offset, const void *from,
                                 uint64_t bytes, const char *what)
{
    if (bytes == 0)
        return;
    if (bytes <= LITTLE_BYTES) {
        upload_little(buffer, offset, from, bytes);
        return;
    }
    void *block = take_copy(buffer, from, bytes, what);
    if (block != NULL)
        cohort_transfer_upload_taken(buffer, offset, block, bytes);
}

/* The block is NULL where memory is filled in place. */
typedef struct fill_op {
    cohort_op op;
    cohort_buffer *dst;
    void *block;
    uint64_t bytes;
    uint64_t item[FILL_BYTES / sizeof(uint64_t)];
} fill_op;

static void fill(void *into, const fill_op *f)
{
    for (uint64_t at = 0; at < f->bytes; at += FILL_BYTES)
        memcpy((char *)into + at, f->item, f->bytes - at < FILL_BYTES ? f->bytes - at : FILL_BYTES);
}

static cohort_status do_fill(cohort_lane *lane, cohort_op *op)
{
    const fill_op *f = (fill_op *)op;
    (void)lane;
    fill(f->block != NULL ? f->block : f->dst->host, f);
    return f->block == NULL ? COHORT_OK
                            : cohort_context_write(f->dst->context, f->dst->mem, 0, f->block,
                                                   f->bytes, &op->pending);
}

static cohort_status give_filled(cohort_op *op, cohort_status status)
{
    cohort_staging_give(((fill_op *)op)->block);
    return status;
}

void cohort_transfer_fill(cohort_buffer *buffer, const void *item, uint64_t item_bytes,
                          uint64_t bytes)
{
    bool is_shown = cohort_context_has(buffer->context, COHORT_CAP_HOST_VISIBLE);
    cohort_use use = { COHORT_USE_WRITE, buffer, NULL };
    fill_op f = { .dst = buffer, .bytes = bytes };
    if (bytes == 0)
        return;
    f.op = (cohort_op)COHORT_OP(.run = do_fill, .end = is_shown ? NULL : give_filled,
                                .flags = COHORT_OP_REPEATABLE |
                                         (is_shown ? 0U : (uint32_t)COHORT_OP_STREAM));
    for (uint64_t at = 0; at < FILL_BYTES; at += item_bytes)
        memcpy((char *)f.item + at, item, item_bytes);
    if (!is_shown)
        f.block = cohort_staging_take(buffer->context->staging, bytes);
    if (!is_shown && f.block == NULL) {
        cohort_transfer_fail(buffer, "a transfer");
        return;
    }
    buffer->executor->plan.moved += bytes;
    (void)cohort_submit(buffer->executor, buffer->context, &f.op, sizeof f, &use, 1);
}

static void write_zeros(cohort_buffer *buffer, uint64_t offset, uint64_t bytes, uint64_t count)
{
    static const char zeros[ZERO_BYTES];
    transfer_op t = { .op.flags = COHORT_OP_REPEATABLE,
                      .dst = buffer,
                      .dst_offset = offset,
                      .dst_stride = bytes,
                      .memory = cohort_memory_read_only(zeros),
                      .bytes = bytes,
                      .count = count };
    if (bytes > 0 && count > 0)
        (void)submit(buffer->context, &t, do_write, NULL);
}

/* Blocks that are all read from the same place, and what is left. */
void cohort_transfer_zero(cohort_buffer *buffer, uint64_t offset, uint64_t bytes)
{
    uint64_t blocks = bytes / ZERO_BYTES;
    write_zeros(buffer, offset, ZERO_BYTES, blocks);
    write_zeros(buffer, offset + blocks * ZERO_BYTES, bytes % ZERO_BYTES, 1);
}

cohort_fence cohort_transfer_download(cohort_buffer *buffer, uint64_t offset, void *into,
                                      uint64_t bytes)
{
    transfer_op t = {
        .src = buffer, .src_offset = offset, .memory = into, .bytes = bytes, .count = 1
    };
    return submit(buffer->context, &t, do_read, NULL);
}

cohort_fence cohort_transfer_look(cohort_buffer *buffer, uint64_t offset, void *into,
                                  uint64_t bytes)
{
    cohort_plan *plan = &buffer->executor->plan;
    transfer_op t = {
        .src = buffer, .src_offset = offset, .memory = into, .bytes = bytes, .count = 1
    };
    cohort_use use = { COHORT_USE_FENCES, NULL, cohort_buffer_writers(buffer) };
    t.op = (cohort_op)COHORT_OP(.run = do_read, .flags = COHORT_OP_STREAM);
    plan->moved += bytes;
    cohort_fence fence = cohort_submit(buffer->executor, buffer->context, &t.op, sizeof t, &use, 1);
    if (fence.lane != NULL)
        plan->unnoted[fence.lane->index]++;
    return fence;
}

/* Neither device reaches the other, and neither shows its memory: a read in the lane of src, then a
 * write in the lane of dst, through a block of the core's. The write names src as AFTER, which
 * makes it wait for the read, noted there as one; it does not use src itself. */
static void copy_far(const transfer_op *what)
{
    uint64_t bytes = (what->count - 1) * what->src_stride + what->bytes;
    void *block = cohort_staging_take(what->dst->context->staging, bytes);
    if (block == NULL) {
        cohort_transfer_fail(what->dst, "a transfer");
        return;
    }
    transfer_op get = *what, put = *what;
    cohort_use uses[] = { { COHORT_USE_AFTER, what->src, NULL },
                          { COHORT_USE_WRITE, what->dst, NULL } };
    get.memory = put.memory = block;
    get.bytes = bytes;
    get.dst = NULL;
    (void)submit(what->src->context, &get, do_read, NULL);
    (void)submit_with(what->dst->context, &put, do_write, give_block, uses, 2);
}

cohort_transfer_half cohort_transfer_half_of(cohort_op *op, void ***out_block, uint64_t *out_bytes)
{
    transfer_op *t = (transfer_op *)op;
    fill_op *f = (fill_op *)op;
    bool may_be = (op->flags & COHORT_OP_REPEATABLE) != 0;
    if (op->end == give_filled) {
        *out_block = &f->block;
        *out_bytes = f->bytes;
        return COHORT_TRANSFER_FILL;
    }
    bool is_get = may_be && op->run == do_read, is_put = may_be && op->end == give_block;
    if (!is_get && !is_put)
        return COHORT_TRANSFER_WHOLE;
    *out_block = &t->memory;
    *out_bytes = t->bytes;
    return is_get ? COHORT_TRANSFER_GET : COHORT_TRANSFER_PUT;
}

void cohort_transfer_copy_blocks(cohort_buffer *dst, uint64_t dst_offset, uint64_t dst_stride,
                                 cohort_buffer *src, uint64_t src_offset, uint64_t src_stride,
                                 uint64_t bytes, uint64_t count)
{
    transfer_op t = { .op.flags = COHORT_OP_REPEATABLE,
                      .dst = dst,
                      .src = src,
                      .dst_offset = dst_offset,
                      .src_offset = src_offset,
                      .bytes = bytes,
                      .count = count,
                      .dst_stride = dst_stride,
                      .src_stride = src_stride };
    if (count == 0 || bytes == 0)
        return;
    bool is_dst_shown = cohort_context_has(dst->context, COHORT_CAP_HOST_VISIBLE);
    bool is_src_shown = cohort_context_has(src->context, COHORT_CAP_HOST_VISIBLE);
    /* directly where that is possible, else by this process where both are shown, else by one
     * transfer with the memory that is shown, else by two */
    if (dst->context->can_access[src->context->index])
        (void)submit(dst->context, &t, do_copy_near, NULL);
    else if (is_dst_shown && is_src_shown)
        (void)submit(src->context, &t, do_copy_here, NULL);
    else if (is_dst_shown)
        (void)submit(src->context, &t, do_read_into_buffer, NULL);
    else if (is_src_shown)
        (void)submit(dst->context, &t, do_write_from_buffer, NULL);
    else
        copy_far(&t);
}

void cohort_transfer_copy(cohort_buffer *dst, cohort_buffer *src, uint64_t bytes)
{
    cohort_transfer_copy_blocks(dst, 0, 0, src, 0, 0, bytes, 1);
}

/* Memory that the host sees is read in place; else by way of memory of the core's own, into which a
 * device that is lost may write late. */
cohort_status cohort_transfer_fetch(cohort_buffer *buffer, void *into, uint64_t bytes)
{
    cohort_executor *executor = buffer->executor;
    if (cohort_context_has(buffer->context, COHORT_CAP_HOST_VISIBLE)) {
        cohort_buffer_wait_written(buffer);
        cohort_status status = cohort_failure_tell(&executor->failure);
        if (status >= 0)
            memcpy(into, buffer->host, bytes);
        return status;
    }
    void *block = cohort_staging_take(&executor->staging, bytes);
    if (block == NULL)
        return cohort_error_memory("reading from a device");
    cohort_executor_wait(executor, cohort_transfer_download(buffer, 0, block, bytes));
    cohort_status status = cohort_failure_tell(&executor->failure);
    if (status >= 0)
        memcpy(into, block, bytes);
    if (!cohort_executor_has_lost(executor))
        cohort_staging_give(block);
    return status;
}
