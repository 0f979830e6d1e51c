/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_reduce: what is combined, and what comes out. */
#include "config.h"

#include "runtime/reduce/reduce.h"

#include <cohort/run.h>

#include <string.h>

/* ------------------------------------------------------------------ checks */

static const char *op_name(cohort_reduce_op op)
{
#define OP_NAME(name, value, text) [value] = text,
    static const char *const names[] = { COHORT_REDUCE_OPS(OP_NAME) };
    return op >= COHORT_SUM && op <= COHORT_PROD ? names[op] : NULL;
}

static bool is_floating(cohort_dtype dtype)
{
    return dtype >= COHORT_F16 && dtype <= COHORT_C128;
}

cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call)
{
    const char *name = op_name(op);
    if (name == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %d is no reduction; COHORT_SUM, MEAN, MIN, MAX or PROD", call,
                                (int)op);
    bool is_complex = dtype == COHORT_C64 || dtype == COHORT_C128, is_order = op == COHORT_MIN || op == COHORT_MAX;
    bool is_good = dtype != COHORT_RECORD && !(is_complex && is_order) && !(dtype == COHORT_BOOL && !is_order) &&
                   !(op == COHORT_MEAN && !is_floating(dtype));
    if (is_good)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: no %s of %s%s", call, name, cohort_dtype_name(dtype),
        op == COHORT_MEAN && dtype != COHORT_BOOL && dtype != COHORT_RECORD ? "; reduce the sum and divide it" : "");
}

/* What all components have in common, and what they sum up to. */
typedef struct survey {
    const cohort_content *first; /* a component that contributes; NULL: none does */
    const cohort_content *any;   /* a component at all, for dtype and rank */
    int32_t axis;                /* from 0, or -1 */
    int64_t n_contributing;      /* replicas */
    int64_t along;               /* elements along the axis, of all replicas */
} survey;

static cohort_status different(const char *call, const cohort_content *a, const cohort_content *b, int32_t replica,
                               int axis)
{
    char one[128], other[128];
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the component of replica %d is %s, that of an earlier one %s; shapes must be equal%s",
                            call, replica, cohort_shape_to_string(b->dtype, b->extents.rank, b->extents.shape, one),
                            cohort_shape_to_string(a->dtype, a->extents.rank, a->extents.shape, other),
                            axis < 0 ? " without an axis" : " but for the axis");
}

static bool is_alike(const cohort_content *a, const cohort_content *b, int32_t axis)
{
    bool is_same = a->dtype == b->dtype && a->item_bytes == b->item_bytes && a->extents.rank == b->extents.rank;
    for (int32_t i = 0; is_same && i < a->extents.rank; i++)
        is_same = i == axis || a->extents.shape[i] == b->extents.shape[i];
    return is_same;
}

static cohort_status find_axis(const char *call, const cohort_content *c, int axis, int32_t *out)
{
    int32_t rank = c->extents.rank;
    *out = -1;
    if (axis == COHORT_NO_AXIS)
        return COHORT_OK;
    if (axis < -rank || axis >= rank)
        return cohort_error_set(COHORT_EINVAL, "%s: axis %d of a value of rank %d", call, axis, rank);
    *out = axis < 0 ? axis + rank : axis;
    return COHORT_OK;
}

static cohort_status examine(const char *call, const cohort_value *value, int axis, survey *out)
{
    const cohort_strategy *s = value->strategy;
    *out = (survey){ .axis = -1 };
    for (int32_t r = 0; r < s->n_replicas; r++) {
        const cohort_content *c = cohort_value_content(value, r);
        if (c->state == COHORT_CONTENT_EMPTY || c->state == COHORT_CONTENT_LOST)
            return cohort_error_set(COHORT_EINVAL,
                                    c->state == COHORT_CONTENT_LOST
                                        ? "%s: the call that was to write component %d of the value failed; write "
                                          "it again"
                                        : "%s: nothing has written component %d of the value",
                                    call, r);
        cohort_status status = out->any == NULL ? find_axis(call, c, axis, &out->axis) : COHORT_OK;
        if (status < 0)
            return status;
        out->any = c;
        if (c->state == COHORT_CONTENT_ABSENT || (out->axis >= 0 && c->extents.shape[out->axis] == 0))
            continue;
        if (out->first != NULL && !is_alike(out->first, c, out->axis))
            return different(call, out->first, c, r, out->axis);
        out->first = out->first != NULL ? out->first : c;
        out->n_contributing++;
        if (out->axis >= 0 && __builtin_add_overflow(out->along, c->extents.shape[out->axis], &out->along))
            return cohort_error_set(COHORT_EINVAL, "%s: the extents along the axis sum to more than 64 bits", call);
    }
    return COHORT_OK;
}

