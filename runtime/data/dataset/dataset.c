/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of the graph. A node never changes once it is made, so any number of threads may read it;
 * counted are its owners, and how many of them are the program's.
 *
 * A call that takes datasets must never leak one, whatever fails: so a builder claims all inputs
 * before the first check, and gives all of them up at the first failure. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ owners */

cohort_dataset *cohort_dataset_retain(cohort_dataset *dataset)
{
    if (dataset != NULL)
        atomic_fetch_add_explicit(&dataset->owners, 1, memory_order_relaxed);
    return dataset;
}

/* Takes one owner out of the program's hand; false: the program has given away all of its own. */
/* Two counts and not one: a dataset that the program has given to two transformations has two
 * owners, and a destroy after that must not take one of theirs. */
static bool leave_hand(cohort_dataset *d)
{
    int in_hand = atomic_load_explicit(&d->in_hand, memory_order_relaxed);
    while (in_hand > 0 && !atomic_compare_exchange_weak(&d->in_hand, &in_hand, in_hand - 1))
        continue;
    return in_hand > 0;
}

/* From the hand where there is one in it; else the dataset gets an owner more, so that the same
 * one may be an input twice. */
cohort_dataset *cohort_dataset_claim(cohort_dataset *dataset)
{
    if (dataset == NULL || leave_hand(dataset))
        return dataset;
    return cohort_dataset_retain(dataset);
}

cohort_dataset *cohort_dataset_hand_out(cohort_dataset *dataset)
{
    if (dataset != NULL)
        atomic_fetch_add(&dataset->in_hand, 1);
    return dataset;
}

cohort_dataset *cohort_dataset_share(cohort_dataset *dataset)
{
    if (cohort_handle_check(dataset, COHORT_HANDLE_DATASET, "cohort_dataset_share", "the dataset") <
        0)
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    return cohort_dataset_hand_out(cohort_dataset_retain(dataset));
}

static void free_dataset(cohort_dataset *d)
{
    if (d->leave != NULL)
        d->leave(d);
    if (d->store != NULL)
        d->kind->free_store(d->store);
    for (int32_t i = 0; i < d->n_inputs; i++)
        cohort_dataset_release(d->inputs[i]);
    /* parameters of a copy are those of its origin, which lives as long */
    if (d->origin != NULL) {
        cohort_dataset_release(d->origin);
    } else {
        if (d->kind->free_parameters != NULL)
            d->kind->free_parameters(d->parameters);
        cohort_free(d->parameters);
    }
    cohort_free(cohort_memory_own(d->options.weights));
    cohort_free(d->inputs);
    cohort_free(d->specs);
    free(d->description); /* by open_memstream */
    cohort_handle_free(&d->handle, sizeof *d, NULL);
}

/* The last owner frees. Release and acquire: what other owners did with the dataset is done
 * before. */
void cohort_dataset_release(cohort_dataset *dataset)
{
    if (dataset != NULL &&
        atomic_fetch_sub_explicit(&dataset->owners, 1, memory_order_acq_rel) == 1)
        free_dataset(dataset);
}

void cohort_dataset_destroy(cohort_dataset *dataset)
{
    static const char call[] = "cohort_dataset_destroy";
    if (dataset == NULL ||
        !cohort_handle_may_destroy(dataset, COHORT_HANDLE_DATASET, call, "the dataset"))
        return;
    /* the program may destroy only what it holds: what it gave away belongs to what was made of
     * it */
    if (leave_hand(dataset))
        cohort_dataset_release(dataset);
    else
        cohort_log(COHORT_SUBSYSTEM_DATA, COHORT_LOG_WARNING,
                   "%s: this dataset (%s) was given away, and goes with what was made from it; "
                   "nothing is done",
                   call, dataset->kind->name);
}

void cohort_dataset_take_back(cohort_dataset *dataset)
{
    if (cohort_handle_is(dataset, COHORT_HANDLE_DATASET))
        cohort_dataset_release(cohort_dataset_claim(dataset));
}

