/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of a set: a head, for each launch where its head is, and its slots with what stands
 * behind them, and the imports. */
#include "config.h"

#include "runtime/operation/launch_set.h"

#include "runtime/base/assert.h"
#include "runtime/operation/launch_batch.h"

#include <string.h>

typedef struct set_op {
    cohort_op op;
    int32_t n, n_imports;
    uint32_t imports_at;
} set_op;

/* Slots begin at multiples of 16. */
typedef struct entry {
    const cohort_launch_op *head;
    uint32_t bytes; /* to the next */
    int32_t n_uses; /* the planner's */
    _Alignas(16) cohort_launch_slot slots[];
} entry;

static uint32_t first_entry(void)
{
    return (sizeof(set_op) + 15) / 16 * 16;
}

static entry *entry_at(void *start, uint32_t bytes)
{
    return (entry *)((char *)start + bytes);
}

/* ------------------------------------------------------------------ doing */

static cohort_status do_imports(const set_op *s)
{
    const cohort_launch_import *imports = (const void *)((const char *)s + s->imports_at);
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->n_imports && status >= 0; i++)
        status = cohort_buffer_do_import(imports[i].buffer, imports[i].memory, imports[i].bytes);
    return status;
}

static cohort_status do_each(cohort_lane *lane, const set_op *s, entry *e)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->n && status >= 0; i++) {
        status = cohort_launch_do(lane, e->head, e->slots, s->op.number, NULL);
        if (status >= 0)
            status = cohort_launch_end(e->head, e->slots, status, true);
        e = entry_at(e, e->bytes);
    }
    return status;
}

/* By itself, for a launch that is alone needs no room for a batch on its stack. */
__attribute__((noinline)) static cohort_status do_batches(cohort_lane *lane, const set_op *s,
                                                          entry *e)
{
    cohort_launch_batch batch;
    cohort_status status = COHORT_OK;
    cohort_launch_batch_begin(&batch, s->op.number);
    for (int32_t i = 0; i < s->n && status >= 0; i++) {
        if (!cohort_launch_batch_add(&batch, e->head, e->slots)) {
            status = cohort_launch_batch_do(&batch, lane);
            cohort_launch_batch_begin(&batch, s->op.number);
            (void)cohort_launch_batch_add(&batch, e->head, e->slots);
        }
        e = entry_at(e, e->bytes);
    }
    return status < 0 ? status : cohort_launch_batch_do(&batch, lane);
}

/* A launch that is alone may be in flight when its turn is over, and ends with the operation. Of
 * several, each is over before the next. */
static cohort_status do_set(cohort_lane *lane, cohort_op *op)
{
    const set_op *s = (set_op *)op;
    entry *e = entry_at(op, first_entry());
    cohort_status status = do_imports(s);
    if (status < 0)
        return status;
    if (s->n == 1)
        return cohort_launch_do(lane, e->head, e->slots, op->number, &op->pending);
    return cohort_launch_batch_takes(e->head->executable) ? do_batches(lane, s, e)
                                                          : do_each(lane, s, e);
}

static cohort_status end_set(cohort_op *op, cohort_status status)
{
    const set_op *s = (set_op *)op;
    entry *e = entry_at(op, first_entry());
    return s->n == 1 ? cohort_launch_end(e->head, e->slots, status, op->status >= 0) : status;
}

/* ------------------------------------------------------------------ planning */

static set_op *op_of(cohort_launch_set *set)
{
    return (set_op *)set->record;
}

void cohort_launch_set_begin(cohort_launch_set *set)
{
    set->context = NULL;
    set->n_uses = set->n_imports = 0;
    set->bytes = first_entry();
    *op_of(set) = (set_op){ .op = COHORT_OP(.run = do_set, .end = end_set) };
}

/* Several launches are one operation where each is over when it was done. */
cohort_use *cohort_launch_set_add(cohort_launch_set *set, const cohort_launch_op *head,
                                  const cohort_launch_slot slots[], int32_t n_uses)
{
    set_op *s = op_of(set);
    uint32_t slot_bytes = head->executable->commits_at; /* a run has none */
    uint32_t bytes = (uint32_t)sizeof(entry) + (slot_bytes + 15) / 16 * 16;
    const cohort_context *context = head->executable->context;
    bool has_room = bytes <= COHORT_LAUNCH_SET_BYTES - set->bytes &&
                    n_uses <= COHORT_LAUNCH_SET_USES - set->n_uses;
    cohort_assert(has_room || s->n > 0);
    if (!has_room ||
        (s->n > 0 && (context != set->context || !cohort_context_has(context, COHORT_CAP_PROMPT))))
        return NULL;
    set->context = context;
    entry *e = entry_at(set->record, set->bytes);
    *e = (entry){ .head = head, .bytes = bytes, .n_uses = n_uses };
    memcpy(e->slots, slots, slot_bytes);
    s->n++;
    s->op.subject = head->op.subject;
    s->op.flags = head->op.flags;
    s->op.replica = s->n == 1 ? head->op.replica : -1;
    set->bytes += bytes;
    set->n_uses += n_uses;
    return &set->uses[set->n_uses - n_uses];
}

bool cohort_launch_set_import(cohort_launch_set *set, cohort_buffer *buffer, const void *memory,
                              uint64_t bytes)
{
    if (set->n_imports == COHORT_LAUNCH_SET_IMPORTS || buffer->context != set->context ||
        !cohort_context_has(set->context, COHORT_CAP_PROMPT))
        return false;
    cohort_buffer_note_import(buffer, memory);
    set->imports[set->n_imports++] = (cohort_launch_import){ buffer, memory, bytes };
    return true;
}

/* Behind the last launch, where a multiple of 16 begins. */
static void join_imports(cohort_launch_set *set)
{
    set_op *s = op_of(set);
    size_t bytes = (size_t)set->n_imports * sizeof *set->imports;
    s->n_imports = set->n_imports;
    s->imports_at = set->bytes;
    memcpy(set->record + set->bytes, set->imports, bytes);
    set->bytes += (uint32_t)bytes;
}

cohort_launch_import *cohort_launch_set_list_imports(cohort_op *op, int32_t *out_n)
{
    const set_op *s = (const set_op *)op;
    *out_n = op->run == do_set ? s->n_imports : 0;
    return *out_n > 0 ? (void *)((char *)op + s->imports_at) : NULL;
}

cohort_fence cohort_launch_set_submit(cohort_launch_set *set, cohort_executor *executor)
{
    const cohort_use *uses = set->uses;
    entry *e = entry_at(set->record, first_entry());
    for (int32_t i = 0; i < op_of(set)->n; i++) {
        cohort_launch_fill_buffers(e->head->executable, e->slots, uses, e->n_uses);
        uses += e->n_uses;
        e = entry_at(e, e->bytes);
    }
    join_imports(set);
    return cohort_submit(executor, set->context, &op_of(set)->op, set->bytes, set->uses,
                         set->n_uses);
}
