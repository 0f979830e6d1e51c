/* SPDX-License-Identifier: BSD-3-Clause */
/* C lets the words before a name come in any order, so they are collected and then looked up
 * together. Where the words end and the declared name begins cannot be told from a word alone:
 * names such as `global`, `complex` and `out` are words of OpenCL C or macros, but good names in
 * C (is_soft). */
#include "config.h"

#include "runtime/function/specifiers.h"

#include <string.h>

/* Short names for the table below. */
enum {
    VOID = COHORT_UNIT_VOID,
    BOOL = COHORT_UNIT_BOOL,
    CHAR = COHORT_UNIT_CHAR,
    SHORT = COHORT_UNIT_SHORT,
    INT = COHORT_UNIT_INT,
    LONG = COHORT_UNIT_LONG,
    FLOAT = COHORT_UNIT_FLOAT,
    DOUBLE = COHORT_UNIT_DOUBLE,
    SIGNED = COHORT_UNIT_SIGNED,
    UNSIGNED = COHORT_UNIT_UNSIGNED,
    COMPLEX = COHORT_UNIT_COMPLEX,
    HALF = COHORT_UNIT_HALF,
    BFLOAT = COHORT_UNIT_BFLOAT
};

/* Words of C make a type in any order, "long unsigned int long": what counts is how often each
 * came, which their sum says (word.h). Sums that are not here make no type. char and long are what
 * this compiler makes of them.
 *
 * Source: C11, 6.7.2, paragraph 2. */
static const struct {
    uint32_t sum;
    cohort_dtype dtype;
} types_of_sums[] = {
    { VOID, COHORT_VOID },
    { BOOL, COHORT_BOOL },
    { CHAR, COHORT_DTYPE_OF_((char)0) },
    { SIGNED + CHAR, COHORT_I8 },
    { UNSIGNED + CHAR, COHORT_U8 },
    { SHORT, COHORT_I16 },
    { SHORT + INT, COHORT_I16 },
    { SIGNED + SHORT, COHORT_I16 },
    { SIGNED + SHORT + INT, COHORT_I16 },
    { UNSIGNED + SHORT, COHORT_U16 },
    { UNSIGNED + SHORT + INT, COHORT_U16 },
    { INT, COHORT_I32 },
    { SIGNED, COHORT_I32 },
    { SIGNED + INT, COHORT_I32 },
    { UNSIGNED, COHORT_U32 },
    { UNSIGNED + INT, COHORT_U32 },
    { LONG, COHORT_DTYPE_OF_(0l) },
    { LONG + INT, COHORT_DTYPE_OF_(0l) },
    { SIGNED + LONG, COHORT_DTYPE_OF_(0l) },
    { SIGNED + LONG + INT, COHORT_DTYPE_OF_(0l) },
    { UNSIGNED + LONG, COHORT_DTYPE_OF_(0ul) },
    { UNSIGNED + LONG + INT, COHORT_DTYPE_OF_(0ul) },
    { 2 * LONG, COHORT_I64 },
    { 2 * LONG + INT, COHORT_I64 },
    { SIGNED + 2 * LONG, COHORT_I64 },
    { SIGNED + 2 * LONG + INT, COHORT_I64 },
    { UNSIGNED + 2 * LONG, COHORT_U64 },
    { UNSIGNED + 2 * LONG + INT, COHORT_U64 },
    { FLOAT, COHORT_F32 },
    { DOUBLE, COHORT_F64 },
    { LONG + DOUBLE, COHORT_LONG_DOUBLE },
    { FLOAT + COMPLEX, COHORT_C64 },
    { DOUBLE + COMPLEX, COHORT_C128 },
    { LONG + DOUBLE + COMPLEX, COHORT_COMPLEX_LONG_DOUBLE },
    { HALF, COHORT_F16 },
    { BFLOAT, COHORT_BF16 },
};
enum { N_SUMS = sizeof types_of_sums / sizeof *types_of_sums };

bool cohort_specifiers_find(uint32_t sum, uint32_t *out_type)
{
    for (size_t i = 0; i < N_SUMS; i++)
        if (types_of_sums[i].sum == sum) {
            *out_type = types_of_sums[i].dtype;
            return true;
        }
    return false;
}

typedef struct reader {
    cohort_lexer *lexer;
    cohort_types *types;
    cohort_specifiers *out;
    uint32_t sum;
    bool has_name; /* the type is one name, such as size_t or pixel */
} reader;

static bool has_type(const reader *r)
{
    return r->sum != 0 || r->has_name;
}

/* "float complex z" has the type float complex, "float complex[n]" an array of that name. */
static bool is_complex_type(const reader *r)
{
    cohort_token next = cohort_lexer_peek(r->lexer);
    return !cohort_token_is(next, "[") && !cohort_token_is(next, ",") &&
           !cohort_token_is(next, ")") && !cohort_token_is(next, "COHORT_SHAPE") &&
           !cohort_token_is(next, "COHORT_IS");
}

/* "float global *x" and "float local x" have a qualifier after the type, "float global[n]" has a
 * name. */
