/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements with their numbers, as a component in front. Numbers count elements that were given:
 * an error of the input takes none. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

typedef struct enumerate_parameters {
    int64_t start;
} enumerate_parameters;

typedef struct enumerate_cursor {
    cohort_unary_cursor unary;
    uint64_t next; /* behind the greatest number comes the least */
    int64_t number;
    cohort_array *parts; /* [components] */
} enumerate_cursor;

static const enumerate_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* The number is the cursor's own component, in front of those of the input's element, which are
 * shown where they are. */
static void show(enumerate_cursor *c, uint64_t number, const cohort_element *element,
                 cohort_element *out)
{
    /* as bits: a conversion of more than INT64_MAX is the compiler's choice */
    memcpy(&c->number, &number, sizeof number);
    memcpy(c->parts + 1, element->parts, (size_t)element->n * sizeof *c->parts);
    *out = (cohort_element){ .parts = c->parts, .n = element->n + 1 };
}

static cohort_status next_numbered(cohort_cursor *cursor, cohort_element *out)
{
    enumerate_cursor *c = (enumerate_cursor *)cursor;
    cohort_element element;
    cohort_status status = cohort_cursor_next(c->unary.input, &element);
    if (status == COHORT_OK)
        show(c, c->next++, &element, out);
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static cohort_status numbered_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    enumerate_cursor *c = (enumerate_cursor *)cursor;
    cohort_element element;
    cohort_status status = cohort_cursor_at(c->unary.input, index, &element);
    if (status == COHORT_OK)
        show(c, (uint64_t)parameters_of(cursor->dataset)->start + (uint64_t)index, &element, out);
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static cohort_status skip_numbered(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    enumerate_cursor *c = (enumerate_cursor *)cursor;
    cohort_status status = cohort_cursor_skip(c->unary.input, n, out_passed);
    c->next += (uint64_t)*out_passed;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

/* The input's components stand behind the first place, which is that of the numbers. */
static cohort_status copy_numbered(cohort_cursor *cursor, int64_t n, void *const into[],
                                   int64_t *out_rows)
{
    enumerate_cursor *c = (enumerate_cursor *)cursor;
    cohort_status status = cohort_cursor_copy(c->unary.input, n, into + 1, out_rows);
    for (int64_t i = 0; i < *out_rows; i++, c->next++)
        memcpy((char *)into[0] + (size_t)i * sizeof c->next, &c->next, sizeof c->next);
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static void close_numbered(cohort_cursor *cursor)
{
    cohort_free(((enumerate_cursor *)cursor)->parts);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind numbered = { .next = next_numbered,
                                             .close = close_numbered,
                                             .skip = skip_numbered,
                                             .at = numbered_at,
                                             .copy = copy_numbered };

static cohort_status open_enumerate(const cohort_dataset *dataset, const cohort_opening *how,
                                    cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &numbered, how, sizeof(enumerate_cursor), out);
    if (status < 0)
        return status;
    enumerate_cursor *c = (enumerate_cursor *)*out;
    c->parts = cohort_allocate((size_t)dataset->n_components, sizeof *c->parts);
    if (c->parts == NULL) {
        close_numbered(*out);
        *out = NULL;
        return cohort_error_memory("cohort_dataset_enumerate");
    }
    c->next = (uint64_t)parameters_of(dataset)->start;
    c->parts[0] =
        (cohort_array){ .data = &c->number, .dtype = COHORT_I64, .item_bytes = sizeof c->number };
    return COHORT_OK;
}

static void derive_enumerate(cohort_dataset *dataset)
{
    /* never lasting: an element shows the number of its cursor, which the next call overwrites */
    dataset->is_indexed = dataset->inputs[0]->is_indexed;
}

static void describe_enumerate(const cohort_dataset *dataset, FILE *out)
{
    (void)fprintf(out, "from %lld", (long long)parameters_of(dataset)->start);
}

static const cohort_dataset_kind enumerate = { .name = "enumerate",
                                               .derive = derive_enumerate,
                                               .describe = describe_enumerate,
                                               .open = open_enumerate };

cohort_dataset *cohort_dataset_enumerate(cohort_dataset *dataset, int64_t start)
{
    /* room for one too many, which cohort_specs_check refuses */
    cohort_spec specs[COHORT_LIMIT_COMPONENTS + 1] = { { .dtype = COHORT_I64 } };
    enumerate_parameters p = { start };
    cohort_dataset_builder node = { .kind = &enumerate,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &p,
                                    .bytes = sizeof p,
                                    .specs = specs };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_enumerate"))
        return NULL;
    node.n_components = dataset->n_components + 1;
    memcpy(specs + 1, dataset->specs, (size_t)dataset->n_components * sizeof *specs);
    if (cohort_specs_check(specs, node.n_components, "cohort_dataset_enumerate") < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}
