/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of several datasets side by side, as many as the shortest has. Components side by side
 * stay together: every operation moves all inputs by the same number, and an error of one costs the
 * whole row. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

typedef struct zip_cursor {
    cohort_cursor head;
    cohort_cursor **inputs;  /* [n_inputs] */
    cohort_element *columns; /* [n_inputs]: what each gave */
    cohort_array *parts;     /* [components] */
} zip_cursor;

/* ------------------------------------------------------------------ reading */

/* Makes one element of what all inputs gave. It is held by a block when all of it that does not
 * last is in the same block. */
static void join(zip_cursor *c, cohort_element *out)
{
    int32_t at = 0;
    cohort_block *block = NULL;
    bool is_held = true;
    for (int32_t i = 0; i < c->head.dataset->n_inputs; i++) {
        const cohort_element *e = &c->columns[i];
        memcpy(c->parts + at, e->parts, (size_t)e->n * sizeof *c->parts);
        at += e->n;
        if (e->block == NULL ? !e->is_lasting : block != NULL && block != e->block)
            is_held = false;
        block = block == NULL ? e->block : block;
    }
    *out = (cohort_element){ .parts = c->parts, .n = at };
    out->block = is_held ? block : NULL;
    out->is_lasting = is_held && block == NULL;
}

/* A row of which one element is an error is left out whole: the other inputs pass over theirs, so
 * that what stands side by side stays together. The first error is the one that is told. */
static cohort_status next_zipped(cohort_cursor *cursor, cohort_element *out)
{
    zip_cursor *c = (zip_cursor *)cursor;
    cohort_status status = COHORT_OK;
    char text[COHORT_ERROR_BYTES];
    cursor->can_go_on = false;
    for (int32_t i = 0; i < cursor->dataset->n_inputs && status != COHORT_END; i++) {
        cohort_status one = cohort_cursor_next(c->inputs[i], &c->columns[i]);
        if (one < 0 && status == COHORT_OK) {
            cursor->can_go_on = c->inputs[i]->can_go_on;
            (void)snprintf(text, sizeof text, "%s", cohort_error_slot());
        }
        if (status == COHORT_OK)
            status = one;
        if (status < 0 && !cursor->can_go_on)
            break;
    }
    if (status < 0)
        return cohort_error_set(status, "%s", text);
    if (status == COHORT_OK)
        join(c, out);
    return status;
}

static cohort_status zipped_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    zip_cursor *c = (zip_cursor *)cursor;
    for (int32_t i = 0; i < cursor->dataset->n_inputs; i++) {
        cohort_status status = cohort_cursor_at(c->inputs[i], index, &c->columns[i]);
        if (status < 0)
            return cohort_cursor_pass(cursor, c->inputs[i], status);
    }
    join(c, out);
    return COHORT_OK;
}

/* An indexed input has no errors on its way; else an error of one input would leave the others
 * behind it. */
static cohort_status skip_zipped(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    zip_cursor *c = (zip_cursor *)cursor;
    cohort_element element;
    cohort_status status = COHORT_OK;
    if (!cursor->dataset->is_indexed) {
        while (*out_passed < n && (status = next_zipped(cursor, &element)) == COHORT_OK)
            ++*out_passed;
        return status == COHORT_END ? COHORT_OK : status;
    }
    *out_passed = n;
    for (int32_t i = 0; i < cursor->dataset->n_inputs; i++) {
        int64_t passed = 0;
        status = cohort_cursor_skip(c->inputs[i], *out_passed, &passed);
        if (status < 0)
            return cohort_cursor_pass(cursor, c->inputs[i], status);
        *out_passed = passed;
    }
    return COHORT_OK;
}

/* Where all inputs lend what is asked for, less is the end; and the end of one is the end of
 * all. */
