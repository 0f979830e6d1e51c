/* SPDX-License-Identifier: BSD-3-Clause */
/* Making inputs, starting them over, and their end. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/call/binder.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/input/across.h"
#include "runtime/input/cardinality.h"
#include "runtime/strategy/call.h"
#include "runtime/value/value.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the end */

/* Sources go first: their readers may be at work, and what they read into belongs to the pools and
 * datasets released after them. */
static void free_parts(cohort_input *input)
{
    cohort_source_free(input->sources, input->n_sources);
    for (int32_t r = 0; input->kept != NULL && r < input->strategy->n_replicas; r++)
        cohort_element_fini(&input->kept[r]);
    cohort_dataset_release(input->dataset);
    cohort_free(input->shares);
    cohort_free(input->rows);
    cohort_free(input->kept);
    cohort_free(input->parts);
    cohort_free(input->values); /* the values are the strategy's */
    cohort_fault_forget(&input->fault);
    free(input->description); /* by open_memstream */
}

/* For an input that the program never held: no quarantine. */
static void drop_input(cohort_input *input)
{
    free_parts(input);
    cohort_free(input);
}

static void destroy_input(cohort_dependent *dependent)
{
    cohort_input *input = (cohort_input *)dependent;
    cohort_strategy_disown(dependent);
    free_parts(input);
    cohort_handle_free(&dependent->handle, sizeof *input, &input->strategy->handle);
}

void cohort_input_destroy(cohort_input *input)
{
    static const char call[] = "cohort_input_destroy";
    if (input == NULL || !cohort_call_may_destroy(input, COHORT_HANDLE_INPUT, call, "the input"))
        return;
    cohort_strategy *strategy = input->strategy;
    if (cohort_call_enter_broken(strategy, call) < 0)
        return;
    for (int32_t k = 0; input->values != NULL && k < cohort_input_components(input); k++)
        cohort_value_drop(input->values[k]);
    cohort_status status = cohort_input_end_loans(input);
    cohort_batches_forget(cohort_binder_of(strategy), &input->batch);
    destroy_input(&input->dependent);
    (void)cohort_call_leave(strategy, status);
}

/* ------------------------------------------------------------------ checks */

/* Reserved words are refused unless they are zero, so that a later version can give them a
 * meaning. */
static cohort_status check_options(const cohort_input_options *o, bool is_of_function,
                                   const char *call)
{
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: reserved word %zu of the options is not zero", call, i);
    if (o->replication_mode != COHORT_PER_WORKER && o->replication_mode != COHORT_PER_REPLICA)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: input replication mode %d is not supported; COHORT_PER_WORKER or "
            "COHORT_PER_REPLICA",
            call, (int)o->replication_mode);
    if (o->replication_mode == COHORT_PER_REPLICA && !is_of_function)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: COHORT_PER_REPLICA wants a function that makes a dataset for each "
            "replica: cohort_distribute_datasets_from_function_with",
            call);
    if (o->ahead < -1)
        return cohort_error_set(COHORT_EINVAL, "%s: %d steps ahead; -1 is none, 0 the default",
                                call, o->ahead);
    if (o->ahead_bytes < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: %lld bytes ahead; 0 is no bound", call,
                                (long long)o->ahead_bytes);
    if (o->in_flight_bytes < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: %lld bytes in flight; 0 is the default", call,
                                (long long)o->in_flight_bytes);
    return COHORT_OK;
}

static cohort_input_context own_context(const cohort_strategy *s)
{
    return s->workers != NULL
               ? (cohort_input_context){ s->workers->n, s->workers->rank, s->n_in_sync }
               : (cohort_input_context){ 1, 0, s->n_replicas };
}

