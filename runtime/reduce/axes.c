/* SPDX-License-Identifier: BSD-3-Clause */
/* Axes, and rows along them. Where the axes of a set are next to each other a device can walk the
 * rows as they lie (cohort_axes_shape); else this process copies them into that order first. */
#include "config.h"

#include "runtime/reduce/axes.h"

#include "runtime/base/error.h"
#include "runtime/operation/fallback.h"

#include <cohort/array.h>

#include <string.h>

/* ------------------------------------------------------------------ axes */

bool cohort_axes_add(uint32_t *set, int32_t axis, int32_t rank)
{
    axis = axis < 0 ? axis + rank : axis;
    if (axis < 0 || axis >= rank || cohort_axes_has(*set, axis))
        return false;
    *set |= UINT32_C(1) << axis;
    return true;
}

cohort_status cohort_axes_find(const char *call, const int32_t axes[], int32_t n, int32_t rank,
                               uint32_t *out_set)
{
    *out_set = 0;
    for (int32_t i = 0; i < n; i++)
        if (!cohort_axes_add(out_set, axes[i], rank))
            return cohort_error_set(COHORT_EINVAL, "%s: axis %d of a value of rank %d%s", call,
                                    axes[i], rank,
                                    axes[i] >= -rank && axes[i] < rank ? " is named twice" : "");
    return COHORT_OK;
}

cohort_extents cohort_axes_drop(uint32_t set, const cohort_extents *extents)
{
    cohort_extents left = { .rank = 0 };
    for (int32_t i = 0; i < extents->rank; i++)
        if (!cohort_axes_has(set, i))
            left.shape[left.rank++] = extents->shape[i];
    return left;
}

/* The shape was checked when its array or variable was made: no product of its extents
 * overflows. */
int64_t cohort_axes_along(uint32_t set, const cohort_extents *extents)
{
    int64_t along = 1;
    for (int32_t i = 0; i < extents->rank; i++)
        along *= cohort_axes_has(set, i) ? extents->shape[i] : 1;
    return along;
}

/* Extents before the set's axes make up `outer`, those behind them `inner`. An axis of extent 1
 * moves no element, so it may stand anywhere; any other one of the set must follow directly on the
 * one before, that is, before `inner` has begun. */
bool cohort_axes_shape(uint32_t set, const cohort_extents *extents, cohort_fold_shape *out)
{
    bool is_straight = true;
    *out = (cohort_fold_shape){ 1, 1, 1 };
    for (int32_t i = 0; i < extents->rank; i++) {
        int64_t n = extents->shape[i];
        if (cohort_axes_has(set, i)) {
            is_straight = is_straight && (n == 1 || out->rows == 1 || out->inner == 1);
            out->rows *= n;
        } else if (out->rows == 1) {
            out->outer *= n;
        } else {
            out->inner *= n;
        }
    }
    if (!is_straight || out->rows == 1)
        *out = (cohort_fold_shape){ 1, out->rows, out->outer * out->inner };
    return is_straight;
}

/* ------------------------------------------------------------------ copying rows */

typedef struct arrangement {
    cohort_dtype dtype;
    uint32_t set;
    cohort_extents extents;
} arrangement;

/* One pass over some axes of the array: those of the set, or the others. */
typedef struct walk {
    int32_t n;
    int64_t extent[COHORT_MAX_RANK], stride[COHORT_MAX_RANK]; /* in bytes */
} walk;

/* Strides are those of the row-major array, for contents of values always lie so. */
static walk walk_over(const arrangement *a, bool is_of_set)
{
    walk w = { .n = 0 };
    int64_t stride[COHORT_MAX_RANK], bytes = cohort_dtype_bytes(a->dtype);
    for (int32_t i = a->extents.rank - 1; i >= 0; i--) {
        stride[i] = bytes;
        bytes *= a->extents.shape[i];
    }
    for (int32_t i = 0; i < a->extents.rank; i++)
        if (cohort_axes_has(a->set, i) == is_of_set) {
            w.extent[w.n] = a->extents.shape[i];
            w.stride[w.n++] = stride[i];
        }
    return w;
}

/* Append what lies along the axes of the walk from number `axis` on. */
static void append_row(const walk *w, int32_t axis, int64_t item_bytes, const char *from,
                       char **into)
{
    if (axis == w->n || (axis == w->n - 1 && w->stride[axis] == item_bytes)) {
        int64_t bytes = axis == w->n ? item_bytes : w->extent[axis] * item_bytes;
        memcpy(*into, from, (size_t)bytes);
        *into += bytes;
        return;
    }
    for (int64_t i = 0; i < w->extent[axis]; i++)
        append_row(w, axis + 1, item_bytes, from + i * w->stride[axis], into);
}

/* Both recursions go as deep as the array has axes, COHORT_MAX_RANK at most. */
static void append_rows(const walk *rows, const walk *row, int32_t axis, int64_t item_bytes,
                        const char *from, char **into)
{
    if (axis == rows->n) {
        append_row(row, 0, item_bytes, from, into);
        return;
    }
    for (int64_t i = 0; i < rows->extent[axis]; i++)
        append_rows(rows, row, axis + 1, item_bytes, from + i * rows->stride[axis], into);
}

/* On the runner's thread: in the device's memory where it shows it, else on copies
 * (operation/fallback.h). */
static cohort_status arrange_here(const void *what, const void *const sources[],
                                  void *const results[])
{
    const arrangement *a = what;
    char *next = results[0];
    walk rows = walk_over(a, true), row = walk_over(a, false);
    append_rows(&rows, &row, 0, cohort_dtype_bytes(a->dtype), sources[0], &next);
    return COHORT_OK;
}

void cohort_axes_post_rows(cohort_dtype dtype, uint32_t set, const cohort_extents *extents,
                           cohort_buffer *src, cohort_buffer *dst)
{
    arrangement a = { dtype, set, *extents };
    uint64_t bytes = (uint64_t)(cohort_axes_along(UINT32_MAX, extents) * cohort_dtype_bytes(dtype));
    (void)cohort_fallback_post(&(cohort_fallback){ .fn = arrange_here,
                                                   .work = &a,
                                                   .work_bytes = sizeof a,
                                                   .sources = { { src, bytes } },
                                                   .n_sources = 1,
                                                   .results = { { dst, bytes } },
                                                   .n_results = 1 });
}
