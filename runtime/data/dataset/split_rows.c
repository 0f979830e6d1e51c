/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements drawn one by one, in the order of the dataset. Where their number is known an element
 * goes to a part as likely as that still lacks elements, so that each gets as many as it is to have
 * (selection sampling: Fan, Muller, Rezucha 1962); else each draw stands for itself.
 *
 * Where any element can be had by its number the numbers of all parts are listed when they are
 * made, from the same draws: then a part can be shuffled by numbers, as the whole can. */
#include "config.h"

#include "runtime/data/dataset/split.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

static const cohort_split_part *part_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ the list */

/* The part that the draw falls into, by what each still lacks. */
static int32_t find_part(const int64_t left[], int64_t draw)
{
    int32_t i = 0;
    for (; draw >= left[i]; i++)
        draw -= left[i];
    return i;
}

cohort_status cohort_split_list_rows(cohort_split_plan *plan)
{
    int64_t all = plan->starts[plan->n];
    cohort_random random;
    int64_t *left = cohort_allocate((size_t)plan->n, sizeof *left);
    bool fits = (uint64_t)all < SIZE_MAX / sizeof *plan->numbers;
    plan->numbers = fits ? cohort_allocate((size_t)all + 1, sizeof *plan->numbers) : NULL;
    if (left == NULL || plan->numbers == NULL) {
        cohort_free(left);
        return cohort_error_memory("the numbers of the elements of a split");
    }
    for (int32_t i = 0; i < plan->n; i++)
        left[i] = plan->starts[i + 1] - plan->starts[i];
    cohort_random_seed(&random, plan->options.seed, 0);
    for (int64_t number = 0; number < all; number++) {
        int32_t i =
            find_part(left, (int64_t)cohort_random_below(&random, (uint64_t)(all - number)));
        plan->numbers[plan->starts[i + 1] - left[i]--] = number;
    }
    cohort_free(left);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ by the list */

typedef struct listed_cursor {
    cohort_unary_cursor unary;
    int64_t next;
} listed_cursor;

static cohort_status listed_at(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    cohort_cursor *input = ((cohort_unary_cursor *)cursor)->input;
    const cohort_split_part *part = part_of(cursor->dataset);
    int64_t number = part->plan->numbers[cohort_split_part_start(part) + index];
    return cohort_cursor_pass(cursor, input, cohort_cursor_at(input, number, out));
}

static cohort_status next_listed(cohort_cursor *cursor, cohort_element *out)
{
    listed_cursor *c = (listed_cursor *)cursor;
    if (c->next == cursor->dataset->cardinality)
        return COHORT_END;
    cohort_status status = listed_at(cursor, c->next, out);
    c->next += status == COHORT_OK || cursor->can_go_on;
    return status;
}

static cohort_status skip_listed(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    listed_cursor *c = (listed_cursor *)cursor;
    int64_t left = cursor->dataset->cardinality - c->next;
    *out_passed = n < left ? n : left;
    c->next += *out_passed;
    return COHORT_OK;
}

static const cohort_cursor_kind listed = {
    .next = next_listed, .close = cohort_cursor_close_unary, .skip = skip_listed, .at = listed_at
};

/* ------------------------------------------------------------------ by drawing again */

enum { MOST_OTHERS = 4096 }; /* are passed over at once, before the end of the data is looked for */

typedef struct drawn_cursor {
    cohort_unary_cursor unary;
    cohort_random random;
    /* counted: elements that the parts before, this one, and those behind it still lack */
    int64_t before, ours, behind;
    int64_t
        others; /* elements of other parts that stand before the next one that was drawn for us */
    bool is_found; /* it was drawn */
} drawn_cursor;

static bool draw_counted(drawn_cursor *c)
{
    int64_t draw =
        (int64_t)cohort_random_below(&c->random, (uint64_t)(c->before + c->ours + c->behind));
    int64_t *lacking = draw < c->before             ? &c->before
                       : draw < c->before + c->ours ? &c->ours
                                                    : &c->behind;
    --*lacking;
    return lacking == &c->ours;
}

/* false: none is left for this part. */
static bool find_ours(drawn_cursor *c)
{
    const cohort_split_part *part = part_of(c->unary.head.dataset);
    bool is_counted = !part->plan->is_drawn;
    if (!c->is_found && (is_counted ? c->ours == 0 : cohort_split_part_length(part) == 0))
        return false;
    while (!c->is_found && c->others < MOST_OTHERS) {
        c->is_found = is_counted ? draw_counted(c) : cohort_split_part_has_draw(part, &c->random);
        c->others += !c->is_found;
    }
    return true;
}

/* The input stands behind the others that were drawn; COHORT_END: it has fewer. An error is that of
 * one element, where the input goes on behind it. */
static cohort_status pass_others(drawn_cursor *c)
{
    int64_t passed = 0;
    if (c->others == 0)
        return COHORT_OK;
    cohort_status status = cohort_cursor_skip(c->unary.input, c->others, &passed);
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    c->others -= passed + c->unary.head.can_go_on;
    return status == COHORT_OK && c->others > 0 ? COHORT_END : status;
}

static cohort_status next_drawn(cohort_cursor *cursor, cohort_element *out)
{
    drawn_cursor *c = (drawn_cursor *)cursor;
    cohort_status status = COHORT_OK;
    do {
        status = find_ours(c) ? pass_others(c) : COHORT_END;
        if (status != COHORT_OK)
            return status;
    } while (!c->is_found);
    status = cohort_cursor_next(c->unary.input, out);
    (void)cohort_cursor_pass(cursor, c->unary.input, status);
    c->is_found = !(status == COHORT_OK || cursor->can_go_on);
    return status;
}

static const cohort_cursor_kind drawn = { .next = next_drawn, .close = cohort_cursor_close_unary };

static cohort_status open_drawn(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    const cohort_split_part *part = part_of(dataset);
    const cohort_split_plan *plan = part->plan;
    cohort_status status =
        cohort_cursor_open_unary(dataset, &drawn, how, sizeof(drawn_cursor), out);
    if (status < 0)
        return status;
    drawn_cursor *c = (drawn_cursor *)*out;
    cohort_random_seed(&c->random, plan->options.seed, 0);
    c->before = cohort_split_part_start(part);
    c->ours = cohort_split_part_length(part);
    c->behind = plan->starts[plan->n] - c->before - c->ours;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the part */

static cohort_status open_rows(const cohort_dataset *dataset, const cohort_opening *how,
                               cohort_cursor **out)
{
    return dataset->is_indexed
               ? cohort_cursor_open_unary(dataset, &listed, how, sizeof(listed_cursor), out)
               : open_drawn(dataset, how, out);
}

static void derive_rows(cohort_dataset *dataset)
{
    cohort_split_part_derive(dataset);
    dataset->is_indexed = dataset->inputs[0]->is_indexed && part_of(dataset)->plan->numbers != NULL;
}

const cohort_dataset_kind cohort_split_rows = { .name = "split",
                                                .derive = derive_rows,
                                                .describe = cohort_split_part_describe,
                                                .open = open_rows,
                                                .free_parameters = cohort_split_part_free,
                                                .is_whole = true };
