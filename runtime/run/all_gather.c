/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that concatenate what the replicas bring: cohort_all_gather, cohort_all_reduce_slices. */
#include "config.h"

#include "runtime/reduce/reduce.h"
#include "runtime/run/contribution.h"

#include <stdio.h>

/* ------------------------------------------------------------------ components one after another */

/* The concatenation of n contents of a value along an axis. */
typedef struct pile {
    const char *call;
    cohort_value *value;
    int32_t n; /* of replicas 0 .. n - 1: all, or one where what all see counts once */
    int32_t axis;
    cohort_content shape;  /* dtype, item size and extents of the whole */
    uint64_t contributing; /* replicas with something along the axis */
} pile;

static int64_t product(const cohort_extents *extents, int32_t first, int32_t end)
{
    int64_t n = 1;
    for (int32_t i = first; i < end; i++)
        n *= extents->shape[i];
    return n;
}

static cohort_status find_axis(pile *p, const cohort_content *c, int axis)
{
    int32_t rank = c->extents.rank;
    if (axis < -rank || axis >= rank)
        return cohort_error_set(COHORT_EINVAL, "%s: axis %d of a value of rank %d", p->call, axis, rank);
    p->axis = axis < 0 ? axis + rank : axis;
    p->shape = (cohort_content){ .dtype = c->dtype, .item_bytes = c->item_bytes, .extents = c->extents };
    p->shape.extents.shape[p->axis] = 0;
    return COHORT_OK;
}

static cohort_status check_fit(const pile *p, const cohort_content *c, int32_t replica)
{
    const cohort_extents *a = &p->shape.extents, *b = &c->extents;
    bool fits = p->shape.dtype == c->dtype && p->shape.item_bytes == c->item_bytes && a->rank == b->rank;
    for (int32_t i = 0; i < a->rank && fits; i++)
        fits = i == p->axis || a->shape[i] == b->shape[i];
    char got[128];
    return fits ? COHORT_OK
                : cohort_error_set(COHORT_EINVAL,
                                   "%s: the component of replica %d is %s, which differs from an earlier one in more "
                                   "than axis %d",
                                   p->call, replica, cohort_shape_to_string(c->dtype, b->rank, b->shape, got), p->axis);
}

/* Components without an element along the axis fit everything; the first that has one says what the others must be. */
static cohort_status measure(pile *p, int axis)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < p->n && status >= 0; r++) {
        const cohort_content *c = cohort_value_content(p->value, r);
        status = cohort_contribution_check_written(p->call, p->value, r);
        if (status >= 0 && p->contributing == 0)
            status = find_axis(p, c, axis);
        if (status < 0 || c->state == COHORT_CONTENT_ABSENT || p->axis >= c->extents.rank ||
            c->extents.shape[p->axis] == 0)
            continue;
        status = check_fit(p, c, r);
        p->contributing++;
        if (status >= 0 && __builtin_add_overflow(p->shape.extents.shape[p->axis], c->extents.shape[p->axis],
                                                  &p->shape.extents.shape[p->axis]))
            status =
                cohort_error_set(COHORT_EINVAL, "%s: the extents along the axis sum to more than 64 bits", p->call);
    }
    return status < 0 ? status : cohort_contribution_prepare(p->value);
}

/* The whole in a scratch buffer at home; NULL when there is nothing in it, or the failure is set. */
static cohort_buffer *pile_up(const pile *p, cohort_reducer *reducer)
{
    const cohort_strategy *s = p->value->strategy;
    const cohort_extents *whole = &p->shape.extents;
    uint64_t bytes = cohort_content_bytes(&p->shape), offset = 0;
    uint64_t row = (uint64_t)(product(whole, p->axis + 1, whole->rank) * p->shape.item_bytes);
    cohort_buffer *total = bytes > 0 ? cohort_reducer_scratch(reducer, s->home, bytes) : NULL;
    for (int32_t r = 0; r < p->n && total != NULL; r++) {
        const cohort_content *c = cohort_value_content(p->value, r);
        if (c->state == COHORT_CONTENT_ABSENT || cohort_content_items(c) == 0)
            continue;
        uint64_t block = (uint64_t)c->extents.shape[p->axis] * row;
        cohort_transfer_copy_blocks(total, offset, (uint64_t)whole->shape[p->axis] * row,
                                    cohort_contribution_place(p->value, r), 0, block, block,
                                    (uint64_t)product(whole, 0, p->axis));
        offset += block;
    }
    return total;
}

/* Every component; or what all see, where the value is not per replica. */
static void store_all(cohort_value *into, const cohort_content *shape, cohort_buffer *from)
{
    const cohort_strategy *s = into->strategy;
    for (int32_t r = 0; r < (cohort_contribution_is_own(into) ? s->n_replicas : 1); r++)
        cohort_contribution_store(cohort_value_content(into, r), shape, s->crew, cohort_contribution_device(into, r),
                                  from, cohort_contribution_is_own(into));
}

/* ------------------------------------------------------------------ all_gather */

static cohort_status prepare_components(cohort_value *value)
{
    const cohort_strategy *s = value->strategy;
    cohort_status status = cohort_value_prepare_components(value);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = cohort_content_prepare(&value->components[r], s->crew, s->host[r]);
    return status;
}

/* What is not per replica is copied. */
static cohort_status plan_all_gather(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    cohort_value *value = meeting->values[0], *into = meeting->values[1];
    pile p = { .call = "cohort_all_gather",
               .value = value,
               .n = cohort_contribution_is_own(value) ? s->n_replicas : 1 };
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_status status = reducer != NULL ? measure(&p, (int)meeting->op) : COHORT_ENOMEM;
    (void)all;
    if (status >= 0)
        status = prepare_components(into);
    if (status < 0)
        return status;
    cohort_reducer_restart(reducer);
    cohort_buffer *total = pile_up(&p, reducer);
    cohort_value_become_per_replica(into);
    store_all(into, &p.shape, total);
    return COHORT_OK;
}

