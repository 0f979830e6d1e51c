/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of a build, as the user wants to read it. */
#ifndef COHORT_OPENCL_BUILDLOG_H
#define COHORT_OPENCL_BUILDLOG_H

#include <stddef.h>

/* Clean a log in place: the drivers' names for a source without #line "FILE" become "line ", what
 * says nothing goes, and "error: " stands behind the place. */
void opencl_buildlog_clean(char *log);

/* The first error, "grad.cl:12:34: unknown type name 'floot'"; the first line when none says that
 * it is one. */
void opencl_buildlog_first_error(const char *log, char *out, size_t size);

#endif
