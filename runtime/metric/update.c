/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of metrics: what each component adds, and how it comes into the variables. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/metric/metric.h"
#include "runtime/operation/fallback.h"
#include "runtime/operation/ledger.h"
#include "runtime/step/trace.h"
#include "runtime/strategy/call.h"
#include "runtime/value/lying.h"
#include "runtime/value/operand.h"
#include "runtime/value/value.h"

#include <stdio.h>

/* ------------------------------------------------------------------ what a component adds */

/* What the second value of an update is. */
static const char *called(const cohort_metric *m)
{
    return m->kind == COHORT_METRIC_ACCURACY ? "labels" : "weights";
}

static cohort_status wrong(const cohort_metric *m, const char *what, int32_t replica,
                           const cohort_content *c, const char *wanted)
{
    char shape[128];
    return cohort_error_set(
        COHORT_EINVAL, "metric '%s': the %s of replica %d are %s; %s", m->name, what,
        cohort_strategy_replica_id(m->strategy, replica),
        cohort_shape_to_string(c->dtype, c->extents.rank, c->extents.shape, shape), wanted);
}

static cohort_status tally_sum(const cohort_metric *m, int32_t replica,
                               const cohort_content *values, const cohort_content *weights,
                               cohort_tally *out)
{
    *out = (cohort_tally){ .kind = COHORT_TALLY_SUM,
                           .dtype = values->dtype,
                           .rows = cohort_content_items(values) };
    if (!cohort_dtype_is_real(values->dtype))
        return wrong(m, "values", replica, values, "it adds up real numbers");
    if (weights == NULL)
        return COHORT_OK;
    out->with_dtype = weights->dtype;
    out->weights = cohort_content_items(weights);
    if (!cohort_dtype_is_real(weights->dtype))
        return wrong(m, "weights", replica, weights, "weights are real numbers");
    return out->weights == 1 || cohort_extents_is_same(&values->extents, &weights->extents)
               ? COHORT_OK
               : wrong(m, "weights", replica, weights,
                       "they are one number, or have the shape of the values");
}

/* classes is 1 of predictions, where only the scores have a second axis. */
static cohort_status tally_accuracy(const cohort_metric *m, int32_t replica,
                                    const cohort_content *values, const cohort_content *labels,
                                    cohort_tally *out)
{
    bool has_scores = values->extents.rank == 2;
    *out = (cohort_tally){ .kind = has_scores ? COHORT_TALLY_SCORES : COHORT_TALLY_PREDICTIONS,
                           .dtype = values->dtype,
                           .rows = values->extents.shape[0],
                           .classes = has_scores ? values->extents.shape[1] : 1 };
    if (!cohort_dtype_is_real(values->dtype) || values->extents.rank < 1 ||
        values->extents.rank > 2)
        return wrong(m, "values", replica, values,
                     "predictions [rows] or scores [rows][classes] are wanted");
    out->with_dtype = labels->dtype;
    return cohort_dtype_is_integer(labels->dtype) && cohort_content_items(labels) == out->rows
               ? COHORT_OK
               : wrong(m, "labels", replica, labels,
                       "an integer for each row of the values is wanted");
}

/* The arguments of a call for one replica. */
typedef struct addition {
    int32_t replica, device;
    cohort_content *values, *with; /* NULL: nothing to add; no weights */
    cohort_tally tally;
} addition;

/* A component without rows is fine: it adds nothing. */
static cohort_status look(const cohort_metric *m, const char *what, cohort_value *value,
                          int32_t replica, cohort_content **out)
{
    *out = cohort_value_content(value, replica);
    if (*out != NULL &&
        ((*out)->state == COHORT_CONTENT_FILLED || (*out)->state == COHORT_CONTENT_ABSENT))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            *out != NULL && (*out)->state == COHORT_CONTENT_LOST
                                ? "metric '%s': the call that was to write the %s of replica %d "
                                  "failed; write them again"
                                : "metric '%s': nothing has written the %s of replica %d",
                            m->name, what, cohort_strategy_replica_id(m->strategy, replica));
}

