/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading values into memory of the caller. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/base/row_shares.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"
#include "runtime/value/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One content on its way: where it can be read once `fence` is over. */
typedef struct fetch {
    const cohort_content *content;
    cohort_buffer *written; /* wait for its writers; NULL: for the fence */
    cohort_fence fence;
    const void *memory; /* NULL: the buffer's own */
} fetch;

static fetch start_fetch(cohort_content *content, cohort_executor *executor, void *staging)
{
    int32_t device = cohort_places_newest_device(&content->places);
    cohort_content_note_read(content);
    if (device < 0 || cohort_content_bytes(content) == 0)
        return (fetch){ .content = content,
                        .memory = content->source != NULL ? content->source : staging };
    cohort_buffer *buffer = cohort_places_at(&content->places, device)->buffer;
    if (cohort_context_has(executor->contexts[device], COHORT_CAP_HOST_VISIBLE))
        return (fetch){ .content = content, .written = buffer };
    return (fetch){ .content = content,
                    .fence =
                        cohort_transfer_look(buffer, 0, staging, cohort_content_bytes(content)),
                    .memory = staging };
}

static void wait_fetch(const fetch *f, cohort_executor *executor)
{
    if (f->written != NULL)
        cohort_buffer_wait_written(f->written);
    else
        cohort_executor_wait(executor, f->fence);
    cohort_content_wait_results(f->content);
}

/* After wait_fetch; NULL with the failure set. */
static const void *fetched(const fetch *f, cohort_executor *executor)
{
    if (cohort_failure_is_set(&executor->failure))
        return NULL;
    return f->memory != NULL ? f->memory : f->written->host;
}

const void *cohort_content_fetch(cohort_content *content, cohort_executor *executor, void *staging)
{
    fetch f = start_fetch(content, executor, staging);
    wait_fetch(&f, executor);
    return fetched(&f, executor);
}

/* ------------------------------------------------------------------ checks */

/* Checked for all components before any download starts. */
static cohort_status check_content(const cohort_content *content, int32_t replica, const char *call)
{
    if (content == NULL || content->state == COHORT_CONTENT_EMPTY)
        return cohort_error_set(COHORT_EINVAL, "%s: nothing has written the value", call);
    if (content->state == COHORT_CONTENT_LOST)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: the call that was to write component %d of the value failed; write it "
            "again",
            call, replica);
    return COHORT_OK;
}

static int32_t n_contents(const cohort_value *value)
{
    return value->kind == COHORT_PER_REPLICA_VALUE ? value->strategy->n_replicas : 1;
}

static int64_t rows_of(const cohort_content *c)
{
    if (c->state == COHORT_CONTENT_ABSENT)
        return 0;
    return c->extents.rank > 0 ? c->extents.shape[0] : 1;
}

/* Do so many rows, shared out evenly over all replicas, leave these to the replicas of this
 * worker? */
static bool is_part_of(const cohort_value *value, int64_t rows)
{
    const cohort_strategy *s = value->strategy;
    bool is_part = true;
    for (int32_t r = 0; r < s->n_replicas && is_part; r++)
        is_part = rows_of(cohort_value_content(value, r)) ==
                  cohort_row_shares_of(rows, s->first_replica + r, s->n_in_sync);
    return is_part;
}

/* A read of a value that is per replica gives the part of one worker, which a program that was
 * right on one worker alone does not know. */
static cohort_status refuse_part(const cohort_value *value, const cohort_array *into, int64_t items,
                                 const char *call)
{
    int64_t held = 0, asked = cohort_array_items(into);
    for (int32_t r = 0; r < value->strategy->n_replicas; r++)
        held += rows_of(cohort_value_content(value, r));
    int64_t rows =
        items > 0 && held > 0 ? asked / (items / held) : (into->rank > 0 ? into->shape[0] : 1);
    char held_rows[64];
    if (rows > held && is_part_of(value, rows))
        (void)snprintf(held_rows, sizeof held_rows, "%lld of the %lld rows", (long long)held,
                       (long long)rows);
    else
        (void)snprintf(held_rows, sizeof held_rows, "%lld row%s", (long long)held,
                       held == 1 ? "" : "s");
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the value has %lld elements here, the array %lld; this worker "
                            "holds %s; cohort_gather brings all",
                            call, (long long)items, (long long)asked, held_rows);
}

static cohort_status refuse_size(const cohort_value *value, const cohort_array *into, int64_t items,
                                 const char *call)
{
    if (value->strategy->workers != NULL && value->kind == COHORT_PER_REPLICA_VALUE)
        return refuse_part(value, into, items, call);
    return cohort_error_set(COHORT_EINVAL, "%s: the value has %lld elements, the array %lld", call,
                            (long long)items, (long long)cohort_array_items(into));
}

/* Sums up what there is to read, and compares it with what the caller has. */
static cohort_status check_read(const cohort_value *value, const cohort_array *into,
                                const char *call)
{
    int64_t items = 0;
    cohort_status status = cohort_array_check(into, false, call);
    for (int32_t i = 0; i < n_contents(value) && status >= 0; i++) {
        const cohort_content *c = cohort_value_content(value, i);
        status = check_content(c, i, call);
        if (status < 0 || c->state == COHORT_CONTENT_ABSENT)
            continue;
        items += cohort_content_items(c);
        if (c->dtype != into->dtype || c->item_bytes != cohort_array_item_bytes(into))
            status = cohort_error_set(COHORT_EINVAL, "%s: the value is %s, the array %s", call,
                                      cohort_dtype_name(c->dtype), cohort_dtype_name(into->dtype));
    }
    if (status >= 0 && items != cohort_array_items(into))
        status = refuse_size(value, into, items, call);
    return status;
}