/* ------------------------------------------------------------------ nodes */

/* A chain of inputs is freed and printed by recursion: it stays short of any stack. */
enum { MOST_DEEP = 1000 };

static int32_t depth_below(const cohort_dataset_builder *node)
{
    int32_t depth = 0;
    for (int32_t i = 0; i < node->n_inputs; i++)
        depth = node->inputs[i]->depth > depth ? node->inputs[i]->depth : depth;
    return depth + 1;
}

/* Also those behind one that is NULL or destroyed: they were given to this call. */
static void claim_inputs(const cohort_dataset_builder *node)
{
    for (int32_t i = 0; i < node->n_inputs; i++)
        if (cohort_handle_is(node->inputs[i], COHORT_HANDLE_DATASET))
            (void)cohort_dataset_claim(node->inputs[i]);
}

static void give_up_parts(cohort_dataset_builder *node)
{
    for (int32_t i = 0; i < node->n_inputs; i++)
        if (cohort_handle_is(node->inputs[i], COHORT_HANDLE_DATASET))
            cohort_dataset_release(node->inputs[i]);
    if (node->kind->free_parameters != NULL && node->parameters != NULL && node->origin == NULL)
        node->kind->free_parameters(cohort_memory_own(node->parameters));
}

cohort_dataset *cohort_dataset_builder_give_up(cohort_dataset_builder *node)
{
    give_up_parts(node);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}

cohort_dataset *cohort_dataset_builder_refuse(cohort_dataset_builder *node, cohort_status status,
                                              const char *format, ...)
{
    /* giving up may free what the text names, and may set the error slot itself */
    char text[COHORT_ERROR_BYTES];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    give_up_parts(node);
    (void)cohort_error_set(status, "%s", text);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}

cohort_dataset *cohort_dataset_builder_refuse_number(cohort_dataset_builder *node, int64_t number,
                                                     const char *format, ...)
{
    char text[COHORT_ERROR_BYTES];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)cohort_error_number(number, "%s", text);
    return cohort_dataset_builder_refuse(node, COHORT_EINVAL, "%s", cohort_error_slot());
}

bool cohort_dataset_builder_begin(cohort_dataset_builder *node, const char *call)
{
    cohort_status status = COHORT_OK;
    if (node->inputs == NULL && node->n_inputs > 0) {
        status = cohort_handle_refuse(NULL, COHORT_HANDLE_DATASET, call, "the dataset");
        node->n_inputs = 0;
    }
    claim_inputs(node);
    for (int32_t i = 0; status >= 0 && i < node->n_inputs; i++)
        status = cohort_handle_check(node->inputs[i], COHORT_HANDLE_DATASET, call, "the dataset");
    if (status < 0)
        (void)cohort_dataset_builder_give_up(node);
    return status >= 0;
}

/* A copy over other inputs shares the parameters of the first of its kind, whatever they own. */
static bool copy_parameters(cohort_dataset *d, const cohort_dataset_builder *node)
{
    if (node->origin != NULL) {
        d->origin = cohort_dataset_retain(cohort_memory_own(node->origin));
        d->parameters = node->origin->parameters;
        return true;
    }
    d->parameters = cohort_allocate(1, node->bytes);
    if (d->parameters != NULL && node->bytes > 0)
        memcpy(d->parameters, node->parameters, node->bytes);
    return d->parameters != NULL;
}

static bool copy_parts(cohort_dataset *d, const cohort_dataset_builder *node)
{
    const cohort_spec *specs = node->specs != NULL ? node->specs : node->inputs[0]->specs;
    d->n_components = node->specs != NULL ? node->n_components : node->inputs[0]->n_components;
    d->specs = cohort_allocate((size_t)d->n_components, sizeof *d->specs);
    d->inputs = cohort_allocate((size_t)node->n_inputs, sizeof(cohort_dataset *));
    if (d->specs == NULL || d->inputs == NULL || !copy_parameters(d, node))
        return false;
    memcpy(d->specs, specs, (size_t)d->n_components * sizeof *specs);
    if (node->n_inputs > 0)
        memcpy(d->inputs, node->inputs, (size_t)node->n_inputs * sizeof(cohort_dataset *));
    return true;
}

