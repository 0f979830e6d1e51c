/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/value/scatter_op.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the order of contributions */

typedef struct contribution {
    int64_t row, index; /* index in its slice */
    int32_t slice;
} contribution;

/* By row; of one row in the order of slices, which is that of replicas, and within them. */
static int compare(const void *a, const void *b)
{
    const contribution *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->slice != y->slice)
        return x->slice < y->slice ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* NULL with an error text when out of memory; *out_n: those of rows of this store. Every store
 * looks at all ids and keeps its own, on its runner, since the ids may come from a device. */
static contribution *sort_contributions(const cohort_scatter_op *s, size_t *out_n)
{
    size_t n = 0, count = cohort_scatter_count(s);
    contribution *list = count <= SIZE_MAX / sizeof *list
                             ? cohort_staging_take(s->next->context->staging, count * sizeof *list)
                             : NULL;
    for (int32_t p = 0; p < s->slices->n && list != NULL; p++)
        for (int64_t i = 0; i < s->slices->slices[p].count; i++) {
            int64_t row = cohort_slice_id(&s->slices->slices[p], i);
            if (cohort_store_holds(s->store, row))
                list[n++] = (contribution){ row, i, p };
        }
    if (list == NULL)
        (void)cohort_error_memory("a scatter");
    else
        qsort(list, n, sizeof *list, compare);
    *out_n = n;
    return list;
}

/* ------------------------------------------------------------------ the other buffer */

/* Memory that this process sees is copied without asking the device, run by run. */
static cohort_status copy_range(const cohort_scatter_op *s, uint64_t offset, uint64_t bytes)
{
    if (s->next->host == NULL || s->current->host == NULL)
        return cohort_context_copy(s->next->context, s->next->mem, offset, s->current->mem, offset,
                                   bytes, NULL);
    memcpy((char *)s->next->host + offset, (const char *)s->current->host + offset, bytes);
    return COHORT_OK;
}

/* The buffer to fill has the content before the newest. When that differs in known rows only, these
 * are copied: the cost of a scatter follows the rows that it touches, and both contents are there
 * to go back to. */
static cohort_status catch_up(const cohort_scatter_op *s)
{
    cohort_changes *changes = &s->store->changes;
    cohort_status status = COHORT_OK;
    if (s->next == s->current) /* in place */
        return COHORT_OK;
    if (changes->epoch != s->epoch - 1 || changes->epoch == 0)
        return copy_range(s, 0, s->store->bytes);
    for (size_t i = 0, end; i < changes->n && status >= 0;
         i = end) { /* rows that follow one another go together */
        for (end = i + 1; end < changes->n && changes->rows[end] == changes->rows[end - 1] + 1;)
            end++;
        status = copy_range(s, cohort_scatter_offset(s, changes->rows[i]),
                            (end - i) * (uint64_t)s->slices->row_bytes);
    }
    return status;
}

/* The list is sorted by row, so that equal rows are neighbours. A write in place is no difference
 * of two buffers. */
static cohort_status note_changes(const cohort_scatter_op *s, const contribution *list, size_t n)
{
    cohort_changes *changes = &s->store->changes;
    if (s->next == s->current)
        return COHORT_OK;
    if (!cohort_grow((void **)&changes->rows, &changes->capacity, n, sizeof *changes->rows))
        return cohort_error_memory("a scatter");
    changes->n = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || list[i].row != list[i - 1].row)
            changes->rows[changes->n++] = list[i].row;
    changes->epoch = s->epoch;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ runs of rows */

/* Contributions [first, end) go to rows that follow one another; `rows` is memory of the first of
 * them. */
static cohort_status combine_run(const cohort_scatter_op *s, const cohort_scatter_loops *c,
                                 const contribution *list, size_t first, size_t end, char *rows)
{
    cohort_status status = COHORT_OK;
    for (size_t i = first; i < end && status >= 0; i++)
        status = cohort_scatter_combine_row(
            s, c, list[i].row, rows + (list[i].row - list[first].row) * s->slices->row_bytes,
            cohort_slice_row(s->slices, &s->slices->slices[list[i].slice], list[i].index));
    return status;
}

/* Where a run of at most `most` rows that follow one another ends. */
static size_t end_of_run(const contribution *list, size_t first, size_t n, int64_t most)
{
    size_t end = first + 1;
    while (end < n && list[end].row - list[end - 1].row <= 1 &&
           list[end].row - list[first].row < most)
        end++;
    return end;
}

/* A whole run is read, combined here, and written back: two transfers for each run and not for each
 * row. */
static cohort_status combine_staged(const cohort_scatter_op *s, const cohort_scatter_loops *c,
                                    const contribution *list, size_t first, size_t end,
                                    char *staging)
{
    uint64_t offset = cohort_scatter_offset(s, list[first].row);
    uint64_t bytes = (uint64_t)((list[end - 1].row - list[first].row + 1) * s->slices->row_bytes);
    cohort_status status =
        cohort_context_read(s->next->context, s->current->mem, offset, staging, bytes, NULL);
    if (status >= 0)
        status = combine_run(s, c, list, first, end, staging);
    return status >= 0
               ? cohort_context_write(s->next->context, s->next->mem, offset, staging, bytes, NULL)
               : status;
}

static cohort_status combine_runs(const cohort_scatter_op *s, const contribution *list, size_t n)
{
    enum { STAGING_BYTES = 1 << 20 };
    int64_t most = s->slices->row_bytes < STAGING_BYTES ? STAGING_BYTES / s->slices->row_bytes : 1;
    uint64_t row_bytes = (uint64_t)s->slices->row_bytes;
    char *room = cohort_staging_take(s->next->context->staging,
                                     row_bytes * (s->next->host != NULL ? 1 : (uint64_t)most + 1));
    cohort_status status = room != NULL ? COHORT_OK : cohort_error_memory("a scatter");
    const cohort_scatter_loops c = cohort_scatter_find_loops(s, room);
    for (size_t i = 0, end; i < n && status >= 0; i = end) {
        end = end_of_run(list, i, n, most);
        status = s->next->host != NULL
                     ? combine_run(s, &c, list, i, end,
                                   (char *)s->next->host + cohort_scatter_offset(s, list[i].row))
                     : combine_staged(s, &c, list, i, end, room + row_bytes);
    }
    if (!cohort_lane_is_lost(s->next->context->lane)) /* else a late device may still touch it */
        cohort_staging_give(room);
    return status;
}

/* The changes are unknown from the first write on until all are noted: after a failure in between,
 * the next scatter copies the whole store. */
cohort_status cohort_scatter_combine_sorted(const cohort_scatter_op *s)
{
    size_t n = 0;
    contribution *list = sort_contributions(s, &n);
    if (list == NULL)
        return COHORT_ENOMEM;
    cohort_status status = catch_up(s);
    s->store->changes.epoch = 0; /* until it is done */
    if (status >= 0 && s->is_in_place)
        atomic_store_explicit(&s->store->begun, s->number, memory_order_relaxed);
    if (status >= 0)
        status = combine_runs(s, list, n);
    if (status >= 0)
        status = note_changes(s, list, n);
    cohort_staging_give(list);
    return status;
}
