/* SPDX-License-Identifier: BSD-3-Clause */
/* A signature never changes once it is made (signature_create.c): threads share it without a lock,
 * and only the count of its holders is atomic. */
#include "config.h"

#include "runtime/function/signature.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/function/items_helper.h"
#include "runtime/function/signature_holder.h"

#include <string.h>

static bool is_same_type(const cohort_type *a, const cohort_type *b)
{
    return a->size == b->size && a->align == b->align && strcmp(a->name, b->name) == 0 &&
           strcmp(a->is, b->is) == 0;
}

/* Most functions have no items, and three empty texts for that: their first character is enough. */
static bool is_same_text(const char *a, const char *b)
{
    return *a == *b && (*a == '\0' || strcmp(a, b) == 0);
}

/* One of the translation unit still is the helper that the body uses. */
static bool is_same_helper(const cohort_items_helper *used, const cohort_helper *all)
{
    while (all != NULL && strcmp(all->name, used->name) != 0)
        all = all->next;
    return all != NULL && strcmp(all->type, used->type) == 0 &&
           strcmp(all->extents, used->extents) == 0 && strcmp(all->text, used->source) == 0 &&
           (all->parameters == NULL) == (used->parameters == NULL) &&
           (all->parameters == NULL || strcmp(all->parameters, used->parameters) == 0);
}

/* By texts, not by addresses: another library may have been loaded at the place of this one. */
bool cohort_signature_matches(const cohort_signature *signature, const cohort_function *function)
{
    const cohort_signature_holder *h = cohort_signature_holder_of(signature);
    const cohort_type *const *listed = cohort_signature_types_of(function);
    const char *item = signature->item != NULL ? signature->item : "";
    int32_t n = 0;
    if (function->name == NULL || strcmp(signature->name, function->name) != 0 ||
        function->prototype == NULL || strcmp(signature->prototype, function->prototype) != 0 ||
        !is_same_text(signature->returns, cohort_signature_returns_of(function)) ||
        !is_same_text(item, cohort_signature_item_of(function)) ||
        !is_same_text(h->counted, cohort_signature_count_of(function)) ||
        !is_same_text(h->item_body, cohort_signature_item_body_of(function)))
        return false;
    for (int32_t i = 0; i < signature->n_helpers; i++)
        if (!is_same_helper(&signature->helpers[i], cohort_signature_helpers_of(function)))
            return false;
    for (; n < h->n_listed && listed != NULL && listed[n] != NULL; n++)
        if (!is_same_type(&h->listed[n], listed[n]))
            return false;
    return n == h->n_listed && (listed == NULL || listed[n] == NULL);
}

void cohort_signature_retain(const cohort_signature *signature)
{
    atomic_fetch_add_explicit(&cohort_signature_holder_of(signature)->n_shares, 1,
                              memory_order_relaxed);
}

void cohort_signature_release(const cohort_signature *signature)
{
    if (signature == NULL)
        return;
    cohort_signature_holder *h = cohort_signature_holder_of(signature);
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
        return cohort_signature_holder_of(signature)->type_names[type - COHORT_STRUCT_BASE];
    return cohort_dtype_name((cohort_dtype)type);
}