/* Options given further up hold further down: those of the first input, unless the node brings its
 * own. */
static bool copy_options(cohort_dataset *d, const cohort_dataset_builder *node)
{
    const cohort_dataset_options *options = node->options;
    if (options == NULL && node->n_inputs > 0)
        options = &node->inputs[0]->options;
    if (options == NULL)
        return true;
    d->options = *options;
    d->options.weights = NULL;
    if (options->weights == NULL)
        return true;
    size_t n = (size_t)options->n_weights;
    double *weights = cohort_allocate(n, sizeof *weights);
    if (weights != NULL)
        memcpy(weights, options->weights, n * sizeof *weights);
    d->options.weights = weights;
    return weights != NULL;
}

static bool make_store(cohort_dataset *d, const cohort_dataset_kind *kind)
{
    if (kind->make_store != NULL)
        d->store = kind->make_store();
    return kind->make_store == NULL || d->store != NULL;
}

/* Frees what a node has that is not whole; inputs, and what the parameters own, are given up
 * elsewhere. */
static void free_shell(cohort_dataset *d)
{
    if (d->origin == NULL)
        cohort_free(d->parameters);
    cohort_dataset_release(d->origin);
    cohort_free(cohort_memory_own(d->options.weights));
    cohort_free(d->specs);
    cohort_free(d->inputs);
    cohort_free(d);
}

static void derive(cohort_dataset *d)
{
    d->cardinality = d->n_inputs > 0 ? d->inputs[0]->cardinality : 0;
    d->batch_rows = d->n_inputs > 0 ? d->inputs[0]->batch_rows : 0;
    for (int32_t i = 0; i < d->n_inputs; i++) {
        d->has_hint = d->has_hint || d->inputs[i]->has_hint;
        d->is_borrowed = d->is_borrowed || d->inputs[i]->is_borrowed;
        d->is_reshuffled = d->is_reshuffled || d->inputs[i]->is_reshuffled;
    }
    if (d->kind->derive != NULL)
        d->kind->derive(d);
}

cohort_dataset *cohort_dataset_builder_make(cohort_dataset_builder *node)
{
    int32_t depth = depth_below(node);
    if (depth > MOST_DEEP)
        return cohort_dataset_builder_refuse(
            node, COHORT_EINVAL, "cohort_dataset_%s: more than %d datasets on top of each other",
            node->kind->name, MOST_DEEP);
    cohort_dataset *d = cohort_allocate(1, sizeof *d);
    if (d == NULL || !copy_parts(d, node) || !copy_options(d, node) || !make_store(d, node->kind)) {
        if (d != NULL)
            free_shell(d);
        return cohort_dataset_builder_refuse(node, COHORT_ENOMEM,
                                             "cohort_dataset_%s: out of memory", node->kind->name);
    }
    /* nothing fails from here on */
    cohort_handle_begin(&d->handle, COHORT_HANDLE_DATASET);
    d->kind = node->kind;
    atomic_init(&d->owners, 1);
    atomic_init(&d->in_hand, 1);
    d->n_inputs = node->n_inputs;
    d->depth = depth;
    derive(d);
    return d;
}

/* Specs and options stay those of the dataset: only where elements come from is another. */
cohort_dataset *cohort_dataset_with_inputs(const cohort_dataset *dataset,
                                           cohort_dataset *const inputs[])
{
    cohort_dataset_builder node = { .kind = dataset->kind,
                                    .inputs = inputs,
                                    .n_inputs = dataset->n_inputs,
                                    .specs = dataset->specs,
                                    .n_components = dataset->n_components,
                                    /* the first of its kind: copies of copies make no chain */
                                    .origin = dataset->origin != NULL ? dataset->origin : dataset,
                                    .options = &dataset->options };
    claim_inputs(&node);
    return cohort_dataset_builder_make(&node);
}