/* A value that is not per replica counts once, at replica 0. */
static cohort_status examine(const cohort_metric *m, cohort_value *values, cohort_value *with,
                             int32_t replica, addition *out)
{
    *out = (addition){ .replica = replica,
                       .device = cohort_value_device(values, replica),
                       .tally.kind = COHORT_TALLY_NOTHING };
    cohort_status status = look(m, "values", values, replica, &out->values);
    if (status >= 0 && with != NULL)
        status = look(m, called(m), with, replica, &out->with);
    if (status < 0)
        return status;
    if (out->values->state == COHORT_CONTENT_ABSENT || cohort_content_items(out->values) == 0 ||
        (values->kind != COHORT_PER_REPLICA_VALUE && m->strategy->first_replica + replica > 0)) {
        out->values = NULL;
        return COHORT_OK;
    }
    if (out->with != NULL && out->with->state == COHORT_CONTENT_ABSENT)
        return cohort_error_set(
            COHORT_EINVAL, "metric '%s': replica %d has values, but its %s are absent", m->name,
            cohort_strategy_replica_id(m->strategy, replica), called(m));
    status = m->kind == COHORT_METRIC_ACCURACY
                 ? tally_accuracy(m, replica, out->values, out->with, &out->tally)
                 : tally_sum(m, replica, out->values, out->with, &out->tally);
    cohort_executor *executor = m->strategy->executor;
    if (status >= 0)
        status = cohort_places_prepare(&out->values->places, executor, out->device);
    if (status >= 0 && out->with != NULL)
        status = cohort_places_prepare(&out->with->places, executor, out->device);
    return status;
}

static cohort_fallback_memory place(const cohort_metric *m, cohort_content *content, int32_t device)
{
    return (
        cohort_fallback_memory){ cohort_content_place_read(content, m->strategy->executor, device),
                                 cohort_content_bytes(content) };
}

/* Where a replica's values lie, so that only two numbers travel, if any. A joint write is one of
 * all components, also of those to which nothing is added. */
static void add(const cohort_metric *m, const addition *a, cohort_write_kind kind)
{
    int32_t n = 0;
    cohort_fallback_memory more[COHORT_TALLY_SOURCES - COHORT_TALLY_RESULTS];
    if (a->values != NULL)
        more[n++] = place(m, a->values, a->device);
    if (a->values != NULL && a->with != NULL)
        more[n++] = place(m, a->with, a->device);
    cohort_metric_post(m, a->replica, kind, &a->tally, more, n);
}

/* ------------------------------------------------------------------ update */

static cohort_status check_values(const cohort_metric *m, const cohort_value *values,
                                  const cohort_value *with)
{
    static const char call[] = "cohort_metric_update";
    cohort_status status = cohort_handle_check(values, COHORT_HANDLE_VALUE, call, "the value");
    if (status >= 0 && (with != NULL || m->kind == COHORT_METRIC_ACCURACY))
        status = cohort_handle_check(
            with, COHORT_HANDLE_VALUE, call,
            m->kind == COHORT_METRIC_ACCURACY ? "the labels" : "the value of the weights");
    if (status < 0)
        return status;
    if (values->strategy != m->strategy || (with != NULL && with->strategy != m->strategy))
        return cohort_error_set(COHORT_EINVAL, "metric '%s': the values belong to another strategy",
                                m->name);
    return COHORT_OK;
}

/* They have none when the operation failed that was to begin them, and have one again after a
 * reset. */
static cohort_status check_content(const cohort_metric *m)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < COHORT_TALLY_RESULTS && status >= 0; i++)
        status = cohort_variable_check_readable(m->variables[i], "cohort_metric_update");
    return status;
}

/* The sums are made where both are. */
static cohort_status lie_together(const cohort_metric *m, const cohort_value *values,
                                  const cohort_value *with)
{
    cohort_lying met = { -1, NULL };
    (void)cohort_lying_meet(&met, m->variables[0]->logical, "the metric");
    cohort_status status = cohort_lying_meet(&met, cohort_value_logical(values), "values");
    if (status >= 0 && with != NULL)
        status = cohort_lying_meet(&met, cohort_value_logical(with), called(m));
    return status < 0 ? cohort_error_prefix(status, "metric '%s'", m->name) : status;
}

/* Values that all replicas share count once, and then it would be open whose weights they have. */
static cohort_status check_kinds(const cohort_metric *m, const cohort_value *values,
                                 const cohort_value *with)
{
    if (with == NULL || with->kind != COHORT_PER_REPLICA_VALUE ||
        values->kind == COHORT_PER_REPLICA_VALUE)
        return lie_together(m, values, with);
    return cohort_error_set(COHORT_EINVAL,
                            "metric '%s': the %s are per replica, the values are not", m->name,
                            called(m));
}

/* Looks at all replicas before anything is posted. Examining once more in the second loop gives the
 * same and spares a list of additions. */
