/* SPDX-License-Identifier: BSD-3-Clause */
/* Making metrics, and what they say. */
#include "config.h"

#include "runtime/metric/metric.h"

#include "runtime/base/callback.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = { [COHORT_METRIC_MEAN] = "mean",
                                     [COHORT_METRIC_SUM] = "sum",
                                     [COHORT_METRIC_ACCURACY] = "accuracy" };
enum { KINDS = sizeof kinds / sizeof *kinds };
static const char *const parts[COHORT_TALLY_RESULTS] = {
    [COHORT_TALLY_TOTAL] = "total", [COHORT_TALLY_COUNT] = "count"
};

/* ------------------------------------------------------------------ making and freeing */

/* The variables of a metric are dependents of the strategy as well, and destroyed by themselves. */
static void free_metric(cohort_dependent *dependent)
{
    const cohort_metric *m = (const cohort_metric *)dependent;
    cohort_strategy_disown(dependent);
    cohort_handle_free(&dependent->handle, sizeof *m + strlen(m->name) + 1, &m->strategy->handle);
}

/* -1, with an error text, when there is none. */
static int find_kind(const char *kind)
{
    for (int i = 0; kind != NULL && i < KINDS; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return i;
    (void)cohort_error_set(COHORT_EINVAL,
                           "cohort_metric_create: no metric '%s'; mean, sum or accuracy",
                           kind != NULL ? kind : "(null)");
    return -1;
}

static cohort_status check_name(const char *name)
{
    if (name == NULL || name[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "cohort_metric_create: a metric needs a name");
    if (strnlen(name, COHORT_LIMIT_VARIABLE_NAME_BYTES + 1) > COHORT_LIMIT_VARIABLE_NAME_BYTES)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_metric_create: the name '%.32s...' has more than %d bytes",
                                name, COHORT_LIMIT_VARIABLE_NAME_BYTES);
    return COHORT_OK;
}

/* A component per replica, also where the strategy keeps one copy of its variables. */
static cohort_variable *create_variable(const cohort_metric *m, const char *part)
{
    char name[COHORT_LIMIT_VARIABLE_NAME_BYTES + sizeof "/total"];
    (void)snprintf(name, sizeof name, "%s/%s", m->name, part);
    return cohort_variable_create(
        m->strategy, name, (cohort_array){ .dtype = COHORT_F64 },
        &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                    .aggregation = COHORT_AGGREGATE_SUM,
                                    .placement = cohort_placement_find("mirrored") });
}

/* is_a_metric comes last: until then the first variable can be destroyed as any other, where the
 * second cannot be made. */
static cohort_status create_variables(cohort_metric *m)
{
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        if ((m->variables[i] = create_variable(m, parts[i])) == NULL) {
            if (i > 0)
                cohort_variable_destroy(m->variables[0]);
            return cohort_error_prefix(cohort_error_status(), "metric '%s'", m->name);
        }
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        m->variables[i]->is_a_metric = true;
    return COHORT_OK;
}

/* The name lies behind the struct, in one block with it, because both go into quarantine
 * together. */
static cohort_metric *allocate(cohort_strategy *strategy, cohort_metric_kind kind, const char *name)
{
    size_t bytes = strlen(name) + 1;
    cohort_metric *m = cohort_allocate(1, sizeof *m + bytes);
    if (m == NULL) {
        (void)cohort_error_memory("a metric");
        return NULL;
    }
    cohort_handle_begin(&m->dependent.handle, COHORT_HANDLE_METRIC);
    m->dependent.destroy = free_metric;
    m->strategy = strategy;
    m->kind = kind;
    memcpy(m->name, name, bytes);
    return m;
}

static cohort_metric *create(cohort_strategy *strategy, const char *kind, const char *name)
{
    int found = find_kind(kind);
    if (found < 0 || check_name(name) < 0)
        return NULL;
    cohort_metric *m = allocate(strategy, (cohort_metric_kind)found, name);
    if (m != NULL && create_variables(m) < 0) {
        cohort_free(m);
        return NULL;
    }
    if (m != NULL)
        cohort_strategy_adopt(strategy, &m->dependent);
    return m;
}

