/* SPDX-License-Identifier: BSD-3-Clause */
/* A body of an item is C that nobody has parsed: what is looked at are its tokens, before macros
 * are expanded. So the checks err on the side of letting pass: they find the plain mistakes, and
 * say so where the mistake is made, while macros and strange nesting go unseen. */
#include "config.h"

#include "runtime/function/items_body.h"

#include "runtime/base/error.h"

#include <stdbool.h>
#include <string.h>

/* Characters of words and, with the point, of numbers such as 0x1p-3f and 10'000, in which no
 * word starts. */
static const char number_letters[] =
    "._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
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

/* A word, a number, a text in quotes, ++, --, ->, or another character; of length 0 at the end of
 * the body. */
typedef struct token {
    const char *at;
    size_t length;
} token;

static bool is_pair(const char *at)
{
    return (at[0] == '+' && at[1] == '+') || (at[0] == '-' && (at[1] == '-' || at[1] == '>'));
}

/* Blanks, comments, and a backslash that ends its line. */
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

static token token_at(const char *at)
{
    at = after_blanks(at);
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

static bool is_any(token t, const char *const texts[])
{
    bool found = false;
    for (; *texts != NULL && !found; texts++)
        found = is(t, *texts);
    return found;
}

static bool is_word(token t)
{
    return t.length > 0 && strspn(t.at, letters) > 0 && strspn(t.at, digits) == 0;
}

cohort_status cohort_items_body_check(const char *who, const char *body)
{
    for (token t = token_at(body); t.length > 0; t = next_token(t))
        if (is(t, "return") || is(t, "goto"))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: the body of an item has '%.*s', which would end the host's loop over the "
                "items and not only this one; leave an item with 'continue', or put the rest into "
                "an 'if'",
                who, (int)t.length, t.at);
    return COHORT_OK;
}

/* ---- Variables of the body that hide a name. */

/* Where in the body the name that is looked for is that of another variable, which hides it. */
typedef enum hiding { SHOWN, IN_BLOCK, IN_FOR_HEADER, IN_FOR_STATEMENT } hiding;

/* Walks over the tokens of a body. */
typedef struct walk {
    token t, before, before_that;
    int braces, parens; /* around the token; brackets count as parens */
    /* parens around the declarators of this statement; -1: it declares nothing */
    int declares;
    bool is_initializer; /* the token is what a declarator is initialized with */
    hiding hiding;
    int block; /* braces around IN_BLOCK */
} walk;

static walk walk_over(const char *body)
{
    return (walk){
        .t = token_at(body), .before = { body, 0 }, .before_that = { body, 0 }, .declares = -1
    };
}

/* A declaration stands at the beginning of the body, of a statement, or of the header of a for
 * loop. */
static bool begins_statement(const walk *w)
{
    static const char *const ends[] = { ";", "{", "}", NULL };
    bool is_for = is(w->before, "(") && is(w->before_that, "for");
    return is_for || (w->parens == 0 && (w->before.length == 0 || is_any(w->before, ends)));
}

/* Words, then perhaps stars, and another word: `const float *a`, `struct pair p`. In an
 * expression two words never stand side by side, but for the keywords that are excluded here. */
static bool begins_declaration(token t)
{
    static const char *const no_types[] = { "if",     "for",    "while",    "do",
                                            "else",   "switch", "case",     "default",
                                            "sizeof", "break",  "continue", NULL };
    if (!is_word(t) || is_any(t, no_types))
        return false;
    t = next_token(t);
    while (is(t, "*"))
        t = next_token(t);
    return is_word(t);
}

/* Behind `=` stands an expression until the next comma at the same depth: names in it are uses. */
static bool is_declarator(const walk *w)
{
    bool is_there = w->declares == w->parens && !w->is_initializer;
    return is_there && (is_word(w->before) || is(w->before, "*") || is(w->before, ","));
}

/* From the declarator on; its scope is the block, or the loop whose header declares it. */
static void hide(walk *w)
{
    w->hiding = w->parens > 0 ? IN_FOR_HEADER : IN_BLOCK;
    w->block = w->braces;
}

/* What a closing parenthesis, brace or semicolon ends. */
static void close_hiding(walk *w)
{
    if (w->hiding == IN_FOR_HEADER && is(w->t, ")") && w->parens == 0) {
        w->hiding = is(next_token(w->t), "{") ? IN_BLOCK : IN_FOR_STATEMENT;
        w->block = w->braces + 1;
    } else if ((w->hiding == IN_FOR_STATEMENT && is(w->t, ";") && w->parens == 0) ||
               (w->hiding == IN_BLOCK && w->braces < w->block)) {
        w->hiding = SHOWN;
    }
}

/* The next token; false at the end of the body. */
static bool step(walk *w)
{
    static const char *const opening[] = { "(", "[", NULL }, *const closing[] = { ")", "]", NULL };
    w->parens += is_any(w->t, opening);
    w->braces += is(w->t, "{");
    w->before_that = w->before;
    w->before = w->t;
    w->t = next_token(w->t);
    w->parens -= is_any(w->t, closing);
    w->braces -= is(w->t, "}");
    close_hiding(w);
    if (begins_statement(w)) {
        w->declares = begins_declaration(w->t) ? w->parens : -1;
        w->is_initializer = false;
    } else if (w->declares == w->parens && (is(w->t, "=") || is(w->t, ","))) {
        w->is_initializer = is(w->t, "=");
    }
    return w->t.length > 0;
}

/* ---- What a body does to a name. */

