/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of the data, steps that may have no value, replicas without rows. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

static cohort_input *distribute(table_case *c, const char *chain)
{
    cohort_dataset *d = table_dataset(c, chain);
    if (d != NULL)
        d = table_with_options(c, d);
    return d == NULL ? NULL : cohort_distribute_dataset(c->s, d);
}

/* ---- Past the end: a status, not an error, is what a program sees. */

static json_t *past_the_end(table_case *c)
{
    table_stepper it = { .is_structure = false };
    if (!table_stepper_open(c, &it, c->s, distribute(c, "range(2).batch(2)")))
        return NULL;
    json_decref(table_all_steps(c, &it, TABLE_MAX_STEPS));
    if (cohort_input_next(it.input, it.values) != COHORT_END ||
        cohort_input_next(it.input, it.values) != COHORT_END)
        return json_pack("{s:s}", "value", "it goes on past the end");
    (void)snprintf(c->failure, sizeof c->failure, "%s", cohort_status_text(COHORT_END));
    return NULL;
}

static json_t *optionals(table_case *c)
{
    table_stepper it = { .is_structure = false };
    json_t *calls = json_array();
    if (!table_stepper_open(c, &it, c->s, distribute(c, "range(n).batch(G)")))
        return json_decref(calls), NULL;
    for (int i = 0; i < 4; i++) {
        bool has_value = false;
        cohort_status status = cohort_input_next_as_optional(it.input, it.values, &has_value);
        if (status != COHORT_OK)
            return json_decref(calls), table_failed(c);
        json_array_append_new(
            calls,
            json_pack("[b, o]", has_value, has_value ? table_replica_rows(c, &it) : json_null()));
    }
    return json_pack("{s:o}", "calls", calls);
}

/* A value into which nothing was written has nothing to read. */
static json_t *empty_optional(table_case *c)
{
    table_stepper it = { .is_structure = false };
    bool has_value = true;
    if (!table_stepper_open(c, &it, c->s, distribute(c, "range(0).batch(2)")))
        return NULL;
    if (cohort_input_next_as_optional(it.input, it.values, &has_value) != COHORT_OK)
        return table_malformed(c, "the end is an error: %s", cohort_error_text());
    return has_value ? json_pack("{s:s}", "value", "an empty dataset has an element")
                     : table_replica_rows(c, &it);
}

static cohort_status next_here(cohort_replica *me, void *user)
{
    table_stepper *it = user;
    (void)me;
    return cohort_input_next(it->input, it->values);
}

static json_t *next_in_replica(table_case *c)
{
    table_stepper it = { .is_structure = false };
    if (!table_stepper_open(c, &it, c->s, distribute(c, "range(8).batch(4)")))
        return NULL;
    return table_step(c, next_here, &it) == COHORT_OK
               ? json_pack("{s:s}", "value", "it can be called there")
               : NULL;
}

/* ---- Again, and twice at once. */

static json_t *first_step(table_case *c, cohort_dataset *d)
{
    table_stepper it = { .is_structure = false };
    json_t *rows = NULL;
    if (d != NULL && table_stepper_open(c, &it, c->s, cohort_distribute_dataset(c->s, d)))
        (void)table_stepper_next(c, &it, &rows);
    return rows;
}

static json_t *iterate_again(table_case *c)
{
    table_stepper it = { .is_structure = false };
    cohort_dataset *d = table_dataset(c, "range(4).batch(4)");
    if (d == NULL || (d = table_with_options(c, d)) == NULL)
        return NULL;
    json_t *a = first_step(c, cohort_dataset_share(d)), *b = first_step(c, cohort_dataset_share(d));
    json_t *first = NULL, *second = NULL;
    if (table_stepper_open(c, &it, c->s, cohort_distribute_dataset(c->s, d)))
        first = table_all_steps(c, &it, TABLE_MAX_STEPS);
    if (first != NULL && cohort_input_initialize(it.input) == COHORT_OK)
        second = table_all_steps(c, &it, TABLE_MAX_STEPS);
    if (a != NULL && b != NULL && second != NULL)
        return json_pack("{s:o, s:o, s:[o, o]}", "first", first, "second", second, "two_iterators",
                         a, b);
    json_decref(a);
    json_decref(b);
    json_decref(first);
    return json_decref(second), table_failed(c);
}

static json_t *total(table_case *c)
{
    cohort_input *input = distribute(c, "range(5).batch(4)");
    cohort_value *x = cohort_value_create(c->s), *sum = cohort_value_create(c->s);
    int64_t all = 0, one = 0;
    cohort_status status = input == NULL ? COHORT_EINVAL : COHORT_OK;
    while (status == COHORT_OK && (status = cohort_input_next(input, &x)) == COHORT_OK) {
        if ((status = cohort_reduce(COHORT_SUM, x, 0, sum)) == COHORT_OK)
            status = cohort_value_read(sum, COHORT_ARRAY(&one, 1));
        all += one;
    }
    if (status != COHORT_END)
        return table_failed(c);
    return json_pack("{s:s, s:[], s:[I]}", "dtype", "int64", "shape", "data", (json_int_t)all);
}

/* ---- Replicas without rows: one row in a batch of as many as there are replicas. */

