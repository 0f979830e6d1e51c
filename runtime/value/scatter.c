/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatters. Contributions to a row are combined in the order of the replicas and, of one replica,
 * in that of its ids, so that the bits depend on neither devices nor time; contributions to
 * different rows in any order. So where this process sees the memory of the store they are combined
 * as they come, in place, and nothing is sorted; rows are kept first where the scatter may have to
 * be undone (undo.h).
 *
 * Elsewhere the contributions are sorted by row, for each run of rows that follow one another is
 * read, combined here and written back. Only rows that were touched are moved. */
#include "config.h"

#include "runtime/value/scatter.h"

#include "runtime/arithmetic/write_arithmetic.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/prefetch.h"
#include "runtime/value/scatter_op.h"

#include <string.h>

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

cohort_scatter_loops cohort_scatter_find_loops(const cohort_scatter_op *s, char *room)
{
    const cohort_variable *v = s->variable;
    return (cohort_scatter_loops){ .combine = find_combine(s->what, v->dtype),
                                   .write = find_write(s->what, v->dtype),
                                   .divide = s->divisor > 1
                                                 ? cohort_arithmetic_find_divide(v->dtype)
                                                 : NULL,
                                   .elements = (size_t)(s->slices->row_bytes / v->item_bytes),
                                   .row_bytes = (size_t)s->slices->row_bytes,
                                   .room = room };
}

