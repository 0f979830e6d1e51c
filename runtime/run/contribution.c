/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/run/contribution.h"

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

cohort_status cohort_contribution_check(const cohort_replica *me, cohort_value *const values[], int n, const char *call)
{
    cohort_status status = cohort_stage_check(me, call);
    for (int i = 0; i < n && status >= 0; i++)
        status = check_value(me, values[i], call);
    return status;
}

/* ------------------------------------------------------------------ what the replicas bring */

bool cohort_contribution_is_own(const cohort_value *value)
{
    return value->kind == COHORT_PER_REPLICA_VALUE;
}

int32_t cohort_contribution_device(const cohort_value *value, int32_t replica)
{
    return cohort_contribution_is_own(value) ? value->strategy->host[replica] : value->strategy->home;
}

cohort_status cohort_contribution_check_written(const char *call, const cohort_value *value, int32_t replica)
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

cohort_status cohort_contribution_prepare(const cohort_value *value)
{
    cohort_status status = COHORT_OK;
    int32_t n = cohort_contribution_is_own(value) ? value->strategy->n_replicas : 1;
    for (int32_t r = 0; r < n && status >= 0; r++)
        status = cohort_content_prepare(cohort_value_content(value, r), value->strategy->crew,
                                        cohort_contribution_device(value, r));
    return status;
}

cohort_buffer *cohort_contribution_place(const cohort_value *value, int32_t replica)
{
    return cohort_content_place_read(cohort_value_content(value, replica), value->strategy->crew,
                                     cohort_contribution_device(value, replica));
}

void cohort_contribution_store(cohort_content *c, const cohort_content *shape, cohort_crew *crew, int32_t device,
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

/* ------------------------------------------------------------------ words */

void cohort_contribution_describe_op(const cohort_meeting *meeting, char *out, size_t size)
{
#define OP_NAME(name, value, text) [value] = text,
    static const char *const names[] = { COHORT_REDUCE_OPS(OP_NAME) };
    bool is_known = meeting->op >= COHORT_SUM && meeting->op <= COHORT_PROD;
    if (is_known)
        (void)snprintf(out, size, "%s", names[meeting->op]);
    else
        (void)snprintf(out, size, "reduction %d", (int)meeting->op);
}
