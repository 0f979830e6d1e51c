/* SPDX-License-Identifier: BSD-3-Clause */
/* Local results: what this process holds of a value, variable, number or array, as arrays in memory
 * that is lent until the object is next written, set, destroyed or asked again. */
#include "config.h"

#include "runtime/base/callback.h"
#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

#include <string.h>

/* ------------------------------------------------------------------ of one */

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

/* Everything is checked and measured before the block of the results before is given back. Each
 * array begins at a multiple of 64, as a block does. */
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
        out[i] = view(v->dtype, v->item_bytes, &v->extents, v->stores[store].lent);
        if (v->is_sharded)
            out[i].shape[0] = v->stores[store].rows;
    }
    return n;
}

/* The memory of the device itself is lent where this process sees it. */
static bool is_shown(const cohort_variable *v, const cohort_store *store)
{
    return store->bytes > 0 &&
           cohort_context_has(cohort_strategy_context(v->strategy, store->device),
                              COHORT_CAP_HOST_VISIBLE);
}

/* Room for the stores that are not shown, in place of that of the call before: at least 1 byte for
 * each, so that each has an address. What was lent before is not any more. */
static cohort_status make_room(cohort_variable *v)
{
    uint64_t bytes = 0;
    for (int32_t i = 0; i < v->n_stores; i++) {
        v->stores[i].lent = NULL;
        bytes += is_shown(v, &v->stores[i]) ? 0 : (v->stores[i].bytes + 64) / 64 * 64;
    }
    cohort_free(v->results);
    v->results = bytes > 0 ? cohort_allocate_aligned(bytes, 64) : NULL;
    return v->results != NULL || bytes == 0 ? COHORT_OK : cohort_error_memory("local results");
}

/* Waits for all writes, also of stores that are not read: what was read is never taken back by a
 * failure (variable.h). After that `host` of a buffer, which is the runner's, does not change. */
static cohort_status fill_stores(cohort_variable *v)
{
    cohort_executor *executor = v->strategy->executor;
    char *room = v->results;
    for (int32_t i = 0; i < v->n_stores; i++) {
        cohort_store *store = &v->stores[i];
        if (is_shown(v, store))
            continue;
        if (store->bytes > 0)
            cohort_executor_wait(executor, cohort_transfer_look(cohort_variable_current(v, i), 0,
                                                                room, store->bytes));
        store->lent = room;
        room += (store->bytes + 64) / 64 * 64;
    }
    cohort_variable_wait_complete(v);
    for (int32_t i = 0; i < v->n_stores; i++)
        if (is_shown(v, &v->stores[i]))
            v->stores[i].lent = cohort_variable_current(v, i)->host;
    return cohort_failure_tell(&executor->failure);
}

static int results_of_variable(cohort_variable *v, cohort_array out[], int capacity)
{
    cohort_status status = cohort_variable_check_readable(v, "cohort_local_results");
    if (status >= 0)
        status = make_room(v);
    if (status >= 0)
        status = fill_stores(v);
    return status < 0 ? status : list_copies(v, out, capacity);
}

/* Where a device was lost that may still write to it. */
static void keep_results(const cohort_strategy *s, void **results)
{
    if (!cohort_executor_has_lost(s->executor))
        return;
    cohort_keep(*results);
    *results = NULL;
}

static int find_results(const cohort_argument *x, cohort_array out[], int capacity)
{
    void *object = cohort_memory_own(x->as.p);
    if (x->kind == COHORT_ARGUMENT_VALUE) {
        cohort_value *value = object;
        int n = results_of_value(value, out, capacity);
        if (n < 0)
            keep_results(value->strategy, &value->results);
        return n;
    }
    cohort_variable *v = object;
    int n = results_of_variable(v, out, capacity);
    if (n < 0)
        keep_results(v->strategy, &v->results);
    return n;
}

static int results_of(cohort_argument *x, cohort_array out[], int capacity,
                      cohort_strategy *strategy)
{
    cohort_status status = cohort_call_enter(strategy, "cohort_local_results");
    if (status < 0)
        return status;
    cohort_ledger_say_quiet(strategy->executor);
    int n;
    do
        n = find_results(x, out, capacity);
    while (cohort_call_may_repeat(strategy, n));
    return cohort_call_leave(strategy, n);
}

/* Is the argument an integer or a real number? Then *out is a view of it, in the argument's own
 * memory. */
static bool view_number(const cohort_argument *x, cohort_array *out)
{
    if (x->kind != COHORT_ARGUMENT_INT && x->kind != COHORT_ARGUMENT_UINT &&
        x->kind != COHORT_ARGUMENT_REAL)
        return false;
    *out = (cohort_array){ .data = cohort_memory_read_only(&x->as),
                           .dtype = cohort_number_dtype(x),
                           .item_bytes = 8 };
    return true;
}

