/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: distributing datasets, and stepping over what the replicas get. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An input with the values that it fills. */
static thing input(frame *f, cohort_input *made)
{
    table_stepper *it = table_memory(f->c, sizeof *it);
    return thing_of(f, THING_INPUT, table_stepper_open(f->c, it, f->s, made) ? it : NULL);
}

/* ---- Of a dataset. */

static thing distribute(frame *f, const thing x[])
{
    cohort_dataset *d = x[0].as.dataset;
    return input(f, f->options != NULL ? cohort_distribute_dataset_with(f->s, d, f->options)
                                       : cohort_distribute_dataset(f->s, d));
}

/* InputOptions: where elements lie before they are taken is the library's affair, it makes no
 * difference to them. */
static bool options_of(frame *f, const thing *given, cohort_input_options *out)
{
    static const char *const modes[] = { "PER_WORKER", "PER_REPLICA" };
    const char *key;
    json_t *option;
    *out = f->options != NULL ? *f->options : (cohort_input_options){ .ahead = 0 };
    json_object_foreach(json_of(f, given), key, option)
    {
        const int64_t number = json_integer_value(option);
        const char *mode = json_is_string(option) ? json_string_value(option) : "";
        if (strcmp(key, "experimental_per_replica_buffer_size") == 0 && json_is_integer(option))
            out->ahead = number == 0 ? -1 : (int32_t)number;
        else if (strcmp(key, "experimental_replication_mode") == 0 &&
                 (strcmp(mode, modes[0]) == 0 || strcmp(mode, modes[1]) == 0))
            out->replication_mode =
                strcmp(mode, modes[1]) == 0 ? COHORT_PER_REPLICA : COHORT_PER_WORKER;
        else if ((strcmp(key, "experimental_fetch_to_device") != 0 &&
                  strcmp(key, "experimental_place_dataset_on_device") != 0) ||
                 !json_is_boolean(option))
            return frame_unknown(f, "option", key), false;
    }
    return true;
}

static thing distribute_with(frame *f, const thing x[])
{
    cohort_input_options options;
    if (!options_of(f, &x[1], &options))
        return cohort_dataset_destroy(x[0].as.dataset), nothing;
    return input(f, cohort_distribute_dataset_with(f->s, x[0].as.dataset, &options));
}

/* ---- Of a function that makes one: the block, in which `context` is what it is told. */

typedef struct maker {
    frame f;
    thing block;
} maker;

static cohort_dataset *make(const cohort_input_context *context, void *user)
{
    maker *it = user;
    frame own = it->f;
    json_t *told = json_pack("[i, i, i]", context->num_input_pipelines, context->input_pipeline_id,
                             context->num_replicas_in_sync);
    json_array_append(own.c->contexts, told);
    thing made = expression_block(&own, &it->block, "context", thing_json(&own, told));
    return made.kind == THING_DATASET ? made.as.dataset : NULL;
}

static maker *maker_of(frame *f, const thing *block)
{
    maker *it = table_memory(f->c, sizeof *it);
    it->f = *f;
    it->block = *block;
    if (f->c->contexts == NULL)
        table_keep(f->c, f->c->contexts = json_array());
    return it;
}

static thing distribute_function(frame *f, const thing x[])
{
    cohort_input_options options;
    return options_of(f, &x[0], &options) ? input(f, cohort_distribute_datasets_from_function_with(
                                                         f->s, make, maker_of(f, &x[1]), &options))
                                          : nothing;
}

/* ---- The calls of tf.distribute's first version. */

static thing iterator_of_function(frame *f, const thing x[])
{
    cohort_replication_mode mode =
        strcmp(text_of(&x[0]), "per-replica") == 0 ? COHORT_PER_REPLICA : COHORT_PER_WORKER;
    return input(f, cohort_make_input_fn_iterator(f->s, make, mode, maker_of(f, &x[1])));
}

/* What the dataset functions of the row were told, [pipelines, id, replicas] for each call. */
static thing contexts(frame *f, const thing x[])
{
    (void)x;
    return thing_json(f, json_incref(f->c->contexts));
}

/* ---- Steps. */

static int most(const thing *x)
{
    return x->kind == THING_NOTHING ? TABLE_MAX_STEPS : (int)integer_of(x);
}

static thing dtype_of_input(frame *f, const thing x[])
{
    cohort_spec specs[TABLE_MAX_COMPONENTS];
    (void)cohort_input_element_spec(x[0].as.stepper->input, specs, TABLE_MAX_COMPONENTS);
    return thing_text(f, cohort_dtype_name(specs[0].dtype));
}

/* The same input; each replica has a list of components. */
static thing structured(frame *f, const thing x[])
{
    (void)f;
    x[0].as.stepper->is_structure = true;
    return x[0];
}

static thing next_rows(frame *f, const thing x[])
{
    json_t *rows = NULL;
    cohort_status status = table_stepper_next(f->c, x[0].as.stepper, &rows);
    return status == COHORT_OK ? thing_json(f, rows) : frame_stop(f, status);
}

/* The values of a step, one for each component. */
static thing next_values(frame *f, const thing x[])
{
    const table_stepper *it = x[0].as.stepper;
    cohort_status status = cohort_input_next_list(it->input, (cohort_value **)it->values, it->n);
    if (status != COHORT_OK)
        return frame_stop(f, status);
    thing list = thing_list(f, it->n);
    for (int k = 0; k < it->n; k++)
        list.as.list[k] = thing_of(f, THING_VALUE, it->values[k]);
    return list;
}

