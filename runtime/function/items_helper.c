/* SPDX-License-Identifier: BSD-3-Clause */
/* A helper is parsed with names of its own, where a body or another helper uses it first, and
 * collected once it is read to its end: so those that it uses stand before it. */
#include "config.h"

#include "runtime/function/items_helper.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/function/items_expansion.h"
#include "runtime/function/items_names.h"

#include <stdio.h>
#include <string.h>

typedef cohort_items_value value;
typedef cohort_items_parser parser;
typedef cohort_items_helpers set;

const cohort_helper *cohort_items_helper_find(const set *helpers, cohort_token name)
{
    const cohort_helper *h = helpers->all;
    while (h != NULL && !cohort_token_is(name, h->name))
        h = h->next;
    return h;
}

static bool is_collected(const set *helpers, const cohort_helper *helper)
{
    bool is = false;
    for (size_t i = 0; i < helpers->count && !is; i++)
        is = strcmp(helpers->used[i].name, helper->name) == 0;
    return is;
}

/* ---- Collecting */

static const char *copied(parser *p, const char *text)
{
    return text != NULL ? cohort_arena_text(p->helpers->arena, text, strlen(text)) : NULL;
}

static void add(parser *p, const cohort_helper *helper, const char *text)
{
    set *helpers = p->helpers;
    cohort_items_helper used = { .name = copied(p, helper->name),
                                 .type = copied(p, helper->type),
                                 .parameters = copied(p, helper->parameters),
                                 .extents = copied(p, helper->extents),
                                 .source = copied(p, helper->text),
                                 .file = copied(p, helper->file),
                                 .text = text,
                                 .line = helper->line };
    bool is_copied = used.name != NULL && used.type != NULL && used.extents != NULL &&
                     used.source != NULL && used.file != NULL &&
                     (used.parameters != NULL || helper->parameters == NULL);
    if (helpers->count == COHORT_LIMIT_HELPERS)
        cohort_items_parser_refuse(p, "is one more than the %d helpers that a body may use",
                                   COHORT_LIMIT_HELPERS);
    else if (!is_copied || !cohort_grow((void **)&helpers->used, &helpers->capacity,
                                        helpers->count + 1, sizeof used))
        cohort_items_parser_end(p, cohort_error_memory("the helpers of a body"));
    else
        helpers->used[helpers->count++] = used;
}

/* ---- Parsing */

/* The name is a macro of the kernel, which stands for the helper from then on. */
static void check_name(parser *p, const cohort_helper *helper)
{
    static const char ours[] = "cohort_";
    cohort_token token = { COHORT_TOKEN_NAME, helper->name, strlen(helper->name) };
    bool is_float = false;
    const cohort_items_name *name = cohort_items_name_find(token, &is_float);
    if (token.length >= COHORT_LIMIT_NAME_BYTES)
        cohort_items_parser_refuse(p, "has a name of more than %d characters",
                                   COHORT_LIMIT_NAME_BYTES - 1);
    else if ((name != NULL && !name->is_alien) || strncmp(helper->name, ours, sizeof ours - 1) == 0)
        cohort_items_parser_refuse(
            p, "has a name that is C's or Cohort's in kernels: call it another one");
}

/* A type, and the axes of a table. */
static value read_type(parser *p, const cohort_helper *helper)
{
    p->token = cohort_items_token(helper->type);
    value v = cohort_items_type_name(p);
    if (v.type == COHORT_ITEMS_FOREIGN && p->token.kind == COHORT_TOKEN_NAME)
        cohort_items_refuse_type(p, p->token);
    if (p->status == COHORT_OK && (v.n_stars > 0 || p->token.length > 0))
        cohort_items_parser_refuse(
            p, "has the type '%s', and only numbers and structs go in and out of it", helper->type);
    v.is_of_table = helper->parameters == NULL;
    if (p->status == COHORT_OK)
        p->token = cohort_items_token(helper->extents);
    while (cohort_token_is(p->token, "[")) {
        cohort_items_parser_skip_brackets(p);
        v.n_stars++;
    }
    return v;
}

static void read_parameters(parser *p, const char *parameters)
{
    p->token = cohort_items_next(cohort_items_token(parameters));
    while (p->token.length > 0 && !cohort_token_is(p->token, ")")) {
        cohort_items_parameter(p);
        if (!cohort_items_parser_accept(p, ","))
            break;
    }
}

static void read_function(parser *p, const cohort_helper *helper, const char *text)
{
    if (p->status == COHORT_OK)
        read_parameters(p, helper->parameters);
    if (p->status == COHORT_OK)
        p->token = cohort_items_token(text);
    while (p->token.length > 0)
        cohort_items_statement(p);
}

