/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of prototypes, expressions and structs. A text is never copied: tokens point into it,
 * which is how an error knows where its caret stands. Bytes that C gives no meaning in a
 * declaration are refused here, so that all other stages see names, numbers and marks alone. */
#include "config.h"

#include "runtime/function/lexer.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Columns of a text that an error shows: all of it, or a window around the token. */
enum { SHOWN_COLUMNS = 160, COLUMNS_BEFORE = 60, SHOWN_TOKEN = 40 };

/* By hand, because functions of ctype.h ask the locale, and a prototype means the same in all of
 * them. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_spaces(const char *p, const char *end)
{
    while (p < end && is_space(*p))
        p++;
    return p;
}

/* After the comment that starts at p; p itself when there is none; NULL when it never ends. */
static const char *skip_comment(const char *p, const char *end)
{
    if (end - p < 2 || p[0] != '/' || (p[1] != '/' && p[1] != '*'))
        return p;
    bool is_line = p[1] == '/';
    for (p += 2; p < end; p++)
        if (is_line ? *p == '\n' : end - p >= 2 && p[0] == '*' && p[1] == '/')
            return is_line ? p : p + 2;
    return is_line ? end : NULL;
}

/* Where the next token starts; NULL after a comment without an end, which *out_comment points
 * at. */
static const char *skip_blank(const char *p, const char *end, const char **out_comment)
{
    for (;;) {
        p = skip_spaces(p, end);
        const char *after = skip_comment(p, end);
        *out_comment = p;
        if (after == p || after == NULL)
            return after;
        p = after;
    }
}

static cohort_token read_token(const char *start, const char *end)
{
    cohort_token token = { .kind = COHORT_TOKEN_END, .start = start };
    if (start == end)
        return token;
    token.kind = is_letter(*start)  ? COHORT_TOKEN_NAME
                 : is_digit(*start) ? COHORT_TOKEN_NUMBER
                                    : COHORT_TOKEN_MARK;
    const char *p = start + 1;
    if (token.kind != COHORT_TOKEN_MARK)
        while (p < end && (is_letter(*p) || is_digit(*p)))
            p++;
    token.length = (size_t)(p - start);
    return token;
}

static cohort_status check_token(const cohort_lexer *lexer, cohort_token token)
{
    if (token.kind == COHORT_TOKEN_NAME && token.length > COHORT_LIMIT_NAME_BYTES)
        return cohort_lexer_error(lexer, token, "a name of %zu bytes; at most %d", token.length,
                                  COHORT_LIMIT_NAME_BYTES);
    if (token.kind != COHORT_TOKEN_MARK || strchr("()[]{},;*+-/.:", *token.start) != NULL)
        return COHORT_OK;
    if (*token.start > ' ' && *token.start < 127)
        return cohort_lexer_error(lexer, token, "unexpected '%c'", *token.start);
    return cohort_lexer_error(lexer, token, "unexpected byte 0x%02x", (unsigned char)*token.start);
}

static cohort_status read_at(cohort_lexer *lexer, const char *p)
{
    const char *end = lexer->text + lexer->length, *comment = NULL;
    const char *start = skip_blank(p, end, &comment);
    if (start == NULL)
        return cohort_lexer_error(lexer, (cohort_token){ COHORT_TOKEN_MARK, comment, 2 },
                                  "this comment never ends");
    cohort_token token = read_token(start, end);
    cohort_status status = check_token(lexer, token);
    if (status == COHORT_OK)
        lexer->token = token;
    return status;
}

cohort_status cohort_lexer_init(cohort_lexer *lexer, const char *who, const char *text)
{
    *lexer = (cohort_lexer){ .who = who, .text = text, .token = { COHORT_TOKEN_END, text, 0 } };
    /* At most one byte beyond the limit is looked at: a text without an end is not walked. */
    lexer->length = strnlen(text, COHORT_LIMIT_PROTOTYPE_BYTES + 1);
    if (lexer->length > COHORT_LIMIT_PROTOTYPE_BYTES)
        return cohort_error_set(COHORT_EINVAL, "%s: a text of more than %d bytes", who,
                                COHORT_LIMIT_PROTOTYPE_BYTES);
    return read_at(lexer, text);
}

cohort_status cohort_lexer_next(cohort_lexer *lexer)
{
    return read_at(lexer, lexer->token.start + lexer->token.length);
}

/* Only what it looks like is asked, so errors are left to the call that takes the token. */
cohort_token cohort_lexer_peek(const cohort_lexer *lexer)
{
    const char *end = lexer->text + lexer->length, *comment = NULL;
    const char *start = skip_blank(lexer->token.start + lexer->token.length, end, &comment);
    return read_token(start != NULL ? start : end, end);
}

