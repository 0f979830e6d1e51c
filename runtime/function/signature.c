/* SPDX-License-Identifier: BSD-3-Clause */
/* A signature is made in one go from a descriptor, and never changes: threads share it without a
 * lock, and only the count of its holders is atomic. All that it points to is copied into its
 * arena, so it outlives the library that had the descriptor. */
#include "config.h"

#include "runtime/function/signature.h"

#include "runtime/base/assert.h"
#include "runtime/base/handle.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/function/expression.h"
#include "runtime/function/items_body.h"
#include "runtime/function/parsed.h"
#include "runtime/function/parser.h"
#include "runtime/function/plugin_sig.h"

#include <stdatomic.h>
#include <string.h>

/* What create hands out, and what belongs to it. */
typedef struct holder {
    cohort_signature signature; /* first: the public pointer is this one */
    atomic_int n_shares;
    cohort_arena arena; /* everything that the signature points to */
    const char *const *type_names;
    const char *returns, *counted, *item_body; /* the last two "" without items */
    /* copies of .types, to tell another descriptor at the same address */
    cohort_type *listed;
    int32_t n_listed;
} holder;

static const char *returns_of(const cohort_function *function)
{
    return function->returns != NULL ? function->returns : "void";
}

static const cohort_type *const *types_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, types) ? function->types : NULL;
}

/* The texts of COHORT_ITEMS; "" where the descriptor has none. */
static const char *item_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, item) ? function->item : "";
}

static const char *count_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, count) ? function->count : "";
}

static const char *item_body_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, item_body) ? function->item_body : "";
}

/* The descriptor comes from the program, perhaps from one that was compiled with an earlier
 * header: struct_size says how much of it there is. */
static cohort_status check_descriptor(const cohort_function *function)
{
    cohort_lexer lexer;
    if (function == NULL)
        return cohort_handle_refuse(function, COHORT_HANDLE_FUNCTION, "function", "the function");
    if (cohort_parsed_is_destroyed(function))
        return cohort_error_set(COHORT_EINVAL, "a function that is destroyed already");
    if (function->struct_size < offsetof(cohort_function, host))
        return cohort_error_set(COHORT_EINVAL, "a function whose struct_size is %u",
                                (unsigned)function->struct_size);
    if (function->name == NULL || function->prototype == NULL)
        return cohort_error_set(COHORT_EINVAL, "a function without %s",
                                function->name == NULL ? "name" : "prototype");
    cohort_status status = cohort_lexer_init(&lexer, "the name of a function", function->name);
    if (status == COHORT_OK &&
        (lexer.token.kind != COHORT_TOKEN_NAME || lexer.token.length != lexer.length))
        status = cohort_lexer_error(&lexer, lexer.token, "this is no name");
    return status;
}

static bool copy_text(holder *h, const char *text, const char **out)
{
    *out = cohort_arena_text(&h->arena, text, strlen(text));
    return *out != NULL;
}

static cohort_status copy_texts(holder *h, const cohort_function *function)
{
    cohort_signature *signature = &h->signature;
    signature->line = function->line;
    bool is_copied = copy_text(h, function->name, &signature->name) &&
                     copy_text(h, function->prototype, &signature->prototype) &&
                     copy_text(h, function->file != NULL ? function->file : "", &signature->file) &&
                     copy_text(h, returns_of(function), &h->returns) &&
                     copy_text(h, item_of(function), &signature->item) &&
                     copy_text(h, count_of(function), &h->counted) &&
                     copy_text(h, item_body_of(function), &h->item_body);
    return is_copied ? COHORT_OK : cohort_error_memory("a signature");
}

