/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of elements of different extents: each is padded at its end. How long a batch is along
 * each axis is known only when all of its elements are there, so they are retained first and
 * copied into the batch afterwards. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/padding.h"
#include "runtime/data/dataset/stack.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <cohort/argument.h>

#include <string.h>

typedef struct padded_parameters {
    int64_t rows;
    bool drop_remainder;
    cohort_spec *shapes;  /* [n]: extents to pad to; -1: to the longest */
    cohort_padding *fill; /* [n] */
    int32_t n;
} padded_parameters;

typedef struct padded_cursor {
    cohort_unary_cursor unary;
    cohort_retained *retained; /* [capacity]: elements read so far */
    size_t capacity;
    int64_t n;
    cohort_array *parts; /* [components]: the batch */
    cohort_block *given;
} padded_cursor;

static const padded_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

static void free_padded(void *parameters)
{
    padded_parameters *p = parameters;
    cohort_free(p->shapes);
    cohort_free(p->fill);
}

/* ------------------------------------------------------------------ reading */

/* An element that is too long for its shape is refused alone: the batch goes on without it. */
static cohort_status check_extents(padded_cursor *c, const cohort_element *element)
{
    const padded_parameters *p = parameters_of(c->unary.head.dataset);
    for (int32_t k = 0; k < element->n; k++)
        for (int32_t i = 0; i < element->parts[k].rank; i++)
            if (p->shapes[k].shape[i] >= 0 && element->parts[k].shape[i] > p->shapes[k].shape[i]) {
                c->unary.head.can_go_on = true; /* without this one */
                return cohort_error_set(
                    COHORT_EINVAL,
                    "cohort_dataset_padded_batch: component %d of an element has extent %lld of "
                    "axis %d, longer than the %lld that it is padded to",
                    k, (long long)element->parts[k].shape[i], i, (long long)p->shapes[k].shape[i]);
            }
    return COHORT_OK;
}

static cohort_status read_one(padded_cursor *c)
{
    cohort_element element;
    if (!cohort_grow((void **)&c->retained, &c->capacity, (size_t)c->n + 1, sizeof *c->retained))
        return cohort_error_memory("cohort_dataset_padded_batch");
    cohort_status status = cohort_cursor_next(c->unary.input, &element);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    if (status == COHORT_OK)
        status = check_extents(c, &element);
    if (status == COHORT_OK)
        status = cohort_element_retain(&element, c->unary.head.pool, &c->retained[c->n]);
    c->n += status == COHORT_OK;
    return status;
}

/* The extents of component k of the batch. */
/* An extent that was given is that long in every batch; others are as long as the longest
 * element of this one. */
static void measure(padded_cursor *c, int32_t k)
{
    const cohort_spec *spec = &parameters_of(c->unary.head.dataset)->shapes[k];
    cohort_array *part = &c->parts[k];
    *part = (cohort_array){ .dtype = spec->dtype,
                            .rank = spec->rank + 1,
                            .shape = { c->n },
                            .item_bytes = cohort_dtype_bytes(spec->dtype) };
    for (int32_t i = 0; i < spec->rank; i++) {
        int64_t longest = spec->shape[i] > 0 ? spec->shape[i] : 0;
        for (int64_t j = 0; spec->shape[i] < 0 && j < c->n; j++)
            if (c->retained[j].parts[k].shape[i] > longest)
                longest = c->retained[j].parts[k].shape[i];
        part->shape[i + 1] = longest;
    }
}

/* Room for all parts; each of data is where it begins in the block. */
static cohort_status lay_out(padded_cursor *c, cohort_block **out)
{
    size_t at = 0, offsets[COHORT_LIMIT_COMPONENTS];
    bool fits = true;
    for (int32_t k = 0; k < c->unary.head.dataset->n_components && fits; k++) {
        size_t bytes = 0;
        measure(c, k);
        cohort_spec spec = { .dtype = c->parts[k].dtype, .rank = c->parts[k].rank };
        memcpy(spec.shape, c->parts[k].shape, sizeof spec.shape);
        fits = cohort_spec_bytes(&spec, &bytes) && cohort_element_reserve(&at, bytes, &offsets[k]);
    }
    if (!fits)
        return cohort_error_set(
            COHORT_ENOMEM,
            "cohort_dataset_padded_batch: %lld padded rows are more than a memory holds",
            (long long)c->n);
    *out = cohort_pool_take(c->unary.head.pool, at);
    for (int32_t k = 0; *out != NULL && k < c->unary.head.dataset->n_components; k++)
        c->parts[k].data = (char *)(*out)->memory + offsets[k];
    return *out != NULL ? COHORT_OK : COHORT_ENOMEM;
}

