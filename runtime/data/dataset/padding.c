/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/dataset/padding.h"

#include "runtime/base/number.h"
#include "runtime/data/dataset/element.h"

#include <string.h>

cohort_status cohort_padding_init(cohort_padding *padding, double value, cohort_dtype dtype)
{
    cohort_argument number = COHORT_ARG_(value);
    *padding = (cohort_padding){ .bytes = (size_t)cohort_dtype_bytes(dtype), .is_zero = true };
    cohort_status status = cohort_number_convert(&number, dtype, padding->item);
    for (size_t i = 0; i < padding->bytes; i++)
        padding->is_zero = padding->is_zero && padding->item[i] == 0;
    return status;
}

/* `bytes` of it: what is there is doubled until it is enough. */
static void fill(char *to, size_t bytes, const cohort_padding *padding)
{
    if (bytes > 0 && padding->is_zero)
        memset(to, 0, bytes);
    if (bytes == 0 || padding->is_zero)
        return;
    memcpy(to, padding->item, padding->bytes);
    for (size_t done = padding->bytes; done < bytes;) {
        size_t more = done < bytes - done ? done : bytes - done;
        memcpy(to + done, to, more);
        done += more;
    }
}

/* The axes from `axis` on; *to and *from move behind them. */
static void pad_axis(char **to, const char **from, const cohort_array *large,
                     const cohort_array *small, int32_t axis, const cohort_padding *padding)
{
    size_t inner = padding->bytes;
    for (int32_t i = axis + 1; i < large->rank; i++)
        inner *= (size_t)large->shape[i];
    bool is_run = true; /* the inner axes need no padding: one stretch of memory */
    for (int32_t i = axis + 1; i < large->rank; i++)
        is_run = is_run && large->shape[i] == small->shape[i];
    size_t there = inner * (size_t)small->shape[axis],
           rest = inner * (size_t)large->shape[axis] - there;
    if (is_run) {
        if (there > 0)
            memcpy(*to, *from, there);
        *to += there;
        *from += there;
    } else {
        for (int64_t i = 0; i < small->shape[axis]; i++)
            pad_axis(to, from, large, small, axis + 1, padding);
    }
    fill(*to, rest, padding);
    *to += rest;
}

void cohort_padding_apply(const cohort_array *to, const cohort_array *from,
                          const cohort_padding *padding)
{
    char *into = to->data;
    const char *source = from->data;
    if (to->rank == 0)
        memcpy(into, source, padding->bytes);
    else
        pad_axis(&into, &source, to, from, 0, padding);
}
