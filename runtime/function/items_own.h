/* SPDX-License-Identifier: BSD-3-Clause */
/* Own elements: the arrays of which an item touches one place alone, that of its indices.
 *
 * Of an array with an element for each item that is its element, x[i], or x[i * m + j] with the
 * indices i and j of n and m. Of one with an element for each of the first indices alone, such as
 * the scale[i] of a row, it is the one of these. It makes no difference how the place is spelled:
 * x[(i)], x[m * i + j], or x[at] with `const int64_t at = i * m + j;`. The parser of the body tells
 * of each place where it finds an array (items_expression.c). What it does not tell of makes an
 * array one that is not touched so: all places where the name stands in the body are counted. */
#ifndef COHORT_FUNCTION_ITEMS_OWN_H
#define COHORT_FUNCTION_ITEMS_OWN_H

#include "runtime/function/arena.h"
#include "runtime/function/items_form.h"
#include "runtime/function/items_token.h"
#include "runtime/function/signature.h"

typedef struct cohort_items_own_array {
    uint8_t axes;   /* bit d: all places so far are those of the first d + 1 indices */
    int32_t n_seen; /* places that the parser has told of */
    const char *how;
    cohort_token where; /* the first one that is none of these, or that it has none such */
} cohort_items_own_array;

/* One body that is parsed. Of a helper there is none: NULL is allowed for it everywhere, and its
 * forms are 0. */
typedef struct cohort_items_own {
    const cohort_signature *signature;
    const char *body;
    cohort_items_form *forms; /* [n_forms]; a form that is known is its number here, from 1 on */
    size_t n_forms, forms_capacity;
    cohort_items_form places[COHORT_MAX_INDICES]; /* of an item, by its first d + 1 indices */
    cohort_items_own_array arrays[COHORT_MAX_ARGUMENTS];
    bool is_out_of_memory;
} cohort_items_own;

/* The signature has its parameters and indices. */
void cohort_items_own_begin(cohort_items_own *own, const cohort_signature *signature,
                            const char *body);

/* What was found becomes the signature's: own, own_axes and apart, the texts in the arena. */
cohort_status cohort_items_own_end(cohort_items_own *own, cohort_arena *arena,
                                   cohort_signature *signature);

void cohort_items_own_free(cohort_items_own *own);

/* ---- Forms: numbers of them; 0: not known. */

int32_t cohort_items_own_number(cohort_items_own *own, int64_t number);

/* Of an integer parameter, or with n_parameters + d an index. */
int32_t cohort_items_own_name(cohort_items_own *own, int32_t name);

int32_t cohort_items_own_combine(cohort_items_own *own, int32_t a, int32_t b, char sign);

/* ---- Places. array: a parameter. */

/* Its name stands here, as a variable. */
void cohort_items_own_see(cohort_items_own *own, int32_t array);

/* It is indexed so, in [start, end). */
void cohort_items_own_index(cohort_items_own *own, int32_t array, int32_t form, const char *start,
                            const char *end);

/* It is used in another way: "as a pointer". */
void cohort_items_own_refuse(cohort_items_own *own, int32_t array, const char *how,
                             const char *start, const char *end);

/* Any array may be meant. */
void cohort_items_own_refuse_all(cohort_items_own *own, const char *how, const char *start,
                                 const char *end);

#endif