/* Lists of parts stay, for the elements of the next batch. */
static void forget(padded_cursor *c)
{
    for (int64_t i = 0; i < c->n; i++)
        cohort_element_drop(&c->retained[i]);
    c->n = 0;
}

static cohort_status give(padded_cursor *c, cohort_element *out)
{
    const padded_parameters *p = parameters_of(c->unary.head.dataset);
    cohort_status status = lay_out(c, &c->given);
    if (status < 0)
        return status;
    for (int32_t k = 0; k < c->unary.head.dataset->n_components; k++) {
        cohort_array row = c->parts[k];
        /* one row of the batch, which each element is copied into */
        row.rank--;
        memmove(row.shape, row.shape + 1, sizeof row.shape - sizeof row.shape[0]);
        size_t bytes = cohort_part_bytes(&row);
        for (int64_t i = 0; i < c->n; i++, row.data = (char *)row.data + bytes)
            cohort_padding_apply(&row, &c->retained[i].parts[k], &p->fill[k]);
    }
    forget(c);
    *out = (cohort_element){ .parts = c->parts,
                             .n = c->unary.head.dataset->n_components,
                             .block = c->given };
    return COHORT_OK;
}

static void let_go(padded_cursor *c)
{
    cohort_block_release(c->given);
    c->given = NULL;
}

static cohort_status next_padded(cohort_cursor *cursor, cohort_element *out)
{
    padded_cursor *c = (padded_cursor *)cursor;
    const padded_parameters *p = parameters_of(cursor->dataset);
    cohort_status status = COHORT_OK;
    let_go(c);
    cursor->can_go_on = false;
    while (status == COHORT_OK && c->n < p->rows)
        status = read_one(c);
    if (status < 0)
        return status;
    if (c->n == 0 || (p->drop_remainder && c->n < p->rows)) {
        forget(c);
        return COHORT_END;
    }
    return give(c, out);
}

