/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS: the text of a body has its macros expanded, those of C's headers too. What these
 * expand to is the library's, the compiler's, or none of OpenCL C: here it becomes the name again
 * that both languages know. */
#ifndef COHORT_FUNCTION_ITEMS_EXPANSION_H
#define COHORT_FUNCTION_ITEMS_EXPANSION_H

#include "runtime/function/arena.h"

#include <cohort/status.h>

/* The text with the names of C that `expansions` found again, such as isnan(x[i]) for
 * "__builtin_isnan (x[i])", and functions of <tgmath.h> as glibc with gcc and clang write them. An
 * expansion is the name's only if it has something that no program writes: a word that begins with
 * two underscores, a long double, an exponent of four digits. So a program's own macro INFINITY, of
 * 1e30f, is that number. Numbers of C with LL are those of OpenCL C with L.
 *
 * expansions  a line for each name, "isnan(cohort_a)\t__builtin_isnan (cohort_a)\n"; cohort_a,
 *             cohort_b and cohort_c stand for whatever tokens; may be ""
 * out_text    in the arena
 *
 * COHORT_ENOMEM; what matches nothing stays as it is. */
cohort_status cohort_items_expansion_undo(cohort_arena *arena, const char *text,
                                          const char *expansions, const char **out_text);

#endif
