/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_HELPER, COHORT_CONSTANT and COHORT_TABLE: what the program declares for bodies, found by
 * name, parsed where a body uses it, and collected for the kernel's text. */
#ifndef COHORT_FUNCTION_ITEMS_HELPER_H
#define COHORT_FUNCTION_ITEMS_HELPER_H

#include "runtime/function/arena.h"
#include "runtime/function/items_parser.h"

#include <cohort/helper.h>

/* One that a function uses, as a kernel has it. All texts are the signature's. */
typedef struct cohort_items_helper {
    const char *name, *type;
    const char *parameters; /* of a function; else NULL */
    const char *extents;    /* of a table; else "" */
    const char *text;       /* the body, or what it begins with, with names of C */
    const char *source;     /* the same as the descriptor has it */
    const char *file;
    int32_t line;
} cohort_items_helper;

/* All that one function uses, each behind those that it uses itself.
 *
 * all   of the translation unit, the newest first; borrowed
 * open  a helper that is being parsed, and those that led to it */
typedef struct cohort_items_helpers {
    cohort_arena *arena;
    const cohort_helper *all;
    struct cohort_items_open {
        const cohort_helper *helper;
        const struct cohort_items_open *outer;
    } const *open;
    cohort_items_helper *used;
    size_t count, capacity;
} cohort_items_helpers;

/* The helper of this name; NULL: there is none. */
const cohort_helper *cohort_items_helper_find(const cohort_items_helpers *helpers,
                                              cohort_token name);

/* The token names this helper: parse and collect it, where that was not done, and step over the
 * name. The value is what a function returns, and what a constant or table is. */
cohort_items_value cohort_items_helper_use(cohort_items_parser *p, const cohort_helper *helper);

#endif
