/* SPDX-License-Identifier: BSD-3-Clause */
/* The meaning of the names in a body of an item: variables, members of structs, names of types. */
#ifndef COHORT_FUNCTION_ITEMS_SYMBOLS_H
#define COHORT_FUNCTION_ITEMS_SYMBOLS_H

#include "runtime/function/lexer.h"

#include <cohort/array.h>
#include <cohort/plugin.h>

#include <stdint.h>

/* Types beside the dtypes; COHORT_STRUCT_BASE + i is the i-th struct that the body or the list of
 * the function has.
 *
 * FOREIGN  a name that neither C nor the body declares: a kernel does not know it either, and does
 *          not build
 * UNTOLD   the tokens do not tell */
enum { COHORT_ITEMS_FOREIGN = -1, COHORT_ITEMS_UNTOLD = -2 };

/* The type of an expression, and what else the checks want to know of it. */
typedef struct cohort_items_value {
    int64_t type;      /* of what the stars lead to */
    int32_t n_stars;   /* of the pointer or array */
    const char *truth; /* the function by which any number but 0 may be here, or NULL */
    bool is_flag;      /* an int in C, and in C++ a bool or a char */
    bool is_of_table;  /* a table, or what is in it: memory to which no pointer leads */
    bool is_of_array;  /* an array of the prototype, or what is in it */
    bool is_constant;
    double number; /* of a constant */
    /* an array of the prototype, or what is in it: its parameter, counted from 1 on; and of an
     * integer its form (items_own.h) */
    int32_t array, form;
} cohort_items_value;

typedef struct cohort_items_symbol {
    cohort_token name;
    cohort_items_value value;
    int32_t owner; /* a member: its struct; else -1 */
    bool is_type;  /* of a typedef, or a struct's tag */
} cohort_items_symbol;

typedef struct cohort_items_symbols {
    cohort_items_symbol *list;
    size_t count, capacity;
    int32_t n_structs;
} cohort_items_symbols;

/* Names are borrowed. False: out of memory. */
bool cohort_items_symbols_add(cohort_items_symbols *symbols, cohort_items_symbol symbol);

/* The newest variable or type of this name; NULL: there is none. */
const cohort_items_symbol *cohort_items_symbols_find(const cohort_items_symbols *symbols,
                                                     cohort_token name);

/* The symbol that was declared by this very token; NULL: it is gone, or none was. */
cohort_items_symbol *cohort_items_symbols_newest(cohort_items_symbols *symbols, cohort_token name);

const cohort_items_symbol *cohort_items_symbols_member(const cohort_items_symbols *symbols,
                                                       int32_t owner, cohort_token name);

/* Forget the variables and types that came after the first `count` symbols. */
void cohort_items_symbols_leave(cohort_items_symbols *symbols, size_t count);

void cohort_items_symbols_free(cohort_items_symbols *symbols);

#endif
