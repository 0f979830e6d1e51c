/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches: elements of the same shape stacked. Three ways, from the cheapest: rows that lie one
 * behind the other in lasting memory are lent and shown without a copy; rows of known extents
 * are copied straight from where the input has them into the batch; all others are read as
 * elements and copied. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/stack.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

typedef struct batch_parameters {
    int64_t rows;
    bool drop_remainder;
} batch_parameters;

typedef struct batch_cursor {
    cohort_unary_cursor unary;
    cohort_stack stack; /* rows read so far: an error among them does not lose the others */
    cohort_array *lent; /* [n]: a loan that was short; it is the batch if nothing follows */
    int64_t n_lent;     /* rows of the loan */
    bool is_known;      /* all extents of the input's elements are */
} batch_cursor;

static const batch_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ reading */

/* *out_done: the loan is the batch. A shorter one is the beginning of it. */
static cohort_status borrow(batch_cursor *c, int64_t rows, cohort_element *out, bool *out_done)
{
    int64_t got = 0;
    cohort_status status = cohort_cursor_lend(c->unary.input, rows, out, &got);
    *out_done = status == COHORT_OK && got == rows;
    if (status < 0 || got == 0 || got == rows)
        return status;
    memcpy(c->lent, out->parts, (size_t)c->stack.n * sizeof *c->lent);
    c->n_lent = got;
    cohort_array row[COHORT_LIMIT_COMPONENTS];
    for (int32_t k = 0; k < c->stack.n; k++) {
        row[k] = c->lent[k];
        /* one row of the loan, for its shape */
        row[k].rank--;
        memmove(row[k].shape, row[k].shape + 1, (size_t)row[k].rank * sizeof row[k].shape[0]);
    }
    cohort_stack_shape(&c->stack, row);
    return cohort_stack_add(&c->stack, c->lent, got);
}

/* Reads one element more; COHORT_END: there is none. */
static cohort_status read_one(batch_cursor *c)
{
    cohort_element element;
    cohort_status status = cohort_cursor_next(c->unary.input, &element);
    if (status != COHORT_OK)
        return cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    if (!c->stack.has_shape)
        cohort_stack_shape(&c->stack, element.parts);
    int32_t k = cohort_stack_differs(&c->stack, element.parts);
    if (k < 0)
        return cohort_stack_add(&c->stack, element.parts, 1);
    c->unary.head.can_go_on = true; /* without this one */
    return cohort_stack_refuse(&c->stack, element.parts, k, c->unary.head.dataset->kind->name);
}

/* As many as there is room for. Without an element a row may be of any size, and no memory is asked
 * for it. */
static cohort_status read_some(batch_cursor *c)
{
    if (c->unary.head.dataset->inputs[0]->cardinality == 0)
        return COHORT_END;
    if (!c->stack.has_shape)
        cohort_stack_shape_specs(&c->stack, c->unary.head.dataset->inputs[0]->specs);
    cohort_status status = cohort_stack_make_room(&c->stack);
    if (status < 0)
        return status;
    int64_t room = c->stack.capacity - c->stack.rows, got = 0;
    status = cohort_cursor_copy(c->unary.input, room, cohort_stack_ends(&c->stack), &got);
    c->stack.rows += got;
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    return status == COHORT_OK && got < room ? COHORT_END : status;
}

/* Gives what is there when the input ends: a last batch that is short, unless it is dropped. */
static cohort_status give_last(batch_cursor *c, cohort_element *out)
{
    bool is_loan = c->n_lent > 0 && c->n_lent == c->stack.rows;
    if (c->stack.rows == 0 || parameters_of(c->unary.head.dataset)->drop_remainder) {
        cohort_stack_forget(&c->stack);
        return COHORT_END;
    }
    if (is_loan) {
        cohort_stack_forget(&c->stack);
        *out = (cohort_element){ .parts = c->lent, .n = c->stack.n, .is_lasting = true };
    } else {
        cohort_stack_give(&c->stack, out);
    }
    return COHORT_OK;
}

static cohort_status next_batch(cohort_cursor *cursor, cohort_element *out)
{
    batch_cursor *c = (batch_cursor *)cursor;
    int64_t rows = parameters_of(cursor->dataset)->rows;
    cohort_status status = COHORT_OK;
    bool is_done = false;
    cohort_stack_let_go(&c->stack);
    cursor->can_go_on = false;
    if (c->stack.rows == 0) {
        c->n_lent = 0;
        status = cohort_cursor_pass(cursor, c->unary.input, borrow(c, rows, out, &is_done));
    }
    /* read_some ends with COHORT_END where the input does, and what was read stays in the stack */
    while (status == COHORT_OK && !is_done && c->stack.rows < c->stack.most)
        status = c->is_known ? read_some(c) : read_one(c);
    if (status == COHORT_OK && !is_done && c->stack.rows < rows)
        status = COHORT_END;
    if (status == COHORT_END)
        return give_last(c, out);
    if (status == COHORT_OK && !is_done)
        cohort_stack_give(&c->stack, out);
    return status;
}

/* ------------------------------------------------------------------ passing over */