static bool is_followed_by_declarator(const reader *r)
{
    cohort_token next = cohort_lexer_peek(r->lexer);
    return cohort_token_is(next, "*") ||
           (next.kind == COHORT_TOKEN_NAME && !cohort_token_is(next, "COHORT_SHAPE") &&
            !cohort_token_is(next, "COHORT_IS"));
}

/* Behind a type, the first name that is no word is the declared one; a soft word is, unless what
 * follows it shows that it says something about the type. */
static bool is_declared_name(const reader *r, const cohort_word *w)
{
    if (!has_type(r))
        return false;
    if (w == NULL || !w->is_soft)
        return w == NULL;
    if (w->kind == COHORT_WORD_SPACE || w->kind == COHORT_WORD_IMAGE ||
        w->kind == COHORT_WORD_ACCESS || w->kind == COHORT_WORD_PIXEL)
        return !is_followed_by_declarator(r);
    return w->kind != COHORT_WORD_ARITHMETIC || w->value != COMPLEX || !is_complex_type(r);
}

static cohort_status two_types(const reader *r, cohort_token token)
{
    return cohort_lexer_error(r->lexer, token,
                              "'%.*s' makes no type together with what stands before it",
                              cohort_token_shown(token), token.start);
}

/* No word comes three times in a type, and two bits of the sum hold how often one came. */
static cohort_status add_unit(reader *r, uint32_t unit)
{
    if (r->has_name || r->sum / unit % 4 == 2)
        return two_types(r, r->lexer->token);
    r->sum += unit;
    return cohort_lexer_next(r->lexer);
}

static cohort_status take_named(reader *r, uint32_t type)
{
    r->has_name = true;
    r->out->type = type;
    return cohort_lexer_next(r->lexer);
}

static cohort_status take_listed(reader *r)
{
    uint32_t type = COHORT_VOID;
    cohort_status status = cohort_types_find(r->types, r->lexer->token, &type);
    return status == COHORT_OK ? take_named(r, type) : status;
}

static cohort_status take_tag(reader *r)
{
    cohort_token tag = r->lexer->token;
    if (has_type(r))
        return two_types(r, tag);
    bool is_enum = cohort_token_is(tag, "enum");
    if (!is_enum && !cohort_token_is(tag, "struct"))
        return cohort_lexer_error(r->lexer, tag, "%.*s types are not understood", (int)tag.length,
                                  tag.start);
    cohort_status status = cohort_lexer_next(r->lexer);
    cohort_token name = r->lexer->token;
    if (status != COHORT_OK)
        return status;
    if (name.kind != COHORT_TOKEN_NAME)
        return cohort_lexer_error(r->lexer, name, "%s needs a name here; define it with %s",
                                  is_enum ? "an enum" : "a struct",
                                  is_enum ? "COHORT_TYPE_ALIAS" : "COHORT_STRUCT");
    if (!cohort_types_lists(r->types, name))
        return cohort_lexer_error(
            r->lexer, name,
            "unknown %s '%.*s'; define it with %s and list it in .types = COHORT_TYPES(...)",
            is_enum ? "enum" : "struct", cohort_token_shown(name), name.start,
            is_enum ? "COHORT_TYPE_ALIAS" : "COHORT_STRUCT");
    return take_listed(r);
}

/* The same address space may be said twice; constant memory is const too. */
static cohort_status take_space(reader *r, cohort_space space)
{
    cohort_token token = r->lexer->token;
    if (r->out->space != COHORT_SPACE_NONE && r->out->space != space)
        return cohort_lexer_error(r->lexer, token, "'%.*s' is a second address space",
                                  cohort_token_shown(token), token.start);
    r->out->space = space;
    r->out->is_const |= space == COHORT_SPACE_CONSTANT;
    return cohort_lexer_next(r->lexer);
}

static cohort_status take_vector(reader *r, const cohort_word *w)
{
    r->out->vector = w;
    return take_named(r, cohort_word_element(w));
}

/* The type of a channel stands before it, or it is float. */
static cohort_status take_image(reader *r, const cohort_word *w)
{
    if (r->out->image != 0)
        return two_types(r, r->lexer->token);
    r->out->image = w->value;
    return has_type(r) ? cohort_lexer_next(r->lexer) : take_named(r, COHORT_F32);
}

static cohort_status take_sampler(reader *r)
{
    if (has_type(r))
        return two_types(r, r->lexer->token);
    r->out->is_sampler = true;
    return take_named(r, COHORT_VOID);
}

static cohort_status take_access(reader *r, const cohort_word *w)
{
    if (r->out->access != 0 && r->out->access != w->value)
        return cohort_lexer_error(r->lexer, r->lexer->token,
                                  "'%s' is another use of an image than what stands before it",
                                  w->text);
    r->out->access = w->value;
    return cohort_lexer_next(r->lexer);
}

