/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: looking for a NaN or an infinity in what was written, as operations in line. */
#ifndef COHORT_OPERATION_SCAN_H
#define COHORT_OPERATION_SCAN_H

#include "runtime/operation/buffer.h"

#include <cohort/codes.h>

enum { COHORT_SCAN_SUBJECT_BYTES = 192 };

/* Look at `count` elements; one that is not finite is the strategy's failure (COHORT_EINVAL):
 * "SUBJECT has nan at element 17". The scan counts as the last that writes the buffer, so that what
 * it finds cannot be read. Nothing for a dtype that is not floating. subject: cut at
 * COHORT_SCAN_SUBJECT_BYTES. */
void cohort_scan_post(cohort_buffer *buffer, cohort_dtype dtype, uint64_t count,
                      const char *subject);

/* The first of n elements that is not finite, n when there is none. */
uint64_t cohort_scan_find(cohort_dtype dtype, const void *elements, uint64_t n);

#endif