/* All zero is the pipeline of this worker, with the replicas of the strategy. */
static cohort_status set_context(cohort_input *input, const cohort_input_context *c,
                                 const char *call)
{
    const cohort_strategy *s = input->strategy;
    int32_t n = s->n_replicas;
    static const cohort_input_context none;
    const cohort_input_context own = own_context(s);
    if (memcmp(c, &none, sizeof none) == 0 || memcmp(c, &own, sizeof own) == 0) {
        input->context = own;
        input->first_replica = s->first_replica;
        return COHORT_OK;
    }
    if (s->workers != NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: input pipeline %d of %d for %d replicas in sync; each worker "
                                "of the cluster is one, this is %d of %d for %d",
                                call, c->input_pipeline_id, c->num_input_pipelines,
                                c->num_replicas_in_sync, own.input_pipeline_id,
                                own.num_input_pipelines, own.num_replicas_in_sync);
    if (c->num_input_pipelines < 1 || c->input_pipeline_id < 0 ||
        c->input_pipeline_id >= c->num_input_pipelines)
        return cohort_error_set(
            COHORT_EINVAL, "%s: input pipeline %d of %d; 0 to the number less one are possible",
            call, c->input_pipeline_id, c->num_input_pipelines);
    if (c->num_replicas_in_sync > COHORT_LIMIT_REPLICAS ||
        n > COHORT_LIMIT_REPLICAS / c->num_input_pipelines ||
        c->num_replicas_in_sync != n * c->num_input_pipelines)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: %d replicas in sync; %d input pipelines of %d replicas, as this "
            "strategy has, are %lld (at most %d)",
            call, c->num_replicas_in_sync, c->num_input_pipelines, n,
            (long long)n * c->num_input_pipelines, COHORT_LIMIT_REPLICAS);
    input->context = *c;
    input->first_replica = c->input_pipeline_id * n;
    return COHORT_OK;
}

/* The weights stay the dataset's, which the input owns. */
static cohort_status set_division(cohort_input *input, const char *call)
{
    const cohort_dataset_options *o = &input->dataset->options;
    int32_t n = input->context.num_replicas_in_sync;
    if (o->weights != NULL && o->n_weights != n)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the dataset's options have %d weights, for %d replicas", call,
                                o->n_weights, n);
    input->division =
        (cohort_division){ .split = o->split,
                           .full_rows =
                               o->global_batch > 0 ? o->global_batch : input->dataset->batch_rows,
                           .weights = o->weights,
                           .n_replicas = n };
    return COHORT_OK;
}

