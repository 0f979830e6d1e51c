/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of cohort/replica.h that all replicas make together. */
#include "config.h"

#include "runtime/reduce/reduce.h"
#include "runtime/run/contribution.h"

#include <stdio.h>

/* ------------------------------------------------------------------ all_reduce */

typedef struct survey {
    const cohort_content *first; /* one that contributes; NULL: none does */
    uint64_t contributing;       /* replicas */
} survey;

static cohort_status examine(const cohort_value *value, cohort_reduce_op op, survey *out)
{
    *out = (survey){ NULL, 0 };
    for (int32_t r = 0; r < value->strategy->n_replicas; r++) {
        cohort_status status = cohort_contribution_check_written("cohort_all_reduce", value, r);
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
            reducer->leaves[r] =
                r > 0 && !cohort_contribution_is_own(value) ? reducer->leaves[0] : cohort_contribution_place(value, r);
}

/* The total was made at home, and is copied to every replica, also to those that contributed nothing. */
static void hand_out(cohort_value *value, cohort_dtype dtype, const cohort_extents *extents, cohort_buffer *total,
                     uint64_t bytes)
{
    const cohort_strategy *s = value->strategy;
    for (int32_t r = 0; r < (cohort_contribution_is_own(value) ? s->n_replicas : 1); r++) {
        cohort_content *c = cohort_value_content(value, r);
        c->extents = *extents;
        c->dtype = dtype;
        c->item_bytes = cohort_dtype_bytes(dtype);
        cohort_transfer_copy(cohort_content_place_write(c, s->crew, cohort_contribution_device(value, r), bytes, false),
                             total, bytes);
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
            status = cohort_contribution_prepare(meeting->values[i]);
    }
    for (int32_t i = 0; i < meeting->n && status >= 0; i++)
        status = reduce_one(reducer, meeting->op, meeting->values[i]);
    return status;
}

static void describe_all_reduce(const cohort_meeting *meeting, char *out, size_t size)
{
    char op[40];
    cohort_contribution_describe_op(meeting, op, sizeof op);
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
        status = cohort_contribution_check(me, values, n, "cohort_all_reduce");
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

/* ------------------------------------------------------------------ broadcast */

/* What all see already is what the root has. */
static cohort_status plan_broadcast(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    cohort_value *value = meeting->values[0];
    int32_t root = (int32_t)meeting->op;
    cohort_status status = cohort_contribution_check_written("cohort_replica_broadcast", value, root);
    (void)all;
    if (status < 0 || !cohort_contribution_is_own(value))
        return status;
    status = cohort_contribution_prepare(value);
    if (status < 0)
        return status;
    const cohort_content *from = &value->components[root];
    bool has_bytes = from->state == COHORT_CONTENT_FILLED && cohort_content_bytes(from) > 0;
    cohort_buffer *buffer = has_bytes ? cohort_contribution_place(value, root) : NULL;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        if (r == root)
            continue;
        cohort_contribution_store(&value->components[r], from, s->crew, s->host[r], buffer, true);
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
    cohort_status status = cohort_contribution_check(me, values, 1, "cohort_replica_broadcast");
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
