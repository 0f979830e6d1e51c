/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows that overlap, or leave elements out: stacked as batches are. Elements of the input are
 * retained from where the next window begins; what lies between two windows is passed over
 * without being read. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/stack.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

typedef struct window_parameters {
    int64_t size, shift, stride;
    bool drop_remainder;
} window_parameters;

typedef struct window_cursor {
    cohort_unary_cursor unary;
    cohort_stack stack;
    /* [capacity]: elements of the input from where the window begins; behind n, lists of parts */
    cohort_retained *retained;
    size_t capacity;
    int64_t n;
    int64_t position; /* elements that the input has passed */
    /* of the window: above position when elements between windows are still to be passed over */
    int64_t start;
    bool is_ended; /* the input is */
} window_cursor;

static const window_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* From the first element of a window to its last. */
static int64_t span_of(const window_parameters *p)
{
    return (p->size - 1) * p->stride + 1;
}

/* With the remainder, every start that has an element is a window; without, every start whose
 * last element is there. */
static int64_t windows_of(const window_parameters *p, int64_t elements)
{
    if (!p->drop_remainder)
        return elements / p->shift + (elements % p->shift > 0);
    return elements < span_of(p) ? 0 : (elements - span_of(p)) / p->shift + 1;
}

/* ------------------------------------------------------------------ the way */

/* The window moves on: it begins `elements` later in the input than before. */
static void move_on(window_cursor *c, int64_t elements)
{
    int64_t gone = elements < c->n ? elements : c->n;
    for (int64_t i = 0; i < gone; i++)
        cohort_element_drop(&c->retained[i]);
    for (int64_t i = gone; i < c->n; i++)
        cohort_element_swap(&c->retained[i - gone], &c->retained[i]);
    c->n -= gone;
    c->start = elements > INT64_MAX - c->start ? INT64_MAX : c->start + elements;
}

static cohort_status pass_between(window_cursor *c)
{
    int64_t wanted = c->start - c->position, passed = 0;
    if (c->is_ended || wanted <= 0)
        return COHORT_OK;
    cohort_status status = cohort_cursor_skip(c->unary.input, wanted, &passed);
    c->position += passed;
    c->is_ended = status == COHORT_OK && passed < wanted;
    return cohort_cursor_pass(&c->unary.head, c->unary.input, status);
}

static cohort_status keep_next(window_cursor *c)
{
    cohort_element element;
    if (!cohort_grow((void **)&c->retained, &c->capacity, (size_t)c->n + 1, sizeof *c->retained))
        return cohort_error_memory("cohort_dataset_window");
    cohort_status status = cohort_cursor_next(c->unary.input, &element);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    if (status == COHORT_OK) {
        c->position++;
        status = cohort_element_retain(&element, c->unary.head.pool, &c->retained[c->n]);
        c->n += status == COHORT_OK;
    }
    c->is_ended = status == COHORT_END;
    return c->is_ended ? COHORT_OK : status;
}

/* The first `elements` of the window are there, or all that are left. */
static cohort_status have(window_cursor *c, int64_t elements)
{
    c->unary.head.can_go_on = false;
    cohort_status status = pass_between(c);
    while (status == COHORT_OK && !c->is_ended && c->n < elements)
        status = keep_next(c);
    return status;
}

/* ------------------------------------------------------------------ reading */

