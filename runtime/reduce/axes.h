/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes that are combined, and the rows that lie along them: the elements at one place of these axes
 * are a row, and rows are in row-major order of the places. */
#ifndef COHORT_REDUCE_AXES_H
#define COHORT_REDUCE_AXES_H

#include "runtime/function/bounds.h"
#include "runtime/operation/fold_rows.h"

/* A set of axes, bit i for axis i, from a list in which negative ones count from the end.
 * COHORT_EINVAL: one that the rank has not, one that is named twice. */
cohort_status cohort_axes_find(const char *call, const int32_t axes[], int32_t n, int32_t rank,
                               uint32_t *out_set);

/* One more for the set. False: the rank has it not, or the set has it. */
bool cohort_axes_add(uint32_t *set, int32_t axis, int32_t rank);

static inline bool cohort_axes_has(uint32_t set, int32_t axis)
{
    return (set >> axis & 1) != 0;
}

/* The extents that are left without these axes; their product. */
cohort_extents cohort_axes_drop(uint32_t set, const cohort_extents *extents);
int64_t cohort_axes_along(uint32_t set, const cohort_extents *extents);

/* outer x rows x inner when the axes are next to each other; else false, and rows and the number of
 * elements of each.
 */
bool cohort_axes_shape(uint32_t set, const cohort_extents *extents, cohort_fold_shape *out);

/* Copy an array of this dtype so that its rows lie one after the other. dst is on a device that can
 * access src. */
void cohort_axes_post_rows(cohort_dtype dtype, uint32_t set, const cohort_extents *extents,
                           cohort_buffer *src, cohort_buffer *dst);

#endif
