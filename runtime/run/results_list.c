/* SPDX-License-Identifier: BSD-3-Clause */
/* Local results of a list: those of its entries, sorted by replica. */
#include "config.h"

#include "runtime/base/callback.h"
#include "runtime/base/memory.h"
#include "runtime/run/results.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

static bool is_per_replica(const cohort_argument *x)
{
    if (x->kind == COHORT_ARGUMENT_VALUE)
        return x->as.p != NULL && ((const cohort_value *)x->as.p)->kind == COHORT_PER_REPLICA_VALUE;
    return x->kind == COHORT_ARGUMENT_VARIABLE && x->as.p != NULL &&
           ((const cohort_variable *)x->as.p)->is_per_replica;
}

static cohort_status check(const cohort_strategy *s, const cohort_argument list[], int n)
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

/* One entry: room[r] for every replica, the first for all where they see the same. */
static int look_at(const cohort_argument *x, int n_replicas, cohort_array room[])
{
    bool is_number = cohort_results_of_number(x, &room[0]); /* it lies in the list itself */
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

static int fill(const cohort_argument list[], int n, int n_replicas, cohort_array room[],
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
    int n_replicas = cohort_strategy_num_replicas(strategy);
    cohort_status status = check(strategy, list, n);
    if (status < 0)
        return status;
    cohort_array *room = cohort_allocate((size_t)n_replicas, sizeof *room);
    if (room == NULL)
        return cohort_error_memory("local results");
    int result = fill(list, n, n_replicas, room, out, capacity);
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