static cohort_status stack_up(window_cursor *c, int64_t stride)
{
    cohort_stack_forget(&c->stack);
    cohort_stack_shape(&c->stack, c->retained[0].parts);
    for (int64_t i = 0; i < c->n; i = stride < c->n - i ? i + stride : c->n) {
        int32_t k = cohort_stack_differs(&c->stack, c->retained[i].parts);
        if (k >= 0) {
            c->unary.head.can_go_on = true; /* with the next window */
            return cohort_stack_refuse(&c->stack, c->retained[i].parts, k, "window");
        }
        cohort_status status = cohort_stack_add(&c->stack, c->retained[i].parts, 1);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

static cohort_status next_window(cohort_cursor *cursor, cohort_element *out)
{
    window_cursor *c = (window_cursor *)cursor;
    const window_parameters *p = parameters_of(cursor->dataset);
    int64_t span = span_of(p);
    cohort_stack_let_go(&c->stack);
    cohort_status status = have(c, span);
    if (status < 0)
        return status;
    if (c->n == 0 || (p->drop_remainder && c->n < span))
        return COHORT_END;
    status = stack_up(c, p->stride);
    if (status == COHORT_OK || cursor->can_go_on)
        move_on(c, p->shift);
    if (status == COHORT_OK)
        cohort_stack_give(&c->stack, out);
    return status;
}

/* Windows are passed over by moving the start of the next one; that there were fewer is seen
 * when the input ends. */
static cohort_status skip_windows(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    window_cursor *c = (window_cursor *)cursor;
    const window_parameters *p = parameters_of(cursor->dataset);
    int64_t before = c->start, span = span_of(p), elements = 0;
    if (!cohort_multiply(n, p->shift, &elements))
        elements = INT64_MAX;
    cohort_stack_let_go(&c->stack);
    /* what windows share is kept: only elements in front of the next one go */
    move_on(c, elements);
    cohort_status status = have(c, p->drop_remainder && span > p->shift ? span - p->shift : 0);
    *out_passed = n;
    if (status < 0)
        return status;
    int64_t all = windows_of(p, c->position) - before / p->shift;
    if (c->is_ended && all < n)
        *out_passed = all > 0 ? all : 0;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ opening */

static void close_window(cohort_cursor *cursor)
{
    window_cursor *c = (window_cursor *)cursor;
    cohort_stack_fini(&c->stack);
    for (size_t i = 0; i < c->capacity; i++)
        cohort_element_fini(&c->retained[i]);
    cohort_free(c->retained);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind windows = { .next = next_window,
                                            .close = close_window,
                                            .skip = skip_windows };

static cohort_status open_window(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    int64_t most = parameters_of(dataset)->size, all = dataset->inputs[0]->cardinality;
    cohort_status status =
        cohort_cursor_open_unary(dataset, &windows, how, sizeof(window_cursor), out);
    if (status < 0)
        return status;
    window_cursor *c = (window_cursor *)*out;
    status = cohort_stack_init(&c->stack, c->unary.head.pool, dataset->n_components,
                               all > 0 && all < most ? all : most);
    if (status < 0) {
        close_window(*out);
        *out = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------ making */

static void derive_window(cohort_dataset *dataset)
{
    const window_parameters *p = parameters_of(dataset);
    if (dataset->cardinality >= 0)
        dataset->cardinality = windows_of(p, dataset->cardinality);
    dataset->batch_rows = p->size;
}

static void describe_window(const cohort_dataset *dataset, FILE *out)
{
    const window_parameters *p = parameters_of(dataset);
    (void)fprintf(out, "size %lld, shift %lld, stride %lld%s", (long long)p->size,
                  (long long)p->shift, (long long)p->stride,
                  p->drop_remainder ? ", drop_remainder" : "");
}

static const cohort_dataset_kind window = {
    .name = "window", .derive = derive_window, .describe = describe_window, .open = open_window
};

cohort_dataset *cohort_dataset_window(cohort_dataset *dataset, int64_t size, int64_t shift,
                                      int64_t stride, bool drop_remainder)
{
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    window_parameters p = { size, shift, stride, drop_remainder };
    cohort_dataset_builder node = { .kind = &window,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &p,
                                    .bytes = sizeof p,
                                    .specs = specs };
    int64_t span = 0;
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_window"))
        return NULL;
    if (size < 1 || shift < 1 || stride < 1)
        return cohort_dataset_builder_refuse_number(
            &node,
            size < 1    ? size
            : shift < 1 ? shift
                        : stride,
            "cohort_dataset_window: size %lld, shift %lld, stride %lld; expected 1 or more of each",
            (long long)size, (long long)shift, (long long)stride);
    if (!cohort_multiply(size, stride, &span))
        return cohort_dataset_builder_refuse(
            &node, COHORT_EINVAL,
            "cohort_dataset_window: size %lld with stride %lld is longer than any dataset",
            (long long)size, (long long)stride);
    node.n_components = dataset->n_components;
    if (cohort_stack_specs(dataset, drop_remainder ? size : -1, "cohort_dataset_window", specs) < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}
