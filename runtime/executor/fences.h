/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of fences: for each ring of an executor the number of an operation in it, 0 for none. A set
 * is reached when all these operations are over.
 *
 * One number per ring is enough, for the operations of a ring are over in their order. Source: a
 * vector clock (Fidge 1988, Mattern 1989), the rings being the processes. */
#ifndef COHORT_EXECUTOR_FENCES_H
#define COHORT_EXECUTOR_FENCES_H

#include "runtime/executor/lane.h"

#include <string.h>

static inline void cohort_fences_clear(uint64_t set[], int32_t rings)
{
    memset(set, 0, (size_t)rings * sizeof *set);
}

/* A fence without a lane adds nothing. */
static inline void cohort_fences_add(uint64_t set[], cohort_fence fence)
{
    if (fence.lane != NULL && set[fence.lane->index] < fence.number)
        set[fence.lane->index] = fence.number;
}

static inline void cohort_fences_join(uint64_t set[], const uint64_t other[], int32_t rings)
{
    for (int32_t i = 0; i < rings; i++)
        if (set[i] < other[i])
            set[i] = other[i];
}

#endif
