/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything is done with the public calls of the library, one request after the other, so that a
 * variable on a server is what it would be with the worker. Requests come from outside of the
 * process: sizes, numbers and shapes are checked before they are used. */
#include "config.h"

#include "runtime/server/room.h"

#include "runtime/base/array.h"
#include "runtime/base/memory.h"
#include "runtime/function/signature.h"
#include "runtime/server/worker_call.h"
#include "runtime/value/variable.h"

#include <cohort/run.h>

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ the room */

static void keep_reason(cohort_room *room, cohort_status status)
{
    room->status = status;
    (void)snprintf(room->why, sizeof room->why, "%s", cohort_error_text());
}

static cohort_status check_function(const cohort_function *const functions[], size_t i)
{
    if (cohort_signature_of(functions[i]) == NULL)
        return cohort_error_status();
    for (size_t j = 0; j < i; j++)
        if (strcmp(functions[j]->name, functions[i]->name) == 0)
            return cohort_error_set(COHORT_EINVAL,
                                    "functions %zu and %zu of the server's list have one name, "
                                    "'%s', by which workers call them",
                                    j, i, functions[i]->name);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_server_options *options)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "reserved[%zu] of the options is not zero", i);
    for (size_t i = 0; options->functions != NULL && options->functions[i] != NULL && status >= 0;
         i++)
        status = check_function(options->functions, i);
    return status;
}

cohort_status cohort_room_init(cohort_room *room, const cohort_server_options *options,
                               const cohort_ranks *ranks)
{
    *room = (cohort_room){ .n_workers = ranks->n_workers,
                           .n_guests = ranks->n_workers + ranks->n_evaluators,
                           .functions = options->functions,
                           .staleness = -1 };
    room->has_left = cohort_allocate((size_t)room->n_guests, sizeof *room->has_left);
    if (room->has_left == NULL)
        return cohort_error_memory("a parameter server");
    if (check_options(options) >= 0)
        room->strategy = cohort_one_device(options->device != NULL ? options->device : "host:0");
    if (room->strategy == NULL)
        keep_reason(room, cohort_error_status());
    return COHORT_OK;
}

void cohort_room_fini(cohort_room *room)
{
    cohort_strategy_destroy(room->strategy);
    for (size_t i = 0; i < room->n; i++)
        cohort_lodger_fini(&room->list[i]);
    cohort_free(room->list);
    cohort_free(room->has_left);
}

/* ------------------------------------------------------------------ answers */

static void answer(cohort_service *e, cohort_status status)
{
    e->answer.status = status;
    if (status < 0)
        (void)snprintf(e->answer.text, sizeof e->answer.text, "%s", cohort_error_text());
}

static void answer_with(cohort_service *e, void *bytes, uint64_t n)
{
    e->into = bytes;
    e->answer.bytes = n;
}

/* What was called so far is done, or undone: the next guest begins without an error. */
static cohort_status finish(cohort_room *room, cohort_status status)
{
    cohort_status done = cohort_wait(room->strategy);
    status = status < 0 ? status : done;
    if (status < 0) {
        cohort_error_saved saved;
        cohort_error_save(&saved);
        (void)cohort_strategy_recover(room->strategy);
        cohort_error_restore(&saved);
    }
    return status;
}

/* ------------------------------------------------------------------ creating, destroying */

static cohort_status read_array(const cohort_service *e, cohort_array *out)
{
    const cohort_server_request *q = &e->request;
    *out = (cohort_array){ .dtype = (cohort_dtype)q->dtype,
                           .rank = q->rank,
                           .item_bytes = q->item_bytes };
    memcpy(out->shape, q->shape, sizeof out->shape);
    if (q->name_bytes == 0 || q->name_bytes > q->bytes || e->bytes[q->name_bytes - 1] != '\0')
        return cohort_request_refuse("a variable without a name");
    cohort_status status = cohort_array_check(out, true, "a variable");
    uint64_t bytes = q->bytes - q->name_bytes;
    if (status < 0)
        return status;
    if (bytes != (q->is_zero ? 0 : (uint64_t)(cohort_array_items(out) * q->item_bytes)))
        return cohort_request_refuse("a content of another size");
    out->data = bytes > 0 ? cohort_memory_own(e->bytes + q->name_bytes) : NULL;
    return COHORT_OK;
}

