/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of which a function or a callback says that they stay: passed on as they are, so a
 * filter copies nothing. How many there are is known only by asking. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/data/dataset/answer.h"
#include "runtime/data/dataset/fault.h"
#include "runtime/data/dataset/host_function.h"
#include "runtime/data/dataset/selection.h"

#include <stdalign.h>

static const char call[] = "cohort_dataset_filter", with_call[] = "cohort_dataset_filter_with";

typedef struct filter_parameters {
    cohort_host_function *function; /* owned; NULL: a callback */
    cohort_filter_fn fn;
    void *user;
} filter_parameters;

typedef struct filter_cursor {
    cohort_unary_cursor unary;
    int64_t number; /* of the next element of the input */
    cohort_fault fault;
} filter_cursor;

static const filter_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ asking */

static cohort_status ask_function(const filter_cursor *c, const cohort_host_function *f,
                                  const cohort_array in[], int64_t number, bool *out)
{
    alignas(16) unsigned char result[16] = { 0 };
    cohort_array answer;
    cohort_bounds room;
    const cohort_bounds *bounds;
    cohort_status status = cohort_host_function_solve(f, in, number, &room, &bounds, &answer);
    answer.data = result;
    if (status >= 0)
        status = cohort_host_function_call(f, bounds, c->unary.head.pool, number, in, &answer);
    /* the result may have any integer type: it is true if any byte of it is not 0 */
    for (size_t i = 0; i < sizeof result && !*out; i++)
        *out = result[i] != 0;
    return status < 0 ? cohort_error_prefix(status, "%s", call) : COHORT_OK;
}

static cohort_status ask(const filter_cursor *c, const cohort_array in[], int64_t number, bool *out)
{
    const filter_parameters *p = parameters_of(c->unary.head.dataset);
    *out = false;
    if (p->function != NULL)
        return ask_function(c, p->function, in, number, out);
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    int answer = p->fn(in, p->user);
    *out = answer > 0;
    return cohort_answer_judge(&callback, answer < 0 ? (cohort_status)answer : COHORT_OK, with_call,
                               number);
}

/* An error of one element is told once; an error of the machine is kept, and told by each call
 * from here on. */
static cohort_status fail(filter_cursor *c, cohort_status status)
{
    c->unary.head.can_go_on = cohort_answer_is_refusal(status);
    return c->unary.head.can_go_on ? status : cohort_fault_note(&c->fault, status, false);
}

static cohort_status next_wanted(cohort_cursor *cursor, cohort_element *out)
{
    filter_cursor *c = (filter_cursor *)cursor;
    bool is_wanted = false;
    if (c->fault.status < 0)
        return cohort_fault_tell(&c->fault);
    while (!is_wanted) {
        cohort_status status = cohort_cursor_next(c->unary.input, out);
        (void)cohort_cursor_pass(cursor, c->unary.input, status);
        /* an element that could not be read has a number as well, as in map.c */
        c->number += status == COHORT_OK || (status < 0 && cursor->can_go_on);
        if (status != COHORT_OK)
            return status;
        status = ask(c, out->parts, c->number - 1, &is_wanted);
        if (status < 0)
            return fail(c, status);
    }
    return COHORT_OK;
}

/* ------------------------------------------------------------------ open and close */

static void close_filter(cohort_cursor *cursor)
{
    cohort_fault_forget(&((filter_cursor *)cursor)->fault);
    cohort_cursor_close_unary(cursor);
}

static const cohort_cursor_kind wanted_cursor = { .next = next_wanted, .close = close_filter };

static cohort_status open_filter(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    return cohort_cursor_open_unary(dataset, &wanted_cursor, how, sizeof(filter_cursor), out);
}

/* ------------------------------------------------------------------ the dataset */

static void derive_filter(cohort_dataset *dataset)
{
    dataset->cardinality = dataset->inputs[0]->cardinality == 0 ? 0 : COHORT_UNKNOWN;
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
}

static void describe_filter(const cohort_dataset *dataset, FILE *out)
{
    const cohort_host_function *f = parameters_of(dataset)->function;
    if (f == NULL)
        (void)fputs("callback", out);
    else
        (void)fprintf(out, "%s%s", f->signature->name, f->signature->prototype);
}

static void free_filter(void *parameters)
{
    cohort_host_function_destroy(((filter_parameters *)parameters)->function);
}

static const cohort_dataset_kind filter_kind = { .name = "filter",
                                                 .derive = derive_filter,
                                                 .describe = describe_filter,
                                                 .open = open_filter,
                                                 .free_parameters = free_filter };

static cohort_status prepare(filter_parameters *p, const cohort_dataset *input,
                             const cohort_function *function)
{
    cohort_status status = cohort_host_function_create(function, input->specs, input->n_components,
                                                       call, &p->function);
    if (status < 0)
        return status;
    const cohort_signature *s = p->function->signature;
    cohort_dtype type = (cohort_dtype)s->result_type;
    bool is_answer = s->has_result && (cohort_dtype_is_integral(type));
    if (is_answer && p->function->n_outputs == 1)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: %s %s; a filter returns an integer or bool, and writes nothing", call,
        s->name, is_answer ? "writes an argument" : "returns none of these");
}

cohort_dataset *cohort_dataset_filter(cohort_dataset *dataset, const cohort_function *function)
{
    filter_parameters p = { 0 };
    cohort_dataset_builder node = {
        .kind = &filter_kind, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, call))
        return NULL;
    return prepare(&p, dataset, function) < 0 ? cohort_dataset_builder_give_up(&node)
                                              : cohort_selection_make(&node, call);
}

cohort_dataset *cohort_dataset_filter_with(cohort_dataset *dataset, cohort_filter_fn fn, void *user)
{
    filter_parameters p = { .fn = fn, .user = user };
    cohort_dataset_builder node = {
        .kind = &filter_kind, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, with_call))
        return NULL;
    if (fn == NULL)
        return cohort_dataset_builder_refuse(&node, COHORT_EINVAL, "%s: the callback is NULL",
                                             with_call);
    return cohort_selection_make(&node, with_call);
}
