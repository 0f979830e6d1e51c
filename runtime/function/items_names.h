/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that C and OpenCL C both have, or OpenCL C alone, as a body of an item may use them. */
#ifndef COHORT_FUNCTION_ITEMS_NAMES_H
#define COHORT_FUNCTION_ITEMS_NAMES_H

#include "runtime/function/lexer.h"

typedef enum cohort_items_kind {
    COHORT_ITEMS_EXACT,   /* of doubles, or with f behind its name of floats: one right result */
    COHORT_ITEMS_BOUNDED, /* the same, but no rule fixes its last bits */
    COHORT_ITEMS_INTEGER, /* abs and the like */
    COHORT_ITEMS_TEST,    /* isnan and the like: of any type, 1 or 0 */
    COHORT_ITEMS_TRUTH,   /* a test that says yes by any number but 0 */
    COHORT_ITEMS_REFUSED  /* C and the kernel would not mean the same */
} cohort_items_kind;

/* A function.
 *
 * takes    a letter for each argument: d a double (of the float form a float), i an int, l an
 *          int64_t, p a pointer to a double, q one to an int
 * instead  REFUSED: what to write, or NULL; else the name of the float form that has the same bits
 *          everywhere, or NULL
 * result   what it gives, of arguments a, b and c; NULL: what OpenCL's of the same name gives
 * is_alien REFUSED: C has no such function, so that the program's own would be meant */
typedef struct cohort_items_name {
    const char *name, *takes, *instead, *result;
    cohort_items_kind kind;
    bool is_alien;
} cohort_items_name;

/* The function that a token names; NULL: none that both languages know. *out_is_float: the name has
 * the f of the float form. */
const cohort_items_name *cohort_items_name_find(cohort_token token, bool *out_is_float);

/* Walk all functions of C for which a kernel is given C's meaning; NULL at the end. */
const cohort_items_name *cohort_items_name_next(const cohort_items_name *name);

/* The dtype of a constant that both languages have, such as M_PI; COHORT_VOID: it is none of them.
 * NAN is a float. */
uint32_t cohort_items_constant(cohort_token token);

/* A constant whose value is the library's or the device's, or the program's own. */
bool cohort_items_is_foreign_constant(cohort_token token);

#endif
