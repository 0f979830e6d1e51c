/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations in the body of an item: which variable has which type. */
#include "config.h"

#include "runtime/function/items_body.h"
#include "runtime/function/items_ours.h"
#include "runtime/function/items_own.h"
#include "runtime/function/items_parser.h"

#include "runtime/function/specifiers.h"

#include <limits.h>
#include <string.h>

typedef cohort_items_value value;
typedef cohort_items_parser parser;

static bool is(const parser *p, const char *text)
{
    return cohort_token_is(p->token, text);
}

static bool accept(parser *p, const char *mark)
{
    return cohort_items_parser_accept(p, mark);
}

/* ---- Types */

static const cohort_type *find_listed(const parser *p, cohort_token name)
{
    for (int32_t i = 0; i < p->types->n_listed; i++)
        if (cohort_token_is(name, p->types->listed[i]->name))
            return p->types->listed[i];
    return NULL;
}

/* With parentheses behind it. */
static bool is_attribute(cohort_token token)
{
    static const char *const alignments[] = { "_Alignas", "alignas", NULL };
    const cohort_word *word = cohort_word_find(token);
    return (word != NULL && word->kind == COHORT_WORD_ATTRIBUTE) ||
           cohort_items_is_any(token, alignments);
}

/* Words of C that stand in a type; vectors and spaces are names, for the host has seen them. */
static bool is_type_word(cohort_token token)
{
    static const char *const others[] = { "auto", "typedef", "constexpr", "__global", NULL };
    const cohort_word *word = cohort_word_find(token);
    bool is_of_c =
        word != NULL && (word->kind == COHORT_WORD_ARITHMETIC || word->kind == COHORT_WORD_SCALAR ||
                         word->kind == COHORT_WORD_QUALIFIER || word->kind == COHORT_WORD_CONST ||
                         word->kind == COHORT_WORD_TAG);
    return is_of_c || is_attribute(token) || cohort_items_is_any(token, others);
}

/* A variable may have the name of a type that is no keyword: half. */
bool cohort_items_begins_type(const parser *p, cohort_token token)
{
    const cohort_items_symbol *symbol =
        token.kind == COHORT_TOKEN_NAME ? cohort_items_symbols_find(&p->symbols, token) : NULL;
    if (symbol != NULL)
        return symbol->is_type;
    return token.kind == COHORT_TOKEN_NAME &&
           (is_type_word(token) || cohort_items_ours_is_type(token) ||
            find_listed(p, token) != NULL);
}

static void declare_members(parser *p, int32_t owner);

/* The tag's struct, made where it is met first: with its members, if they follow. */
static value new_struct(parser *p, cohort_token name)
{
    value v = { .type = COHORT_STRUCT_BASE + p->symbols.n_structs++ };
    if (name.length > 0)
        cohort_items_parser_declare(
            p, (cohort_items_symbol){ .name = name, .value = v, .owner = -1, .is_type = true });
    return v;
}

/* So that the kernel has it, though the prototype does not name it. */
static void lay_out(parser *p, const char *name)
{
    uint32_t type = COHORT_VOID;
    cohort_token token = { COHORT_TOKEN_NAME, name, strlen(name) };
    cohort_status status = cohort_types_find(p->types, token, &type);
    if (status != COHORT_OK)
        cohort_items_parser_end(p, status);
}

/* A type that the function lists, by the text of its description. */
static value read_listed(parser *p, const cohort_type *listed, cohort_token name)
{
    cohort_token before = p->token;
    value v = { .type = COHORT_ITEMS_FOREIGN };
    p->token = cohort_items_token(listed->is);
    if (is(p, "{")) {
        lay_out(p, listed->name);
        v = new_struct(p, name);
        declare_members(p, (int32_t)(v.type - COHORT_STRUCT_BASE));
    } else if (cohort_items_begins_type(p, p->token) && !cohort_token_is(p->token, listed->name)) {
        v = cohort_items_type_name(p);
    }
    p->token = p->status == COHORT_OK ? before : p->token;
    return v;
}

