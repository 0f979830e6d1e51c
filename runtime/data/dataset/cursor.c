/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that a kind has not are done here by those that it must have: skip and copy by next.
 * So a new kind is whole with two functions, and every caller may use all operations. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/random.h"

#include <string.h>

static uint64_t salt_of(uint64_t salt, uint64_t n)
{
    return n == 0 ? salt : cohort_random_mix(salt + n * UINT64_C(0x9e3779b97f4a7c15));
}

/* The level keeps nested repetitions apart: without it the second repetition inside the first
 * outer one would have the salt of the first inside the second. */
cohort_opening cohort_opening_nth(const cohort_opening *how, uint64_t n)
{
    uint64_t level = how->level + 1;
    return (cohort_opening){ .pool = how->pool,
                             .salt = n == 0 ? how->salt : salt_of(how->salt, n ^ (level << 48)),
                             .level = level };
}

cohort_status cohort_cursor_open(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    *out = NULL;
    return dataset->kind->open(dataset, how, out);
}

void cohort_cursor_close(cohort_cursor *cursor)
{
    if (cursor != NULL)
        cursor->kind->close(cursor);
}

void *cohort_cursor_allocate(const cohort_dataset *dataset, const cohort_cursor_kind *kind,
                             const cohort_opening *how, size_t bytes)
{
    cohort_cursor *cursor = cohort_allocate(1, bytes);
    cohort_pool *pool = how->pool != NULL ? cohort_pool_share(how->pool) : cohort_pool_create();
    if (cursor == NULL || pool == NULL) {
        cohort_free(cursor);
        cohort_pool_release(pool);
        (void)cohort_error_memory(dataset->kind->name);
        return NULL;
    }
    cursor->pool = pool;
    cursor->kind = kind;
    cursor->dataset = cohort_dataset_retain(cohort_memory_own(dataset));
    return cursor;
}

void cohort_cursor_free(cohort_cursor *cursor)
{
    cohort_dataset *dataset = cohort_memory_own(cursor->dataset);
    cohort_pool_release(cursor->pool);
    cohort_free(cursor);
    cohort_dataset_release(dataset);
}

cohort_status cohort_cursor_next(cohort_cursor *cursor, cohort_element *out)
{
    return cursor->kind->next(cursor, out);
}

cohort_status cohort_cursor_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    return cursor->kind->at(cursor, index, out);
}

cohort_status cohort_cursor_skip(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    cohort_element element;
    cohort_status status = COHORT_OK;
    *out_passed = 0;
    if (cursor->kind->skip != NULL)
        return cursor->kind->skip(cursor, n, out_passed);
    while (*out_passed < n && (status = cohort_cursor_next(cursor, &element)) == COHORT_OK)
        ++*out_passed;
    return status == COHORT_END ? COHORT_OK : status;
}

cohort_status cohort_cursor_lend(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                 int64_t *out_rows)
{
    *out_rows = 0;
    return cursor->kind->lend != NULL ? cursor->kind->lend(cursor, n, out, out_rows) : COHORT_OK;
}

/* A spec is what the dataset promises; where elements come from a file or a callback, only looking
 * tells whether the promise holds, and a copy of another length would write past its row. */
static cohort_status check_shapes(const cohort_dataset *dataset, const cohort_element *element)
{
    for (int32_t k = 0; k < element->n; k++)
        if (memcmp(element->parts[k].shape, dataset->specs[k].shape,
                   (size_t)dataset->specs[k].rank * sizeof(int64_t)) != 0)
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_dataset_%s: an element whose component %d has another shape "
                "than its spec says",
                dataset->kind->name, k);
    return COHORT_OK;
}

cohort_status cohort_cursor_copy(cohort_cursor *cursor, int64_t n, void *const into[],
                                 int64_t *out_rows)
{
    cohort_element element;
    *out_rows = 0;
    if (cursor->kind->copy != NULL)
        return cursor->kind->copy(cursor, n, into, out_rows);
    while (*out_rows < n) {
        cohort_status status = cohort_cursor_next(cursor, &element);
        if (status == COHORT_OK)
            status = check_shapes(cursor->dataset, &element);
        if (status != COHORT_OK)
            return status == COHORT_END ? COHORT_OK : status;
        for (int32_t k = 0; k < element.n; k++) {
            size_t bytes = cohort_part_bytes(&element.parts[k]);
            if (bytes > 0)
                memcpy((char *)into[k] + (size_t)*out_rows * bytes, element.parts[k].data, bytes);
        }
        ++*out_rows;
    }
    return COHORT_OK;
}

/* ---- Unary transformations */

cohort_status cohort_cursor_open_unary(const cohort_dataset *dataset,
                                       const cohort_cursor_kind *kind, const cohort_opening *how,
                                       size_t bytes, cohort_cursor **out)
{
    cohort_unary_cursor *c = cohort_cursor_allocate(dataset, kind, how, bytes);
    *out = NULL;
    if (c == NULL)
        return COHORT_ENOMEM;
    cohort_status status = cohort_cursor_open(dataset->inputs[0], how, &c->input);
    if (status < 0) {
        cohort_cursor_free(&c->head);
        return status;
    }
    *out = &c->head;
    return COHORT_OK;
}

void cohort_cursor_close_unary(cohort_cursor *cursor)
{
    cohort_cursor_close(((cohort_unary_cursor *)cursor)->input);
    cohort_cursor_free(cursor);
}

cohort_status cohort_cursor_pass(cohort_cursor *cursor, const cohort_cursor *input,
                                 cohort_status status)
{
    cursor->can_go_on = status < 0 && input->can_go_on;
    return status;
}

void cohort_cursor_advance(const cohort_dataset *dataset, void *const into[], int64_t rows,
                           void *moved[])
{
    for (int32_t k = 0; k < dataset->n_components; k++) {
        size_t bytes = 0;
        (void)cohort_spec_bytes(&dataset->specs[k], &bytes);
        moved[k] = (char *)into[k] + (size_t)rows * bytes;
    }
}