static cohort_status check_containers(const char *call, const cohort_value *value, const cohort_value *into)
{
    if (value == NULL || into == NULL)
        return cohort_error_null(call, value == NULL ? "the value" : "the value to fill");
    if (value->strategy != into->strategy)
        return cohort_error_set(COHORT_EINVAL, "%s: the two values belong to different strategies", call);
    if (value == into)
        return cohort_error_set(COHORT_EINVAL, "%s: a value cannot be combined into itself", call);
    if (value->kind == COHORT_EMPTY_VALUE)
        return cohort_error_set(COHORT_EINVAL, "%s: nothing has written the value", call);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ leaves */

typedef struct axis_sizes {
    int64_t outer, rows, inner;
} axis_sizes;

static axis_sizes sizes_of(const cohort_extents *extents, int32_t axis)
{
    axis_sizes sizes = { 1, extents->shape[axis], 1 };
    for (int32_t i = 0; i < extents->rank; i++) {
        sizes.outer *= i < axis ? extents->shape[i] : 1;
        sizes.inner *= i > axis ? extents->shape[i] : 1;
    }
    return sizes;
}

/* Where a replica's contribution lies: on the device that hosts it, or for a plain value at home. */
static int32_t device_of(const cohort_value *value, int32_t replica)
{
    const cohort_strategy *s = value->strategy;
    return value->kind == COHORT_PER_REPLICA_VALUE ? s->host[replica] : s->home;
}

static cohort_buffer *fold_axis(cohort_reducer *reducer, cohort_reduce_op op, const cohort_content *c,
                                cohort_buffer *from, int32_t axis)
{
    axis_sizes n = sizes_of(&c->extents, axis);
    uint64_t bytes = (uint64_t)(n.outer * n.inner * c->item_bytes);
    cohort_buffer *into = cohort_reducer_scratch(reducer, from->opened->index, bytes);
    if (into != NULL && bytes > 0)
        cohort_fold_post_rows(op == COHORT_MEAN ? COHORT_SUM : op, c->dtype, from, n.outer, n.rows, n.inner, into);
    return into;
}

/* A plain value is folded once, and counts for every replica. */
static void place_leaves(cohort_reducer *reducer, cohort_reduce_op op, const cohort_value *value, int32_t axis)
{
    const cohort_strategy *s = value->strategy;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_content *c = cohort_value_content(value, r);
        bool is_absent = c->state == COHORT_CONTENT_ABSENT || (axis >= 0 && c->extents.shape[axis] == 0);
        reducer->leaves[r] = NULL;
        if (is_absent)
            continue;
        if (r > 0 && value->kind == COHORT_PLAIN_VALUE) {
            reducer->leaves[r] = reducer->leaves[0];
            continue;
        }
        cohort_buffer *buffer = cohort_content_place_read(c, s->crew, device_of(value, r));
        reducer->leaves[r] = axis >= 0 ? fold_axis(reducer, op, c, buffer, axis) : buffer;
    }
}

/* ------------------------------------------------------------------ reduce */

static cohort_status prepare(const cohort_value *value, cohort_value *into)
{
    const cohort_strategy *s = value->strategy;
    cohort_status status = cohort_value_prepare_plain(into);
    if (status >= 0)
        status = cohort_content_prepare(&into->plain, s->crew, s->home);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = cohort_content_prepare(cohort_value_content(value, r), s->crew, device_of(value, r));
    return status;
}

static void shape_result(cohort_content *into, const cohort_content *from, int32_t axis)
{
    into->dtype = from->dtype;
    into->item_bytes = from->item_bytes;
    into->extents.rank = 0;
    for (int32_t i = 0; i < from->extents.rank; i++)
        if (i != axis)
            into->extents.shape[into->extents.rank++] = from->extents.shape[i];
}

static uint64_t divisor_of(cohort_reduce_op op, const survey *v)
{
    if (op != COHORT_MEAN)
        return 1;
    return (uint64_t)(v->axis >= 0 ? v->along : v->n_contributing);
}

