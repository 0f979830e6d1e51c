/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapping in the thread that asks; map_threads.c has the way with threads. The work on one
 * element is mapping.c's. */
#include "config.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/fault.h"
#include "runtime/data/dataset/map_threads.h"
#include "runtime/data/dataset/mapping.h"

typedef struct map_cursor {
    cohort_unary_cursor unary;
    int64_t number; /* of the next element */
    cohort_fault fault;
    cohort_retained retained; /* what was given last */
} map_cursor;

static const cohort_map *map_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ one by one */

/* An error of one element is told, and the next call goes on with the next; one of the machine is
 * told by each call from here on. */
static cohort_status fail(map_cursor *c, cohort_status status)
{
    c->unary.head.can_go_on = cohort_answer_is_refusal(status);
    return c->unary.head.can_go_on ? status : cohort_fault_note(&c->fault, status, false);
}

/* Elements of the input that could not be read have a number too: numbers are those of a run
 * without errors. */
static cohort_status next_input(map_cursor *c, cohort_element *out)
{
    if (c->fault.status < 0)
        return cohort_fault_tell(&c->fault);
    cohort_status status = cohort_cursor_next(c->unary.input, out);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    c->number += status == COHORT_OK || (status < 0 && c->unary.head.can_go_on);
    return status;
}

static cohort_status give(map_cursor *c, int64_t number, const cohort_element *element,
                          cohort_element *out)
{
    cohort_status status = cohort_mapping_apply(c->unary.head.dataset, c->unary.head.pool, number,
                                                element->parts, &c->retained);
    if (status >= 0)
        *out = cohort_element_view(&c->retained);
    return status;
}

static cohort_status next_mapped(cohort_cursor *cursor, cohort_element *out)
{
    map_cursor *c = (map_cursor *)cursor;
    cohort_element element;
    cohort_status status = next_input(c, &element);
    if (status != COHORT_OK)
        return status;
    status = give(c, c->number - 1, &element, out);
    return status < 0 ? fail(c, status) : COHORT_OK;
}

static cohort_status at_mapped(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    map_cursor *c = (map_cursor *)cursor;
    cohort_element element;
    cohort_status status = cohort_cursor_at(c->unary.input, index, &element);
    (void)cohort_cursor_pass(cursor, c->unary.input, status);
    if (status == COHORT_OK) {
        status = give(c, index, &element, out);
        cursor->can_go_on = cohort_answer_is_refusal(status);
    }
    return status;
}

/* A function over elements that are passed over is not called: it has no effect but its result. */
static cohort_status skip_mapped(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    map_cursor *c = (map_cursor *)cursor;
    *out_passed = 0;
    if (c->fault.status < 0)
        return cohort_fault_tell(&c->fault);
    cohort_status status = cohort_cursor_skip(c->unary.input, n, out_passed);
    (void)cohort_cursor_pass(cursor, c->unary.input, status);
    c->number += *out_passed + (status < 0 && cursor->can_go_on);
    return status;
}

/* Results straight to where they are wanted. */
static cohort_status map_into(map_cursor *c, const cohort_element *element, int64_t row,
                              void *const into[])
{
    cohort_mapping m;
    m.dataset = c->unary.head.dataset;
    m.pool = c->unary.head.pool;
    m.number = c->number - 1;
    m.in = element->parts;
    cohort_status status = cohort_mapping_shape(&m);
    for (int32_t k = 0; k < m.dataset->n_components && status >= 0; k++)
        m.out[k].data = (char *)into[k] + (size_t)row * cohort_part_bytes(&m.out[k]);
    if (status >= 0)
        status = cohort_mapping_work(&m);
    for (int32_t k = 0; k < m.dataset->n_components && status >= 0; k++) {
        size_t bytes = cohort_part_bytes(&m.out[k]);
        char *place = (char *)into[k] + (size_t)row * bytes;
        /* a callback may have put memory of its own there */
        if (bytes > 0 && m.out[k].data != place)
            cohort_array_pack(place, &m.out[k]);
    }
    return status;
}

static cohort_status copy_mapped(cohort_cursor *cursor, int64_t n, void *const into[],
                                 int64_t *out_rows)
{
    map_cursor *c = (map_cursor *)cursor;
    cohort_element element;
    for (*out_rows = 0; *out_rows < n; ++*out_rows) {
        cohort_status status = next_input(c, &element);
        if (status != COHORT_OK)
            return status == COHORT_END ? COHORT_OK : status;
        status = map_into(c, &element, *out_rows, into);
        if (status < 0)
            return fail(c, status);
    }
    return COHORT_OK;
}