cohort_status cohort_scatter_combine_row(const cohort_scatter_op *s, const cohort_scatter_loops *c,
                                         int64_t row, char *into, const char *with)
{
    if (c->divide != NULL) {
        memcpy(c->room, with, c->row_bytes);
        c->divide(c->room, s->divisor, c->elements);
        with = c->room;
    }
    if (c->combine != NULL)
        c->combine(into, into, with, 1, 0, c->elements);
    else if (c->write == NULL)
        memcpy(into, with, c->row_bytes);
    else if (!c->write(into, into, with, c->elements))
        return cohort_error_set(COHORT_EINVAL, "variable '%s': row %lld is divided by zero",
                                s->variable->name, (long long)row);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ in place, as they come */

/* The first lines of a row that comes soon, on their way from memory while others are combined. */
static void fetch_row(const cohort_scatter_op *s, const cohort_slice *slice, int64_t i)
{
    enum { MOST_BYTES = 512 };
    int64_t row = cohort_slice_id(slice, i), bytes = s->slices->row_bytes;
    if (cohort_store_holds(s->store, row))
        cohort_prefetch_to_write((const char *)s->current->host + cohort_scatter_offset(s, row),
                                 (size_t)(bytes < MOST_BYTES ? bytes : MOST_BYTES));
}

/* Every store looks at all ids and takes its own. undo: NULL where there is no way back. */
static cohort_status combine_slice(const cohort_scatter_op *s, const cohort_scatter_loops *c,
                                   const cohort_slice *slice, cohort_undo *undo)
{
    enum { AHEAD = 8 };
    char *store = s->current->host;
    cohort_status status = COHORT_OK;
    for (int64_t i = 0; i < slice->count && status >= 0; i++) {
        if (i + AHEAD < slice->count)
            fetch_row(s, slice, i + AHEAD);
        int64_t row = cohort_slice_id(slice, i);
        if (!cohort_store_holds(s->store, row))
            continue;
        char *into = store + cohort_scatter_offset(s, row);
        if (undo != NULL)
            cohort_undo_keep(undo, row - s->store->first_row, into, c->row_bytes);
        status = cohort_scatter_combine_row(s, c, row, into, cohort_slice_row(s->slices, slice, i));
    }
    return status;
}

static cohort_status combine_slices(const cohort_scatter_op *s, cohort_undo *undo)
{
    char *room = cohort_staging_take(s->current->context->staging, (uint64_t)s->slices->row_bytes);
    if (room == NULL)
        return cohort_error_memory("a scatter");
    const cohort_scatter_loops c = cohort_scatter_find_loops(s, room);
    cohort_status status = COHORT_OK;
    for (int32_t p = 0; p < s->slices->n && status >= 0; p++)
        status = combine_slice(s, &c, &s->slices->slices[p], undo);
    cohort_staging_give(room);
    return status;
}

/* A row that fails takes those before it back. */
static cohort_status combine_and_keep(const cohort_scatter_op *s)
{
    cohort_undo *undo = &s->store->undo;
    cohort_status status = cohort_undo_begin(undo, s->epoch, (int64_t)cohort_scatter_count(s),
                                             cohort_scatter_rows_here(s), s->slices->row_bytes);
    if (status < 0)
        return status;
    status = combine_slices(s, undo);
    cohort_undo_end(undo);
    if (status < 0)
        cohort_undo_restore(undo, s->current->host, s->slices->row_bytes);
    return status;
}

static cohort_status combine_in_place(const cohort_scatter_op *s)
{
    if (s->keeps_rows)
        return combine_and_keep(s);
    if (s->is_in_place)
        atomic_store_explicit(&s->store->begun, s->number, memory_order_relaxed);
    return combine_slices(s, NULL);
}

/* ------------------------------------------------------------------ the operation */

static cohort_status scatter(const cohort_scatter_op *s)
{
    cohort_status status =
        cohort_slices_check_ids(s->slices, cohort_scatter_rows(s->variable), s->variable->name);
    if (status < 0 || s->store->bytes == 0)
        return status;
    return s->next == s->current && s->next->host != NULL ? combine_in_place(s)
                                                          : cohort_scatter_combine_sorted(s);
}

/* In the default floating-point state, whatever the thread that runs this has set. */
static cohort_status do_scatter(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    cohort_fpstate before = cohort_fpstate_enter();
    cohort_status status = scatter((const cohort_scatter_op *)op);
    cohort_fpstate_leave(before);
    return status;
}

/* The store is complete, or as it was: nothing of the lane was in flight while this was done, so no
 * other failure comes in between. Release: whoever reads `done` finds the content that it stands
 * for. */
static cohort_status end(cohort_op *op, cohort_status status)
{
    cohort_scatter_op *s = (cohort_scatter_op *)op;
    if (status >= 0 && s->is_in_place)
        atomic_store_explicit(&s->store->ended, s->number, memory_order_relaxed);
    if (status >= 0)
        atomic_store_explicit(&s->store->done, s->state, memory_order_release);
    cohort_slices_release(s->slices);
    return status;
}

/* A store alone has a scatter or has it not, unless that fails half way, as a division can. */
static bool may_be_undone(const cohort_variable *v, cohort_write_op what)
{
    return v->n_stores > 1 || what == COHORT_SCATTER_DIV;
}

void cohort_scatter_post(cohort_variable *v, int32_t store, cohort_buffer *next,
                         cohort_slices *slices, cohort_write_op what, uint64_t divisor)
{
    cohort_buffer *current = cohort_variable_current(v, store);
    cohort_store *into = &v->stores[store];
    bool has_rollback = !cohort_variable_is_in_place(v);
    cohort_scatter_op s = { .op = COHORT_OP(.run = do_scatter, .end = end, .subject = v->name),
                            .variable = v,
                            .store = into,
                            .current = current,
                            .next = next,
                            .slices = slices,
                            .what = what,
                            .divisor = divisor,
                            .epoch = v->caches.epoch.now + 1,
                            .state = cohort_variable_state_after(v, store, COHORT_WRITE_JOINT),
                            .number = into->number.now,
                            .is_in_place = next == current && !has_rollback,
                            .keeps_rows =
                                next == current && has_rollback && may_be_undone(v, what) };
    int32_t n = cohort_slices_list_uses(slices);
    slices->uses[n++] = (cohort_use){ COHORT_USE_READ, current, NULL };
    slices->uses[n++] = (cohort_use){ COHORT_USE_WRITE, next, NULL };
    cohort_slices_retain(slices);
    into->last =
        cohort_submit(v->strategy->executor, next->context, &s.op, sizeof s, slices->uses, n);
    if (into->last.lane == NULL)
        cohort_slices_release(slices);
}