static cohort_status reduce(cohort_reduce_op op, cohort_value *value, int axis, cohort_value *into)
{
    survey v;
    cohort_strategy *s = value->strategy;
    cohort_status status = examine("cohort_reduce", value, axis, &v);
    if (status >= 0)
        status = cohort_reduce_check_op(op, v.any->dtype, "cohort_reduce");
    if (status >= 0 && v.first == NULL)
        status = cohort_error_set(COHORT_EINVAL, "cohort_reduce: no elements: no replica contributes anything");
    if (status >= 0)
        status = prepare(value, into);
    cohort_reducer *reducer = status >= 0 ? cohort_reducer_of(s) : NULL;
    if (reducer == NULL)
        return status < 0 ? status : COHORT_ENOMEM;
    cohort_reducer_restart(reducer);
    place_leaves(reducer, op, value, v.axis);
    shape_result(&into->plain, v.first, v.axis);
    into->kind = COHORT_PLAIN_VALUE;
    cohort_buffer *dst =
        cohort_content_place_write(&into->plain, s->crew, s->home, cohort_content_bytes(&into->plain), false);
    cohort_reducer_combine(reducer, op, into->plain.dtype, (uint64_t)cohort_content_items(&into->plain),
                           divisor_of(op, &v), dst);
    return COHORT_OK;
}

cohort_status cohort_reduce_argument(cohort_reduce_op op, cohort_argument x, int axis, cohort_value *into)
{
    cohort_value *value = x.kind == COHORT_ARGUMENT_VALUE ? (cohort_value *)x.as.p : NULL;
    cohort_status status = check_containers("cohort_reduce", value, into);
    if (status >= 0)
        status = cohort_strategy_enter(value->strategy, "cohort_reduce");
    if (status < 0)
        return status;
    return cohort_strategy_advance(value->strategy, reduce(op, value, axis, into));
}

/* ------------------------------------------------------------------ gather */

/* Component by component into its place; along another axis than the first that is many blocks. */
static void copy_components(const cohort_value *value, cohort_value *into, const survey *v, cohort_buffer *dst)
{
    const cohort_strategy *s = value->strategy;
    int32_t axis = v->axis;
    uint64_t offset = 0, row = (uint64_t)(sizes_of(&into->plain.extents, axis).inner * into->plain.item_bytes);
    uint64_t dst_stride = (uint64_t)into->plain.extents.shape[axis] * row;
    for (int32_t r = 0; r < (value->kind == COHORT_PLAIN_VALUE ? 1 : s->n_replicas); r++) {
        cohort_content *c = cohort_value_content(value, r);
        if (c->state == COHORT_CONTENT_ABSENT || cohort_content_items(c) == 0)
            continue;
        uint64_t block = (uint64_t)c->extents.shape[axis] * row;
        cohort_buffer *src = cohort_content_place_read(c, s->crew, device_of(value, r));
        cohort_transfer_copy_blocks(dst, offset, dst_stride, src, 0, block, block,
                                    (uint64_t)sizes_of(&c->extents, axis).outer);
        offset += block;
    }
}

static cohort_status gather(cohort_value *value, int axis, cohort_value *into)
{
    survey v;
    cohort_strategy *s = value->strategy;
    if (axis == COHORT_NO_AXIS)
        return cohort_error_set(COHORT_EINVAL, "cohort_gather: an axis along which to concatenate is needed");
    cohort_status status = examine("cohort_gather", value, axis, &v);
    if (status >= 0)
        status = prepare(value, into);
    if (status < 0)
        return status;
    const cohort_content *like = v.first != NULL ? v.first : v.any;
    cohort_content *plain = &into->plain;
    plain->dtype = like->dtype;
    plain->item_bytes = like->item_bytes;
    plain->extents = like->extents;
    plain->extents.shape[v.axis] = value->kind == COHORT_PLAIN_VALUE ? like->extents.shape[v.axis] : v.along;
    into->kind = COHORT_PLAIN_VALUE;
    cohort_buffer *dst = cohort_content_place_write(plain, s->crew, s->home, cohort_content_bytes(plain), false);
    copy_components(value, into, &v, dst);
    return COHORT_OK;
}

cohort_status cohort_gather_argument(cohort_argument x, int axis, cohort_value *into)
{
    cohort_value *value = x.kind == COHORT_ARGUMENT_VALUE ? (cohort_value *)x.as.p : NULL;
    cohort_status status = check_containers("cohort_gather", value, into);
    if (status >= 0)
        status = cohort_strategy_enter(value->strategy, "cohort_gather");
    if (status < 0)
        return status;
    return cohort_strategy_advance(value->strategy, gather(value, axis, into));
}

/* ------------------------------------------------------------------ all_reduce, planned by a step */

cohort_status cohort_reduce_check_component(const cohort_content *first, const cohort_content *content, int32_t replica)
{
    return is_alike(first, content, -1) ? COHORT_OK : different("cohort_all_reduce", first, content, replica, -1);
}
