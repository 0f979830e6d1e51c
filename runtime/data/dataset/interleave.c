/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets made from elements, several of them open at a time.
 *
 * The order is that of TensorFlow's deterministic interleave: places 0 .. cycle - 1 come in turn,
 * for `block` elements each. A place without a dataset gets the next one when its turn comes; one
 * whose dataset ends passes its turn on. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/data/dataset/fault.h"

typedef struct interleave_parameters {
    cohort_expand_fn fn;
    void *user;
    int64_t cycle, block;
} interleave_parameters;

/* The dataset that the function makes may look at the element that it was made from: the element is
 * retained as long as that dataset is read. */
typedef struct place {
    cohort_cursor *inner; /* NULL: none */
    cohort_retained from;
} place;

typedef struct interleave_cursor {
    cohort_unary_cursor unary;
    cohort_opening how;
    int64_t number; /* of the next element of the input */
    bool is_read;   /* the input has ended */
    /* those that had a turn; behind them none has anything once the input has ended */
    place *places;
    size_t capacity;
    int64_t n_places, n_open;
    int64_t at;    /* the place whose turn it is */
    int64_t given; /* elements in this turn */
    cohort_fault fault;
} interleave_cursor;

static const interleave_parameters *parameters_of(const interleave_cursor *c)
{
    return c->unary.head.dataset->parameters;
}

static const char *call_of(const interleave_cursor *c)
{
    return c->unary.head.dataset->kind->name;
}

/* ------------------------------------------------------------------ what is made */

/* The dataset that is made may promise more than was declared, never less: a known extent must
 * be known here too. */
static bool has_specs(const cohort_dataset *declared, const cohort_dataset *made,
                      int32_t *out_component)
{
    for (int32_t k = 0; k < declared->n_components; k++) {
        const cohort_spec *d = &declared->specs[k], *m = &made->specs[k];
        bool is_same = d->dtype == m->dtype && d->rank == m->rank;
        for (int32_t i = 0; i < d->rank && is_same; i++)
            is_same = d->shape[i] == -1 || d->shape[i] == m->shape[i];
        *out_component = k;
        if (!is_same)
            return false;
    }
    return true;
}

static cohort_status check_made(const interleave_cursor *c, const cohort_dataset *made)
{
    const cohort_dataset *declared = c->unary.head.dataset;
    char wanted[128], found[128];
    int32_t k = 0;
    if (made->n_components != declared->n_components)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_dataset_%s: element %lld: the dataset that the callback makes has %d "
            "components; declared are %d",
            call_of(c), (long long)c->number - 1, (int)made->n_components,
            (int)declared->n_components);
    if (has_specs(declared, made, &k))
        return COHORT_OK;
    const cohort_spec *d = &declared->specs[k], *m = &made->specs[k];
    return cohort_error_set(
        COHORT_EINVAL,
        "cohort_dataset_%s: element %lld: component %d of the dataset that the callback makes is "
        "%s; declared is %s",
        call_of(c), (long long)c->number - 1, (int)k,
        cohort_shape_to_string(m->dtype, m->rank, m->shape, found),
        cohort_shape_to_string(d->dtype, d->rank, d->shape, wanted));
}

/* An error that is about this element: the next one can be had. */
static cohort_status refuse(interleave_cursor *c, place *p, cohort_status status)
{
    cohort_element_drop(&p->from);
    c->unary.head.can_go_on = true;
    return status;
}

/* An error that stays: each call from here on tells it. */
static cohort_status fail(interleave_cursor *c, cohort_status status)
{
    c->unary.head.can_go_on = false;
    return cohort_fault_note(&c->fault, status, false);
}

/* No dataset was made for the element; the error slot says why. */
static cohort_status not_made(interleave_cursor *c, place *p, cohort_status status)
{
    (void)cohort_error_prefix(status, "cohort_dataset_%s: element %lld", call_of(c),
                              (long long)c->number - 1);
    return cohort_answer_is_refusal(status) ? refuse(c, p, status) : fail(c, status);
}

static cohort_status expand(interleave_cursor *c, place *p)
{
    const interleave_parameters *parameters = parameters_of(c);
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    cohort_status status;
    cohort_dataset *made =
        cohort_answer_dataset(&callback, parameters->fn(p->from.parts, parameters->user),
                              "the callback makes no dataset", &status);
    if (made == NULL)
        return not_made(c, p, status);
    status = check_made(c, made);
    if (status >= 0) {
        cohort_opening how = cohort_opening_nth(&c->how, (uint64_t)c->number - 1);
        status = cohort_cursor_open(made, &how, &p->inner);
        if (status < 0)
            (void)fail(c, status);
    } else {
        (void)refuse(c, p, status);
    }
    cohort_dataset_release(made); /* the cursor is an owner */
    return status;
}

/* The next element of the input for this place. COHORT_OK too when there is none. */
static cohort_status occupy(interleave_cursor *c, place *p)
{
    cohort_element element;
    cohort_status status = cohort_cursor_next(c->unary.input, &element);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    c->is_read = status == COHORT_END;
    if (c->is_read)
        return COHORT_OK;
    c->number += status == COHORT_OK || c->unary.head.can_go_on;
    if (status < 0)
        return status;
    status = cohort_element_retain(&element, c->unary.head.pool, &p->from);
    if (status < 0)
        return fail(c, status);
    status = expand(c, p);
    c->n_open += status >= 0;
    return status;
}

static void vacate(interleave_cursor *c, place *p)
{
    cohort_cursor_close(p->inner);
    p->inner = NULL;
    cohort_element_drop(&p->from);
    c->n_open--;
}

