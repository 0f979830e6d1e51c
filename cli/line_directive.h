/* SPDX-License-Identifier: BSD-3-Clause */
/* The first line of an OpenCL C source, from which compilers know what to call it. */
#ifndef COHORT_CLI_LINE_DIRECTIVE_H
#define COHORT_CLI_LINE_DIRECTIVE_H

/* #line 1 "NAME" with its newline, for any name: what would end the directive is escaped, and so
 * is ?, which might be part of a trigraph; control characters are shown as \x0a is. The caller
 * frees it; NULL: out of memory. */
char *line_directive(const char *name);

#endif
