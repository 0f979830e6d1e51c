/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of elements as elements: views into the input's element, which is there until the next
 * one is read, so nothing is copied. After batch this gives the elements before it, after
 * another size of batch it divides anew. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

typedef struct unbatch_cursor {
    cohort_unary_cursor unary;
    cohort_element batch; /* the input's latest; its rows from `row` on are left */
    int64_t row, rows;
    cohort_array *parts;   /* [components]: one row */
    cohort_array *stacked; /* [components]: some */
} unbatch_cursor;

/* How many rows each element of the input has; -1: that differs, or nobody knows. */
static int64_t rows_of_each(const cohort_dataset *input)
{
    for (int32_t k = 1; k < input->n_components; k++)
        if (input->specs[k].shape[0] != input->specs[0].shape[0])
            return -1;
    /* may be -1 itself */
    return input->specs[0].shape[0];
}

/* ------------------------------------------------------------------ reading */

static cohort_status check_rows(unbatch_cursor *c)
{
    const cohort_array *parts = c->batch.parts;
    for (int32_t k = 1; k < c->batch.n; k++)
        if (parts[k].shape[0] != parts[0].shape[0]) {
            c->unary.head.can_go_on = true; /* without this one */
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_dataset_unbatch: component 0 of an element has %lld rows, component %d "
                "has %lld; expected the same number in all",
                (long long)parts[0].shape[0], k, (long long)parts[k].shape[0]);
        }
    return COHORT_OK;
}

static void begin_batch(unbatch_cursor *c)
{
    for (int32_t k = 0; k < c->batch.n; k++) {
        const cohort_array *from = &c->batch.parts[k];
        c->stacked[k] = c->parts[k] = *from;
        c->parts[k].rank = from->rank - 1;
        memmove(c->parts[k].shape, c->parts[k].shape + 1,
                sizeof from->shape - sizeof from->shape[0]);
    }
    c->row = 0;
    c->rows = c->batch.parts[0].shape[0];
}

/* COHORT_OK: there is a row. */
static cohort_status have_row(unbatch_cursor *c)
{
    while (c->row == c->rows) {
        cohort_status status = cohort_cursor_next(c->unary.input, &c->batch);
        (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
        if (status == COHORT_OK)
            status = check_rows(c);
        if (status != COHORT_OK)
            return status;
        begin_batch(c);
    }
    return COHORT_OK;
}

/* In the input's element: rows of one component lie one behind the other. */
static char *place_of(const unbatch_cursor *c, int32_t k)
{
    return (char *)c->stacked[k].data + (size_t)c->row * cohort_part_bytes(&c->parts[k]);
}

static int64_t at_most(const unbatch_cursor *c, int64_t n)
{
    return n < c->rows - c->row ? n : c->rows - c->row;
}

static cohort_status next_row(cohort_cursor *cursor, cohort_element *out)
{
    unbatch_cursor *c = (unbatch_cursor *)cursor;
    cohort_status status = have_row(c);
    if (status != COHORT_OK)
        return status;
    for (int32_t k = 0; k < c->batch.n; k++)
        c->parts[k].data = place_of(c, k);
    c->row++;
    *out = c->batch;
    out->parts = c->parts;
    return COHORT_OK;
}

/* Whole elements of the input at once, where it is known how many rows each has. */
static cohort_status skip_whole(unbatch_cursor *c, int64_t n, int64_t *out_passed)
{
    int64_t each = rows_of_each(c->unary.head.dataset->inputs[0]), passed = 0;
    if (each <= 0 || c->row < c->rows || n < each)
        return COHORT_OK;
    cohort_status status = cohort_cursor_skip(c->unary.input, n / each, &passed);
    *out_passed += passed * each;
    return cohort_cursor_pass(&c->unary.head, c->unary.input, status);
}

static cohort_status skip_rows(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    unbatch_cursor *c = (unbatch_cursor *)cursor;
    cohort_status status = COHORT_OK;
    while (status == COHORT_OK && *out_passed < n) {
        status = skip_whole(c, n - *out_passed, out_passed);
        if (status == COHORT_OK && *out_passed < n)
            status = have_row(c);
        if (status != COHORT_OK)
            break;
        int64_t rows = at_most(c, n - *out_passed);
        c->row += rows;
        *out_passed += rows;
    }
    return status < 0 ? status : COHORT_OK;
}

/* The rows that are left of one element of the input, when their memory lasts. */
static cohort_status lend_rows(cohort_cursor *cursor, int64_t n, cohort_element *out,
                               int64_t *out_rows)
{
    unbatch_cursor *c = (unbatch_cursor *)cursor;
    if (!cursor->dataset->is_lasting)
        return COHORT_OK;
    cohort_status status = have_row(c);
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    *out_rows = at_most(c, n);
    *out = (cohort_element){ .parts = c->parts + c->batch.n, .n = c->batch.n, .is_lasting = true };
    for (int32_t k = 0; k < c->batch.n; k++) {
        c->parts[c->batch.n + k] = c->stacked[k];
        c->parts[c->batch.n + k].shape[0] = *out_rows;
        c->parts[c->batch.n + k].data = place_of(c, k);
    }
    c->row += *out_rows;
    return COHORT_OK;
}

/* As cursor.c does: what is copied must have the length of the row that the caller has room for. */
static cohort_status check_row(const unbatch_cursor *c)
{
    const cohort_dataset *d = c->unary.head.dataset;
    for (int32_t k = 0; k < d->n_components; k++)
        if (memcmp(c->parts[k].shape, d->specs[k].shape,
                   (size_t)d->specs[k].rank * sizeof(int64_t)) != 0)
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_dataset_unbatch: component %d of an element has another shape than its "
                "spec says",
                k);
    return COHORT_OK;
}