static bool is_assignment(token t)
{
    const char *at = t.at;
    if (is(t, "++") || is(t, "--"))
        return true;
    if ((at[0] == '<' || at[0] == '>') && at[1] == at[0])
        return at[2] == '=';
    return *at != '\0' && strchr("+-*/%&|^", *at) != NULL ? at[1] == '='
                                                          : at[0] == '=' && at[1] != '=';
}

/* For an array access a[...]: the token behind the bracket that closes. */
static token after_brackets(token t)
{
    int depth = 0;
    do {
        depth += is(t, "[") - is(t, "]");
        t = next_token(t);
    } while (depth > 0 && t.length > 0);
    return t;
}

/* For members of a struct and their elements, p.a[1].b: the token behind them. */
static token after_members(token t)
{
    while (is(t, ".")) {
        t = next_token(next_token(t));
        while (is(t, "["))
            t = after_brackets(t);
    }
    return t;
}

/* `(name)` is the name, unless the parentheses are those of a call, a cast, or a condition. */
static void leave_parens(token *before, token *after, token before_that)
{
    if (is(*before, "(") && is(*after, ")") && !is_word(before_that) && !is(before_that, ")") &&
        !is(before_that, "]")) {
        *before = before_that;
        *after = next_token(*after);
    }
}

/* The name, or a member of it, gets another content; what a pointer points to may. */
static bool is_changed(const walk *w)
{
    token before = w->before, after = next_token(w->t);
    leave_parens(&before, &after, w->before_that);
    bool has_elements = is(after, "[") || is(after, "->");
    after = after_members(after);
    if (has_elements)
        return false;
    if (is(before, "++") || is(before, "--") || is(after, "++") || is(after, "--"))
        return true;
    return is_assignment(after) && !is(before, "*");
}

/* `&name`, and not `x & name`: whoever has the address can change the variable. */
static bool is_pointed_to(const walk *w)
{
    bool is_operator = is_word(w->before_that) || is(w->before_that, ")") ||
                       is(w->before_that, "]") || strspn(w->before_that.at, digits) > 0 ||
                       is(w->before_that, "&");
    token after = next_token(w->t);
    return is(w->before, "&") && !is_operator && !is(after, "[") && !is(after, "->");
}

cohort_status cohort_items_body_check_name(const char *who, const char *body, const char *name)
{
    walk w = walk_over(body);
    do {
        bool is_it = is(w.t, name) && !is(w.before, ".") && !is(w.before, "->");
        if (is_it && is_declarator(&w))
            hide(&w);
        else if (is_it && w.hiding == SHOWN && (is_changed(&w) || is_pointed_to(&w)))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: the body of an item changes '%s', or takes its address; the host's loop would "
                "hand a change to the items behind it, and a kernel would not: copy it to a "
                "variable of the body",
                who, name);
    } while (step(&w));
    return COHORT_OK;
}

/* ---- What a body does with the elements of an array. */

static bool is_same(token a, token b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static bool is_declared(const char *body, token word)
{
    walk w = walk_over(body);
    bool found = false;
    do
        found = is_same(w.t, word) && is_declarator(&w);
    while (!found && step(&w));
    return found;
}

/* Words that no sane program makes macros of. */
static bool is_of_c(token t)
{
    static const char *const words[] = {
        "if",     "else",     "for",     "while",   "do",       "switch",   "case",     "default",
        "break",  "continue", "sizeof",  "const",   "volatile", "signed",   "unsigned", "char",
        "short",  "int",      "long",    "float",   "double",   "bool",     "_Bool",    "struct",
        "int8_t", "int16_t",  "int32_t", "int64_t", "uint8_t",  "uint16_t", "uint32_t", "uint64_t",
        "size_t", "sqrt",     "sqrtf",   "fabs",    "fabsf",    "fmin",     "fminf",    "fmax",
        "fmaxf",  "floor",    "floorf",  "ceil",    "ceilf",    "exp",      "expf",     "log",
        "logf",   "pow",      "powf",    "sin",     "sinf",     "cos",      "cosf",     "tanh",
        "tanhf",  "fma",      "fmaf",    NULL
    };
    static const char ours[] = "cohort_";
    bool is_ours = t.length > sizeof ours - 1 && memcmp(t.at, ours, sizeof ours - 1) == 0;
    return is_ours || is_any(t, words);
}

/* An "&" before the name or before parentheses around it. Where there are several of those, one
 * anywhere in the body will do. */
static bool may_be_addressed(const walk *w, const char *body)
{
    bool is_enclosed = is(w->before, "(");
    return is(w->before, "&") || (is_enclosed && is(w->before_that, "&")) ||
           (is_enclosed && is(w->before_that, "(") && strchr(body, '&') != NULL);
}

/* name[item], of which nobody takes the address. */
static bool is_own_element(const walk *w, const char *body, const char *item)
{
    token open = next_token(w->t), index = next_token(open);
    return is(open, "[") && is(index, item) && is(next_token(index), "]") &&
           !may_be_addressed(w, body);
}

bool cohort_items_body_is_own(const char *body, const char *name, const char *item,
                              const char *const words[])
{
    walk w = walk_over(body);
    bool is_own = true;
    do {
        bool is_member = is(w.before, ".") || is(w.before, "->");
        if (!is_word(w.t) || is_member)
            continue;
        if (is(w.t, name))
            is_own = is_own_element(&w, body, item) && !is_declarator(&w);
        else if (is(w.t, item))
            is_own = !is_declarator(&w);
        else
            is_own = is_any(w.t, words) || is_of_c(w.t) || is_declared(body, w.t);
    } while (is_own && step(&w));
    return is_own;
}
