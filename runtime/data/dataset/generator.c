/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that a callback makes, with a state of its own for each iteration. The callback finds
 * arrays with memory where extents are known, and may fill those or put its own memory there:
 * either way what it gives is copied once, since nobody knows how long it lasts. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/data/dataset/fault.h"

#include <string.h>

static const char call[] = "cohort_dataset_generator";

typedef struct generator_cursor {
    cohort_cursor head;
    const cohort_generator *generator; /* the dataset's */
    void *state;                       /* the program's */
    int64_t number;                    /* of the next element */
    bool is_over;
    cohort_fault fault;
    cohort_array *given; /* [components]: what the callback fills in */
    cohort_array *blank; /* [components]: what it finds there: room where the extents are known */
    cohort_block *room;
    cohort_retained retained; /* what was given last */
} generator_cursor;

/* An error after which the callback is not asked again. */
static cohort_status fail(generator_cursor *c, cohort_status status)
{
    c->head.can_go_on = false;
    return cohort_fault_note(&c->fault, status, false);
}

/* The next element, in the callback's own memory. */
static cohort_status produce(generator_cursor *c)
{
    const cohort_dataset *d = c->head.dataset;
    if (c->fault.status < 0)
        return cohort_fault_tell(&c->fault);
    if (c->is_over)
        return COHORT_END;
    /* anew for each element: the callback may have changed anything */
    memcpy(c->given, c->blank, (size_t)d->n_components * sizeof *c->given);
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    cohort_status status = c->generator->next(c->given, c->state, c->generator->user);
    bool is_end = status == COHORT_END;
    status = cohort_answer_judge(&callback, is_end ? COHORT_OK : status, call, c->number);
    c->is_over = is_end && status >= 0;
    if (c->is_over)
        return COHORT_END;
    if (status >= 0)
        status = cohort_answer_arrays_check(d->specs, c->given, d->n_components, call, c->number);
    c->number++;
    c->head.can_go_on = cohort_answer_is_refusal(status);
    return status >= 0 || c->head.can_go_on ? status : fail(c, status);
}

static cohort_status next_made(cohort_cursor *cursor, cohort_element *out)
{
    generator_cursor *c = (generator_cursor *)cursor;
    cohort_status status = produce(c);
    if (status != COHORT_OK)
        return status;
    status = cohort_answer_arrays_copy(c->given, cursor->dataset->n_components, c->head.pool,
                                       &c->retained);
    if (status < 0)
        return fail(c, status);
    *out = cohort_element_view(&c->retained);
    return COHORT_OK;
}

/* The callback is asked for each element all the same: its state moves on by being asked. */
static cohort_status skip_made(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    cohort_status status = COHORT_OK;
    for (*out_passed = 0; *out_passed < n && status == COHORT_OK;
         *out_passed += status == COHORT_OK)
        status = produce((generator_cursor *)cursor);
    return status == COHORT_END ? COHORT_OK : status;
}

/* From the callback's memory to the batch's: one copy, without an element in between. */
static cohort_status copy_made(cohort_cursor *cursor, int64_t n, void *const into[],
                               int64_t *out_rows)
{
    generator_cursor *c = (generator_cursor *)cursor;
    cohort_status status = COHORT_OK;
    for (*out_rows = 0; *out_rows < n && (status = produce(c)) == COHORT_OK; ++*out_rows)
        for (int32_t k = 0; k < cursor->dataset->n_components; k++) {
            size_t bytes = cohort_part_bytes(&c->given[k]);
            if (bytes > 0)
                cohort_array_pack((char *)into[k] + (size_t)*out_rows * bytes, &c->given[k]);
        }
    return status == COHORT_END ? COHORT_OK : status;
}

/* Frees what opening has made so far; the callback's state is not among it. */
static void free_made(generator_cursor *c)
{
    cohort_fault_forget(&c->fault);
    cohort_element_fini(&c->retained);
    cohort_block_release(c->room);
    cohort_free(c->given);
    cohort_cursor_free(&c->head);
}

/* `end` is called for a state that `begin` has made, never for one that failed. */
static void close_made(cohort_cursor *cursor)
{
    generator_cursor *c = (generator_cursor *)cursor;
    if (c->generator->end != NULL)
        c->generator->end(c->state, c->generator->user);
    free_made(c);
}

static const cohort_cursor_kind made_cursor = {
    .next = next_made, .close = close_made, .skip = skip_made, .copy = copy_made
};

static cohort_status make_room(generator_cursor *c)
{
    const cohort_dataset *d = c->head.dataset;
    size_t n = (size_t)d->n_components;
    c->given = cohort_allocate(2 * n, sizeof *c->given);
    if (c->given == NULL)
        return cohort_error_memory(call);
    c->blank = c->given + n;
    cohort_answer_arrays_begin(d->specs, d->n_components, c->blank);
    return cohort_answer_arrays_place(c->blank, d->n_components, c->head.pool, &c->room);
}

static cohort_status begin(generator_cursor *c)
{
    if (c->generator->begin == NULL)
        return COHORT_OK;
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    cohort_status status = c->generator->begin(&c->state, c->generator->user);
    return cohort_answer_judge(&callback, status, call, -1);
}

static cohort_status open_generator(const cohort_dataset *dataset, const cohort_opening *how,
                                    cohort_cursor **out)
{
    generator_cursor *c = cohort_cursor_allocate(dataset, &made_cursor, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->generator = dataset->parameters;
    cohort_status status = make_room(c);
    if (status >= 0)
        status = begin(c);
    if (status < 0)
        free_made(c);
    else
        *out = &c->head;
    return status;
}

static void derive_generator(cohort_dataset *dataset)
{
    dataset->cardinality = COHORT_UNKNOWN;
}

static const cohort_dataset_kind generator_kind = { .name = "generator",
                                                    .derive = derive_generator,
                                                    .open = open_generator };

cohort_dataset *cohort_dataset_generator(const cohort_spec components[], int n,
                                         const cohort_generator *generator)
{
    if (generator == NULL || generator->next == NULL) {
        (void)cohort_error_set(COHORT_EINVAL, "%s: there is no callback that makes the elements",
                               call);
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    }
    if (cohort_specs_check(components, n, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    cohort_dataset_builder node = { .kind = &generator_kind,
                                    .parameters = generator,
                                    .bytes = sizeof *generator,
                                    .specs = components,
                                    .n_components = n };
    return cohort_dataset_builder_make(&node);
}