static cohort_status copy_rows(cohort_cursor *cursor, int64_t n, void *const into[],
                               int64_t *out_rows)
{
    unbatch_cursor *c = (unbatch_cursor *)cursor;
    cohort_status status = COHORT_OK;
    while (*out_rows < n && (status = have_row(c)) == COHORT_OK &&
           (status = check_row(c)) == COHORT_OK) {
        int64_t rows = at_most(c, n - *out_rows);
        for (int32_t k = 0; k < c->batch.n; k++) {
            size_t bytes = cohort_part_bytes(&c->parts[k]);
            if (bytes > 0)
                memcpy((char *)into[k] + (size_t)*out_rows * bytes, place_of(c, k),
                       (size_t)rows * bytes);
        }
        c->row += rows;
        *out_rows += rows;
    }
    return status < 0 ? status : COHORT_OK;
}

/* ------------------------------------------------------------------ opening */

static void close_unbatch(cohort_cursor *cursor)
{
    unbatch_cursor *c = (unbatch_cursor *)cursor;
    cohort_free(c->parts);
    cohort_free(c->stacked);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind rows_of_elements = { .next = next_row,
                                                     .close = close_unbatch,
                                                     .skip = skip_rows,
                                                     .lend = lend_rows,
                                                     .copy = copy_rows };

static cohort_status open_unbatch(const cohort_dataset *dataset, const cohort_opening *how,
                                  cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &rows_of_elements, how, sizeof(unbatch_cursor), out);
    if (status < 0)
        return status;
    unbatch_cursor *c = (unbatch_cursor *)*out;
    c->parts = cohort_allocate(2 * (size_t)dataset->n_components, sizeof *c->parts);
    c->stacked = cohort_allocate((size_t)dataset->n_components, sizeof *c->stacked);
    if (c->parts == NULL || c->stacked == NULL) {
        close_unbatch(*out);
        *out = NULL;
        return cohort_error_memory("cohort_dataset_unbatch");
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

static void derive_unbatch(cohort_dataset *dataset)
{
    const cohort_dataset *input = dataset->inputs[0];
    int64_t each = rows_of_each(input);
    if (input->cardinality != 0)
        dataset->cardinality =
            each < 0 ? COHORT_UNKNOWN
                     : cohort_cardinality_times(each == 0 ? 0 : input->cardinality, each);
    dataset->batch_rows = 0;
    dataset->is_lasting = input->is_lasting;
}

static const cohort_dataset_kind unbatch = { .name = "unbatch",
                                             .derive = derive_unbatch,
                                             .open = open_unbatch };

cohort_dataset *cohort_dataset_unbatch(cohort_dataset *dataset)
{
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    cohort_dataset_builder node = {
        .kind = &unbatch, .inputs = &dataset, .n_inputs = 1, .specs = specs
    };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_unbatch"))
        return NULL;
    node.n_components = cohort_dataset_element_spec(dataset, specs, COHORT_LIMIT_COMPONENTS);
    for (int32_t k = 0; k < node.n_components; k++) {
        int64_t rows = specs[k].rank > 0 ? specs[k].shape[0] : -1,
                others = dataset->specs[0].shape[0];
        if (specs[k].rank == 0)
            return cohort_dataset_builder_refuse(
                &node, COHORT_EINVAL,
                "cohort_dataset_unbatch: component %d has rank 0, and no rows; expected elements "
                "of cohort_dataset_batch, or arrays",
                k);
        if (rows >= 0 && others >= 0 && rows != others)
            return cohort_dataset_builder_refuse(
                &node, COHORT_EINVAL,
                "cohort_dataset_unbatch: component 0 has %lld rows, component %d has %lld; "
                "expected the same number in all",
                (long long)others, k, (long long)rows);
        specs[k].rank--;
        memmove(specs[k].shape, specs[k].shape + 1,
                sizeof specs[k].shape - sizeof specs[k].shape[0]);
        specs[k].shape[COHORT_MAX_RANK - 1] = 0;
    }
    return cohort_dataset_builder_make(&node);
}