/* ------------------------------------------------------------------ specs */

cohort_status cohort_specs_check(const cohort_spec specs[], int n, const char *call)
{
    if (n < 1 || n > COHORT_LIMIT_COMPONENTS || specs == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %d components; 1 to %d are possible", call,
                                specs != NULL ? n : 0, COHORT_LIMIT_COMPONENTS);
    for (int k = 0; k < n; k++) {
        const cohort_spec *s = &specs[k];
        if (cohort_dtype_bytes(s->dtype) == 0)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: component %d has dtype %d; elements have numbers or bools",
                                    call, k, (int)s->dtype);
        if (s->rank < 0 || s->rank > COHORT_MAX_RANK)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: component %d has rank %d; 0 to %d are possible", call, k,
                                    s->rank, COHORT_MAX_RANK);
        int64_t bytes = cohort_dtype_bytes(s->dtype);
        for (int32_t i = 0; i < s->rank; i++)
            if (s->shape[i] < -1 ||
                (s->shape[i] > 0 && !cohort_multiply(bytes, s->shape[i], &bytes)))
                return cohort_error_set(
                    COHORT_EINVAL,
                    "%s: component %d: extent %lld of axis %d is negative, or all "
                    "together more than a memory holds",
                    call, k, (long long)s->shape[i], i);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ looking */

int cohort_dataset_element_spec(const cohort_dataset *dataset, cohort_spec out[], int capacity)
{
    if (!cohort_handle_is(dataset, COHORT_HANDLE_DATASET))
        return -1;
    int n = dataset->n_components < capacity ? dataset->n_components : capacity;
    if (n > 0 && out != NULL)
        memcpy(out, dataset->specs, (size_t)n * sizeof *out);
    return dataset->n_components;
}

int64_t cohort_dataset_cardinality(const cohort_dataset *dataset)
{
    return cohort_handle_is(dataset, COHORT_HANDLE_DATASET) ? dataset->cardinality : COHORT_UNKNOWN;
}

/* ---- What transformations have in common */

/* A list of fewer than one input has nothing to claim, and nothing to give up. */
bool cohort_dataset_builder_begin_list(cohort_dataset_builder *node, const char *call)
{
    int32_t n = node->n_inputs;
    if (n < 1)
        node->n_inputs = 0;
    if (n >= 1)
        return cohort_dataset_builder_begin(node, call);
    (void)cohort_dataset_builder_refuse(node, COHORT_EINVAL, "%s: %d datasets; expected 1 or more",
                                        call, n);
    return false;
}

int64_t cohort_dataset_common_batch_rows(const cohort_dataset *dataset)
{
    int64_t rows = 0;
    for (int32_t i = 0; i < dataset->n_inputs; i++) {
        int64_t other = dataset->inputs[i]->batch_rows;
        if (rows > 0 && other > 0 && rows != other)
            return 0;
        rows = rows > 0 ? rows : other;
    }
    return rows;
}

int64_t cohort_cardinality_add(int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (a == COHORT_INFINITE)
        return COHORT_INFINITE; /* b is never reached */
    if (b < 0)
        return b; /* for ever, or unknown, whatever stands before it */
    if (a == COHORT_UNKNOWN)
        return a;
    return !__builtin_add_overflow(a, b, &sum) ? sum : COHORT_UNKNOWN;
}

/* 0 before everything else: no elements for ever are no elements. An unknown number for ever may
 * be none, too. */
int64_t cohort_cardinality_times(int64_t elements, int64_t times)
{
    int64_t product = 0;
    if (elements == 0 || times == 0)
        return 0;
    if (elements < 0 || times == COHORT_INFINITE)
        return elements == COHORT_UNKNOWN ? COHORT_UNKNOWN : COHORT_INFINITE;
    return cohort_multiply(elements, times, &product) ? product : COHORT_UNKNOWN;
}