bool cohort_token_is(cohort_token token, const char *text)
{
    return strncmp(token.start, text, token.length) == 0 && text[token.length] == '\0' &&
           token.length > 0;
}

cohort_status cohort_lexer_accept(cohort_lexer *lexer, const char *mark, bool *out_was_there)
{
    *out_was_there = cohort_token_is(lexer->token, mark);
    return *out_was_there ? cohort_lexer_next(lexer) : COHORT_OK;
}

cohort_status cohort_lexer_expect(cohort_lexer *lexer, const char *mark, const char *where)
{
    cohort_token found = lexer->token;
    if (cohort_token_is(found, mark))
        return cohort_lexer_next(lexer);
    if (found.kind == COHORT_TOKEN_END)
        return cohort_lexer_error(lexer, found, "expected '%s' %s, but the text ends", mark, where);
    return cohort_lexer_error(lexer, found, "expected '%s' %s, found '%.*s'", mark, where,
                              cohort_token_shown(found), found.start);
}

cohort_status cohort_lexer_skip_parentheses(cohort_lexer *lexer, const char **out_end)
{
    cohort_token opening = lexer->token;
    cohort_status status = COHORT_OK;
    int64_t depth = 0;
    do {
        depth += cohort_token_is(lexer->token, "(");
        depth -= cohort_token_is(lexer->token, ")");
        if (lexer->token.kind == COHORT_TOKEN_END)
            return cohort_lexer_error(lexer, opening, "this parenthesis is never closed");
        *out_end = lexer->token.start + lexer->token.length;
        status = cohort_lexer_next(lexer);
    } while (status == COHORT_OK && depth > 0);
    return status;
}

cohort_status cohort_lexer_skip_attribute(cohort_lexer *lexer)
{
    const char *end = NULL;
    cohort_status status = cohort_lexer_next(lexer);
    if (status == COHORT_OK && !cohort_token_is(lexer->token, "("))
        return cohort_lexer_expect(lexer, "(", "after __attribute__");
    return status == COHORT_OK ? cohort_lexer_skip_parentheses(lexer, &end) : status;
}

static int digit_value(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

/* u and l or ll in any order and case. */
static bool is_suffix(const char *p, const char *end)
{
    int n_u = 0, n_l = 0;
    for (; p < end; p++) {
        n_u += *p == 'u' || *p == 'U';
        n_l += *p == 'l' || *p == 'L';
        if (*p != 'u' && *p != 'U' && *p != 'l' && *p != 'L')
            return false;
    }
    return n_u <= 1 && n_l <= 2;
}

bool cohort_token_number(cohort_token token, int64_t *out_value)
{
    const char *p = token.start, *end = token.start + token.length;
    int base = 10;
    *out_value = 0;
    if (token.length > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        base = 16, p += 2;
    else if (*p == '0')
        base = 8;
    if (digit_value(*p) >= base)
        return false;
    for (; p < end && digit_value(*p) < base; p++)
        if (__builtin_mul_overflow(*out_value, base, out_value) ||
            __builtin_add_overflow(*out_value, digit_value(*p), out_value))
            return false;
    return is_suffix(p, end);
}

int cohort_token_shown(cohort_token token)
{
    return token.length > SHOWN_TOKEN ? SHOWN_TOKEN : (int)token.length;
}

/* Tabs and newlines become spaces and foreign bytes '?', so that the caret stands under its
 * token. */
static void copy_shown(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++)
        to[i] = is_space(from[i]) ? ' ' : from[i] >= ' ' && from[i] < 127 ? from[i] : '?';
    to[length] = '\0';
}

cohort_status cohort_lexer_error(const cohort_lexer *lexer, cohort_token token, const char *format,
                                 ...)
{
    char message[COHORT_ERROR_BYTES / 4], shown[SHOWN_COLUMNS + 1];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    cohort_assert(token.start >= lexer->text && token.start <= lexer->text + lexer->length);
    /* of a long text a window is shown in which the token is */
    size_t column = (size_t)(token.start - lexer->text), first = 0, length = lexer->length;
    if (length > SHOWN_COLUMNS) {
        first = column > COLUMNS_BEFORE ? column - COLUMNS_BEFORE : 0;
        length = length - first > SHOWN_COLUMNS ? SHOWN_COLUMNS : length - first;
    }
    copy_shown(shown, lexer->text + first, length);
    const char *before = first > 0 ? "..." : "",
               *after = first + length < lexer->length ? "..." : "";
    return cohort_error_set(COHORT_EINVAL, "%s: %s\n%s%s%s\n%*s^", lexer->who, message, before,
                            shown, after, (int)(column - first + strlen(before)), "");
}
