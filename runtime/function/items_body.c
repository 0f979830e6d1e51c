/* SPDX-License-Identifier: BSD-3-Clause */
/* A body of an item is C that nobody has parsed: what is looked at are its tokens, before macros
 * are expanded. So the checks err on the side of letting pass: they find the plain mistakes, and
 * say so where the mistake is made, while macros and strange nesting go unseen. */
#include "config.h"

#include "runtime/function/items_body.h"

#include "runtime/base/error.h"
#include "runtime/function/items_token.h"

#include <stdbool.h>
#include <string.h>

static const char digits[] = "0123456789";

cohort_status cohort_items_body_check(const char *who, const char *body)
{
    for (cohort_token t = cohort_items_token(body); t.length > 0; t = cohort_items_next(t))
        if (cohort_token_is(t, "return") || cohort_token_is(t, "goto"))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: the body of an item has '%.*s', which would end the host's loop over the "
                "items and not only this one; leave an item with 'continue', or put the rest into "
                "an 'if'",
                who, (int)t.length, t.start);
    return COHORT_OK;
}

/* ---- Variables of the body that hide a name. */

/* Where in the body the name that is looked for is that of another variable, which hides it. */
typedef enum hiding { SHOWN, IN_BLOCK, IN_FOR_HEADER, IN_FOR_STATEMENT } hiding;

/* Walks over the tokens of a body. */
typedef struct walk {
    cohort_token t, before, before_that;
    int braces, parens; /* around the token; brackets count as parens */
    /* parens around the declarators of this statement; -1: it declares nothing */
    int declares;
    bool is_initializer; /* the token is what a declarator is initialized with */
    hiding hiding;
    int block; /* braces around IN_BLOCK */
} walk;

static walk walk_over(const char *body)
{
    const cohort_token first = cohort_items_token(body), nothing = { COHORT_TOKEN_END, body, 0 };
    return (walk){ .t = first, .before = nothing, .before_that = nothing, .declares = -1 };
}

/* A declaration stands at the beginning of the body, of a statement, or of the header of a for
 * loop. */
static bool begins_statement(const walk *w)
{
    static const char *const ends[] = { ";", "{", "}", NULL };
    bool is_for = cohort_token_is(w->before, "(") && cohort_token_is(w->before_that, "for");
    return is_for ||
           (w->parens == 0 && (w->before.length == 0 || cohort_items_is_any(w->before, ends)));
}

/* Words, then perhaps stars, and another word: `const float *a`, `struct pair p`. In an
 * expression two words never stand side by side, but for the keywords that are excluded here. */
static bool begins_declaration(cohort_token t)
{
    static const char *const no_types[] = { "if",     "for",    "while",    "do",
                                            "else",   "switch", "case",     "default",
                                            "sizeof", "break",  "continue", NULL };
    if (!cohort_items_is_word(t) || cohort_items_is_any(t, no_types))
        return false;
    t = cohort_items_next(t);
    while (cohort_token_is(t, "*"))
        t = cohort_items_next(t);
    return cohort_items_is_word(t);
}

/* Behind `=` stands an expression until the next comma at the same depth: names in it are uses. */
static bool is_declarator(const walk *w)
{
    bool is_there = w->declares == w->parens && !w->is_initializer;
    return is_there && (cohort_items_is_word(w->before) || cohort_token_is(w->before, "*") ||
                        cohort_token_is(w->before, ","));
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
    if (w->hiding == IN_FOR_HEADER && cohort_token_is(w->t, ")") && w->parens == 0) {
        w->hiding = cohort_token_is(cohort_items_next(w->t), "{") ? IN_BLOCK : IN_FOR_STATEMENT;
        w->block = w->braces + 1;
    } else if ((w->hiding == IN_FOR_STATEMENT && cohort_token_is(w->t, ";") && w->parens == 0) ||
               (w->hiding == IN_BLOCK && w->braces < w->block)) {
        w->hiding = SHOWN;
    }
}

