/* SPDX-License-Identifier: BSD-3-Clause */
/* Index slices are counted by references, because operations of several lanes read the same ids and
 * rows, and any of them may be the last. The planner has one until all are posted. */
#include "config.h"

#include "runtime/value/slices.h"

#include <string.h>

/* ------------------------------------------------------------------ making and freeing */

/* Its arrays lie behind it, in the same block; all of them are aligned as pointers are. */
cohort_slices *cohort_slices_create(cohort_executor *executor, int32_t n, int64_t row_bytes)
{
    size_t slices = (size_t)n, rings = (size_t)cohort_executor_rings(executor);
    size_t bytes = sizeof(cohort_slices) + slices * sizeof(cohort_slice) +
                   (2 * slices + 3) * sizeof(cohort_use) + rings * sizeof(uint64_t) +
                   2 * slices * sizeof(void *);
    cohort_slices *s = cohort_staging_take(&executor->staging, bytes);
    if (s == NULL) {
        (void)cohort_error_memory("a sparse access");
        return NULL;
    }
    memset(s, 0, bytes);
    atomic_init(&s->references, 1);
    s->row_bytes = row_bytes;
    s->n = n;
    s->staging = &executor->staging;
    s->slices = (cohort_slice *)(s + 1);
    s->uses = (cohort_use *)(s->slices + n);
    s->fetched = (uint64_t *)(s->uses + 2 * n + 3);
    s->blocks = (void **)(s->fetched + rings);
    return s;
}

void cohort_slices_retain(cohort_slices *s)
{
    atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
}

/* acq_rel: whoever frees has seen every use of the others. */
void cohort_slices_release(cohort_slices *s)
{
    if (atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) != 1)
        return;
    for (int32_t i = 0; i < 2 * s->n; i++)
        cohort_staging_give(s->blocks[i]);
    cohort_staging_give(s);
}

/* ------------------------------------------------------------------ checks */

static cohort_status check_filled(const cohort_component *c, const char *what, int32_t id,
                                  const char *call)
{
    if (c->state == COHORT_CONTENT_FILLED || c->state == COHORT_CONTENT_ABSENT)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        c->state == COHORT_CONTENT_LOST
            ? "%s: the call that was to write the %s of replica %d failed; write them again"
            : "%s: nothing has written the %s of replica %d",
        call, what, id);
}

/* Rows have the shape of the ids, followed by that of one row of the variable. */
static bool has_shape_of_rows(const cohort_variable *v, const cohort_component *ids,
                              const cohort_component *rows)
{
    int32_t inner = v->extents.rank - 1;
    bool is_good = rows->extents.rank == ids->extents.rank + inner;
    for (int32_t i = 0; i < ids->extents.rank && is_good; i++)
        is_good = rows->extents.shape[i] == ids->extents.shape[i];
    for (int32_t i = 0; i < inner && is_good; i++)
        is_good = rows->extents.shape[ids->extents.rank + i] == v->extents.shape[1 + i];
    return is_good;
}

static cohort_status check_rows(const cohort_variable *v, const cohort_component *ids,
                                const cohort_component *rows, int32_t id, const char *call)
{
    char has[128], other[128], mine[128];
    if (rows->state == COHORT_CONTENT_ABSENT && cohort_component_items(ids) == 0)
        return COHORT_OK;
    bool is_good = rows->dtype == v->dtype && rows->item_bytes == v->item_bytes &&
                   has_shape_of_rows(v, ids, rows);
    if (is_good && rows->state != COHORT_CONTENT_ABSENT)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: variable '%s' is %s and the ids of replica %d are %s, so the rows cannot be %s%s",
        call, v->name, cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has), id,
        cohort_shape_to_string(ids->dtype, ids->extents.rank, ids->extents.shape, mine),
        cohort_shape_to_string(rows->dtype, rows->extents.rank, rows->extents.shape, other),
        rows->state == COHORT_CONTENT_ABSENT ? " (absent)" : "");
}

