/* SPDX-License-Identifier: BSD-3-Clause */
/* Types are laid out by the rules of the platform's ABI, each member at the next multiple of its
 * alignment, and then compared with sizeof and _Alignof as the program's compiler gave them, if
 * it did: where the two differ, packed or over-aligned, the type is refused, since a plugin
 * could not pass it. */
#include "config.h"

#include "runtime/function/types.h"

#include "runtime/base/error.h"
#include "runtime/function/expression.h"
#include "runtime/function/specifiers.h"

#include <complex.h>
#include <string.h>

/* of structs inside structs: bounds the recursion between this file and specifiers.c */
enum { DEEPEST = 32 };

cohort_status cohort_types_init(cohort_types *types, const char *who, cohort_arena *arena,
                                const cohort_type *const *listed)
{
    *types = (cohort_types){ .who = who, .arena = arena, .listed = listed };
    for (; listed != NULL && listed[types->n_listed] != NULL; types->n_listed++) {
        const cohort_type *type = listed[types->n_listed];
        if (types->n_listed == COHORT_LIMIT_STRUCTS)
            return cohort_error_set(COHORT_EINVAL, "%s: more than %d types", who,
                                    COHORT_LIMIT_STRUCTS);
        if (type->name == NULL || type->is == NULL)
            return cohort_error_set(COHORT_EINVAL, "%s: type %d of .types has no name or no text",
                                    who, (int)types->n_listed);
    }
    return COHORT_OK;
}

static int32_t place_of(const cohort_types *types, cohort_token name)
{
    for (int32_t i = 0; i < types->n_listed; i++)
        if (cohort_token_is(name, types->listed[i]->name))
            return i;
    return -1;
}

bool cohort_types_lists(const cohort_types *types, cohort_token name)
{
    return place_of(types, name) >= 0;
}

void cohort_types_consider(const cohort_types *types, cohort_guess *guess)
{
    for (int32_t i = 0; i < types->n_listed; i++)
        cohort_guess_consider(guess, types->listed[i]->name);
}

uint32_t cohort_types_bytes(const cohort_types *types, uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? types->layouts[type - COHORT_STRUCT_BASE].size
                                      : (uint32_t)cohort_dtype_bytes((cohort_dtype)type);
}

static uint32_t alignment(const cohort_types *types, uint32_t type)
{
    static const uint8_t aligns[] = {
        [COHORT_VOID] = 1,
        [COHORT_BOOL] = _Alignof(_Bool),
        [COHORT_I8] = 1,
        [COHORT_U8] = 1,
        [COHORT_I16] = _Alignof(int16_t),
        [COHORT_U16] = _Alignof(uint16_t),
        [COHORT_I32] = _Alignof(int32_t),
        [COHORT_U32] = _Alignof(uint32_t),
        [COHORT_I64] = _Alignof(int64_t),
        [COHORT_U64] = _Alignof(uint64_t),
        [COHORT_F16] = 2,
        [COHORT_BF16] = 2,
        [COHORT_F8_E4M3] = 1,
        [COHORT_F8_E5M2] = 1,
        [COHORT_F32] = _Alignof(float),
        [COHORT_F64] = _Alignof(double),
        [COHORT_C64] = _Alignof(float _Complex),
        [COHORT_C128] = _Alignof(double _Complex),
        [COHORT_RECORD] = 1,
        [COHORT_LONG_DOUBLE] = _Alignof(long double),
        [COHORT_COMPLEX_LONG_DOUBLE] = _Alignof(long double _Complex),
        [COHORT_POINTER] = _Alignof(void *),
    };
    return type >= COHORT_STRUCT_BASE ? types->layouts[type - COHORT_STRUCT_BASE].align
                                      : aligns[type];
}

/* ---- Vectors and samplers */

/* One that is so many equal numbers. name: of the program's life, and of this type alone. */
static cohort_status add_numbers(cohort_types *types, const cohort_lexer *lexer, cohort_token at,
                                 const char *name, const cohort_layout *layout,
                                 const cohort_member *numbers, uint32_t *out_type)
{
    uint32_t i;
    for (i = 0; i < types->n_layouts; i++)
        if (types->names[i] == name) /* by address: a struct may have the same name */
            break;
    *out_type = COHORT_STRUCT_BASE + i;
    if (i < types->n_layouts)
        return COHORT_OK;
    if (i == COHORT_LIMIT_STRUCTS)
        return cohort_lexer_error(lexer, at, "more than %d structs and vectors",
                                  COHORT_LIMIT_STRUCTS);
    cohort_member *member = cohort_arena_take(types->arena, 1, sizeof *member);
    if (member == NULL)
        return cohort_error_memory("a vector");
    *member = *numbers;
    types->layouts[i] = *layout;
    types->layouts[i].nmembers = 1;
    types->layouts[i].members = member;
    types->names[types->n_layouts++] = name;
    return COHORT_OK;
}

