/* SPDX-License-Identifier: BSD-3-Clause */
/* The statements of a body, and what its parser shares. */
#include "config.h"

#include "runtime/function/items_types.h"

#include "runtime/base/error.h"
#include "runtime/function/items_body.h"
#include "runtime/function/items_names.h"
#include "runtime/function/items_ours.h"
#include "runtime/function/items_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef cohort_items_value value;
typedef cohort_items_parser parser;

/* Blocks, parentheses and operands inside each other: as much as the stack of a small thread
 * takes. */
enum { MAX_DEPTH = 200 };

/* ---- What expressions, declarations and statements use. */

void cohort_items_parser_end(parser *p, cohort_status status)
{
    p->status = p->status == COHORT_OK ? status : p->status;
    p->token = (cohort_token){ .start = "" };
}

void cohort_items_parser_refuse(parser *p, const char *format, ...)
{
    char what[COHORT_ERROR_BYTES / 2];
    va_list list;
    if (p->status != COHORT_OK)
        return;
    va_start(list, format);
    (void)vsnprintf(what, sizeof what, format, list);
    va_end(list);
    cohort_items_parser_end(p, cohort_error_set(COHORT_EINVAL, "%s: %s %s", p->who, p->part, what));
}

void cohort_items_parser_step(parser *p)
{
    p->token = cohort_items_next(p->token);
}

bool cohort_items_parser_accept(parser *p, const char *mark)
{
    bool is_there = cohort_token_is(p->token, mark);
    if (is_there)
        cohort_items_parser_step(p);
    return is_there;
}

bool cohort_items_parser_enter(parser *p)
{
    if (p->depth >= MAX_DEPTH)
        cohort_items_parser_refuse(p,
                                   "has more than %d blocks, parentheses or operands inside "
                                   "each other: divide it",
                                   MAX_DEPTH);
    p->depth += p->status == COHORT_OK;
    return p->status == COHORT_OK;
}

void cohort_items_parser_leave(parser *p)
{
    p->depth--;
}

void cohort_items_parser_declare(parser *p, cohort_items_symbol symbol)
{
    if (p->status == COHORT_OK && !cohort_items_symbols_add(&p->symbols, symbol))
        cohort_items_parser_end(p, cohort_error_memory("the names of a body"));
}

void cohort_items_parser_skip_brackets(parser *p)
{
    static const char *const opening[] = { "(", "[", "{", NULL }, *const closing[] = { ")", "]",
                                                                                       "}", NULL };
    int64_t depth = 0;
    do {
        depth += cohort_items_is_any(p->token, opening);
        depth -= cohort_items_is_any(p->token, closing);
        cohort_items_parser_step(p);
    } while (depth > 0 && p->token.length > 0);
}

/* ---- Statements */

/* Two words side by side, of which the first is no word of a statement: a type of the program's,
 * and a variable. */
static bool is_declaration(const parser *p)
{
    static const char *const words[] = { "else", "do", "case", "default", "goto", "return", NULL };
    if (cohort_items_begins_type(p, p->token))
        return true;
    return p->token.kind == COHORT_TOKEN_NAME && !cohort_items_is_any(p->token, words) &&
           cohort_items_is_word(cohort_items_next(p->token));
}

static void block(parser *p)
{
    size_t count = p->symbols.count;
    cohort_items_parser_step(p);
    while (p->token.length > 0 && !cohort_token_is(p->token, "}"))
        cohort_items_statement(p);
    (void)cohort_items_parser_accept(p, "}");
    cohort_items_symbols_leave(&p->symbols, count);
}

/* for (declaration; condition; expression) statement: what is declared belongs to the statement. */
static void loop(parser *p)
{
    size_t count = p->symbols.count;
    cohort_items_parser_step(p);
    (void)cohort_items_parser_accept(p, "(");
    if (is_declaration(p))
        cohort_items_declaration(p);
    while (p->token.length > 0 && !cohort_token_is(p->token, ")")) {
        const char *before = p->token.start;
        (void)cohort_items_expression(p);
        if (!cohort_items_parser_accept(p, ";") && p->token.start == before)
            break;
    }
    (void)cohort_items_parser_accept(p, ")");
    cohort_items_statement(p);
    cohort_items_symbols_leave(&p->symbols, count);
}

/* while (...), if (...), switch (...), with the statement behind it: what a loop around it declares
 * is known there. */
static void conditional(parser *p)
{
    cohort_items_parser_step(p);
    if (cohort_items_parser_accept(p, "("))
        (void)cohort_items_expression(p);
    (void)cohort_items_parser_accept(p, ")");
    cohort_items_statement(p);
}

/* A row of else if (...) is no deeper than its first if. */
static void branches(parser *p)
{
    bool has_else;
    do {
        conditional(p);
        has_else = cohort_items_parser_accept(p, "else");
    } while (has_else && cohort_token_is(p->token, "if"));
    if (has_else)
        cohort_items_statement(p);
}

/* do statement while (...): behind it ends what holds the loop, such as an if before its else. */
static void repetition(parser *p)
{
    cohort_items_statement(p);
    (void)cohort_items_parser_accept(p, "while");
    if (cohort_items_parser_accept(p, "("))
        (void)cohort_items_expression(p);
    (void)cohort_items_parser_accept(p, ")");
}

/* case 3: or default:, of the statement behind it. */
static bool label(parser *p)
{
    bool is_case = cohort_items_parser_accept(p, "case");
    if (is_case)
        (void)cohort_items_expression(p);
    else if (!cohort_items_parser_accept(p, "default"))
        return false;
    (void)cohort_items_parser_accept(p, ":");
    return true;
}

