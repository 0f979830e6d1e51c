/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver's own objects: what cohort/handle.h gives away. */
#include "config.h"

#include "runtime/strategy/call.h"
#include "runtime/value/value.h"

#include <cohort/handle.h>

/* Whatever the call answers, nobody takes an old handle for its own. */
static void clear(void **out_handle)
{
    if (out_handle != NULL)
        *out_handle = NULL;
}

static cohort_status check_output(const char *call, const char *what, void *const *out_handle)
{
    if (what == NULL || out_handle == NULL)
        return cohort_error_null(call, what == NULL ? "the name" : "the result");
    return COHORT_OK;
}

cohort_status cohort_replica_handle(cohort_strategy *strategy, int32_t replica, const char *what,
                                    void **out_handle)
{
    clear(out_handle);
    cohort_status status = cohort_call_enter(strategy, "cohort_replica_handle");
    if (status < 0)
        return status;
    status = check_output("cohort_replica_handle", what, out_handle);
    if (status >= 0)
        status = cohort_strategy_find_replica(strategy, replica, "cohort_replica_handle", &replica);
    if (status >= 0) /* a plugin is called by one thread at a time */
        status = cohort_executor_finish(strategy->executor);
    if (status >= 0)
        status = cohort_context_handle(cohort_strategy_context(strategy, strategy->host[replica]),
                                       NULL, what, out_handle);
    return cohort_call_leave(strategy, status);
}

static cohort_status handle_of(cohort_value *value, int32_t replica, const char *what,
                               void **out_handle)
{
    cohort_strategy *s = value->strategy;
    cohort_content *content =
        value->kind != COHORT_EMPTY_VALUE ? cohort_value_content(value, replica) : NULL;
    if (content == NULL || content->state != COHORT_CONTENT_FILLED)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_value_handle: replica %d of the value has no content",
                                cohort_strategy_replica_id(s, replica));
    int32_t device = cohort_value_device(value, replica);
    cohort_status status = cohort_places_prepare(&content->places, s->executor, device);
    if (status < 0)
        return status;
    cohort_buffer *buffer = cohort_content_place_read(content, s->executor, device);
    /* also of others: a plugin is called by one thread at a time */
    status = cohort_executor_finish(s->executor);
    return status < 0 ? status
                      : cohort_context_handle(buffer->context, buffer->mem, what, out_handle);
}

cohort_status cohort_value_handle(cohort_value *value, int32_t replica, const char *what,
                                  void **out_handle)
{
    clear(out_handle);
    cohort_status status =
        cohort_call_about(value, COHORT_HANDLE_VALUE, "cohort_value_handle", "the value", NULL);
    if (status >= 0)
        status = cohort_call_enter(value->strategy, "cohort_value_handle");
    if (status < 0)
        return status;
    status = check_output("cohort_value_handle", what, out_handle);
    if (status >= 0)
        status =
            cohort_strategy_find_replica(value->strategy, replica, "cohort_value_handle", &replica);
    if (status >= 0)
        status = handle_of(value, replica, what, out_handle);
    return cohort_call_leave(value->strategy, status);
}
