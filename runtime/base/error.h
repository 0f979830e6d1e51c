/* SPDX-License-Identifier: BSD-3-Clause */
/* The error slot of the calling thread. */
#ifndef COHORT_BASE_ERROR_H
#define COHORT_BASE_ERROR_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stdint.h>

enum { COHORT_ERROR_BYTES = 2048 }; /* longer texts are cut, at a character */

/* cohort_error_set (cohort/status.h) takes the slot's own text among its arguments too. */

/* A number of cohort/codes.h. */
bool cohort_error_is_status(cohort_status status);

/* The status that came with the slot's text, for what fails with a NULL; COHORT_OK: the slot is empty. */
cohort_status cohort_error_status(void);

/* Empty the slot. */
void cohort_error_clear(void);

/* Put "prefix: " before what the slot says; returns status. */
cohort_status cohort_error_prefix(cohort_status status, const char *format, ...) COHORT_PRINTF_(2, 3);

/* A call got the NULL of an earlier failed call: keep its reason. Returns COHORT_EINVAL. */
cohort_status cohort_error_null(const char *call, const char *what);

/* Out of memory while making `what`. Returns COHORT_ENOMEM. */
cohort_status cohort_error_memory(const char *what);

/* After fork every call of the child answers COHORT_ENODEV: device threads do not survive it (measured: libgomp and
 * PoCL hang). COHORT_OK in the process that first used the library. */
cohort_status cohort_error_if_forked(void);

#endif
