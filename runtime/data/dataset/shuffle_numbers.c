/* SPDX-License-Identifier: BSD-3-Clause */
/* Shuffling what can be had in any order: the buffer holds numbers of elements. They are drawn some
 * at a time, so that the machine can be told to fetch rows before they are copied. */
#include "config.h"

#include "runtime/data/dataset/shuffle.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

enum {
    DRAWN = 64, /* at a time */
    AHEAD = 6,  /* rows fetched before they are copied */
    LINE = 64,  /* bytes */
    /* bytes of a row at most: the rest follows by itself, and more at once is slower (measured) */
    FETCHED = 512
};

typedef struct numbers_cursor {
    cohort_unary_cursor unary;
    cohort_random random;
    int64_t *buffer;      /* [room] */
    int64_t n, next;      /* in the buffer; the first that was not in it yet */
    int64_t drawn[DRAWN]; /* those from at_drawn on are next */
    int32_t n_drawn, at_drawn;
    const char **places; /* [components][DRAWN]: where their rows lie */
} numbers_cursor;

static int64_t count_of(const numbers_cursor *c)
{
    return c->unary.head.dataset->cardinality;
}

/* The next number of the order; n > 0. */
/* As in shuffle_elements.c: the next of the input takes the place of the one drawn, and behind
 * the last one the last of the buffer does. */
static int64_t draw(numbers_cursor *c)
{
    uint64_t place = cohort_random_below(&c->random, (uint64_t)c->n);
    int64_t number = c->buffer[place];
    c->buffer[place] = c->next < count_of(c) ? c->next++ : c->buffer[--c->n];
    return number;
}

/* Numbers that are next, up to so many; 0: none are left. */
static int32_t draw_some(numbers_cursor *c, int64_t wanted)
{
    if (c->at_drawn == c->n_drawn)
        for (c->at_drawn = c->n_drawn = 0; c->n_drawn < DRAWN && c->n_drawn < wanted && c->n > 0;)
            c->drawn[c->n_drawn++] = draw(c);
    int32_t there = c->n_drawn - c->at_drawn;
    return there < wanted ? there : (int32_t)wanted;
}

static cohort_status next_drawn(cohort_cursor *cursor, cohort_element *out)
{
    numbers_cursor *c = (numbers_cursor *)cursor;
    if (draw_some(c, 1) == 0)
        return COHORT_END;
    cohort_status status = cohort_cursor_at(c->unary.input, c->drawn[c->at_drawn], out);
    (void)cohort_cursor_pass(cursor, c->unary.input, status);
    /* an error that may pass is met again: the number is not lost */
    c->at_drawn += status == COHORT_OK || cursor->can_go_on;
    return status;
}

