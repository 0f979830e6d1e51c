/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts: in an update of shards, each shard's launch gets its own rows of the arguments that go by
 * the same bound. Rows that do not lie on the device of their shard are copied into scratch memory,
 * which is taken before anything is posted: cohort_cut_place cannot fail. */
#include "config.h"

#include "runtime/call/cut.h"

#include "runtime/base/memory.h"
#include "runtime/reduce/reducer.h"
#include "runtime/value/operand.h"
#include "runtime/value/remote.h"
#include "runtime/value/variable_places.h"

#include <string.h>

static cohort_operand operand_of(const cohort_bound_array *a)
{
    return (cohort_operand){ .value = a->value, .variable = a->variable };
}

/* Extents are compared as the prototype writes them, and not as numbers: two bounds that happen to
 * be equal cut nothing. */
static bool is_same_extent(const cohort_expression *a, const cohort_expression *b)
{
    bool is_same = a->count > 0 && a->count == b->count;
    for (int32_t i = 0; i < a->count && is_same; i++)
        is_same =
            a->nodes[i].kind == b->nodes[i].kind && a->nodes[i].operand == b->nodes[i].operand;
    return is_same;
}

bool cohort_cut_is_on(const cohort_binding *b)
{
    if (b->kind != COHORT_CALL_UPDATE || b->rows_of < 0)
        return false;
    const cohort_remote *r = b->updated->remote;
    return r != NULL ? r->shards[0].rows > 0 : b->updated->is_sharded;
}

int64_t cohort_cut_rows(const cohort_binding *b, int32_t launch)
{
    return b->updated->remote != NULL ? b->updated->remote->shards[launch].rows
                                      : b->updated->stores[b->first + launch].rows;
}

bool cohort_cut_has(const cohort_binding *b, const cohort_bound_array *a)
{
    if (!cohort_cut_is_on(b))
        return false;
    if (a->mode == COHORT_USE_WRITE)
        return true;
    cohort_operand operand = operand_of(a);
    cohort_component whole = cohort_operand_look(&operand, 0);
    return is_same_extent(&a->parameter->extents[0],
                          &b->signature->parameters[b->rows_of].extents[0]) &&
           whole.extents.rank > 0 && whole.extents.shape[0] == b->updated->extents.shape[0];
}

/* Has the device of each shard these rows already? */
static bool lies_alike(const cohort_binding *b, const cohort_bound_array *a)
{
    return a->variable != NULL && cohort_variable_is_placed_like(a->variable, b->updated);
}

static uint64_t row_bytes(const cohort_bound_array *a)
{
    cohort_operand operand = operand_of(a);
    cohort_component whole = cohort_operand_look(&operand, 0);
    return (uint64_t)(cohort_component_items(&whole) / whole.extents.shape[0] * whole.item_bytes);
}

static bool is_brought(const cohort_binding *b, const cohort_bound_array *a)
{
    return a->mode == COHORT_USE_READ && cohort_cut_has(b, a) && !lies_alike(b, a);
}

static cohort_buffer **part_of(const cohort_binding *b, const cohort_bound_array *a, int32_t launch)
{
    return &b->parts[launch * b->n_arrays + (a - b->arrays)];
}

/* All parts stay in scratch until the update is posted, so the reducer is restarted once for the
 * whole call. */
cohort_status cohort_cut_prepare(cohort_binding *b)
{
    if (!b->updated->is_sharded)
        return COHORT_OK;
    cohort_reducer *reducer = cohort_reducer_of(b->strategy);
    size_t n = (size_t)b->count * (size_t)b->n_arrays;
    if (reducer == NULL ||
        !cohort_grow((void **)&b->parts, &b->parts_capacity, n, sizeof *b->parts))
        return cohort_error_memory("an update");
    cohort_reducer_restart(reducer);
    for (int32_t launch = 0; launch < b->count; launch++)
        for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays; a++) {
            if (!is_brought(b, a))
                continue;
            uint64_t bytes = (uint64_t)b->updated->stores[launch].rows * row_bytes(a);
            cohort_buffer **part = part_of(b, a, launch);
            *part = cohort_reducer_scratch(reducer, cohort_binding_device(b, launch), bytes);
            if (*part == NULL)
                return COHORT_ENOMEM;
        }
    return COHORT_OK;
}

cohort_buffer *cohort_cut_place(const cohort_binding *b, const cohort_bound_array *a,
                                int32_t launch)
{
    const cohort_store *store = &b->updated->stores[launch];
    if (lies_alike(b, a))
        return cohort_variable_current(a->variable, launch);
    cohort_operand operand = operand_of(a);
    uint64_t bytes = row_bytes(a);
    cohort_operand_copy_range(&operand, 0, (uint64_t)store->first_row * bytes,
                              (uint64_t)store->rows * bytes, *part_of(b, a, launch));
    return *part_of(b, a, launch);
}
