/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of extents, in postfix order: operands before their operator. So evaluating, which
 * each call does, is one loop over a small stack, without recursion; it lies on the stack of the
 * thread, since an expression has at most COHORT_LIMIT_EXPRESSION_NODES nodes. */
#include "config.h"

#include "runtime/function/expression.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/guess.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* A name may be that of a parameter that comes later, so at first its node holds the name
 * itself: offset in the text << LENGTH_BITS | length. Linking puts the index of the parameter in
 * its place. */
enum { LENGTH_BITS = 8 };

_Static_assert(COHORT_LIMIT_NAME_BYTES < 1 << LENGTH_BITS, "the length of a name fits");

typedef struct builder {
    cohort_lexer *lexer;
    cohort_expression_step nodes[COHORT_LIMIT_EXPRESSION_NODES];
    int32_t count, depth; /* depth: of parentheses and signs that are open */
} builder;

static cohort_status add_node(builder *b, cohort_expression_step node, cohort_token at)
{
    if (b->count == COHORT_LIMIT_EXPRESSION_NODES)
        return cohort_lexer_error(b->lexer, at,
                                  "an expression of more than %d names, numbers and operators",
                                  COHORT_LIMIT_EXPRESSION_NODES);
    b->nodes[b->count++] = node;
    return COHORT_OK;
}

static cohort_status parse_sum(builder *b);

static cohort_status parse_number(builder *b)
{
    cohort_token token = b->lexer->token;
    cohort_expression_step node = { .kind = COHORT_NODE_NUMBER };
    if (!cohort_token_number(token, &node.operand))
        return cohort_lexer_error(b->lexer, token, "'%.*s' is no integer, or too large",
                                  cohort_token_shown(token), token.start);
    cohort_status status = add_node(b, node, token);
    return status == COHORT_OK ? cohort_lexer_next(b->lexer) : status;
}

static cohort_status parse_name(builder *b)
{
    cohort_token token = b->lexer->token;
    int64_t packed = (int64_t)(token.start - b->lexer->text) << LENGTH_BITS | (int64_t)token.length;
    cohort_status status =
        add_node(b, (cohort_expression_step){ COHORT_NODE_PARAMETER, packed }, token);
    return status == COHORT_OK ? cohort_lexer_next(b->lexer) : status;
}

static cohort_status parse_parentheses(builder *b)
{
    cohort_status status = cohort_lexer_next(b->lexer);
    if (status == COHORT_OK)
        status = parse_sum(b);
    return status == COHORT_OK ? cohort_lexer_expect(b->lexer, ")", "to close the parenthesis")
                               : status;
}

/* Each level of the grammar is a function: sum, product, factor; the last calls the first again
 * for parentheses. */
static cohort_status parse_factor(builder *b);

/* -x is stored as 0 - x, so that the evaluator knows no operator with one operand. */
static cohort_status parse_negative(builder *b)
{
    cohort_token minus = b->lexer->token;
    cohort_status status = add_node(b, (cohort_expression_step){ COHORT_NODE_NUMBER, 0 }, minus);
    if (status == COHORT_OK)
        status = cohort_lexer_next(b->lexer);
    if (status == COHORT_OK)
        status = parse_factor(b);
    return status == COHORT_OK
               ? add_node(b, (cohort_expression_step){ COHORT_NODE_SUBTRACT, 0 }, minus)
               : status;
}

/* The parser calls itself here alone, so this limit bounds its stack, whatever text comes. */
static cohort_status parse_nested(builder *b, cohort_token token)
{
    if (b->depth == COHORT_LIMIT_EXPRESSION_NODES)
        return cohort_lexer_error(b->lexer, token,
                                  "more than %d parentheses and signs inside each other",
                                  COHORT_LIMIT_EXPRESSION_NODES);
    b->depth++;
    cohort_status status = cohort_token_is(token, "-") ? parse_negative(b) : parse_parentheses(b);
    b->depth--;
    return status;
}

static cohort_status parse_factor(builder *b)
{
    cohort_token token = b->lexer->token;
    if (token.kind == COHORT_TOKEN_NUMBER)
        return parse_number(b);
    if (token.kind == COHORT_TOKEN_NAME)
        return parse_name(b);
    if (cohort_token_is(token, "(") || cohort_token_is(token, "-"))
        return parse_nested(b, token);
    return cohort_lexer_error(b->lexer, token, "expected a name or an integer here");
}

/* Operands of one precedence from the left: `parse` reads one, and the operators are those of
 * `marks`. */
static cohort_status parse_chain(builder *b, cohort_status (*parse)(builder *), const char *marks,
                                 int first_kind)
{
    cohort_status status = parse(b);
    while (status == COHORT_OK && (cohort_token_is(b->lexer->token, (char[]){ marks[0], 0 }) ||
                                   cohort_token_is(b->lexer->token, (char[]){ marks[1], 0 }))) {
        cohort_token mark = b->lexer->token;
        cohort_expression_step node = { .kind =
                                            *mark.start == marks[0] ? first_kind : first_kind + 1 };
        status = cohort_lexer_next(b->lexer);
        if (status == COHORT_OK)
            status = parse(b);
        if (status == COHORT_OK)
            status = add_node(b, node, mark);
    }
    return status;
}

static cohort_status parse_product(builder *b)
{
    return parse_chain(b, parse_factor, "*/", COHORT_NODE_MULTIPLY);
}

static cohort_status parse_sum(builder *b)
{
    return parse_chain(b, parse_product, "+-", COHORT_NODE_ADD);
}