cohort_status cohort_types_vector(cohort_types *types, const cohort_lexer *lexer, cohort_token at,
                                  const cohort_word *word, uint32_t *out_type)
{
    uint32_t element = cohort_word_element(word);
    uint32_t bytes = cohort_word_room(word) * cohort_types_bytes(types, element);
    const cohort_member lanes = { .type = element, .count = cohort_word_lanes(word) };
    return add_numbers(types, lexer, at, word->text,
                       &(cohort_layout){ .size = bytes, .align = bytes }, &lanes, out_type);
}

cohort_status cohort_types_sampler(cohort_types *types, const cohort_lexer *lexer, cohort_token at,
                                   uint32_t *out_type)
{
    static const char name[] = "sampler_t";
    static const cohort_member members = { .type = COHORT_U32,
                                           .count = sizeof(cohort_sampler) / sizeof(uint32_t) };
    return add_numbers(
        types, lexer, at, name,
        &(cohort_layout){ .size = sizeof(cohort_sampler), .align = _Alignof(cohort_sampler) },
        &members, out_type);
}

/* ---- Structs */

typedef struct layout_builder {
    cohort_types *types;
    cohort_lexer *lexer;
    cohort_member *members; /* room for as many as the text can have */
    uint32_t n_members, align;
    int64_t bytes; /* so far */
} layout_builder;

/* Each member ends with a comma or a semicolon. */
static size_t most_members(const cohort_lexer *lexer)
{
    size_t count = 0;
    for (size_t i = 0; i < lexer->length; i++)
        count += lexer->text[i] == ',' || lexer->text[i] == ';';
    return count < COHORT_LIMIT_STRUCT_MEMBERS ? count : COHORT_LIMIT_STRUCT_MEMBERS;
}

/* Only numbers: the text stands in the program, where an enum constant is known, but here no
 * name has a value. */
static cohort_status parse_count(layout_builder *b, int64_t *out_count)
{
    cohort_token token = b->lexer->token;
    cohort_expression extent;
    cohort_status status = cohort_expression_parse(b->lexer, b->types->arena, &extent);
    for (int32_t i = 0; status == COHORT_OK && i < extent.count; i++)
        if (extent.nodes[i].kind == COHORT_NODE_PARAMETER) {
            cohort_token name = cohort_expression_name(b->lexer, &extent.nodes[i]);
            return cohort_lexer_error(
                b->lexer, name, "'%.*s' is unknown in a struct: array sizes are integers here",
                cohort_token_shown(name), name.start);
        }
    if (status != COHORT_OK)
        return status;
    const char *problem = cohort_expression_evaluate(&extent, NULL, out_count);
    if (problem != NULL || *out_count < 1 || *out_count > INT32_MAX)
        return cohort_lexer_error(b->lexer, token, "an array of %s elements has no layout",
                                  extent.text);
    return COHORT_OK;
}

/* [2][3] is 6 elements. */
static cohort_status parse_counts(layout_builder *b, int64_t *out_count)
{
    bool is_array = false;
    cohort_status status = COHORT_OK;
    *out_count = 1;
    while (status == COHORT_OK) {
        cohort_token bracket = b->lexer->token;
        int64_t extent = 0;
        status = cohort_lexer_accept(b->lexer, "[", &is_array);
        if (status != COHORT_OK || !is_array)
            return status;
        status = parse_count(b, &extent);
        if (status == COHORT_OK)
            status = cohort_lexer_expect(b->lexer, "]", "after the array size");
        if (status == COHORT_OK && (*out_count *= extent) > INT32_MAX)
            status = cohort_lexer_error(b->lexer, bracket, "more than 2147483647 elements");
    }
    return status;
}

