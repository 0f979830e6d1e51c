/* SPDX-License-Identifier: BSD-3-Clause */
/* The lexer of prototypes refuses what C gives no meaning in a declaration. In a body all of C may
 * stand, and the compiler of the host has seen it: here nothing is wrong, and all is a token. */
#include "config.h"

#include "runtime/function/items_token.h"

#include <string.h>

/* Characters of words and, with the point, of numbers such as 0x1p-3f and 10'000, in which no
 * word starts. */
static const char number_letters[] =
    "._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char *const letters = number_letters + 1;
static const char digits[] = "0123456789";

static bool is_number(const char *at)
{
    return strspn(at, digits) > 0 || (*at == '.' && strspn(at + 1, digits) > 0);
}

/* The signs of exponents belong to it: 1e-3, 0x1p+4. */
static size_t number_length(const char *at)
{
    size_t length = 0, more = strspn(at, number_letters);
    const char *exponents = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? "pP" : "eE";
    while (more > 0) {
        length += more;
        bool has_sign =
            strchr(exponents, at[length - 1]) != NULL && (at[length] == '+' || at[length] == '-');
        bool is_divided = at[length] == '\'';
        more = has_sign || is_divided ? strspn(at + length + 1, number_letters) : 0;
        more += more > 0;
    }
    return length;
}

static const char *after_quotes(const char *at)
{
    char quote = *at++;
    while (*at != '\0' && *at != quote)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static const char *after_comment(const char *at)
{
    const char *end = strstr(at + 2, at[1] == '*' ? "*/" : "\n");
    return end == NULL ? at + strlen(at) : at[1] == '*' ? end + 2 : end;
}

static bool is_pair(const char *at)
{
    return (at[0] == '+' && at[1] == '+') || (at[0] == '-' && (at[1] == '-' || at[1] == '>'));
}

static const char *after_blanks(const char *at)
{
    for (;;) {
        if (at[0] == '/' && (at[1] == '*' || at[1] == '/'))
            at = after_comment(at);
        else if (strspn(at, " \t\n\r\v\f") > 0)
            at++;
        else if (at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n')))
            at += at[1] == '\n' ? 2 : 3;
        else
            return at;
    }
}

cohort_token cohort_items_token(const char *at)
{
    at = after_blanks(at);
    if (*at == '\0')
        return (cohort_token){ COHORT_TOKEN_END, at, 0 };
    if (*at == '"' || *at == '\'')
        return (cohort_token){ COHORT_TOKEN_MARK, at, (size_t)(after_quotes(at) - at) };
    if (is_number(at))
        return (cohort_token){ COHORT_TOKEN_NUMBER, at, number_length(at) };
    size_t length = strspn(at, letters);
    return length > 0 ? (cohort_token){ COHORT_TOKEN_NAME, at, length }
                      : (cohort_token){ COHORT_TOKEN_MARK, at, is_pair(at) ? 2 : 1 };
}

cohort_token cohort_items_next(cohort_token token)
{
    return cohort_items_token(token.start + token.length);
}

bool cohort_items_is_word(cohort_token token)
{
    return token.kind == COHORT_TOKEN_NAME;
}

bool cohort_items_is_any(cohort_token token, const char *const texts[])
{
    bool found = false;
    for (; *texts != NULL && !found; texts++)
        found = cohort_token_is(token, *texts);
    return found;
}
