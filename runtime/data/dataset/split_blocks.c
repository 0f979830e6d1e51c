/* SPDX-License-Identifier: BSD-3-Clause */
/* A block: elements one behind the other. Unlike a take of a skip it counts also those that are
 * errors, so that two blocks have no element in common whatever is read of either. */
#include "config.h"

#include "runtime/data/dataset/split.h"

typedef struct block_cursor {
    cohort_unary_cursor unary;
    int64_t before, left; /* elements of other blocks before the next one of ours; ours */
} block_cursor;

static const cohort_split_part *part_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* An error is that of one element, where the input goes on behind it. */
static int64_t with_bad(const cohort_cursor *input, cohort_status status, int64_t passed)
{
    return passed + (status < 0 && input->can_go_on);
}

/* COHORT_OK: the input stands at an element of ours; COHORT_END: none is left. */
static cohort_status come_there(block_cursor *c)
{
    int64_t passed = 0;
    if (c->before == 0)
        return c->left > 0 ? COHORT_OK : COHORT_END;
    cohort_status status = cohort_cursor_skip(c->unary.input, c->before, &passed);
    c->before -= with_bad(c->unary.input, status, passed);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    if (status < 0)
        return status;
    return c->before == 0 && c->left > 0 ? COHORT_OK : COHORT_END;
}

/* What came of `passed` elements of ours. */
static cohort_status count(block_cursor *c, cohort_status status, int64_t passed)
{
    c->left -= with_bad(c->unary.input, status, passed);
    return cohort_cursor_pass(&c->unary.head, c->unary.input, status);
}

static int64_t at_most(const block_cursor *c, int64_t n)
{
    return n < c->left ? n : c->left;
}

static cohort_status next_of_block(cohort_cursor *cursor, cohort_element *out)
{
    block_cursor *c = (block_cursor *)cursor;
    cohort_status status = come_there(c);
    if (status != COHORT_OK)
        return status;
    status = cohort_cursor_next(c->unary.input, out);
    return count(c, status, status == COHORT_OK);
}

static cohort_status skip_of_block(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    block_cursor *c = (block_cursor *)cursor;
    cohort_status status = come_there(c);
    *out_passed = 0;
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    status = cohort_cursor_skip(c->unary.input, at_most(c, n), out_passed);
    return count(c, status, *out_passed);
}

static cohort_status at_of_block(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    block_cursor *c = (block_cursor *)cursor;
    int64_t place = index + cohort_split_part_start(part_of(cursor->dataset));
    return cohort_cursor_pass(cursor, c->unary.input, cohort_cursor_at(c->unary.input, place, out));
}

static cohort_status lend_of_block(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                   int64_t *out_rows)
{
    block_cursor *c = (block_cursor *)cursor;
    cohort_status status = come_there(c);
    *out_rows = 0;
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    status = cohort_cursor_lend(c->unary.input, at_most(c, n), out, out_rows);
    return count(c, status, *out_rows);
}

static cohort_status copy_of_block(cohort_cursor *cursor, int64_t n, void *const into[],
                                   int64_t *out_rows)
{
    block_cursor *c = (block_cursor *)cursor;
    cohort_status status = come_there(c);
    *out_rows = 0;
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    status = cohort_cursor_copy(c->unary.input, at_most(c, n), into, out_rows);
    return count(c, status, *out_rows);
}

static const cohort_cursor_kind of_block = { .next = next_of_block,
                                             .close = cohort_cursor_close_unary,
                                             .skip = skip_of_block,
                                             .at = at_of_block,
                                             .lend = lend_of_block,
                                             .copy = copy_of_block };

static cohort_status open_block(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    cohort_status status =
        cohort_cursor_open_unary(dataset, &of_block, how, sizeof(block_cursor), out);
    if (status < 0)
        return status;
    block_cursor *c = (block_cursor *)*out;
    c->before = cohort_split_part_start(part_of(dataset));
    c->left = cohort_split_part_length(part_of(dataset));
    return COHORT_OK;
}

static void derive_block(cohort_dataset *dataset)
{
    cohort_split_part_derive(dataset);
    dataset->is_indexed = dataset->inputs[0]->is_indexed;
    dataset->is_lent = dataset->inputs[0]->is_lent;
}

const cohort_dataset_kind cohort_split_blocks = { .name = "split",
                                                  .derive = derive_block,
                                                  .describe = cohort_split_part_describe,
                                                  .open = open_block,
                                                  .free_parameters = cohort_split_part_free,
                                                  .is_whole = true };