/* ------------------------------------------------------------------ turns */

/* The next place has its turn. Once the input has ended, only places that had one before count. */
static void turn(interleave_cursor *c)
{
    int64_t places = c->is_read ? c->n_places : parameters_of(c)->cycle;
    c->given = 0;
    c->at = c->at + 1 < places ? c->at + 1 : 0;
}

static cohort_status find_place(interleave_cursor *c)
{
    if (c->at < c->n_places)
        return COHORT_OK;
    if (!cohort_grow((void **)&c->places, &c->capacity, (size_t)c->at + 1, sizeof *c->places))
        return fail(c, cohort_error_memory(call_of(c)));
    c->n_places = c->at + 1;
    return COHORT_OK;
}

/* The next of the place's dataset; COHORT_END when it has ended, which passes the turn on. Its
 * memory may go with it: an element lasts no longer than until the next call. */
static cohort_status give(interleave_cursor *c, place *p, cohort_element *out)
{
    cohort_status status = cohort_cursor_next(p->inner, out);
    c->unary.head.can_go_on = p->inner->can_go_on;
    if (status == COHORT_OK) {
        /* what lasts as long as the inner dataset goes with it */
        out->is_lasting = false;
        if (++c->given == parameters_of(c)->block)
            turn(c);
    } else if (status == COHORT_END) {
        vacate(c, p);
        turn(c);
    }
    return status;
}

static cohort_status next_in_turn(cohort_cursor *cursor, cohort_element *out)
{
    interleave_cursor *c = (interleave_cursor *)cursor;
    if (c->fault.status < 0)
        return cohort_fault_tell(&c->fault);
    while (!c->is_read || c->n_open > 0) {
        cohort_status status = find_place(c);
        if (status < 0)
            return status;
        place *p = &c->places[c->at];
        if (p->inner != NULL) {
            status = give(c, p, out);
            if (status != COHORT_END)
                return status;
        } else if (!c->is_read) {
            status = occupy(c, p);
            if (status < 0)
                return status;
        } else {
            turn(c);
        }
    }
    return COHORT_END;
}

/* ------------------------------------------------------------------ open and close */

static void close_interleave(cohort_cursor *cursor)
{
    interleave_cursor *c = (interleave_cursor *)cursor;
    for (int64_t i = 0; i < c->n_places; i++) {
        cohort_cursor_close(c->places[i].inner);
        cohort_element_fini(&c->places[i].from);
    }
    cohort_free(c->places);
    cohort_fault_forget(&c->fault);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind turns_cursor = { .next = next_in_turn, .close = close_interleave };

static cohort_status open_interleave(const cohort_dataset *dataset, const cohort_opening *how,
                                     cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &turns_cursor, how, sizeof(interleave_cursor), out);
    if (status >= 0)
        ((interleave_cursor *)*out)->how = *how;
    return status;
}

/* ------------------------------------------------------------------ the dataset */

static void derive_interleave(cohort_dataset *dataset)
{
    dataset->cardinality = dataset->inputs[0]->cardinality == 0 ? 0 : COHORT_UNKNOWN;
    dataset->batch_rows = 0; /* what is made may be batches: of a size that is not known */
}

static void describe_interleave(const cohort_dataset *dataset, FILE *out)
{
    const interleave_parameters *p = dataset->parameters;
    (void)fprintf(out, "cycle %lld, block %lld", (long long)p->cycle, (long long)p->block);
}

static const cohort_dataset_kind interleave_kind = { .name = "interleave",
                                                     .derive = derive_interleave,
                                                     .describe = describe_interleave,
                                                     .open = open_interleave };
static const cohort_dataset_kind flat_map_kind = { .name = "flat_map",
                                                   .derive = derive_interleave,
                                                   .open = open_interleave };

static cohort_dataset *make(const cohort_dataset_kind *kind, cohort_dataset *dataset,
                            const cohort_spec components[], int n, const interleave_parameters *p,
                            const char *call)
{
    cohort_dataset_builder node = { .kind = kind,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = p,
                                    .bytes = sizeof *p,
                                    .specs = components,
                                    .n_components = n };
    if (!cohort_dataset_builder_begin(&node, call))
        return NULL;
    if (p->fn == NULL)
        return cohort_dataset_builder_refuse(&node, COHORT_EINVAL, "%s: the callback is NULL",
                                             call);
    if (p->cycle < 1 || p->block < 1)
        return cohort_dataset_builder_refuse_number(
            &node, p->cycle < 1 ? p->cycle : p->block,
            "%s: a cycle of %lld datasets and blocks of %lld elements; "
            "both are at least 1",
            call, (long long)p->cycle, (long long)p->block);
    if (cohort_specs_check(components, n, call) < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}

cohort_dataset *cohort_dataset_interleave(cohort_dataset *dataset, const cohort_spec components[],
                                          int n, cohort_expand_fn fn, void *user, int64_t cycle,
                                          int64_t block)
{
    interleave_parameters p = { .fn = fn, .user = user, .cycle = cycle, .block = block };
    return make(&interleave_kind, dataset, components, n, &p, "cohort_dataset_interleave");
}

cohort_dataset *cohort_dataset_flat_map(cohort_dataset *dataset, const cohort_spec components[],
                                        int n, cohort_expand_fn fn, void *user)
{
    interleave_parameters p = { .fn = fn, .user = user, .cycle = 1, .block = INT64_MAX };
    return make(&flat_map_kind, dataset, components, n, &p, "cohort_dataset_flat_map");
}
