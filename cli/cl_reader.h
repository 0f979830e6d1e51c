/* SPDX-License-Identifier: BSD-3-Clause */
/* The preprocessor of OpenCL C: a text with its includes, conditions and macros as one row of
 * tokens. It is for what the command wants to know of a file; what runs, the device's compiler
 * reads. */
#ifndef COHORT_CLI_CL_READER_H
#define COHORT_CLI_CL_READER_H

#include "cli/cl_macro.h"

enum {
    CL_MOST_CONDITIONS = 128,
    CL_MOST_FILES = 32,   /* one included by the other */
    CL_MOST_FOLDERS = 16, /* of -I */
    CL_REMARK_BYTES = 512
};

/* Tokens that are read before the file goes on: an expansion, or an argument (a barrier, at whose
 * end reading stops). */
typedef struct cl_source {
    const cl_token *tokens;
    int n, at;
    bool is_barrier;
    cl_macro *macro; /* NULL: none */
    struct cl_source *below;
} cl_source;

/* was_taken: no further part of this #if is read */
typedef struct cl_group {
    bool is_read, was_taken, is_inside_read, has_else;
    int32_t line;
    const char *file;
} cl_group;

typedef struct cl_reader {
    pool *pool;
    cl_macros macros;
    cl_lexer files[CL_MOST_FILES];
    const char *folders[CL_MOST_FILES]; /* that of each file, where its "..." includes are */
    int n_files;
    const char *searched[CL_MOST_FOLDERS];
    int n_searched;
    cl_group groups[CL_MOST_CONDITIONS];
    int n_groups;
    cl_source *sources;
    int depth;                    /* of arguments inside of arguments */
    bool is_stopped;              /* beyond a limit: there are no more tokens */
    bool includes_beside;         /* a file beside the first one, without -I, was read */
    char remark[CL_REMARK_BYTES]; /* the first thing that was not understood, or "" */
} cl_reader;

/* Begin with this text of a file; `name` is for messages and says where its includes are. The
 * reader keeps text and name. false: no memory. */
bool cl_reader_begin(cl_reader *reader, pool *p, const char *name, const char *text, size_t bytes);

/* Options of a compiler, of which -D, -U and -I count. */
void cl_reader_take_options(cl_reader *reader, const char *options);

/* The next token, in which macros are expanded; CL_END at the end, or beyond a limit. */
cl_token cl_reader_next(cl_reader *reader);

/* All of these tokens with macros expanded, into a list. */
void cl_reader_expand(cl_reader *reader, const cl_token *tokens, int n, cl_list *out);

/* Keep the first remark about a place. */
__attribute__((format(printf, 3, 4))) void cl_reader_remark(cl_reader *reader, cl_token at,
                                                            const char *format, ...);

/* For cl_reader.c alone: the next token as the file has it, and the work on a line behind #. */
cl_token cl_reader_raw(cl_reader *reader);
void cl_reader_direct(cl_reader *reader);
bool cl_reader_is_skipping(const cl_reader *reader);

#endif
