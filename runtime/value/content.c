/* SPDX-License-Identifier: BSD-3-Clause */
/* A content keeps three answers to where its newest bytes are: a source in memory of this process,
 * copies on devices, and none, after a failure. Epochs tell them apart (places.h); every write
 * counts one up and so makes all older copies stale at once. All of it is the planner's. */
#include "config.h"

#include "runtime/value/content.h"

#include "runtime/base/alterations.h"
#include "runtime/base/array.h"
#include "runtime/base/assert.h"
#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/operation/give_back.h"

#include <stdatomic.h>
#include <string.h>

/* Any thread that plans for a strategy takes one. */
static uint64_t next_form(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

/* A caller that has found it FILLED has to look again. */
static void take_next_form(cohort_content *content)
{
    if (content->state == COHORT_CONTENT_FILLED)
        cohort_alterations_add();
    content->form = next_form();
}

/* All zeros is an empty content: epoch 0, no source, nothing owned, and a form that nobody has
 * kept, for what is kept was FILLED, or is to be. */
cohort_status cohort_content_init(cohort_content *content, cohort_executor *executor,
                                  int32_t first_device, int32_t n_devices)
{
    memset(content, 0, sizeof *content);
    cohort_status status = cohort_places_init(&content->places, executor, first_device, n_devices);
    return status < 0 ? cohort_error_memory("a value") : COHORT_OK;
}

/* Behind everything that uses the buffers of its copies, which may be uploads from this memory or
 * the memory itself in place; at once where devices get copies of it as it is. The last device of
 * the list does it; which one is all the same. */
void cohort_content_drop_owned(cohort_content *content, cohort_executor *executor)
{
    void *owned = content->owned;
    cohort_context *where = NULL;
    content->owned = NULL;
    if (executor->plan.keeps_memory)
        cohort_keep(owned);
    if (owned == NULL || executor->plan.keeps_memory)
        return;
    cohort_fences_clear(executor->gathered, cohort_executor_rings(executor));
    for (int32_t i = 0; i < content->places.n; i++) {
        const cohort_buffer *buffer = content->places.list[i].buffer;
        if (buffer != NULL && !content->is_copied) {
            where = buffer->context;
            cohort_buffer_add_users(buffer, executor, executor->gathered);
        }
    }
    if (where != NULL) /* on a lost device it is leaked */
        cohort_give_back_post(executor, where, executor->gathered, owned, content->give_back);
    else
        content->give_back(owned); /* no device ever saw it */
}

/* The owned memory goes first, for it waits for the users of the buffers that the places then
 * destroy. */
void cohort_content_fini(cohort_content *content, cohort_executor *executor)
{
    cohort_content_drop_owned(content, executor);
    cohort_places_fini(&content->places);
}

void cohort_content_begin(cohort_content *content)
{
    take_next_form(content);
    content->state = COHORT_CONTENT_FILLED;
}

void cohort_content_become(cohort_content *content, cohort_content_state state)
{
    cohort_assert(state != COHORT_CONTENT_FILLED);
    take_next_form(content);
    content->state = state;
}

/* Calls that repeat write the same shape each time. */
void cohort_content_take_shape(cohort_content *content, cohort_dtype dtype, int64_t item_bytes,
                               const cohort_extents *extents)
{
    if (content->dtype == dtype && content->item_bytes == item_bytes &&
        cohort_extents_is_same(&content->extents, extents))
        return;
    content->dtype = dtype;
    content->item_bytes = item_bytes;
    content->extents = *extents;
    take_next_form(content);
}

void cohort_content_take_form(cohort_content *content, const cohort_array *array)
{
    cohort_extents extents = { .rank = array->rank };
    memcpy(extents.shape, array->shape, sizeof extents.shape);
    cohort_content_take_shape(content, array->dtype, cohort_array_item_bytes(array), &extents);
}

int64_t cohort_content_items(const cohort_content *content)
{
    return cohort_shape_items(content->extents.rank, content->extents.shape);
}

uint64_t cohort_content_bytes(const cohort_content *content)
{
    return (uint64_t)(cohort_content_items(content) * content->item_bytes);
}

void cohort_content_set_source(cohort_content *content, const void *memory, void *owned)
{
    cohort_content_lend(content, memory, owned, cohort_free);
}

void cohort_content_lend(cohort_content *content, const void *memory, void *lease,
                         void (*give_back)(void *lease))
{
    content->source = memory;
    content->owned = lease;
    content->give_back = give_back;
    content->source_epoch = cohort_content_renew(content);
}

/* Devices that read the source in place look for it anew. */
static void forget_imports(cohort_content *content)
{
    for (int32_t i = 0; i < content->places.n; i++) {
        cohort_place *place = &content->places.list[i];
        if (place->buffer != NULL && place->buffer->imported != NULL)
            cohort_ledger_set_relative(&place->epoch, 0);
    }
}

cohort_status cohort_content_bring_home(cohort_content *content, cohort_executor *executor)
{
    bool is_needed = content->state == COHORT_CONTENT_FILLED && cohort_content_has_source(content);
    uint64_t bytes = is_needed ? cohort_content_bytes(content) : 0;
    void *block = is_needed ? cohort_allocate_aligned((size_t)bytes + 1, 128) : NULL;
    if (bytes > 0 && block != NULL)
        memcpy(block, content->source, (size_t)bytes);
    forget_imports(content);
    cohort_content_drop_owned(content, executor);
    content->source = block;
    content->owned = block;
    content->give_back = cohort_free;
    if (!is_needed || block != NULL)
        return COHORT_OK;
    cohort_content_become(content, COHORT_CONTENT_LOST);
    return cohort_error_memory("rows that a value has of an array that was lent");
}

/* Borrowed memory is used in place where the device shares memory with this process, else
 * written. */
static bool is_in_place(const cohort_content *content, const cohort_buffer *buffer)
{
    return cohort_context_has(buffer->context, COHORT_CAP_UNIFIED) && !content->is_copied;
}

static void bring_source(const cohort_content *content, cohort_buffer *buffer)
{
    uint64_t bytes = cohort_content_bytes(content);
    if (bytes > 0 && is_in_place(content, buffer)) {
        cohort_buffer_import(buffer, content->source, bytes);
        return;
    }
    cohort_buffer_require(buffer, bytes);
    /* the program may change its memory at any time: the bytes of this moment are what the call was
     * given */
    if (content->is_copied)
        cohort_transfer_upload_copy(buffer, 0, content->source, bytes, "a value");
    else if (bytes > 0)
        cohort_transfer_upload(buffer, content->source, bytes);
}

const void *cohort_content_awaited(const cohort_content *content)
{
    bool is_awaited = content->places.n == 1 &&
                      content->places.list->epoch.now != content->places.epoch.now &&
                      cohort_content_has_source(content) && !content->is_copied;
    return is_awaited ? content->source : NULL;
}

const void *cohort_content_borrowed(const cohort_content *content)
{
    const void *memory = cohort_content_awaited(content);
    return memory != NULL && is_in_place(content, content->places.list->buffer) ? memory : NULL;
}

/* A copy that the device can access is read where it is. */
static inline bool is_there(const cohort_buffer *newest, const cohort_context *where)
{
    return newest != NULL && where->can_access[newest->context->index];
}

cohort_buffer *cohort_content_find_read(const cohort_content *content,
                                        const cohort_executor *executor, int32_t device)
{
    const cohort_context *where = executor->contexts[device];
    cohort_buffer *newest = cohort_places_find(&content->places, where);
    return is_there(newest, where) ? newest : cohort_places_at(&content->places, device)->buffer;
}

/* Where there is none the device's own place is filled: from the source while that has the newest
 * content, else from another device. */
cohort_buffer *cohort_content_place_read(cohort_content *content, cohort_executor *executor,
                                         int32_t device)
{
    const cohort_context *where = executor->contexts[device];
    cohort_buffer *newest = cohort_places_find(&content->places, where);
    cohort_content_note_read(content);
    if (is_there(newest, where))
        return newest;
    cohort_place *place = cohort_places_at(&content->places, device);
    cohort_assert(place != NULL && (newest != NULL || cohort_content_has_source(content)));
    if (cohort_content_has_source(content)) {
        bring_source(content, place->buffer);
    } else {
        cohort_buffer_require(place->buffer, cohort_content_bytes(content));
        cohort_transfer_copy(place->buffer, newest, cohort_content_bytes(content));
    }
    cohort_ledger_set_relative(&place->epoch, content->places.epoch.now);
    return place->buffer;
}

/* The copy is memory that the caller lent: what is written must be our own. */
static void take_own_copy(cohort_content *content, cohort_buffer *buffer)
{
    const void *memory = buffer->imported;
    uint64_t bytes = cohort_content_bytes(content);
    cohort_buffer_require(buffer, bytes);
    if (bytes > 0)
        cohort_transfer_upload(buffer, memory, bytes);
}

/* The epoch is counted up last: bringing the newest content for `keep` still needs the one
 * before. */
cohort_buffer *cohort_content_place_write(cohort_content *content, cohort_executor *executor,
                                          int32_t device, uint64_t bytes, bool keep)
{
    cohort_place *place = cohort_places_at(&content->places, device);
    cohort_assert(place != NULL && place->buffer != NULL);
    cohort_buffer *buffer = place->buffer;
    if (keep) {
        cohort_buffer *valid = cohort_content_place_read(content, executor, device);
        if (valid != buffer) {
            cohort_buffer_require(buffer, bytes);
            cohort_transfer_copy(buffer, valid, bytes);
        } else if (buffer->imported != NULL) {
            take_own_copy(content, buffer);
        }
    } else {
        cohort_buffer_require(buffer, bytes);
    }
    cohort_content_count_write(content, place);
    return buffer;
}

void cohort_content_foresee(cohort_content *content, int32_t device)
{
    (void)cohort_content_renew(content);
    cohort_content_foresee_copy(content, device);
}

void cohort_content_foresee_copy(cohort_content *content, int32_t device)
{
    cohort_place *place = cohort_places_at(&content->places, device);
    cohort_content_count_copy(place, content->places.epoch.now);
}

cohort_buffer *cohort_content_place_copy(cohort_content *content, int32_t device)
{
    cohort_place *place = cohort_places_at(&content->places, device);
    cohort_assert(place != NULL && place->buffer != NULL);
    cohort_buffer_require(place->buffer, cohort_content_bytes(content));
    cohort_content_count_copy(place, content->places.epoch.now);
    return place->buffer;
}

void cohort_content_wait_results(const cohort_content *content)
{
    for (int32_t i = 0; i < content->places.n; i++) {
        const cohort_place *place = &content->places.list[i];
        if (place->buffer != NULL && place->result.now == content->places.epoch.now)
            cohort_buffer_wait_written(place->buffer);
    }
}

/* It belongs to a lost device that may still read it. */
static void keep_for_late_readers(cohort_content *content)
{
    bool is_late = false;
    for (int32_t i = 0; i < content->places.n; i++) {
        const cohort_buffer *buffer = content->places.list[i].buffer;
        is_late = is_late || (buffer != NULL && cohort_buffer_is_used_late(buffer));
    }
    if (is_late && content->owned != NULL) {
        cohort_keep(content->owned);
        content->owned = NULL;
    }
}

/* A content is lost when none of its newest copies was written. It is lost as well when a call was
 * to make several copies and some failed: they are one result. */
void cohort_content_settle(cohort_content *content)
{
    /* half: some copies that the call was to make are there */
    bool is_bad = false, is_half = false;
    keep_for_late_readers(content);
    for (int32_t i = 0; i < content->places.n; i++) {
        cohort_place *place = &content->places.list[i];
        if (place->buffer == NULL || !cohort_buffer_settle(place->buffer))
            continue;
        is_bad = is_bad || place->epoch.now == content->places.epoch.now;
        is_half = is_half || (place->result.now == content->places.epoch.now &&
                              !cohort_context_is_lost(place->buffer->context));
        cohort_ledger_reset(&place->epoch, 1, 0);
    }
    bool is_nowhere = is_bad && !cohort_content_has_source(content) &&
                      cohort_places_newest_device(&content->places) < 0;
    if ((is_half || is_nowhere) && content->state == COHORT_CONTENT_FILLED)
        cohort_content_become(content, COHORT_CONTENT_LOST);
}