/* The next token; false at the end of the body. */
static bool step(walk *w)
{
    static const char *const opening[] = { "(", "[", NULL }, *const closing[] = { ")", "]", NULL };
    w->parens += cohort_items_is_any(w->t, opening);
    w->braces += cohort_token_is(w->t, "{");
    w->before_that = w->before;
    w->before = w->t;
    w->t = cohort_items_next(w->t);
    w->parens -= cohort_items_is_any(w->t, closing);
    w->braces -= cohort_token_is(w->t, "}");
    close_hiding(w);
    if (begins_statement(w)) {
        w->declares = begins_declaration(w->t) ? w->parens : -1;
        w->is_initializer = false;
    } else if (w->declares == w->parens &&
               (cohort_token_is(w->t, "=") || cohort_token_is(w->t, ","))) {
        w->is_initializer = cohort_token_is(w->t, "=");
    }
    return w->t.length > 0;
}

/* ---- What a body does to a name. */

static bool is_assignment(cohort_token t)
{
    const char *at = t.start;
    if (cohort_token_is(t, "++") || cohort_token_is(t, "--"))
        return true;
    if ((at[0] == '<' || at[0] == '>') && at[1] == at[0])
        return at[2] == '=';
    return *at != '\0' && strchr("+-*/%&|^", *at) != NULL ? at[1] == '='
                                                          : at[0] == '=' && at[1] != '=';
}

/* For an array access a[...]: the token behind the bracket that closes. */
static cohort_token after_brackets(cohort_token t)
{
    int depth = 0;
    do {
        depth += cohort_token_is(t, "[") - cohort_token_is(t, "]");
        t = cohort_items_next(t);
    } while (depth > 0 && t.length > 0);
    return t;
}

/* For members of a struct and their elements, p.a[1].b: the token behind them. */
static cohort_token after_members(cohort_token t)
{
    while (cohort_token_is(t, ".")) {
        t = cohort_items_next(cohort_items_next(t));
        while (cohort_token_is(t, "["))
            t = after_brackets(t);
    }
    return t;
}

/* `(name)` is the name, unless the parentheses are those of a call, a cast, or a condition. */
static void leave_parens(cohort_token *before, cohort_token *after, cohort_token before_that)
{
    if (cohort_token_is(*before, "(") && cohort_token_is(*after, ")") &&
        !cohort_items_is_word(before_that) && !cohort_token_is(before_that, ")") &&
        !cohort_token_is(before_that, "]")) {
        *before = before_that;
        *after = cohort_items_next(*after);
    }
}

/* The name, or a member of it, gets another content; what a pointer points to may. */
static bool is_changed(const walk *w)
{
    cohort_token before = w->before, after = cohort_items_next(w->t);
    leave_parens(&before, &after, w->before_that);
    bool has_elements = cohort_token_is(after, "[") || cohort_token_is(after, "->");
    after = after_members(after);
    if (has_elements)
        return false;
    if (cohort_token_is(before, "++") || cohort_token_is(before, "--") ||
        cohort_token_is(after, "++") || cohort_token_is(after, "--"))
        return true;
    return is_assignment(after) && !cohort_token_is(before, "*");
}

/* `&name`, and not `x & name`: whoever has the address can change the variable. */
static bool is_pointed_to(const walk *w)
{
    bool is_operator =
        cohort_items_is_word(w->before_that) || cohort_token_is(w->before_that, ")") ||
        cohort_token_is(w->before_that, "]") || strspn(w->before_that.start, digits) > 0 ||
        cohort_token_is(w->before_that, "&");
    cohort_token after = cohort_items_next(w->t);
    return cohort_token_is(w->before, "&") && !is_operator && !cohort_token_is(after, "[") &&
           !cohort_token_is(after, "->");
}

