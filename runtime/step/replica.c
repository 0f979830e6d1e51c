/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of cohort/replica.h that one replica makes for itself. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/reduce/reducer.h"
#include "runtime/run/dispatch.h"
#include "runtime/step/replica_first_row.h"
#include "runtime/step/stage.h"
#include "runtime/step/traced_run.h"
#include "runtime/step/traced_set.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <string.h>

cohort_status cohort_for_each_replica_at(const char *site, const char *name,
                                         cohort_strategy *strategy, cohort_step_fn step, void *user)
{
    static const char call[] = "cohort_for_each_replica";
    cohort_status status = cohort_call_enter_recording(strategy, call);
    if (status < 0)
        return status;
    if (cohort_recorder_here(strategy) == NULL)
        status = cohort_strategy_check_program(strategy, call);
    if (status >= 0 && cohort_recorder_here(strategy) == NULL && strategy->n_logical > 1)
        status = cohort_error_set(
            COHORT_ENOTSUP,
            "cohort_for_each_replica: the replicas of the strategy have %d logical devices: record "
            "the step with cohort_program_record, and run that",
            strategy->n_logical);
    if (status >= 0 && step == NULL)
        status =
            cohort_error_set(COHORT_EINVAL, "cohort_for_each_replica: the step function is NULL");
    if (status >= 0)
        status = cohort_stage_play(strategy, site, name, step, user);
    strategy->executor->account.replica_steps +=
        status >= 0 && cohort_recorder_here(strategy) == NULL;
    return cohort_call_leave(strategy, status);
}

/* ------------------------------------------------------------------ who am I */

cohort_replica *cohort_replica_current(void)
{
    return cohort_stage_current();
}

int cohort_replica_id(const cohort_replica *me)
{
    return me != NULL ? cohort_stage_strategy(me)->first_replica + me->id : -1;
}

int cohort_replica_count(const cohort_replica *me)
{
    return me != NULL ? cohort_stage_strategy(me)->n_in_sync : 0;
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
    return cohort_strategy_context(s, s->host[me->id])->device;
}

/* ------------------------------------------------------------------ run and read */

/* The lock is held from binding to the last post: whoever binds uses the one binding of the
 * strategy (binder.h). */