static cohort_status place_member(layout_builder *b, cohort_token name, uint32_t type,
                                  int64_t count)
{
    uint32_t align = alignment(b->types, type);
    int64_t offset = (b->bytes + align - 1) / align * align;
    /* below 2^62: counts and sizes are below 2^31 */
    int64_t end = offset + count * cohort_types_bytes(b->types, type);
    if (b->n_members == COHORT_LIMIT_STRUCT_MEMBERS)
        return cohort_lexer_error(b->lexer, name, "more than %d members",
                                  COHORT_LIMIT_STRUCT_MEMBERS);
    if (end > INT32_MAX)
        return cohort_lexer_error(b->lexer, name, "a struct of more than 2147483647 bytes");
    b->members[b->n_members++] =
        (cohort_member){ .type = type, .count = (uint32_t)count, .offset = (uint32_t)offset };
    b->bytes = end;
    b->align = align > b->align ? align : b->align;
    return COHORT_OK;
}

static cohort_status refuse_member(layout_builder *b, bool is_pointer, uint32_t type)
{
    cohort_token token = b->lexer->token;
    if (token.kind != COHORT_TOKEN_NAME)
        return cohort_lexer_error(b->lexer, token, "expected the name of a member");
    if (type == COHORT_VOID && !is_pointer)
        return cohort_lexer_error(b->lexer, token, "'%.*s' is void", cohort_token_shown(token),
                                  token.start);
    return COHORT_OK;
}

/* *name[2][3] */
static cohort_status parse_declarator(layout_builder *b, uint32_t type)
{
    bool is_pointer = false;
    int64_t count = 1;
    cohort_status status = cohort_specifiers_skip_stars(b->lexer, &is_pointer);
    if (status == COHORT_OK)
        status = refuse_member(b, is_pointer, type);
    cohort_token name = b->lexer->token;
    if (status == COHORT_OK)
        status = cohort_lexer_next(b->lexer);
    if (status == COHORT_OK)
        status = parse_counts(b, &count);
    if (status == COHORT_OK && cohort_token_is(b->lexer->token, ":"))
        status = cohort_lexer_error(b->lexer, b->lexer->token,
                                    "bit-fields have no layout that C defines");
    return status == COHORT_OK
               ? place_member(b, name, is_pointer ? (uint32_t)COHORT_POINTER : type, count)
               : status;
}

/* float x, y[3]; */
static cohort_status parse_members(layout_builder *b)
{
    cohort_specifiers specifiers;
    bool has_more = true;
    cohort_status status = cohort_specifiers_parse(b->lexer, b->types, &specifiers);
    if (status == COHORT_OK &&
        (specifiers.is_out || specifiers.space != COHORT_SPACE_NONE || specifiers.is_kernel))
        status = cohort_lexer_error(b->lexer, specifiers.token,
                                    "members of a struct have no direction and no address space");
    if (status == COHORT_OK && cohort_specifiers_is_image(&specifiers))
        status = cohort_lexer_error(b->lexer, specifiers.token,
                                    "images and samplers are parameters, and no members");
    if (status == COHORT_OK && specifiers.vector != NULL)
        status = cohort_types_vector(b->types, b->lexer, specifiers.token, specifiers.vector,
                                     &specifiers.type);
    while (status == COHORT_OK && has_more) {
        status = parse_declarator(b, specifiers.type);
        if (status == COHORT_OK)
            status = cohort_lexer_accept(b->lexer, ",", &has_more);
    }
    return status == COHORT_OK ? cohort_lexer_expect(b->lexer, ";", "after a member") : status;
}

static cohort_status parse_struct(layout_builder *b)
{
    cohort_token start = b->lexer->token;
    bool is_closed = false;
    cohort_status status = cohort_lexer_expect(b->lexer, "{", "before the members");
    while (status == COHORT_OK && !is_closed) {
        status = cohort_lexer_accept(b->lexer, "}", &is_closed);
        if (status == COHORT_OK && !is_closed)
            status = parse_members(b);
    }
    if (status == COHORT_OK && b->lexer->token.kind != COHORT_TOKEN_END)
        status = cohort_lexer_error(b->lexer, b->lexer->token, "the struct ends before this");
    if (status == COHORT_OK && b->n_members == 0)
        status = cohort_lexer_error(b->lexer, start, "a struct without members");
    return status;
}

