/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs of functions that make a dataset for each worker. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

/* What a dataset function is told, and what it makes. */
typedef struct maker {
    table_case *c;
    const char *chain; /* NULL: nothing */
    json_t *contexts;
} maker;

static cohort_dataset *make(const cohort_input_context *context, void *user)
{
    maker *it = user;
    if (it->contexts != NULL)
        json_array_append_new(it->contexts,
                              json_pack("[i, i, i]", context->num_input_pipelines,
                                        context->input_pipeline_id, context->num_replicas_in_sync));
    return it->chain == NULL ? NULL : table_dataset(it->c, it->chain);
}

static json_t *from_function(table_case *c, const char *chain)
{
    maker it = { .c = c, .chain = chain };
    return table_steps(c, cohort_distribute_datasets_from_function(c->s, make, &it),
                       TABLE_MAX_STEPS);
}

static json_t *numbers(table_case *c)
{
    return from_function(c, "range(n)");
}

static json_t *batches(table_case *c)
{
    return from_function(c, "range(n).batch(b)");
}

static json_t *whole_batches(table_case *c)
{
    return from_function(c, "range(n).batch(b,drop)");
}

static json_t *maybe_whole_batches(table_case *c)
{
    return from_function(c, "range(n).batch(b,drop_remainder)");
}

static json_t *nothing(table_case *c)
{
    return from_function(c, NULL);
}

/* Which context each call gets. */
static json_t *contexts(table_case *c)
{
    maker it = { .c = c, .chain = "range(8).batch(2)", .contexts = json_array() };
    cohort_input *input = cohort_distribute_datasets_from_function(c->s, make, &it);
    if (input != NULL)
        return json_pack("{s:o}", "contexts", it.contexts);
    return json_decref(it.contexts), table_failed(c);
}

static json_t *for_each_replica(table_case *c)
{
    maker it = { .c = c, .chain = "range(n).batch(b)", .contexts = json_array() };
    cohort_input_options options = { .replication_mode = COHORT_PER_REPLICA };
    json_t *found =
        table_steps(c, cohort_distribute_datasets_from_function_with(c->s, make, &it, &options),
                    TABLE_MAX_STEPS);
    if (found == NULL)
        json_decref(it.contexts);
    else
        json_object_set_new(found, "contexts", it.contexts);
    return found;
}

/* Where elements lie before they are taken is the library's affair: it makes no difference to
 * them. */
static json_t *with_options(table_case *c)
{
    const char *name = table_text(c, "options", "");
    if (strcmp(name, "place-on-device") == 0)
        return table_skipped(
            c, "no counterpart: nobody can ask where elements lie before they are taken");
    return strcmp(name, "fetch=False") == 0 ? batches(c)
                                            : table_malformed(c, "args: options \"%s\"", name);
}

/* ---- The calls of tf.distribute's first version: initialize comes before the first next. */

static const char end[] = "END";

/* The steps up to the end, which is the last entry. */
static json_t *iterate(table_case *c, cohort_input *input)
{
    table_stepper it = { .is_structure = false };
    if (!table_stepper_open(c, &it, c->s, input))
        return NULL;
    if (cohort_input_initialize(input) != COHORT_OK)
        return table_failed(c);
    json_t *steps = table_all_steps(c, &it, TABLE_MAX_STEPS);
    if (steps == NULL)
        return NULL;
    json_array_append_new(steps, json_string(end));
    return json_pack("{s:o}", "steps", steps);
}

static json_t *iterate_function(table_case *c)
{
    maker it = { .c = c, .chain = "range(n).batch(b)" };
    return iterate(c, cohort_make_input_fn_iterator(c->s, make, COHORT_PER_WORKER, &it));
}

static json_t *iterate_nothing(table_case *c)
{
    maker it = { .c = c };
    return iterate(c, cohort_make_input_fn_iterator(c->s, make, COHORT_PER_WORKER, &it));
}

