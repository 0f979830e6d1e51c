/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursive descent over C declarations of one level: neither functions nor arrays of pointers
 * nest in a parameter, so the only recursion is in expressions and in structs of structs, each
 * with a limit. Errors stop at the first, with a caret under its token. */
#include "config.h"

#include "runtime/function/parser.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/declaration.h"
#include "runtime/function/expression.h"

#include <stdio.h>
#include <string.h>

typedef struct parser {
    cohort_lexer lexer;
    cohort_types *types;
    cohort_signature *signature;
    cohort_token names[COHORT_MAX_ARGUMENTS]; /* of the parameters */
} parser;

/* ---- Declarators */

static cohort_status add_extent(parser *p, cohort_parameter *parameter)
{
    if (parameter->rank == COHORT_MAX_RANK)
        return cohort_lexer_error(&p->lexer, p->lexer.token, "more than %d axes", COHORT_MAX_RANK);
    cohort_expression *extent = &parameter->extents[parameter->rank];
    cohort_status status = cohort_expression_parse(&p->lexer, p->types->arena, extent);
    parameter->rank += status == COHORT_OK;
    return status;
}

/* [n] or [static restrict n]; the current token is the bracket. */
static cohort_status parse_bracket(parser *p, cohort_declaration *d)
{
    if (d->is_empty)
        return cohort_lexer_error(&p->lexer, p->lexer.token,
                                  "only one bracket may be empty, and then it is the only "
                                  "one; the extents belong into COHORT_SHAPE(...)");
    cohort_status status = cohort_lexer_next(&p->lexer);
    d->is_empty = cohort_token_is(p->lexer.token, "]") && d->parameter->rank == 0;
    if (status == COHORT_OK && !d->is_empty)
        status = cohort_specifiers_skip_qualifiers(&p->lexer);
    if (status == COHORT_OK && !d->is_empty)
        status = add_extent(p, d->parameter);
    d->has_brackets |= !d->is_empty;
    return status == COHORT_OK ? cohort_lexer_expect(&p->lexer, "]", "after the extent") : status;
}

/* COHORT_SHAPE(n, d) */
static cohort_status parse_shape(parser *p, cohort_declaration *d)
{
    cohort_token word = p->lexer.token;
    bool has_more = true;
    if (d->has_brackets || d->has_shape)
        return cohort_lexer_error(&p->lexer, word, "a second shape of %.*s",
                                  cohort_token_shown(d->name), d->name.start);
    d->has_shape = true;
    cohort_status status = cohort_lexer_next(&p->lexer);
    if (status == COHORT_OK)
        status = cohort_lexer_expect(&p->lexer, "(", "after COHORT_SHAPE");
    while (status == COHORT_OK && has_more) {
        status = add_extent(p, d->parameter);
        if (status == COHORT_OK)
            status = cohort_lexer_accept(&p->lexer, ",", &has_more);
    }
    return status == COHORT_OK ? cohort_lexer_expect(&p->lexer, ")", "after the extents") : status;
}

/* COHORT_IS(2 * k) */
static cohort_status parse_computed(parser *p, cohort_declaration *d)
{
    if (d->is_computed)
        return cohort_lexer_error(&p->lexer, p->lexer.token, "a second COHORT_IS");
    d->is_computed = true;
    cohort_status status = cohort_lexer_next(&p->lexer);
    if (status == COHORT_OK)
        status = cohort_lexer_expect(&p->lexer, "(", "after COHORT_IS");
    if (status == COHORT_OK)
        status = cohort_expression_parse(&p->lexer, p->types->arena, &d->parameter->computed);
    return status == COHORT_OK ? cohort_lexer_expect(&p->lexer, ")", "after the expression")
                               : status;
}

static cohort_status parse_suffixes(parser *p, cohort_declaration *d)
{
    cohort_status status = COHORT_OK;
    while (status == COHORT_OK) {
        cohort_token token = p->lexer.token;
        if (cohort_token_is(token, "[") && !d->has_shape)
            status = parse_bracket(p, d);
        else if (cohort_token_is(token, "COHORT_SHAPE"))
            status = parse_shape(p, d);
        else if (cohort_token_is(token, "COHORT_IS"))
            status = parse_computed(p, d);
        else
            break;
    }
    return status;
}