static cohort_status skip_batches(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    batch_cursor *c = (batch_cursor *)cursor;
    const batch_parameters *p = parameters_of(cursor->dataset);
    int64_t most = INT64_MAX / p->rows;
    *out_passed = 0;
    cohort_stack_let_go(&c->stack);
    while (*out_passed < n) {
        int64_t batches = n - *out_passed < most ? n - *out_passed : most, passed = 0;
        /* rows that were read before an error belong to the first batch that is passed over */
        int64_t wanted = batches * p->rows - c->stack.rows;
        cohort_status status = cohort_cursor_skip(c->unary.input, wanted, &passed);
        int64_t elements = c->stack.rows + passed;
        cohort_stack_forget(&c->stack);
        *out_passed += cohort_stack_count(elements, p->rows, status < 0 || p->drop_remainder);
        if (status < 0 || passed < wanted)
            return cohort_cursor_pass(cursor, c->unary.input, status);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ opening */

static void close_batch(cohort_cursor *cursor)
{
    batch_cursor *c = (batch_cursor *)cursor;
    cohort_stack_fini(&c->stack);
    cohort_free(c->lent);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind batches = { .next = next_batch,
                                            .close = close_batch,
                                            .skip = skip_batches };

static bool is_known(const cohort_dataset *input)
{
    size_t bytes = 0;
    bool all = true;
    for (int32_t k = 0; k < input->n_components; k++)
        all = all && cohort_spec_bytes(&input->specs[k], &bytes);
    return all;
}

static cohort_status open_batch(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    const cohort_dataset *input = dataset->inputs[0];
    int64_t rows = parameters_of(dataset)->rows, most = rows;
    cohort_status status =
        cohort_cursor_open_unary(dataset, &batches, how, sizeof(batch_cursor), out);
    if (status < 0)
        return status;
    batch_cursor *c = (batch_cursor *)*out;
    /* no more room than the input has elements: a batch of "all" is asked for with any large
     * number */
    if (input->cardinality > 0 && input->cardinality < rows)
        most = input->cardinality;
    c->is_known = is_known(input);
    c->lent = cohort_allocate((size_t)dataset->n_components, sizeof *c->lent);
    status = cohort_stack_init(&c->stack, c->unary.head.pool, dataset->n_components, most);
    if (status >= 0 && c->lent == NULL)
        status = cohort_error_memory("cohort_dataset_batch");
    if (status < 0) {
        close_batch(*out);
        *out = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------ making */

static void derive_batch(cohort_dataset *dataset)
{
    const batch_parameters *p = parameters_of(dataset);
    if (dataset->cardinality >= 0)
        dataset->cardinality = cohort_stack_count(dataset->cardinality, p->rows, p->drop_remainder);
    dataset->batch_rows = p->rows;
    dataset->is_lasting = dataset->inputs[0]->is_lasting && dataset->inputs[0]->is_lent;
}

static void describe_batch(const cohort_dataset *dataset, FILE *out)
{
    const batch_parameters *p = parameters_of(dataset);
    (void)fprintf(out, "rows %lld%s", (long long)p->rows,
                  p->drop_remainder ? ", drop_remainder" : "");
}

static const cohort_dataset_kind batch = { .name = "batch",
                                           .derive = derive_batch,
                                           .describe = describe_batch,
                                           .open = open_batch,
                                           .is_stacking = true };

static const cohort_dataset_kind rebatch = { .name = "rebatch",
                                             .derive = derive_batch,
                                             .describe = describe_batch,
                                             .open = open_batch,
                                             .is_stacking = true };

/* cohort_dataset_batch, and what cohort_dataset_rebatch does with rows; takes the dataset. */
static cohort_dataset *make_batch(cohort_dataset *dataset, int64_t rows, bool drop_remainder,
                                  bool is_rebatch)
{
    const char *call = is_rebatch ? "cohort_dataset_rebatch" : "cohort_dataset_batch";
    cohort_spec specs[COHORT_LIMIT_COMPONENTS];
    batch_parameters p = { rows, drop_remainder };
    cohort_dataset_builder node = { .kind = is_rebatch ? &rebatch : &batch,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &p,
                                    .bytes = sizeof p,
                                    .specs = specs };
    if (!cohort_dataset_builder_begin(&node, call))
        return NULL;
    if (rows < 1)
        return cohort_dataset_builder_refuse_number(
            &node, rows, "%s: %lld rows; expected 1 or more", call, (long long)rows);
    node.n_components = dataset->n_components;
    if (cohort_stack_specs(dataset, drop_remainder ? rows : -1, call, specs) < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}

cohort_dataset *cohort_dataset_batch(cohort_dataset *dataset, int64_t rows, bool drop_remainder)
{
    return make_batch(dataset, rows, drop_remainder, false);
}

/* Batches of another size: rows one by one, in batches. Neither copies what lies in order
 * already. */
cohort_dataset *cohort_dataset_rebatch(cohort_dataset *dataset, int64_t rows, bool drop_remainder)
{
    if (cohort_handle_check(dataset, COHORT_HANDLE_DATASET, "cohort_dataset_rebatch",
                            "the dataset") < 0)
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    cohort_dataset *each = cohort_dataset_unbatch(dataset);
    if (each == NULL) {
        (void)cohort_error_prefix(COHORT_EINVAL, "cohort_dataset_rebatch");
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    }
    return make_batch(each, rows, drop_remainder, true);
}
