/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse reads: the rows of a variable that ids name, in both contexts. */
#include "config.h"

#include "runtime/step/trace.h"
#include "runtime/strategy/call.h"
#include "runtime/value/fetched_rows.h"
#include "runtime/value/remote.h"
#include "runtime/value/sparse_rows.h"

#include <stdio.h>
#include <string.h>

/* The shape of the ids, followed by that of a row, as tf.gather makes it. */
static void shape_rows(cohort_content *c, const cohort_variable *v, const cohort_component *ids)
{
    cohort_extents extents = ids->extents;
    for (int32_t i = 1; i < v->extents.rank; i++)
        extents.shape[extents.rank++] = v->extents.shape[i];
    cohort_content_take_shape(c, v->dtype, v->item_bytes, &extents);
}

static cohort_content *content_of(cohort_value *rows, bool is_per_replica, int32_t replica)
{
    return is_per_replica ? &rows->components[replica] : &rows->plain;
}

/* Replicas [first, end); of ids that are not per replica one read for all. */
typedef struct reading {
    cohort_variable *variable;
    cohort_operand ids;
    cohort_value *rows;
    int32_t first, end;
    bool is_per_replica;
} reading;

static int32_t device_of(const reading *r, int32_t replica)
{
    const cohort_strategy *s = r->variable->strategy;
    return r->is_per_replica ? cohort_value_device(r->rows, replica) : s->home;
}

/* A value of cohort_value_shaped keeps its dtype and shape. */
static cohort_status check_declared(const reading *r, int32_t replica)
{
    cohort_content made = { 0 };
    cohort_component ids = cohort_operand_look(&r->ids, replica);
    const cohort_extents *declared = &r->rows->declared;
    if (!r->rows->is_declared || ids.state == COHORT_CONTENT_ABSENT)
        return COHORT_OK;
    shape_rows(&made, r->variable, &ids);
    if (made.dtype == r->rows->declared_dtype && made.extents.rank == declared->rank &&
        memcmp(made.extents.shape, declared->shape, (size_t)declared->rank * sizeof(int64_t)) == 0)
        return COHORT_OK;
    char has[128], got[128];
    return cohort_error_set(
        COHORT_EINVAL,
        "cohort_variable_gather: the rows of variable '%s' are %s, the value was made for %s",
        r->variable->name,
        cohort_shape_to_string(made.dtype, made.extents.rank, made.extents.shape, got),
        cohort_shape_to_string(r->rows->declared_dtype, declared->rank, declared->shape, has));
}

/* All replicas are checked and prepared before the first read is posted, so that a refused call has
 * written no row. */
static cohort_status prepare_reading(const reading *r)
{
    cohort_status status = r->is_per_replica ? cohort_value_prepare_components(r->rows)
                                             : cohort_value_prepare_plain(r->rows);
    for (int32_t i = r->first; i < r->end && status >= 0; i++) {
        status = cohort_slices_check(r->variable, &r->ids, NULL, i, "cohort_variable_gather");
        if (status >= 0)
            status = check_declared(r, i);
        if (status >= 0)
            status = cohort_slices_prepare(&r->ids, NULL, i);
        if (status >= 0)
            status = cohort_places_prepare(&content_of(r->rows, r->is_per_replica, i)->places,
                                           r->variable->strategy->executor, device_of(r, i));
    }
    return status;
}

/* Of parameter servers: waits for the rows, and has them written as an upload. */
static cohort_status bring_rows(const reading *r, int32_t replica, cohort_buffer *into)
{
    static const char call[] = "cohort_variable_gather";
    cohort_variable *v = r->variable;
    cohort_fetched_rows rows = { .variable = v };
    cohort_status status = cohort_fetched_rows_add(&rows, &r->ids, NULL, replica);
    uint64_t bytes = (uint64_t)(rows.n * cohort_variable_row_bytes(v));
    char *block = cohort_staging_take(into->context->staging, bytes + 1);
    if (status >= 0 && block == NULL)
        status = cohort_error_memory("a sparse read");
    if (status >= 0)
        status = cohort_remote_gather(v, &(cohort_remote_rows){ rows.ids, rows.n, block }, call);
    cohort_fetched_rows_fini(&rows);
    if (status >= 0 && bytes > 0)
        cohort_transfer_upload_taken(into, 0, block, bytes);
    else
        cohort_remote_give_rows(v, block, cohort_staging_give);
    return status;
}

