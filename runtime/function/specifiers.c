/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/specifiers.h"

#include <string.h>
#include <sys/types.h>

/* Each arithmetic word adds its unit; two bits hold how often it came. The sum says the type. */
enum {
    VOID = 1 << 0,
    BOOL = 1 << 2,
    CHAR = 1 << 4,
    SHORT = 1 << 6,
    INT = 1 << 8,
    LONG = 1 << 10,
    FLOAT = 1 << 12,
    DOUBLE = 1 << 14,
    SIGNED = 1 << 16,
    UNSIGNED = 1 << 18,
    COMPLEX = 1 << 20,
    HALF = 1 << 22,
    BFLOAT = 1 << 24
};

typedef enum word_kind {
    WORD_ARITHMETIC, /* value: its unit */
    WORD_SCALAR,     /* value: the dtype of a whole type */
    WORD_QUALIFIER,
    WORD_CONST,
    WORD_OUT,
    WORD_LOCAL,
    WORD_TAG,
} word_kind;

typedef struct word {
    const char *text;
    size_t length;
    word_kind kind;
    bool is_soft; /* no C keyword: after a type it is the name that is declared */
    uint32_t value;
} word;

#define WORD(text, kind, value)                                                                                        \
    {                                                                                                                  \
        text, sizeof text - 1, kind, false, value                                                                      \
    }
#define SOFT(text, kind, value)                                                                                        \
    {                                                                                                                  \
        text, sizeof text - 1, kind, true, value                                                                       \
    }
#define ARITHMETIC(text, unit) WORD(text, WORD_ARITHMETIC, unit)
#define SCALAR(type) SOFT(#type, WORD_SCALAR, COHORT_DTYPE_OF_((type)0))
static const word words[] = {
    WORD("const", WORD_CONST, 0),
    ARITHMETIC("float", FLOAT),
    ARITHMETIC("double", DOUBLE),
    ARITHMETIC("int", INT),
    SCALAR(int64_t),
    SCALAR(int32_t),
    WORD("COHORT_OUT", WORD_OUT, 0),
    ARITHMETIC("long", LONG),
    ARITHMETIC("unsigned", UNSIGNED),
    ARITHMETIC("char", CHAR),
    ARITHMETIC("short", SHORT),
    ARITHMETIC("void", VOID),
    ARITHMETIC("signed", SIGNED),
    ARITHMETIC("__signed__", SIGNED),
    ARITHMETIC("_Bool", BOOL),
    SOFT("bool", WORD_ARITHMETIC, BOOL),
    ARITHMETIC("_Complex", COMPLEX),
    ARITHMETIC("__complex__", COMPLEX),
    SOFT("complex", WORD_ARITHMETIC, COMPLEX),
    ARITHMETIC("_Float16", HALF),
    SOFT("half", WORD_ARITHMETIC, HALF),
    ARITHMETIC("__bf16", BFLOAT),
    SOFT("bfloat16", WORD_ARITHMETIC, BFLOAT),
    SCALAR(int8_t),
    SCALAR(uint8_t),
    SCALAR(int16_t),
    SCALAR(uint16_t),
    SCALAR(uint32_t),
    SCALAR(uint64_t),
    SCALAR(size_t),
    SCALAR(ssize_t),
    SCALAR(ptrdiff_t),
    SCALAR(intptr_t),
    SCALAR(uintptr_t),
    SCALAR(intmax_t),
    SCALAR(uintmax_t),
    SCALAR(cohort_status),
    WORD("volatile", WORD_QUALIFIER, 0),
    WORD("restrict", WORD_QUALIFIER, 0),
    WORD("register", WORD_QUALIFIER, 0),
    WORD("extern", WORD_QUALIFIER, 0),
    WORD("static", WORD_QUALIFIER, 0),
    WORD("inline", WORD_QUALIFIER, 0),
    WORD("__restrict", WORD_QUALIFIER, 0),
    WORD("__restrict__", WORD_QUALIFIER, 0),
    WORD("__const", WORD_CONST, 0),
    WORD("__volatile__", WORD_QUALIFIER, 0),
    WORD("__inline", WORD_QUALIFIER, 0),
    WORD("COHORT_LOCAL", WORD_LOCAL, 0),
    SOFT("out", WORD_OUT, 0),
    SOFT("local", WORD_LOCAL, 0),
    WORD("struct", WORD_TAG, 0),
    WORD("union", WORD_TAG, 0),
    WORD("enum", WORD_TAG, 0),
};
enum { N_WORDS = sizeof words / sizeof *words };

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

typedef struct reader {
    cohort_lexer *lexer;
    cohort_types *types;
    cohort_specifiers *out;
    uint32_t sum;
    bool has_name; /* the type is one name, such as size_t or pixel */
} reader;

static const word *find_word(cohort_token token)
{
    for (const word *w = words; token.kind == COHORT_TOKEN_NAME && w < words + N_WORDS; w++)
        if (w->length == token.length && *w->text == *token.start && memcmp(w->text, token.start, w->length) == 0)
            return w;
    return NULL;
}

static bool has_type(const reader *r)
{
    return r->sum != 0 || r->has_name;
}

/* "float complex z" has the type float complex, "float complex[n]" an array of that name. */
static bool is_complex_type(const reader *r)
{
    cohort_token next = cohort_lexer_peek(r->lexer);
    return !cohort_token_is(next, "[") && !cohort_token_is(next, ",") && !cohort_token_is(next, ")") &&
           !cohort_token_is(next, "COHORT_SHAPE") && !cohort_token_is(next, "COHORT_IS");
}

