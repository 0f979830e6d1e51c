/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of cohort/math.h and cohort/random.h, which bodies of items may call, and their texts.
 *
 * A text is put in front of the kernels whose bodies call one of its functions, with the texts that
 * it takes itself; it is embedded when the library is built, without its #include lines. */
#ifndef COHORT_FUNCTION_ITEMS_OURS_H
#define COHORT_FUNCTION_ITEMS_OURS_H

#include "runtime/function/items_token.h"

extern const char cohort_text_of_math[], cohort_text_of_math_angle[], cohort_text_of_math_erf[],
    cohort_text_of_math_power[], cohort_text_of_math_round[], cohort_text_of_random[],
    cohort_text_of_math_double[], cohort_text_of_math_double_angle[],
    cohort_text_of_math_double_erf[], cohort_text_of_math_double_power[],
    cohort_text_of_math_double_round[], cohort_text_of_random_double[];

/* What the function that this token names gives: a dtype, or COHORT_VOID where that is a struct.
 * False: it is none of these functions. */
bool cohort_items_ours_find(cohort_token token, uint32_t *out_type);

/* The first of these functions that the body calls and that is of doubles; of no length: none
 * is. */
cohort_token cohort_items_ours_double(const char *body);

/* A struct that one of the texts declares. */
bool cohort_items_ours_is_type(cohort_token token);

/* The texts that a body takes, in their order: the one behind `text` (NULL: the first), or NULL. */
const char *cohort_items_ours_next(const char *body, const char *text);

#endif