/* Compilers compute what constants begin with, and differ in what they can. */
static void check_numbers(parser *p, const char *text)
{
    for (cohort_token t = cohort_items_token(text); t.length > 0; t = cohort_items_next(t)) {
        bool is_name = t.kind == COHORT_TOKEN_NAME && !cohort_token_is(t, "sizeof");
        if (cohort_token_is(t, "NAN"))
            cohort_items_parser_refuse(p, "has NAN, whose bits a kernel knows in bodies and "
                                          "functions alone: write it there");
        else if (is_name && cohort_token_is(cohort_items_next(t), "("))
            cohort_items_parser_refuse(p,
                                       "is made by a call of %.*s(), which a kernel cannot compute "
                                       "beforehand: write numbers and macros",
                                       cohort_token_shown(t), t.start);
        else if (is_name && cohort_items_helper_find(p->helpers, t) != NULL)
            cohort_items_parser_refuse(p,
                                       "is made of '%.*s', and C takes no other constant or table "
                                       "there: write numbers and macros",
                                       cohort_token_shown(t), t.start);
    }
}

static void read_numbers(parser *p, value type, const char *text)
{
    check_numbers(p, text);
    if (p->status != COHORT_OK)
        return;
    p->token = cohort_items_token(text);
    (void)cohort_items_initializer(p, type);
}

/* goto and labels mean the same in a kernel, but nothing looks at them. */
static void check_words(parser *p, const char *text)
{
    for (cohort_token t = cohort_items_token(text); t.length > 0; t = cohort_items_next(t))
        if (cohort_token_is(t, "goto"))
            cohort_items_parser_refuse(p, "has 'goto': write a loop, or 'return'");
}

static void read(parser *p, const cohort_helper *helper, const char *text)
{
    check_name(p, helper);
    check_words(p, text);
    value type = p->status == COHORT_OK ? read_type(p, helper) : (value){ 0 };
    p->result = helper->parameters != NULL ? &type : NULL;
    if (p->status != COHORT_OK)
        return;
    if (helper->parameters != NULL)
        read_function(p, helper, text);
    else
        read_numbers(p, type, text);
    p->result = NULL;
}

static bool is_open(const set *helpers, const cohort_helper *helper)
{
    const struct cohort_items_open *open = helpers->open;
    while (open != NULL && open->helper != helper)
        open = open->outer;
    return open != NULL;
}

static void parse(parser *user, const cohort_helper *helper)
{
    char part[COHORT_LIMIT_NAME_BYTES + 32];
    const char *text = NULL;
    struct cohort_items_open open = { helper, user->helpers->open };
    parser p = { .who = user->who,
                 .part = part,
                 .types = user->types,
                 .helpers = user->helpers,
                 .depth = user->depth };
    (void)snprintf(part, sizeof part, "its helper '%s'", helper->name);
    p.status =
        cohort_items_expansion_undo(p.helpers->arena, helper->text, helper->expansions, &text);
    user->helpers->open = &open;
    if (p.status == COHORT_OK)
        read(&p, helper, text);
    if (p.status == COHORT_OK)
        add(&p, helper, text);
    user->helpers->open = open.outer;
    cohort_items_symbols_free(&p.symbols);
    if (p.status != COHORT_OK)
        cohort_items_parser_end(user, p.status);
}

/* ---- Using */

/* In the names of the user, among whose structs the type is one. */
static value value_of(parser *p, const cohort_helper *helper)
{
    cohort_token before = p->token;
    value v = read_type(p, helper);
    p->token = p->status == COHORT_OK ? before : p->token;
    return v;
}

value cohort_items_helper_use(parser *p, const cohort_helper *helper)
{
    bool is_called = cohort_token_is(cohort_items_next(p->token), "(");
    if (is_open(p->helpers, helper))
        cohort_items_parser_refuse(p, "calls itself, by '%s', which a kernel cannot", helper->name);
    else if (helper->parameters != NULL && !is_called)
        cohort_items_parser_refuse(p, "names the helper '%s' without calling it", helper->name);
    else if (cohort_items_parser_enter(p)) {
        if (!is_collected(p->helpers, helper))
            parse(p, helper);
        cohort_items_parser_leave(p);
    }
    if (p->status != COHORT_OK)
        return (value){ .type = COHORT_ITEMS_FOREIGN };
    cohort_items_parser_step(p);
    return value_of(p, helper);
}
