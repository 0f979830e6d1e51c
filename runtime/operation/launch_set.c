/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of a set: a head, for each launch where its head is, and its slots with what stands
 * behind them, and the imports. */
#include "config.h"

#include "runtime/operation/launch_set.h"

#include "runtime/base/assert.h"
#include "runtime/operation/launch_batch.h"
#include "runtime/operation/ledger.h"

#include <stddef.h>
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
    const cohort_import *imports = (const void *)((const char *)s + s->imports_at);
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

static set_op *op_of(const cohort_launch_set *set)
{
    return (set_op *)set->record;
}

static uint32_t entry_bytes(const cohort_executable *executable)
{
    return (uint32_t)sizeof(entry) +
           (executable->commits_at + 15) / 16 * 16; /* a run has no commits */
}

static size_t most_imports(int32_t n_uses)
{
    return (size_t)(n_uses < COHORT_LAUNCH_SET_IMPORTS ? n_uses : COHORT_LAUNCH_SET_IMPORTS);
}

size_t cohort_launch_set_bytes_for(const cohort_executable *executable, int32_t n_uses)
{
    return first_entry() + entry_bytes(executable) + most_imports(n_uses) * sizeof(cohort_import);
}

void cohort_launch_set_make(cohort_launch_set *set, char *record, cohort_use uses[])
{
    *set = (cohort_launch_set){ .record = record, .uses = uses, .bytes = first_entry() };
    *op_of(set) = (set_op){ .op = COHORT_OP(.run = do_set, .end = end_set) };
}

/* Several launches are one operation where each is over when it was done. */
static bool takes(const cohort_launch_set *set, const cohort_executable *executable, int32_t n_uses)
{
    return set->n == 0 || (executable->context == set->context &&
                           cohort_context_has(set->context, COHORT_CAP_PROMPT) &&
                           set->bytes + entry_bytes(executable) <= COHORT_LAUNCH_SET_BYTES &&
                           set->n_uses + n_uses <= COHORT_LAUNCH_SET_USES);
}

cohort_launch_slot *cohort_launch_set_add(cohort_launch_set *set, const cohort_launch_op *head,
                                          int32_t n_uses)
{
    set_op *s = op_of(set);
    if (!takes(set, head->executable, n_uses))
        return NULL;
    set->context = head->executable->context;
    entry *e = entry_at(set->record, set->bytes);
    *e = (entry){ .head = head, .bytes = entry_bytes(head->executable) };
    s->n = ++set->n;
    s->op.subject = head->op.subject;
    s->op.flags = head->op.flags;
    s->op.replica = s->n == 1 ? head->op.replica : -1;
    set->bytes += e->bytes;
    set->n_uses += n_uses;
    return e->slots;
}

/* Behind the last launch, where a multiple of 16 begins. */
static cohort_import *imports_of(const cohort_launch_set *set)
{
    return (cohort_import *)(set->record + set->bytes);
}

bool cohort_launch_set_import(cohort_launch_set *set, cohort_buffer *buffer, const void *memory,
                              uint64_t bytes)
{
    if (set->n_imports == COHORT_LAUNCH_SET_IMPORTS || buffer->context != set->context ||
        !cohort_context_has(set->context, COHORT_CAP_PROMPT))
        return false;
    cohort_buffer_note_import(buffer, memory);
    imports_of(set)[set->n_imports++] = (cohort_import){ buffer, memory, bytes };
    return true;
}

cohort_import *cohort_launch_set_list_imports(cohort_op *op, int32_t *out_n)
{
    const set_op *s = (const set_op *)op;
    *out_n = op->run == do_set ? s->n_imports : 0;
    return *out_n > 0 ? (void *)((char *)op + s->imports_at) : NULL;
}

/* Rare, and so no part of the submission of a set that nobody watches. */
static __attribute__((noinline)) void say_counts(const cohort_launch_set *set,
                                                 cohort_executor *executor)
{
    uint32_t at = first_entry();
    for (int32_t i = 0; i < set->n; i++) {
        const entry *e = entry_at(set->record, at);
        cohort_launch_say_counts(executor, e->head, at + offsetof(entry, slots));
        at += e->bytes;
    }
}

cohort_fence cohort_launch_set_submit(cohort_launch_set *set, cohort_executor *executor)
{
    set_op *s = op_of(set);
    if (executor->plan.watch != NULL)
        say_counts(set, executor);
    s->n_imports = set->n_imports;
    s->imports_at = set->bytes;
    return cohort_submit(executor, set->context, &s->op,
                         set->bytes + (size_t)set->n_imports * sizeof(cohort_import), set->uses,
                         set->n_uses);
}
