/* SPDX-License-Identifier: BSD-3-Clause */
/* What the names of an OpenCL C file stand for: typedefs, structs, enums and their constants. */
#ifndef COHORT_CLI_CL_TYPES_H
#define COHORT_CLI_CL_TYPES_H

#include "cli/cl_reader.h"

#include <cohort/cohort.h>

/* A struct or enum. `members` have no typedefs left, and numbers for the sizes of arrays; of an
 * enum they are "A = 0, B = 5". */
typedef struct cl_type {
    cl_token name; /* how the command calls it: that of a typedef, else its tag */
    cl_token tag;  /* length 0: none */
    cl_list members;
    bool is_enum, is_union, is_defined;
    bool is_named; /* by a typedef */
    bool is_packed;
    bool has_odd_members; /* one is packed or aligned */
    int64_t aligned;      /* bytes of aligned(16); 1: not said; 0: no number */
    struct cl_type *next;
} cl_type;

/* A name of a type: words that may stand in its place, and what a declarator adds. */
typedef struct cl_alias {
    cl_token name;
    cl_list words, extents; /* extents: of an array, "[ 4 ] [ 4 ]" */
    bool is_pointer;
    struct cl_alias *next;
} cl_alias;

typedef struct cl_constant {
    cl_token name;
    int64_t value;
    struct cl_constant *next;
} cl_constant;

/* given: types of the command line, ended by NULL, whose names stay as they are */
typedef struct cl_types {
    cl_reader *reader;
    const cohort_type *const *given;
    cl_type *types;
    cl_alias *aliases;
    cl_constant *constants;
    int n_names; /* of all of these, at most CL_MOST_NAMES: they are looked for one by one */
    int n_unnamed, depth;
} cl_types;
enum { CL_MOST_NAMES = 8192 };

/* What stands before a declared name. */
typedef struct cl_words {
    cl_list words;
    const cl_alias *alias; /* the last word was this one; NULL: none */
    cl_type *defined;      /* the struct or enum whose braces stood here; NULL: none */
} cl_words;

/* Read words from tokens[*at] on to what is declared. Types that are defined on the way are
 * kept. */
void cl_types_read_words(cl_types *t, const cl_token *tokens, int n, int *at, cl_words *out);

/* Read "[N][2 * M]" with numbers for expressions that have a value. */
void cl_types_read_extents(cl_types *t, const cl_token *tokens, int n, int *at, cl_list *out);

/* The value of a constant expression; false: it has none. */
bool cl_types_evaluate(const cl_types *t, const cl_token *tokens, int n, int64_t *out);

/* A whole declaration that begins with typedef, or defines a struct or an enum. `outer`: what stood
 * in __attribute__((...)) outside of braces, and `inner` within. */
void cl_types_declare(cl_types *t, const cl_token *tokens, int n, const cl_list *outer,
                      const cl_list *inner);

#endif