/* The variables are made by calls of their own, whose errors are this one's. */
cohort_metric *cohort_metric_create(cohort_strategy *strategy, const char *kind, const char *name)
{
    cohort_callback inner;
    if (cohort_call_check(strategy, "cohort_metric_create") < 0)
        return cohort_handle_made(COHORT_HANDLE_METRIC, NULL);
    cohort_callback_begin(&inner, NULL, NULL);
    cohort_metric *m = create(strategy, kind, name);
    cohort_callback_drop(&inner);
    if (m == NULL)
        (void)cohort_call_end(strategy, cohort_error_status());
    return cohort_handle_made(COHORT_HANDLE_METRIC, m);
}

void cohort_metric_destroy(cohort_metric *metric)
{
    static const char call[] = "cohort_metric_destroy";
    if (metric == NULL ||
        !cohort_call_may_destroy(metric, COHORT_HANDLE_METRIC, call, "the metric") ||
        cohort_call_enter_broken(metric->strategy, call) < 0)
        return;
    cohort_strategy *strategy = metric->strategy;
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        metric->variables[i]->dependent.destroy(&metric->variables[i]->dependent);
    free_metric(&metric->dependent);
    (void)cohort_call_leave(strategy, COHORT_OK);
}

/* ------------------------------------------------------------------ result */

/* cohort_metric_result and _reset speak for all replicas, so that a step function may not call
 * them; the calls of variables that they make would speak for one replica there. */
static cohort_status check_context(const cohort_metric *m, const char *call)
{
    cohort_status status = cohort_call_about(m, COHORT_HANDLE_METRIC, call, "the metric", NULL);
    return status < 0 ? status : cohort_call_check(m->strategy, call);
}

double cohort_metric_result(cohort_metric *metric)
{
    double results[COHORT_TALLY_RESULTS];
    if (check_context(metric, "cohort_metric_result") < 0)
        return NAN;
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        if (cohort_variable_read(metric->variables[i], COHORT_ARRAY(&results[i], 1)) < 0)
            return NAN;
    /* NaN of nothing counted is an answer, and no error */
    cohort_error_clear();
    if (metric->kind == COHORT_METRIC_SUM)
        return results[COHORT_TALLY_TOTAL];
    return results[COHORT_TALLY_COUNT] != 0
               ? results[COHORT_TALLY_TOTAL] / results[COHORT_TALLY_COUNT]
               : NAN;
}

/* ------------------------------------------------------------------ reset */

static cohort_status keep_reset(cohort_recorder *recorder, const char *call, void *request)
{
    cohort_metric *const *metric = request;
    return cohort_recorder_use(recorder, *metric, COHORT_HANDLE_METRIC, call, "the metric");
}

/* All components become 0, also those that have no content. */
static cohort_status run_reset(cohort_strategy *strategy, const void *request)
{
    cohort_metric *const *metric = request;
    const cohort_tally tally = { .kind = COHORT_TALLY_RESET };
    for (int i = 0; i < COHORT_TALLY_RESULTS && strategy->is_trial; i++)
        cohort_variable_foresee((*metric)->variables[i]);
    if (strategy->is_trial)
        return COHORT_OK;
    cohort_ledger_say_repeatable(strategy->executor);
    for (int32_t r = strategy->n_replicas - 1; r >= 0; r--)
        cohort_metric_post(*metric, r, COHORT_WRITE_JOINT, &tally, NULL, 0);
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        cohort_variable_finish((*metric)->variables[i]);
    return COHORT_OK;
}

static void describe_reset(const cohort_strategy *strategy, const void *request, FILE *out)
{
    cohort_metric *const *metric = request;
    (void)strategy;
    (void)fprintf(out, "%s", (*metric)->name);
}

/* What was added is each worker's own; that nothing of it counts any more is not. */
static void agree_on_reset(cohort_strategy *strategy, const void *request)
{
    cohort_metric *const *metric = request;
    cohort_agreement_note(strategy, 0, "cohort_metric_reset", (*metric)->name, NULL);
}

cohort_status cohort_metric_reset(cohort_metric *metric)
{
    static const cohort_recordable reset = { .bytes = sizeof(cohort_metric *),
                                             .keep = keep_reset,
                                             .run = run_reset,
                                             .describe = describe_reset,
                                             .agree = agree_on_reset };
    static const char call[] = "cohort_metric_reset";
    cohort_status status =
        cohort_call_about(metric, COHORT_HANDLE_METRIC, call, "the metric", NULL);
    return status < 0 ? status : cohort_call_make(metric->strategy, call, &reset, &metric);
}
