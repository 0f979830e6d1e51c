/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/content.h"

#include "runtime/base/memory.h"
#include "runtime/operation/use.h"

#include <string.h>

cohort_status cohort_content_init(cohort_content *content, int32_t first_device, int32_t n_devices)
{
    memset(content, 0, sizeof *content);
    content->first_device = first_device;
    content->places = cohort_allocate((size_t)n_devices, sizeof *content->places);
    content->n_places = content->places != NULL ? n_devices : 0;
    return content->places != NULL ? COHORT_OK : cohort_error_memory("a value");
}

typedef struct give_back_op {
    cohort_op op;
    void *owned;
    void (*give_back)(void *owned);
} give_back_op;

static cohort_status do_give_back(cohort_lane *lane, cohort_op *op)
{
    const give_back_op *g = (give_back_op *)op;
    (void)lane;
    g->give_back(g->owned);
    return COHORT_OK;
}

void cohort_content_drop_owned(cohort_content *content, cohort_executor *executor)
{
    void *owned = content->owned;
    cohort_context *where = NULL;
    content->owned = NULL;
    if (owned == NULL)
        return;
    cohort_fences_clear(executor->gathered, cohort_executor_rings(executor));
    for (int32_t i = 0; i < content->n_places; i++)
        if (content->places[i].buffer != NULL) {
            where = content->places[i].buffer->context;
            cohort_buffer_add_users(content->places[i].buffer, executor->gathered);
        }
    give_back_op g = { .op = COHORT_OP(.run = do_give_back, .flags = COHORT_OP_ALWAYS),
                       .owned = owned,
                       .give_back = content->give_back };
    cohort_use use = { COHORT_USE_FENCES, NULL, executor->gathered };
    if (where != NULL) /* on a lost device it is leaked */
        (void)cohort_submit(executor, where, &g.op, sizeof g, &use, 1);
    else
        content->give_back(owned); /* no device ever saw it */
}

void cohort_content_fini(cohort_content *content, cohort_executor *executor)
{
    cohort_content_drop_owned(content, executor);
    for (int32_t i = 0; i < content->n_places; i++)
        cohort_buffer_destroy(content->places[i].buffer);
    cohort_free(content->places);
    content->places = NULL;
    content->n_places = 0;
}

int64_t cohort_content_items(const cohort_content *content)
{
    int64_t items = 1;
    for (int32_t i = 0; i < content->extents.rank; i++)
        items *= content->extents.shape[i];
    return items;
}

uint64_t cohort_content_bytes(const cohort_content *content)
{
    return (uint64_t)(cohort_content_items(content) * content->item_bytes);
}

static cohort_place *place_of(const cohort_content *content, int32_t device)
{
    int32_t i = device - content->first_device;
    return i >= 0 && i < content->n_places ? &content->places[i] : NULL;
}

static bool is_up_to_date(const cohort_content *content, const cohort_place *place)
{
    return place != NULL && place->buffer != NULL && place->epoch == content->epoch;
}

cohort_status cohort_content_prepare(cohort_content *content, cohort_executor *executor,
                                     int32_t device)
{
    cohort_place *place = place_of(content, device);
    if (place->buffer == NULL)
        place->buffer = cohort_buffer_create(executor, executor->contexts[device]);
    return place->buffer != NULL ? COHORT_OK : COHORT_ENOMEM;
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
    content->source_epoch = ++content->epoch;
    content->state = COHORT_CONTENT_FILLED;
}

int32_t cohort_content_valid_device(const cohort_content *content)
{
    for (int32_t i = 0; i < content->n_places; i++)
        if (is_up_to_date(content, &content->places[i]))
            return content->first_device + i;
    return -1;
}

static bool has_source(const cohort_content *content)
{
    return content->source != NULL && content->source_epoch == content->epoch;
}

static void upload_as_it_is(const cohort_content *content, cohort_buffer *buffer, uint64_t bytes)
{
    void *block = cohort_allocate_aligned(bytes, 64);
    if (block == NULL) {
        cohort_transfer_fail(buffer, "a value");
        return;
    }
    memcpy(block, content->source, bytes);
    cohort_transfer_upload_taken(buffer, 0, block, bytes);
}

/* Borrowed memory is used in place where the device shares memory with this process, else
 * written. */
static void bring_source(const cohort_content *content, cohort_buffer *buffer)
{
    uint64_t bytes = cohort_content_bytes(content);
    bool is_in_place =
        cohort_context_has(buffer->context, COHORT_CAP_UNIFIED) && !content->is_copied;
    if (bytes > 0 && is_in_place) {
        cohort_buffer_import(buffer, content->source, bytes);
        return;
    }
    cohort_buffer_require(buffer, bytes);
    if (content->is_copied)
        upload_as_it_is(content, buffer, bytes);
    else if (bytes > 0)
        cohort_transfer_upload(buffer, 0, content->source, bytes);
}

cohort_buffer *cohort_content_place_read(cohort_content *content, cohort_executor *executor,
                                         int32_t device)
{
    cohort_place *place = place_of(content, device);
    if (is_up_to_date(content, place))
        return place->buffer;
    int32_t from = cohort_content_valid_device(content);
    if (from >= 0 && executor->contexts[device]->can_access[from])
        return place_of(content, from)->buffer;
    if (has_source(content)) {
        bring_source(content, place->buffer);
    } else {
        cohort_buffer_require(place->buffer, cohort_content_bytes(content));
        cohort_transfer_copy(place->buffer, place_of(content, from)->buffer,
                             cohort_content_bytes(content));
    }
    place->epoch = content->epoch;
    return place->buffer;
}

/* The copy is memory that the caller lent: what is written must be our own. */
static void take_own_copy(cohort_content *content, cohort_buffer *buffer)
{
    const void *memory = buffer->imported;
    uint64_t bytes = cohort_content_bytes(content);
    cohort_buffer_require(buffer, bytes);
    if (bytes > 0)
        cohort_transfer_upload(buffer, 0, memory, bytes);
}

cohort_buffer *cohort_content_place_write(cohort_content *content, cohort_executor *executor,
                                          int32_t device, uint64_t bytes, bool keep)
{
    cohort_place *place = place_of(content, device);
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
    place->epoch = place->result = ++content->epoch;
    content->state = COHORT_CONTENT_FILLED;
    return buffer;
}

cohort_buffer *cohort_content_place_copy(cohort_content *content, int32_t device)
{
    cohort_place *place = place_of(content, device);
    cohort_buffer_require(place->buffer, cohort_content_bytes(content));
    place->epoch = place->result = content->epoch;
    return place->buffer;
}

void cohort_content_wait_results(const cohort_content *content)
{
    for (int32_t i = 0; i < content->n_places; i++)
        if (content->places[i].buffer != NULL && content->places[i].result == content->epoch)
            cohort_buffer_wait_written(content->places[i].buffer);
}

void cohort_content_settle(cohort_content *content)
{
    /* half: some copies that the call was to make are there */
    bool is_bad = false, is_half = false;
    for (int32_t i = 0; i < content->n_places; i++) {
        cohort_place *place = &content->places[i];
        if (place->buffer == NULL || !cohort_buffer_settle(place->buffer))
            continue;
        is_bad = is_bad || place->epoch == content->epoch;
        is_half = is_half || place->result == content->epoch;
        place->epoch = 0;
    }
    bool is_nowhere = is_bad && !has_source(content) && cohort_content_valid_device(content) < 0;
    if ((is_half || is_nowhere) && content->state == COHORT_CONTENT_FILLED)
        content->state = COHORT_CONTENT_LOST;
}
