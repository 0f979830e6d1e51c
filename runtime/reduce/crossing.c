/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/crossing.h"

#include "runtime/base/memory.h"
#include "runtime/executor/fences.h"
#include "runtime/operation/transfer.h"

bool cohort_crossing_is_shown(const cohort_context *o)
{
    return cohort_context_has(o, COHORT_CAP_HOST_VISIBLE);
}

static void *download(const cohort_buffer *buffer, uint64_t bytes)
{
    cohort_executor *executor = buffer->executor;
    void *block = cohort_staging_take(&executor->staging, bytes);
    if (block == NULL) {
        cohort_failure_raise_own(&executor->failure, cohort_error_memory("a reduction"));
        return NULL;
    }
    cohort_executor_wait(executor,
                         cohort_transfer_download(cohort_memory_own(buffer), 0, block, bytes));
    return block;
}

void cohort_crossing_show(cohort_crossing *x, uint64_t bytes)
{
    for (int32_t i = 0; i < x->n; i++) {
        cohort_buffer *b = x->buffers[i];
        if (b == NULL)
            continue;
        bool is_shown = cohort_crossing_is_shown(b->context);
        cohort_buffer_wait_written(b);
        if (!is_shown)
            x->blocks[i] = download(b, bytes);
        x->roots[i] = is_shown ? b->host : x->blocks[i];
    }
}

void *cohort_crossing_room(cohort_buffer *dst, uint64_t bytes)
{
    cohort_executor *executor = dst->executor;
    uint64_t *users = executor->gathered;
    cohort_fences_clear(users, cohort_executor_rings(executor));
    cohort_buffer_add_users(dst, executor, users);
    (void)cohort_executor_wait_fences(executor, users, INT64_MAX);
    bool is_direct =
        cohort_crossing_is_shown(dst->context) && cohort_buffer_is_idle(dst) && dst->host != NULL;
    return is_direct ? dst->host : cohort_staging_take(&executor->staging, bytes);
}

void cohort_crossing_fill(cohort_buffer *dst, void *room, uint64_t bytes)
{
    if (room != dst->host)
        cohort_transfer_upload_taken(dst, 0, room, bytes);
}

void cohort_crossing_end(cohort_crossing *x, const cohort_strategy *s)
{
    cohort_executor *executor = s->executor;
    cohort_plan *plan = &executor->plan;
    plan->keeps_memory = plan->keeps_memory || s->workers->messages.has_given_up;
    for (int32_t i = 0; i < x->n; i++)
        if (!cohort_executor_has_lost(executor))
            cohort_messages_give(&s->workers->messages, x->blocks[i], cohort_staging_give);
}
