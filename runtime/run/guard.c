/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/guard.h"

#include "runtime/operation/scan.h"

#include <stdio.h>

static void scan(const cohort_binding *b, int32_t launch, const char *what, cohort_buffer *buffer,
                 uint32_t type, uint64_t bytes)
{
    char subject[COHORT_SCAN_SUBJECT_BYTES], where[160];
    if (type < COHORT_F16 || type > COHORT_C128)
        return;
    cohort_binding_where(b, launch, where, sizeof where);
    (void)snprintf(subject, sizeof subject, "%s%s: '%s'", b->signature->name, where, what);
    cohort_scan_post(buffer, (cohort_dtype)type,
                     bytes / (uint64_t)cohort_dtype_bytes((cohort_dtype)type), subject);
}

/* Of a shape that was solved: no product overflows. */
static uint64_t bytes_of(const cohort_parameter *p, const cohort_extents *extents)
{
    uint64_t bytes = p->bytes;
    for (int32_t i = 0; i < extents->rank; i++)
        bytes *= (uint64_t)extents->shape[i];
    return bytes;
}

void cohort_guard_launch(const cohort_binding *b, int32_t launch, cohort_buffer *const buffers[],
                         cohort_buffer *result)
{
    const cohort_signature *s = b->signature;
    if (!cohort_guard_is_on(b))
        return;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (cohort_parameter_is_array(p) && cohort_parameter_is_written(p))
            scan(b, launch, p->name, buffers[i], p->type,
                 bytes_of(p, &b->bounds[launch].arrays[i]));
    }
    if (result != NULL)
        scan(b, launch, "its result", result, s->result_type, s->result_bytes);
}