/* Rows that are read are new memory. */
static cohort_status check_size(const cohort_variable *v, const cohort_component *ids,
                                const char *call)
{
    int64_t count = cohort_component_items(ids), bytes;
    if (!__builtin_mul_overflow(count, (int64_t)v->bytes / v->extents.shape[0], &bytes))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: %lld rows of variable '%s' are more bytes than 64 bits count",
                            call, (long long)count, v->name);
}

cohort_status cohort_slices_check(const cohort_variable *v, const cohort_operand *ids,
                                  const cohort_operand *rows, int32_t replica, const char *call)
{
    cohort_component i = cohort_operand_look(ids, replica);
    int32_t id = cohort_strategy_replica_id(v->strategy, replica);
    if (v->extents.rank == 0)
        return cohort_error_set(COHORT_EINVAL, "%s: variable '%s' has rank 0 and so no rows", call,
                                v->name);
    cohort_status status = check_filled(&i, "ids", id, call);
    if (status >= 0 && i.dtype != COHORT_I32 && i.dtype != COHORT_I64)
        status = cohort_error_set(COHORT_EINVAL,
                                  "%s: ids are int32 or int64, those of variable '%s' here %s",
                                  call, v->name, cohort_dtype_name(i.dtype));
    if (status >= 0 && i.extents.rank + v->extents.rank - 1 > COHORT_MAX_RANK)
        status = cohort_error_set(
            COHORT_EINVAL, "%s: rows of variable '%s' for ids of rank %d have more than %d axes",
            call, v->name, i.extents.rank, COHORT_MAX_RANK);
    bool has_ids = i.state != COHORT_CONTENT_ABSENT && cohort_component_items(&i) > 0;
    if (status >= 0 && has_ids && v->extents.shape[0] == 0)
        status = cohort_error_set(
            COHORT_EINVAL, "%s: variable '%s' has no row, so that there is none of these ids", call,
            v->name);
    if (status >= 0 && rows == NULL && has_ids)
        status = check_size(v, &i, call);
    if (status < 0 || rows == NULL)
        return status;
    cohort_component r = cohort_operand_look(rows, replica);
    status = check_filled(&r, "rows", id, call);
    return status >= 0 ? check_rows(v, &i, &r, id, call) : status;
}

static cohort_status prepare_one(const cohort_operand *o, int32_t replica)
{
    return cohort_operand_prepare(o, replica, cohort_operand_device(o, replica));
}

cohort_status cohort_slices_prepare(const cohort_operand *ids, const cohort_operand *rows,
                                    int32_t replica)
{
    cohort_status status = prepare_one(ids, replica);
    return status >= 0 && rows != NULL ? prepare_one(rows, replica) : status;
}

/* ------------------------------------------------------------------ taking */

/* The newest content, when this process has it: a source that may change, or go, at any time. Only
 * while it is the newest: a device may have written the value since. */
static const void *find_source(const cohort_operand *o, int32_t replica)
{
    cohort_content *c = o->variable == NULL ? cohort_value_content(o->value, replica) : NULL;
    if (c == NULL || !cohort_content_has_source(c))
        return NULL;
    cohort_content_note_read(c);
    return c->source;
}

/* A download into a block, which stays as long as that is under way, whatever becomes of who uses
 * the slices. */
typedef struct fetch_op {
    cohort_op op;
    cohort_slices *slices;
    cohort_buffer *from;
    void *block;
    uint64_t bytes;
} fetch_op;

static cohort_status do_fetch(cohort_lane *lane, cohort_op *op)
{
    fetch_op *f = (fetch_op *)op;
    (void)lane;
    return cohort_context_read(f->from->context, f->from->mem, 0, f->block, f->bytes, &op->pending);
}

static cohort_status end_fetch(cohort_op *op, cohort_status status)
{
    cohort_slices_release(((fetch_op *)op)->slices);
    return status;
}

static void submit_fetch(cohort_slices *s, cohort_buffer *from, void *block, uint64_t bytes)
{
    fetch_op f = { .op = COHORT_OP(.run = do_fetch, .end = end_fetch, .flags = COHORT_OP_STREAM),
                   .slices = s,
                   .from = from,
                   .block = block,
                   .bytes = bytes };
    cohort_use use = { COHORT_USE_READ, from, NULL };
    cohort_slices_retain(s);
    cohort_fence fence = cohort_submit(from->executor, from->context, &f.op, sizeof f, &use, 1);
    cohort_fences_add(s->fetched, fence);
    if (fence.lane == NULL)
        cohort_slices_release(s);
}

