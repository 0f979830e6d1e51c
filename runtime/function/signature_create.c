/* SPDX-License-Identifier: BSD-3-Clause */
/* A signature is made in one go from a descriptor: each step reads what those before it have
 * filled. All that the signature points to is copied into its arena, so it outlives the library
 * that had the descriptor. */
#include "config.h"

#include "runtime/function/signature.h"

#include "runtime/base/digest.h"
#include "runtime/base/error.h"
#include "runtime/base/handle.h"
#include "runtime/base/limits.h"
#include "runtime/function/items_expansion.h"
#include "runtime/function/items_helper.h"
#include "runtime/function/parsed.h"
#include "runtime/function/parser.h"
#include "runtime/function/plugin_sig.h"
#include "runtime/function/signature_holder.h"

#include <string.h>

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

static bool copy_text(cohort_signature_holder *h, const char *text, const char **out)
{
    *out = cohort_arena_text(&h->arena, text, strlen(text));
    return *out != NULL;
}

static cohort_status copy_texts(cohort_signature_holder *h, const cohort_function *function)
{
    cohort_signature *signature = &h->signature;
    signature->line = function->line;
    bool is_copied = copy_text(h, function->name, &signature->name) &&
                     copy_text(h, function->prototype, &signature->prototype) &&
                     copy_text(h, function->file != NULL ? function->file : "", &signature->file) &&
                     copy_text(h, cohort_signature_returns_of(function), &signature->returns) &&
                     copy_text(h, cohort_signature_item_of(function), &signature->item) &&
                     copy_text(h, cohort_signature_count_of(function), &h->counted) &&
                     copy_text(h, cohort_signature_item_body_of(function), &h->item_body);
    return is_copied ? cohort_items_expansion_undo(&h->arena, h->item_body,
                                                   cohort_signature_expansions_of(function),
                                                   &signature->body)
                     : cohort_error_memory("a signature");
}

static cohort_status copy_listed(cohort_signature_holder *h, const cohort_types *types)
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

/* The memory into which a launch copies parameters that are no arrays, and the extents of images,
 * each aligned to 16. Of scratch memory that is the number of bytes, 64 bits. */
static cohort_status count_value_bytes(cohort_signature *signature)
{
    for (int32_t i = 0; i < signature->n_parameters; i++) {
        const cohort_parameter *parameter = &signature->parameters[i];
        if (parameter->role == COHORT_ROLE_LOCAL)
            signature->value_bytes += 16;
        else if (cohort_parameter_has_value(parameter))
            signature->value_bytes += cohort_parameter_value_bytes(parameter);
    }
    if (signature->value_bytes > COHORT_LIMIT_ARGUMENT_BYTES)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the arguments passed by value have %u bytes; at most %d",
            signature->name, signature->value_bytes, COHORT_LIMIT_ARGUMENT_BYTES);
    return COHORT_OK;
}

/* A set of 64 holds the bounds of any prototype, which has 40 parameters at most. */
static uint64_t find_bounds(const cohort_signature *signature)
{
    uint64_t bounds = 0;
    for (int32_t i = 0; i < signature->n_parameters; i++)
        bounds |= (uint64_t)(signature->parameters[i].role == COHORT_ROLE_BOUND) << i;
    return bounds;
}

/* With its end, so that no text goes over into the next. */
static uint64_t add_text(uint64_t digest, const char *text)
{
    return cohort_digest_add(digest, text, strlen(text) + 1);
}

static uint64_t add_helper(uint64_t digest, const cohort_items_helper *h)
{
    digest = add_text(add_text(digest, h->type), h->name);
    digest = add_text(digest, h->parameters != NULL ? h->parameters : "");
    return add_text(add_text(digest, h->extents), h->text);
}

static uint64_t find_digest(const cohort_signature_holder *h)
{
    const cohort_signature *s = &h->signature;
    const char *const texts[] = { s->returns, s->name, s->prototype, s->item != NULL ? s->item : "",
                                  h->counted, s->body };
    uint64_t digest = COHORT_DIGEST_OF_NOTHING;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        digest = add_text(digest, texts[i]);
    for (int32_t i = 0; i < s->n_helpers; i++)
        digest = add_helper(digest, &s->helpers[i]);
    for (int32_t i = 0; i < h->n_listed; i++) {
        const cohort_type *t = &h->listed[i];
        const uint64_t layout[] = { t->size, t->align };
        digest = add_text(add_text(digest, t->name), t->is);
        digest = cohort_digest_add(digest, layout, sizeof layout);
    }
    return digest;
}

/* The last step: what plugins see is made of what all other steps have filled. Numbers of
 * signatures begin at 1, since 0 is that of none. */
static cohort_status describe(cohort_signature_holder *h, const cohort_types *types)
{
    static atomic_uint_fast64_t n_made;
    cohort_status status = count_value_bytes(&h->signature);
    h->signature.bounds = find_bounds(&h->signature);
    if (status == COHORT_OK)
        status = cohort_plugin_sig_describe(&h->arena, types, &h->signature, &h->type_names);
    h->signature.digest = find_digest(h);
    h->signature.uid = atomic_fetch_add(&n_made, 1) + 1;
    return status;
}

static cohort_status fill(cohort_signature_holder *h, const cohort_function *function)
{
    cohort_types types;
    cohort_status status =
        cohort_types_init(&types, function->name, &h->arena, cohort_signature_types_of(function));
    types.is_from_text = cohort_parsed_is(function);
    /* Texts are copied after they were parsed: one that is too long is refused, not copied. */
    if (status == COHORT_OK)
        status =
            cohort_parser_read_result(&types, cohort_signature_returns_of(function), &h->signature);
    if (status == COHORT_OK)
        status = cohort_parser_read_parameters(&types, function->prototype, &h->signature);
    if (status == COHORT_OK)
        status = copy_texts(h, function);
    if (status == COHORT_OK)
        status = copy_listed(h, &types);
    if (status == COHORT_OK)
        status = cohort_signature_read_items(h, &types, cohort_signature_helpers_of(function));
    return status == COHORT_OK ? describe(h, &types) : status;
}

const cohort_signature *cohort_signature_create(const cohort_function *function)
{
    if (check_descriptor(function) != COHORT_OK)
        return NULL;
    cohort_signature_holder *h = cohort_allocate(1, sizeof *h);
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