static cohort_status missing_name(parser *p)
{
    cohort_token found = p->lexer.token;
    if (cohort_token_is(found, "("))
        return cohort_lexer_error(&p->lexer, found,
                                  "pointers to functions and to arrays are not understood; write "
                                  "void *f, or float *x COHORT_SHAPE(n, d)");
    return cohort_lexer_error(&p->lexer, found, "parameter %d has no name",
                              (int)p->signature->n_parameters + 1);
}

/* Names of extents are found from the left, so a second parameter of the same name would never
 * be found. */
static cohort_status check_new_name(parser *p, cohort_token name)
{
    for (int32_t i = 0; i < p->signature->n_parameters; i++)
        if (p->names[i].length == name.length &&
            memcmp(p->names[i].start, name.start, name.length) == 0)
            return cohort_lexer_error(&p->lexer, name, "a second parameter '%.*s'",
                                      cohort_token_shown(name), name.start);
    return COHORT_OK;
}

/* A text may leave names out, as headers do: the parameter is called by its place, "2", which is
 * the name of no other. */
static cohort_status take_place(parser *p, cohort_declaration *d)
{
    char place[16];
    int length = snprintf(place, sizeof place, "%d", (int)p->signature->n_parameters + 1);
    d->name.length = 0;
    p->names[p->signature->n_parameters] = d->name;
    d->parameter->name = cohort_arena_text(p->types->arena, place, (size_t)length);
    return d->parameter->name != NULL ? COHORT_OK : cohort_error_memory("a parameter");
}

static bool may_be_nameless(const parser *p)
{
    cohort_token found = p->lexer.token;
    return p->types->is_from_text && (cohort_token_is(found, ",") || cohort_token_is(found, ")") ||
                                      cohort_token_is(found, "["));
}

static cohort_status parse_name(parser *p, cohort_declaration *d)
{
    d->name = p->lexer.token;
    if (may_be_nameless(p))
        return take_place(p, d);
    if (d->name.kind != COHORT_TOKEN_NAME || cohort_token_is(d->name, "COHORT_SHAPE") ||
        cohort_token_is(d->name, "COHORT_IS"))
        return missing_name(p);
    cohort_status status = check_new_name(p, d->name);
    if (status != COHORT_OK)
        return status;
    p->names[p->signature->n_parameters] = d->name;
    d->parameter->name = cohort_arena_text(p->types->arena, d->name.start, d->name.length);
    return d->parameter->name != NULL ? cohort_lexer_next(&p->lexer)
                                      : cohort_error_memory("a parameter");
}

/* ---- A parameter */

static cohort_status parse_parameter(parser *p)
{
    cohort_declaration d = { .lexer = &p->lexer,
                             .types = p->types,
                             .parameter = &p->signature->parameters[p->signature->n_parameters] };
    if (p->signature->n_parameters == COHORT_MAX_ARGUMENTS)
        return cohort_lexer_error(&p->lexer, p->lexer.token, "more than %d parameters",
                                  COHORT_MAX_ARGUMENTS);
    cohort_status status = cohort_specifiers_parse(&p->lexer, p->types, &d.specifiers);
    if (status == COHORT_OK && d.specifiers.is_kernel)
        status = cohort_lexer_error(&p->lexer, d.specifiers.token,
                                    "'kernel' stands before the result, kernel void f(...)");
    if (status == COHORT_OK)
        status = cohort_specifiers_skip_stars(&p->lexer, &d.is_pointer);
    if (status == COHORT_OK)
        status = parse_name(p, &d);
    if (status == COHORT_OK)
        status = parse_suffixes(p, &d);
    if (status == COHORT_OK)
        status = cohort_declaration_assign_role(&d);
    p->signature->n_parameters += status == COHORT_OK;
    return status;
}

/* ---- Names of extents */