static cohort_status run(const char *site, cohort_replica *me, const cohort_function *function,
                         const cohort_argument arguments[])
{
    static const char call[] = "cohort_replica_run";
    const cohort_replica_call like = {
        .name = call, .site = site, .function = function, .arguments = arguments
    };
    const cohort_invocation invocation = { function, arguments, NULL };
    cohort_status status = cohort_stage_check(me, call);
    if (status >= 0 && cohort_trace_is_on(me))
        return cohort_traced_launch_meet(
            me, call, site, &(cohort_traced_launch){ cohort_stage_strategy(me), NULL, invocation });
    if (status >= 0)
        status = cohort_replica_find_first_row(me, &like);
    if (status < 0)
        return status;
    cohort_stage_lock(me);
    status =
        cohort_dispatch_run(cohort_stage_strategy(me), &invocation, COHORT_CALL_REPLICA, me->id, 1);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

cohort_status cohort_replica_run_arguments(const char *site, cohort_replica *me,
                                           const cohort_function *function,
                                           const cohort_argument arguments[])
{
    return cohort_stage_end(me, cohort_operand_strategy_of_list(arguments),
                            run(site, me, function, arguments));
}

/* A component without rows fits an array without elements, whatever its dtype. */
static cohort_status check_read(const cohort_content *content, const cohort_array *into, int id)
{
    cohort_status status = cohort_array_check(into, false, "cohort_replica_read");
    if (status < 0)
        return status;
    bool is_absent = content != NULL && content->state == COHORT_CONTENT_ABSENT;
    if (content == NULL || (content->state != COHORT_CONTENT_FILLED && !is_absent))
        return cohort_error_set(
            COHORT_EINVAL, "cohort_replica_read: nothing has written the component of replica %d",
            id);
    if (!is_absent &&
        (content->dtype != into->dtype || content->item_bytes != cohort_array_item_bytes(into)))
        return cohort_error_set(COHORT_EINVAL, "cohort_replica_read: the value is %s, the array %s",
                                cohort_dtype_name(content->dtype), cohort_dtype_name(into->dtype));
    int64_t items = is_absent ? 0 : cohort_content_items(content);
    if (items != cohort_array_items(into))
        return cohort_error_set(
            COHORT_EINVAL, "cohort_replica_read: the component has %lld elements, the array %lld",
            (long long)items, (long long)cohort_array_items(into));
    return COHORT_OK;
}

/* The content on this very device: what lies with a peer is copied, so that only this lane has to
 * do something. */
static cohort_buffer *place_here(cohort_strategy *s, cohort_content *content, int32_t device)
{
    cohort_buffer *buffer = cohort_content_place_read(content, s->executor, device);
    if (buffer->context->index == device)
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

/* What is copied under the lock may not keep others from it for long. */
enum { NEAR_BYTES = 16 * 1024 };

/* The newest content of a component where this thread can read it as it is; NULL: it has to be
 * asked for. */
static const void *look_at(const cohort_stage *stage, const cohort_content *content)
{
    const cohort_place *place = &content->places.list[0];
    uint64_t bytes = cohort_content_bytes(content);
    bool is_near = stage->strategy->has_near_memory && bytes > 0 && bytes <= NEAR_BYTES &&
                   cohort_places_is_newest(&content->places, place) &&
                   cohort_buffer_is_idle(place->buffer);
    return is_near ? place->buffer->host : NULL;
}

/* Without an operation, where that is enough; then *out_is_read. */
static cohort_status read_at_once(cohort_replica *me, const cohort_value *value,
                                  const cohort_array *into, bool *out_is_read)
{
    cohort_stage_lock(me);
    const cohort_content *content =
        value->kind == COHORT_PER_REPLICA_VALUE ? &value->components[me->id] : NULL;
    cohort_status status =
        content != NULL ? check_read(content, into, cohort_replica_id(me)) : COHORT_OK;
    const void *from = content != NULL && status >= 0 ? look_at(me->stage, content) : NULL;
    if (from != NULL)
        cohort_array_unpack(into, from);
    *out_is_read = from != NULL;
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

/* Planned under the lock; done when the lane's step ring is. */
static cohort_status read_component(cohort_replica *me, cohort_value *value,
                                    const cohort_array *into, void *staging)
{
    cohort_strategy *s = cohort_stage_strategy(me);
    int32_t device = s->host[me->id];
    cohort_stage_lock(me);
    cohort_content *content =
        value->kind != COHORT_EMPTY_VALUE ? cohort_value_content(value, me->id) : NULL;
    cohort_status status = check_read(content, into, cohort_replica_id(me));
    if (status >= 0)
        status = cohort_places_prepare(&content->places, s->executor, device);
    cohort_buffer *buffer =
        status >= 0 && cohort_array_items(into) > 0 ? place_here(s, content, device) : NULL;
    if (buffer != NULL)
        (void)cohort_transfer_download(buffer, 0, staging, cohort_content_bytes(content));
    cohort_status sticky = cohort_stage_unlock(me);
    status = status < 0 ? status : sticky;
    if (status >= 0)
        cohort_array_unpack(into, staging);
    return status;
}

static cohort_status read_value(cohort_replica *me, cohort_value *value, const cohort_array *into)
{
    cohort_status status = cohort_stage_check(me, "cohort_replica_read");
    if (status >= 0 && cohort_trace_is_on(me))
        status = cohort_recorder_refuse("cohort_replica_read");
    if (status < 0)
        return status;
    status = cohort_handle_check(value, COHORT_HANDLE_VALUE, "cohort_replica_read", "the value");
    if (status < 0)
        return status;
    if (value->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_replica_read: the value belongs to another strategy");
    bool is_read = false;
    status = cohort_array_check(into, false, "cohort_replica_read");
    if (status >= 0)
        status = read_at_once(me, value, into, &is_read);
    if (status < 0 || is_read)
        return status;
    void *staging =
        status >= 0 ? cohort_allocate_aligned(
                          (size_t)(cohort_array_items(into) * cohort_array_item_bytes(into)), 64)
                    : NULL;
    if (staging == NULL)
        return status < 0 ? status : cohort_error_memory("reading a value");
    status = read_component(me, value, into, staging);
    /* else a late device may still write into it */
    if (!cohort_executor_has_lost(cohort_stage_strategy(me)->executor))
        cohort_free(staging);
    return status;
}

cohort_status cohort_replica_read(cohort_replica *me, cohort_value *value, cohort_array into)
{
    return cohort_stage_end(me, cohort_operand_strategy_of_values(&value, 1),
                            read_value(me, value, &into));
}

/* ------------------------------------------------------------------ set */

/* The array that a component becomes; a number lies in `element`. */
static cohort_status take_content(const cohort_argument *content, double *element,
                                  cohort_array *out)
{
    if (content->kind == COHORT_ARGUMENT_ARRAY) {
        *out = *(const cohort_array *)content->as.p;
        return cohort_array_check(out, false, "cohort_replica_set");
    }
    *out = (cohort_array){ .data = element, .dtype = COHORT_F64, .item_bytes = sizeof *element };
    if (!cohort_number_is(content))
        return cohort_error_set(COHORT_EINVAL, "cohort_replica_set: takes a number or an array");
    cohort_status status = cohort_number_convert(content, COHORT_F64, element);
    return status < 0 ? cohort_error_prefix(status, "cohort_replica_set") : status;
}

static cohort_status check_set(const cohort_replica *me, const cohort_value *value,
                               const cohort_array *array)
{
    char has[128], got[128];
    cohort_status status =
        cohort_handle_check(value, COHORT_HANDLE_VALUE, "cohort_replica_set", "the value");
    if (status < 0)
        return status;
    if (value->strategy != cohort_stage_strategy(me))
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_replica_set: the value belongs to another strategy");
    if (!value->is_declared ||
        (array->dtype == value->declared_dtype && array->rank == value->declared.rank &&
         memcmp(array->shape, value->declared.shape, (size_t)array->rank * sizeof(int64_t)) == 0))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "cohort_replica_set: the components of the value are %s, replica %d sets %s",
        cohort_shape_to_string(value->declared_dtype, value->declared.rank, value->declared.shape,
                               has),
        cohort_replica_id(me),
        cohort_shape_to_string(array->dtype, array->rank, array->shape, got));
}

/* Into memory that the component has already, where this thread can write it as it is. */
static bool set_at_once(cohort_replica *me, cohort_value *value, const cohort_array *array)
{
    cohort_executor *executor = cohort_stage_executor(me->stage);
    int64_t bytes = cohort_array_items(array) * cohort_array_item_bytes(array);
    if (!me->stage->strategy->has_near_memory || value->kind != COHORT_PER_REPLICA_VALUE ||
        bytes == 0 || bytes > NEAR_BYTES)
        return false;
    cohort_content *content = &value->components[me->id];
    const cohort_buffer *buffer = content->places.list[0].buffer;
    if (buffer == NULL || buffer->imported != NULL || buffer->planned < (uint64_t)bytes ||
        !cohort_buffer_is_idle(buffer))
        return false;
    cohort_content_drop_owned(content, executor);
    cohort_content_take_form(content, array);
    cohort_array_pack(cohort_content_place_write(content, executor, buffer->context->index,
                                                 (uint64_t)bytes, false)
                          ->host,
                      array);
    return true;
}

/* The content is copied, for the caller's array is its own again when the call returns. Memory
 * comes first: without it the component keeps what it has. */
static cohort_status set_component(cohort_replica *me, cohort_value *value,
                                   const cohort_array *array)
{
    void *block = cohort_allocate_aligned(
        (size_t)(cohort_array_items(array) * cohort_array_item_bytes(array)), 64);
    cohort_status status =
        block != NULL ? cohort_value_prepare_components(value) : cohort_error_memory("a value");
    if (status < 0) {
        cohort_free(block);
        return status;
    }
    cohort_array_pack(block, array);
    cohort_value_become_per_replica(value);
    cohort_content *content = &value->components[me->id];
    cohort_content_drop_owned(content, cohort_stage_strategy(me)->executor);
    cohort_content_take_form(content, array);
    cohort_content_set_source(content, block, block);
    if (array->rank > 0 && array->shape[0] == 0)
        cohort_content_become(content, COHORT_CONTENT_ABSENT);
    return COHORT_OK;
}

static cohort_status set(cohort_replica *me, cohort_value *value, const cohort_argument *content)
{
    double number = 0;
    cohort_array array;
    cohort_status status = cohort_stage_check(me, "cohort_replica_set");
    if (status >= 0)
        status = take_content(content, &number, &array);
    if (status >= 0)
        status = check_set(me, value, &array);
    if (status < 0)
        return status;
    if (cohort_trace_is_on(me))
        return content->kind == COHORT_ARGUMENT_ARRAY
                   ? cohort_recorder_refuse("cohort_replica_set of an array")
                   : cohort_traced_set_meet(me, value, number);
    cohort_stage_lock(me);
    if (!set_at_once(me, value, &array))
        status = set_component(me, value, &array);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

cohort_status cohort_replica_set_argument(cohort_replica *me, cohort_value *value,
                                          cohort_argument content)
{
    return cohort_stage_end(me, cohort_operand_strategy_of_values(&value, 1),
                            set(me, value, &content));
}
