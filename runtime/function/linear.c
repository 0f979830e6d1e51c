/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/linear.h"

#include "runtime/base/assert.h"
#include "runtime/base/limits.h"
#include "runtime/function/expression.h"

/* ------------------------------------------------------------------ which one is not known */

enum { NONE = -1, SEVERAL = -2 };

static int32_t join(int32_t a, int32_t b)
{
    return a == NONE || a == b ? b : b == NONE ? a : SEVERAL;
}

static int32_t find_unknown(const cohort_expression *expression,
                            const cohort_parameter parameters[], uint64_t known)
{
    int32_t found = NONE;
    for (int32_t i = 0; i < expression->count; i++) {
        int32_t named = (int32_t)expression->nodes[i].operand;
        if (expression->nodes[i].kind != COHORT_NODE_PARAMETER)
            continue;
        if (parameters[named].role == COHORT_ROLE_COMPUTED) /* whose names are never computed */
            found = join(found, find_unknown(&parameters[named].computed, parameters, known));
        else if ((known >> named & 1) == 0)
            found = join(found, named);
    }
    return found;
}

int32_t cohort_linear_unknown(const cohort_expression *expression,
                              const cohort_parameter parameters[], uint64_t known)
{
    int32_t found = find_unknown(expression, parameters, known);
    return found == SEVERAL ? NONE : found;
}

/* ------------------------------------------------------------------ the form */

/* Both parts by the same operator: sums and differences. */
static const char *combine_parts(int kind, const cohort_linear *a, const cohort_linear *b,
                                 cohort_linear *out)
{
    const char *problem = cohort_expression_combine(kind, a->constant, b->constant, &out->constant);
    return problem != NULL ? problem
                           : cohort_expression_combine(kind, a->factor, b->factor, &out->factor);
}

static const char *multiply(const cohort_linear *a, const cohort_linear *b, cohort_linear *out)
{
    const cohort_linear *form = b->factor == 0 ? a : b, *number = b->factor == 0 ? b : a;
    const cohort_linear by = { number->constant, number->constant, false };
    out->is_curved = number->factor != 0;
    if (out->is_curved)
        return NULL;
    return combine_parts(COHORT_NODE_MULTIPLY, form, &by, out);
}

static const char *divide(const cohort_linear *a, const cohort_linear *b, cohort_linear *out)
{
    const cohort_linear by = { b->constant, b->constant, false };
    bool is_exact = b->constant == 0 || b->constant == -1 || a->factor % b->constant == 0;
    out->is_curved = b->factor != 0 || !is_exact;
    if (out->is_curved)
        return NULL;
    return combine_parts(COHORT_NODE_DIVIDE, a, &by, out);
}

static const char *combine(int kind, const cohort_linear *a, const cohort_linear *b,
                           cohort_linear *out)
{
    cohort_linear made = { 0, 0, a->is_curved || b->is_curved };
    const char *problem = made.is_curved                 ? NULL
                          : kind == COHORT_NODE_MULTIPLY ? multiply(a, b, &made)
                          : kind == COHORT_NODE_DIVIDE   ? divide(a, b, &made)
                                                         : combine_parts(kind, a, b, &made);
    *out = made;
    return problem;
}

static const char *form_of_name(int32_t named, const cohort_parameter parameters[],
                                const int64_t values[], int32_t unknown, cohort_linear *out)
{
    if (parameters[named].role == COHORT_ROLE_COMPUTED)
        return cohort_linear_of(&parameters[named].computed, parameters, values, unknown, out);
    *out = named == unknown ? (cohort_linear){ 1, 0, false }
                            : (cohort_linear){ 0, values[named], false };
    return NULL;
}

const char *cohort_linear_of(const cohort_expression *expression,
                             const cohort_parameter parameters[], const int64_t values[],
                             int32_t unknown, cohort_linear *out)
{
    cohort_linear stack[COHORT_LIMIT_EXPRESSION_NODES];
    int depth = 0;
    const char *problem = NULL;
    for (int32_t i = 0; i < expression->count && problem == NULL; i++) {
        const cohort_expression_step *node = &expression->nodes[i];
        if (node->kind == COHORT_NODE_NUMBER) {
            stack[depth++] = (cohort_linear){ 0, node->operand, false };
        } else if (node->kind == COHORT_NODE_PARAMETER) {
            problem =
                form_of_name((int32_t)node->operand, parameters, values, unknown, &stack[depth++]);
        } else {
            cohort_assert(depth >= 2); /* the parser puts both operands before their operator */
            depth--;
            problem = combine(node->kind, &stack[depth - 1], &stack[depth], &stack[depth - 1]);
        }
    }
    cohort_assert(problem != NULL || depth == 1);
    *out = problem == NULL ? stack[0] : (cohort_linear){ 0, 0, true };
    return problem;
}

bool cohort_linear_solve(const cohort_linear *form, int64_t wanted, int64_t *out)
{
    int64_t rest = 0;
    *out = 0;
    cohort_assert(form->factor != 0);
    if (__builtin_sub_overflow(wanted, form->constant, &rest) ||
        (rest == INT64_MIN && form->factor == -1) || rest % form->factor != 0)
        return false;
    *out = rest / form->factor;
    return true;
}
