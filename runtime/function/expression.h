/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of array extents: names, integers, + - * / ( ), where / rounds up. */
#ifndef COHORT_FUNCTION_EXPRESSION_H
#define COHORT_FUNCTION_EXPRESSION_H

#include "runtime/function/arena.h"
#include "runtime/function/lexer.h"
#include "runtime/function/parameter.h"

/* Read an expression from the current token on. Names may stand for parameters that come later:
 * their nodes hold the token, see cohort_expression_name, until the parser puts the parameter's
 * index there. */
cohort_status cohort_expression_parse(cohort_lexer *lexer, cohort_arena *arena,
                                      cohort_expression *out);

/* An expression that is a number. */
cohort_status cohort_expression_number(cohort_arena *arena, int64_t value, cohort_expression *out);

/* Resolve the names of an expression that was read from this lexer's text: each is that of an
 * integer parameter, a bound, a computed one, or one that the call passes. COHORT_EINVAL with a
 * caret under a name that is none. */
cohort_status cohort_expression_link(const cohort_lexer *lexer, const cohort_parameter *parameters,
                                     int32_t n_parameters, cohort_expression *expression);

/* The token of a PARAMETER node that is not resolved yet. */
cohort_token cohort_expression_name(const cohort_lexer *lexer, const cohort_expression_step *node);

/* The value of two numbers with an operator between them. NULL, or why there is none: as below. */
const char *cohort_expression_combine(int kind, int64_t a, int64_t b, int64_t *out);

/* Value for these values of the parameters. NULL, or why there is none: "divides by 0", "overflows
 * 64 bits". */
const char *cohort_expression_evaluate(const cohort_expression *expression, const int64_t *values,
                                       int64_t *out);

#endif
