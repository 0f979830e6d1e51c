/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of a build, as the user wants to read it. */
#ifndef COHORT_OPENCL_BUILDLOG_H
#define COHORT_OPENCL_BUILDLOG_H

#include <stddef.h>

/* Clean a log in place. The name that a driver invents for a source without #line "FILE" becomes
 * "line ", lines that say nothing go, and "error: " stands behind the place. */
void opencl_buildlog_clean(char *log);

/* The first error of a log, "grad.cl:12:34: unknown type name 'floot'"; the first line, when no
 * line says that it is an error. */
void opencl_buildlog_first_error(const char *log, char *out, size_t size);

#endif
