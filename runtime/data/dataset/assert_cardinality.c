/* SPDX-License-Identifier: BSD-3-Clause */
/* A number of elements that the program knows and the dataset does not: taken at its word, and
 * counted while they are read. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"

typedef struct assert_parameters {
    int64_t elements; /* or COHORT_INFINITE */
} assert_parameters;

typedef struct assert_cursor {
    cohort_unary_cursor unary;
    int64_t n; /* so far */
} assert_cursor;

static const char call[] = "cohort_dataset_assert_cardinality";

static const assert_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ reading */

static cohort_status refuse(assert_cursor *c, const char *found)
{
    int64_t elements = parameters_of(c->unary.head.dataset)->elements;
    c->unary.head.can_go_on = false;
    if (elements == COHORT_INFINITE)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the dataset ends after %lld elements; it was said to have no "
                                "end",
                                call, (long long)c->n);
    return cohort_error_set(COHORT_EINVAL, "%s: the dataset has %s%lld elements; %lld were said",
                            call, found, (long long)c->n, (long long)elements);
}

/* After so many elements more, or none where the input ends. */
static cohort_status check(assert_cursor *c, int64_t more, bool is_end)
{
    int64_t elements = parameters_of(c->unary.head.dataset)->elements;
    c->n += more;
    if (elements != COHORT_INFINITE && c->n > elements)
        return refuse(c, is_end ? "" : "at least ");
    return is_end && c->n != elements ? refuse(c, "only ") : COHORT_OK;
}

static cohort_status next_counted(cohort_cursor *cursor, cohort_element *out)
{
    assert_cursor *c = (assert_cursor *)cursor;
    cohort_status status = cohort_cursor_next(c->unary.input, out);
    (void)cohort_cursor_pass(cursor, c->unary.input, status);
    if (status < 0)
        return status;
    cohort_status found = check(c, status == COHORT_OK, status == COHORT_END);
    return found < 0 ? found : status;
}

static cohort_status skip_counted(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    assert_cursor *c = (assert_cursor *)cursor;
    cohort_status status = cohort_cursor_skip(c->unary.input, n, out_passed);
    (void)cohort_cursor_pass(cursor, c->unary.input, status);
    return status < 0 ? status : check(c, *out_passed, *out_passed < n);
}

static const cohort_cursor_kind counted = { .next = next_counted,
                                            .close = cohort_cursor_close_unary,
                                            .skip = skip_counted };

static cohort_status open_assert(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    return cohort_cursor_open_unary(dataset, &counted, how, sizeof(assert_cursor), out);
}

/* ------------------------------------------------------------------ making */

static void derive_assert(cohort_dataset *dataset)
{
    dataset->cardinality = parameters_of(dataset)->elements;
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
}

static void describe_assert(const cohort_dataset *dataset, FILE *out)
{
    int64_t elements = parameters_of(dataset)->elements;
    if (elements == COHORT_INFINITE)
        (void)fputs("without end", out);
    else
        (void)fprintf(out, "%lld", (long long)elements);
}

/* Whole: the number is that of all files below. */
static const cohort_dataset_kind assert_kind = { .name = "assert_cardinality",
                                                 .derive = derive_assert,
                                                 .describe = describe_assert,
                                                 .open = open_assert,
                                                 .is_by_one = true,
                                                 .is_whole = true };

cohort_dataset *cohort_dataset_assert_cardinality(cohort_dataset *dataset, int64_t elements)
{
    assert_parameters p = { elements };
    cohort_dataset_builder node = {
        .kind = &assert_kind, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, call))
        return NULL;
    if (elements < COHORT_INFINITE)
        return cohort_dataset_builder_refuse_number(
            &node, elements, "%s: %lld elements; expected a number from 0 on, or COHORT_INFINITE",
            call, (long long)elements);
    if (dataset->cardinality != COHORT_UNKNOWN && dataset->cardinality != elements)
        return cohort_dataset_builder_refuse(
            &node, COHORT_EINVAL, "%s: %lld elements (-1: without end) of a dataset that has %lld",
            call, (long long)elements, (long long)dataset->cardinality);
    return cohort_dataset_builder_make(&node);
}
