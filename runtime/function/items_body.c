/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/items_body.h"

#include "runtime/base/error.h"

#include <stdbool.h>
#include <string.h>

/* Of words, and, with the point, of numbers such as 0x1p-3f and 10'000, in which no word starts. */
static const char number_letters[] = "._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char *const letters = number_letters + 1;
static const char digits[] = "0123456789";

/* 0: neither a word nor a number starts here. */
static size_t word_length(const char *at)
{
    bool is_number = strspn(at, digits) > 0 || (*at == '.' && strspn(at + 1, digits) > 0);
    if (!is_number)
        return strspn(at, letters);
    size_t length = strspn(at, number_letters);
    while (at[length] == '\'' && strspn(at + length + 1, number_letters) > 0)
        length += 1 + strspn(at + length + 1, number_letters);
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

/* A word, a number, a text in quotes, ++, --, ->, or another character; of length 0 at the end of the body. */
typedef struct token {
    const char *at;
    size_t length;
} token;

static bool is_pair(const char *at)
{
    return (at[0] == '+' && at[1] == '+') || (at[0] == '-' && (at[1] == '-' || at[1] == '>'));
}

static token token_at(const char *at)
{
    while (strspn(at, " \t\n") > 0 || (at[0] == '/' && (at[1] == '*' || at[1] == '/')))
        at = *at == '/' ? after_comment(at) : at + 1;
    if (*at == '"' || *at == '\'')
        return (token){ at, (size_t)(after_quotes(at) - at) };
    size_t length = word_length(at);
    return (token){ at, length > 0 ? length : is_pair(at) ? 2 : *at != '\0' };
}

static token next_token(token t)
{
    return token_at(t.at + t.length);
}

static bool is(token t, const char *text)
{
    return strlen(text) == t.length && memcmp(t.at, text, t.length) == 0;
}

static bool is_word(token t)
{
    return t.length > 0 && word_length(t.at) == t.length;
}

cohort_status cohort_items_check_body(const char *who, const char *body)
{
    for (token t = token_at(body); t.length > 0; t = next_token(t))
        if (is(t, "return") || is(t, "goto"))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: the body of an item has '%.*s', which would end the host's loop over the "
                                    "items and not only this one; leave an item with 'continue', or put the rest into "
                                    "an 'if'",
                                    who, (int)t.length, t.at);
    return COHORT_OK;
}

/* ---- What a body does to a name. */

static bool is_assignment(token t)
{
    const char *at = t.at;
    if (is(t, "++") || is(t, "--"))
        return true;
    if ((at[0] == '<' || at[0] == '>') && at[1] == at[0])
        return at[2] == '=';
    return *at != '\0' && strchr("+-*/%&|^", *at) != NULL ? at[1] == '=' : at[0] == '=' && at[1] != '=';
}

/* A word before a name makes it that of a new variable: its type. */
static bool is_type(token t)
{
    static const char *const others[] = { "else", "do", "case", "sizeof" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is(t, others[i]))
            return false;
    return is_word(t);
}

/* The name, or a member of it, gets another content: `before` is the token before the name. */
static bool is_changed(token before, token name)
{
    token after = next_token(name);
    while (is(after, "."))
        after = next_token(next_token(after));
    if (is(before, "++") || is(before, "--"))
        return !is(after, "["); /* else it is an element */
    return is_assignment(after) && (!is(before, "*") || is(after, "++") || is(after, "--"));
}

cohort_status cohort_items_check_name(const char *who, const char *body, const char *name)
{
    token before = { body, 0 };
    for (token t = token_at(body); t.length > 0; before = t, t = next_token(t)) {
        if (!is(t, name) || is(before, ".") || is(before, "->"))
            continue;
        if (is_type(before))
            return COHORT_OK;
        if (is_changed(before, t))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: the body of an item changes '%s', which the host's loop would hand to the "
                                    "items behind it, and a kernel would not; copy it to a variable of the body",
                                    who, name);
    }
    return COHORT_OK;
}
