/* SPDX-License-Identifier: BSD-3-Clause */
/* One dataset after the other. Each is opened when its turn comes and closed at its end, so that
 * a thousand files do not take a thousand descriptors; only `at` leaves those open that it has
 * needed. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

typedef struct concatenate_cursor {
    cohort_cursor head;
    cohort_opening how;
    cohort_cursor **inputs; /* [n_inputs]; NULL: not open */
    int32_t turn;           /* n_inputs: the end */
} concatenate_cursor;

/* ------------------------------------------------------------------ turns */

/* Each has a salt of its own: the same dataset twice gives two orders. */
static cohort_status open_input(concatenate_cursor *c, int32_t i)
{
    cohort_opening how = cohort_opening_nth(&c->how, (uint64_t)i);
    c->head.can_go_on = false;
    return c->inputs[i] != NULL
               ? COHORT_OK
               : cohort_cursor_open(c->head.dataset->inputs[i], &how, &c->inputs[i]);
}

/* COHORT_OK: *out is the input whose turn it is; COHORT_END: none. */
static cohort_status present(concatenate_cursor *c, cohort_cursor **out)
{
    if (c->turn == c->head.dataset->n_inputs)
        return COHORT_END;
    cohort_status status = open_input(c, c->turn);
    *out = c->inputs[c->turn];
    return status;
}

static void end_turn(concatenate_cursor *c)
{
    cohort_cursor_close(c->inputs[c->turn]);
    c->inputs[c->turn++] = NULL;
}

static cohort_status next_in_turn(cohort_cursor *cursor, cohort_element *out)
{
    concatenate_cursor *c = (concatenate_cursor *)cursor;
    cohort_cursor *input = NULL;
    cohort_status status;
    while ((status = present(c, &input)) == COHORT_OK) {
        status = cohort_cursor_pass(cursor, input, cohort_cursor_next(input, out));
        if (status != COHORT_END)
            return status;
        end_turn(c);
    }
    return status;
}

/* Datasets that are passed over whole are not opened. */
static int64_t pass_whole(concatenate_cursor *c, int64_t n)
{
    int64_t passed = 0;
    const cohort_dataset *d = c->head.dataset;
    while (c->turn < d->n_inputs && c->inputs[c->turn] == NULL &&
           d->inputs[c->turn]->cardinality >= 0 && d->inputs[c->turn]->cardinality <= n - passed)
        passed += d->inputs[c->turn++]->cardinality;
    return passed;
}

static cohort_status skip_in_turn(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    concatenate_cursor *c = (concatenate_cursor *)cursor;
    cohort_cursor *input = NULL;
    cohort_status status = COHORT_OK;
    *out_passed = pass_whole(c, n);
    while (*out_passed < n && (status = present(c, &input)) == COHORT_OK) {
        int64_t wanted = n - *out_passed, passed = 0;
        status = cohort_cursor_skip(input, wanted, &passed);
        *out_passed += passed;
        if (status < 0)
            return cohort_cursor_pass(cursor, input, status);
        /* less than was wanted is the end of an input, which skip promises */
        if (passed < wanted) {
            end_turn(c);
            *out_passed += pass_whole(c, n - *out_passed);
        }
    }
    return status < 0 ? status : COHORT_OK;
}

static cohort_status at_of_all(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    concatenate_cursor *c = (concatenate_cursor *)cursor;
    int32_t i = 0;
    for (; index >= cursor->dataset->inputs[i]->cardinality; i++)
        index -= cursor->dataset->inputs[i]->cardinality;
    cohort_status status = open_input(c, i);
    if (status < 0)
        return status;
    return cohort_cursor_pass(cursor, c->inputs[i], cohort_cursor_at(c->inputs[i], index, out));
}

/* Never across the border of two; who lends nothing though it always does is at its end. */
static cohort_status lend_in_turn(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                  int64_t *out_rows)
{
    concatenate_cursor *c = (concatenate_cursor *)cursor;
    cohort_cursor *input = NULL;
    cohort_status status;
    while ((status = present(c, &input)) == COHORT_OK) {
        status = cohort_cursor_lend(input, n, out, out_rows);
        if (status < 0 || *out_rows > 0 || n == 0 || !input->dataset->is_lent)
            return cohort_cursor_pass(cursor, input, status);
        end_turn(c);
    }
    return status < 0 ? status : COHORT_OK;
}

