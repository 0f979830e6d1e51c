/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of somebody's that computes with Cohort, and is loaded and unloaded by tests/unload. */
#ifndef COHORT_TESTS_UNLOAD_USER_H
#define COHORT_TESTS_UNLOAD_USER_H

/* Items, a C body, an output, a sum and a log line, on these devices. What is wrong, NULL:
 * nothing. */
typedef const char *use_fn(const char *devices);

#endif
