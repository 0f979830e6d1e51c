/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device, and moving bytes.
 *
 * Two things are never freed while a device may still touch them: its own memory after the device
 * was lost, and memory of the host that a late transfer reads or fills. Both leak then, on
 * purpose. */
#include "config.h"

#include "runtime/executor/context.h"

#include "runtime/base/limits.h"
#include "runtime/executor/question.h"

#include <string.h>

/* Where the memory is in this process. It is asked within the question of mem_alloc, so that memory
 * which has no address counts as an allocation that failed, under one deadline. */
static cohort_status ask_address(cohort_question *q, cohort_mem *mem, void **out_host)
{
    cohort_context *o = q->context;
    if (!cohort_context_has(o, COHORT_CAP_HOST_VISIBLE))
        return COHORT_OK;
    return o->ops->mem_host_ptr(o->dev, mem, out_host, &q->error);
}

/* The answers of mem_alloc and of mem_host_ptr. Native bodies count on the alignment of the
 * address, so a plugin that shows another one is refused here, and not where a body faults. The
 * question goes on as one for mem_host_ptr: an error text is to name the slot that gave the
 * answer. */
static cohort_status check_memory(cohort_question *q, const cohort_mem *mem,
                                  cohort_status addressed, const void *host)
{
    const cohort_context *o = q->context;
    uint32_t align = o->device->info->mem_align;
    if (mem == NULL)
        return cohort_question_refuse(q, "memory, or an error", "COHORT_OK without memory");
    q->operation = COHORT_SLOT_HOST_PTR;
    cohort_status status = cohort_question_judge(q, q->operation, addressed);
    if (status < 0 || !cohort_context_has(o, COHORT_CAP_HOST_VISIBLE))
        return status;
    if (host == NULL || (uintptr_t)host % align != 0)
        return cohort_question_refuse(q, "an aligned address, or an error",
                                      "address %p (mem_align %u)", host, align);
    return COHORT_OK;
}

cohort_status cohort_context_refuse_bytes(const cohort_context *context, uint64_t bytes,
                                          const char *what, const char *cure)
{
    return cohort_error_set(COHORT_ENOMEM,
                            "%s has %llu bytes, and %s allocates at most %llu at once; %s", what,
                            (unsigned long long)bytes, context->device->id,
                            (unsigned long long)context->device->info->mem_max_alloc, cure);
}

cohort_status cohort_context_alloc(cohort_context *context, uint64_t bytes, cohort_mem **out_mem,
                                   void **out_host)
{
    *out_mem = NULL;
    *out_host = NULL;
    if (!cohort_context_fits(context, bytes))
        return cohort_context_refuse_bytes(context, bytes, "an array",
                                           "keep it in parts, or leave it to the host");
    cohort_question q;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_ALLOC, COHORT_SETTING_TIMEOUT_ALLOC, 0);
    if (status < 0)
        return status;
    cohort_mem *mem = NULL;
    void *host = NULL;
    status = context->ops->mem_alloc(context->dev, bytes, 0, &mem, &q.error);
    cohort_status addressed =
        status == COHORT_OK && mem != NULL ? ask_address(&q, mem, &host) : COHORT_OK;
    status = cohort_question_answer(&q, status);
    if (status < 0)
        return cohort_error_set(status, "%s (%llu bytes)", cohort_error_slot(),
                                (unsigned long long)bytes);
    status = check_memory(&q, mem, addressed, host);
    if (status < 0 && mem != NULL)
        (void)cohort_context_free(context, mem);
    *out_mem = status >= 0 ? mem : NULL;
    *out_host = status >= 0 ? host : NULL;
    cohort_account_add(&context->account.allocations, status >= 0);
    return status;
}

cohort_status cohort_context_import(cohort_context *context, void *memory, uint64_t bytes,
                                    cohort_mem **out_mem)
{
    *out_mem = NULL;
    if (!cohort_context_has(context, COHORT_CAP_UNIFIED) || !cohort_context_fits(context, bytes))
        return COHORT_ENOTSUP;
    uint32_t align = context->device->info->import_align;
    if (align > 1 && (uintptr_t)memory % align != 0)
        return COHORT_ENOTSUP;
    cohort_question q;
    cohort_mem *mem = NULL;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_IMPORT, COHORT_SETTING_TIMEOUT_ALLOC, 0);
    if (status < 0)
        return status;
    status = context->ops->mem_import(context->dev, memory, bytes, COHORT_READ, &mem, &q.error);
    status = cohort_question_answer(&q, status);
    if (status >= 0 && mem == NULL)
        return cohort_question_refuse(&q, "memory, or an error", "COHORT_OK without memory");
    *out_mem = status >= 0 ? mem : NULL;
    cohort_account_add(&context->account.imports, status >= 0);
    return status;
}

