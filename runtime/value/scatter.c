/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatters. An operation on one store sorts the contributions by row and combines each row in order
 * of the replicas, so that the bits depend on neither devices nor time. Only rows that were touched
 * are moved. */
#include "config.h"

#include "runtime/value/scatter.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/write_arithmetic.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/memory.h"
#include "runtime/operation/fallback.h"

#include <stdlib.h>
#include <string.h>

typedef struct scatter_op {
    cohort_op op;
    const cohort_variable *variable; /* its name, dtype and shape, which do not change */
    cohort_store *store;
    cohort_buffer *current, *next;
    cohort_slices *slices;
    cohort_write_op what;
    uint64_t divisor, epoch; /* epoch: of the variable after the write */
    uint64_t number;         /* of a write in place, as the store counts them */
} scatter_op;

static int64_t rows_of(const cohort_variable *v)
{
    return v->extents.shape[0];
}

static uint64_t offset_of(const scatter_op *s, int64_t row)
{
    return (uint64_t)((row - s->store->first_row) * s->slices->row_bytes);
}

/* ------------------------------------------------------------------ one row */

static cohort_arithmetic_combine_fn find_combine(cohort_write_op what, cohort_dtype dtype)
{
    uint32_t op = what == COHORT_SCATTER_ADD   ? COHORT_SUM
                  : what == COHORT_SCATTER_MUL ? COHORT_PROD
                  : what == COHORT_SCATTER_MIN ? COHORT_MIN
                  : what == COHORT_SCATTER_MAX ? COHORT_MAX
                                               : 0;
    return cohort_arithmetic_find(op, dtype);
}

static cohort_write_arithmetic_fn find_write(cohort_write_op what, cohort_dtype dtype)
{
    return what == COHORT_SCATTER_SUB || what == COHORT_SCATTER_DIV
               ? cohort_write_arithmetic_find(
                     what == COHORT_SCATTER_SUB ? COHORT_WRITE_SUB : COHORT_WRITE_DIV, dtype)
               : NULL;
}

cohort_status cohort_scatter_check(const cohort_variable *v, cohort_write_op what, const char *call)
{
    if (what < COHORT_SCATTER_ADD || what > COHORT_SCATTER_UPDATE)
        return cohort_error_set(
            COHORT_EINVAL, "%s: %d is no scatter; COHORT_SCATTER_ADD to _UPDATE", call, (int)what);
    if (what == COHORT_SCATTER_UPDATE || find_combine(what, v->dtype) != NULL ||
        find_write(what, v->dtype) != NULL)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: variable '%s' is %s, which has no such operation",
                            call, v->name, cohort_dtype_name(v->dtype));
}

/* into = into op with; `room` is one row for the divided contribution. The contribution is divided
 * before it is combined, and in a copy: other stores read it as well. */
static cohort_status combine_row(const scatter_op *s, int64_t row, void *into, const char *with,
                                 void *room)
{
    const cohort_variable *v = s->variable;
    size_t n = (size_t)(s->slices->row_bytes / v->item_bytes);
    if (s->divisor > 1) {
        memcpy(room, with, (size_t)s->slices->row_bytes);
        cohort_arithmetic_find_divide(v->dtype)(room, s->divisor, n);
        with = room;
    }
    if (s->what == COHORT_SCATTER_UPDATE)
        memcpy(into, with, (size_t)s->slices->row_bytes);
    else if (find_combine(s->what, v->dtype) != NULL)
        find_combine(s->what, v->dtype)(into, into, with, 1, 0, n);
    else if (!find_write(s->what, v->dtype)(into, into, with, n))
        return cohort_error_set(COHORT_EINVAL, "variable '%s': row %lld is divided by zero",
                                v->name, (long long)row);
    return COHORT_OK;
}

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
static contribution *sort_contributions(const scatter_op *s, size_t *out_n)
{
    size_t n = 0, count = 0;
    for (int32_t p = 0; p < s->slices->n; p++)
        count += (size_t)s->slices->slices[p].count;
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
static cohort_status copy_range(const scatter_op *s, uint64_t offset, uint64_t bytes)
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
static cohort_status catch_up(const scatter_op *s)
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
        status = copy_range(s, offset_of(s, changes->rows[i]),
                            (end - i) * (uint64_t)s->slices->row_bytes);
    }
    return status;
}

/* The list is sorted by row, so that equal rows are neighbours. What was written in place is no
 * difference of two buffers. */
static cohort_status note_changes(const scatter_op *s, const contribution *list, size_t n)
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

/* ------------------------------------------------------------------ rows in place, or staged */

/* Contributions [first, end) go to rows that follow one another; `rows` is memory of the first of
 * them. */
