/* SPDX-License-Identifier: BSD-3-Clause */
/* The guard: a scan behind each launch, of each array that the launch wrote. A scan counts as the
 * last writer of its buffer, so that whoever wants the content meets what the scan has found. */
#include "config.h"

#include "runtime/call/guard.h"

#include "runtime/base/array.h"
#include "runtime/base/dtype.h"
#include "runtime/operation/scan.h"

#include <stdio.h>

/* Only floating-point and complex dtypes can hold a NaN or an infinity; of long double there are no
 * arrays. */
static void scan(const cohort_binding *b, int32_t launch, const char *what, const char *note,
                 cohort_buffer *buffer, uint32_t type, uint64_t bytes)
{
    char subject[COHORT_SCAN_SUBJECT_BYTES], where[160];
    const cohort_dtype dtype = (cohort_dtype)type;
    if (!cohort_dtype_is_number(dtype) || cohort_dtype_is_integral(dtype))
        return;
    cohort_binding_where(b, launch, where, sizeof where);
    (void)snprintf(subject, sizeof subject, "%s%s: '%s'%s", b->signature->name, where, what, note);
    cohort_scan_post(buffer, dtype, bytes / (uint64_t)cohort_dtype_bytes(dtype), subject);
}

/* What the scan finds is a failure, and there is no way back. */
static const char *note_of(const cohort_binding *b, int32_t launch, const cohort_bound_array *a)
{
    const cohort_variable *v = cohort_binding_updated(a);
    return v != NULL && v->stores[b->first + launch].is_in_place
               ? " (written in place, without rollback, and so lost)"
               : "";
}

/* Of a shape that was solved: no product overflows. */
static uint64_t bytes_of(const cohort_parameter *p, const cohort_extents *extents)
{
    return p->bytes * (uint64_t)cohort_shape_items(extents->rank, extents->shape);
}

void cohort_guard_launch(const cohort_binding *b, int32_t launch, const cohort_use uses[])
{
    const cohort_signature *s = b->signature;
    if (!cohort_guard_is_on(b))
        return;
    for (int32_t i = 0; i < b->n_arrays; i++) {
        const cohort_parameter *p = b->arrays[i].parameter;
        if (uses[i].mode == COHORT_USE_WRITE)
            scan(b, launch, p->name, note_of(b, launch, &b->arrays[i]), uses[i].buffer, p->type,
                 bytes_of(p, &b->bounds[launch].arrays[b->arrays[i].at]));
    }
    if (b->result != NULL)
        scan(b, launch, "its result", "", uses[b->n_arrays].buffer, s->result_type,
             s->result_bytes);
}
