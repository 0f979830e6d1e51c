/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of cohort/replica.h that all replicas make together. */
#include "config.h"

#include "runtime/reduce/reduce.h"
#include "runtime/run/stage.h"

#include <stdio.h>

/* ------------------------------------------------------------------ checks of one replica */

static cohort_status check_value(const cohort_replica *me, const cohort_value *value, const char *call)
{
    if (value == NULL)
        return cohort_error_null(call, "a value");
    if (value->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL, "%s: a value belongs to another strategy", call);
    return COHORT_OK;
}

static cohort_status check_values(const cohort_replica *me, cohort_value *const values[], int n, const char *call)
{
    cohort_status status = cohort_stage_check(me, call);
    for (int i = 0; i < n && status >= 0; i++)
        status = check_value(me, values[i], call);
    return status;
}

/* ------------------------------------------------------------------ what the replicas bring */

static bool is_per_replica(const cohort_value *value)
{
    return value->kind == COHORT_PER_REPLICA_VALUE;
}

/* Where a replica's contribution lies: what all see is at home. */
static int32_t device_of(const cohort_value *value, int32_t replica)
{
    return is_per_replica(value) ? value->strategy->host[replica] : value->strategy->home;
}

static cohort_status check_written(const char *call, const cohort_value *value, int32_t replica)
{
    const cohort_content *c = cohort_value_content(value, replica);
    if (c != NULL && c->state == COHORT_CONTENT_LOST)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the call that was to write the component of replica %d failed; write it again",
                                call, replica);
    if (c == NULL || c->state == COHORT_CONTENT_EMPTY)
        return cohort_error_set(COHORT_EINVAL, "%s: nothing has written the component of replica %d", call, replica);
    return COHORT_OK;
}

static cohort_status prepare_contents(const cohort_value *value)
{
    cohort_status status = COHORT_OK;
    int32_t n = is_per_replica(value) ? value->strategy->n_replicas : 1;
    for (int32_t r = 0; r < n && status >= 0; r++)
        status = cohort_content_prepare(cohort_value_content(value, r), value->strategy->crew, device_of(value, r));
    return status;
}

static cohort_buffer *place(const cohort_value *value, int32_t replica)
{
    return cohort_content_place_read(cohort_value_content(value, replica), value->strategy->crew,
                                     device_of(value, replica));
}

/* ------------------------------------------------------------------ all_reduce */

typedef struct survey {
    const cohort_content *first; /* one that contributes; NULL: none does */
    uint64_t contributing;       /* replicas */
} survey;

static cohort_status examine(const cohort_value *value, cohort_reduce_op op, survey *out)
{
    *out = (survey){ NULL, 0 };
    for (int32_t r = 0; r < value->strategy->n_replicas; r++) {
        cohort_status status = check_written("cohort_all_reduce", value, r);
        const cohort_content *c = cohort_value_content(value, r);
        if (status >= 0)
            status = cohort_reduce_check_op(op, c->dtype, "cohort_all_reduce");
        if (status >= 0 && out->first != NULL && c->state != COHORT_CONTENT_ABSENT)
            status = cohort_reduce_check_component(out->first, c, r);
        if (status < 0)
            return status;
        if (c->state == COHORT_CONTENT_ABSENT)
            continue;
        out->first = out->first != NULL ? out->first : c;
        out->contributing++;
    }
    return COHORT_OK;
}

/* What is not per replica lies on one device for all of them. */
static void place_leaves(cohort_reducer *reducer, const cohort_value *value)
{
    for (int32_t r = 0; r < value->strategy->n_replicas; r++)
        if (cohort_value_content(value, r)->state == COHORT_CONTENT_ABSENT)
            reducer->leaves[r] = NULL;
        else
            reducer->leaves[r] = r > 0 && !is_per_replica(value) ? reducer->leaves[0] : place(value, r);
}

/* The total was made at home, and is copied to every replica, also to those that contributed nothing. */
static void hand_out(cohort_value *value, cohort_dtype dtype, const cohort_extents *extents, cohort_buffer *total,
                     uint64_t bytes)
{
    const cohort_strategy *s = value->strategy;
    for (int32_t r = 0; r < (is_per_replica(value) ? s->n_replicas : 1); r++) {
        cohort_content *c = cohort_value_content(value, r);
        c->extents = *extents;
        c->dtype = dtype;
        c->item_bytes = cohort_dtype_bytes(dtype);
        cohort_transfer_copy(cohort_content_place_write(c, s->crew, device_of(value, r), bytes, false), total, bytes);
    }
}

