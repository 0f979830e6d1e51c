/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of the body of an item: C that is looked at before macros are expanded. */
#ifndef COHORT_FUNCTION_ITEMS_TOKEN_H
#define COHORT_FUNCTION_ITEMS_TOKEN_H

#include "runtime/function/lexer.h"

/* The first token at or behind this place: a word, a number such as 0x1p-3f or 10'000, a text in
 * quotes, ++, --, ->, or another character, which is a MARK like the three; of length 0 at the end
 * of the body. Blanks, comments, and a backslash that ends its line are passed over. */
cohort_token cohort_items_token(const char *at);

cohort_token cohort_items_next(cohort_token token); /* the one behind it */

bool cohort_items_is_word(cohort_token token);

/* Is it one of these texts, whose list NULL ends? */
bool cohort_items_is_any(cohort_token token, const char *const texts[]);

#endif
