/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of one function: sizes of scalars, and the structs and aliases of its descriptor's list. */
#ifndef COHORT_FUNCTION_TYPES_H
#define COHORT_FUNCTION_TYPES_H

#include <cohort/array.h>
#include <cohort/function.h>
#include <cohort/plugin.h>

#include "runtime/base/guess.h"
#include "runtime/base/limits.h"
#include "runtime/function/arena.h"
#include "runtime/function/lexer.h"
#include "runtime/function/word.h"

/* A type is a cohort_dtype or COHORT_STRUCT_BASE + i for layouts[i]. Only what the prototype names
 * is laid out, so that structs inside others come first. */
typedef struct cohort_types {
    const char *who;   /* the function, for messages */
    bool is_from_text; /* a declaration as headers have it: pointers without a shape, no names */
    cohort_arena *arena;
    const cohort_type *const *listed; /* of the descriptor; borrowed */
    int32_t n_listed, depth;          /* depth: of structs being laid out inside each other */
    struct {
        enum { COHORT_TYPES_UNSEEN, COHORT_TYPES_OPEN, COHORT_TYPES_KNOWN } state;
        uint32_t type;
    } seen[COHORT_LIMIT_STRUCTS]; /* one for each listed type */
    uint32_t n_layouts;
    cohort_layout layouts[COHORT_LIMIT_STRUCTS];
    const char *names[COHORT_LIMIT_STRUCTS]; /* of the layouts */
} cohort_types;

/* listed: ended by NULL, may be NULL. COHORT_EINVAL: more than COHORT_LIMIT_STRUCTS, or one without
 * name or text. */
cohort_status cohort_types_init(cohort_types *types, const char *who, cohort_arena *arena,
                                const cohort_type *const *listed);

bool cohort_types_lists(const cohort_types *types, cohort_token name);

/* The listed type of this name, laid out when it is met first and compared with what the compiler
 * said about it. */
cohort_status cohort_types_find(cohort_types *types, cohort_token name, uint32_t *out_type);

/* A vector of OpenCL C, such as float4, as a struct: its lanes, as large as aligned; one of 3 ends
 * with the room of a fourth. */
cohort_status cohort_types_vector(cohort_types *types, const cohort_lexer *lexer, cohort_token at,
                                  const cohort_word *word, uint32_t *out_type);

/* sampler_t as a struct: cohort_sampler. */
cohort_status cohort_types_sampler(cohort_types *types, const cohort_lexer *lexer, cohort_token at,
                                   uint32_t *out_type);

/* Size in bytes; 0 for void. */
uint32_t cohort_types_bytes(const cohort_types *types, uint32_t type);

/* Offer the names of the list to a guess. */
void cohort_types_consider(const cohort_types *types, cohort_guess *guess);

#endif
