/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a memo: one block, in which its parts stand one behind the other. */
#include "config.h"

#include "runtime/memo/memo_parts.h"

#include "runtime/base/memory.h"
#include "runtime/call/sharers.h"

#include <string.h>

/* One memo, and all of a strategy: those of the cache, and as many of recorded calls. A program of
 * many replicas or many calls goes on without. */
enum { MOST_BYTES = 512 * 1024, MOST_BYTES_OF_ALL = 32 * 1024 * 1024 };

typedef struct layout {
    size_t bytes;
    bool is_too_large;
} layout;

/* Where the next part of the block begins. */
static size_t take(layout *all, size_t count, size_t size)
{
    size_t at = all->bytes;
    all->is_too_large = all->is_too_large || (count > 0 && size > (MOST_BYTES - at) / count);
    if (!all->is_too_large)
        all->bytes = (at + count * size + 63) / 64 * 64;
    all->is_too_large = all->is_too_large || all->bytes > MOST_BYTES;
    return at;
}

/* Where the parts of a memo begin in its block. */
typedef struct plan {
    size_t arguments, launches, cells, shapes, posted, heads, sets, uses, records, binding, bounds,
        is_absent, numbers, prepared;
    size_t bytes;
} plan;

static bool is_run(const cohort_binding *b)
{
    return b->kind != COHORT_CALL_UPDATE;
}

static size_t count_prepared(const cohort_binding *b)
{
    return is_run(b) ? 0 : (size_t)(b->count + cohort_sharers_room(b));
}

static int32_t count_cells(const cohort_binding *b)
{
    return b->n_arrays + (b->result != NULL);
}

/* Of a run the slots alone, in sets, whose heads are apart; of an update all of the record, which
 * is copied with its commits. */
static size_t record_bytes(const cohort_binding *b, const cohort_executable *executable)
{
    return is_run(b) ? cohort_launch_set_bytes_for(executable, count_cells(b))
                     : cohort_launch_bytes(executable);
}

/* Every part begins at a cache line of its own: so runners read none that the planner writes, for
 * heads stay as they are. False: it is too large. */
static bool plan_block(cohort_memos *memos, const cohort_memo_call *call, int32_t n,
                       const int32_t order[], plan *out)
{
    const cohort_binder *binder = memos->binder;
    const cohort_binding *b = &binder->binding;
    bool is_update = !is_run(b);
    size_t count = (size_t)b->count, n_cells = (size_t)count_cells(b);
    layout all = { 0, false };
    (void)take(&all, 1, sizeof(cohort_memo));
    out->arguments = take(&all, (size_t)n, sizeof(cohort_memo_argument));
    out->launches = take(&all, count, sizeof(cohort_memo_launch));
    out->cells = take(&all, count, n_cells * sizeof(cohort_memo_cell));
    out->shapes = take(&all, count, n_cells * sizeof(cohort_memo_shape));
    out->binding = take(&all, is_update, sizeof(cohort_binding));
    out->bounds = take(&all, is_update * count, sizeof(cohort_bounds));
    out->is_absent = take(&all, is_update * count, sizeof(bool));
    out->numbers = take(&all, is_update, b->signature->value_bytes);
    out->prepared = take(&all, count_prepared(b), sizeof(cohort_prepared));
    out->posted =
        take(&all, (size_t)cohort_executor_rings(b->strategy->executor), sizeof(cohort_noted));
    out->heads = take(&all, is_update ? 0 : count, sizeof(cohort_launch_op));
    out->sets = take(&all, is_update ? 0 : count, sizeof(cohort_launch_set));
    out->uses = take(&all, is_update ? 0 : count, n_cells * sizeof(cohort_use));
    out->records = all.bytes;
    for (size_t i = 0; i < count; i++)
        (void)take(&all, 1, record_bytes(b, binder->prepared[order[i]].executable));
    out->bytes = all.bytes;
    return !all.is_too_large && all.bytes <= MOST_BYTES_OF_ALL - *cohort_memo_bytes(memos, call);
}

size_t *cohort_memo_bytes(cohort_memos *memos, const cohort_memo_call *call)
{
    return call->own != NULL ? &memos->own_bytes : &memos->bytes;
}

/* A set takes the room of the launches that join it, which follow one another. */
static void make_run(cohort_memo *memo, const cohort_binder *binder, const int32_t order[],
                     const plan *at)
{
    char *block = (char *)memo;
    layout rooms = { at->records, false };
    memo->sets = (cohort_launch_set *)(block + at->sets);
    for (int32_t i = 0; i < memo->n_launches; i++) {
        cohort_memo_launch *l = &memo->launches[i];
        const cohort_executable *executable = binder->prepared[order[i]].executable;
        l->head = (cohort_launch_op *)(block + at->heads) + i;
        l->uses = (cohort_use *)(block + at->uses) + i * memo->n_cells;
        l->room = block + take(&rooms, 1, record_bytes(&binder->binding, executable));
    }
}

static void make_update(cohort_memo *memo, const cohort_binder *binder, const int32_t order[],
                        const plan *at)
{
    char *block = (char *)memo;
    const cohort_binding *b = &binder->binding;
    layout records = { at->records, false };
    for (int32_t i = 0; i < memo->n_launches; i++) {
        cohort_memo_launch *l = &memo->launches[i];
        const cohort_executable *executable = binder->prepared[order[i]].executable;
        l->head = (cohort_launch_op *)(block + take(&records, 1, record_bytes(b, executable)));
        l->slots = l->head->slots;
    }
    memo->binding = (cohort_binding *)(block + at->binding);
    memo->binding->bounds = (cohort_bounds *)(block + at->bounds);
    memo->binding->is_absent = (bool *)(block + at->is_absent);
    memo->binding->numbers = block + at->numbers;
    memo->prepared = (cohort_prepared *)(block + at->prepared);
    memo->n_prepared = (int32_t)count_prepared(b);
}

cohort_memo *cohort_memo_make_block(cohort_memos *memos, const cohort_memo_call *call,
                                    const int32_t order[])
{
    const cohort_binder *binder = memos->binder;
    const cohort_binding *b = &binder->binding;
    int32_t n = cohort_arguments_count(call->flat);
    plan at;
    char *block =
        plan_block(memos, call, n, order, &at) ? cohort_allocate_aligned(at.bytes, 64) : NULL;
    if (block == NULL)
        return NULL;
    memset(block, 0, at.bytes);
    cohort_memo *memo = (cohort_memo *)block;
    *memo = (cohort_memo){ .bytes = at.bytes,
                           .call = *call,
                           .arguments = (cohort_memo_argument *)(block + at.arguments),
                           .launches = (cohort_memo_launch *)(block + at.launches),
                           .n_arguments = n,
                           .n_launches = b->count,
                           .n_cells = count_cells(b),
                           .posted = (cohort_noted *)(block + at.posted) };
    memo->call.call.arguments = memo->call.flat = NULL;
    memo->call.call.only_on = NULL;
    for (int32_t i = 0; i < b->count; i++) {
        cohort_memo_launch *l = &memo->launches[i];
        l->cells = (cohort_memo_cell *)(block + at.cells) + i * memo->n_cells;
        l->shapes = (cohort_memo_shape *)(block + at.shapes) + i * memo->n_cells;
    }
    if (is_run(b))
        make_run(memo, binder, order, &at);
    else
        make_update(memo, binder, order, &at);
    return memo;
}
