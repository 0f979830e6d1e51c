/* SPDX-License-Identifier: BSD-3-Clause */
/* Constant integers of OpenCL C: of #if, and of the sizes of arrays. */
#ifndef COHORT_CLI_CL_CONDITION_H
#define COHORT_CLI_CL_CONDITION_H

#include "cli/cl_token.h"

/* The value of a name; false: it has none. */
typedef bool (*cl_value_fn)(const void *user, cl_token name, int64_t *out);

/* All of the tokens, in which macros are expanded already, as one expression of C with 64 bits,
 * signed or not. NULL, or what is wrong. */
const char *cl_condition(const cl_token *tokens, int n, cl_value_fn value, const void *user,
                         int64_t *out);

#endif
