/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a table, and refuses what is none. */
#include "config.h"

#include "tests/golden_runner/table.h"

#include <stdio.h>

static bool is_row(const json_t *row)
{
    const json_t *replicas = json_object_get(row, "replicas"), *args = json_object_get(row, "args"),
                 *strategy = json_object_get(row, "strategy");
    return json_is_string(json_object_get(row, "id")) &&
           json_is_string(json_object_get(row, "op")) &&
           (replicas == NULL || json_is_integer(replicas)) &&
           (args == NULL || json_is_object(args)) && (strategy == NULL || json_is_string(strategy));
}

static size_t rows_before_a_wrong_one(const json_t *table)
{
    size_t i = 0;
    while (i < json_array_size(table) && is_row(json_array_get(table, i)))
        i++;
    return i;
}

json_t *table_load(const char *path)
{
    json_error_t error;
    json_t *table = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    size_t good = rows_before_a_wrong_one(table);
    if (table == NULL)
        (void)fprintf(stderr, "golden: %s:%d: %s\n", path, error.line, error.text);
    else if (!json_is_array(table))
        (void)fprintf(stderr, "golden: %s: an array of cases is wanted\n", path);
    else if (good < json_array_size(table))
        (void)fprintf(stderr,
                      "golden: %s: case %zu: \"id\" and \"op\" are texts, \"replicas\" is an "
                      "integer, \"args\" an object\n",
                      path, good + 1);
    else
        return table;
    json_decref(table);
    return NULL;
}