/* ------------------------------------------------------------------ reading */

static void start_all(const cohort_value *value, fetch fetches[], char *staging)
{
    for (int32_t i = 0; i < n_contents(value); i++) {
        cohort_content *c = cohort_value_content(value, i);
        if (c->state == COHORT_CONTENT_ABSENT)
            continue;
        fetches[i] = start_fetch(c, value->strategy->executor, staging);
        staging += cohort_content_bytes(c);
    }
}

/* All downloads are waited for, also when one has failed: what is under way writes into memory that
 * is about to be freed. */
static void wait_all(const cohort_value *value, const fetch fetches[])
{
    for (int32_t i = 0; i < n_contents(value); i++)
        if (cohort_value_content(value, i)->state != COHORT_CONTENT_ABSENT)
            wait_fetch(&fetches[i], value->strategy->executor);
}

static cohort_status finish_all(const cohort_value *value, const fetch fetches[], char *into)
{
    for (int32_t i = 0; i < n_contents(value); i++) {
        const cohort_content *c = cohort_value_content(value, i);
        if (c->state == COHORT_CONTENT_ABSENT)
            continue;
        const void *memory = fetched(&fetches[i], value->strategy->executor);
        if (memory == NULL)
            return cohort_failure_tell(&value->strategy->executor->failure);
        if (memory != into && cohort_content_bytes(c) > 0)
            memcpy(into, memory, cohort_content_bytes(c));
        into += cohort_content_bytes(c);
    }
    return COHORT_OK;
}

/* All components start before the first is waited for. Bytes of a device that may be lost go
 * through memory of ours. */
static cohort_status read_checked(const cohort_value *value, const cohort_array *into)
{
    uint64_t bytes = (uint64_t)(cohort_array_items(into) * cohort_array_item_bytes(into));
    bool is_row_major = cohort_array_is_row_major(into);
    cohort_staging *from = &value->strategy->executor->staging;
    fetch one, *fetches = n_contents(value) == 1
                              ? &one
                              : cohort_staging_take(from, (size_t)n_contents(value) * sizeof one);
    char *staging = cohort_staging_take(from, bytes),
         *packed = is_row_major ? into->data : cohort_staging_take(from, bytes);
    cohort_status status = COHORT_OK;
    if (fetches == NULL || staging == NULL || (packed == NULL && bytes > 0))
        status = cohort_error_memory("reading a value");
    if (status >= 0) {
        start_all(value, fetches, staging);
        wait_all(value, fetches);
        status = finish_all(value, fetches, packed);
    }
    if (status >= 0 && !is_row_major)
        cohort_array_unpack(into, packed);
    if (fetches != &one)
        cohort_staging_give(fetches);
    if (!is_row_major)
        cohort_staging_give(packed);
    if (!cohort_executor_has_lost(
            value->strategy->executor)) /* else a late device may still write into it */
        cohort_staging_give(staging);
    return status;
}

/* The results of a call are waited for (wait_fetch), so that what is handed out is not undone
 * later. */
cohort_status cohort_value_read_whole(cohort_value *value, const cohort_array *into,
                                      const char *call)
{
    cohort_ledger_say_quiet(value->strategy->executor);
    cohort_status status = check_read(value, into, call);
    return status < 0 ? status : read_checked(value, into);
}

cohort_status cohort_value_read(cohort_value *value, cohort_array into)
{
    cohort_status status =
        cohort_call_about(value, COHORT_HANDLE_VALUE, "cohort_value_read", "the value", NULL);
    if (status >= 0)
        status = cohort_call_enter(value->strategy, "cohort_value_read");
    if (status < 0)
        return status;
    do
        status = cohort_value_read_whole(value, &into, "cohort_value_read");
    while (cohort_call_may_repeat(value->strategy, status));
    return cohort_call_leave(value->strategy, status);
}

/* ------------------------------------------------------------------ one number */

static cohort_status to_double(cohort_dtype dtype, const void *element, double *out)
{
    if (!cohort_dtype_is_real(dtype))
        return cohort_error_set(COHORT_EINVAL, "cohort_value_scalar: %s is no real number",
                                cohort_dtype_name(dtype));
    *out = cohort_dtype_load_real(dtype, element, 0);
    return COHORT_OK;
}

/* Reads the only element of a value, whatever the dtype. */
static cohort_status read_scalar(cohort_value *value, double *out)
{
    static const char call[] = "cohort_value_scalar";
    _Alignas(16) char element[16] = { 0 };
    const cohort_content *content =
        value->kind != COHORT_EMPTY_VALUE ? cohort_value_content(value, 0) : NULL;
    if (content != NULL && content->item_bytes > (int64_t)sizeof element)
        return cohort_error_set(COHORT_EINVAL, "%s: the value holds structs", call);
    cohort_array into = { .data = element,
                          .dtype = content != NULL ? content->dtype : COHORT_F64,
                          .rank = 1,
                          .shape = { 1 },
                          .item_bytes = content != NULL ? content->item_bytes : 0 };
    cohort_status status = cohort_value_read_whole(value, &into, call);
    return status < 0 ? status : to_double(into.dtype, element, out);
}

double cohort_value_scalar(cohort_value *value)
{
    double number = NAN;
    cohort_status status =
        cohort_call_about(value, COHORT_HANDLE_VALUE, "cohort_value_scalar", "the value", NULL);
    if (status < 0 || cohort_call_enter(value->strategy, "cohort_value_scalar") < 0)
        return number;
    do
        status = read_scalar(value, &number);
    while (cohort_call_may_repeat(value->strategy, status));
    (void)cohort_call_leave(value->strategy, status);
    return number;
}
