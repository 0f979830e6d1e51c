/* SPDX-License-Identifier: BSD-3-Clause */
/* Words with a meaning in prototypes: those of C, of Cohort, and of OpenCL C, for kernels' own
 * declarations. */
#ifndef COHORT_FUNCTION_WORD_H
#define COHORT_FUNCTION_WORD_H

#include "runtime/base/guess.h"
#include "runtime/function/lexer.h"

#include <stdint.h>

typedef enum cohort_word_kind {
    COHORT_WORD_ARITHMETIC, /* value: a cohort_unit */
    COHORT_WORD_SCALAR,     /* value: the dtype of a whole type */
    COHORT_WORD_VECTOR,     /* value: dtype and lanes, see below */
    COHORT_WORD_QUALIFIER,
    COHORT_WORD_CONST,
    COHORT_WORD_OUT,
    COHORT_WORD_SPACE, /* value: a cohort_space */
    COHORT_WORD_KERNEL,
    COHORT_WORD_IMAGE, /* value: a kind of cohort_arg */
    COHORT_WORD_SAMPLER,
    COHORT_WORD_ACCESS, /* of an image; value: COHORT_READ, COHORT_WRITE or both */
    COHORT_WORD_PIXEL,  /* value: a COHORT_PIXEL_... */
    COHORT_WORD_ATTRIBUTE,
    COHORT_WORD_TAG,
    COHORT_WORD_REFUSED /* value: place of its reason */
} cohort_word_kind;

/* Each arithmetic word adds its unit; two bits hold how often it came. The sum says the type. */
typedef enum cohort_unit {
    COHORT_UNIT_VOID = 1 << 0,
    COHORT_UNIT_BOOL = 1 << 2,
    COHORT_UNIT_CHAR = 1 << 4,
    COHORT_UNIT_SHORT = 1 << 6,
    COHORT_UNIT_INT = 1 << 8,
    COHORT_UNIT_LONG = 1 << 10,
    COHORT_UNIT_FLOAT = 1 << 12,
    COHORT_UNIT_DOUBLE = 1 << 14,
    COHORT_UNIT_SIGNED = 1 << 16,
    COHORT_UNIT_UNSIGNED = 1 << 18,
    COHORT_UNIT_COMPLEX = 1 << 20,
    COHORT_UNIT_HALF = 1 << 22,
    COHORT_UNIT_BFLOAT = 1 << 24
} cohort_unit;

/* Where a pointer of OpenCL C points. */
typedef enum cohort_space {
    COHORT_SPACE_NONE, /* not said */
    COHORT_SPACE_GLOBAL,
    COHORT_SPACE_CONSTANT,
    COHORT_SPACE_LOCAL,
    COHORT_SPACE_PRIVATE
} cohort_space;

typedef struct cohort_word {
    const char *text;
    size_t length;
    cohort_word_kind kind;
    bool is_soft; /* no keyword of C: where a type stands before it, the word is a declared name */
    uint32_t value;
} cohort_word;

/* The word that a token is; NULL: it has no meaning of its own. */
const cohort_word *cohort_word_find(cohort_token token);

/* Of a VECTOR word: lanes are 2, 3, 4, 8 or 16. */
static inline uint32_t cohort_word_lanes(const cohort_word *word)
{
    return word->value >> 16;
}
/* The elements of memory that one takes: a vector of 3 has the size and alignment of 4.
 * Source: OpenCL C specification, Alignment of Types. */
static inline uint32_t cohort_word_room(const cohort_word *word)
{
    uint32_t lanes = cohort_word_lanes(word);
    return lanes == 3 ? 4 : lanes;
}
static inline uint32_t cohort_word_element(const cohort_word *word)
{
    return word->value & 0xffff;
}

const char *cohort_word_reason(const cohort_word *word); /* of a REFUSED word */

/* Offer the names of types to a guess. */
void cohort_word_consider_types(cohort_guess *guess);

#endif
