/* SPDX-License-Identifier: BSD-3-Clause */
/* The private part of a signature, for the files that know it: signature_create.c and
 * signature_items.c make it, signature.c shares, compares and frees it. */
#ifndef COHORT_FUNCTION_SIGNATURE_HOLDER_H
#define COHORT_FUNCTION_SIGNATURE_HOLDER_H

#include "runtime/base/memory.h"
#include "runtime/function/arena.h"
#include "runtime/function/signature.h"
#include "runtime/function/types.h"

#include <stdatomic.h>

typedef struct cohort_signature_holder {
    cohort_signature signature; /* first: its address is that of the holder */
    atomic_int n_shares;
    cohort_arena arena; /* everything that the signature points to */
    const char *const *type_names;
    const char *counted, *item_body; /* as the descriptor has them; "" without items */
    /* copies of .types, to tell another descriptor at the same address */
    cohort_type *listed;
    int32_t n_listed;
} cohort_signature_holder;

static inline cohort_signature_holder *cohort_signature_holder_of(const cohort_signature *signature)
{
    return cohort_memory_own(signature);
}

/* The indices of COHORT_ITEMS, what its body may do, and the helpers of the translation unit that
 * it uses, when all else of the signature is there.
 * It fills all three texts, and a descriptor without items none. */
cohort_status cohort_signature_read_items(cohort_signature_holder *h, cohort_types *types,
                                          const cohort_helper *helpers);

/* ---- The texts of a descriptor, which may be of an earlier header. */

static inline const char *cohort_signature_returns_of(const cohort_function *function)
{
    return function->returns != NULL ? function->returns : "void";
}

static inline const cohort_type *const *cohort_signature_types_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, types) ? function->types : NULL;
}

/* The texts of COHORT_ITEMS; "" where the descriptor has none. */
static inline const char *cohort_signature_item_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, item) ? function->item : "";
}

static inline const char *cohort_signature_count_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, count) ? function->count : "";
}

static inline const char *cohort_signature_item_body_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, item_body) ? function->item_body : "";
}

/* The newest of its translation unit, or NULL. */
static inline const cohort_helper *cohort_signature_helpers_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, helpers) ? *function->helpers : NULL;
}

static inline const char *cohort_signature_expansions_of(const cohort_function *function)
{
    return COHORT_HAS(function, cohort_function, expansions) ? function->expansions : "";
}

#endif
