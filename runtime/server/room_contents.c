/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing what variables of a room hold. Sizes and numbers come from outside of the
 * process: they are checked before they are used. */
#include "config.h"

#include "runtime/server/room_do.h"

#include "runtime/base/memory.h"
#include "runtime/server/worker_call.h"
#include "runtime/value/variable.h"

#include <cohort/run.h>

#include <string.h>

/* After a write of this one alone: it counts, or has failed and counts not. */
static cohort_status finish_write(cohort_room *room, cohort_lodger *l, cohort_service *e,
                                  cohort_status status)
{
    status = cohort_room_finish(room, status);
    if (status >= 0)
        cohort_lodger_count(l, e->guest);
    e->answer.version = l->version;
    return status;
}

/* ------------------------------------------------------------------ contents */

static cohort_array array_of(const cohort_variable *v, const void *data)
{
    cohort_array a = { .data = cohort_memory_own(data),
                       .dtype = v->dtype,
                       .item_bytes = v->item_bytes,
                       .rank = v->extents.rank };
    memcpy(a.shape, v->extents.shape, sizeof a.shape);
    return a;
}

/* The same with so many rows. */
static cohort_array rows_of(const cohort_variable *v, const void *data, int64_t n)
{
    cohort_array a = array_of(v, data);
    a.shape[0] = n;
    return a;
}

static cohort_array ids_of(const cohort_service *e)
{
    return (cohort_array){ .data = cohort_memory_own(e->bytes),
                           .dtype = COHORT_I64,
                           .item_bytes = sizeof(int64_t),
                           .rank = 1,
                           .shape = { e->request.ids } };
}

static cohort_status check_room_to_write(const cohort_room *room, const cohort_service *e)
{
    return e->guest < room->n_workers ? COHORT_OK
                                      : cohort_request_refuse("an evaluator writes nothing");
}

cohort_status cohort_room_do_write(cohort_room *room, cohort_service *e)
{
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    cohort_status status = l != NULL ? check_room_to_write(room, e) : COHORT_EINVAL;
    if (status >= 0 && e->request.bytes != l->variable->bytes)
        status = cohort_request_refuse("a content of another size");
    if (status < 0)
        return status;
    if (cohort_lodger_is_held(room, l, e))
        return COHORT_EAGAIN;
    cohort_array content = array_of(l->variable, e->bytes);
    cohort_argument x = { .kind = COHORT_ARGUMENT_ARRAY, .as.p = &content };
    return finish_write(
        room, l, e,
        cohort_variable_write_at(COHORT_SITE, l->variable, (cohort_write_op)e->request.op, x));
}

/* Nothing but the version where the worker has this one. */
cohort_status cohort_room_do_read(cohort_room *room, cohort_service *e)
{
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    if (l == NULL)
        return COHORT_EINVAL;
    uint64_t bytes = l->variable->bytes;
    e->answer.version = l->version;
    if (e->request.version == l->version || bytes == 0)
        return COHORT_OK;
    void *into = cohort_allocate(1, bytes);
    if (into == NULL)
        return cohort_error_memory("the content of a variable");
    cohort_service_answer_with(e, into, bytes);
    return cohort_room_finish(room, cohort_variable_read(l->variable, array_of(l->variable, into)));
}

/* The rows of the ids, and how many bytes these are; *out_row_bytes of one. */
static cohort_status check_ids(const cohort_lodger *l, const cohort_service *e, bool has_rows,
                               int64_t *out_row_bytes)
{
    const cohort_variable *v = l->variable;
    int64_t n = e->request.ids, rows = v->extents.rank > 0 ? v->extents.shape[0] : 0;
    *out_row_bytes = rows > 0 ? (int64_t)v->bytes / rows : 0;
    uint64_t each = sizeof(int64_t) + (has_rows ? (uint64_t)*out_row_bytes : 0);
    bool is_right = v->extents.rank > 0 && n >= 0 && (uint64_t)n <= e->request.bytes / each &&
                    (uint64_t)n * each == e->request.bytes;
    return is_right ? COHORT_OK : cohort_request_refuse("ids and rows of another size");
}

