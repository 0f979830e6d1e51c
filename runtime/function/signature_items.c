/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: what its texts say of the indices of an item, and of its body. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/function/expression.h"
#include "runtime/function/items_body.h"
#include "runtime/function/items_types.h"
#include "runtime/function/signature_holder.h"

#include <string.h>

/* Neither a parameter nor an index before it. */
static cohort_status check_index(const cohort_lexer *lexer, const cohort_signature *signature)
{
    for (int32_t i = 0; i < signature->n_parameters; i++)
        if (cohort_token_is(lexer->token, signature->parameters[i].name))
            return cohort_lexer_error(lexer, lexer->token,
                                      "the index of an item is a parameter too");
    for (int32_t i = 0; i < signature->n_indices; i++)
        if (cohort_token_is(lexer->token, signature->indices[i]))
            return cohort_lexer_error(lexer, lexer->token, "an item has this index twice");
    return COHORT_OK;
}

static cohort_status parse_index(cohort_signature_holder *h, cohort_lexer *lexer)
{
    cohort_signature *signature = &h->signature;
    if (lexer->token.kind != COHORT_TOKEN_NAME)
        return cohort_lexer_error(lexer, lexer->token,
                                  "the index of an item needs a name, such as i");
    if (signature->n_indices == COHORT_MAX_INDICES)
        return cohort_lexer_error(lexer, lexer->token, "an item has at most %d indices",
                                  COHORT_MAX_INDICES);
    cohort_status status = check_index(lexer, signature);
    if (status != COHORT_OK)
        return status;
    const char *name = cohort_arena_text(&h->arena, lexer->token.start, lexer->token.length);
    signature->indices[signature->n_indices++] = name;
    return name != NULL ? cohort_lexer_next(lexer) : cohort_error_memory("a signature");
}

/* "i" or "i, j". */
static cohort_status parse_indices(cohort_signature_holder *h)
{
    cohort_lexer lexer;
    cohort_status status = cohort_lexer_init(&lexer, h->signature.name, h->signature.item);
    bool has_more = true;
    while (status == COHORT_OK && has_more) {
        status = parse_index(h, &lexer);
        if (status == COHORT_OK)
            status = cohort_lexer_accept(&lexer, ",", &has_more);
    }
    if (status == COHORT_OK && lexer.token.kind != COHORT_TOKEN_END)
        status =
            cohort_lexer_error(&lexer, lexer.token, "the index of an item needs a name, such as i");
    return status;
}

static cohort_status parse_count(cohort_signature_holder *h, cohort_lexer *lexer, int32_t i)
{
    bool has_comma = true;
    cohort_status status = i > 0 ? cohort_lexer_accept(lexer, ",", &has_comma) : COHORT_OK;
    if (status == COHORT_OK && !has_comma)
        return cohort_lexer_error(lexer, lexer->token,
                                  "there are %d indices, and a number of items for each, such as "
                                  "n, m",
                                  (int)h->signature.n_indices);
    return status == COHORT_OK ? cohort_expression_parse(lexer, &h->arena, &h->signature.counts[i])
                               : status;
}

/* Of each index one. */
static cohort_status parse_counts(cohort_signature_holder *h)
{
    cohort_signature *s = &h->signature;
    cohort_lexer lexer;
    cohort_status status = cohort_lexer_init(&lexer, s->name, h->counted);
    for (int32_t i = 0; i < s->n_indices && status == COHORT_OK; i++)
        status = parse_count(h, &lexer, i);
    if (status == COHORT_OK && lexer.token.kind != COHORT_TOKEN_END)
        status = cohort_lexer_error(&lexer, lexer.token, "the number of items ends before this");
    for (int32_t i = 0; i < s->n_indices && status == COHORT_OK; i++)
        status = cohort_expression_link(&lexer, s->parameters, s->n_parameters, &s->counts[i]);
    return status;
}

static cohort_status keep_helpers(cohort_signature_holder *h, const cohort_items_helpers *helpers)
{
    if (helpers->count == 0)
        return COHORT_OK;
    cohort_items_helper *kept = cohort_arena_take(&h->arena, helpers->count, sizeof *helpers->used);
    if (kept == NULL)
        return cohort_error_memory("a signature");
    memcpy(kept, helpers->used, helpers->count * sizeof *kept);
    h->signature.helpers = kept;
    h->signature.n_helpers = (int32_t)helpers->count;
    return COHORT_OK;
}

static cohort_status check_types(cohort_signature_holder *h, cohort_types *types,
                                 const cohort_helper *all)
{
    cohort_items_helpers helpers = { .arena = &h->arena, .all = all };
    cohort_items_own own;
    cohort_items_own_begin(&own, &h->signature, h->signature.body);
    cohort_status status =
        cohort_items_types_check(&h->signature, types, &helpers, &own, h->signature.body);
    if (status == COHORT_OK)
        status = cohort_items_own_end(&own, &h->arena, &h->signature);
    if (status == COHORT_OK)
        status = keep_helpers(h, &helpers);
    cohort_items_own_free(&own);
    cohort_free(helpers.used);
    return status;
}

cohort_status cohort_signature_read_items(cohort_signature_holder *h, cohort_types *types,
                                          const cohort_helper *helpers)
{
    cohort_signature *signature = &h->signature;
    if (signature->body[0] == '\0' && h->counted[0] == '\0' && signature->item[0] == '\0') {
        signature->item = NULL;
        return COHORT_OK;
    }
    if (signature->body[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "%s: items without a body", signature->name);
    if (signature->result_type != COHORT_VOID)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the body of an item returns nothing; its result is void, not %s",
            signature->name, signature->returns);
    for (int32_t i = 0; i < signature->n_parameters; i++)
        if (signature->parameters[i].image != 0 || signature->parameters[i].is_sampler)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: '%s' is an image or a sampler, which the body of an item "
                                    "has not on the host: write a kernel",
                                    signature->name, signature->parameters[i].name);
    cohort_status status = parse_indices(h);
    if (status == COHORT_OK)
        status = parse_counts(h);
    if (status == COHORT_OK)
        status = cohort_items_body_check(signature->name, signature->body);
    for (int32_t i = 0; i < signature->n_indices && status == COHORT_OK; i++)
        status =
            cohort_items_body_check_name(signature->name, signature->body, signature->indices[i]);
    for (int32_t i = 0; i < signature->n_parameters && status == COHORT_OK; i++)
        status = cohort_items_body_check_name(signature->name, signature->body,
                                              signature->parameters[i].name);
    return status == COHORT_OK ? check_types(h, types, helpers) : status;
}