static cohort_status skip_drawn(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    numbers_cursor *c = (numbers_cursor *)cursor;
    int64_t drawn = c->n_drawn - c->at_drawn, left = drawn + c->n + count_of(c) - c->next;
    if (n >= left) {
        *out_passed = left;
        c->at_drawn = c->n_drawn = 0;
        c->n = 0;
        c->next = count_of(c);
        return COHORT_OK;
    }
    *out_passed = n;
    c->at_drawn += (int32_t)(n < drawn ? n : drawn);
    for (int64_t i = drawn; i < n; i++)
        (void)draw(c);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ gathering */

static size_t row_bytes(const numbers_cursor *c, int32_t k)
{
    size_t bytes = 0;
    (void)cohort_spec_bytes(&c->unary.head.dataset->specs[k], &bytes);
    return bytes;
}

static void fetch(const char *row, size_t bytes)
{
    for (size_t i = 0; i < bytes && i < FETCHED; i += LINE)
        __builtin_prefetch(row + i, 0, 3);
}

static void gather(char *to, const char *const places[], int32_t n, size_t bytes)
{
    for (int32_t i = 0; i < n && i < AHEAD; i++)
        fetch(places[i], bytes);
    for (int32_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            fetch(places[i + AHEAD], bytes);
        if (bytes > 0)
            memcpy(to + (size_t)i * bytes, places[i], bytes);
    }
}

/* Where the rows of the next `wanted` numbers lie; *out_n < wanted at an error. */
static cohort_status find_places(numbers_cursor *c, int32_t wanted, int32_t *out_n)
{
    int32_t components = c->unary.head.dataset->n_components;
    cohort_element element;
    for (*out_n = 0; *out_n < wanted; ++*out_n) {
        cohort_status status = next_drawn(&c->unary.head, &element);
        if (status != COHORT_OK)
            return status;
        for (int32_t k = 0; k < components; k++)
            c->places[k * DRAWN + *out_n] = element.parts[k].data;
    }
    return COHORT_OK;
}

static cohort_status copy_lasting(numbers_cursor *c, int32_t wanted, void *const into[],
                                  int32_t *out_n)
{
    cohort_status status = find_places(c, wanted, out_n);
    for (int32_t k = 0; k < c->unary.head.dataset->n_components; k++)
        gather(into[k], c->places + k * DRAWN, *out_n, row_bytes(c, k));
    return status;
}

static cohort_status copy_fleeting(numbers_cursor *c, int32_t wanted, void *const into[],
                                   int32_t *out_n)
{
    cohort_element element;
    for (*out_n = 0; *out_n < wanted; ++*out_n) {
        cohort_status status = next_drawn(&c->unary.head, &element);
        if (status != COHORT_OK)
            return status;
        for (int32_t k = 0; k < element.n; k++) {
            size_t bytes = row_bytes(c, k);
            if (bytes > 0)
                memcpy((char *)into[k] + (size_t)*out_n * bytes, element.parts[k].data, bytes);
        }
    }
    return COHORT_OK;
}

static cohort_status copy_drawn(cohort_cursor *cursor, int64_t n, void *const into[],
                                int64_t *out_rows)
{
    numbers_cursor *c = (numbers_cursor *)cursor;
    void *moved[COHORT_LIMIT_COMPONENTS];
    cohort_status status = COHORT_OK;
    while (status == COHORT_OK && *out_rows < n) {
        int32_t wanted = draw_some(c, n - *out_rows), got = 0;
        if (wanted == 0)
            return COHORT_OK;
        cohort_cursor_advance(cursor->dataset, into, *out_rows, moved);
        status = c->places != NULL ? copy_lasting(c, wanted, moved, &got)
                                   : copy_fleeting(c, wanted, moved, &got);
        *out_rows += got;
    }
    return status;
}

/* ------------------------------------------------------------------ opening */

static void close_drawn(cohort_cursor *cursor)
{
    numbers_cursor *c = (numbers_cursor *)cursor;
    cohort_free(c->buffer);
    cohort_free(c->places);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind numbers = {
    .next = next_drawn, .close = close_drawn, .skip = skip_drawn, .copy = copy_drawn
};

cohort_status cohort_shuffle_numbers_open(const cohort_dataset *dataset, const cohort_opening *how,
                                          cohort_cursor **out)
{
    const cohort_shuffle_parameters *p = dataset->parameters;
    int64_t room = p->elements < dataset->cardinality ? p->elements : dataset->cardinality;
    cohort_status status =
        cohort_cursor_open_unary(dataset, &numbers, how, sizeof(numbers_cursor), out);
    if (status < 0)
        return status;
    numbers_cursor *c = (numbers_cursor *)*out;
    bool is_lasting = dataset->inputs[0]->is_lasting;
    c->buffer = cohort_allocate((size_t)room, sizeof *c->buffer);
    c->places =
        is_lasting ? cohort_allocate((size_t)dataset->n_components * DRAWN, sizeof(char *)) : NULL;
    if (c->buffer == NULL || (is_lasting && c->places == NULL)) {
        close_drawn(*out);
        *out = NULL;
        return cohort_error_memory(p->is_once ? "cohort_dataset_shuffle_once"
                                              : "cohort_dataset_shuffle");
    }
    for (; c->n < room; c->n++)
        c->buffer[c->n] = c->n;
    c->next = c->n;
    cohort_shuffle_seed(dataset, how, &c->random);
    return COHORT_OK;
}
