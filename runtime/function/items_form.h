/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms: integers of a body as sums of products, of the indices of an item and the integers of its
 * function, such as i * m + j.
 *
 * Forms are equal exactly if their numbers are, whatever the indices and integers: so it makes no
 * difference how a body spells a place. */
#ifndef COHORT_FUNCTION_ITEMS_FORM_H
#define COHORT_FUNCTION_ITEMS_FORM_H

#include "runtime/function/parameter.h"

/* A form with more terms, or more factors in one, is not known. */
enum { COHORT_FORM_TERMS = 6, COHORT_FORM_FACTORS = 4 };

typedef struct cohort_items_term {
    int64_t number;                     /* never 0 */
    uint8_t names[COHORT_FORM_FACTORS]; /* ascending; 0: none */
} cohort_items_term;

typedef struct cohort_items_form {
    int32_t n;                                  /* -1: not known */
    cohort_items_term terms[COHORT_FORM_TERMS]; /* [n], by their names, each set of them once */
} cohort_items_form;

cohort_items_form cohort_items_form_number(int64_t number);

/* name: from 1 on: parameters, then indices. */
cohort_items_form cohort_items_form_name(int32_t name);

/* sign: + - or *; of anything else, or of what is not known, nothing is known. */
cohort_items_form cohort_items_form_combine(const cohort_items_form *a, const cohort_items_form *b,
                                            char sign);

/* Of an expression of a prototype: the parameter k has the name k + 1. A division is not known. */
cohort_items_form cohort_items_form_of(const cohort_expression *expression);

/* False, too, where one is not known. */
bool cohort_items_form_is(const cohort_items_form *a, const cohort_items_form *b);

#endif