static cohort_status copy_listed(holder *h, const cohort_types *types)
{
    if (types->n_listed == 0)
        return COHORT_OK;
    h->listed = cohort_arena_take(&h->arena, (size_t)types->n_listed, sizeof *h->listed);
    for (int32_t i = 0; h->listed != NULL && i < types->n_listed; i++) {
        const cohort_type *type = types->listed[i];
        h->listed[i] = *type;
        h->listed[i].name = cohort_arena_text(&h->arena, type->name, strlen(type->name));
        h->listed[i].is = cohort_arena_text(&h->arena, type->is, strlen(type->is));
        if (h->listed[i].name == NULL || h->listed[i].is == NULL)
            return cohort_error_memory("a signature");
        h->n_listed++;
    }
    return h->listed != NULL ? COHORT_OK : cohort_error_memory("a signature");
}

/* What a launch copies for parameters that are no arrays, each aligned to 16. Of scratch memory
 * that is the number of bytes, 64 bits. */
static cohort_status count_value_bytes(cohort_signature *signature)
{
    for (int32_t i = 0; i < signature->n_parameters; i++) {
        const cohort_parameter *parameter = &signature->parameters[i];
        uint32_t bytes = parameter->role == COHORT_ROLE_LOCAL ? sizeof(uint64_t) : parameter->bytes;
        signature->value_bytes += parameter->role == COHORT_ROLE_ARRAY ? 0 : (bytes + 15) / 16 * 16;
    }
    if (signature->value_bytes > COHORT_LIMIT_ARGUMENT_BYTES)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the arguments passed by value have %u bytes; at most %d",
            signature->name, signature->value_bytes, COHORT_LIMIT_ARGUMENT_BYTES);
    return COHORT_OK;
}

/* ---- Items */

static cohort_status check_item_name(const cohort_signature *signature, const char *item)
{
    cohort_lexer lexer;
    cohort_status status = cohort_lexer_init(&lexer, signature->name, item);
    if (status == COHORT_OK &&
        (lexer.token.kind != COHORT_TOKEN_NAME || lexer.token.length != lexer.length))
        status =
            cohort_lexer_error(&lexer, lexer.token, "the index of an item needs a name, such as i");
    for (int32_t i = 0; status == COHORT_OK && i < signature->n_parameters; i++)
        if (strcmp(signature->parameters[i].name, item) == 0)
            status =
                cohort_lexer_error(&lexer, lexer.token, "the index of an item is a parameter too");
    return status;
}

static cohort_status parse_count(holder *h, const char *text)
{
    cohort_lexer lexer;
    cohort_expression count;
    cohort_status status = cohort_lexer_init(&lexer, h->signature.name, text);
    if (status == COHORT_OK)
        status = cohort_expression_parse(&lexer, &h->arena, &count);
    if (status == COHORT_OK && lexer.token.kind != COHORT_TOKEN_END)
        status = cohort_lexer_error(&lexer, lexer.token, "the number of items ends before this");
    if (status == COHORT_OK)
        status = cohort_expression_link(&lexer, h->signature.parameters, h->signature.n_parameters,
                                        &count);
    if (status == COHORT_OK)
        h->signature.count = count;
    return status;
}

/* COHORT_ITEMS fills all three texts, and a descriptor without items none. */
static cohort_status read_items(holder *h)
{
    cohort_signature *signature = &h->signature;
    if (h->item_body[0] == '\0' && h->counted[0] == '\0' && signature->item[0] == '\0') {
        signature->item = NULL;
        return COHORT_OK;
    }
    if (h->item_body[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "%s: items without a body", signature->name);
    if (signature->result_type != COHORT_VOID)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the body of an item returns nothing; its result is void, not %s",
            signature->name, h->returns);
    cohort_status status = check_item_name(signature, signature->item);
    if (status == COHORT_OK)
        status = parse_count(h, h->counted);
    if (status == COHORT_OK)
        status = cohort_items_body_check(signature->name, h->item_body);
    if (status == COHORT_OK)
        status = cohort_items_body_check_name(signature->name, h->item_body, signature->item);
    for (int32_t i = 0; i < signature->n_parameters && status == COHORT_OK; i++)
        status = cohort_items_body_check_name(signature->name, h->item_body,
                                              signature->parameters[i].name);
    return status;
}

/* The last step: what plugins see is made of what all other steps have filled. Numbers of
 * signatures begin at 1, since 0 is that of none. */
