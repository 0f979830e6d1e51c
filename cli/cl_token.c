/* SPDX-License-Identifier: BSD-3-Clause */
/* The first phases of translation: lines that go on, comments, tokens. Bytes that begin nothing
 * are marks, which whoever reads a declaration refuses. */
#include "config.h"

#include "cli/cl_token.h"

#include "cli/ascii.h"

#include <string.h>

/* Bytes of a backslash and the end of line behind it; 0: something else. */
static size_t joint(const char *at, const char *end)
{
    if (*at != '\\')
        return 0;
    if (end - at >= 2 && at[1] == '\n')
        return 2;
    return end - at >= 3 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/* The ends of lines that are left out come behind the next that stays. */
char *cl_splice(pool *p, const char *text, size_t bytes, const char **out_end)
{
    char *whole = pool_take(p, bytes + 1), *to = whole;
    const char *end = text + bytes;
    size_t owed = 0;
    for (const char *at = text; whole != NULL && at < end;) {
        size_t joined = joint(at, end);
        owed += joined > 0;
        if (joined == 0)
            *to++ = *at;
        if (joined == 0 && *at == '\n')
            for (; owed > 0; owed--)
                *to++ = '\n';
        at += joined > 0 ? joined : 1;
    }
    *out_end = to;
    return whole;
}

static void skip_comment(cl_lexer *lexer)
{
    bool is_line = lexer->at[1] == '/';
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        bool is_end = lexer->end - lexer->at >= 2 && lexer->at[0] == '*' && lexer->at[1] == '/';
        if (is_line && *lexer->at == '\n')
            return;
        if (!is_line && is_end) {
            lexer->at += 2;
            return;
        }
        lexer->line += *lexer->at == '\n';
    }
}

/* Blanks and comments; whether there were any. */
static bool skip_blank(cl_lexer *lexer)
{
    const char *first = lexer->at;
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        bool is_comment =
            c == '/' && lexer->end - lexer->at >= 2 && (lexer->at[1] == '/' || lexer->at[1] == '*');
        if (is_comment) {
            skip_comment(lexer);
            continue;
        }
        if (!ascii_is_space(c) && c != '\0')
            break;
        lexer->line += c == '\n';
        lexer->is_fresh |= c == '\n';
        lexer->at++;
    }
    return lexer->at > first;
}

static const char *end_of_name(const char *at, const char *end)
{
    while (at < end && ascii_is_of_name(*at))
        at++;
    return at;
}

/* With the sign of an exponent. */
static const char *end_of_number(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        char before = ascii_lower(at[-1]);
        bool is_sign = (*at == '+' || *at == '-') && (before == 'e' || before == 'p');
        if (!ascii_is_of_name(*at) && *at != '.' && !is_sign)
            break;
    }
    return at;
}

static const char *end_of_text(const char *at, const char *end)
{
    char quote = *at;
    for (at++; at < end && *at != '\n'; at++) {
        if (*at == quote)
            return at + 1;
        if (*at == '\\' && at + 1 < end && at[1] != '\n')
            at++;
    }
    return at;
}

/* Those of several characters that an expression or a macro may have. */
static const char *end_of_mark(const char *at, const char *end)
{
    static const char *const marks[] = {
        "...", "##", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t bytes = strlen(marks[i]);
        if ((size_t)(end - at) >= bytes && memcmp(at, marks[i], bytes) == 0)
            return at + bytes;
    }
    return at + 1;
}

cl_token cl_lexer_next(cl_lexer *lexer)
{
    bool has_space = skip_blank(lexer);
    const char *at = lexer->at, *end = lexer->end;
    cl_token token = { .kind = CL_END,
                       .line = lexer->line,
                       .start = at,
                       .file = lexer->file,
                       .is_first = lexer->is_fresh,
                       .has_space = has_space };
    lexer->is_fresh = false;
    if (at == end)
        return token;
    bool is_fraction = *at == '.' && end - at >= 2 && ascii_is_digit(at[1]);
    token.kind = ascii_is_digit(*at) || is_fraction ? CL_NUMBER
                 : ascii_is_of_name(*at)            ? CL_NAME
                 : *at == '"' || *at == '\''        ? CL_TEXT
                                                    : CL_MARK;
    lexer->at = token.kind == CL_NAME     ? end_of_name(at, end)
                : token.kind == CL_NUMBER ? end_of_number(at, end)
                : token.kind == CL_TEXT   ? end_of_text(at, end)
                                          : end_of_mark(at, end);
    token.length = (int32_t)(lexer->at - at);
    return token;
}

bool cl_is(cl_token token, const char *text)
{
    return token.length > 0 && strlen(text) == (size_t)token.length &&
           memcmp(token.start, text, (size_t)token.length) == 0;
}

bool cl_same(cl_token a, cl_token b)
{
    return a.length == b.length && memcmp(a.start, b.start, (size_t)a.length) == 0;
}

bool cl_list_add(pool *p, cl_list *list, cl_token token)
{
    if (!pool_grow(p, (void **)&list->tokens, list->n, &list->capacity, sizeof token))
        return false;
    list->tokens[list->n++] = token;
    return true;
}

bool cl_list_add_all(pool *p, cl_list *list, const cl_token *tokens, int n)
{
    for (int i = 0; i < n; i++)
        if (!cl_list_add(p, list, tokens[i]))
            return false;
    return true;
}
