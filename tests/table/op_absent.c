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

static json_t *no_roles(table_case *c)
{
    return table_skipped(c, "no counterpart: roles of TensorFlow's own sessions");
}

const table_operation table_absent_operations[] = {
    { "leave the scope with an inner *", no_inner_scopes },
    { "then leave the inner scope", no_inner_scopes },
    { "then leave the strategy scope", no_inner_scopes },
    { "is the strategy still current at the end", no_inner_scopes },
    { "run with args*", no_python_arguments },
    { "replicas give argument lists of different length", no_argument_lists },
    { "merge_call in a tf.function called in the replica fn", no_tracing },
    { "run returning a tuple on replica 0 and a list on the others", no_tuples },
    { "experimental_local_results of none", no_null },
    { "default of trainable", no_gradients },
    { "summary written in every replica (5+id)", no_summaries },
    { "role flags", no_roles },
    { NULL, NULL },
};