static cohort_status lend_zipped(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                 int64_t *out_rows)
{
    zip_cursor *c = (zip_cursor *)cursor;
    int64_t rows = n;
    if (!cursor->dataset->is_lent)
        return COHORT_OK;
    for (int32_t i = 0; i < cursor->dataset->n_inputs && rows > 0; i++) {
        int64_t got = 0;
        cohort_status status = cohort_cursor_lend(c->inputs[i], rows, &c->columns[i], &got);
        if (status < 0)
            return cohort_cursor_pass(cursor, c->inputs[i], status);
        rows = got;
    }
    if (rows == 0)
        return COHORT_OK;
    join(c, out);
    for (int32_t k = 0; k < out->n; k++)
        c->parts[k].shape[0] = rows;
    *out_rows = rows;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ opening */

static void close_zipped(cohort_cursor *cursor)
{
    zip_cursor *c = (zip_cursor *)cursor;
    for (int32_t i = 0; c->inputs != NULL && i < cursor->dataset->n_inputs; i++)
        cohort_cursor_close(c->inputs[i]);
    cohort_free(c->inputs);
    cohort_free(c->columns);
    cohort_free(c->parts);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind zipped = { .next = next_zipped,
                                           .close = close_zipped,
                                           .skip = skip_zipped,
                                           .at = zipped_at,
                                           .lend = lend_zipped };

static cohort_status open_zip(const cohort_dataset *dataset, const cohort_opening *how,
                              cohort_cursor **out)
{
    size_t n = (size_t)dataset->n_inputs;
    zip_cursor *c = cohort_cursor_allocate(dataset, &zipped, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->inputs = cohort_allocate(n, sizeof(cohort_cursor *));
    c->columns = cohort_allocate(n, sizeof *c->columns);
    c->parts = cohort_allocate((size_t)dataset->n_components, sizeof *c->parts);
    cohort_status status = c->inputs != NULL && c->columns != NULL && c->parts != NULL
                               ? COHORT_OK
                               : cohort_error_memory("cohort_dataset_zip");
    for (size_t i = 0; i < n && status >= 0; i++)
        status = cohort_cursor_open(dataset->inputs[i], how, &c->inputs[i]);
    if (status < 0)
        close_zipped(&c->head);
    else
        *out = &c->head;
    return status;
}

/* ------------------------------------------------------------------ making */

/* The end of any input ends the zip: none at all before unknown, and a known number before one
 * without an end. */
static int64_t shorter(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    if (a == COHORT_INFINITE || b == COHORT_INFINITE)
        return a == COHORT_INFINITE ? b : a;
    if (a == COHORT_UNKNOWN || b == COHORT_UNKNOWN)
        return COHORT_UNKNOWN;
    return a < b ? a : b;
}

static void derive_zip(cohort_dataset *dataset)
{
    dataset->is_indexed = dataset->is_lasting = dataset->is_lent = true;
    for (int32_t i = 0; i < dataset->n_inputs; i++) {
        const cohort_dataset *input = dataset->inputs[i];
        dataset->cardinality = shorter(dataset->cardinality, input->cardinality);
        dataset->is_indexed = dataset->is_indexed && input->is_indexed;
        dataset->is_lasting = dataset->is_lasting && input->is_lasting;
        dataset->is_lent = dataset->is_lent && input->is_lent;
    }
    dataset->batch_rows = cohort_dataset_common_batch_rows(dataset);
}

static const cohort_dataset_kind zip = { .name = "zip", .derive = derive_zip, .open = open_zip };

cohort_dataset *cohort_dataset_zip(cohort_dataset *const datasets[], int n)
{
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    cohort_dataset_builder node = {
        .kind = &zip, .inputs = datasets, .n_inputs = n, .specs = specs
    };
    if (!cohort_dataset_builder_begin_list(&node, "cohort_dataset_zip"))
        return NULL;
    for (int i = 0; i < n; i++) {
        const cohort_dataset *d = datasets[i];
        if (d->n_components > COHORT_LIMIT_COMPONENTS - node.n_components)
            return cohort_dataset_builder_refuse(
                &node, COHORT_EINVAL,
                "cohort_dataset_zip: %d components with dataset %d; up to %d are possible",
                node.n_components + d->n_components, i, COHORT_LIMIT_COMPONENTS);
        memcpy(specs + node.n_components, d->specs, (size_t)d->n_components * sizeof *specs);
        node.n_components += d->n_components;
    }
    return cohort_dataset_builder_make(&node);
}
