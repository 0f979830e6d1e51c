/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros of OpenCL C: their table, and what a definition says. */
#ifndef COHORT_CLI_CL_MACRO_H
#define COHORT_CLI_CL_MACRO_H

#include "cli/cl_token.h"

typedef struct cl_macro {
    cl_token name;
    cl_list body, parameters;
    bool is_function, is_variadic;
    bool is_defined; /* false: taken back by #undef */
    bool is_active;  /* its expansion is being read */
    struct cl_macro *next;
} cl_macro;

enum { CL_BUCKETS = 256 };

typedef struct cl_macros {
    cl_macro *buckets[CL_BUCKETS];
} cl_macros;

/* What stands behind #define, "N 16" or "SQ(x) ((x) * (x))". NULL, or what is wrong. A second
 * definition replaces the first. */
const char *cl_macros_define(cl_macros *macros, pool *p, const cl_token *line, int n);

/* -D NAME or -D NAME=TEXT of a compiler's options; `text` is one of these. NULL, or what is
 * wrong. */
const char *cl_macros_define_option(cl_macros *macros, pool *p, const char *text);

void cl_macros_undefine(cl_macros *macros, cl_token name);

/* NULL: it is none. */
cl_macro *cl_macros_find(const cl_macros *macros, cl_token name);

#endif