/* To copy less takes less time than to wait for another lane. */
enum { BORROW_BYTES = 32 << 10 };

/* One array into entry `at` of blocks. Exactly one of *memory and *buffer is set. */
static void take_array(cohort_slices *s, int32_t at, const cohort_operand *o, int32_t replica,
                       uint64_t bytes, const void **memory, cohort_buffer **buffer)
{
    const void *source = find_source(o, replica);
    cohort_buffer *from =
        source == NULL ? cohort_operand_place(o, replica, cohort_operand_device(o, replica)) : NULL;
    if (from != NULL && cohort_context_has(from->context, COHORT_CAP_HOST_VISIBLE)) {
        *buffer = from;
        return;
    }
    if (source != NULL && s->may_borrow && bytes >= BORROW_BYTES) {
        *memory = source;
        s->has_borrowed = true;
        return;
    }
    *memory = s->blocks[at] = cohort_staging_take(s->staging, bytes);
    if (s->blocks[at] == NULL) {
        const cohort_strategy *strategy =
            o->variable != NULL ? o->variable->strategy : o->value->strategy;
        cohort_failure_raise_own(&strategy->executor->failure,
                                 cohort_error_memory("a sparse access"));
    } else if (source != NULL) {
        memcpy(s->blocks[at], source, bytes);
    } else {
        submit_fetch(s, from, s->blocks[at], bytes);
    }
}

void cohort_slices_take(cohort_slices *s, int32_t at, const cohort_operand *ids,
                        const cohort_operand *rows, int32_t replica)
{
    cohort_component c = cohort_operand_look(ids, replica);
    cohort_slice *slice = &s->slices[at];
    slice->replica = cohort_strategy_replica_id(cohort_operand_owner(ids), replica);
    slice->is_wide = c.dtype == COHORT_I64;
    slice->count = c.state == COHORT_CONTENT_ABSENT ? 0 : cohort_component_items(&c);
    if (slice->count == 0)
        return;
    take_array(s, 2 * at, ids, replica, (uint64_t)(slice->count * c.item_bytes), &slice->ids,
               &slice->ids_buffer);
    if (rows != NULL && s->row_bytes > 0)
        take_array(s, 2 * at + 1, rows, replica, (uint64_t)(slice->count * s->row_bytes),
                   &slice->rows, &slice->rows_buffer);
}

/* The downloads count by their fences, because blocks are no buffers and have no uses. */
int32_t cohort_slices_list_uses(cohort_slices *s)
{
    int32_t n = 0;
    s->uses[n++] = (cohort_use){ COHORT_USE_FENCES, NULL, s->fetched };
    for (int32_t i = 0; i < s->n; i++) {
        if (s->slices[i].ids_buffer != NULL)
            s->uses[n++] = (cohort_use){ COHORT_USE_READ, s->slices[i].ids_buffer, NULL };
        if (s->slices[i].rows_buffer != NULL)
            s->uses[n++] = (cohort_use){ COHORT_USE_READ, s->slices[i].rows_buffer, NULL };
    }
    return n;
}

/* ------------------------------------------------------------------ in line */

/* On the runner's thread and not when the call is planned: ids may be what a device still
 * computes. */
cohort_status cohort_slices_check_ids(const cohort_slices *s, int64_t rows, const char *variable)
{
    for (int32_t p = 0; p < s->n; p++)
        for (int64_t i = 0; i < s->slices[p].count; i++) {
            int64_t id = cohort_slice_id(&s->slices[p], i);
            if (id < 0 || id >= rows)
                return cohort_error_set(
                    COHORT_EINVAL,
                    "variable '%s': id %lld at place %lld of replica %d is no row of it; there "
                    "are %lld",
                    variable, (long long)id, (long long)i, s->slices[p].replica, (long long)rows);
        }
    return COHORT_OK;
}