static cohort_status update_all(const cohort_metric *m, cohort_value *values, cohort_value *with)
{
    addition a;
    int32_t n = m->strategy->n_replicas;
    cohort_status status = check_kinds(m, values, with);
    if (status >= 0)
        status = check_content(m);
    for (int32_t r = 0; r < n && status >= 0; r++)
        status = examine(m, values, with, r, &a);
    if (status < 0)
        return status;
    if (m->strategy->is_trial)
        return COHORT_OK;
    cohort_ledger_say_repeatable(m->strategy->executor);
    for (int32_t r = n - 1; r >= 0; r--) { /* the caller's own device, mostly the first, last */
        (void)examine(m, values, with, r, &a);
        add(m, &a, COHORT_WRITE_JOINT);
    }
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        cohort_variable_finish(m->variables[i]);
    return COHORT_OK;
}

static cohort_status update_one(const cohort_metric *m, cohort_value *values, cohort_value *with,
                                int32_t replica)
{
    addition a;
    cohort_status status = check_kinds(m, values, with);
    if (status >= 0)
        status = check_content(m);
    if (status >= 0)
        status = examine(m, values, with, replica, &a);
    /* a replica without values changes nothing, so not even its component is written */
    if (status < 0 || a.values == NULL)
        return status;
    add(m, &a, COHORT_WRITE_LOCAL);
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        cohort_variable_finish_local(m->variables[i], replica);
    return COHORT_OK;
}

typedef struct update_request {
    cohort_metric *metric;
    cohort_value *values, *with;
} update_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    update_request *r = request;
    cohort_status status =
        cohort_recorder_use(recorder, r->metric, COHORT_HANDLE_METRIC, call, "the metric");
    if (status >= 0)
        status = check_values(r->metric, r->values, r->with);
    if (status >= 0)
        status = cohort_operand_keep_value(recorder, call, r->values, "the value");
    return status < 0 || r->with == NULL
               ? status
               : cohort_operand_keep_value(recorder, call, r->with, "the value beside it");
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const update_request *r = request;
    cohort_status status = check_values(r->metric, r->values, r->with);
    (void)strategy;
    return status < 0 ? status : update_all(r->metric, r->values, r->with);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)strategy;
    (void)fprintf(out, "%s", ((const update_request *)request)->metric->name);
}

static const cohort_recordable recordable = {
    .bytes = sizeof(update_request), .keep = keep, .run = run, .describe = describe
};

/* ------------------------------------------------------------------ by a replica */

static cohort_status record(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                            void *const all[])
{
    return recorder->add(recorder, rendezvous->call, &recordable, all[0]);
}

static bool is_same_request(const void *mine, const void *other)
{
    const update_request *a = mine, *b = other;
    return a->values == b->values && a->with == b->with;
}

static void describe_metric(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    (void)snprintf(out, size, "metric '%s'", ((const cohort_metric *)rendezvous->what)->name);
}

/* What all replicas add one by one is what the call of cross-replica context adds. */
static cohort_status update_traced(cohort_replica *me, update_request *request)
{
    static const cohort_traced traced = { .record = record };
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_metric_update",
                                                       .what = request->metric,
                                                       .mine = request,
                                                       .is_same = is_same_request,
                                                       .describe = describe_metric,
                                                       .traced = &traced });
}

static cohort_status update_as_replica(cohort_replica *me, update_request *r)
{
    const cohort_metric *m = r->metric;
    cohort_status status = cohort_failure_tell(&m->strategy->executor->failure);
    if (status >= 0)
        status = check_values(m, r->values, r->with);
    if (status < 0)
        return status;
    if (cohort_trace_is_on(me))
        return update_traced(me, r);
    cohort_stage_lock(me);
    status = update_one(m, r->values, r->with, me->id);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

cohort_status cohort_metric_update(cohort_metric *metric, cohort_value *values, cohort_value *with)
{
    static const char call[] = "cohort_metric_update";
    cohort_strategy *other =
        cohort_operand_strategy_of_values((cohort_value *const[]){ values, with }, 2);
    cohort_status status =
        cohort_call_about(metric, COHORT_HANDLE_METRIC, call, "the metric", other);
    if (status < 0)
        return status;
    cohort_strategy *s = metric->strategy;
    cohort_replica *me = cohort_stage_replica_of(s);
    update_request request = { metric, values, with };
    if (me != NULL)
        return cohort_call_end(s, update_as_replica(me, &request));
    return cohort_call_make(s, call, &recordable, &request);
}