static json_t *context_of_iterator(table_case *c)
{
    maker it = { .c = c, .chain = "range(8).batch(2)", .contexts = json_array() };
    cohort_input *input = cohort_make_input_fn_iterator(c->s, make, COHORT_PER_WORKER, &it);
    if (input != NULL)
        return json_pack("{s:o}", "contexts", it.contexts);
    return json_decref(it.contexts), table_failed(c);
}

static json_t *iterate_batches(table_case *c)
{
    return iterate(c, cohort_make_dataset_iterator(c->s, table_dataset(c, "range(n).batch(G)")));
}

static json_t *iterate_unknown(table_case *c)
{
    return table_skipped(c, "the row does not say what the dataset is");
}

static json_t *iterate_numbers(table_case *c)
{
    return iterate(c, cohort_make_dataset_iterator(c->s, table_dataset(c, "range(n)")));
}

/* A callable that gives 5 whenever it is called. */
static cohort_status give_five(cohort_array out[], void *state, void *user)
{
    static int32_t five = 5;
    (void)state, (void)user;
    out[0].data = &five;
    return COHORT_OK;
}

static cohort_dataset *fives(const cohort_input_context *context, void *user)
{
    const cohort_spec number = { .dtype = COHORT_I32 };
    const cohort_generator generator = { .next = give_five };
    (void)context, (void)user;
    return cohort_dataset_generator(&number, 1, &generator);
}

static json_t *iterate_callable(table_case *c)
{
    cohort_input *input = cohort_make_input_fn_iterator(c->s, fives, COHORT_PER_WORKER, NULL);
    table_stepper it = { .is_structure = false };
    if (!table_stepper_open(c, &it, c->s, input))
        return NULL;
    if (cohort_input_initialize(input) != COHORT_OK)
        return table_failed(c);
    json_t *steps = table_all_steps(c, &it, 3);
    return steps == NULL ? NULL : json_pack("{s:o}", "steps", steps);
}

/* Each replica is a pipeline of its own, which begins again. */
static json_t *per_replica_mode(table_case *c)
{
    maker it = { .c = c, .chain = "range(4).batch(2)", .contexts = json_array() };
    json_t *found = iterate(c, cohort_make_input_fn_iterator(c->s, make, COHORT_PER_REPLICA, &it));
    if (found == NULL)
        json_decref(it.contexts);
    else
        json_object_set_new(found, "contexts", it.contexts);
    return found;
}

const table_operation table_function_operations[] = {
    { "distribute_datasets_from_function(range(10), unbatched)", numbers },
    { "distribute_datasets_from_function(range(n).batch(b))", batches },
    { "distribute_datasets_from_function(range(n).batch(b, drop_remainder))", maybe_whole_batches },
    { "from_function: range(5).batch(1, drop_remainder): one replica lacks data in the last step",
      whole_batches },
    { "from_function range(40).batch(10)", batches },
    { "dataset_fn returns a list", nothing },
    { "InputContext given to dataset_fn [pipelines, id, replicas]", contexts },
    { "from_function, PER_REPLICA, placed on the device, not fetched", for_each_replica },
    { "distribute_datasets_from_function with options", with_options },
    { "make_input_fn_iterator(range(9).batch(2))", iterate_function },
    { "make_input_fn_iterator with a function giving a list", iterate_nothing },
    { "InputContext of make_input_fn_iterator", context_of_iterator },
    { "make_dataset_iterator(range(2*R+1).batch(2R))", iterate_batches },
    { "make_dataset_iterator(range(12).batch(R+1))", iterate_batches },
    { "make_dataset_iterator of a v2 dataset", iterate_unknown },
    { "make_dataset_iterator(range(4)), not batched", iterate_numbers },
    { "make_input_fn_iterator with a callable that gives a constant 5", iterate_callable },
    { "make_input_fn_iterator with PER_REPLICA", per_replica_mode },
    { NULL, NULL },
};