/* Elements that are passed over are not measured: how long they are does not matter. */
static cohort_status skip_padded(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    padded_cursor *c = (padded_cursor *)cursor;
    const padded_parameters *p = parameters_of(cursor->dataset);
    int64_t most = INT64_MAX / p->rows;
    let_go(c);
    while (*out_passed < n) {
        int64_t batches = n - *out_passed < most ? n - *out_passed : most, passed = 0;
        int64_t wanted = batches * p->rows - c->n;
        cohort_status status = cohort_cursor_skip(c->unary.input, wanted, &passed);
        int64_t elements = c->n + passed;
        forget(c);
        *out_passed += cohort_stack_count(elements, p->rows, status < 0 || p->drop_remainder);
        if (status < 0 || passed < wanted)
            return cohort_cursor_pass(cursor, c->unary.input, status);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ opening */

static void close_padded(cohort_cursor *cursor)
{
    padded_cursor *c = (padded_cursor *)cursor;
    let_go(c);
    for (size_t i = 0; i < c->capacity; i++)
        cohort_element_fini(&c->retained[i]);
    cohort_free(c->retained);
    cohort_free(c->parts);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind padded = { .next = next_padded,
                                           .close = close_padded,
                                           .skip = skip_padded };

static cohort_status open_padded(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &padded, how, sizeof(padded_cursor), out);
    if (status < 0)
        return status;
    padded_cursor *c = (padded_cursor *)*out;
    c->parts = cohort_allocate((size_t)dataset->n_components, sizeof *c->parts);
    if (c->parts == NULL) {
        close_padded(*out);
        *out = NULL;
        return cohort_error_memory("cohort_dataset_padded_batch");
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

static void derive_padded(cohort_dataset *dataset)
{
    const padded_parameters *p = parameters_of(dataset);
    if (dataset->cardinality >= 0)
        dataset->cardinality = cohort_stack_count(dataset->cardinality, p->rows, p->drop_remainder);
    dataset->batch_rows = p->rows;
}

static void describe_padded(const cohort_dataset *dataset, FILE *out)
{
    const padded_parameters *p = parameters_of(dataset);
    (void)fprintf(out, "rows %lld%s", (long long)p->rows,
                  p->drop_remainder ? ", drop_remainder" : "");
}

static const cohort_dataset_kind padded_batch = { .name = "padded_batch",
                                                  .derive = derive_padded,
                                                  .describe = describe_padded,
                                                  .open = open_padded,
                                                  .free_parameters = free_padded,
                                                  .is_stacking = true };

static cohort_status take_shape(padded_parameters *p, int32_t k, const cohort_spec *given,
                                const cohort_spec *input)
{
    p->shapes[k] = *input; /* where it is known it is the longest */
    if (given == NULL)
        return COHORT_OK;
    if (given->rank != input->rank || (given->dtype != input->dtype && given->dtype != COHORT_VOID))
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_dataset_padded_batch: shape %d is %s of rank %d, component "
                                "%d is %s of rank %d; "
                                "expected the same",
                                k, cohort_dtype_name(given->dtype), given->rank, k,
                                cohort_dtype_name(input->dtype), input->rank);
    for (int32_t i = 0; i < input->rank; i++) {
        if (given->shape[i] < -1 || (given->shape[i] >= 0 && given->shape[i] < input->shape[i]))
            return cohort_error_set(COHORT_EINVAL,
                                    "cohort_dataset_padded_batch: extent %lld of axis %d of shape "
                                    "%d; expected -1, or at "
                                    "least the %lld of the component",
                                    (long long)given->shape[i], i, k,
                                    (long long)(input->shape[i] < 0 ? 0 : input->shape[i]));
        if (given->shape[i] >= 0)
            p->shapes[k].shape[i] = given->shape[i];
    }
    return COHORT_OK;
}

static cohort_status take_parameters(padded_parameters *p, const cohort_dataset *dataset,
                                     const cohort_spec shapes[], const double fill[])
{
    cohort_status status = COHORT_OK;
    p->n = dataset->n_components;
    p->shapes = cohort_allocate((size_t)p->n, sizeof *p->shapes);
    p->fill = cohort_allocate((size_t)p->n, sizeof *p->fill);
    if (p->shapes == NULL || p->fill == NULL)
        return cohort_error_memory("cohort_dataset_padded_batch");
    for (int32_t k = 0; k < p->n && status >= 0; k++) {
        status = take_shape(p, k, shapes != NULL ? &shapes[k] : NULL, &dataset->specs[k]);
        if (status >= 0)
            status = cohort_padding_init(&p->fill[k], fill != NULL ? fill[k] : 0,
                                         dataset->specs[k].dtype);
        if (status < 0 && strstr(cohort_error_slot(), "cohort_dataset_padded_batch") == NULL)
            (void)cohort_error_prefix(status, "cohort_dataset_padded_batch: fill %d", k);
    }
    return status;
}

static void stack_specs(const padded_parameters *p, cohort_spec specs[])
{
    for (int32_t k = 0; k < p->n; k++) {
        specs[k] = (cohort_spec){ .dtype = p->shapes[k].dtype, .rank = p->shapes[k].rank + 1 };
        specs[k].shape[0] = p->drop_remainder ? p->rows : -1;
        memcpy(specs[k].shape + 1, p->shapes[k].shape,
               (size_t)p->shapes[k].rank * sizeof specs[k].shape[0]);
    }
}

/* n: what the list has, -1 where that is not known. */
static cohort_status check_list(const cohort_dataset *dataset, const void *list, int n,
                                const char *what)
{
    if (list == NULL || n < 0 || n >= dataset->n_components)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "cohort_dataset_padded_batch: the list %s has %d for elements of %d "
                            "components",
                            what, n, (int)dataset->n_components);
}

cohort_dataset *cohort_dataset_padded_batch_list(cohort_dataset *dataset, int64_t rows,
                                                 const cohort_spec shapes[], int n_shapes,
                                                 const double fill[], int n_fill,
                                                 bool drop_remainder)
{
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    padded_parameters p = { .rows = rows, .drop_remainder = drop_remainder };
    cohort_dataset_builder node = { .kind = &padded_batch,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &p,
                                    .bytes = sizeof p,
                                    .specs = specs };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_padded_batch"))
        return NULL;
    if (rows < 1)
        return cohort_dataset_builder_refuse_number(
            &node, rows, "cohort_dataset_padded_batch: %lld rows; expected 1 or more",
            (long long)rows);
    if (check_list(dataset, shapes, n_shapes, "shapes") < 0 ||
        check_list(dataset, fill, n_fill, "fill") < 0 ||
        cohort_stack_specs(dataset, -1, "cohort_dataset_padded_batch", specs) < 0 ||
        take_parameters(&p, dataset, shapes, fill) < 0)
        return cohort_dataset_builder_give_up(&node);
    node.n_components = p.n;
    stack_specs(&p, specs);
    if (cohort_specs_check(specs, p.n, "cohort_dataset_padded_batch") < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}
