/* SPDX-License-Identifier: BSD-3-Clause */
/* Shuffling what comes one after the other: the buffer holds elements. The one that was given
 * stays in its place, the hole, until the next call, since it is only lent; then the next of the
 * input takes that place. */
#include "config.h"

#include "runtime/data/dataset/shuffle.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

typedef struct elements_cursor {
    cohort_unary_cursor unary;
    cohort_random random;
    cohort_retained *buffer; /* [capacity]; what was in it once has its list of parts still */
    size_t capacity;
    int64_t n; /* elements in the buffer, and the one that was given */
    /* where the one that was given is: the next of the input goes there; -1: nowhere */
    int64_t hole;
    bool is_ended;
} elements_cursor;

/* Retains the next element of the input in this place. COHORT_END: there is none. */
static cohort_status keep_next(elements_cursor *c, int64_t place)
{
    cohort_element element;
    if (!cohort_grow((void **)&c->buffer, &c->capacity, (size_t)place + 1, sizeof *c->buffer))
        return cohort_error_memory("the buffer of a shuffle");
    cohort_status status = cohort_cursor_next(c->unary.input, &element);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    return status == COHORT_OK
               ? cohort_element_retain(&element, c->unary.head.pool, &c->buffer[place])
               : status;
}

/* Moves the last element of the buffer into the place of the one that was given. */
static void close_hole(elements_cursor *c)
{
    if (c->hole < 0)
        return;
    cohort_element_drop(&c->buffer[c->hole]);
    cohort_element_swap(&c->buffer[c->hole], &c->buffer[--c->n]);
    c->hole = -1;
}

/* COHORT_OK: as many as fit, or all that are left. */
static cohort_status fill(elements_cursor *c)
{
    const cohort_shuffle_parameters *p = c->unary.head.dataset->parameters;
    cohort_status status = COHORT_OK;
    c->unary.head.can_go_on = false;
    while (status == COHORT_OK && !c->is_ended && (c->hole >= 0 || c->n < p->elements)) {
        status = keep_next(c, c->hole >= 0 ? c->hole : c->n);
        if (status == COHORT_OK) {
            c->n += c->hole < 0;
            c->hole = -1;
        }
        c->is_ended = status == COHORT_END;
    }
    if (status < 0)
        return status;
    close_hole(c);
    return COHORT_OK;
}

static cohort_status next_shuffled(cohort_cursor *cursor, cohort_element *out)
{
    elements_cursor *c = (elements_cursor *)cursor;
    cohort_status status = fill(c);
    if (status < 0)
        return status;
    if (c->n == 0)
        return COHORT_END;
    c->hole = (int64_t)cohort_random_below(&c->random, (uint64_t)c->n);
    *out = cohort_element_view(&c->buffer[c->hole]);
    return COHORT_OK;
}

static void close_shuffled(cohort_cursor *cursor)
{
    elements_cursor *c = (elements_cursor *)cursor;
    for (size_t i = 0; i < c->capacity; i++)
        cohort_element_fini(&c->buffer[i]);
    cohort_free(c->buffer);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind shuffled = { .next = next_shuffled, .close = close_shuffled };

cohort_status cohort_shuffle_elements_open(const cohort_dataset *dataset, const cohort_opening *how,
                                           cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &shuffled, how, sizeof(elements_cursor), out);
    if (status < 0)
        return status;
    elements_cursor *c = (elements_cursor *)*out;
    c->hole = -1;
    cohort_shuffle_seed(dataset, how, &c->random);
    return COHORT_OK;
}
