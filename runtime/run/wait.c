/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting, and looking at what this process holds. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/run/results.h"
#include "runtime/strategy/call.h"
#include "runtime/value/value.h"
#include "runtime/value/variable.h"

#include <cohort/run.h>

#include <string.h>

/* It waits also while an error is up: arrays are borrowed by what was accepted before. */
cohort_status cohort_wait(cohort_strategy *strategy)
{
    static const char call[] = "cohort_wait";
    cohort_status status = cohort_call_enter_broken(strategy, call);
    if (status < 0)
        return status;
    if (!cohort_failure_is_set(&strategy->executor->failure))
        status = cohort_scope_check(strategy, call);
    if (status < 0)
        return cohort_call_leave(strategy, status);
    cohort_executor_advance(strategy->executor);
    cohort_executor_wait_all(strategy->executor);
    return cohort_call_leave(strategy, cohort_failure_tell(&strategy->executor->failure));
}

/* ------------------------------------------------------------------ local results */

static cohort_array view(cohort_dtype dtype, int64_t item_bytes, const cohort_extents *extents,
                         const void *memory)
{
    cohort_array array = { .data = cohort_memory_read_only(memory),
                           .dtype = dtype,
                           .rank = extents->rank,
                           .item_bytes = item_bytes };
    memcpy(array.shape, extents->shape, sizeof array.shape);
    return array;
}

static cohort_array absent_view(const cohort_content *c)
{
    cohort_array array = view(c->dtype, c->item_bytes, &c->extents, NULL);
    array.rank = array.rank > 0 ? array.rank : 1;
    array.shape[0] = 0;
    return array;
}

static int results_of_value(cohort_value *value, cohort_array out[], int capacity)
{
    int n = value->kind == COHORT_PER_REPLICA_VALUE ? value->strategy->n_replicas : 1;
    uint64_t bytes = 0;
    for (int i = 0; i < n; i++) {
        const cohort_content *c = cohort_value_content(value, i);
        if (c == NULL || c->state == COHORT_CONTENT_EMPTY || c->state == COHORT_CONTENT_LOST)
            return cohort_error_set(COHORT_EINVAL, "cohort_local_results: %s",
                                    c == NULL || c->state == COHORT_CONTENT_EMPTY
                                        ? "nothing has written the value"
                                        : "the call that was to write the value "
                                          "failed; write it again");
        bytes += (cohort_content_bytes(c) + 63) / 64 * 64;
    }
    cohort_free(value->results);
    char *staging = value->results = cohort_allocate_aligned(bytes, 64);
    if (staging == NULL)
        return cohort_error_memory("local results");
    for (int i = 0; i < n && i < capacity; i++) {
        cohort_content *c = cohort_value_content(value, i);
        bool is_absent = c->state == COHORT_CONTENT_ABSENT;
        const void *memory =
            is_absent ? NULL : cohort_content_fetch(c, value->strategy->executor, staging);
        if (memory == NULL && !is_absent)
            return cohort_failure_tell(&value->strategy->executor->failure);
        out[i] = is_absent ? absent_view(c) : view(c->dtype, c->item_bytes, &c->extents, memory);
        staging += (cohort_content_bytes(c) + 63) / 64 * 64;
    }
    return n;
}

/* A copy shows what its store has; a shard its rows, and a component is whole. */
static int list_copies(const cohort_variable *v, cohort_array out[], int capacity)
{
    int32_t n = v->is_per_replica ? v->n_stores : v->n_copies;
    for (int32_t i = 0; i < n && i < capacity; i++) {
        int32_t store = v->is_per_replica ? i : v->copy_stores[i];
        out[i] = view(v->dtype, v->item_bytes, &v->extents,
                      (const char *)v->results + v->stores[store].lent);
        if (v->is_sharded)
            out[i].shape[0] = v->stores[store].rows;
    }
    return n;
}

static cohort_status download_stores(cohort_variable *v)
{
    cohort_executor *executor = v->strategy->executor;
    for (int32_t i = 0; i < v->n_stores; i++)
        if (v->stores[i].bytes > 0)
            cohort_executor_wait(executor,
                                 cohort_transfer_download(cohort_variable_current(v, i), 0,
                                                          (char *)v->results + v->stores[i].lent,
                                                          v->stores[i].bytes));
    cohort_variable_wait_complete(v);
    return cohort_failure_tell(&executor->failure);
}

static int results_of_variable(cohort_variable *v, cohort_array out[], int capacity)
{
    cohort_status status = cohort_variable_check_readable(v, "cohort_local_results");
    if (status < 0)
        return status;
    v->results_bytes = 0;
    for (int32_t i = 0; i < v->n_stores; i++) {
        v->stores[i].lent = v->results_bytes;
        /* at least 1, so that each has an address */
        v->results_bytes += (v->stores[i].bytes + 64) / 64 * 64;
    }
    cohort_free(v->results);
    v->results = cohort_allocate_aligned(v->results_bytes, 64);
    if (v->results == NULL)
        return cohort_error_memory("local results");
    status = download_stores(v);
    return status < 0 ? status : list_copies(v, out, capacity);
}

static int results_of(cohort_argument *x, cohort_array out[], int capacity,
                      cohort_strategy *strategy)
{
    cohort_status status = cohort_call_enter(strategy, "cohort_local_results");
    if (status < 0)
        return status;
    int n = x->kind == COHORT_ARGUMENT_VALUE
                ? results_of_value(cohort_memory_own(x->as.p), out, capacity)
                : results_of_variable(cohort_memory_own(x->as.p), out, capacity);
    return cohort_call_leave(strategy, n);
}

bool cohort_results_of_number(const cohort_argument *x, cohort_array *out)
{
    bool is_int = x->kind == COHORT_ARGUMENT_INT, is_uint = x->kind == COHORT_ARGUMENT_UINT;
    if (!is_int && !is_uint && x->kind != COHORT_ARGUMENT_REAL)
        return false;
    *out = (cohort_array){ .data = cohort_memory_read_only(&x->as),
                           .dtype = is_int    ? COHORT_I64
                                    : is_uint ? COHORT_U64
                                              : COHORT_F64,
                           .item_bytes = 8 };
    return true;
}

int cohort_local_results_of(cohort_argument x, cohort_array out[], int capacity)
{
    static _Thread_local cohort_argument number;
    static const char call[] = "cohort_local_results";
    cohort_array array;
    cohort_status status;
    switch (x.kind) {
    case COHORT_ARGUMENT_VALUE:
        status = cohort_call_about(x.as.p, COHORT_HANDLE_VALUE, call, "the value", NULL);
        return status < 0 ? status
                          : results_of(&x, out, capacity, ((const cohort_value *)x.as.p)->strategy);
    case COHORT_ARGUMENT_VARIABLE:
        status = cohort_call_about(x.as.p, COHORT_HANDLE_VARIABLE, call, "the variable", NULL);
        return status < 0
                   ? status
                   : results_of(&x, out, capacity, ((const cohort_variable *)x.as.p)->strategy);
    case COHORT_ARGUMENT_ARRAY:
        if (capacity > 0)
            out[0] = *(const cohort_array *)x.as.p;
        return 1;
    default:
        number = x;
        if (cohort_results_of_number(&number, &array)) {
            if (capacity > 0)
                out[0] = array;
            return 1;
        }
        return cohort_error_set(COHORT_EINVAL,
                                "%s: takes a value, a variable, a number or an array", call);
    }
}