/* An expression, a declaration, or a statement with its condition. */
static void part(parser *p)
{
    static const char *const conditions[] = { "while", "switch", NULL };
    static const char *const fronts[] = { "break", "continue", NULL };
    static const char *const assertions[] = { "_Static_assert", "static_assert", NULL };
    if (cohort_token_is(p->token, "if")) {
        branches(p);
    } else if (cohort_items_is_any(p->token, conditions)) {
        conditional(p);
    } else if (cohort_items_parser_accept(p, "do")) {
        repetition(p);
    } else if (cohort_items_is_any(p->token, fronts)) {
        cohort_items_parser_step(p);
    } else if (cohort_items_is_any(p->token, assertions)) {
        cohort_items_parser_step(p);
        (void)cohort_items_expression(p); /* in parentheses, with the text behind a comma */
    } else if (p->result != NULL && cohort_items_parser_accept(p, "return")) {
        if (!cohort_token_is(p->token, ";"))
            cohort_items_use(p, cohort_items_expression(p), *p->result);
    } else if (is_declaration(p)) {
        cohort_items_declaration(p);
    } else {
        (void)cohort_items_expression(p);
    }
}

/* Whatever it is, at least one token of it is read. */
void cohort_items_statement(parser *p)
{
    const char *before = p->token.start;
    if (!cohort_items_parser_enter(p))
        return;
    while (label(p))
        continue;
    if (cohort_token_is(p->token, "{"))
        block(p);
    else if (cohort_token_is(p->token, "for"))
        loop(p);
    else
        part(p);
    if (p->token.start == before)
        cohort_items_parser_step(p);
    (void)cohort_items_parser_accept(p, ";");
    cohort_items_parser_leave(p);
}

/* ---- The body */

static void declare(parser *p, const char *name, value v)
{
    cohort_items_parser_declare(
        p, (cohort_items_symbol){
               .name = { COHORT_TOKEN_NAME, name, strlen(name) }, .value = v, .owner = -1 });
}

/* What a body changes, against the rules and unseen (items_body.h), is no place. */
static int32_t form_of(const parser *p, const char *name, int32_t number)
{
    cohort_token token = { COHORT_TOKEN_NAME, name, strlen(name) };
    bool is_kept = p->own != NULL && cohort_items_body_keeps(p->own->body, token);
    return is_kept ? cohort_items_own_name(p->own, number) : 0;
}

/* A struct of the prototype is one that the function lists, or a vector, which no body of C can
 * use. */
static void declare_parameter(parser *p, const cohort_parameter *parameter, int32_t number)
{
    int64_t type = parameter->type;
    /* an array of several axes is indexed flat, too: it is one pointer */
    bool is_array = parameter->rank > 0;
    if (type >= COHORT_STRUCT_BASE) {
        const char *name = p->types->names[type - COHORT_STRUCT_BASE];
        p->token = cohort_items_token(name);
        type = cohort_items_begins_type(p, p->token) ? cohort_items_type_name(p).type
                                                     : COHORT_ITEMS_FOREIGN;
    }
    declare(p, parameter->name,
            (value){ .type = type,
                     .n_stars = is_array,
                     .is_of_array = is_array,
                     .array = is_array ? number + 1 : 0,
                     .form = cohort_parameter_is_integer(parameter)
                                 ? form_of(p, parameter->name, number)
                                 : 0 });
}

cohort_status cohort_items_types_check(const cohort_signature *signature, cohort_types *types,
                                       cohort_items_helpers *helpers, cohort_items_own *own,
                                       const char *body)
{
    parser p = { .who = signature->name,
                 .part = "the body of an item",
                 .types = types,
                 .helpers = helpers,
                 .own = own };
    for (int32_t i = 0; i < signature->n_parameters; i++)
        declare_parameter(&p, &signature->parameters[i], i);
    for (int32_t i = 0; i < signature->n_indices; i++)
        declare(&p, signature->indices[i],
                (value){ .type = COHORT_I64,
                         .form = form_of(&p, signature->indices[i], signature->n_parameters + i) });
    if (p.status == COHORT_OK)
        p.token = cohort_items_token(body);
    while (p.token.length > 0)
        cohort_items_statement(&p);
    cohort_items_symbols_free(&p.symbols);
    return p.status;
}

/* ---- What a kernel needs */

bool cohort_items_calls(const char *body, const char *name)
{
    for (cohort_token t = cohort_items_token(body); t.length > 0; t = cohort_items_next(t))
        if (cohort_token_is(t, name) && cohort_token_is(cohort_items_next(t), "("))
            return true;
    return false;
}

static bool is_double(cohort_token t)
{
    bool is_float = false;
    const cohort_items_name *name =
        cohort_token_is(cohort_items_next(t), "(") ? cohort_items_name_find(t, &is_float) : NULL;
    if (t.kind == COHORT_TOKEN_NUMBER) {
        bool is_hex = t.length > 1 && (t.start[1] == 'x' || t.start[1] == 'X');
        return strchr("fF", t.start[t.length - 1]) == NULL &&
               (memchr(t.start, '.', t.length) != NULL ||
                memchr(t.start, is_hex ? 'p' : 'e', t.length) != NULL ||
                memchr(t.start, is_hex ? 'P' : 'E', t.length) != NULL);
    }
    return cohort_token_is(t, "double") || cohort_items_constant(t) == COHORT_F64 ||
           (name != NULL && name->kind <= COHORT_ITEMS_BOUNDED && !is_float);
}

bool cohort_items_has_doubles(const char *body)
{
    bool has = false;
    for (cohort_token t = cohort_items_token(body); t.length > 0 && !has; t = cohort_items_next(t))
        has = t.kind != COHORT_TOKEN_MARK && is_double(t);
    return has || cohort_items_ours_double(body).length > 0;
}