static cohort_status add_layout(layout_builder *b, const cohort_type *listed, uint32_t *out_type)
{
    cohort_types *types = b->types;
    uint32_t bytes = (uint32_t)((b->bytes + b->align - 1) / b->align * b->align),
             i = types->n_layouts;
    if (listed->size != 0 && (bytes != listed->size || b->align != listed->align))
        return cohort_lexer_error(
            b->lexer, (cohort_token){ COHORT_TOKEN_MARK, b->lexer->text, 1 },
            "the text gives %u bytes aligned to %u, the compiler %zu aligned to %zu; it cannot "
            "be packed or over-aligned",
            bytes, b->align, listed->size, listed->align);
    if (i == COHORT_LIMIT_STRUCTS)
        return cohort_error_set(COHORT_EINVAL, "%s: more than %d structs and vectors", types->who,
                                COHORT_LIMIT_STRUCTS);
    types->names[i] = cohort_arena_text(types->arena, listed->name, strlen(listed->name));
    if (types->names[i] == NULL)
        return cohort_error_memory("a struct");
    types->layouts[i] = (cohort_layout){
        .size = bytes, .align = b->align, .nmembers = b->n_members, .members = b->members
    };
    types->n_layouts++;
    *out_type = COHORT_STRUCT_BASE + i;
    return COHORT_OK;
}

static cohort_status lay_out(cohort_types *types, cohort_lexer *lexer, const cohort_type *listed,
                             uint32_t *out_type)
{
    layout_builder b = { .types = types, .lexer = lexer, .align = 1 };
    b.members = cohort_arena_take(types->arena, most_members(lexer), sizeof *b.members);
    if (b.members == NULL)
        return cohort_error_memory("a struct");
    cohort_status status = parse_struct(&b);
    return status == COHORT_OK ? add_layout(&b, listed, out_type) : status;
}

/* ---- Aliases */

static cohort_status resolve_alias(cohort_types *types, cohort_lexer *lexer,
                                   const cohort_type *listed, uint32_t *out_type)
{
    cohort_specifiers specifiers;
    cohort_token start = lexer->token;
    cohort_status status = cohort_specifiers_parse(lexer, types, &specifiers);
    if (status != COHORT_OK)
        return status;
    if (lexer->token.kind != COHORT_TOKEN_END)
        return cohort_lexer_error(lexer, lexer->token, "the type ends before this");
    if (specifiers.vector != NULL)
        return cohort_lexer_error(lexer, start, "a vector has no other name here");
    if (cohort_specifiers_is_image(&specifiers))
        return cohort_lexer_error(lexer, start, "images and samplers have no other name here");
    uint32_t bytes = cohort_types_bytes(types, specifiers.type);
    if (bytes == 0 || (listed->size != 0 && bytes != listed->size))
        return cohort_lexer_error(lexer, start, "the text gives %u bytes, the compiler %zu", bytes,
                                  listed->size);
    *out_type = specifiers.type;
    return COHORT_OK;
}

static cohort_status resolve(cohort_types *types, int32_t place, uint32_t *out_type)
{
    const cohort_type *listed = types->listed[place];
    char who[COHORT_LIMIT_NAME_BYTES + 160];
    cohort_lexer lexer;
    (void)snprintf(who, sizeof who, "%.*s: type %.64s", COHORT_LIMIT_NAME_BYTES, types->who,
                   listed->name);
    cohort_status status = cohort_lexer_init(&lexer, who, listed->is);
    if (status != COHORT_OK)
        return status;
    return cohort_token_is(lexer.token, "{") ? lay_out(types, &lexer, listed, out_type)
                                             : resolve_alias(types, &lexer, listed, out_type);
}

cohort_status cohort_types_find(cohort_types *types, cohort_token name, uint32_t *out_type)
{
    int32_t place = place_of(types, name);
    if (types->seen[place].state == COHORT_TYPES_OPEN)
        return cohort_error_set(COHORT_EINVAL, "%s: type %s contains itself", types->who,
                                types->listed[place]->name);
    if (types->seen[place].state == COHORT_TYPES_UNSEEN) {
        if (types->depth == DEEPEST)
            return cohort_error_set(COHORT_EINVAL, "%s: more than %d structs inside each other",
                                    types->who, DEEPEST);
        /* A type that is met again while it is open contains itself. After a failure it stays
         * open: the signature is given up. */
        types->seen[place].state = COHORT_TYPES_OPEN;
        types->depth++;
        cohort_status status = resolve(types, place, &types->seen[place].type);
        types->depth--;
        if (status != COHORT_OK)
            return status;
        types->seen[place].state = COHORT_TYPES_KNOWN;
    }
    *out_type = types->seen[place].type;
    return COHORT_OK;
}
