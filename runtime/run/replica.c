/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of cohort/replica.h. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/reduce/reduce.h"
#include "runtime/run/dispatch.h"
#include "runtime/run/stage.h"

cohort_status cohort_for_each_replica_at(const char *site, const char *name, cohort_strategy *strategy,
                                         cohort_step_fn step, void *user)
{
    (void)name;
    (void)site;
    cohort_status status = cohort_strategy_enter(strategy, "cohort_for_each_replica");
    if (status < 0)
        return status;
    if (step == NULL)
        status = cohort_error_set(COHORT_EINVAL, "cohort_for_each_replica: the step function is NULL");
    else
        status = cohort_stage_play(strategy, step, user);
    cohort_strategy_leave(strategy);
    return status;
}

/* ------------------------------------------------------------------ who am I */

cohort_replica *cohort_replica_current(void)
{
    return cohort_stage_current();
}

int cohort_replica_id(const cohort_replica *me)
{
    return me != NULL ? me->id : -1;
}

int cohort_replica_count(const cohort_replica *me)
{
    return me != NULL ? cohort_stage_strategy(me)->n_replicas : 0;
}

cohort_strategy *cohort_replica_strategy(const cohort_replica *me)
{
    return me != NULL ? cohort_stage_strategy(me) : NULL;
}

const cohort_device *cohort_replica_device(const cohort_replica *me)
{
    if (me == NULL)
        return NULL;
    const cohort_strategy *s = cohort_stage_strategy(me);
    return cohort_strategy_opened(s, s->host[me->id])->device;
}

static cohort_status check_me(const cohort_replica *me, const char *call)
{
    if (me == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: the replica is NULL", call);
    if (cohort_stage_current() != me)
        return cohort_error_set(COHORT_EINVAL, "%s: the replica is valid in its step function alone, on its thread",
                                call);
    return cohort_failure_tell(&cohort_stage_strategy(me)->crew->failure);
}

/* ------------------------------------------------------------------ run and read */

cohort_status cohort_replica_run_arguments(cohort_replica *me, const cohort_function *function,
                                           const cohort_argument arguments[])
{
    cohort_status status = check_me(me, "cohort_replica_run");
    if (status < 0)
        return status;
    cohort_stage_lock(me);
    status = cohort_dispatch_run(cohort_stage_strategy(me), function, arguments, COHORT_CALL_REPLICA, me->id, 1);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

static cohort_status check_read(const cohort_content *content, const cohort_array *into, int32_t replica)
{
    cohort_status status = cohort_array_check(into, false, "cohort_replica_read");
    if (status < 0)
        return status;
    bool is_absent = content != NULL && content->state == COHORT_CONTENT_ABSENT;
    if (content == NULL || (content->state != COHORT_CONTENT_FILLED && !is_absent))
        return cohort_error_set(COHORT_EINVAL, "cohort_replica_read: nothing has written the component of replica %d",
                                replica);
    if (!is_absent && (content->dtype != into->dtype || content->item_bytes != cohort_array_item_bytes(into)))
        return cohort_error_set(COHORT_EINVAL, "cohort_replica_read: the value is %s, the array %s",
                                cohort_dtype_name(content->dtype), cohort_dtype_name(into->dtype));
    int64_t items = is_absent ? 0 : cohort_content_items(content);
    if (items != cohort_array_items(into))
        return cohort_error_set(COHORT_EINVAL, "cohort_replica_read: the component has %lld elements, the array %lld",
                                (long long)items, (long long)cohort_array_items(into));
    return COHORT_OK;
}

/* The content on this very device: what lies with a peer is copied, so that only this lane has to do something. */
static cohort_buffer *place_here(cohort_strategy *s, cohort_content *content, int32_t device)
{
    cohort_buffer *buffer = cohort_content_place_read(content, s->crew, device);
    if (buffer->opened->index == device)
        return buffer;
    cohort_reducer *reducer = cohort_reducer_of(s);
    if (reducer == NULL)
        return NULL;
    cohort_reducer_restart(reducer);
    cohort_buffer *here = cohort_reducer_scratch(reducer, device, cohort_content_bytes(content));
    if (here != NULL)
        cohort_transfer_copy(here, buffer, cohort_content_bytes(content));
    return here;
}

/* Planned under the lock; done when the lane's step ring is. */
static cohort_status read_component(cohort_replica *me, cohort_value *value, const cohort_array *into, void *staging)
{
    cohort_strategy *s = cohort_stage_strategy(me);
    int32_t device = s->host[me->id];
    cohort_stage_lock(me);
    cohort_content *content = value->kind != COHORT_EMPTY_VALUE ? cohort_value_content(value, me->id) : NULL;
    cohort_status status = check_read(content, into, me->id);
    if (status >= 0)
        status = cohort_content_prepare(content, s->crew, device);
    cohort_buffer *buffer = status >= 0 && cohort_array_items(into) > 0 ? place_here(s, content, device) : NULL;
    if (buffer != NULL)
        (void)cohort_transfer_download(buffer, 0, staging, cohort_content_bytes(content));
    cohort_status sticky = cohort_stage_unlock(me);
    status = status < 0 ? status : sticky;
    if (status >= 0)
        cohort_array_unpack(into, staging);
    return status;
}

cohort_status cohort_replica_read(cohort_replica *me, cohort_value *value, cohort_array into)
{
    cohort_status status = check_me(me, "cohort_replica_read");
    if (status < 0)
        return status;
    if (value == NULL)
        return cohort_error_null("cohort_replica_read", "the value");
    if (value->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL, "cohort_replica_read: the value belongs to another strategy");
    status = cohort_array_check(&into, false, "cohort_replica_read");
    void *staging =
        status >= 0 ? cohort_allocate_aligned((size_t)(cohort_array_items(&into) * cohort_array_item_bytes(&into)), 64)
                    : NULL;
    if (staging == NULL)
        return status < 0 ? status : cohort_error_memory("reading a value");
    status = read_component(me, value, &into, staging);
    if (!cohort_crew_has_lost(cohort_stage_strategy(me)->crew))
        cohort_free(staging);
    return status;
}

/* ------------------------------------------------------------------ collectives */

static cohort_status check_components(const cohort_strategy *s, const cohort_value *value, cohort_reduce_op op,
                                      const cohort_content **out_first, uint64_t *out_contributing)
{
    *out_first = NULL;
    *out_contributing = 0;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        const cohort_content *c = value->kind == COHORT_PER_REPLICA_VALUE ? &value->components[r] : NULL;
        if (c == NULL || c->state == COHORT_CONTENT_EMPTY || c->state == COHORT_CONTENT_LOST)
            return cohort_error_set(COHORT_EINVAL, "cohort_all_reduce: nothing has written the component of replica %d",
                                    r);
        cohort_status status = cohort_reduce_check_op(op, c->dtype, "cohort_all_reduce");
        if (status >= 0 && *out_first != NULL && c->state != COHORT_CONTENT_ABSENT)
            status = cohort_reduce_check_component(*out_first, c, r);
        if (status < 0)
            return status;
        if (c->state == COHORT_CONTENT_ABSENT)
            continue;
        *out_first = *out_first != NULL ? *out_first : c;
        ++*out_contributing;
    }
    return COHORT_OK;
}

static cohort_status prepare_components(cohort_strategy *s, cohort_value *value)
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = cohort_content_prepare(&value->components[r], s->crew, s->host[r]);
    return status;
}

