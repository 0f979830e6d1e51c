/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of a C declaration, and errors that point at one. */
#ifndef COHORT_FUNCTION_LEXER_H
#define COHORT_FUNCTION_LEXER_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_token {
    enum { COHORT_TOKEN_END, COHORT_TOKEN_NAME, COHORT_TOKEN_NUMBER, COHORT_TOKEN_MARK } kind;
    const char *start; /* in the lexer's text */
    size_t length;
} cohort_token;

typedef struct cohort_lexer {
    const char *who;  /* what messages begin with: the function's name */
    const char *text; /* borrowed */
    size_t length;
    cohort_token token; /* the current one */
} cohort_lexer;

/* Read the first token. COHORT_EINVAL: the text is longer than COHORT_LIMIT_PROTOTYPE_BYTES, or has
 * no first token. */
cohort_status cohort_lexer_init(cohort_lexer *lexer, const char *who, const char *text);

/* Step to the next token; comments are space. COHORT_EINVAL for a byte that starts none, an endless
 * comment, and a name beyond COHORT_LIMIT_NAME_BYTES. */
cohort_status cohort_lexer_next(cohort_lexer *lexer);

/* The token after the current one; END where there is none or it is wrong. */
cohort_token cohort_lexer_peek(const cohort_lexer *lexer);

/* If the current token is this mark, such as "[", step over it and say so in *out_was_there. */
cohort_status cohort_lexer_accept(cohort_lexer *lexer, const char *mark, bool *out_was_there);

/* Step over this mark, or the error "expected ')' after x, found ...". */
cohort_status cohort_lexer_expect(cohort_lexer *lexer, const char *mark, const char *where);

/* Step from the word __attribute__ over its parentheses and what is in them. */
cohort_status cohort_lexer_skip_attribute(cohort_lexer *lexer);

/* Step from an opening parenthesis over the one that closes it; *out_end points behind that one.
 * COHORT_EINVAL: none closes it. */
cohort_status cohort_lexer_skip_parentheses(cohort_lexer *lexer, const char **out_end);

bool cohort_token_is(cohort_token token, const char *text);

/* Value of a NUMBER token as C reads it, suffixes included; false: no integer, or above
 * INT64_MAX. */
bool cohort_token_number(cohort_token token, int64_t *out_value);

/* The message, the text and a caret under the token, as the error of this thread. Returns
 * COHORT_EINVAL. */
cohort_status cohort_lexer_error(const cohort_lexer *lexer, cohort_token token, const char *format,
                                 ...) __attribute__((format(printf, 3, 4)));

/* Length of a token for "%.*s": long ones are cut. */
int cohort_token_shown(cohort_token token);

#endif
