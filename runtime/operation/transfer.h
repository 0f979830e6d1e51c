/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between buffers and memory of this process, and between buffers; all planned, none
 * waits. */
#ifndef COHORT_OPERATION_TRANSFER_H
#define COHORT_OPERATION_TRANSFER_H

#include "runtime/operation/buffer.h"

/* Write `bytes` bytes from memory that stays as it is until everything posted is done. For a device
 * that is not CAP_PROMPT they are copied now: memory in flight to a device that may be lost is the
 * core's own. The buffer is large enough. Out of memory is the strategy's failure. */
void cohort_transfer_upload(cohort_buffer *buffer, const void *from, uint64_t bytes);

/* What the record of an upload is of; NULL of that of another operation. Where it is_taken the
 * memory is a block that the operation gives back, with a copy: each post needs one of its own. */
cohort_import *cohort_transfer_upload_of(cohort_op *op, bool *out_is_taken);

/* As upload, from memory that may change as soon as this returns. */
void cohort_transfer_upload_copy(cohort_buffer *buffer, uint64_t offset, const void *from,
                                 uint64_t bytes, const char *what);

/* Out of memory for what was to write the buffer: the failure is raised, and the write noted as one
 * that did not happen. */
void cohort_transfer_fail(cohort_buffer *buffer, const char *what);

/* As upload, from a block of the executor's staging, which the transfer takes and gives back. */
void cohort_transfer_upload_taken(cohort_buffer *buffer, uint64_t offset, void *block,
                                  uint64_t bytes);

/* Write zeros. The buffer is large enough. */
void cohort_transfer_zero(cohort_buffer *buffer, uint64_t offset, uint64_t bytes);

/* Write an item again and again, as it is now: `bytes` bytes, a multiple of item_bytes, which
 * divide 64. The buffer is large enough. */
void cohort_transfer_fill(cohort_buffer *buffer, const void *item, uint64_t item_bytes,
                          uint64_t bytes);

/* Read into memory that is the core's own, or the device is CAP_PROMPT. A fence without a lane when
 * it is lost. */
cohort_fence cohort_transfer_download(cohort_buffer *buffer, uint64_t offset, void *into,
                                      uint64_t bytes);

/* The same for who waits for it before anything else is posted: nothing is noted of it, so a step
 * behind it finds what it would find without it. */
cohort_fence cohort_transfer_look(cohort_buffer *buffer, uint64_t offset, void *into,
                                  uint64_t bytes);

/* Copy between two devices, or within one: directly where one can reach the other's memory, else by
 * way of this process. dst is large enough. */
void cohort_transfer_copy(cohort_buffer *dst, cohort_buffer *src, uint64_t bytes);

/* The same for `count` blocks of `bytes` bytes, which lie strides apart. */
void cohort_transfer_copy_blocks(cohort_buffer *dst, uint64_t dst_offset, uint64_t dst_stride,
                                 cohort_buffer *src, uint64_t src_offset, uint64_t src_stride,
                                 uint64_t bytes, uint64_t count);

/* A copy by way of this process is two operations with a block between them, which the second gives
 * back: each time they are posted they need one of their own. So does one that fills memory which
 * this process does not see. Which of them a record is, where its block stands, and of how many
 * bytes that is. */
typedef enum cohort_transfer_half {
    COHORT_TRANSFER_WHOLE, /* none */
    COHORT_TRANSFER_GET,
    COHORT_TRANSFER_PUT,
    COHORT_TRANSFER_FILL
} cohort_transfer_half;

cohort_transfer_half cohort_transfer_half_of(cohort_op *op, void ***out_block, uint64_t *out_bytes);

/* Read into any memory, and wait for it: the strategy's failure where the content never comes. */
cohort_status cohort_transfer_fetch(cohort_buffer *buffer, void *into, uint64_t bytes);

#endif