/* A dataset that cannot be divided is known here in most cases; else at the first such element. */
static cohort_status check_divisible(const cohort_dataset *dataset, const char *call)
{
    for (int32_t k = 0; k < dataset->n_components; k++)
        if (dataset->specs[k].rank == 0)
            return cohort_error_prefix(cohort_source_refuse_number(k), "%s", call);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

/* Everything that a step needs, so that a step allocates nothing of the input's own. */
static cohort_status allocate_lists(cohort_input *input)
{
    size_t replicas = (size_t)input->strategy->n_replicas,
           components = (size_t)cohort_input_components(input);
    input->shares =
        cohort_allocate((size_t)input->context.num_replicas_in_sync, sizeof *input->shares);
    input->rows = cohort_allocate(replicas, sizeof *input->rows);
    input->parts = cohort_allocate(components, sizeof *input->parts);
    input->kept = cohort_allocate(replicas, sizeof *input->kept);
    return input->shares != NULL && input->rows != NULL && input->parts != NULL &&
                   input->kept != NULL
               ? COHORT_OK
               : cohort_error_memory("an input");
}

/* Nothing yet but options and context. NULL with an error text. */
static cohort_input *begin(cohort_strategy *strategy, const cohort_input_options *options,
                           bool is_of_function, const char *call)
{
    static const cohort_input_options defaults;
    const cohort_input_options *o = options != NULL ? options : &defaults;
    if (check_options(o, is_of_function, call) < 0)
        return NULL;
    cohort_input *input = cohort_allocate(1, sizeof *input);
    if (input == NULL) {
        (void)cohort_error_memory(call);
        return NULL;
    }
    if (cohort_binder_of(strategy) == NULL) { /* every step tells it how many rows there are */
        cohort_free(input);
        return NULL;
    }
    input->strategy = strategy;
    input->ahead = o->ahead < 0 ? 0 : o->ahead == 0 ? 2 : o->ahead;
    input->ahead_bytes = o->ahead_bytes;
    input->in_flight_bytes = o->in_flight_bytes;
    input->is_per_replica = o->replication_mode == COHORT_PER_REPLICA;
    cohort_handle_begin(&input->dependent.handle, COHORT_HANDLE_INPUT);
    input->dependent.destroy = destroy_input;
    input->dependent.catch_up = cohort_input_catch_up;
    if (set_context(input, &o->pipeline, call) >= 0)
        return input;
    cohort_free(input);
    return NULL;
}

/* The end of every call that makes one. The strategy was free until now, for functions of the
 * program to use it. All workers make it, or none.
 * input: NULL with an error text when it could not be made. */
static cohort_input *adopt(cohort_strategy *strategy, cohort_input *input, const char *call)
{
    bool is_there = cohort_handle_is(strategy, COHORT_HANDLE_STRATEGY);
    if (input == NULL) {
        (void)cohort_call_refuse(is_there ? strategy : NULL, call, cohort_error_status());
        return cohort_handle_made(COHORT_HANDLE_INPUT, NULL);
    }
    if (cohort_call_enter(strategy, call) < 0) {
        drop_input(input);
        return cohort_handle_made(COHORT_HANDLE_INPUT, NULL);
    }
    cohort_status status = cohort_input_compare(input, call);
    if (status >= 0) {
        cohort_strategy_adopt(strategy, &input->dependent);
    } else {
        drop_input(input);
        input = NULL;
    }
    (void)cohort_call_leave(strategy, status);
    return cohort_handle_made(COHORT_HANDLE_INPUT, input);
}

/* The sources are there. starts: it is initialized at once. */
static cohort_input *finish(cohort_input *input, bool starts)
{
    cohort_status status = allocate_lists(input);
    if (status >= 0)
        input->cardinality = cohort_input_count_steps(input);
    if (status >= 0 && starts)
        status = cohort_input_open(input);
    if (status >= 0)
        return input;
    drop_input(input);
    return NULL;
}

/* The dataset is taken in any case. */
static cohort_input *make_of_dataset(cohort_strategy *strategy, cohort_dataset *dataset,
                                     const cohort_input_options *options, bool starts,
                                     const char *call)
{
    cohort_input *input = NULL;
    if (cohort_handle_check(dataset, COHORT_HANDLE_DATASET, call, "the dataset") < 0)
        return NULL;
    (void)cohort_dataset_claim(dataset);
    input = begin(strategy, options, false, call);
    if (input == NULL) {
        cohort_dataset_release(dataset);
        return NULL;
    }
    input->dataset = dataset;
    if (set_division(input, call) >= 0 && check_divisible(dataset, call) >= 0 &&
        cohort_input_plan(input) >= 0)
        return finish(input, starts);
    drop_input(input);
    return NULL;
}

static cohort_input *distribute(cohort_strategy *strategy, cohort_dataset *dataset,
                                const cohort_input_options *options, bool starts, const char *call)
{
    if (cohort_call_check(strategy, call) < 0) {
        cohort_dataset_take_back(dataset);
        return cohort_handle_made(COHORT_HANDLE_INPUT, NULL);
    }
    return adopt(strategy, make_of_dataset(strategy, dataset, options, starts, call), call);
}

cohort_input *cohort_distribute_dataset(cohort_strategy *strategy, cohort_dataset *dataset)
{
    return distribute(strategy, dataset, NULL, true, "cohort_distribute_dataset");
}

cohort_input *cohort_distribute_dataset_with(cohort_strategy *strategy, cohort_dataset *dataset,
                                             const cohort_input_options *options)
{
    return distribute(strategy, dataset, options, true, "cohort_distribute_dataset_with");
}

cohort_input *cohort_make_dataset_iterator(cohort_strategy *strategy, cohort_dataset *dataset)
{
    return distribute(strategy, dataset, NULL, false, "cohort_make_dataset_iterator");
}

/* ------------------------------------------------------------------ of functions */

/* The dataset that the function makes for one pipeline; it may do with the strategy what it
 * likes. */
static cohort_dataset *call_function(const cohort_strategy *s, cohort_dataset_fn fn,
                                     const cohort_input_context *context, void *user,
                                     const char *call)
{
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    cohort_status status;
    cohort_dataset *dataset =
        cohort_answer_dataset(&callback, fn(context, user), "it returned NULL", &status);
    if (dataset == NULL)
        (void)cohort_error_prefix(status, "%s: the dataset function, for input pipeline %d of %d",
                                  call, context->input_pipeline_id, context->num_input_pipelines);
    if (cohort_handle_check(s, COHORT_HANDLE_STRATEGY, call,
                            "after the dataset function the strategy") >= 0)
        return dataset;
    cohort_dataset_release(dataset);
    return NULL;
}

static cohort_status check_alike(const cohort_dataset *a, const cohort_dataset *b, int32_t replica,
                                 const char *call)
{
    bool is_alike = a->n_components == b->n_components;
    for (int32_t k = 0; is_alike && k < a->n_components; k++)
        is_alike = a->specs[k].dtype == b->specs[k].dtype && a->specs[k].rank == b->specs[k].rank;
    return is_alike
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: the datasets for replicas 0 and %d have other components",
                                  call, replica);
}

