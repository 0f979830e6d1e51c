/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that stay in memory once an iteration has read all of them.
 *
 * Every iteration that begins before that reads the input and takes down what it gets; the first
 * that comes to the end leaves its list to the dataset. The input is always opened as in a first
 * iteration (salt 0): what an iteration gives must not depend on which of them was the first to
 * end, or on whether a position was restored before the list was whole. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <pthread.h>

/* Elements in order. */
typedef struct list {
    cohort_retained *elements;
    size_t capacity, n;
} list;

typedef struct store {
    pthread_mutex_t lock; /* for filling */
    atomic_bool is_full;  /* from then on nothing changes */
    list all;
} store;

typedef struct cache_cursor {
    cohort_cursor head;
    cohort_cursor *input; /* NULL: the store is full, and is read */
    size_t next;          /* in the store */
    bool is_recording;
    list mine; /* all elements so far */
} cache_cursor;

/* ------------------------------------------------------------------ the store */

static void empty(list *l)
{
    for (size_t i = 0; i < l->n; i++)
        cohort_element_fini(&l->elements[i]);
    cohort_free(l->elements);
    *l = (list){ 0 };
}

static void *make_store(void)
{
    store *s = cohort_allocate(1, sizeof *s);
    if (s != NULL)
        (void)pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void free_store(void *memory)
{
    store *s = memory;
    empty(&s->all);
    (void)pthread_mutex_destroy(&s->lock);
    cohort_free(s);
}

/* Acquire: whoever sees the flag sees the whole list, and reads it without the lock from then
 * on. */
static bool is_full(const store *s)
{
    return atomic_load_explicit(&s->is_full, memory_order_acquire);
}

/* The first of several iterations that come to the end leaves its list; the others drop theirs. */
static void fill(store *s, list *l)
{
    (void)pthread_mutex_lock(&s->lock);
    if (!is_full(s)) {
        s->all = *l;
        *l = (list){ 0 };
        atomic_store_explicit(&s->is_full, true, memory_order_release);
    }
    (void)pthread_mutex_unlock(&s->lock);
}

/* ------------------------------------------------------------------ reading */

static void stop_recording(cache_cursor *c)
{
    c->is_recording = false;
    empty(&c->mine);
}

/* Without memory for it the element is given all the same, and this iteration keeps nothing. */
static void record(cache_cursor *c, cohort_element *element)
{
    list *l = &c->mine;
    if (!cohort_grow((void **)&l->elements, &l->capacity, l->n + 1, sizeof *l->elements) ||
        cohort_element_retain(element, c->head.pool, &l->elements[l->n]) < 0) {
        l->n += l->n < l->capacity; /* its list of parts may be there */
        stop_recording(c);
        return;
    }
    *element = cohort_element_view(&l->elements[l->n++]);
}

static cohort_status next_of_input(cache_cursor *c, cohort_element *out)
{
    store *s = c->head.dataset->store;
    cohort_status status = cohort_cursor_next(c->input, out);
    c->head.can_go_on = c->input->can_go_on;
    if (!c->is_recording)
        return status;
    if (status == COHORT_END)
        fill(s, &c->mine);
    if (status != COHORT_OK || is_full(s))
        stop_recording(c); /* an iteration with an error is not kept either */
    else
        record(c, out);
    return status;
}

static cohort_status next_cached(cohort_cursor *cursor, cohort_element *out)
{
    cache_cursor *c = (cache_cursor *)cursor;
    const store *s = cursor->dataset->store;
    if (c->input != NULL)
        return next_of_input(c, out);
    if (c->next == s->all.n)
        return COHORT_END;
    *out = cohort_element_view(&s->all.elements[c->next++]);
    return COHORT_OK;
}

/* While the store is not full, what is passed over belongs into it. */
static cohort_status skip_cached(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    cache_cursor *c = (cache_cursor *)cursor;
    const store *s = cursor->dataset->store;
    cohort_element element;
    cohort_status status = COHORT_OK;
    *out_passed = 0;
    if (c->input == NULL) {
        size_t left = s->all.n - c->next;
        *out_passed = (uint64_t)n < left ? n : (int64_t)left;
        c->next += (size_t)*out_passed;
        return COHORT_OK;
    }
    while (c->is_recording && *out_passed < n && (status = next_of_input(c, &element)) == COHORT_OK)
        ++*out_passed;
    if (status == COHORT_OK && *out_passed < n) {
        int64_t passed;
        status = cohort_cursor_skip(c->input, n - *out_passed, &passed);
        cursor->can_go_on = c->input->can_go_on;
        *out_passed += passed;
    }
    return status == COHORT_END ? COHORT_OK : status;
}

/* ------------------------------------------------------------------ open and close */

static void close_cached(cohort_cursor *cursor)
{
    cache_cursor *c = (cache_cursor *)cursor;
    cohort_cursor_close(c->input);
    empty(&c->mine);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind cached_cursor = { .next = next_cached,
                                                  .close = close_cached,
                                                  .skip = skip_cached };

static cohort_status open_cache(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    cache_cursor *c = cohort_cursor_allocate(dataset, &cached_cursor, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    *out = &c->head;
    if (is_full(dataset->store))
        return COHORT_OK;
    c->is_recording = dataset->cardinality != COHORT_INFINITE;
    cohort_status status =
        cohort_cursor_open(dataset->inputs[0], &(cohort_opening){ .pool = how->pool }, &c->input);
    if (status < 0) {
        *out = NULL;
        close_cached(&c->head);
    }
    return status;
}

static const cohort_dataset_kind cache_kind = { .name = "cache",
                                                .open = open_cache,
                                                .make_store = make_store,
                                                .free_store = free_store,
                                                .is_by_one = true,
                                                .keeps_elements = true };

cohort_dataset *cohort_dataset_cache(cohort_dataset *dataset)
{
    cohort_dataset_builder node = { .kind = &cache_kind, .inputs = &dataset, .n_inputs = 1 };
    return cohort_dataset_builder_begin(&node, "cohort_dataset_cache")
               ? cohort_dataset_builder_make(&node)
               : NULL;
}