static cohort_dataset *element(table_case *c)
{
    static float reals[3] = { 1, 2, 3 };
    static int32_t matrix[4] = { 1, 2, 3, 4 };
    static bool truth[1] = { true };
    const char *name = table_text(c, "element", "");
    if (strcmp(name, "float-2d") == 0)
        return cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(reals, 1, 3) });
    if (strcmp(name, "dict") == 0)
        return cohort_dataset_slices(
            2, (cohort_array[]){ COHORT_ARRAY(matrix, 1, 2, 2), COHORT_ARRAY(truth, 1) });
    if (strcmp(name, "string") != 0)
        return (void *)table_malformed(c, "args: element \"%s\"", name);
    const char *const *files = table_text_files(c, 1, 1);
    return files == NULL ? NULL : cohort_dataset_text(files, 1);
}

/* [dtype, shape]; a text is one axis shorter in TensorFlow. */
static json_t *kind_of(const cohort_array *array)
{
    bool is_text = array->dtype == COHORT_U8;
    json_t *shape = json_array();
    for (int i = 0; i < array->rank - is_text; i++)
        json_array_append_new(shape, json_integer(array->shape[i]));
    return json_pack("[s, o]", is_text ? "string" : cohort_dtype_name(array->dtype), shape);
}

static json_t *kinds(table_case *c)
{
    table_stepper it = { .is_structure = true };
    cohort_array arrays[TABLE_MAX_COMPONENTS][TABLE_MAX_REPLICAS];
    cohort_dataset *d = cohort_dataset_batch(element(c), c->replicas, false);
    if (d == NULL)
        return c->malformed[0] != '\0' ? NULL : table_failed(c);
    if (!table_stepper_open(c, &it, c->s, cohort_distribute_dataset(c->s, d)))
        return NULL;
    if (cohort_input_next(it.input, it.values) != COHORT_OK)
        return table_failed(c);
    for (int k = 0; k < it.n; k++)
        if (cohort_local_results(it.values[k], arrays[k], TABLE_MAX_REPLICAS) != c->replicas)
            return table_failed(c);
    json_t *list = json_array();
    for (int r = 0; r < c->replicas; r++) {
        json_t *own = json_array();
        for (int k = 0; k < it.n; k++)
            json_array_append_new(own, kind_of(&arrays[k][r]));
        json_array_append_new(list, own);
    }
    return json_pack("{s:o}", "per_replica", list);
}

/* A step function runs on every replica, and reads how many rows there are for it. */
typedef struct visit {
    cohort_value *x;
    int64_t rows[TABLE_MAX_REPLICAS];
    bool was_here[TABLE_MAX_REPLICAS];
} visit;

static cohort_status count_own(cohort_replica *me, void *user)
{
    visit *it = user;
    int id = cohort_replica_id(me);
    it->rows[id] = cohort_value_rows(it->x, id);
    it->was_here[id] = true;
    return it->rows[id] < 0 ? COHORT_EINVAL : COHORT_OK;
}

static json_t *visits(table_case *c)
{
    visit it = { .x = cohort_value_create(c->s) };
    cohort_input *input = cohort_distribute_dataset(c->s, table_dataset(c, "range(1).batch(R)"));
    if (input == NULL || cohort_input_next(input, &it.x) != COHORT_OK)
        return table_failed(c);
    if (table_step(c, count_own, &it) != COHORT_OK)
        return NULL;
    json_t *list = json_array();
    for (int r = 0; r < c->replicas; r++)
        if (it.was_here[r])
            json_array_append_new(list, json_pack("[i, [I]]", r, (json_int_t)it.rows[r]));
    return json_pack("{s:o}", "ran", list);
}

/* ---- What has no strategy. */

static json_t *batch_size(table_case *c)
{
    double R = 0, G = 0;
    if (!table_repeats_replicas(c, "R") || !table_number(c, "R", &R) || !table_number(c, "G", &G))
        return NULL;
    cohort_input_context context = { 1, 0, (int32_t)R };
    int64_t rows = cohort_input_context_batch_size(&context, (int64_t)G);
    return rows < 0 ? table_failed(c) : json_pack("{s:I}", "value", (json_int_t)rows);
}

static json_t *defaults(table_case *c)
{
    return table_skipped(c, "no counterpart: options of their own");
}

static json_t *normalization(table_case *c)
{
    return table_skipped(c, "no counterpart: Cohort has no layers");
}

const table_operation table_end_operations[] = {
    { "next() past the end", past_the_end },
    { "get_next past the end", past_the_end },
    { "get_next_as_optional x4 on range(2R+1).batch(2R)", optionals },
    { "get_value of an optional without a value", empty_optional },
    { "next(iterator) in a replica fn", next_in_replica },
    { "iterate the same distributed dataset twice; two iterators at once", iterate_again },
    { "traced for loop over range(5).batch(4), total", total },
    { "shapes and dtypes that every replica gets from one row in a batch of R", kinds },
    { "does the replica function run on replicas without rows", visits },
    { "get_per_replica_batch_size", batch_size },
    { "InputOptions() defaults", defaults },
    { "fused batch norm, training, of an empty batch (0,4,4,3)", normalization },
    { NULL, NULL },
};
