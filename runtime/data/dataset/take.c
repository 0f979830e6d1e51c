/* SPDX-License-Identifier: BSD-3-Clause */
/* The first elements. */
#include "config.h"

#include "runtime/data/dataset/selection.h"

typedef struct take_parameters {
    int64_t elements; /* -1: all */
} take_parameters;

typedef struct take_cursor {
    cohort_unary_cursor unary;
    int64_t left;
} take_cursor;

static const take_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* All operations but next ask for no more than are left, so the input never moves beyond the
 * last element taken. */
static int64_t at_most(const take_cursor *c, int64_t n)
{
    return n < c->left ? n : c->left;
}

/* Behind the last element the input is not asked: it may be endless, or wait for the next. */
static cohort_status next_taken(cohort_cursor *cursor, cohort_element *out)
{
    take_cursor *c = (take_cursor *)cursor;
    if (c->left == 0)
        return COHORT_END;
    cohort_status status = cohort_cursor_next(c->unary.input, out);
    c->left -= status == COHORT_OK;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static cohort_status skip_taken(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    take_cursor *c = (take_cursor *)cursor;
    cohort_status status = cohort_cursor_skip(c->unary.input, at_most(c, n), out_passed);
    c->left -= *out_passed;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

/* The cardinality of a dataset that is indexed is known, so callers never ask beyond the last
 * one taken. */
static cohort_status taken_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    take_cursor *c = (take_cursor *)cursor;
    return cohort_cursor_pass(cursor, c->unary.input, cohort_cursor_at(c->unary.input, index, out));
}

static cohort_status lend_taken(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                int64_t *out_rows)
{
    take_cursor *c = (take_cursor *)cursor;
    cohort_status status = cohort_cursor_lend(c->unary.input, at_most(c, n), out, out_rows);
    c->left -= *out_rows;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static cohort_status copy_taken(cohort_cursor *cursor, int64_t n, void *const into[],
                                int64_t *out_rows)
{
    take_cursor *c = (take_cursor *)cursor;
    cohort_status status = cohort_cursor_copy(c->unary.input, at_most(c, n), into, out_rows);
    c->left -= *out_rows;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static const cohort_cursor_kind taken = { .next = next_taken,
                                          .close = cohort_cursor_close_unary,
                                          .skip = skip_taken,
                                          .at = taken_at,
                                          .lend = lend_taken,
                                          .copy = copy_taken };

static cohort_status open_take(const cohort_dataset *dataset, const cohort_opening *how,
                               cohort_cursor **out)
{
    cohort_status status = cohort_cursor_open_unary(dataset, &taken, how, sizeof(take_cursor), out);
    if (status >= 0)
        ((take_cursor *)*out)->left =
            parameters_of(dataset)->elements < 0 ? INT64_MAX : parameters_of(dataset)->elements;
    return status;
}

static void derive_take(cohort_dataset *dataset)
{
    const cohort_dataset *input = dataset->inputs[0];
    int64_t elements = parameters_of(dataset)->elements;
    /* an input that does not know its cardinality may have fewer than are taken */
    if (elements >= 0 &&
        (input->cardinality == COHORT_INFINITE || input->cardinality > elements || elements == 0))
        dataset->cardinality = elements;
    dataset->is_indexed = input->is_indexed;
    dataset->is_lasting = input->is_lasting;
    dataset->is_lent = input->is_lent;
}

static void describe_take(const cohort_dataset *dataset, FILE *out)
{
    (void)fprintf(out, "%lld", (long long)parameters_of(dataset)->elements);
}

static const cohort_dataset_kind take = {
    .name = "take", .derive = derive_take, .describe = describe_take, .open = open_take
};

cohort_dataset *cohort_dataset_take(cohort_dataset *dataset, int64_t elements)
{
    take_parameters p = { elements };
    cohort_dataset_builder node = {
        .kind = &take, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_take"))
        return NULL;
    if (elements < -1)
        return cohort_dataset_builder_refuse_number(
            &node, elements,
            "cohort_dataset_take: %lld elements; expected a number from 0 on, or -1 for all",
            (long long)elements);
    return cohort_selection_make(&node, "cohort_dataset_take");
}