/* Of PER_REPLICA each replica is a pipeline of its own. */
static cohort_status call_for_all(cohort_input *input, cohort_dataset_fn fn, void *user,
                                  const char *call)
{
    int32_t n = input->is_per_replica ? input->strategy->n_replicas : 1;
    input->sources = cohort_source_allocate(n);
    if (input->sources == NULL)
        return COHORT_ENOMEM;
    for (int32_t i = 0; i < n; i++) {
        cohort_source *source = &input->sources[i];
        cohort_input_context context = input->context;
        if (input->is_per_replica) {
            context.num_input_pipelines = context.num_replicas_in_sync;
            context.input_pipeline_id = input->first_replica + i;
        }
        source->pipelines = context.num_input_pipelines;
        source->pipeline = context.input_pipeline_id;
        source->dataset = call_function(input->strategy, fn, &context, user, call);
        if (source->dataset == NULL)
            return COHORT_EINVAL;
        input->n_sources++;
        if (check_alike(input->sources[0].dataset, source->dataset, i, call) < 0)
            return COHORT_EINVAL;
    }
    return COHORT_OK;
}

static cohort_input *make_of_function(cohort_strategy *strategy, cohort_dataset_fn fn, void *user,
                                      const cohort_input_options *options, bool starts,
                                      const char *call)
{
    if (fn == NULL) {
        (void)cohort_error_set(COHORT_EINVAL, "%s: the dataset function is NULL", call);
        return NULL;
    }
    cohort_input *input = begin(strategy, options, true, call);
    if (input == NULL)
        return NULL;
    input->manner = COHORT_MANNER_ELEMENTS;
    if (call_for_all(input, fn, user, call) >= 0)
        return finish(input, starts);
    drop_input(input);
    return NULL;
}

static cohort_input *distribute_function(cohort_strategy *strategy, cohort_dataset_fn fn,
                                         void *user, const cohort_input_options *options,
                                         bool starts, const char *call)
{
    if (cohort_call_check(strategy, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_INPUT, NULL);
    return adopt(strategy, make_of_function(strategy, fn, user, options, starts, call), call);
}

cohort_input *cohort_distribute_datasets_from_function(cohort_strategy *strategy,
                                                       cohort_dataset_fn fn, void *user)
{
    return distribute_function(strategy, fn, user, NULL, true,
                               "cohort_distribute_datasets_from_function");
}

cohort_input *cohort_distribute_datasets_from_function_with(cohort_strategy *strategy,
                                                            cohort_dataset_fn fn, void *user,
                                                            const cohort_input_options *options)
{
    return distribute_function(strategy, fn, user, options, true,
                               "cohort_distribute_datasets_from_function_with");
}

cohort_input *cohort_make_input_fn_iterator(cohort_strategy *strategy, cohort_dataset_fn fn,
                                            cohort_replication_mode mode, void *user)
{
    cohort_input_options options = { .replication_mode = mode };
    return distribute_function(strategy, fn, user, &options, false,
                               "cohort_make_input_fn_iterator");
}
