/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading variables into memory of the caller, in cross-replica context and in step functions. */
#include "config.h"

#include "runtime/rows/fetch.h"

#include "runtime/operation/ledger.h"
#include "runtime/rows/components.h"
#include "runtime/step/trace.h"
#include "runtime/strategy/call.h"

#include <stdio.h>
#include <string.h>

static cohort_status check_into(cohort_variable *v, const cohort_array *into)
{
    char has[128], got[128];
    cohort_status status = cohort_array_check(into, false, "cohort_variable_read");
    if (status >= 0)
        status = cohort_variable_check_readable(v, "cohort_variable_read");
    if (status < 0)
        return status;
    bool is_same = into->dtype == v->dtype && cohort_array_item_bytes(into) == v->item_bytes &&
                   (uint64_t)(cohort_array_items(into) * v->item_bytes) == v->bytes;
    return is_same ? COHORT_OK
                   : cohort_error_set(
                         COHORT_EINVAL, "variable '%s' is %s, the array %s", v->name,
                         cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                         cohort_shape_to_string(into->dtype, into->rank, into->shape, got));
}

static void *make_staging(const cohort_variable *v, uint64_t bytes)
{
    void *staging = cohort_staging_take(&v->strategy->executor->staging, bytes);
    if (staging == NULL)
        (void)cohort_error_memory("reading a variable");
    return staging;
}

static void free_staging(const cohort_variable *v, void *staging)
{
    if (!cohort_executor_has_lost(
            v->strategy->executor)) /* else a late device may still write into it */
        cohort_staging_give(staging);
}

/* ------------------------------------------------------------------ cross-replica */

/* The buffer that has all of it where it lies, home first; NULL of shards. */
static cohort_buffer *find_whole(cohort_variable *v)
{
    int32_t home = cohort_variable_store_for(v, v->strategy->home);
    return v->is_sharded ? NULL : cohort_variable_current(v, home >= 0 ? home : 0);
}

/* All shards start before the first is waited for. */
static cohort_status download(cohort_variable *v, cohort_buffer *whole, void *staging)
{
    cohort_executor *executor = v->strategy->executor;
    cohort_fence fence = { NULL, 0 };
    if (whole != NULL)
        fence = cohort_transfer_look(whole, 0, staging, v->bytes);
    for (int32_t i = 0; i < v->n_stores && whole == NULL; i++)
        v->stores[i].last =
            cohort_transfer_look(cohort_variable_current(v, i), 0,
                                 (char *)staging + v->stores[i].offset, v->stores[i].bytes);
    cohort_executor_wait(executor, fence);
    for (int32_t i = 0; i < v->n_stores && whole == NULL; i++)
        cohort_executor_wait(executor, v->stores[i].last);
    return cohort_failure_tell(&executor->failure);
}

/* Memory that the host sees is read in place. Waiting for the buffer alone is not enough: the write
 * that filled it may still fail on another store, and would then be undone (variable.h). What the
 * program has read is never taken back. */
static cohort_status await_visible(cohort_variable *v, cohort_buffer *whole)
{
    cohort_buffer_wait_written(whole);
    cohort_variable_wait_complete(v);
    return cohort_failure_tell(&v->strategy->executor->failure);
}

static cohort_status read_visible(cohort_variable *v, cohort_buffer *whole,
                                  const cohort_array *into)
{
    cohort_status status = await_visible(v, whole);
    if (status >= 0)
        cohort_array_unpack(into, whole->host);
    return status;
}

static cohort_status read_staged(cohort_variable *v, cohort_buffer *whole, const cohort_array *into)
{
    void *staging = make_staging(v, v->bytes);
    if (staging == NULL)
        return COHORT_ENOMEM;
    cohort_status status = download(v, whole, staging);
    cohort_variable_wait_complete(v);
    if (status >= 0)
        status = cohort_failure_tell(&v->strategy->executor->failure);
    if (status >= 0)
        cohort_array_unpack(into, staging);
    free_staging(v, staging);
    return status;
}

static bool is_visible(const cohort_buffer *buffer)
{
    return cohort_context_has(buffer->context, COHORT_CAP_HOST_VISIBLE);
}

/* Components, each at a place of its own in the room where its device does not show it. All start
 * before the first is waited for. */
static cohort_status bring(cohort_variable *v, char *room, uint64_t step, const void *out_terms[])
{
    cohort_executor *executor = v->strategy->executor;
    for (int32_t i = 0; i < v->n_stores; i++)
        if (!is_visible(cohort_variable_current(v, i)))
            v->stores[i].last = cohort_transfer_look(cohort_variable_current(v, i), 0,
                                                     room + (uint64_t)i * step, v->bytes);
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_buffer *buffer = cohort_variable_current(v, i);
        if (is_visible(buffer))
            cohort_buffer_wait_written(buffer);
        else
            cohort_executor_wait(executor, v->stores[i].last);
        out_terms[i] = is_visible(buffer) ? buffer->host : room + (uint64_t)i * step;
    }
    cohort_variable_wait_complete(v);
    return cohort_failure_tell(&executor->failure);
}

/* The last place in the room is the total's. */
static cohort_status read_little(cohort_variable *v, const cohort_array *into)
{
    const void *terms[COHORT_MAX_TERMS];
    const uint64_t step = (v->bytes + 63) / 64 * 64;
    char *room = make_staging(v, (uint64_t)(v->n_stores + 1) * step);
    if (room == NULL)
        return COHORT_ENOMEM;
    cohort_status status = bring(v, room, step, terms);
    if (status >= 0) {
        char *total = room + (uint64_t)v->n_stores * step;
        cohort_components_fold(v, terms, total);
        cohort_array_unpack(into, total);
    }
    free_staging(v, room);
    return status;
}