/* From start to before `end`, in one line and without spaces at its end. */
static char *copy_text(cohort_arena *arena, const char *start, const char *end)
{
    while (end > start && strchr(" \t\n\v\f\r", end[-1]) != NULL)
        end--;
    char *text = cohort_arena_text(arena, start, (size_t)(end - start));
    for (char *p = text; p != NULL && *p != '\0'; p++)
        if (strchr("\t\n\v\f\r", *p) != NULL)
            *p = ' ';
    return text;
}

cohort_status cohort_expression_parse(cohort_lexer *lexer, cohort_arena *arena,
                                      cohort_expression *out)
{
    builder b; /* not initialized as a whole: that would zero all of its nodes */
    b.lexer = lexer;
    b.count = b.depth = 0;
    const char *start = lexer->token.start;
    cohort_status status = parse_sum(&b);
    if (status != COHORT_OK)
        return status;
    cohort_expression_step *nodes = cohort_arena_take(arena, (size_t)b.count, sizeof *nodes);
    const char *text = copy_text(arena, start, lexer->token.start);
    if (nodes == NULL || text == NULL)
        return cohort_error_memory("an expression");
    memcpy(nodes, b.nodes, (size_t)b.count * sizeof *nodes);
    *out = (cohort_expression){ .nodes = nodes, .count = b.count, .bare = -1, .text = text };
    return COHORT_OK;
}

cohort_status cohort_expression_number(cohort_arena *arena, int64_t value, cohort_expression *out)
{
    char shown[24];
    int length = snprintf(shown, sizeof shown, "%lld", (long long)value);
    cohort_expression_step *node = cohort_arena_take(arena, 1, sizeof *node);
    const char *text = cohort_arena_text(arena, shown, (size_t)length);
    if (node == NULL || text == NULL)
        return cohort_error_memory("an expression");
    *node = (cohort_expression_step){ COHORT_NODE_NUMBER, value };
    *out = (cohort_expression){ .nodes = node, .count = 1, .bare = -1, .text = text };
    return COHORT_OK;
}

cohort_token cohort_expression_name(const cohort_lexer *lexer, const cohort_expression_step *node)
{
    return (cohort_token){ .kind = COHORT_TOKEN_NAME,
                           .start = lexer->text + (node->operand >> LENGTH_BITS),
                           .length = (size_t)(node->operand & ((1 << LENGTH_BITS) - 1)) };
}

static cohort_status link_name(const cohort_lexer *lexer, const cohort_parameter *parameters,
                               int32_t n_parameters, cohort_expression_step *node)
{
    cohort_token name = cohort_expression_name(lexer, node);
    cohort_guess guess = { .name = name.start, .length = name.length };
    bool is_parameter = false;
    for (int32_t i = 0; i < n_parameters; i++) {
        const cohort_parameter *parameter = &parameters[i];
        bool is_named = cohort_token_is(name, parameter->name);
        is_parameter |= is_named;
        if (!cohort_parameter_is_integer(parameter))
            continue;
        if (is_named) {
            node->operand = i;
            return COHORT_OK;
        }
        cohort_guess_consider(&guess, parameter->name);
    }
    return cohort_lexer_error(lexer, name, "'%.*s' is no integer parameter%s%s",
                              cohort_token_shown(name), name.start, cohort_guess_text(&guess),
                              guess.best != NULL || is_parameter
                                  ? ""
                                  : "; constants of the program are not known here: "
                                    "write the number, or make it a parameter");
}

cohort_status cohort_expression_link(const cohort_lexer *lexer, const cohort_parameter *parameters,
                                     int32_t n_parameters, cohort_expression *expression)
{
    cohort_expression_step *nodes = cohort_memory_own(expression->nodes);
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; status == COHORT_OK && i < expression->count; i++)
        if (nodes[i].kind == COHORT_NODE_PARAMETER)
            status = link_name(lexer, parameters, n_parameters, &nodes[i]);
    if (status == COHORT_OK && expression->count == 1 && nodes[0].kind == COHORT_NODE_PARAMETER)
        expression->bare = (int32_t)nodes[0].operand;
    return status;
}

/* Rounds up, because extents count parts: n / 32 blocks hold n elements. The one quotient that
 * overflows is refused, since the processor would trap on it. */
static const char *divide(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return "divides by 0";
    if (a == INT64_MIN && b == -1)
        return "overflows 64 bits";
    *out = a / b + (a % b != 0 && (a < 0) == (b < 0));
    return NULL;
}

const char *cohort_expression_combine(int kind, int64_t a, int64_t b, int64_t *out)
{
    if (kind == COHORT_NODE_DIVIDE)
        return divide(a, b, out);
    bool overflows = kind == COHORT_NODE_ADD        ? __builtin_add_overflow(a, b, out)
                     : kind == COHORT_NODE_SUBTRACT ? __builtin_sub_overflow(a, b, out)
                                                    : __builtin_mul_overflow(a, b, out);
    return overflows ? "overflows 64 bits" : NULL;
}

const char *cohort_expression_evaluate(const cohort_expression *expression, const int64_t *values,
                                       int64_t *out)
{
    int64_t stack[COHORT_LIMIT_EXPRESSION_NODES];
    int depth = 0;
    const char *problem = NULL;
    for (int32_t i = 0; i < expression->count && problem == NULL; i++) {
        const cohort_expression_step *node = &expression->nodes[i];
        if (node->kind == COHORT_NODE_NUMBER || node->kind == COHORT_NODE_PARAMETER) {
            stack[depth++] =
                node->kind == COHORT_NODE_NUMBER ? node->operand : values[node->operand];
        } else {
            cohort_assert(depth >= 2); /* the parser puts both operands before their operator */
            depth--;
            problem = cohort_expression_combine(node->kind, stack[depth - 1], stack[depth],
                                                &stack[depth - 1]);
        }
    }
    cohort_assert(problem != NULL || depth == 1);
    *out = problem == NULL ? stack[0] : 0;
    return problem;
}