static void post_remote(const reading *r, int32_t replica, cohort_buffer *into)
{
    cohort_status status = bring_rows(r, replica, into);
    if (status < 0) {
        cohort_failure_raise_own(&into->executor->failure, status);
        cohort_transfer_fail(into, "a sparse read");
    }
}

/* Each replica for itself: a device that is slow holds up nobody else. */
static void post_reading(const reading *r, int32_t replica)
{
    cohort_component ids = cohort_operand_look(&r->ids, replica);
    cohort_content *c = content_of(r->rows, r->is_per_replica, replica);
    shape_rows(c, r->variable, &ids);
    if (ids.state == COHORT_CONTENT_ABSENT) {
        cohort_content_become(c, COHORT_CONTENT_ABSENT);
        return;
    }
    cohort_buffer *into =
        cohort_value_start_content(r->variable->strategy, c, device_of(r, replica));
    if (into == NULL)
        return;
    if (r->variable->remote != NULL) {
        post_remote(r, replica, into);
        return;
    }
    cohort_slices *slices = cohort_slices_create(r->variable->strategy->executor, 1,
                                                 cohort_variable_row_bytes(r->variable));
    if (slices == NULL) {
        cohort_transfer_fail(into, "a sparse read");
        return;
    }
    cohort_slices_take(slices, 0, &r->ids, NULL, replica);
    cohort_sparse_rows_post(r->variable, replica, slices, into);
    /* the operations hold references of their own */
    cohort_slices_release(slices);
}

static cohort_status read_rows(const reading *r)
{
    cohort_status status = prepare_reading(r);
    if (status < 0)
        return status;
    if (r->is_per_replica)
        cohort_value_become_per_replica(r->rows);
    else
        cohort_value_take_kind(r->rows, COHORT_PLAIN_VALUE);
    for (int32_t i = r->first; i < r->end; i++)
        post_reading(r, i);
    return COHORT_OK;
}

static cohort_status check_gather(const cohort_variable *v, const cohort_argument *ids,
                                  const cohort_value *rows)
{
    cohort_status status = cohort_handle_check(rows, COHORT_HANDLE_VALUE, "cohort_variable_gather",
                                               "the value for the rows");
    if (status < 0)
        return status;
    if (rows->strategy != v->strategy)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_variable_gather: variable '%s' and the value for its rows belong to different "
            "strategies",
            v->name);
    if (ids->kind == COHORT_ARGUMENT_VALUE && ids->as.p == rows)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_variable_gather: the rows of variable '%s' cannot go to the value of the ids",
            v->name);
    return COHORT_OK;
}

/* What the call names, and the variable's content. */
static cohort_status check_reading(cohort_variable *v, const cohort_argument *ids,
                                   const cohort_value *rows)
{
    cohort_status status = check_gather(v, ids, rows);
    return status < 0 || v->remote != NULL
               ? status
               : cohort_variable_check_readable(v, "cohort_variable_gather");
}

/* r.ids is all zero until it has begun, and ending that does nothing. */
static cohort_status gather_cross(cohort_variable *v, const cohort_argument *ids,
                                  cohort_value *rows)
{
    reading r = { .variable = v, .rows = rows };
    cohort_status status = check_reading(v, ids, rows);
    if (status >= 0 && v->is_per_replica)
        status = cohort_error_set(
            COHORT_EINVAL,
            "cohort_variable_gather: variable '%s' is ON_READ: its rows are read in a step "
            "function",
            v->name);
    if (status >= 0)
        status = cohort_operand_begin(&r.ids, v->strategy, ids, "cohort_variable_gather");
    if (status >= 0) {
        r.is_per_replica = cohort_operand_is_per_replica(&r.ids);
        r.end = r.is_per_replica ? v->strategy->n_replicas : 1;
        status = read_rows(&r);
    }
    cohort_operand_end(&r.ids);
    return status;
}