static thing next_optional(frame *f, const thing x[])
{
    table_stepper *it = x[0].as.stepper;
    bool has_value = false;
    cohort_status status =
        cohort_input_next_optional_list(it->input, it->values, it->n, &has_value);
    if (status != COHORT_OK)
        return frame_stop(f, status);
    return thing_json(
        f, json_pack("[b, o]", has_value, has_value ? table_replica_rows(f->c, it) : json_null()));
}

/* What the block gives, step by step, until the data ends, or so often. */
static thing until_end(frame *f, const thing x[])
{
    json_t *list = json_array();
    thing all = thing_json(f, list);
    for (int k = 0; k < most(&x[0]); k++) {
        frame own = *f;
        thing found = expression_block(&own, &x[1], NULL, nothing);
        if (own.status == COHORT_END)
            return all;
        if (frame_is_over(&own))
            return f->status = own.status, nothing;
        json_array_append(list, json_of(&own, &found));
    }
    return x[0].kind == THING_NOTHING ? frame_malformed(f, "more than %d steps", TABLE_MAX_STEPS)
                                      : all;
}

/* A status, not an error, is what a program sees past the end, as often as it asks. */
static thing past_the_end(frame *f, const thing x[])
{
    table_stepper *it = x[0].as.stepper;
    for (int k = 0; k < 2; k++)
        if (cohort_input_next_list(it->input, it->values, it->n) != COHORT_END)
            return thing_json(f, json_string("it goes on past the end"));
    (void)snprintf(f->c->failure, sizeof f->c->failure, "%s", cohort_status_text(COHORT_END));
    return nothing;
}

/* [dtype, shape]; a text is one axis shorter in TensorFlow. */
static thing kind(frame *f, const thing x[])
{
    const cohort_array *array = x[0].as.arrays;
    bool is_text = array->dtype == COHORT_U8;
    json_t *shape = json_array();
    for (int i = 0; i < array->rank - is_text; i++)
        json_array_append_new(shape, json_integer(array->shape[i]));
    return thing_json(
        f, json_pack("[s, o]", is_text ? "string" : cohort_dtype_name(array->dtype), shape));
}

static thing rows_here(frame *f, const thing x[])
{
    int64_t rows = cohort_value_rows(x[0].as.value, f->replica);
    return rows < 0 ? frame_stop(f, (cohort_status)rows) : thing_number(f, (double)rows);
}

/* ---- What an input says of itself. */

/* "(fill, 4 rows in a full one)"; -1: it does not say, each element counts. */
static thing rows_of_full_batch(frame *f, const thing x[])
{
    const char *says = cohort_input_describe(x[0].as.stepper->input), *fill = strstr(says, "(fill");
    if (fill == NULL)
        return frame_malformed(f, "a description without how batches are divided: %s", says);
    return thing_number(f,
                        strncmp(fill, "(fill, ", 7) == 0 ? (double)strtol(fill + 7, NULL, 10) : -1);
}

/* Of R replicas of one pipeline, with a global batch of G. */
static thing context_batch_size(frame *f, const thing x[])
{
    const cohort_input_context context = { 1, 0, (int32_t)integer_of(&x[0]) };
    int64_t rows = cohort_input_context_batch_size(&context, integer_of(&x[1]));
    return rows < 0 ? frame_stop(f, (cohort_status)rows) : thing_number(f, (double)rows);
}

#define CALLS(CALL)                                                                                \
    CALL(distribute_as_is, "d", distribute(f, x))                                                  \
    CALL(distribute_as_is_with, "dj", distribute_with(f, x))                                       \
    CALL(distribute_function, "j{", distribute_function(f, x))                                     \
    CALL(iterator, "d", input(f, cohort_make_dataset_iterator(f->s, x[0].as.dataset)))             \
    CALL(iterator_of_function, "t{", iterator_of_function(f, x))                                   \
    CALL(initialize, "I", frame_done(f, cohort_input_initialize(x[0].as.stepper->input), x[0]))    \
    CALL(contexts, "", contexts(f, x))                                                             \
    CALL(dtype_of_input, "I", dtype_of_input(f, x))                                                \
    CALL(structured, "I", structured(f, x))                                                        \
    CALL(next_rows, "I", next_rows(f, x))                                                          \
    /* The rows of the step that was. */                                                           \
    CALL(rows_of_step, "I", thing_json(f, table_replica_rows(f->c, x[0].as.stepper)))              \
    CALL(next_values, "I", next_values(f, x))                                                      \
    CALL(next_optional, "I", next_optional(f, x))                                                  \
    CALL(until_end, "?n{", until_end(f, x))                                                        \
    CALL(past_the_end, "I", past_the_end(f, x))                                                    \
    CALL(kind, "a", kind(f, x))                                                                    \
    CALL(rows_here, "v", rows_here(f, x))                                                          \
    CALL(rows_of_full_batch, "I", rows_of_full_batch(f, x))                                        \
    CALL(context_batch_size, "nn", context_batch_size(f, x))                                       \
    CALL(policies, "",                                                                             \
         thing_json(f, json_pack("[i, i, i, i, i]", COHORT_SHARD_OFF, COHORT_SHARD_AUTO,           \
                                 COHORT_SHARD_FILE, COHORT_SHARD_DATA, COHORT_SHARD_HINT)))
CALLS(CALL_FUNCTION)
const call input_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
