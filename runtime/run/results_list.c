/* SPDX-License-Identifier: BSD-3-Clause */
/* Local results of a list: those of its entries, sorted by replica. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/run/results.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

static bool is_per_replica(const cohort_argument *x)
{
    if (x->kind == COHORT_ARGUMENT_VALUE)
        return x->as.p != NULL && ((const cohort_value *)x->as.p)->kind == COHORT_PER_REPLICA_VALUE;
    return x->kind == COHORT_ARGUMENT_VARIABLE && x->as.p != NULL && ((const cohort_variable *)x->as.p)->is_per_replica;
}

/* Per-replica entries must agree on the number of replicas: they are of one strategy. */
static int count_replicas(const cohort_argument list[], int n)
{
    cohort_strategy *first = NULL;
    for (int i = 0; i < n; i++) {
        cohort_strategy *s = is_per_replica(&list[i]) ? cohort_operand_strategy(&list[i]) : NULL;
        if (first != NULL && s != NULL && s != first)
            return cohort_error_set(COHORT_EINVAL, "cohort_local_results_list: entry %d belongs to another strategy",
                                    i);
        first = first != NULL ? first : s;
    }
    return first != NULL ? cohort_strategy_num_replicas(first) : 1;
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

static int fill(const cohort_argument list[], int n, int n_replicas, cohort_array room[], cohort_array out[],
                int capacity)
{
    for (int i = 0; i < n; i++) {
        int status = look_at(&list[i], n_replicas, room);
        if (status < 0)
            return cohort_error_prefix(status, "entry %d of the list", i);
        for (int r = 0; r < n_replicas && (int64_t)r * n + i < capacity; r++)
            out[r * n + i] = room[r];
    }
    return n_replicas;
}

int cohort_local_results_list(const cohort_argument list[], int n, cohort_array out[], int capacity)
{
    if (n < 0 || (n > 0 && list == NULL) || (capacity > 0 && out == NULL))
        return cohort_error_set(COHORT_EINVAL, "cohort_local_results_list: %d entries, room for %d%s", n, capacity,
                                out == NULL || list == NULL ? ", list NULL" : "");
    int n_replicas = count_replicas(list, n);
    if (n_replicas < 0)
        return n_replicas;
    cohort_array *room = cohort_allocate((size_t)n_replicas, sizeof *room);
    if (room == NULL)
        return cohort_error_memory("local results");
    int result = fill(list, n, n_replicas, room, out, capacity);
    cohort_free(room);
    return result;
}