/* whole: as find_whole. */
static cohort_status read_buffer(cohort_variable *v, cohort_buffer *whole, const cohort_array *into)
{
    return whole != NULL && is_visible(whole) ? read_visible(v, whole, into)
                                              : read_staged(v, whole, into);
}

/* ON_READ: the components are combined into scratch, which lasts until the reducer is restarted. */
static cohort_status combine(cohort_variable *v, cohort_buffer **out_whole)
{
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    if (reducer == NULL)
        return COHORT_ENOMEM;
    cohort_reducer_restart(reducer);
    *out_whole = cohort_components_combine(v, reducer);
    return *out_whole != NULL ? COHORT_OK : cohort_failure_tell(&v->strategy->executor->failure);
}

cohort_status cohort_fetch_whole(cohort_variable *v, const cohort_array *into)
{
    cohort_buffer *whole = NULL;
    cohort_status status = check_into(v, into);
    if (status >= 0 && v->is_per_replica)
        status = cohort_components_check(v);
    if (status >= 0 && v->bytes > 0 && cohort_components_are_little(v))
        return read_little(v, into);
    if (status >= 0 && v->is_per_replica)
        status = combine(v, &whole);
    else if (status >= 0)
        whole = find_whole(v);
    return status < 0 || v->bytes == 0 ? status : read_buffer(v, whole, into);
}

cohort_status cohort_fetch_component(cohort_variable *v, int32_t replica, const cohort_array *into)
{
    cohort_status status = check_into(v, into);
    return status < 0 || v->bytes == 0 ? status
                                       : read_buffer(v, cohort_variable_current(v, replica), into);
}

const void *cohort_fetch_in_place(cohort_variable *v, int32_t component, cohort_status *out_status)
{
    bool is_combined = component < 0 && v->is_per_replica;
    cohort_buffer *buffer = is_combined || v->bytes == 0 ? NULL
                            : component < 0              ? find_whole(v)
                                                         : cohort_variable_current(v, component);
    *out_status = cohort_variable_check_readable(v, "cohort_variable_read");
    if (*out_status < 0 || buffer == NULL || !is_visible(buffer))
        return NULL;
    *out_status = await_visible(v, buffer);
    return *out_status < 0 ? NULL : buffer->host;
}

/* ------------------------------------------------------------------ in a step function */

/* The content on this very device: what lies with a peer is copied, so that only this lane has to
 * do something. */
static cohort_buffer *place_here(cohort_variable *v, int32_t replica, int32_t device)
{
    cohort_buffer *buffer = cohort_variable_place_read(v, replica, device);
    cohort_reducer *reducer =
        buffer->context->index != device ? cohort_reducer_of(v->strategy) : NULL;
    if (buffer->context->index == device || reducer == NULL)
        return buffer;
    cohort_reducer_restart(reducer);
    cohort_buffer *here = cohort_reducer_scratch(reducer, device, v->bytes);
    if (here != NULL)
        cohort_transfer_copy(here, buffer, v->bytes);
    return here;
}

/* Planned under the lock; done when the lane's step ring is. */
static cohort_status read_own(cohort_replica *me, cohort_variable *v, const cohort_array *into,
                              void *staging)
{
    int32_t device = v->strategy->host[me->id];
    cohort_stage_lock(me);
    cohort_status status = check_into(v, into);
    if (status >= 0)
        status = cohort_variable_prepare_read(v, device);
    cohort_buffer *buffer = status >= 0 && v->bytes > 0 ? place_here(v, me->id, device) : NULL;
    if (buffer != NULL)
        (void)cohort_transfer_download(buffer, 0, staging, v->bytes);
    cohort_status sticky = cohort_stage_unlock(me);
    status = status < 0 ? status : sticky;
    if (status >= 0)
        cohort_array_unpack(into, staging);
    return status;
}

static cohort_status read_in_step(cohort_replica *me, cohort_variable *v, const cohort_array *into)
{
    cohort_status status = cohort_failure_tell(&v->strategy->executor->failure);
    if (status >= 0 && cohort_trace_is_on(me))
        status = cohort_recorder_refuse("cohort_variable_read");
    void *staging = status >= 0 ? make_staging(v, v->bytes) : NULL;
    if (staging == NULL)
        return status < 0 ? status : COHORT_ENOMEM;
    status = read_own(me, v, into, staging);
    free_staging(v, staging);
    return status;
}

cohort_status cohort_variable_read(cohort_variable *variable, cohort_array into)
{
    cohort_status status = cohort_call_about(variable, COHORT_HANDLE_VARIABLE,
                                             "cohort_variable_read", "the variable", NULL);
    if (status < 0)
        return status;
    cohort_replica *me = cohort_stage_replica_of(variable->strategy);
    if (me != NULL)
        return cohort_call_end(variable->strategy, read_in_step(me, variable, &into));
    status = cohort_call_enter(variable->strategy, "cohort_variable_read");
    if (status < 0)
        return status;
    if (!variable->is_per_replica || cohort_components_are_little(variable))
        cohort_ledger_say_quiet(variable->strategy->executor);
    do
        status = cohort_fetch_whole(variable, &into);
    while (cohort_call_may_repeat(variable->strategy, status));
    return cohort_call_leave(variable->strategy, status);
}
