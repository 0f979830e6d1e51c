/* SPDX-License-Identifier: BSD-3-Clause */
/* All but the first elements. They are passed over when the first of the others is asked for,
 * not when the dataset is opened: opening stays quick, and an error among them is told where a
 * program looks for errors. */
#include "config.h"

#include "runtime/data/dataset/selection.h"

typedef struct skip_parameters {
    int64_t elements; /* -1: all */
} skip_parameters;

typedef struct skip_cursor {
    cohort_unary_cursor unary;
    int64_t left; /* to pass over; -1: all */
} skip_cursor;

static const skip_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* COHORT_OK: the input stands at the first element that counts. An error may be one of those passed
 * over: when the input can go on, so does the rest of them. */
static cohort_status pass_first(skip_cursor *c)
{
    int64_t passed = 0, wanted = c->left;
    if (c->left == 0)
        return COHORT_OK;
    if (c->left < 0)
        return COHORT_END;
    cohort_status status = cohort_cursor_skip(c->unary.input, c->left, &passed);
    c->left = status == COHORT_OK ? 0 : c->left - passed;
    if (status == COHORT_OK && passed < wanted)
        c->left = -1;
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    return c->left < 0 ? COHORT_END : status;
}

static cohort_status next_left(cohort_cursor *cursor, cohort_element *out)
{
    skip_cursor *c = (skip_cursor *)cursor;
    cohort_status status = pass_first(c);
    if (status != COHORT_OK)
        return status;
    return cohort_cursor_pass(cursor, c->unary.input, cohort_cursor_next(c->unary.input, out));
}

static cohort_status skip_left(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    skip_cursor *c = (skip_cursor *)cursor;
    cohort_status status = pass_first(c);
    *out_passed = 0;
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    return cohort_cursor_pass(cursor, c->unary.input,
                              cohort_cursor_skip(c->unary.input, n, out_passed));
}

static cohort_status left_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    skip_cursor *c = (skip_cursor *)cursor;
    int64_t place = index + parameters_of(cursor->dataset)->elements;
    return cohort_cursor_pass(cursor, c->unary.input, cohort_cursor_at(c->unary.input, place, out));
}

static cohort_status lend_left(cohort_cursor *cursor, int64_t n, cohort_element *out,
                               int64_t *out_rows)
{
    skip_cursor *c = (skip_cursor *)cursor;
    cohort_status status = pass_first(c);
    *out_rows = 0;
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    return cohort_cursor_pass(cursor, c->unary.input,
                              cohort_cursor_lend(c->unary.input, n, out, out_rows));
}

static cohort_status copy_left(cohort_cursor *cursor, int64_t n, void *const into[],
                               int64_t *out_rows)
{
    skip_cursor *c = (skip_cursor *)cursor;
    cohort_status status = pass_first(c);
    *out_rows = 0;
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    return cohort_cursor_pass(cursor, c->unary.input,
                              cohort_cursor_copy(c->unary.input, n, into, out_rows));
}

static const cohort_cursor_kind what_is_left = { .next = next_left,
                                                 .close = cohort_cursor_close_unary,
                                                 .skip = skip_left,
                                                 .at = left_at,
                                                 .lend = lend_left,
                                                 .copy = copy_left };

static cohort_status open_skip(const cohort_dataset *dataset, const cohort_opening *how,
                               cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &what_is_left, how, sizeof(skip_cursor), out);
    if (status >= 0)
        ((skip_cursor *)*out)->left = parameters_of(dataset)->elements;
    return status;
}

static void derive_skip(cohort_dataset *dataset)
{
    const cohort_dataset *input = dataset->inputs[0];
    int64_t elements = parameters_of(dataset)->elements;
    if (elements < 0)
        dataset->cardinality = 0;
    else if (input->cardinality >= 0)
        dataset->cardinality = input->cardinality > elements ? input->cardinality - elements : 0;
    dataset->is_indexed = input->is_indexed;
    dataset->is_lasting = input->is_lasting;
    dataset->is_lent = input->is_lent;
}

static void describe_skip(const cohort_dataset *dataset, FILE *out)
{
    (void)fprintf(out, "%lld", (long long)parameters_of(dataset)->elements);
}

static const cohort_dataset_kind skip = {
    .name = "skip", .derive = derive_skip, .describe = describe_skip, .open = open_skip
};

cohort_dataset *cohort_dataset_skip(cohort_dataset *dataset, int64_t elements)
{
    skip_parameters p = { elements };
    cohort_dataset_builder node = {
        .kind = &skip, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_skip"))
        return NULL;
    if (elements < -1)
        return cohort_dataset_builder_refuse_number(
            &node, elements,
            "cohort_dataset_skip: %lld elements; expected a number from 0 on, or -1 for all",
            (long long)elements);
    return cohort_selection_make(&node, "cohort_dataset_skip");
}
