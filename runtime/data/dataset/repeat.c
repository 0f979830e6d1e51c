/* SPDX-License-Identifier: BSD-3-Clause */
/* The input again and again, opened anew each time. A repetition without an element is the end:
 * another one would bring none either, and a repetition for ever would not come back. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/limits.h"

typedef struct repeat_parameters {
    int64_t times;
} repeat_parameters;

typedef struct repeat_cursor {
    cohort_unary_cursor unary; /* input NULL: the repetition is not open yet */
    cohort_opening how;
    int64_t repetition; /* from 0 on */
    int64_t passed;     /* elements of this repetition */
    bool is_over;
} repeat_cursor;

static const repeat_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* COHORT_OK: the repetition is open; COHORT_END: there is none. */
static cohort_status be_open(repeat_cursor *c)
{
    if (c->is_over)
        return COHORT_END;
    if (c->unary.input != NULL)
        return COHORT_OK;
    cohort_opening how = cohort_opening_nth(&c->how, (uint64_t)c->repetition);
    c->unary.head.can_go_on = false;
    return cohort_cursor_open(c->unary.head.dataset->inputs[0], &how, &c->unary.input);
}

/* Leaves this repetition for the one `further` behind it. */
static void leave(repeat_cursor *c, int64_t further)
{
    int64_t times = parameters_of(c->unary.head.dataset)->times;
    cohort_cursor_close(c->unary.input);
    c->unary.input = NULL;
    c->is_over = times != COHORT_INFINITE && further >= times - c->repetition;
    c->repetition += c->is_over ? 0 : further;
    c->passed = 0;
}

/* The input is at its end. */
static void leave_ended(repeat_cursor *c)
{
    bool is_empty = c->passed == 0;
    leave(c, 1);
    c->is_over = c->is_over || is_empty;
}

static cohort_status next_repeated(cohort_cursor *cursor, cohort_element *out)
{
    repeat_cursor *c = (repeat_cursor *)cursor;
    cohort_status status;
    while ((status = be_open(c)) == COHORT_OK) {
        status = cohort_cursor_next(c->unary.input, out);
        if (status != COHORT_END) {
            c->passed += status == COHORT_OK;
            return cohort_cursor_pass(cursor, c->unary.input, status);
        }
        leave_ended(c);
    }
    return status;
}

/* Passes over the rest of this repetition and whole ones behind it without opening them, where it
 * is known how long they are. Returns the elements passed; 0: fewer than the rest are wanted. */
static int64_t jump(repeat_cursor *c, int64_t n)
{
    int64_t each = c->unary.head.dataset->inputs[0]->cardinality;
    int64_t times = parameters_of(c->unary.head.dataset)->times;
    if (c->is_over || each <= 0 || c->passed >= each || n < each - c->passed)
        return 0;
    int64_t rest = each - c->passed, whole = (n - rest) / each;
    if (times != COHORT_INFINITE && whole > times - c->repetition - 1)
        whole = times - c->repetition - 1;
    leave(c, whole + 1);
    return rest + whole * each;
}

static cohort_status skip_repeated(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    repeat_cursor *c = (repeat_cursor *)cursor;
    cohort_status status = COHORT_OK;
    *out_passed = jump(c, n);
    while (*out_passed < n && (status = be_open(c)) == COHORT_OK) {
        int64_t wanted = n - *out_passed, passed = 0;
        status = cohort_cursor_skip(c->unary.input, wanted, &passed);
        c->passed += passed;
        *out_passed += passed;
        if (status < 0)
            return cohort_cursor_pass(cursor, c->unary.input, status);
        if (passed < wanted)
            leave_ended(c);
    }
    return status < 0 ? status : COHORT_OK;
}

/* A loan never goes across the border of two repetitions. */
static cohort_status lend_repeated(cohort_cursor *cursor, int64_t n, cohort_element *out,
                                   int64_t *out_rows)
{
    repeat_cursor *c = (repeat_cursor *)cursor;
    /* an input that has lent its last row does not say so: without this, nothing would be lent
     * at each border */
    if (c->passed > 0 && c->passed == cursor->dataset->inputs[0]->cardinality)
        leave(c, 1);
    cohort_status status = be_open(c);
    if (status != COHORT_OK)
        return status < 0 ? status : COHORT_OK;
    status = cohort_cursor_lend(c->unary.input, n, out, out_rows);
    c->passed += *out_rows;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

static cohort_status copy_repeated(cohort_cursor *cursor, int64_t n, void *const into[],
                                   int64_t *out_rows)
{
    repeat_cursor *c = (repeat_cursor *)cursor;
    void *moved[COHORT_LIMIT_COMPONENTS];
    cohort_status status = COHORT_OK;
    while (*out_rows < n && (status = be_open(c)) == COHORT_OK) {
        int64_t wanted = n - *out_rows, rows = 0;
        cohort_cursor_advance(cursor->dataset, into, *out_rows, moved);
        status = cohort_cursor_copy(c->unary.input, wanted, moved, &rows);
        c->passed += rows;
        *out_rows += rows;
        if (status < 0)
            return cohort_cursor_pass(cursor, c->unary.input, status);
        if (rows < wanted)
            leave_ended(c);
    }
    return status < 0 ? status : COHORT_OK;
}

static const cohort_cursor_kind repeated = { .next = next_repeated,
                                             .close = cohort_cursor_close_unary,
                                             .skip = skip_repeated,
                                             .lend = lend_repeated,
                                             .copy = copy_repeated };

static cohort_status open_repeat(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    /* the first repetition is open from the beginning; its salt is that of the repeat itself */
    cohort_opening first = cohort_opening_nth(how, 0);
    cohort_status status =
        cohort_cursor_open_unary(dataset, &repeated, &first, sizeof(repeat_cursor), out);
    if (status >= 0) {
        repeat_cursor *c = (repeat_cursor *)*out;
        c->how = *how;
        c->is_over = parameters_of(dataset)->times == 0;
    }
    return status;
}

static void derive_repeat(cohort_dataset *dataset)
{
    const cohort_dataset *input = dataset->inputs[0];
    int64_t times = parameters_of(dataset)->times;
    dataset->cardinality = cohort_cardinality_times(input->cardinality, times);
    dataset->is_lasting = input->is_lasting;
    dataset->is_lent = input->is_lent && times >= 0 && times <= 1;
}

static void describe_repeat(const cohort_dataset *dataset, FILE *out)
{
    if (parameters_of(dataset)->times == COHORT_INFINITE)
        (void)fputs("for ever", out);
    else
        (void)fprintf(out, "%lld times", (long long)parameters_of(dataset)->times);
}

static const cohort_dataset_kind repeat = { .name = "repeat",
                                            .derive = derive_repeat,
                                            .describe = describe_repeat,
                                            .open = open_repeat,
                                            .is_repeated = true };

cohort_dataset *cohort_dataset_repeat(cohort_dataset *dataset, int64_t times)
{
    repeat_parameters p = { times };
    cohort_dataset_builder node = {
        .kind = &repeat, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_repeat"))
        return NULL;
    if (times < COHORT_INFINITE)
        return cohort_dataset_builder_refuse_number(
            &node, times,
            "cohort_dataset_repeat: %lld times; expected a number from 0 on, or COHORT_INFINITE",
            (long long)times);
    return cohort_dataset_builder_make(&node);
}