static void describe_axis(const cohort_meeting *meeting, char *out, size_t size)
{
    (void)snprintf(out, size, "axis %d", (int)meeting->op);
}

cohort_status cohort_all_gather_at(const char *site, cohort_replica *me, cohort_value *value, int axis,
                                   cohort_value *into)
{
    cohort_value *const values[] = { value, into };
    cohort_status status = cohort_contribution_check(me, values, 2, "cohort_all_gather");
    if (status >= 0 && value == into)
        status = cohort_error_set(COHORT_EINVAL, "cohort_all_gather: a value cannot be gathered into itself");
    if (status < 0)
        return status;
    return cohort_stage_meet(me, &(cohort_meeting){ .call = "cohort_all_gather",
                                                    .site = site,
                                                    .op = (cohort_reduce_op)axis,
                                                    .n = 2,
                                                    .values = values,
                                                    .plan = plan_all_gather,
                                                    .describe = describe_axis });
}

/* ------------------------------------------------------------------ slices */

static cohort_status check_slices(const cohort_value *ids, const cohort_value *rows, cohort_reduce_op op)
{
    static const char call[] = "cohort_all_reduce_slices";
    if (op != COHORT_SUM && op != COHORT_MEAN)
        return cohort_error_set(COHORT_EINVAL, "%s: index slices are combined with COHORT_SUM or COHORT_MEAN", call);
    if (cohort_contribution_is_own(ids) != cohort_contribution_is_own(rows))
        return cohort_error_set(COHORT_EINVAL, "%s: either ids and rows are both per replica, or none is", call);
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < ids->strategy->n_replicas && status >= 0; r++) {
        const cohort_content *i = cohort_value_content(ids, r), *x = cohort_value_content(rows, r);
        status = cohort_contribution_check_written(call, ids, r);
        if (status >= 0)
            status = cohort_contribution_check_written(call, rows, r);
        if (status < 0)
            return status;
        int64_t n_ids = i->state == COHORT_CONTENT_ABSENT ? 0 : cohort_content_items(i);
        int64_t n_rows = x->state == COHORT_CONTENT_ABSENT || x->extents.rank == 0 ? 0 : x->extents.shape[0];
        if ((i->dtype != COHORT_I32 && i->dtype != COHORT_I64) || i->extents.rank != 1 || x->extents.rank < 1)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: replica %d has ids of %s and rank %d, rows of rank %d; ids are int32 or int64 "
                                    "of rank 1, rows have one rank at least",
                                    call, r, cohort_dtype_name(i->dtype), i->extents.rank, x->extents.rank);
        if (n_ids != n_rows)
            return cohort_error_set(COHORT_EINVAL, "%s: replica %d has %lld ids and %lld rows", call, r,
                                    (long long)n_ids, (long long)n_rows);
        status = cohort_reduce_check_op(op, x->dtype, call);
    }
    return status;
}

/* Rows of a mean: divided by the replicas that contributed. */
static cohort_buffer *divide(cohort_reducer *reducer, const pile *rows, cohort_buffer *total)
{
    cohort_buffer *mean =
        total != NULL ? cohort_reducer_scratch(reducer, total->opened->index, cohort_content_bytes(&rows->shape))
                      : NULL;
    if (mean != NULL)
        cohort_fold_post(COHORT_SUM, rows->shape.dtype, &(cohort_fold_term){ .buffer = total }, 1, mean,
                         (uint64_t)cohort_content_items(&rows->shape), rows->contributing);
    return mean;
}

static cohort_status plan_slices(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    static const char call[] = "cohort_all_reduce_slices";
    pile ids = { .call = call, .value = meeting->values[0], .n = s->n_replicas };
    pile rows = { .call = call, .value = meeting->values[1], .n = s->n_replicas };
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_status status = reducer != NULL ? check_slices(ids.value, rows.value, meeting->op) : COHORT_ENOMEM;
    (void)all;
    if (status >= 0)
        status = measure(&ids, 0);
    if (status >= 0)
        status = measure(&rows, 0);
    if (status < 0)
        return status;
    cohort_reducer_restart(reducer);
    cohort_buffer *all_ids = pile_up(&ids, reducer), *all_rows = pile_up(&rows, reducer);
    if (meeting->op == COHORT_MEAN && rows.contributing > 1)
        all_rows = divide(reducer, &rows, all_rows);
    store_all(ids.value, &ids.shape, all_ids);
    store_all(rows.value, &rows.shape, all_rows);
    return COHORT_OK;
}

cohort_status cohort_all_reduce_slices_at(const char *site, cohort_replica *me, cohort_reduce_op op, cohort_value *ids,
                                          cohort_value *rows)
{
    cohort_value *const values[] = { ids, rows };
    cohort_status status = cohort_contribution_check(me, values, 2, "cohort_all_reduce_slices");
    if (status >= 0 && ids == rows)
        status = cohort_error_set(COHORT_EINVAL, "cohort_all_reduce_slices: ids and rows are the same value");
    if (status < 0)
        return status;
    return cohort_stage_meet(me, &(cohort_meeting){ .call = "cohort_all_reduce_slices",
                                                    .site = site,
                                                    .op = op,
                                                    .n = 2,
                                                    .values = values,
                                                    .plan = plan_slices,
                                                    .describe = cohort_contribution_describe_op });
}
