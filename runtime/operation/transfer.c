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

static cohort_fence submit_with(const cohort_context *where, const transfer_op *what,
                                cohort_op_fn run, cohort_op_end_fn end, const cohort_use uses[],
                                int32_t n)
{
    transfer_op t = *what;
    uses[0].buffer->executor->moved += what->count * what->bytes;
    t.op = (cohort_op)COHORT_OP(.run = run, .end = end, .flags = flags_of(what, run));
    return cohort_submit(uses[0].buffer->executor, where, &t.op, sizeof t, uses, n);
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

void cohort_transfer_upload(cohort_buffer *buffer, uint64_t offset, const void *from,
                            uint64_t bytes)
{
    if (cohort_context_has(buffer->context, COHORT_CAP_PROMPT)) {
        transfer_op t = { .dst = buffer,
                          .dst_offset = offset,
                          .memory = cohort_memory_read_only(from),
                          .bytes = bytes,
                          .count = 1 };
        (void)submit(buffer->context, &t, do_write, NULL);
        return;
    }
    void *block = cohort_staging_take(buffer->context->staging, bytes);
    if (block == NULL) {
        cohort_transfer_fail(buffer, "a transfer");
        return;
    }
    memcpy(block, from, bytes);
    cohort_transfer_upload_taken(buffer, offset, block, bytes);
}

static void write_zeros(cohort_buffer *buffer, uint64_t offset, uint64_t bytes, uint64_t count)
{
    static const char zeros[ZERO_BYTES];
    transfer_op t = { .dst = buffer,
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

void cohort_transfer_copy_blocks(cohort_buffer *dst, uint64_t dst_offset, uint64_t dst_stride,
                                 cohort_buffer *src, uint64_t src_offset, uint64_t src_stride,
                                 uint64_t bytes, uint64_t count)
{
    transfer_op t = { .dst = dst,
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