static cohort_status unknown_extent(parser *p, cohort_token name)
{
    cohort_guess guess = { .name = name.start, .length = name.length };
    for (int32_t i = 0; i < p->signature->n_parameters; i++)
        cohort_guess_consider(&guess, p->signature->parameters[i].name);
    return cohort_lexer_error(&p->lexer, name, "'%.*s' is no parameter%s%s",
                              cohort_token_shown(name), name.start, cohort_guess_text(&guess),
                              guess.best != NULL
                                  ? ""
                                  : "; macros and enum constants are not known here: write the "
                                    "number, or make it a parameter");
}

static int32_t find_parameter(const parser *p, cohort_token name)
{
    for (int32_t i = 0; i < p->signature->n_parameters; i++)
        if (p->names[i].length == name.length &&
            memcmp(p->names[i].start, name.start, name.length) == 0)
            return i;
    return -1;
}

static cohort_status link_name(parser *p, cohort_expression_step *node, bool is_computed)
{
    cohort_token name = cohort_expression_name(&p->lexer, node);
    int32_t i = find_parameter(p, name);
    if (i < 0)
        return unknown_extent(p, name);
    cohort_parameter *named = &p->signature->parameters[i];
    if (named->role == COHORT_ROLE_ARRAY || named->role == COHORT_ROLE_LOCAL ||
        !cohort_declaration_is_integer(named->type))
        return cohort_lexer_error(&p->lexer, name, "%s is no integer parameter", named->name);
    if (is_computed && named->role == COHORT_ROLE_COMPUTED)
        return cohort_lexer_error(&p->lexer, name, "%s is itself computed", named->name);
    /* an integer is a bound as soon as an extent names it, and is then read off the arrays */
    if (named->role == COHORT_ROLE_NUMBER)
        named->role = COHORT_ROLE_BOUND;
    node->operand = i;
    return COHORT_OK;
}

static cohort_status link_expression(parser *p, cohort_expression *expression, bool is_computed)
{
    cohort_expression_step *nodes = cohort_memory_own(expression->nodes);
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; status == COHORT_OK && i < expression->count; i++)
        if (nodes[i].kind == COHORT_NODE_PARAMETER)
            status = link_name(p, &nodes[i], is_computed);
    if (expression->count == 1 && nodes[0].kind == COHORT_NODE_PARAMETER)
        expression->bare = (int32_t)nodes[0].operand;
    return status;
}

/* Every extent is a bound by itself, so each was compared when the bounds were solved and need
 * not be evaluated. */
static bool is_plain(const cohort_signature *signature, const cohort_parameter *parameter)
{
    for (int32_t axis = 0; axis < parameter->rank; axis++) {
        int32_t bound = parameter->extents[axis].bare;
        if (bound < 0 || signature->parameters[bound].role != COHORT_ROLE_BOUND)
            return false;
    }
    return true;
}

/* After the whole list was read: an extent may name a parameter that comes later. Roles change
 * meanwhile from number to bound, in the order of the list, so is_plain of an array is asked
 * when its own extents are linked. */
static cohort_status link_extents(parser *p)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; status == COHORT_OK && i < p->signature->n_parameters; i++) {
        cohort_parameter *parameter = &p->signature->parameters[i];
        for (int32_t axis = 0; status == COHORT_OK && axis < parameter->rank; axis++)
            status = link_expression(p, &parameter->extents[axis], false);
        parameter->is_plain = status == COHORT_OK && is_plain(p->signature, parameter);
        if (status == COHORT_OK && parameter->role == COHORT_ROLE_COMPUTED)
            status = link_expression(p, &parameter->computed, true);
    }
    return status;
}

/* ---- The list */

/* "(void)" has no parameter; "(void x)" and "(void *p)" have one. */
static bool is_void_list(const parser *p)
{
    return cohort_token_is(p->lexer.token, "void") &&
           cohort_token_is(cohort_lexer_peek(&p->lexer), ")");
}

static cohort_status parse_list(parser *p)
{
    bool has_more = !cohort_token_is(p->lexer.token, ")");
    cohort_status status = COHORT_OK;
    if (is_void_list(p)) {
        has_more = false;
        status = cohort_lexer_next(&p->lexer);
    }
    while (status == COHORT_OK && has_more) {
        status = parse_parameter(p);
        if (status == COHORT_OK)
            status = cohort_lexer_accept(&p->lexer, ",", &has_more);
    }
    return status == COHORT_OK ? cohort_lexer_expect(&p->lexer, ")", "or ',' after a parameter")
                               : status;
}

