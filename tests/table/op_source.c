/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets alone: what is in them, and how many elements they say they have. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

static json_t *elements_of(table_case *c, const char *chain)
{
    cohort_dataset *d = table_dataset(c, chain);
    int64_t cardinality = cohort_dataset_cardinality(d);
    json_t *elements = d == NULL ? NULL : table_elements(c, d, false);
    return elements == NULL ? NULL
                            : json_pack("{s:o, s:I}", "elements", elements, "cardinality",
                                        (json_int_t)cardinality);
}

/* What is called says it. */
static json_t *as_named(table_case *c)
{
    return elements_of(c, c->op);
}

/* Only as far as all sizes are the same: a batch has one here. */
static json_t *rebatched(table_case *c)
{
    const json_t *sizes = table_arg(c, "sizes"), *size;
    json_t *first = json_array_get(sizes, 0);
    size_t i;
    json_array_foreach(
        sizes, i, size) if (!json_equal(size, first) ||
                            json_integer_value(size) <
                                1) return table_skipped(c,
                                                        "no counterpart: batches of sizes in turn");
    json_t *args = json_copy((json_t *)c->args);
    json_object_set(args, "size", first);
    c->args = args;
    json_t *found = elements_of(c, "range(n).batch(b).rebatch(size,drop_remainder)");
    json_decref(args);
    return found;
}

static json_t *rebatched_by_number(table_case *c)
{
    return elements_of(c, "range(7).batch(2).rebatch(sizes)");
}

static json_t *cardinality_of(table_case *c, const char *chain)
{
    cohort_dataset *d = table_dataset(c, chain);
    int64_t cardinality = cohort_dataset_cardinality(d);
    cohort_dataset_destroy(d);
    return json_pack("{s:I}", "value", (json_int_t)cardinality);
}

static json_t *infinite(table_case *c)
{
    return cardinality_of(c, "range(3).repeat");
}

static json_t *batches_of_infinite(table_case *c)
{
    return cardinality_of(c, "range(3).repeat.batch(2)");
}

static json_t *slices_of_different_length(table_case *c)
{
    static float a[3], b[4];
    cohort_dataset *d =
        cohort_dataset_slices(2, (cohort_array[]){ COHORT_ARRAY(a, 3), COHORT_ARRAY(b, 4) });
    json_t *found = d == NULL ? table_failed(c) : table_elements(c, d, false);
    return found;
}

const table_operation table_source_operations[] = {
    { "range(n).batch(b).rebatch(sizes)", rebatched },
    { "rebatch with a number", rebatched_by_number },
    { "range(n).shard(num, index)", as_named },
    { "range(4).shard(num, index)", as_named },
    { "range(1,10,4)", as_named },
    { "range(0)", as_named },
    { "range(3).repeat(0)", as_named },
    { "range(7).batch(3,drop)", as_named },
    { "range(5).skip(2)", as_named },
    { "range(5).take(-1)", as_named },
    { "range(5).skip(-1)", as_named },
    { "range(5).batch(2).unbatch", as_named },
    { "range(3).batch(0)", as_named },
    { "from_tensor_slices of two arrays of different length", slices_of_different_length },
    { "cardinality of infinite", infinite },
    { "cardinality of batch-of-infinite", batches_of_infinite },
    { NULL, NULL },
};