static cohort_status describe(holder *h, const cohort_types *types)
{
    static atomic_uint_fast64_t n_made;
    cohort_status status = count_value_bytes(&h->signature);
    if (status == COHORT_OK)
        status = cohort_plugin_sig_describe(&h->arena, types, &h->signature, &h->type_names);
    h->signature.uid = atomic_fetch_add(&n_made, 1) + 1;
    return status;
}

static cohort_status fill(holder *h, const cohort_function *function)
{
    cohort_types types;
    cohort_status status = cohort_types_init(&types, function->name, &h->arena, types_of(function));
    /* Texts are copied after they were parsed: one that is too long is refused, not copied. */
    if (status == COHORT_OK)
        status = cohort_parser_read_result(&types, returns_of(function), &h->signature);
    if (status == COHORT_OK)
        status = cohort_parser_read_parameters(&types, function->prototype, &h->signature);
    if (status == COHORT_OK)
        status = copy_texts(h, function);
    if (status == COHORT_OK)
        status = copy_listed(h, &types);
    if (status == COHORT_OK)
        status = read_items(h);
    return status == COHORT_OK ? describe(h, &types) : status;
}

static holder *holder_of(const cohort_signature *signature)
{
    return cohort_memory_own(signature);
}

const cohort_signature *cohort_signature_create(const cohort_function *function)
{
    if (check_descriptor(function) != COHORT_OK)
        return NULL;
    holder *h = cohort_allocate(1, sizeof *h);
    if (h == NULL) {
        (void)cohort_error_memory("a signature");
        return NULL;
    }
    atomic_init(&h->n_shares, 1);
    if (fill(h, function) != COHORT_OK) {
        cohort_signature_release(&h->signature);
        return NULL;
    }
    return &h->signature;
}

/* ---- Lifetime */

static bool is_same_type(const cohort_type *a, const cohort_type *b)
{
    return a->size == b->size && a->align == b->align && strcmp(a->name, b->name) == 0 &&
           strcmp(a->is, b->is) == 0;
}

/* By texts, not by addresses: another library may have been loaded at the place of this one. */
bool cohort_signature_matches(const cohort_signature *signature, const cohort_function *function)
{
    const holder *h = holder_of(signature);
    const cohort_type *const *listed = types_of(function);
    const char *item = signature->item != NULL ? signature->item : "";
    int32_t n = 0;
    if (function->name == NULL || strcmp(signature->name, function->name) != 0 ||
        function->prototype == NULL || strcmp(signature->prototype, function->prototype) != 0 ||
        strcmp(h->returns, returns_of(function)) != 0 || strcmp(item, item_of(function)) != 0 ||
        strcmp(h->counted, count_of(function)) != 0 ||
        strcmp(h->item_body, item_body_of(function)) != 0)
        return false;
    for (; n < h->n_listed && listed != NULL && listed[n] != NULL; n++)
        if (!is_same_type(&h->listed[n], listed[n]))
            return false;
    return n == h->n_listed && (listed == NULL || listed[n] == NULL);
}

void cohort_signature_retain(const cohort_signature *signature)
{
    atomic_fetch_add_explicit(&holder_of(signature)->n_shares, 1, memory_order_relaxed);
}

void cohort_signature_release(const cohort_signature *signature)
{
    if (signature == NULL)
        return;
    holder *h = holder_of(signature);
    /* Acquire and release: what other holders did with the signature is done before it is freed. */
    int shares = atomic_fetch_sub(&h->n_shares, 1);
    cohort_assert(shares > 0);
    if (shares > 1)
        return;
    cohort_arena_free(&h->arena);
    cohort_free(h);
}

const char *cohort_signature_type_name(const cohort_signature *signature, uint32_t type)
{
    if (type >= COHORT_STRUCT_BASE && type - COHORT_STRUCT_BASE < signature->sig.ntypes)
        return holder_of(signature)->type_names[type - COHORT_STRUCT_BASE];
    return cohort_dtype_name((cohort_dtype)type);
}