static cohort_status combine_run(const scatter_op *s, const contribution *list, size_t first,
                                 size_t end, char *rows, void *room)
{
    cohort_status status = COHORT_OK;
    for (size_t i = first; i < end && status >= 0; i++)
        status = combine_row(
            s, list[i].row, rows + (list[i].row - list[first].row) * s->slices->row_bytes,
            cohort_slice_row(s->slices, &s->slices->slices[list[i].slice], list[i].index), room);
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
static cohort_status combine_staged(const scatter_op *s, const contribution *list, size_t first,
                                    size_t end, char *staging, void *room)
{
    uint64_t offset = offset_of(s, list[first].row);
    uint64_t bytes = (uint64_t)((list[end - 1].row - list[first].row + 1) * s->slices->row_bytes);
    cohort_status status =
        cohort_context_read(s->next->context, s->current->mem, offset, staging, bytes, NULL);
    if (status >= 0)
        status = combine_run(s, list, first, end, staging, room);
    return status >= 0
               ? cohort_context_write(s->next->context, s->next->mem, offset, staging, bytes, NULL)
               : status;
}

static cohort_status combine_all(const scatter_op *s, const contribution *list, size_t n)
{
    enum { STAGING_BYTES = 1 << 20 };
    int64_t most = s->slices->row_bytes < STAGING_BYTES ? STAGING_BYTES / s->slices->row_bytes : 1;
    uint64_t row_bytes = (uint64_t)s->slices->row_bytes;
    char *room = cohort_staging_take(s->next->context->staging,
                                     row_bytes * (s->next->host != NULL ? 1 : (uint64_t)most + 1));
    cohort_status status = room != NULL ? COHORT_OK : cohort_error_memory("a scatter");
    for (size_t i = 0, end; i < n && status >= 0; i = end) {
        end = end_of_run(list, i, n, most);
        status = s->next->host != NULL
                     ? combine_run(s, list, i, end,
                                   (char *)s->next->host + offset_of(s, list[i].row), room)
                     : combine_staged(s, list, i, end, room + row_bytes, room);
    }
    if (!cohort_lane_is_lost(s->next->context->lane)) /* else a late device may still touch it */
        cohort_staging_give(room);
    return status;
}

/* ------------------------------------------------------------------ the operation */

/* The changes are unknown from the first write on until all are noted: after a failure in between,
 * the next scatter copies the whole store. */
static cohort_status scatter(const scatter_op *s)
{
    size_t n = 0;
    cohort_status status =
        cohort_slices_check_ids(s->slices, rows_of(s->variable), s->variable->name);
    if (s->store->bytes == 0)
        return status;
    contribution *list = status >= 0 ? sort_contributions(s, &n) : NULL;
    if (list == NULL)
        return status < 0 ? status : COHORT_ENOMEM;
    status = catch_up(s);
    s->store->changes.epoch = 0; /* until it is done */
    if (status >= 0 && s->next == s->current)
        atomic_store_explicit(&s->store->begun, s->number, memory_order_relaxed);
    if (status >= 0)
        status = combine_all(s, list, n);
    if (status >= 0)
        status = note_changes(s, list, n);
    cohort_staging_give(list);
    return status;
}

/* In the default floating-point state, whatever the thread that runs this has set. */
static cohort_status do_scatter(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    cohort_fpstate before = cohort_fpstate_enter();
    cohort_status status = scatter((const scatter_op *)op);
    cohort_fpstate_leave(before);
    return status;
}

static cohort_status release(cohort_op *op, cohort_status status)
{
    cohort_slices_release(((scatter_op *)op)->slices);
    return status;
}

void cohort_scatter_post(cohort_variable *v, int32_t store, cohort_buffer *next,
                         cohort_slices *slices, cohort_write_op what, uint64_t divisor)
{
    cohort_buffer *current = cohort_variable_current(v, store);
    scatter_op s = { .op = COHORT_OP(.run = do_scatter, .end = release, .subject = v->name),
                     .variable = v,
                     .store = &v->stores[store],
                     .current = current,
                     .next = next,
                     .slices = slices,
                     .what = what,
                     .divisor = divisor,
                     .epoch = v->caches.epoch + 1,
                     .number = v->stores[store].number };
    int32_t n = cohort_slices_list_uses(slices);
    slices->uses[n++] = (cohort_use){ COHORT_USE_READ, current, NULL };
    slices->uses[n++] = (cohort_use){ COHORT_USE_WRITE, next, NULL };
    cohort_slices_retain(slices);
    cohort_fence fence =
        cohort_submit(v->strategy->executor, next->context, &s.op, sizeof s, slices->uses, n);
    if (fence.lane == NULL)
        cohort_slices_release(slices);
}