/* No kernel has a type that the function does not list. */
void cohort_items_refuse_type(parser *p, cohort_token name)
{
    int shown = cohort_token_shown(name);
    cohort_items_parser_refuse(
        p,
        "has the type '%.*s', which no kernel has: describe it by "
        "COHORT_STRUCT or COHORT_TYPE_ALIAS, and list it, COHORT_TYPES(%.*s)",
        shown, name.start, shown, name.start);
}

static value named(parser *p, cohort_token name)
{
    const cohort_items_symbol *symbol = cohort_items_symbols_find(&p->symbols, name);
    const cohort_type *listed = find_listed(p, name);
    if (symbol != NULL)
        return symbol->value;
    if (listed == NULL && !cohort_items_ours_is_type(name))
        cohort_items_refuse_type(p, name);
    if (listed == NULL || !cohort_items_parser_enter(p))
        return (value){ .type = COHORT_ITEMS_FOREIGN };
    value v = read_listed(p, listed, name);
    cohort_items_parser_leave(p);
    return v;
}

/* The constants of an enum are ints. */
static void declare_constants(parser *p)
{
    cohort_items_parser_step(p);
    while (p->token.kind == COHORT_TOKEN_NAME) {
        value v = { .type = COHORT_I32 };
        cohort_items_parser_declare(
            p, (cohort_items_symbol){ .name = p->token, .value = v, .owner = -1 });
        cohort_items_parser_step(p);
        if (accept(p, "="))
            (void)cohort_items_assignment(p);
        (void)accept(p, ",");
    }
    (void)accept(p, "}");
}

static value enumeration(parser *p, cohort_token name)
{
    value v = { .type = COHORT_I32 };
    if (!is(p, "{")) {
        if (cohort_items_symbols_find(&p->symbols, name) == NULL)
            cohort_items_parser_refuse(p,
                                       "has the type 'enum %.*s', which no kernel has: write int, "
                                       "and its constants as macros (#define), or the enum itself "
                                       "in the body",
                                       cohort_token_shown(name), name.start);
        return v;
    }
    if (name.length > 0)
        cohort_items_parser_declare(
            p, (cohort_items_symbol){ .name = name, .value = v, .owner = -1, .is_type = true });
    declare_constants(p);
    return v;
}

/* struct name, struct name { ... }, struct { ... }, and the same for enum. */
static value tagged(parser *p)
{
    bool is_enum = is(p, "enum");
    cohort_items_parser_step(p);
    cohort_token name = { .start = p->token.start };
    if (p->token.kind == COHORT_TOKEN_NAME) {
        name = p->token;
        cohort_items_parser_step(p);
    }
    if (is_enum)
        return enumeration(p, name);
    if (!is(p, "{"))
        return named(p, name);
    value v = new_struct(p, name);
    declare_members(p, (int32_t)(v.type - COHORT_STRUCT_BASE));
    return v;
}

/* ---- Specifiers */

/* The meaning of the words of a declaration together. */
typedef struct specifiers {
    uint32_t sum; /* of units (word.h) */
    bool is_typedef;
    bool
        is_of_array; /* __global, as macros of cohort/sums.h alone write: it says to which memory */
    value type;
} specifiers;

/* The word by itself says nothing wrong, what it stands for does. */
static void check_words(parser *p, uint32_t sum)
{
    const uint32_t words = COHORT_UNIT_SIGNED | COHORT_UNIT_UNSIGNED | COHORT_UNIT_INT;
    if ((sum & COHORT_UNIT_LONG) != 0 && (sum & COHORT_UNIT_DOUBLE) != 0)
        cohort_items_parser_refuse(p, "has a long double, which OpenCL C has not: write double");
    else if ((sum & ~words) == COHORT_UNIT_LONG && sizeof(long) < sizeof(int64_t))
        cohort_items_parser_refuse(
            p, "has a long, which is shorter here than in OpenCL C: write int32_t or int64_t");
    else if (sum == COHORT_UNIT_CHAR && CHAR_MIN == 0)
        cohort_items_parser_refuse(
            p, "has a char, which has no sign here and one in OpenCL C: write int8_t or uint8_t");
}