typedef struct gather_request {
    cohort_variable *variable;
    cohort_argument ids;
    cohort_value *rows;
} gather_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    gather_request *r = request;
    cohort_status status = cohort_operand_keep_variable(recorder, call, r->variable);
    if (status >= 0)
        status = cohort_operand_keep(recorder, call, &r->ids);
    if (status >= 0)
        status = cohort_operand_keep_value(recorder, call, r->rows, "the value for the rows");
    return status < 0 ? status : check_gather(r->variable, &r->ids, r->rows);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const gather_request *r = request;
    (void)strategy;
    return gather_cross(r->variable, &r->ids, r->rows);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)fprintf(out, "rows of ");
    cohort_variable_describe_stores(strategy, ((const gather_request *)request)->variable, out);
}

/* For one replica alone: its rows, whatever the ids are. */
static cohort_status gather_own(const gather_request *request, int32_t replica)
{
    cohort_variable *v = request->variable;
    reading r = { .variable = v,
                  .rows = request->rows,
                  .first = replica,
                  .end = replica + 1,
                  .is_per_replica = true };
    cohort_status status = check_reading(v, &request->ids, request->rows);
    if (status >= 0)
        status = cohort_operand_begin(&r.ids, v->strategy, &request->ids, "cohort_variable_gather");
    if (status >= 0)
        status = read_rows(&r);
    cohort_operand_end(&r.ids);
    return status;
}

/* In a step that is traced. */
static cohort_status gather_mine(const cohort_rendezvous *rendezvous, const void *mine,
                                 int32_t replica)
{
    (void)rendezvous;
    return gather_own(mine, replica);
}

static cohort_status plan_gather(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                 void *const all[])
{
    return cohort_trace_do_each(s, rendezvous, all, gather_mine);
}

static cohort_status keep_all(cohort_recorder *recorder, cohort_rendezvous *rendezvous, void *all[])
{
    return cohort_trace_keep_each(recorder, rendezvous->call, all, sizeof(gather_request), keep);
}

static void describe_variable(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    (void)snprintf(out, size, "rows of variable '%s'",
                   ((const cohort_variable *)rendezvous->what)->name);
}

static cohort_status gather_traced(cohort_replica *me, gather_request *request)
{
    static const cohort_traced traced = { .keep = keep_all };
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_variable_gather",
                                                       .what = request->variable,
                                                       .mine = request,
                                                       .plan = plan_gather,
                                                       .describe = describe_variable,
                                                       .traced = &traced });
}

static cohort_status gather_replica(cohort_replica *me, gather_request *request)
{
    cohort_status status = cohort_failure_tell(&request->variable->strategy->executor->failure);
    if (status < 0)
        return status;
    if (cohort_trace_is_on(me))
        return gather_traced(me, request);
    cohort_stage_lock(me);
    status = gather_own(request, me->id);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

cohort_status cohort_variable_gather_argument(cohort_variable *variable, cohort_argument ids,
                                              cohort_value *rows)
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(gather_request), .keep = keep, .run = run, .describe = describe
    };
    static const char call[] = "cohort_variable_gather";
    cohort_strategy *other = cohort_operand_strategy_of_values(&rows, 1);
    cohort_status status = cohort_call_about(variable, COHORT_HANDLE_VARIABLE, call, "the variable",
                                             other != NULL ? other : cohort_operand_strategy(&ids));
    if (status < 0)
        return status;
    cohort_replica *me = cohort_stage_replica_of(variable->strategy);
    gather_request request = { variable, ids, rows };
    if (me != NULL)
        return cohort_call_end(variable->strategy, gather_replica(me, &request));
    return cohort_call_make(variable->strategy, call, &recordable, &request);
}
