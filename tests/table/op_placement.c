/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioners, and where variables live. */
#include "config.h"

#include "tests/table/table.h"

#include <stdlib.h>
#include <string.h>

/* "FixedShards(20)", "MaxSize(4 bytes)". */
static bool partitioner(table_case *c, cohort_placement *out)
{
    const char *open = strchr(c->rest, '(');
    int64_t number = open == NULL ? 0 : strtoll(open + 1, NULL, 10);
    if (strncmp(c->rest, "FixedShards(", 12) == 0)
        *out = cohort_placement_fixed_shards(number);
    else if (strncmp(c->rest, "MaxSize(", 8) == 0 && strchr(c->rest, ',') == NULL)
        *out = cohort_placement_max_bytes(number);
    else
        return table_skipped(c, "no counterpart: a partitioner with these options") != NULL;
    if (number < 1 && strncmp(c->rest, "FixedShards(", 12) == 0)
        return table_skipped(c, "no counterpart: a variable in no shard at all") != NULL;
    return true;
}

/* The number of parts along each axis: Cohort cuts axis 0. */
static json_t *partition(table_case *c)
{
    cohort_placement placement;
    cohort_copy copies[1024];
    const json_t *shape = json_object_get(c->args, "shape");
    cohort_array initial = { .dtype = table_args_dtype(c, COHORT_F32), .rank = (int32_t)json_array_size(shape) };
    if (!partitioner(c, &placement))
        return NULL;
    if (initial.rank < 1 || initial.rank > COHORT_MAX_RANK)
        return table_malformed(c, "args: \"shape\"");
    for (int i = 0; i < initial.rank; i++)
        initial.shape[i] = json_integer_value(json_array_get(shape, (size_t)i));
    cohort_variable *v =
        cohort_variable_create(c->s, TABLE_VARIABLE, initial, &(cohort_variable_options){ .placement = &placement });
    int n = cohort_variable_copies(v, copies, 1024);
    json_t *parts = json_array();
    if (v == NULL || n < 0)
        return json_decref(parts), table_failed(c);
    for (int i = 0; i < initial.rank; i++)
        json_array_append_new(parts, json_integer(i == 0 ? n : 1));
    return json_pack("{s:o}", "partitions", parts);
}

/* ---- TensorFlow's name of the class, and of the n-th device. */

static json_t *device_name(int place)
{
    return json_sprintf("/job:localhost/replica:0/task:0/device:CPU:%d", place);
}

static json_t *type_and_device(table_case *c)
{
    cohort_copy copies[TABLE_MAX_REPLICAS];
    cohort_variable *v = table_variable(c, table_scalar(c, 1, COHORT_F32), NULL, NULL);
    int n = v == NULL ? -1 : cohort_variable_copies(v, copies, TABLE_MAX_REPLICAS);
    bool is_mirrored = table_copies_of_variable(c) > 1;
    if (n < 1)
        return table_failed(c);
    const char *type = is_mirrored ? "MirroredVariable" : c->replicas > 1 ? "AggregatingVariable" : "ResourceVariable";
    if (!is_mirrored)
        return json_pack("{s:s, s:o}", "type", type, "device", device_name(copies[0].device));
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, device_name(copies[i].device));
    return json_pack("{s:s, s:o}", "type", type, "device", list);
}

const table_operation table_placement_operations[] = {
    { "partitioner *", partition },
    { "type and device of a variable", type_and_device },
    { NULL, NULL },
};