/* auto is a type in C++ and C23, and in the C before it an int. */
static void read_word(parser *p, specifiers *s)
{
    static const char *const kept[] = { "static", "extern", "register", NULL };
    const cohort_word *word = cohort_word_find(p->token);
    cohort_token token = p->token;
    s->is_typedef |= is(p, "typedef");
    if (cohort_items_is_any(token, kept))
        cohort_items_parser_refuse(
            p,
            "has a variable that is '%.*s', which no kernel has: what stays "
            "the same is a COHORT_CONSTANT or COHORT_TABLE, and what changes "
            "a parameter",
            cohort_token_shown(token), token.start);
    if (is(p, "auto"))
        cohort_items_parser_refuse(
            p, "has 'auto', which is no type in OpenCL C: write the type of the variable");
    if (cohort_items_symbols_find(&p->symbols, token) == NULL && word != NULL &&
        word->kind == COHORT_WORD_TAG) {
        s->type = tagged(p);
        return;
    }
    cohort_items_parser_step(p);
    if (is_attribute(token))
        cohort_items_parser_skip_brackets(p);
    else if (word != NULL && word->kind == COHORT_WORD_ARITHMETIC)
        s->sum += word->value;
    else if (word != NULL && word->kind == COHORT_WORD_SCALAR)
        s->type.type = word->value;
    else if (cohort_token_is(token, "__global"))
        s->is_of_array = true;
    else if (word == NULL && !cohort_token_is(token, "typedef") &&
             !cohort_token_is(token, "constexpr"))
        s->type = named(p, token);
}

/* Behind a type, a word that is no keyword is what is declared: float half. */
static bool is_name(const parser *p, const specifiers *s)
{
    const cohort_word *word = cohort_word_find(p->token);
    bool has_type = s->sum != 0 || s->type.type != COHORT_ITEMS_FOREIGN;
    return has_type && (word == NULL ? !is(p, "auto") : word->is_soft);
}

static specifiers read_specifiers(parser *p)
{
    specifiers s = { .type = { .type = COHORT_ITEMS_FOREIGN } };
    uint32_t type = COHORT_VOID;
    while (cohort_items_begins_type(p, p->token) && !is_name(p, &s))
        read_word(p, &s);
    check_words(p, s.sum);
    if (s.sum != 0)
        s.type.type = cohort_specifiers_find(s.sum, &type) ? (int64_t)type : COHORT_ITEMS_UNTOLD;
    return s;
}

/* ---- Declarators */

/* Stars with their qualifiers, and in C++ references. */
static value read_stars(parser *p, value v)
{
    while (is(p, "*") || is(p, "&") || cohort_token_is(p->token, "const") ||
           is_attribute(p->token) || cohort_token_is(p->token, "restrict") ||
           cohort_token_is(p->token, "volatile")) {
        bool has_brackets = is_attribute(p->token);
        if (is(p, "&"))
            cohort_items_parser_refuse(p, "has a reference, of C++ alone: write the variable, or "
                                          "x[i], itself");
        v.n_stars += is(p, "*");
        cohort_items_parser_step(p);
        if (has_brackets)
            cohort_items_parser_skip_brackets(p);
    }
    return v;
}

/* In parentheses, (*f)(int): a name whose type is not told. */
static void declare_enclosed(parser *p)
{
    static const char *const before[] = { "(", "*", "const", "restrict", "volatile", NULL };
    cohort_token t = p->token;
    while (cohort_items_is_any(t, before))
        t = cohort_items_next(t);
    value v = { .type = COHORT_ITEMS_UNTOLD };
    if (t.kind == COHORT_TOKEN_NAME)
        cohort_items_parser_declare(p, (cohort_items_symbol){ .name = t, .value = v, .owner = -1 });
}