static bool is_declared_name(const reader *r, const word *w)
{
    if (!has_type(r))
        return false;
    return w == NULL || (w->is_soft && !(w->value == COMPLEX && is_complex_type(r)));
}

static cohort_status two_types(const reader *r, cohort_token token)
{
    return cohort_lexer_error(r->lexer, token, "'%.*s' makes no type together with what stands before it",
                              cohort_token_shown(token), token.start);
}

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
    if (!cohort_token_is(tag, "struct"))
        return cohort_lexer_error(r->lexer, tag,
                                  "%.*s types are not understood; an integer type of its own name can "
                                  "be listed with COHORT_TYPE_ALIAS",
                                  (int)tag.length, tag.start);
    cohort_status status = cohort_lexer_next(r->lexer);
    cohort_token name = r->lexer->token;
    if (status != COHORT_OK)
        return status;
    if (name.kind != COHORT_TOKEN_NAME)
        return cohort_lexer_error(r->lexer, name, "a struct needs a name here; define it with COHORT_STRUCT");
    if (!cohort_types_lists(r->types, name))
        return cohort_lexer_error(r->lexer, name,
                                  "unknown struct '%.*s'; define it with COHORT_STRUCT and list it in "
                                  ".types = COHORT_TYPES(...)",
                                  cohort_token_shown(name), name.start);
    return take_listed(r);
}

static cohort_status take_word(reader *r, const word *w)
{
    switch (w->kind) {
    case WORD_ARITHMETIC:
        return add_unit(r, w->value);
    case WORD_SCALAR:
        r->out->is_status = strcmp(w->text, "cohort_status") == 0;
        return take_named(r, w->value);
    case WORD_TAG:
        return take_tag(r);
    case WORD_CONST:
        r->out->is_const = true;
        break;
    case WORD_OUT:
        r->out->is_out = true;
        break;
    case WORD_LOCAL:
        r->out->is_local = true;
        break;
    case WORD_QUALIFIER:
        break;
    }
    return cohort_lexer_next(r->lexer);
}

static cohort_status unknown_type(const reader *r)
{
    cohort_guess guess = { .token = r->lexer->token };
    for (const word *w = words; w < words + N_WORDS; w++)
        if (w->kind <= WORD_SCALAR)
            cohort_guess_consider(&guess, w->text);
    cohort_types_consider(r->types, &guess);
    return cohort_lexer_error(r->lexer, guess.token, "unknown type '%.*s'%s", cohort_token_shown(guess.token),
                              guess.token.start, cohort_guess_text(&guess));
}

/* One specifier, or *out_ends before the declared name. Listed types may hide soft words. */
static cohort_status take_specifier(reader *r, bool *out_ends)
{
    cohort_token token = r->lexer->token;
    const word *w = find_word(token);
    *out_ends = token.kind != COHORT_TOKEN_NAME || is_declared_name(r, w);
    if (*out_ends)
        return COHORT_OK;
    if (!has_type(r) && (w == NULL || w->kind <= WORD_SCALAR || w->kind == WORD_TAG))
        r->out->token = token;
    if ((w == NULL || w->is_soft) && !has_type(r) && cohort_types_lists(r->types, token))
        return take_listed(r);
    return w != NULL ? take_word(r, w) : unknown_type(r);
}

static cohort_status type_of_sum(reader *r)
{
    for (size_t i = 0; i < N_SUMS; i++)
        if (types_of_sums[i].sum == r->sum) {
            r->out->type = types_of_sums[i].dtype;
            return COHORT_OK;
        }
    if (r->sum == COMPLEX)
        return cohort_lexer_error(r->lexer, r->out->token, "complex of what? write float complex or double complex");
    return cohort_lexer_error(r->lexer, r->out->token, "these words make no type");
}

static cohort_status missing_type(const reader *r)
{
    cohort_token found = r->lexer->token;
    if (found.kind == COHORT_TOKEN_END)
        return cohort_lexer_error(r->lexer, found, "expected a type, but the text ends");
    if (cohort_token_is(found, "."))
        return cohort_lexer_error(r->lexer, found, "functions with a variable number of arguments cannot be called");
    return cohort_lexer_error(r->lexer, found, "expected a type, found '%.*s'", cohort_token_shown(found), found.start);
}

cohort_status cohort_specifiers_parse(cohort_lexer *lexer, cohort_types *types, cohort_specifiers *out)
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
    const word *w = find_word(lexer->token);
    while (status == COHORT_OK && w != NULL && (w->kind == WORD_QUALIFIER || w->kind == WORD_CONST)) {
        status = cohort_lexer_next(lexer);
        w = find_word(lexer->token);
    }
    return status;
}

cohort_status cohort_specifiers_skip_stars(cohort_lexer *lexer, bool *out_is_pointer)
{
    cohort_status status = cohort_lexer_accept(lexer, "*", out_is_pointer);
    if (status == COHORT_OK && *out_is_pointer)
        status = cohort_specifiers_skip_qualifiers(lexer);
    if (status == COHORT_OK && *out_is_pointer && cohort_token_is(lexer->token, "*"))
        return cohort_lexer_error(lexer, lexer->token, "a pointer to a pointer; write void * for an opaque pointer");
    return status;
}