static cohort_status check_same(const cohort_lodger *l, const cohort_array *array)
{
    const cohort_variable *v = l->variable;
    char has[128], got[128];
    bool is_same =
        v->dtype == array->dtype && v->item_bytes == array->item_bytes &&
        v->extents.rank == array->rank &&
        memcmp(v->extents.shape, array->shape, (size_t)array->rank * sizeof *array->shape) == 0;
    return is_same ? COHORT_OK
                   : cohort_error_set(
                         COHORT_EINVAL,
                         "variable '%s' is %s here, made by another worker, and %s is asked for; "
                         "all workers make the same variables",
                         v->name,
                         cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                         cohort_shape_to_string(array->dtype, array->rank, array->shape, got));
}

/* By guest 0, whose content it is. */
static cohort_status make(cohort_room *room, const char *name, const cohort_array *array,
                          cohort_lodger **out)
{
    cohort_lodger *l = cohort_lodger_take(room);
    cohort_variable *v =
        l != NULL ? cohort_variable_create(room->strategy, name, *array, NULL) : NULL;
    cohort_status status = finish(room, v != NULL ? COHORT_OK : cohort_error_status());
    if (status < 0) {
        if (v != NULL)
            cohort_variable_destroy(v);
        return status;
    }
    memset(l->writes, 0, (size_t)room->n_guests * sizeof *l->writes);
    memset(l->lodgings, 0, (size_t)room->n_guests * sizeof *l->lodgings);
    l->variable = v;
    l->version = 1;
    *out = l;
    return COHORT_OK;
}

static cohort_status refuse_guest(const cohort_room *room, const char *name, cohort_lodging lodging)
{
    if (lodging == COHORT_LODGING_USED)
        return cohort_error_set(COHORT_EINVAL, "this worker has variable '%s' already", name);
    return cohort_error_set(COHORT_ELOST,
                            "variable '%s' begins with the content of worker 0 of %d, which has "
                            "destroyed its strategy",
                            name, (int)room->n_workers);
}

/* COHORT_EAGAIN: guest 0 has not made it yet; or this one has destroyed the one of that name, and
 * others have not. */
static cohort_status create(cohort_room *room, cohort_service *e)
{
    cohort_array array;
    cohort_status status = read_array(e, &array);
    if (status < 0)
        return status;
    cohort_lodger *l = cohort_lodger_find_by_name(room, e->bytes);
    cohort_lodging lodging = l != NULL ? l->lodgings[e->guest] : COHORT_LODGING_TO_COME;
    if (lodging == COHORT_LODGING_USED || (l == NULL && e->guest > 0 && room->has_left[0]))
        return refuse_guest(room, e->bytes, lodging);
    if (lodging == COHORT_LODGING_OVER || (l == NULL && e->guest > 0))
        return COHORT_EAGAIN;
    status = l != NULL ? check_same(l, &array) : make(room, e->bytes, &array, &l);
    if (status < 0)
        return status;
    l->lodgings[e->guest] = COHORT_LODGING_USED;
    e->answer.variable = (int32_t)(l - room->list);
    e->answer.version = l->version;
    return COHORT_OK;
}