static void close_mapped(cohort_cursor *cursor)
{
    map_cursor *c = (map_cursor *)cursor;
    cohort_fault_forget(&c->fault);
    cohort_element_fini(&c->retained);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind mapped_cursor = { .next = next_mapped,
                                                  .close = close_mapped,
                                                  .skip = skip_mapped,
                                                  .at = at_mapped,
                                                  .copy = copy_mapped };

static cohort_status open_map(const cohort_dataset *dataset, const cohort_opening *how,
                              cohort_cursor **out)
{
    cohort_cursor *input;
    /* one thread more would only hand each element over */
    int32_t threads = map_of(dataset)->threads;
    if (threads <= 1)
        return cohort_cursor_open_unary(dataset, &mapped_cursor, how, sizeof(map_cursor), out);
    cohort_status status = cohort_cursor_open(dataset->inputs[0], how, &input);
    return status < 0 ? status : cohort_map_threads_open(dataset, threads, input, out);
}

/* ------------------------------------------------------------------ the dataset */

/* By number an element is worked on by who asks for it. */
static void derive_map(cohort_dataset *dataset)
{
    dataset->is_indexed = dataset->inputs[0]->is_indexed && map_of(dataset)->threads <= 1;
}

static void describe_map(const cohort_dataset *dataset, FILE *out)
{
    const cohort_host_function *f = map_of(dataset)->function;
    if (f == NULL)
        (void)fputs("callback", out);
    else
        (void)fprintf(out, "%s%s", f->signature->name, f->signature->prototype);
}

static void free_map(void *parameters)
{
    cohort_host_function_destroy(((cohort_map *)parameters)->function);
}

static const cohort_dataset_kind map_kind = { .name = "map",
                                              .derive = derive_map,
                                              .describe = describe_map,
                                              .open = open_map,
                                              .free_parameters = free_map,
                                              .is_by_one = true };

static bool has_threads(cohort_dataset_builder *node, int threads, const char *call)
{
    if (threads >= 0 && threads <= COHORT_LIMIT_MAP_THREADS)
        return true;
    (void)cohort_dataset_builder_refuse(node, COHORT_EINVAL, "%s: %d threads; 0 to %d are possible",
                                        call, threads, COHORT_LIMIT_MAP_THREADS);
    return false;
}

/* Without an output an element would be nothing; a function is called for its results here, not
 * for what else it does. */
static cohort_status prepare(cohort_map *map, const cohort_dataset *input,
                             const cohort_function *function, const char *call)
{
    cohort_status status = cohort_host_function_create(function, input->specs, input->n_components,
                                                       call, &map->function);
    if (status >= 0 && map->function->n_outputs == 0)
        status = cohort_error_set(COHORT_EINVAL,
                                  "%s: %s writes nothing and returns nothing; there is no result",
                                  call, map->function->signature->name);
    return status < 0 ? status
                      : cohort_specs_check(map->function->outputs, map->function->n_outputs, call);
}

cohort_dataset *cohort_dataset_map(cohort_dataset *dataset, const cohort_function *function,
                                   int threads)
{
    static const char call[] = "cohort_dataset_map";
    cohort_map map = { .threads = threads };
    cohort_dataset_builder node = { .kind = &map_kind,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &map,
                                    .bytes = sizeof map };
    if (!cohort_dataset_builder_begin(&node, call) || !has_threads(&node, threads, call))
        return NULL;
    if (prepare(&map, dataset, function, call) < 0)
        return cohort_dataset_builder_give_up(&node);
    node.specs = map.function->outputs;
    node.n_components = map.function->n_outputs;
    return cohort_dataset_builder_make(&node);
}

cohort_dataset *cohort_dataset_map_with(cohort_dataset *dataset, const cohort_spec outputs[], int n,
                                        cohort_map_fn fn, void *user, int threads)
{
    static const char call[] = "cohort_dataset_map_with";
    cohort_map map = { .fn = fn, .user = user, .threads = threads };
    cohort_dataset_builder node = { .kind = &map_kind,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &map,
                                    .bytes = sizeof map,
                                    .specs = outputs,
                                    .n_components = n };
    if (!cohort_dataset_builder_begin(&node, call) || !has_threads(&node, threads, call))
        return NULL;
    if (fn == NULL)
        return cohort_dataset_builder_refuse(&node, COHORT_EINVAL, "%s: the callback is NULL",
                                             call);
    if (cohort_specs_check(outputs, n, call) < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}
