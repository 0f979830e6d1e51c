/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/items_form.h"

#include "runtime/base/assert.h"
#include "runtime/base/limits.h"

#include <string.h>

typedef cohort_items_form form;
typedef cohort_items_term term;

static const form unknown = { .n = -1 };

form cohort_items_form_number(int64_t number)
{
    return (form){ .n = number != 0, .terms = { { .number = number } } };
}

form cohort_items_form_name(int32_t name)
{
    form f = { .n = 1, .terms = { { .number = 1 } } };
    f.terms[0].names[COHORT_FORM_FACTORS - 1] = (uint8_t)name;
    return f;
}

static void remove_term(form *f, int32_t at)
{
    f->n--;
    memmove(&f->terms[at], &f->terms[at + 1], (size_t)(f->n - at) * sizeof *f->terms);
}

static bool insert_term(form *f, int32_t at, const term *t)
{
    if (f->n == COHORT_FORM_TERMS)
        return false;
    memmove(&f->terms[at + 1], &f->terms[at], (size_t)(f->n - at) * sizeof *f->terms);
    f->terms[at] = *t;
    f->n++;
    return true;
}

/* False: there is no room, or the number is too large. */
static bool add_term(form *f, const term *t)
{
    int32_t at = 0;
    while (at < f->n && memcmp(f->terms[at].names, t->names, sizeof t->names) < 0)
        at++;
    if (at == f->n || memcmp(f->terms[at].names, t->names, sizeof t->names) != 0)
        return insert_term(f, at, t);
    if (__builtin_add_overflow(f->terms[at].number, t->number, &f->terms[at].number))
        return false;
    if (f->terms[at].number == 0)
        remove_term(f, at);
    return true;
}

/* The names of both, ascending, zeros first. False: they are too many. */
static bool merge_names(const uint8_t a[], const uint8_t b[], uint8_t out[COHORT_FORM_FACTORS])
{
    int i = COHORT_FORM_FACTORS - 1, j = i;
    for (int at = COHORT_FORM_FACTORS - 1; at >= 0; at--) {
        uint8_t of_a = i >= 0 ? a[i] : 0, of_b = j >= 0 ? b[j] : 0;
        out[at] = of_a >= of_b ? of_a : of_b;
        i -= of_a >= of_b;
        j -= of_a < of_b;
    }
    return (i < 0 || a[i] == 0) && (j < 0 || b[j] == 0);
}

static bool multiply(form *into, const form *a, const form *b)
{
    bool is_known = true;
    for (int32_t i = 0; i < a->n; i++)
        for (int32_t j = 0; j < b->n && is_known; j++) {
            term t;
            is_known = !__builtin_mul_overflow(a->terms[i].number, b->terms[j].number, &t.number) &&
                       merge_names(a->terms[i].names, b->terms[j].names, t.names) &&
                       add_term(into, &t);
        }
    return is_known;
}

static bool add(form *into, const form *b, char sign)
{
    bool is_known = true;
    for (int32_t i = 0; i < b->n && is_known; i++) {
        term t = b->terms[i];
        is_known = sign == '+' || !__builtin_sub_overflow((int64_t)0, t.number, &t.number);
        is_known = is_known && add_term(into, &t);
    }
    return is_known;
}

form cohort_items_form_combine(const form *a, const form *b, char sign)
{
    form made = { 0 };
    bool is_known = a->n >= 0 && b->n >= 0;
    if (is_known && sign == '*') {
        is_known = multiply(&made, a, b);
    } else if (is_known && (sign == '+' || sign == '-')) {
        made = *a;
        is_known = add(&made, b, sign);
    } else {
        is_known = false;
    }
    return is_known ? made : unknown;
}

form cohort_items_form_of(const cohort_expression *expression)
{
    static const char signs[] = { [COHORT_NODE_ADD] = '+',
                                  [COHORT_NODE_SUBTRACT] = '-',
                                  [COHORT_NODE_MULTIPLY] = '*',
                                  [COHORT_NODE_DIVIDE] = '/' };
    form stack[COHORT_LIMIT_EXPRESSION_NODES];
    int32_t depth = 0;
    for (int32_t i = 0; i < expression->count; i++) {
        const cohort_expression_step *node = &expression->nodes[i];
        if (node->kind == COHORT_NODE_NUMBER) {
            stack[depth++] = cohort_items_form_number(node->operand);
        } else if (node->kind == COHORT_NODE_PARAMETER) {
            stack[depth++] = cohort_items_form_name((int32_t)node->operand + 1);
        } else {
            cohort_assert(depth >= 2); /* of a postfix text, which was checked */
            depth--;
            stack[depth - 1] =
                cohort_items_form_combine(&stack[depth - 1], &stack[depth], signs[node->kind]);
        }
    }
    return depth == 1 ? stack[0] : unknown;
}

bool cohort_items_form_is(const form *a, const form *b)
{
    bool is = a->n >= 0 && a->n == b->n;
    for (int32_t i = 0; is && i < a->n; i++)
        is = a->terms[i].number == b->terms[i].number &&
             memcmp(a->terms[i].names, b->terms[i].names, sizeof a->terms[i].names) == 0;
    return is;
}