/* Bounds are read off arrays, computed integers computed, scratch sized by its extents: a call
 * passes none of these by position. */
static void count_passed(cohort_signature *signature)
{
    for (int32_t i = 0; i < signature->n_parameters; i++) {
        cohort_role role = signature->parameters[i].role;
        signature->n_passed += role == COHORT_ROLE_NUMBER || role == COHORT_ROLE_STRUCT ||
                               role == COHORT_ROLE_ARRAY || role == COHORT_ROLE_POINTER;
    }
}

cohort_status cohort_parser_read_parameters(cohort_types *types, const char *text,
                                            cohort_signature *signature)
{
    parser p = { .types = types, .signature = signature };
    cohort_status status = cohort_lexer_init(&p.lexer, types->who, text);
    if (status == COHORT_OK)
        status = cohort_lexer_expect(&p.lexer, "(", "before the parameters");
    for (bool has_more = true; status == COHORT_OK && has_more;) {
        status = parse_list(&p);
        if (status == COHORT_OK)
            status = cohort_lexer_accept(&p.lexer, "(", &has_more);
    }
    if (status == COHORT_OK && p.lexer.token.kind != COHORT_TOKEN_END)
        status = cohort_lexer_error(&p.lexer, p.lexer.token, "the prototype ends before this");
    if (status == COHORT_OK)
        status = link_extents(&p);
    if (status == COHORT_OK)
        count_passed(signature);
    return status;
}

/* ---- The result */

static cohort_status refuse_result(cohort_lexer *lexer, const cohort_types *types,
                                   const cohort_specifiers *s)
{
    if (cohort_token_is(lexer->token, "*"))
        return cohort_lexer_error(lexer, lexer->token,
                                  "a pointer cannot be returned: fill an output, "
                                  "COHORT_OUT float z[n]");
    if (lexer->token.kind != COHORT_TOKEN_END)
        return cohort_lexer_error(lexer, lexer->token, "the type of the result ends before this");
    if (s->is_out || s->space != COHORT_SPACE_NONE)
        return cohort_lexer_error(lexer, s->token,
                                  "a result has no direction and no address space");
    if (s->is_kernel && s->type != COHORT_VOID)
        return cohort_lexer_error(lexer, s->token, "a kernel returns nothing: write kernel void");
    if (s->vector != NULL)
        return cohort_lexer_error(lexer, s->token, "a vector cannot be returned");
    if (cohort_specifiers_is_image(s))
        return cohort_lexer_error(lexer, s->token, "images and samplers cannot be returned");
    if (cohort_dtype_is_narrow((cohort_dtype)s->type))
        return cohort_lexer_error(
            lexer, s->token, "%s float cannot be returned; it stands in arrays only",
            cohort_types_bytes(types, s->type) == 1 ? "an 8-bit" : "a 16-bit");
    if (cohort_types_bytes(types, s->type) > COHORT_LIMIT_STRUCT_BYTES)
        return cohort_lexer_error(lexer, s->token,
                                  "a struct of more than %d bytes cannot be returned",
                                  COHORT_LIMIT_STRUCT_BYTES);
    return COHORT_OK;
}

cohort_status cohort_parser_read_result(cohort_types *types, const char *text,
                                        cohort_signature *signature)
{
    cohort_lexer lexer;
    cohort_specifiers specifiers;
    cohort_status status = cohort_lexer_init(&lexer, types->who, text);
    if (status == COHORT_OK)
        status = cohort_specifiers_parse(&lexer, types, &specifiers);
    if (status == COHORT_OK)
        status = refuse_result(&lexer, types, &specifiers);
    if (status != COHORT_OK)
        return status;
    signature->returns_status = specifiers.is_status;
    signature->has_result = specifiers.type != COHORT_VOID && !specifiers.is_status;
    signature->result_type = specifiers.type;
    signature->result_bytes = cohort_types_bytes(types, specifiers.type);
    return COHORT_OK;
}
