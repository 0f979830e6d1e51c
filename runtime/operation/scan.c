/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking for what is not finite in a buffer that was just written (the guard of a strategy).
 *
 * The scan is noted as a write although it only reads: whoever reads the buffer later waits for the
 * scan, and is skipped when it fails, so that no program gets a number that the guard refused. */
#include "config.h"

#include "runtime/operation/scan.h"

#include "runtime/base/dtype.h"
#include "runtime/base/half.h"
#include "runtime/operation/use.h"

#include <cohort/array.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct scan_op {
    cohort_op op;
    cohort_buffer *buffer;
    cohort_dtype dtype;
    uint64_t count;
    char subject[COHORT_SCAN_SUBJECT_BYTES];
} scan_op;

/* ------------------------------------------------------------------ elements */

/* As cohort_dtype_load_real, but inline: the guard reads every element that a step writes. */
#define NARROW(name, bits, from, to)                                                               \
    case COHORT_##name:                                                                            \
        return (double)from(((const bits *)elements)[i]);
static double element(cohort_dtype dtype, const void *elements, uint64_t i)
{
    switch (dtype) {
        COHORT_NARROW_FLOATS(NARROW)
    case COHORT_F32:
        return (double)((const float *)elements)[i];
    default:
        return ((const double *)elements)[i];
    }
}

/* Complex numbers are looked at as twice as many real ones. */
static uint64_t parts_of(cohort_dtype dtype)
{
    return cohort_dtype_is_complex(dtype) ? 2 : 1;
}

uint64_t cohort_scan_find(cohort_dtype dtype, const void *elements, uint64_t n)
{
    uint64_t parts = parts_of(dtype), i = 0;
    cohort_dtype part = cohort_dtype_part(dtype);
    while (i < n * parts && isfinite(element(part, elements, i)))
        i++;
    return i / parts;
}

static const char *name_of(cohort_dtype dtype, const void *elements, uint64_t i)
{
    for (uint64_t part = 0; part < parts_of(dtype); part++) {
        double x = element(cohort_dtype_part(dtype), elements, i * parts_of(dtype) + part);
        if (!isfinite(x))
            return isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
    }
    return "nothing";
}

/* ------------------------------------------------------------------ the operation */

static cohort_status look(const scan_op *s, const void *elements, uint64_t first, uint64_t n)
{
    uint64_t at = cohort_scan_find(s->dtype, elements, n);
    if (at == n)
        return COHORT_OK;
    cohort_failure_note_unfit(&s->buffer->executor->failure, s->op.call);
    return cohort_error_set(COHORT_EINVAL,
                            "%s has %s at element %llu of %llu; the strategy's guard refuses that",
                            s->subject, name_of(s->dtype, elements, at),
                            (unsigned long long)(first + at), (unsigned long long)s->count);
}

/* The device does not show its memory: piece by piece. */
static cohort_status look_staged(const scan_op *s)
{
    enum { PIECE = 65536 };
    uint64_t item = (uint64_t)cohort_dtype_bytes(s->dtype);
    void *staging = cohort_staging_take(s->buffer->context->staging,
                                        (s->count < PIECE ? s->count : PIECE) * item);
    cohort_status status =
        staging != NULL ? COHORT_OK : cohort_error_memory("the guard against nan");
    for (uint64_t done = 0; done < s->count && status >= 0; done += PIECE) {
        uint64_t n = s->count - done < PIECE ? s->count - done : PIECE;
        status = cohort_context_read(s->buffer->context, s->buffer->mem, done * item, staging,
                                     n * item, NULL);
        if (status >= 0)
            status = look(s, staging, done, n);
    }
    if (!cohort_lane_is_lost(s->buffer->context->lane)) /* else a late device may still touch it */
        cohort_staging_give(staging);
    return status;
}

static cohort_status do_scan(cohort_lane *lane, cohort_op *op)
{
    const scan_op *s = (const scan_op *)op;
    (void)lane;
    return s->buffer->host != NULL ? look(s, s->buffer->host, 0, s->count) : look_staged(s);
}

void cohort_scan_post(cohort_buffer *buffer, cohort_dtype dtype, uint64_t count,
                      const char *subject)
{
    if ((!cohort_dtype_is_floating(dtype) && !cohort_dtype_is_complex(dtype)) || count == 0)
        return;
    scan_op s = {
        .op = COHORT_OP(.run = do_scan), .buffer = buffer, .dtype = dtype, .count = count
    };
    cohort_use use = { COHORT_USE_WRITE, buffer, NULL };
    (void)snprintf(s.subject, sizeof s.subject, "%s", subject);
    (void)cohort_submit(buffer->executor, buffer->context, &s.op, sizeof s, &use, 1);
}