static cohort_status reduce_one(cohort_reducer *reducer, cohort_reduce_op op, cohort_value *value)
{
    survey v;
    cohort_strategy *s = value->strategy;
    cohort_status status = examine(value, op, &v);
    if (status < 0 || v.first == NULL || cohort_content_bytes(v.first) == 0)
        return status;
    const cohort_extents extents = v.first->extents;
    cohort_dtype from = v.first->dtype, made = cohort_reduce_result(op, from);
    uint64_t count = (uint64_t)cohort_content_items(v.first), bytes = count * (uint64_t)cohort_dtype_bytes(made);
    cohort_reducer_restart(reducer);
    place_leaves(reducer, value);
    cohort_buffer *total = cohort_reducer_scratch(reducer, s->home, bytes);
    if (total == NULL)
        return COHORT_ENOMEM;
    cohort_reduce_leaves(reducer, op, from, count, v.contributing, total);
    hand_out(value, made, &extents, total, bytes);
    return COHORT_OK;
}

/* All are looked at before the first is combined. */
static cohort_status plan_all_reduce(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    survey v;
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_status status = reducer != NULL ? COHORT_OK : COHORT_ENOMEM;
    (void)all;
    for (int32_t i = 0; i < meeting->n && status >= 0; i++) {
        status = examine(meeting->values[i], meeting->op, &v);
        if (status >= 0)
            status = prepare_contents(meeting->values[i]);
    }
    for (int32_t i = 0; i < meeting->n && status >= 0; i++)
        status = reduce_one(reducer, meeting->op, meeting->values[i]);
    return status;
}

static void describe_op(const cohort_meeting *meeting, char *out, size_t size)
{
#define OP_NAME(name, value, text) [value] = text,
    static const char *const names[] = { COHORT_REDUCE_OPS(OP_NAME) };
    bool is_known = meeting->op >= COHORT_SUM && meeting->op <= COHORT_PROD;
    if (is_known)
        (void)snprintf(out, size, "%s", names[meeting->op]);
    else
        (void)snprintf(out, size, "reduction %d", (int)meeting->op);
}

static void describe_all_reduce(const cohort_meeting *meeting, char *out, size_t size)
{
    char op[40];
    describe_op(meeting, op, sizeof op);
    (void)snprintf(out, size, "%s, %d value%s", op, meeting->n, meeting->n == 1 ? "" : "s");
}

cohort_status cohort_all_reduce_at(const char *site, cohort_replica *me, cohort_reduce_op op,
                                   cohort_value *const values[], int n)
{
    cohort_status status = cohort_stage_check(me, "cohort_all_reduce");
    if (status >= 0 && (n < 0 || (n > 0 && values == NULL)))
        status =
            cohort_error_set(COHORT_EINVAL, "cohort_all_reduce: %d values%s", n, values == NULL ? ", list NULL" : "");
    if (status >= 0)
        status = check_values(me, values, n, "cohort_all_reduce");
    if (status < 0)
        return status;
    return cohort_stage_meet(me, &(cohort_meeting){ .call = "cohort_all_reduce",
                                                    .site = site,
                                                    .op = op,
                                                    .n = n,
                                                    .values = values,
                                                    .plan = plan_all_reduce,
                                                    .describe = describe_all_reduce });
}

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
        status = check_written(p->call, p->value, r);
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
    return status < 0 ? status : prepare_contents(p->value);
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
        cohort_transfer_copy_blocks(total, offset, (uint64_t)whole->shape[p->axis] * row, place(p->value, r), 0, block,
                                    block, (uint64_t)product(whole, 0, p->axis));
        offset += block;
    }
    return total;
}

/* The content becomes a copy of the buffer, which has the bytes of that shape; NULL: it has no element. */
static void store(cohort_content *c, const cohort_content *shape, cohort_crew *crew, int32_t device,
                  cohort_buffer *from, bool is_component)
{
    c->dtype = shape->dtype;
    c->item_bytes = shape->item_bytes;
    c->extents = shape->extents;
    uint64_t bytes = cohort_content_bytes(c);
    if (is_component && c->extents.rank > 0 && c->extents.shape[0] == 0) {
        c->state = COHORT_CONTENT_ABSENT;
        return;
    }
    cohort_buffer *into = cohort_content_place_write(c, crew, device, bytes, false);
    if (bytes > 0 && from != NULL)
        cohort_transfer_copy(into, from, bytes);
}