static cohort_status take_word(reader *r, const cohort_word *w)
{
    switch (w->kind) {
    case COHORT_WORD_ARITHMETIC:
        return add_unit(r, w->value);
    case COHORT_WORD_SCALAR:
        r->out->is_status = strcmp(w->text, "cohort_status") == 0;
        return take_named(r, w->value);
    case COHORT_WORD_VECTOR:
        return take_vector(r, w);
    case COHORT_WORD_SPACE:
        return take_space(r, w->value);
    case COHORT_WORD_TAG:
        return take_tag(r);
    case COHORT_WORD_ATTRIBUTE:
        return cohort_lexer_skip_attribute(r->lexer);
    case COHORT_WORD_REFUSED:
        return cohort_lexer_error(r->lexer, r->lexer->token, "'%s': %s", w->text,
                                  cohort_word_reason(w));
    case COHORT_WORD_IMAGE:
        return take_image(r, w);
    case COHORT_WORD_SAMPLER:
        return take_sampler(r);
    case COHORT_WORD_ACCESS:
        return take_access(r, w);
    case COHORT_WORD_PIXEL:
        r->out->pixel |= w->value;
        break;
    case COHORT_WORD_CONST:
        r->out->is_const = true;
        break;
    case COHORT_WORD_OUT:
        r->out->is_out = true;
        break;
    case COHORT_WORD_KERNEL:
        r->out->is_kernel = true;
        break;
    case COHORT_WORD_QUALIFIER:
        break;
    }
    return cohort_lexer_next(r->lexer);
}

static cohort_status unknown_type(const reader *r)
{
    cohort_token name = r->lexer->token;
    cohort_guess guess = { .name = name.start, .length = name.length };
    cohort_word_consider_types(&guess);
    cohort_types_consider(r->types, &guess);
    return cohort_lexer_error(r->lexer, name, "unknown type '%.*s'%s", cohort_token_shown(name),
                              name.start, cohort_guess_text(&guess));
}

/* Takes one specifier, or sets *out_ends in front of the declared name. A listed type may have
 * the name of a soft word, and comes before it. */
static cohort_status take_specifier(reader *r, bool *out_ends)
{
    cohort_token token = r->lexer->token;
    const cohort_word *w = cohort_word_find(token);
    *out_ends = token.kind != COHORT_TOKEN_NAME || is_declared_name(r, w);
    if (*out_ends)
        return COHORT_OK;
    /* errors about the type as a whole point at the first word of it */
    if (!has_type(r) && (w == NULL || w->kind <= COHORT_WORD_VECTOR || w->kind == COHORT_WORD_TAG))
        r->out->token = token;
    if ((w == NULL || w->is_soft) && !has_type(r) && cohort_types_lists(r->types, token))
        return take_listed(r);
    return w != NULL ? take_word(r, w) : unknown_type(r);
}

static cohort_status type_of_sum(reader *r)
{
    if (cohort_specifiers_find(r->sum, &r->out->type))
        return COHORT_OK;
    if (r->sum == COMPLEX)
        return cohort_lexer_error(r->lexer, r->out->token,
                                  "complex of what? write float complex or double complex");
    return cohort_lexer_error(r->lexer, r->out->token, "these words make no type");
}

static cohort_status missing_type(const reader *r)
{
    cohort_token found = r->lexer->token;
    if (found.kind == COHORT_TOKEN_END)
        return cohort_lexer_error(r->lexer, found, "expected a type, but the text ends");
    if (cohort_token_is(found, "."))
        return cohort_lexer_error(r->lexer, found,
                                  "functions with a variable number of arguments cannot be called");
    return cohort_lexer_error(r->lexer, found, "expected a type, found '%.*s'",
                              cohort_token_shown(found), found.start);
}

cohort_status cohort_specifiers_parse(cohort_lexer *lexer, cohort_types *types,
                                      cohort_specifiers *out)
{
    reader r = { .lexer = lexer, .types = types, .out = out };
    bool ends = false;
    cohort_status status = COHORT_OK;
    *out = (cohort_specifiers){ .token = lexer->token };
    while (status == COHORT_OK && !ends)
        status = take_specifier(&r, &ends);
    if (status != COHORT_OK)
        return status;
    if (!has_type(&r))
        return missing_type(&r);
    return r.has_name ? COHORT_OK : type_of_sum(&r);
}

cohort_status cohort_specifiers_skip_qualifiers(cohort_lexer *lexer)
{
    cohort_status status = COHORT_OK;
    const cohort_word *w = cohort_word_find(lexer->token);
    while (status == COHORT_OK && w != NULL &&
           (w->kind == COHORT_WORD_QUALIFIER || w->kind == COHORT_WORD_CONST)) {
        status = cohort_lexer_next(lexer);
        w = cohort_word_find(lexer->token);
    }
    return status;
}

cohort_status cohort_specifiers_skip_stars(cohort_lexer *lexer, bool *out_is_pointer)
{
    cohort_status status = cohort_lexer_accept(lexer, "*", out_is_pointer);
    if (status == COHORT_OK && *out_is_pointer)
        status = cohort_specifiers_skip_qualifiers(lexer);
    if (status == COHORT_OK && *out_is_pointer && cohort_token_is(lexer->token, "*"))
        return cohort_lexer_error(lexer, lexer->token,
                                  "a pointer to a pointer; write void * for an opaque pointer");
    return status;
}
