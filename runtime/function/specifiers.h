/* SPDX-License-Identifier: BSD-3-Clause */
/* Specifiers: what stands before a name in a C declaration, in any legal order. */
#ifndef COHORT_FUNCTION_SPECIFIERS_H
#define COHORT_FUNCTION_SPECIFIERS_H

#include "runtime/function/types.h"
#include "runtime/function/word.h"

typedef struct cohort_specifiers {
    uint32_t type;
    const cohort_word *vector; /* float4: the word, whose element is `type`; else NULL */
    cohort_space space;
    bool is_const, is_out, is_kernel;
    uint32_t image; /* a kind of cohort_arg; 0: it is none. Then `type` is that of a channel */
    uint32_t access, pixel; /* words of an image: COHORT_READ ..., COHORT_PIXEL_... */
    bool is_sampler;
    bool is_status;     /* spelled cohort_status */
    cohort_token token; /* where the type begins */
} cohort_specifiers;

/* Whether there is a word of images or samplers among them, which only parameters have. */
static inline bool cohort_specifiers_is_image(const cohort_specifiers *s)
{
    return s->image != 0 || s->is_sampler || s->access != 0 || s->pixel != 0;
}

/* Read "const unsigned long int", "COHORT_OUT struct pixel" ... up to the name, star or end that
 * follows. */
cohort_status cohort_specifiers_parse(cohort_lexer *lexer, cohort_types *types,
                                      cohort_specifiers *out);

/* The type of arithmetic words, by the sum of their units; false: they make none. */
bool cohort_specifiers_find(uint32_t sum, uint32_t *out_type);

/* Skip a star with its qualifiers, "* const restrict", if there is one. COHORT_EINVAL for two. */
cohort_status cohort_specifiers_skip_stars(cohort_lexer *lexer, bool *out_is_pointer);

/* Skip const, volatile, restrict, register and static. */
cohort_status cohort_specifiers_skip_qualifiers(cohort_lexer *lexer);

#endif