/* Even of what sizeof asks for, C computes the extents. */
static value read_extents(parser *p, value v)
{
    bool is_sized = p->is_sized;
    p->is_sized = false;
    while (is(p, "[")) {
        cohort_items_parser_step(p);
        if (!is(p, "]"))
            (void)cohort_items_expression(p);
        (void)accept(p, "]");
        v.n_stars++;
    }
    p->is_sized = is_sized;
    return v;
}

value cohort_items_type_name(parser *p)
{
    value v = read_stars(p, read_specifiers(p).type);
    while (is(p, "(")) /* of a function, or a pointer to one */
        cohort_items_parser_skip_brackets(p);
    return read_extents(p, v);
}

/* A variable that stays what it begins with stands for that. */
static void keep_form(parser *p, cohort_token name, int32_t form)
{
    cohort_items_symbol *symbol = cohort_items_symbols_newest(&p->symbols, name);
    if (p->own != NULL && form > 0 && symbol != NULL && symbol->owner < 0 &&
        cohort_items_body_keeps(p->own->body, name))
        symbol->value.form = form;
}

/* One name with its initializer; a pointer to a function, or to an array, has none that is
 * known. */
static void read_declarator(parser *p, const specifiers *s, int32_t owner)
{
    value v = read_stars(p, s->type);
    v.is_of_array = s->is_of_array && v.n_stars > 0;
    cohort_token name = p->token;
    if (name.kind == COHORT_TOKEN_NAME)
        cohort_items_parser_step(p);
    else if (owner < 0)
        declare_enclosed(p);
    while (is(p, "("))
        cohort_items_parser_skip_brackets(p);
    v = read_extents(p, v);
    if (name.kind == COHORT_TOKEN_NAME)
        cohort_items_parser_declare(
            p, (cohort_items_symbol){
                   .name = name, .value = v, .owner = owner, .is_type = s->is_typedef });
    if (accept(p, ":"))
        (void)cohort_items_assignment(p); /* bits of a member, or in C++ what is walked over */
    if (accept(p, "=") || is(p, "{"))
        keep_form(p, name, cohort_items_initializer(p, v).form);
}

static void read_declarators(parser *p, int32_t owner)
{
    specifiers s = read_specifiers(p);
    if (s.sum == 0 && s.type.type == COHORT_ITEMS_FOREIGN && p->token.kind == COHORT_TOKEN_NAME &&
        cohort_items_is_word(cohort_items_next(p->token)))
        cohort_items_refuse_type(p, p->token);
    do
        read_declarator(p, &s, owner);
    while (accept(p, ","));
}

void cohort_items_declaration(parser *p)
{
    read_declarators(p, -1);
}

/* Kernels have several memories, and a pointer says to which it leads. */
void cohort_items_parameter(parser *p)
{
    specifiers s = read_specifiers(p);
    if (s.sum == 0 && s.type.type == COHORT_ITEMS_FOREIGN && p->token.kind == COHORT_TOKEN_NAME)
        cohort_items_refuse_type(p, p->token);
    value v = read_stars(p, s.type);
    cohort_token name = p->token;
    if (name.kind == COHORT_TOKEN_NAME)
        cohort_items_parser_step(p);
    v = read_extents(p, v);
    if (v.n_stars > 0 || is(p, "("))
        cohort_items_parser_refuse(p,
                                   "takes a pointer or an array, '%.*s', and a kernel's pointers "
                                   "lead to one of several memories: hand over elements, such as "
                                   "x[i]",
                                   cohort_token_shown(name), name.start);
    else if (name.kind == COHORT_TOKEN_NAME)
        cohort_items_parser_declare(p,
                                    (cohort_items_symbol){ .name = name, .value = v, .owner = -1 });
}

static void declare_members(parser *p, int32_t owner)
{
    if (!cohort_items_parser_enter(p))
        return;
    cohort_items_parser_step(p);
    while (p->token.length > 0 && !is(p, "}")) {
        const char *before = p->token.start;
        read_declarators(p, owner);
        (void)accept(p, ";");
        if (p->token.start == before)
            cohort_items_parser_step(p);
    }
    (void)accept(p, "}");
    cohort_items_parser_leave(p);
}
