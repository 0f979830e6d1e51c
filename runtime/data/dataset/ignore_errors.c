/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that are errors are left out: those after which the input can go on. An error that
 * would come again with every call is passed on, or nobody would come to an end. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

typedef struct ignore_cursor {
    cohort_unary_cursor unary;
    int64_t *skipped; /* the program's; NULL */
} ignore_cursor;

/* The text of the error stays in the error slot until the next one: nobody was told to look at
 * it. */
static cohort_status next_good(cohort_cursor *cursor, cohort_element *out)
{
    ignore_cursor *c = (ignore_cursor *)cursor;
    cohort_status status;
    while ((status = cohort_cursor_next(c->unary.input, out)) < 0 && c->unary.input->can_go_on)
        if (c->skipped != NULL)
            ++*c->skipped;
    return status;
}

static const cohort_cursor_kind good_cursor = { .next = next_good,
                                                .close = cohort_cursor_close_unary };

static cohort_status open_ignore(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &good_cursor, how, sizeof(ignore_cursor), out);
    if (status >= 0)
        ((ignore_cursor *)*out)->skipped = *(int64_t *const *)dataset->parameters;
    return status;
}

static void derive_ignore(cohort_dataset *dataset)
{
    dataset->cardinality =
        dataset->inputs[0]->cardinality > 0 ? COHORT_UNKNOWN : dataset->inputs[0]->cardinality;
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
}

static const cohort_dataset_kind ignore_kind = { .name = "ignore_errors",
                                                 .derive = derive_ignore,
                                                 .open = open_ignore };

cohort_dataset *cohort_dataset_ignore_errors(cohort_dataset *dataset, int64_t *skipped)
{
    cohort_dataset_builder node = { .kind = &ignore_kind,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &skipped,
                                    .bytes = sizeof(int64_t *) };
    return cohort_dataset_builder_begin(&node, "cohort_dataset_ignore_errors")
               ? cohort_dataset_builder_make(&node)
               : NULL;
}
