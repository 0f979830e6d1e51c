/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer: memory on one device, and the fences of the operations that last wrote and read it
 * (use.h).
 *
 * Its memory comes, grows and goes by operations in the device's lane, so planning never waits for
 * a device. */
#ifndef COHORT_OPERATION_BUFFER_H
#define COHORT_OPERATION_BUFFER_H

#include "runtime/operation/ledger.h"

/* The owner's words, those that runners write and read with every operation, and those that the
 * planner writes are in cache lines of their own. */
typedef struct cohort_buffer {
    cohort_executor *executor;
    cohort_context *context;

    /* the runner's; an import changes it in every step, while others look at what stands above */
    _Alignas(64) cohort_mem *mem;
    void *host;        /* where mem is in this process; NULL when the device does not show it */
    uint64_t capacity; /* bytes of mem */
    bool is_import;    /* mem is borrowed memory in place */
    bool is_lent;      /* a lost device may still read mem: it is never freed */
    cohort_purpose purpose; /* set by whoever makes it, before it has memory */

    /* the planner's */
    /* bytes of its own that it has once everything posted is done; 0 for an import */
    _Alignas(64) uint64_t planned;
    /* borrowed memory that it is, once everything posted is done; NULL: its own */
    const void *imported;
    /* index of the one ring that has all uses which were ever noted, or is to have the first; -1:
     * several have some */
    int32_t ring;
    cohort_noted fences[]; /* two sets: of who wrote it last, and of who has read it since */
} cohort_buffer;

/* Of an executor of so many rings. */
static inline const uint64_t *cohort_buffer_writers(const cohort_buffer *buffer)
{
    return cohort_noted_row(buffer->fences);
}

static inline const uint64_t *cohort_buffer_readers(const cohort_buffer *buffer, int32_t rings)
{
    return cohort_buffer_writers(buffer) + rings;
}

/* Memory of the program that a buffer becomes, in place, or is filled from. */
typedef struct cohort_import {
    cohort_buffer *buffer;
    const void *memory;
    uint64_t bytes;
} cohort_import;

/* Without memory yet. NULL with an error text. */
cohort_buffer *cohort_buffer_create(cohort_executor *executor, cohort_context *context);

/* The same of memory that is for something. */
static inline cohort_buffer *cohort_buffer_create_for(cohort_executor *executor,
                                                      cohort_context *context,
                                                      cohort_purpose purpose)
{
    cohort_buffer *buffer = cohort_buffer_create(executor, context);
    if (buffer != NULL)
        buffer->purpose = purpose;
    return buffer;
}

/* Free the memory and the buffer in line with everything posted. NULL is allowed. */
void cohort_buffer_destroy(cohort_buffer *buffer);

/* Own memory of at least `bytes`; what was in it is gone when it has to grow, or was an import. */
void cohort_buffer_require(cohort_buffer *buffer, uint64_t bytes);

/* It has that already. */
static inline bool cohort_buffer_has(const cohort_buffer *buffer, uint64_t bytes)
{
    return buffer->imported == NULL && buffer->planned >= bytes && buffer->planned > 0;
}

/* Be `memory` in place, which stays borrowed until everything posted so far and from now on is
 * done. Where the device refuses, the content is copied instead. */
void cohort_buffer_import(cohort_buffer *buffer, const void *memory, uint64_t bytes);

/* What the record of such an operation imports; NULL of that of another one. */
cohort_import *cohort_buffer_import_of(cohort_op *op);

/* The same as part of an operation that uses the buffer to write it, of a device that is done with
 * each operation at once: the planner notes it, and the runner does it. */
void cohort_buffer_note_import(cohort_buffer *buffer, const void *memory);
cohort_status cohort_buffer_do_import(cohort_buffer *buffer, const void *memory, uint64_t bytes);

/* Add to a set of fences the operations that write the buffer, or that use it at all. executor: its
 * own, which who posts has at hand. Only the fences of rings that are used: the others are 0 in
 * every set. */
static inline void cohort_buffer_add_writers(const cohort_buffer *buffer,
                                             const cohort_executor *executor, uint64_t set[])
{
    cohort_fences_join(set, cohort_buffer_writers(buffer), executor->n_used);
}

static inline void cohort_buffer_add_users(const cohort_buffer *buffer,
                                           const cohort_executor *executor, uint64_t set[])
{
    cohort_fences_join(set, cohort_buffer_writers(buffer), executor->n_used);
    cohort_fences_join(set, cohort_buffer_readers(buffer, cohort_executor_rings(executor)),
                       executor->n_used);
}

/* After a failure, when nothing is posted any more: a device that is lost may still write the
 * memory; or use it at all. */
bool cohort_buffer_is_written_late(const cohort_buffer *buffer);
bool cohort_buffer_is_used_late(const cohort_buffer *buffer);

/* The same: what was planned did not happen. Returns whether the content is not there: an operation
 * that was to write it failed or was skipped, its device is lost, or another device that is lost
 * may still write it. Memory that such a device may touch is not the buffer's any more, or never
 * freed where it only reads. */
bool cohort_buffer_settle(cohort_buffer *buffer);

/* The same of a buffer whose content is complete: what was to write it next did not begin. */
void cohort_buffer_settle_whole(cohort_buffer *buffer);

/* Is everything over that was posted and uses it, and has nothing failed, so that all of it
 * happened? Then the planner may look at what is the runner's, until it posts the next use. */
bool cohort_buffer_is_idle(const cohort_buffer *buffer);

/* Until the content is written. */
void cohort_buffer_wait_written(cohort_buffer *buffer);

#endif
