/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of OpenCL C, as its preprocessor has them. */
#ifndef COHORT_CLI_CL_TOKEN_H
#define COHORT_CLI_CL_TOKEN_H

#include "cli/pool.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum cl_kind {
    CL_END,
    CL_NAME,
    CL_NUMBER, /* a preprocessing number: 16, 0x1f, 1.5f, 1e+3 */
    CL_TEXT,   /* "..." or '...', with its quotes */
    CL_MARK,
    CL_TYPE /* a struct or an enum of the file, once it is known (cl_types.h) */
} cl_kind;

typedef struct cl_token {
    cl_kind kind;
    int32_t length, line;
    const char *start, *file; /* file: its name, for messages */
    const struct cl_type *type;
    bool is_first;   /* on its line */
    bool has_space;  /* before it */
    bool is_painted; /* a macro's name inside of its own expansion, which stays as it is */
} cl_token;

/* A list in a pool. */
typedef struct cl_list {
    cl_token *tokens;
    int n, capacity;
} cl_list;

typedef struct cl_lexer {
    const char *at, *end, *file;
    int32_t line;
    bool is_fresh; /* nothing was read of this line */
} cl_lexer;

/* The text without backslashes before the ends of lines, whose lines are kept in number, and where
 * it ends; NULL: no memory. */
char *cl_splice(pool *p, const char *text, size_t bytes, const char **out_end);

/* The next one; CL_END at the end. A comment that never ends, ends there; a quote, with its
 * line. */
cl_token cl_lexer_next(cl_lexer *lexer);

bool cl_is(cl_token token, const char *text);
bool cl_same(cl_token a, cl_token b); /* their texts */

/* false: no memory. */
bool cl_list_add(pool *p, cl_list *list, cl_token token);
bool cl_list_add_all(pool *p, cl_list *list, const cl_token *tokens, int n);

#endif