cohort_status cohort_items_body_check_name(const char *who, const char *body, const char *name)
{
    walk w = walk_over(body);
    do {
        bool is_it = cohort_token_is(w.t, name) && !cohort_token_is(w.before, ".") &&
                     !cohort_token_is(w.before, "->");
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

/* ---- Variables that stay what they begin with. */

/* What stands before a name changes it, or takes its address: ++, -- and &. Behind
 * a word, a number or a bracket, and in a && k, the & computes; behind a parenthesis, which may be
 * that of a cast, nobody knows. */
static bool is_prefix(cohort_token last, cohort_token before_last)
{
    bool computes = cohort_items_is_word(before_last) || before_last.kind == COHORT_TOKEN_NUMBER ||
                    cohort_token_is(before_last, "]") ||
                    (cohort_token_is(before_last, "&") && before_last.start + 1 == last.start);
    return cohort_token_is(last, "++") || cohort_token_is(last, "--") ||
           (cohort_token_is(last, "&") && !computes);
}

/* ++ and -- behind the parenthesis of an if belong to what follows them. */
static bool is_postfix(cohort_token t)
{
    cohort_token next = cohort_items_next(t);
    bool is_step = cohort_token_is(t, "++") || cohort_token_is(t, "--");
    return is_assignment(t) &&
           !(is_step && (cohort_items_is_word(next) || cohort_token_is(next, "(")));
}

/* k++, k = 3, (k) += 2, and in C++ (c ? k : m) = 3: in whichever parentheses it stands, but as an
 * index, and up to the end of the statement. */
static bool is_changed_behind(cohort_token name)
{
    static const char *const opening[] = { "(", "[", "{", NULL }, *const closing[] = { ")", "]",
                                                                                       "}", NULL };
    cohort_token t = cohort_items_next(name);
    bool is_changed = is_assignment(t), is_element = false;
    int depth = 0;
    for (; t.length > 0 && !cohort_token_is(t, ";") && !is_changed && !is_element;
         t = cohort_items_next(t)) {
        depth += cohort_items_is_any(t, opening);
        if (!cohort_items_is_any(t, closing) || depth-- > 0)
            continue;
        depth = 0;
        is_element = !cohort_token_is(t, ")");
        is_changed = !is_element && is_postfix(cohort_items_next(t));
    }
    return is_changed;
}

/* Where a token stands: what is before it, and how many parentheses are around it from one on that
 * is stepped, as in ++(k). An address, &(k), the parser refuses (items_expression.c). */
typedef struct place {
    cohort_token last, before_last;
    int depth;
} place;

static void step_over(place *at, cohort_token t)
{
    bool is_step = cohort_token_is(at->last, "++") || cohort_token_is(at->last, "--");
    if (cohort_token_is(t, "(") && (at->depth > 0 || is_step))
        at->depth++;
    else if (cohort_token_is(t, ")") && at->depth > 0)
        at->depth--;
    at->before_last = at->last;
    at->last = t;
}

static bool is_kept_at(const place *at, cohort_token t, bool is_declarator)
{
    static const char *const fronts[] = { "(", ",", "?", ":", NULL }; /* not w + k */
    bool is_member = cohort_token_is(at->last, ".") || cohort_token_is(at->last, "->");
    bool is_whole = cohort_items_is_any(at->last, fronts);
    return is_member || (at->depth == 0 && !is_prefix(at->last, at->before_last) &&
                         (is_declarator || !(is_whole ? is_changed_behind(t)
                                                      : is_assignment(cohort_items_next(t)))));
}

bool cohort_items_body_keeps(const char *body, cohort_token name)
{
    place at = { .last = { .start = "" }, .before_last = { .start = "" } };
    bool keeps = true;
    for (cohort_token t = cohort_items_token(body); t.length > 0 && keeps;
         t = cohort_items_next(t)) {
        if (t.length == name.length && memcmp(t.start, name.start, name.length) == 0)
            keeps = is_kept_at(&at, t, t.start == name.start);
        step_over(&at, t);
    }
    return keeps;
}
