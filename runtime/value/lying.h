/* SPDX-License-Identifier: BSD-3-Clause */
/* On which logical device things lie, for calls that take place where all of them do. */
#ifndef COHORT_VALUE_LYING_H
#define COHORT_VALUE_LYING_H

#include <cohort/status.h>

#include <stdint.h>

/* What a call has met so far. */
typedef struct cohort_lying {
    int32_t logical;  /* -1: nothing that lies on one of them alone */
    const char *name; /* of the first that does */
} cohort_lying;

/* One more thing of the call. logical: where it lies, -1: on all of them. COHORT_EINVAL, for the
 * caller to prefix: it lies on another one than what was met before. */
cohort_status cohort_lying_meet(cohort_lying *lying, int32_t logical, const char *name);

#endif
