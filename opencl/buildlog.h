/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of a build, as the user wants to read it. */
#ifndef COHORT_OPENCL_BUILDLOG_H
#define COHORT_OPENCL_BUILDLOG_H

#include <stddef.h>

/* The name that a source has as long as its own #line directives give none: it is told to the
 * compiler in front of the source, and stands for "no name" in a log. */
#define OPENCL_BUILDLOG_NAMELESS "cohort-source"

/* What was built. lines_before: how many lines the driver was given in front of the text. */
struct opencl_buildlog_source {
    const char *text;
    size_t bytes;
    unsigned lines_before;
};

/* A log as the user wants to read it, a text of its own, which the caller frees: places are those
 * of the source's #line directives, "line 3:4: " where none gave a name; lines that say nothing are
 * gone, and "error: " stands behind the place. `log` itself is cut into lines. NULL: nothing is
 * left, or no memory. */
char *opencl_buildlog_clean(char *log, const struct opencl_buildlog_source *source);

/* The first error of a log, "grad.cl:12:34: unknown type name 'floot'"; the first line, when no
 * line says that it is an error. */
void opencl_buildlog_first_error(const char *log, char *out, size_t size);

#endif