static cohort_status copy_in_turn(cohort_cursor *cursor, int64_t n, void *const into[],
                                  int64_t *out_rows)
{
    concatenate_cursor *c = (concatenate_cursor *)cursor;
    void *moved[COHORT_LIMIT_COMPONENTS];
    cohort_cursor *input = NULL;
    cohort_status status = COHORT_OK;
    while (*out_rows < n && (status = present(c, &input)) == COHORT_OK) {
        int64_t wanted = n - *out_rows, rows = 0;
        cohort_cursor_advance(cursor->dataset, into, *out_rows, moved);
        status = cohort_cursor_copy(input, wanted, moved, &rows);
        *out_rows += rows;
        if (status < 0)
            return cohort_cursor_pass(cursor, input, status);
        if (rows < wanted)
            end_turn(c);
    }
    return status < 0 ? status : COHORT_OK;
}

/* ------------------------------------------------------------------ opening */

static void close_all(cohort_cursor *cursor)
{
    concatenate_cursor *c = (concatenate_cursor *)cursor;
    for (int32_t i = 0; c->inputs != NULL && i < cursor->dataset->n_inputs; i++)
        cohort_cursor_close(c->inputs[i]);
    cohort_free(c->inputs);
    cohort_cursor_free(cursor);
}

static const cohort_cursor_kind in_turn = { .next = next_in_turn,
                                            .close = close_all,
                                            .skip = skip_in_turn,
                                            .at = at_of_all,
                                            .lend = lend_in_turn,
                                            .copy = copy_in_turn };

static cohort_status open_concatenate(const cohort_dataset *dataset, const cohort_opening *how,
                                      cohort_cursor **out)
{
    concatenate_cursor *c = cohort_cursor_allocate(dataset, &in_turn, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->how = *how;
    c->inputs = cohort_allocate((size_t)dataset->n_inputs, sizeof(cohort_cursor *));
    if (c->inputs == NULL) {
        close_all(&c->head);
        return cohort_error_memory("cohort_dataset_concatenate");
    }
    *out = &c->head;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

static void derive_concatenate(cohort_dataset *dataset)
{
    int64_t all = 0;
    dataset->is_indexed = dataset->is_lasting = true;
    for (int32_t i = 0; i < dataset->n_inputs; i++) {
        const cohort_dataset *input = dataset->inputs[i];
        all = cohort_cardinality_add(all, input->cardinality);
        dataset->is_indexed = dataset->is_indexed && input->is_indexed;
        dataset->is_lasting = dataset->is_lasting && input->is_lasting;
    }
    dataset->cardinality = all;
    dataset->is_indexed = dataset->is_indexed && all >= 0;
    /* what lends never lends less than was asked for before its end, and here each border is
     * such a place */
    dataset->is_lent = dataset->n_inputs == 1 && dataset->inputs[0]->is_lent;
    dataset->batch_rows = cohort_dataset_common_batch_rows(dataset);
}

static const cohort_dataset_kind concatenate = { .name = "concatenate",
                                                 .derive = derive_concatenate,
                                                 .open = open_concatenate };

/* What is known of the elements of both; the component of another dtype or rank, or -1. */
static int32_t agree(cohort_spec specs[], const cohort_dataset *other, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        const cohort_spec *s = &other->specs[k];
        if (s->dtype != specs[k].dtype || s->rank != specs[k].rank)
            return k;
        for (int32_t i = 0; i < s->rank; i++)
            /* an extent that differs is one that elements have, but nobody knows which */
            specs[k].shape[i] = s->shape[i] == specs[k].shape[i] ? s->shape[i] : -1;
    }
    return -1;
}

cohort_dataset *cohort_dataset_concatenate(cohort_dataset *const datasets[], int n)
{
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    cohort_dataset_builder node = {
        .kind = &concatenate, .inputs = datasets, .n_inputs = n, .specs = specs
    };
    if (!cohort_dataset_builder_begin_list(&node, "cohort_dataset_concatenate"))
        return NULL;
    node.n_components = cohort_dataset_element_spec(datasets[0], specs, COHORT_LIMIT_COMPONENTS);
    for (int i = 1; i < n; i++) {
        const cohort_dataset *d = datasets[i];
        if (d->n_components != node.n_components)
            return cohort_dataset_builder_refuse(
                &node, COHORT_EINVAL,
                "cohort_dataset_concatenate: dataset %d has %d components, dataset 0 has %d; "
                "expected the same",
                i, d->n_components, node.n_components);
        int32_t k = agree(specs, d, node.n_components);
        char first[128], other[128];
        if (k >= 0)
            return cohort_dataset_builder_refuse(
                &node, COHORT_EINVAL,
                "cohort_dataset_concatenate: component %d of dataset %d is %s, of dataset 0 %s; "
                "expected the same "
                "dtype "
                "and rank",
                k, i,
                cohort_shape_to_string(d->specs[k].dtype, d->specs[k].rank, d->specs[k].shape,
                                       other),
                cohort_shape_to_string(specs[k].dtype, specs[k].rank, specs[k].shape, first));
    }
    return cohort_dataset_builder_make(&node);
}