static cohort_status destroy(cohort_room *room, cohort_service *e)
{
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    if (l == NULL)
        return COHORT_EINVAL;
    l->lodgings[e->guest] = COHORT_LODGING_OVER;
    cohort_lodger_end_if_over(room, l);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ pace */

/* After a write of this one alone: it counts, or has failed and counts not. */
static cohort_status finish_write(cohort_room *room, cohort_lodger *l, cohort_service *e,
                                  cohort_status status)
{
    status = finish(room, status);
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

static cohort_status write(cohort_room *room, cohort_service *e)
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
static cohort_status read(cohort_room *room, cohort_service *e)
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
    answer_with(e, into, bytes);
    return finish(room, cohort_variable_read(l->variable, array_of(l->variable, into)));
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

static cohort_status gather(cohort_room *room, cohort_service *e)
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
    cohort_value *rows = cohort_value_create(room->strategy);
    status = into != NULL && rows != NULL ? COHORT_OK : cohort_error_memory("rows");
    if (status >= 0)
        status = cohort_variable_gather(l->variable, ids_of(e), rows);
    if (status >= 0)
        status = cohort_value_read(rows, rows_of(l->variable, into, n));
    cohort_value_destroy(rows);
    answer_with(e, into, (uint64_t)(n * row_bytes));
    return finish(room, status);
}

/* Without a row it is a write all the same, as one of the variable's other shards. */
static cohort_status scatter(cohort_room *room, cohort_service *e)
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
static cohort_status update(cohort_room *room, cohort_service *e)
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
    status = finish(room, cohort_update_arguments(l->variable, call.function, call.arguments));
    for (int32_t i = 0; i < call.n_variables && status >= 0; i++)
        if (call.variables[i].is_written)
            cohort_lodger_count(&room->list[call.variables[i].number], e->guest);
    e->answer.version = l->version;
    return status;
}

/* ------------------------------------------------------------------ any request */

/* All workers have the same bound (strategy/served_across.h); an evaluator, who writes nothing, none. */
static cohort_status greet(cohort_room *room, const cohort_service *e)
{
    if (e->guest < room->n_workers)
        room->staleness = e->request.staleness;
    return COHORT_OK;
}

static cohort_status serve(cohort_room *room, cohort_service *e)
{
    switch (e->request.kind) {
    case COHORT_REQUEST_HELLO:
        return greet(room, e);
    case COHORT_REQUEST_CREATE:
        return create(room, e);
    case COHORT_REQUEST_DESTROY:
        return destroy(room, e);
    case COHORT_REQUEST_READ:
        return read(room, e);
    case COHORT_REQUEST_WRITE:
        return write(room, e);
    case COHORT_REQUEST_GATHER:
        return gather(room, e);
    case COHORT_REQUEST_SCATTER:
        return scatter(room, e);
    case COHORT_REQUEST_UPDATE:
        return update(room, e);
    case COHORT_REQUEST_STAY:
        return COHORT_OK;
    default:
        return cohort_request_refuse("of a kind that there is not");
    }
}

bool cohort_room_do(cohort_room *room, cohort_service *e)
{
    bool leaves = e->request.kind == COHORT_REQUEST_LEAVE;
    e->answer = (cohort_server_answer){ .status = COHORT_OK };
    if (room->strategy == NULL && !leaves) {
        answer(e, cohort_error_set(room->status, "%s", room->why));
        return true;
    }
    cohort_status status = leaves ? COHORT_OK : serve(room, e);
    if (status == COHORT_EAGAIN)
        return false;
    answer(e, status);
    if (status < 0) { /* the bytes of an answer come with no error */
        cohort_free(e->into);
        answer_with(e, NULL, 0);
    }
    return true;
}

void cohort_room_refuse(const cohort_room *room, cohort_service *e, double seconds)
{
    if (e->request.kind == COHORT_REQUEST_CREATE)
        answer(e, cohort_error_set(COHORT_ELOST,
                                   "variable '%s' begins with the content of worker 0 of %d, which "
                                   "has not made it within %g s; or the one of that name before, "
                                   "which all workers destroy, is still there",
                                   e->bytes, (int)room->n_workers, seconds));
    else
        answer(e, cohort_error_set(COHORT_ELOST,
                                   "worker %d of %d has not come to within %lld writes of this one "
                                   "in %g s: variable '%s'",
                                   (int)cohort_lodger_slowest(room, &room->list[e->held]),
                                   (int)room->n_workers, (long long)room->staleness, seconds,
                                   room->list[e->held].variable->name));
}

void cohort_room_leave(cohort_room *room, int32_t guest)
{
    room->has_left[guest] = true;
    for (size_t i = 0; i < room->n; i++) {
        if (room->list[i].lodgings[guest] == COHORT_LODGING_USED)
            room->list[i].lodgings[guest] = COHORT_LODGING_OVER;
        cohort_lodger_end_if_over(room, &room->list[i]);
    }
}