int cohort_local_results_of(cohort_argument x, cohort_array out[], int capacity)
{
    /* what the view shows, until the next call on this thread */
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
        if (view_number(&number, &array)) {
            if (capacity > 0)
                out[0] = array;
            return 1;
        }
        return cohort_error_set(COHORT_EINVAL,
                                "%s: takes a value, a variable, a number or an array", call);
    }
}

/* ------------------------------------------------------------------ of a list, by replica */

static bool is_per_replica(const cohort_argument *x)
{
    if (x->kind == COHORT_ARGUMENT_VALUE)
        return x->as.p != NULL && ((const cohort_value *)x->as.p)->kind == COHORT_PER_REPLICA_VALUE;
    return x->kind == COHORT_ARGUMENT_VARIABLE && x->as.p != NULL &&
           ((const cohort_variable *)x->as.p)->is_per_replica;
}

static cohort_status check_list(const cohort_strategy *s, const cohort_argument list[], int n)
{
    for (int i = 0; i < n; i++) {
        const cohort_strategy *owner = cohort_operand_strategy(&list[i]);
        cohort_status status = cohort_operand_check(&list[i], "cohort_local_results_list");
        if (status < 0)
            return status;
        bool is_shard = list[i].kind == COHORT_ARGUMENT_VARIABLE &&
                        ((const cohort_variable *)list[i].as.p)->is_sharded;
        if (owner != NULL && owner != s)
            return cohort_error_set(
                COHORT_EINVAL, "cohort_local_results_list: entry %d belongs to another strategy",
                i);
        if (is_shard)
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_local_results_list: entry %d is a variable in shards, of which no replica "
                "has one; read it with cohort_variable_read",
                i);
    }
    return COHORT_OK;
}

/* Fills room[r] for every replica with one entry of the list; where all replicas see the same, with
 * what the first has. */
static int look_at(const cohort_argument *x, int n_replicas, cohort_array room[])
{
    bool is_number = view_number(x, &room[0]); /* it lies in the list itself */
    int found = is_number ? 1 : cohort_local_results_of(*x, room, n_replicas);
    for (int r = 1; found > 0 && r < n_replicas && !is_per_replica(x); r++)
        room[r] = room[0];
    return found;
}

/* The first entry that is the same value or variable, which is asked once; i when none is. */
static int find_same(const cohort_argument list[], int i)
{
    int j = 0;
    while (j < i && (cohort_operand_strategy(&list[i]) == NULL || list[j].kind != list[i].kind ||
                     list[j].as.p != list[i].as.p))
        j++;
    return j;
}

static int fill_list(const cohort_argument list[], int n, int n_replicas, cohort_array room[],
                     cohort_array out[], int capacity)
{
    for (int i = 0; i < n; i++) {
        int same = find_same(list, i);
        int status = same < i ? n_replicas : look_at(&list[i], n_replicas, room);
        if (status < 0)
            return cohort_error_prefix(status, "entry %d of the list", i);
        for (int r = 0; r < n_replicas && (int64_t)r * n + i < capacity; r++)
            out[r * n + i] = same < i ? out[r * n + same] : room[r];
    }
    return n_replicas;
}

static int results_of_list(cohort_strategy *strategy, const cohort_argument list[], int n,
                           cohort_array out[], int capacity)
{
    if (n < 0 || (n > 0 && list == NULL) || (capacity > 0 && out == NULL))
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_local_results_list: %d entries, room for %d%s", n, capacity,
                                out == NULL || list == NULL ? ", list NULL" : "");
    int n_replicas = strategy->n_replicas;
    cohort_status status = check_list(strategy, list, n);
    if (status < 0)
        return status;
    cohort_array *room = cohort_allocate((size_t)n_replicas, sizeof *room);
    if (room == NULL)
        return cohort_error_memory("local results");
    int result = fill_list(list, n, n_replicas, room, out, capacity);
    cohort_free(room);
    return result;
}

/* The results of each entry come by calls of their own, whose errors are this one's. */
int cohort_local_results_list(cohort_strategy *strategy, const cohort_argument list[], int n,
                              cohort_array out[], int capacity)
{
    cohort_callback inner;
    cohort_error_saved earlier;
    cohort_status status = cohort_call_check(strategy, "cohort_local_results_list");
    if (status < 0)
        return status;
    cohort_error_save(&earlier); /* why an entry is NULL */
    cohort_callback_begin(&inner, NULL, NULL);
    cohort_error_restore(&earlier);
    int result = results_of_list(strategy, list, n, out, capacity);
    cohort_callback_drop(&inner);
    return cohort_call_end(strategy, result);
}
