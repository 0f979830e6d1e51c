/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioners, and where variables live. */
#include "config.h"

#include "tests/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "FixedShards(20)", "MaxSize(4 bytes)", "MaxSize(4 bytes, at most 2)", "MinSize(4 bytes, at most
 * 2)" */
static bool partitioner(table_case *c, cohort_placement *out)
{
    static const char *const forms[] = { "FixedShards(%" SCNd64 ")%n",
                                         "MaxSize(%" SCNd64 " bytes)%n",
                                         "MaxSize(%" SCNd64 " bytes, at most %" SCNd64 ")%n",
                                         "MinSize(%" SCNd64 " bytes, at most %" SCNd64 ")%n" };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int64_t number = 0, most = INT64_MAX;
        int n = 0;
        (void)(i < 2 ? sscanf(c->rest, forms[i], &number, &n)
                     : sscanf(c->rest, forms[i], &number, &most, &n));
        if (n == 0 || c->rest[n] != '\0')
            continue;
        *out = i == 0   ? cohort_placement_fixed_shards(number)
               : i == 3 ? cohort_placement_min_bytes(number, most)
                        : cohort_placement_max_bytes(number, most);
        return table_rest_is_read(c), true;
    }
    return table_malformed(c, "op: the partitioner \"%s\"", c->rest) != NULL;
}

/* The number of parts along each axis: Cohort cuts axis 0. */
static json_t *parts_of(table_case *c, cohort_strategy *s, const cohort_placement *placement)
{
    cohort_copy copies[1024];
    const json_t *shape = table_arg(c, "shape");
    cohort_array initial = { .dtype = table_args_dtype(c, COHORT_F32),
                             .rank = (int32_t)json_array_size(shape) };
    if (initial.rank < 1 || initial.rank > COHORT_MAX_RANK)
        return table_malformed(c, "args: \"shape\"");
    for (int i = 0; i < initial.rank; i++)
        initial.shape[i] = json_integer_value(json_array_get(shape, (size_t)i));
    cohort_variable *v =
        s == NULL ? NULL
                  : cohort_variable_create(s, TABLE_VARIABLE, initial,
                                           &(cohort_variable_options){ .placement = placement });
    int n = v == NULL ? 0 : cohort_variable_copies(v, copies, 1024);
    if (n < 1)
        return table_failed(c);
    json_t *parts = json_array();
    for (int i = 0; i < initial.rank; i++)
        json_array_append_new(parts, json_integer(i == 0 ? n : 1));
    return json_pack("{s:o}", "partitions", parts);
}

static json_t *partition(table_case *c)
{
    cohort_placement placement;
    return partitioner(c, &placement) ? parts_of(c, c->s, &placement) : NULL;
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
    if (is_mirrored && cohort_strategy_devices(c->s, NULL, 0) < c->replicas)
        return table_skipped(c, "a device that cannot be cut hosts all replicas");
    const char *type = is_mirrored       ? "MirroredVariable"
                       : c->replicas > 1 ? "AggregatingVariable"
                                         : "ResourceVariable";
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