/* The sum is made at home, and copied to every replica that has a component. */
static cohort_status all_reduce_one(cohort_strategy *s, cohort_reducer *reducer, cohort_reduce_op op,
                                    cohort_value *value)
{
    const cohort_content *first;
    uint64_t contributing;
    cohort_status status = check_components(s, value, op, &first, &contributing);
    if (status >= 0)
        status = prepare_components(s, value);
    if (status < 0 || first == NULL || cohort_content_bytes(first) == 0)
        return status;
    cohort_dtype from = first->dtype, made = cohort_reduce_result(op, from);
    uint64_t count = (uint64_t)cohort_content_items(first), bytes = count * (uint64_t)cohort_dtype_bytes(made);
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_content *c = &value->components[r];
        reducer->leaves[r] =
            c->state == COHORT_CONTENT_ABSENT ? NULL : cohort_content_place_read(c, s->crew, s->host[r]);
    }
    cohort_buffer *total = cohort_reducer_scratch(reducer, s->home, bytes);
    if (total == NULL)
        return COHORT_ENOMEM;
    cohort_reduce_leaves(reducer, op, from, count, contributing, total);
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_content *c = &value->components[r];
        if (c->state == COHORT_CONTENT_ABSENT)
            continue;
        c->dtype = made;
        c->item_bytes = cohort_dtype_bytes(made);
        cohort_transfer_copy(cohort_content_place_write(c, s->crew, s->host[r], bytes, false), total, bytes);
    }
    return COHORT_OK;
}

static cohort_status plan_all_reduce(cohort_strategy *s, const cohort_meeting *meeting, void *const all[])
{
    (void)all;
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_status status = reducer != NULL ? COHORT_OK : COHORT_ENOMEM;
    for (int32_t i = 0; i < meeting->n && status >= 0; i++) {
        cohort_reducer_restart(reducer);
        status = all_reduce_one(s, reducer, meeting->op, meeting->values[i]);
    }
    return status;
}

cohort_status cohort_all_reduce_at(const char *site, cohort_replica *me, cohort_reduce_op op,
                                   cohort_value *const values[], int n)
{
    cohort_status status = check_me(me, "cohort_all_reduce");
    if (status < 0)
        return status;
    if (n < 0 || (n > 0 && values == NULL))
        return cohort_error_set(COHORT_EINVAL, "cohort_all_reduce: %d values%s", n,
                                values == NULL ? ", list NULL" : "");
    for (int i = 0; i < n; i++) {
        if (values[i] == NULL)
            return cohort_error_null("cohort_all_reduce", "a value");
        if (values[i]->strategy != cohort_stage_strategy(me))
            return cohort_error_set(COHORT_EINVAL, "cohort_all_reduce: value %d belongs to another strategy", i);
    }
    return cohort_stage_meet(
        me,
        &(cohort_meeting){
            .call = "cohort_all_reduce", .site = site, .op = op, .n = n, .values = values, .plan = plan_all_reduce });
}

cohort_status cohort_barrier_at(const char *site, cohort_replica *me)
{
    cohort_status status = check_me(me, "cohort_barrier");
    return status < 0 ? status : cohort_stage_meet(me, &(cohort_meeting){ .call = "cohort_barrier", .site = site });
}
