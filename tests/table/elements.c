/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of datasets, and what is in them, without a strategy. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

cohort_dataset *table_with_options(table_case *c, cohort_dataset *d)
{
    static const struct {
        const char *name;
        cohort_auto_shard policy;
    } policies[] = { { "AUTO", COHORT_SHARD_AUTO },
                     { "OFF", COHORT_SHARD_OFF },
                     { "FILE", COHORT_SHARD_FILE },
                     { "DATA", COHORT_SHARD_DATA },
                     { "HINT", COHORT_SHARD_HINT } };
    const char *name = table_text(c, "policy", NULL);
    cohort_dataset_options options = { .split = c->split };
    size_t i = 0;
    if (name == NULL && c->split == COHORT_SPLIT_FILL)
        return d;
    while (name != NULL && i < sizeof policies / sizeof *policies &&
           strcmp(policies[i].name, name) != 0)
        i++;
    if (i == sizeof policies / sizeof *policies) {
        cohort_dataset_destroy(d);
        return (void *)table_malformed(c, "args: policy \"%s\"", name);
    }
    options.auto_shard = policies[name == NULL ? 0 : i].policy;
    return cohort_dataset_with_options(d, &options);
}

/* ---- Rows as JSON: uint8 is text. */

static json_t *text_of(const cohort_array *array, int64_t row)
{
    const char *at = (const char *)array->data + row * array->shape[array->rank - 1];
    return json_stringn(at, strnlen(at, (size_t)array->shape[array->rank - 1]));
}

json_t *table_rows_of(const cohort_array *array)
{
    if (array->dtype != COHORT_U8 || array->rank == 0)
        return table_numbers(array);
    if (array->rank == 1)
        return text_of(array, 0);
    json_t *list = json_array();
    for (int64_t i = 0; i < array->shape[0]; i++)
        json_array_append_new(list, text_of(array, i));
    return list;
}

json_t *table_elements(table_case *c, cohort_dataset *d, bool is_flat)
{
    cohort_array parts[TABLE_MAX_COMPONENTS];
    cohort_iterator *iterator = cohort_dataset_iterate(d);
    json_t *list = json_array(), *rows;
    cohort_status status = iterator == NULL ? COHORT_EINVAL : COHORT_OK;
    while (status == COHORT_OK && (status = cohort_iterator_next(iterator, parts)) == COHORT_OK) {
        rows = table_rows_of(&parts[0]);
        if (is_flat)
            json_array_extend(list, rows);
        else
            json_array_append(list, rows);
        json_decref(rows);
        if (json_array_size(list) > TABLE_MAX_STEPS)
            status = table_malformed(c, "more than %d elements", TABLE_MAX_STEPS) == NULL
                         ? COHORT_EINVAL
                         : COHORT_OK;
    }
    if (status < 0)
        (void)table_failed(c);
    cohort_iterator_destroy(iterator);
    if (status >= 0)
        return list;
    return json_decref(list), NULL;
}
