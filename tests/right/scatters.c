/* SPDX-License-Identifier: BSD-3-Clause */
/* Some rows of variables, written and read. */
#include "config.h"

#include "tests/right/right.h"

static const cohort_placement *placed;

static cohort_variable *table_of(cohort_strategy *s, const char *name, const void *content,
                                 cohort_dtype dtype)
{
    cohort_array initial = COHORT_ARRAY(whole, CLASSES, COLUMNS);
    initial.data = (void *)(uintptr_t)content, initial.dtype = dtype;
    initial.item_bytes = cohort_dtype_bytes(dtype);
    return cohort_variable_create(s, name, initial,
                                  &(cohort_variable_options){ .placement = placed });
}

static cohort_value *ids_by(cohort_strategy *s, bool is_uneven)
{
    int64_t counts[MAX_REPLICAS];
    uneven_counts(s, counts);
    return is_uneven ? cohort_value_split_by(s, COHORT_ARRAY(ids, ROWS), counts)
                     : cohort_value_split(s, COHORT_ARRAY(ids, ROWS));
}

static void write_rows(cohort_strategy *s, cohort_variable *v)
{
    cohort_value *at = ids_by(s, true), *rows = uneven_rows(s);
    cohort_variable_scatter_add(v, at, rows);
    cohort_variable_scatter_sub(v, ids_by(s, false), whole_rows(s));
    note_variable("nothing added", v);
    cohort_variable_scatter_mul(v, COHORT_ARRAY(ids, 3), COHORT_ARRAY(whole, 3, COLUMNS));
    note_variable("product", v);
    cohort_variable_scatter_min(v, at, rows);
    note_variable("least", v);
    cohort_variable_scatter_update(v, at, rows);
    note_variable("last", v);
    cohort_variable_scatter_max(v, at, rows);
    note_variable("largest", v);
    cohort_variable_scatter_div(v, COHORT_ARRAY(ids, 2), COHORT_ARRAY(whole + 1, 2, COLUMNS));
    note_variable("quotient", v);
}

static void mirrored_rows(cohort_strategy *s)
{
    placed = NULL;
    write_rows(s, table_of(s, "table", whole, COHORT_I64));
}

static void sharded_rows(cohort_strategy *s)
{
    const cohort_placement three = cohort_placement_fixed_shards(3);
    placed = &three;
    write_rows(s, table_of(s, "table", whole, COHORT_I64));
    placed = NULL;
}

/* Rows of one id are added in the order of all rows. */
static void real_rows_added(cohort_strategy *s)
{
    cohort_variable *v = table_of(s, "table", real, COHORT_F32);
    cohort_variable_scatter_add(v, ids_by(s, false), real_rows(s));
    note_variable("sum", v);
    cohort_variable_scatter_div(v, ids_by(s, false), real_rows(s));
    note_variable("quotient", v);
}

static void rows_read(cohort_strategy *s)
{
    cohort_value *rows = cohort_value_create(s);
    cohort_variable *v = table_of(s, "table", whole, COHORT_I64);
    cohort_variable_gather(v, ids_by(s, true), rows);
    note_value("uneven", rows);
    cohort_variable_gather(v, COHORT_ARRAY(ids, 5), rows);
    note_value("of an array", rows);
}

static void aggregated_rows(cohort_strategy *s)
{
    cohort_array initial = COHORT_ARRAY(whole, CLASSES, COLUMNS);
    cohort_variable *sum = cohort_variable_create(
        s, "sum", initial, &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM });
    cohort_variable_scatter_add(sum, ids_by(s, true), uneven_rows(s));
    note_variable("sum", sum);
    initial = COHORT_ARRAY(real, CLASSES, COLUMNS);
    cohort_variable *mean = cohort_variable_create(
        s, "mean", initial, &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_MEAN });
    cohort_variable_scatter_sub(mean, ids_by(s, false), real_rows(s));
    note_variable("mean", mean);
}

const right_program right_scatters[] = { RIGHT(mirrored_rows),   RIGHT(sharded_rows),
                                         RIGHT(real_rows_added), RIGHT(rows_read),
                                         RIGHT(aggregated_rows), { NULL, NULL } };
