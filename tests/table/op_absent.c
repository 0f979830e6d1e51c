/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that are known and have no counterpart in C. */
#include "config.h"

#include "tests/table/table.h"

static json_t *no_inner_scopes(table_case *c)
{
    return table_skipped(c, "no counterpart: nothing can be open inside a scope");
}

static json_t *no_python_arguments(table_case *c)
{
    return table_skipped(c, "no counterpart: a form of a Python call");
}

static json_t *no_argument_lists(table_case *c)
{
    return table_skipped(c, "no counterpart: a merge function takes one pointer from each replica");
}

static json_t *no_tracing(table_case *c)
{
    return table_skipped(c, "no counterpart: nothing is traced");
}

static json_t *no_tuples(table_case *c)
{
    return table_skipped(c, "no counterpart: a tuple is a list");
}

static json_t *no_null(table_case *c)
{
    return table_skipped(c, "no counterpart: there is no value that is none");
}

static json_t *no_gradients(table_case *c)
{
    return table_skipped(c, "no counterpart: Cohort makes no gradients");
}

static json_t *no_summaries(table_case *c)
{
    return table_skipped(c, "no counterpart: Cohort writes no summaries");
}

static json_t *no_operand(table_case *c)
{
    return table_skipped(c, "the row does not say what is reduced, or run");
}

static json_t *no_coordinator(table_case *c)
{
    return table_skipped(c, "no counterpart: nothing is scheduled on workers of other processes");
}

/* Of workers that combine something: each of them is a process. */
static json_t *no_processes(table_case *c)
{
    return table_skipped(c, "several processes");
}

const table_operation table_absent_operations[] = {
    { "leave the scope with an inner creator scope open", no_inner_scopes },
    { "then leave the inner scope", no_inner_scopes },
    { "then leave the strategy scope", no_inner_scopes },
    { "is the strategy still current at the end", no_inner_scopes },
    { "run with args that is a tensor", no_python_arguments },
    { "run with args=3", no_python_arguments },
    { "run with args=None", no_python_arguments },
    { "replicas give argument lists of different length", no_argument_lists },
    { "merge_call in a tf.function called in the replica fn", no_tracing },
    { "run returning a tuple on replica 0 and a list on the others", no_tuples },
    { "experimental_local_results of none", no_null },
    { "default of trainable", no_gradients },
    { "summary written in every replica (5+id)", no_summaries },
    { "reduce SUM, MEAN axis=0 in a scheduled function", no_operand },
    { "local: reduce of plain values", no_operand },
    { "strategy.run outside a scheduled function", no_operand },
    { "per-worker dataset range(10).batch(2): sums of two scheduled steps (the two may run on one "
      "worker)",
      no_coordinator },
    { "a second coordinator for the same strategy is the same object", no_coordinator },
    { "reduce SUM, reduce_to, batch_reduce_to of a host tensor 1.0", no_processes },
    { "reduce SUM, MEAN (axis none), SUM, MEAN (axis 0) of [id+1, 2]", no_processes },
    { "reduce SUM, MEAN of the replica id", no_processes },
    { "reduce SUM of one float32 per worker", no_processes },
    { "reduce SUM of a vector of equal float32 per worker: distinct results and how often",
      no_processes },
    { "replica i holds i+1 rows of value i: SUM axis=0, MEAN axis=0", no_processes },
    { "only replica 0 holds rows [8.]: SUM axis=0, MEAN axis=0", no_processes },
    { "range(9).batch(4): per step [SUM axis=0, MEAN axis=0] (int64)", no_processes },
    { "all_reduce SUM of the list [id, 2*id] and MEAN", no_processes },
    { "all_gather axis 1 of shape (1, i+1)", no_processes },
    { "gather axis 0 of i+1 rows of value i", no_processes },
    { "gather axis 0, replica 0 holds no row, the others 2", no_processes },
    { "replica write (id: argument id+1; literal: 5.0)", no_processes },
    { "cross-replica write of 5.0", no_processes },
    { "ON_READ: replica assign(id+2); components and cross-replica read", no_processes },
    { NULL, NULL },
};
