/* SPDX-License-Identifier: BSD-3-Clause */
/* What the replicas get of an input, read from the values that it fills. */
#include "config.h"

#include "tests/golden_runner/table.h"

bool table_stepper_open(table_case *c, table_stepper *it, cohort_strategy *s, cohort_input *input)
{
    bool is_structure = it->is_structure;
    *it = (table_stepper){ .s = s, .input = input, .is_structure = is_structure };
    if (input == NULL)
        return table_failed(c) != NULL;
    it->n = cohort_input_element_spec(input, NULL, 0);
    if (it->n < 1 || it->n > TABLE_MAX_COMPONENTS)
        return table_malformed(c, "elements of %d components", it->n) != NULL;
    for (int k = 0; k < it->n; k++)
        it->values[k] = cohort_value_create(s);
    return true;
}

/* The input counts rows, the value has them: both have to say the same. */
static json_t *component(table_case *c, const table_stepper *it, int k, int replica,
                         const cohort_array *array)
{
    cohort_spec specs[TABLE_MAX_COMPONENTS];
    int64_t rows = cohort_input_replica_rows(it->input, replica);
    (void)cohort_input_element_spec(it->input, specs, TABLE_MAX_COMPONENTS);
    if (cohort_value_rows(it->values[k], replica) != rows)
        return table_malformed(c, "replica %d has %lld rows, the input says %lld", replica,
                               (long long)cohort_value_rows(it->values[k], replica),
                               (long long)rows);
    if (specs[k].rank == 0 && rows == 0)
        return json_null();
    if (specs[k].dtype == array->dtype && specs[k].rank == array->rank)
        return table_rows_of(array);
    return table_malformed(c, "replica %d has %s of rank %d, the input says %s of rank %d", replica,
                           cohort_dtype_name(array->dtype), array->rank,
                           cohort_dtype_name(specs[k].dtype), specs[k].rank);
}

json_t *table_replica_rows(table_case *c, const table_stepper *it)
{
    cohort_array arrays[TABLE_MAX_COMPONENTS][TABLE_MAX_REPLICAS];
    int replicas = cohort_strategy_num_replicas(it->s);
    for (int k = 0; k < it->n; k++)
        if (cohort_local_results(it->values[k], arrays[k], TABLE_MAX_REPLICAS) != replicas)
            return table_failed(c);
    json_t *list = json_array();
    int64_t rows = 0;
    for (int r = 0; r < replicas; r++) {
        json_t *own = json_array();
        rows += cohort_input_replica_rows(it->input, r);
        for (int k = 0; k < it->n; k++)
            json_array_append_new(own, component(c, it, k, r, &arrays[k][r]));
        json_array_append(list, it->is_structure ? own : json_array_get(own, 0));
        json_decref(own);
    }
    if (rows == cohort_input_rows(it->input) && c->malformed[0] == '\0')
        return list;
    json_decref(list);
    return table_malformed(c, "%lld rows on the replicas, the input says %lld", (long long)rows,
                           (long long)cohort_input_rows(it->input));
}

cohort_status table_stepper_next(table_case *c, table_stepper *it, json_t **out)
{
    cohort_status status = cohort_input_next(it->input, it->values);
    *out = NULL;
    if (status == COHORT_OK)
        return (*out = table_replica_rows(c, it)) != NULL ? COHORT_OK : COHORT_EINTERNAL;
    if (status < 0)
        (void)table_failed(c);
    return status;
}