enum { GATHERED_MOST = 1 << 20 };

/* Kept, since with it goes the memory that the next gather needs; unless it is much. */
static cohort_value *gathered_of(cohort_room *room)
{
    if (room->gathered == NULL)
        room->gathered = cohort_value_create(room->strategy);
    return room->gathered;
}

static void keep_gathered(cohort_room *room, int64_t bytes)
{
    if (bytes <= GATHERED_MOST)
        return;
    cohort_value_destroy(room->gathered);
    room->gathered = NULL;
}

cohort_status cohort_room_do_gather(cohort_room *room, cohort_service *e)
{
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    int64_t row_bytes, n = e->request.ids;
    cohort_status status = l != NULL ? check_ids(l, e, false, &row_bytes) : COHORT_EINVAL;
    if (status < 0)
        return status;
    e->answer.version = l->version;
    if (n == 0 || row_bytes == 0)
        return COHORT_OK;
    void *into = cohort_allocate((size_t)n, (size_t)row_bytes);
    cohort_value *rows = gathered_of(room);
    status = into != NULL && rows != NULL ? COHORT_OK : cohort_error_memory("rows");
    if (status >= 0)
        status = cohort_variable_gather(l->variable, ids_of(e), rows);
    if (status >= 0)
        status = cohort_value_read(rows, rows_of(l->variable, into, n));
    keep_gathered(room, n * row_bytes);
    cohort_service_answer_with(e, into, (uint64_t)(n * row_bytes));
    return cohort_room_finish(room, status);
}

/* Without a row it is a write all the same, as one of the variable's other shards. */
cohort_status cohort_room_do_scatter(cohort_room *room, cohort_service *e)
{
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    int64_t row_bytes, n = e->request.ids;
    cohort_status status = l != NULL ? check_room_to_write(room, e) : COHORT_EINVAL;
    if (status >= 0)
        status = check_ids(l, e, true, &row_bytes);
    if (status < 0)
        return status;
    if (cohort_lodger_is_held(room, l, e))
        return COHORT_EAGAIN;
    cohort_array ids = ids_of(e), rows = rows_of(l->variable, e->bytes + n * 8, n);
    cohort_argument x = { .kind = COHORT_ARGUMENT_ARRAY, .as.p = &ids },
                    y = { .kind = COHORT_ARGUMENT_ARRAY, .as.p = &rows };
    if (n > 0)
        status = cohort_variable_scatter_at(COHORT_SITE, l->variable,
                                            (cohort_write_op)e->request.op, x, y);
    return finish_write(room, l, e, status);
}

/* ------------------------------------------------------------------ functions */

/* The variables of the call; COHORT_EAGAIN: one of those that it writes is held. */
static cohort_status find_variables(cohort_room *room, cohort_service *e, cohort_worker_call *call)
{
    for (cohort_called_variable *v = call->variables; v < call->variables + call->n_variables;
         v++) {
        cohort_lodger *l = cohort_lodger_find(room, e->guest, v->number);
        if (l == NULL)
            return COHORT_EINVAL;
        if (v->is_written && cohort_lodger_is_held(room, l, e))
            return COHORT_EAGAIN;
        call->arguments[v->argument].as.p = l->variable;
    }
    return COHORT_OK;
}

/* One write of each variable that the function writes. */
cohort_status cohort_room_do_update(cohort_room *room, cohort_service *e)
{
    cohort_worker_call call;
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    cohort_status status = l != NULL ? check_room_to_write(room, e) : COHORT_EINVAL;
    if (status >= 0)
        status = cohort_worker_call_read(&call, room->functions, e->bytes, e->request.bytes);
    if (status >= 0)
        status = find_variables(room, e, &call);
    if (status < 0)
        return status;
    status = cohort_room_finish(
        room, cohort_update_arguments(NULL, l->variable, call.function, call.arguments));
    for (int32_t i = 0; i < call.n_variables && status >= 0; i++)
        if (call.variables[i].is_written)
            cohort_lodger_count(&room->list[call.variables[i].number], e->guest);
    e->answer.version = l->version;
    return status;
}
