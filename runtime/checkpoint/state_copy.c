/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/state_copy.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/served_copy.h"
#include "runtime/checkpoint/source.h"

static cohort_status copy_tensor(const cohort_tensor_layout *t,
                                 const cohort_source_of_tensor *source, char *into)
{
    int32_t n = cohort_source_pieces(source);
    int64_t bytes = t->bytes / n;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < n && status >= 0; i++)
        status =
            cohort_source_fetch(source, source->has_components ? i : -1, into + i * bytes, bytes);
    return status;
}

/* Each tensor at a place that vectors load from. */
enum { ALIGNMENT = 64 };

static uint64_t place_bytes(const cohort_tensor_layout *t)
{
    return ((uint64_t)t->bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
}

/* What was kept of the copy before, unless it is too small, or more than twice as much. */
static bool make_room(cohort_state_copy *out)
{
    const cohort_tensors_layout *layout = &out->plan.layout;
    uint64_t bytes = ALIGNMENT;
    for (size_t i = 0; i < layout->n; i++)
        if (__builtin_add_overflow(bytes, place_bytes(&layout->tensors[i]), &bytes) ||
            bytes > SIZE_MAX / 2)
            return false;
    if (out->room == NULL || bytes > out->room_bytes || out->room_bytes > 2 * bytes) {
        cohort_free(out->room);
        out->room = cohort_allocate_aligned((size_t)bytes, ALIGNMENT);
        out->room_bytes = (size_t)bytes;
    }
    out->copies = cohort_allocate(layout->n, sizeof *out->copies);
    return out->room != NULL && out->copies != NULL;
}

static void place_copies(cohort_state_copy *out)
{
    const cohort_tensors_layout *layout = &out->plan.layout;
    char *at = out->room;
    for (size_t i = 0; i < layout->n; i++) {
        out->copies[i] = at;
        at += place_bytes(&layout->tensors[i]);
    }
}

/* What several workers have components of is read by all of them at once. */
static bool is_combined(const cohort_state *state, const cohort_item *item)
{
    return state->strategy->workers != NULL && item->variable != NULL &&
           item->variable->is_per_replica && item->is_combined;
}

/* Where the plan has what the item is read as; plan.layout.n: nowhere, another worker saves it. */
static size_t find_whole(const cohort_checkpoint_plan *plan, const cohort_item *item)
{
    size_t i = 0;
    for (; i < plan->layout.n; i++) {
        const cohort_source_of_tensor *source = &plan->sources[plan->layout.tensors[i].index];
        if (source->item == item && !source->has_components)
            break;
    }
    return i;
}

static cohort_status combine_item(cohort_state_copy *out, const cohort_item *item)
{
    const cohort_source_of_tensor source = { .item = item };
    const int64_t bytes = (int64_t)item->variable->bytes;
    const size_t at = find_whole(&out->plan, item);
    const bool is_here = at < out->plan.layout.n;
    void *room = is_here ? NULL : cohort_allocate_aligned((size_t)bytes + 1, ALIGNMENT);
    if (!is_here && room == NULL)
        return cohort_error_memory(item->name);
    cohort_status status =
        cohort_source_fetch(&source, -1, is_here ? out->copies[at] : room, bytes);
    cohort_free(room);
    return status;
}

/* In the order of the items, also by workers that do not save what comes of it. */
static cohort_status combine_all(cohort_state_copy *out, const cohort_state *state)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < state->n && status >= 0; i++)
        if (is_combined(state, &state->items[i]))
            status = combine_item(out, &state->items[i]);
    return status;
}

static cohort_status copy_all(cohort_state_copy *out, const cohort_state *state)
{
    const cohort_tensors_layout *layout = &out->plan.layout;
    if (!make_room(out))
        return cohort_error_memory("the copy of a checkpoint");
    place_copies(out);
    cohort_status status = combine_all(out, state);
    if (status >= 0 && state->strategy->servers != NULL)
        status = cohort_served_copy_take(out, state->strategy->servers);
    for (size_t i = 0; i < layout->n && status >= 0; i++) {
        const cohort_tensor_layout *t = &layout->tensors[i];
        const cohort_source_of_tensor *source = &out->plan.sources[t->index];
        if (!cohort_served_has(source) &&
            (source->has_components || !is_combined(state, source->item)))
            status = copy_tensor(t, source, out->copies[i]);
    }
    return status;
}

/* The sources are of the state, which ends here. */
cohort_status cohort_state_copy_take(cohort_state_copy *out, const cohort_state *state,
                                     int64_t step)
{
    cohort_servers *servers = state->strategy->servers;
    cohort_status status = servers != NULL ? cohort_servers_settle(servers, "saving") : COHORT_OK;
    if (status >= 0)
        status = cohort_checkpoint_plan_begin(&out->plan, state, step);
    if (status >= 0)
        status = copy_all(out, state);
    cohort_free(out->plan.sources);
    out->plan.sources = NULL;
    if (status < 0 && servers != NULL) {
        cohort_messages_give(&servers->messages, out->room, cohort_free);
        out->room = NULL;
    }
    if (status < 0)
        cohort_state_copy_free(out);
    return status;
}

void cohort_state_copy_drop(cohort_state_copy *copy)
{
    cohort_free(copy->copies);
    copy->copies = NULL;
    cohort_checkpoint_plan_end(&copy->plan);
}

void cohort_state_copy_free(cohort_state_copy *copy)
{
    cohort_state_copy_drop(copy);
    cohort_free(copy->room);
    copy->room = NULL;
    copy->room_bytes = 0;
}