cohort_status cohort_context_free(cohort_context *context, cohort_mem *mem)
{
    if (mem == NULL)
        return COHORT_OK;
    cohort_question q;
    const bool was_lost = atomic_load(&context->said_lost);
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_FREE, COHORT_SETTING_TIMEOUT_ALLOC, 0);
    if (status >= 0)
        status = cohort_question_answer(&q, context->ops->mem_free(context->dev, mem, &q.error));
    /* that it is lost was told already, and it may have freed it all the same */
    return status < 0 && was_lost ? COHORT_OK : status;
}

/* ------------------------------------------------------------------ moving bytes */

static void count_transfer(cohort_account *account, cohort_slot_id operation, uint64_t bytes)
{
    bool is_write = operation == COHORT_SLOT_WRITE;
    cohort_account_add(is_write ? &account->writes : &account->reads, 1);
    cohort_account_add(is_write ? &account->bytes_written : &account->bytes_read, bytes);
}

/* Bytes between the host and a device: from there for COHORT_SLOT_WRITE, into there for _READ. */
static cohort_status transfer(cohort_context *context, cohort_slot_id operation, cohort_mem *mem,
                              uint64_t offset, const void *from, void *into, uint64_t bytes,
                              cohort_pending *pending)
{
    if (bytes == 0)
        return COHORT_OK;
    cohort_question q;
    cohort_event *event = NULL;
    const cohort_ops *ops = context->ops;
    cohort_status status = cohort_question_ask(&q, context, operation, COHORT_SETTING_TIMEOUT_COPY,
                                               cohort_context_transfer_ns(bytes));
    if (status < 0)
        return status;
    status = operation == COHORT_SLOT_WRITE
                 ? ops->write(context->dev, NULL, mem, offset, from, bytes, &event, &q.error)
                 : ops->read(context->dev, NULL, mem, offset, into, bytes, &event, &q.error);
    if (status == COHORT_OK)
        count_transfer(&context->account, operation, bytes);
    return cohort_question_answer_event(&q, status, event, pending);
}

cohort_status cohort_context_write(cohort_context *context, cohort_mem *mem, uint64_t offset,
                                   const void *from, uint64_t bytes, cohort_pending *pending)
{
    return transfer(context, COHORT_SLOT_WRITE, mem, offset, from, NULL, bytes, pending);
}

cohort_status cohort_context_read(cohort_context *context, cohort_mem *mem, uint64_t offset,
                                  void *into, uint64_t bytes, cohort_pending *pending)
{
    return transfer(context, COHORT_SLOT_READ, mem, offset, NULL, into, bytes, pending);
}

/* Through memory of the host, for a device that cannot copy: chunk by chunk, each of them waited
 * for, since the next one overwrites the same staging memory. A copy from a device that this one
 * cannot access does not come here (copy_far in operation/transfer.c). */
static cohort_status copy_staged(cohort_context *context, cohort_mem *dst, uint64_t dst_offset,
                                 cohort_mem *src, uint64_t src_offset, uint64_t bytes)
{
    enum { CHUNK = 1 << 20 };
    uint64_t chunk = bytes < CHUNK ? bytes : CHUNK;
    void *staging = cohort_staging_take(context->staging, chunk);
    cohort_status status = staging != NULL ? COHORT_OK : cohort_error_memory("a copy");
    for (uint64_t at = 0; status >= 0 && at < bytes; at += chunk) {
        uint64_t n = bytes - at < chunk ? bytes - at : chunk;
        status = cohort_context_read(context, src, src_offset + at, staging, n, NULL);
        if (status >= 0)
            status = cohort_context_write(context, dst, dst_offset + at, staging, n, NULL);
    }
    if (!cohort_lane_is_lost(context->lane)) /* else a late device may still touch it */
        cohort_staging_give(staging);
    return status;
}

cohort_status cohort_context_copy(cohort_context *context, cohort_mem *dst, uint64_t dst_offset,
                                  cohort_mem *src, uint64_t src_offset, uint64_t bytes,
                                  cohort_pending *pending)
{
    if (bytes == 0)
        return COHORT_OK;
    if (context->ops->copy == NULL)
        return copy_staged(context, dst, dst_offset, src, src_offset, bytes);
    cohort_question q;
    cohort_event *event = NULL;
    cohort_status status =
        cohort_question_ask(&q, context, COHORT_SLOT_COPY, COHORT_SETTING_TIMEOUT_COPY,
                            cohort_context_transfer_ns(bytes));
    if (status < 0)
        return status;
    status = context->ops->copy(context->dev, NULL, dst, dst_offset, src, src_offset, bytes, &event,
                                &q.error);
    cohort_account_add(&context->account.copies, status == COHORT_OK);
    cohort_account_add(&context->account.bytes_copied, status == COHORT_OK ? bytes : 0);
    status = cohort_question_answer_event(&q, status, event, pending);
    if (!cohort_slot_is_left(COHORT_SLOT_COPY, status))
        return status;
    return copy_staged(context, dst, dst_offset, src, src_offset, bytes);
}