/* Every component; or what all see, where the value is not per replica. */
static void store_all(cohort_value *into, const cohort_content *shape, cohort_buffer *from)
{
    const cohort_strategy *s = into->strategy;
    for (int32_t r = 0; r < (is_per_replica(into) ? s->n_replicas : 1); r++)
        store(cohort_value_content(into, r), shape, s->crew, device_of(into, r), from, is_per_replica(into));
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
    pile p = { .call = "cohort_all_gather", .value = value, .n = is_per_replica(value) ? s->n_replicas : 1 };
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_status status = reducer != NULL ? measure(&p, (int)meeting->op) : COHORT_ENOMEM;
    (void)all;
    if (status >= 0)
        status = prepare_components(into);
    if (status < 0)
        return status;
    cohort_reducer_restart(reducer);
    cohort_buffer *total = pile_up(&p, reducer);
    into->kind = COHORT_PER_REPLICA_VALUE;
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
    cohort_status status = check_values(me, values, 2, "cohort_all_gather");
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
    if (is_per_replica(ids) != is_per_replica(rows))
        return cohort_error_set(COHORT_EINVAL, "%s: either ids and rows are both per replica, or none is", call);
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < ids->strategy->n_replicas && status >= 0; r++) {
        const cohort_content *i = cohort_value_content(ids, r), *x = cohort_value_content(rows, r);
        status = check_written(call, ids, r);
        if (status >= 0)
            status = check_written(call, rows, r);
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
    cohort_status status = check_values(me, values, 2, "cohort_all_reduce_slices");
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
                                                    .describe = describe_op });
}

/* ------------------------------------------------------------------ broadcast */

/* What all see already is what the root has. */
static cohort_status plan_broadcast(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    cohort_value *value = meeting->values[0];
    int32_t root = (int32_t)meeting->op;
    cohort_status status = check_written("cohort_replica_broadcast", value, root);
    (void)all;
    if (status < 0 || !is_per_replica(value))
        return status;
    status = prepare_contents(value);
    if (status < 0)
        return status;
    const cohort_content *from = &value->components[root];
    bool has_bytes = from->state == COHORT_CONTENT_FILLED && cohort_content_bytes(from) > 0;
    cohort_buffer *buffer = has_bytes ? place(value, root) : NULL;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        if (r == root)
            continue;
        store(&value->components[r], from, s->crew, s->host[r], buffer, true);
        value->components[r].state = from->state;
    }
    return COHORT_OK;
}

static void describe_root(const cohort_meeting *meeting, char *out, size_t size)
{
    (void)snprintf(out, size, "root %d", (int)meeting->op);
}

cohort_status cohort_replica_broadcast_at(const char *site, cohort_replica *me, cohort_value *value, int root)
{
    cohort_value *const values[] = { value };
    cohort_status status = check_values(me, values, 1, "cohort_replica_broadcast");
    if (status >= 0 && (root < 0 || root >= cohort_stage_strategy(me)->n_replicas))
        status = cohort_error_set(COHORT_EINVAL, "cohort_replica_broadcast: root %d of %d replicas", root,
                                  cohort_stage_strategy(me)->n_replicas);
    if (status < 0)
        return status;
    return cohort_stage_meet(me, &(cohort_meeting){ .call = "cohort_replica_broadcast",
                                                    .site = site,
                                                    .op = (cohort_reduce_op)root,
                                                    .n = 1,
                                                    .values = values,
                                                    .plan = plan_broadcast,
                                                    .describe = describe_root });
}

/* ------------------------------------------------------------------ barrier and merge call */

cohort_status cohort_barrier_at(const char *site, cohort_replica *me)
{
    cohort_status status = cohort_stage_check(me, "cohort_barrier");
    return status < 0 ? status : cohort_stage_meet(me, &(cohort_meeting){ .call = "cohort_barrier", .site = site });
}

cohort_status cohort_merge_call_at(const char *site, cohort_replica *me, cohort_merge_fn merge, void *user)
{
    bool is_outside = me == NULL && cohort_strategy_of_step == NULL && cohort_strategy_of_merge == NULL;
    if (merge == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_merge_call: the function is NULL");
    if (is_outside)
        return merge(NULL, &user, 1);
    cohort_status status = cohort_stage_check(me, "cohort_merge_call");
    if (status < 0)
        return status;
    return cohort_stage_meet(
        me, &(cohort_meeting){ .call = "cohort_merge_call", .site = site, .mine = user, .merge = merge });
}
