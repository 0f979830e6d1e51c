/* SPDX-License-Identifier: BSD-3-Clause */
/* Components as blocks along an axis, and how one that is filled with such begins. */
#include "config.h"

#include "runtime/reduce/logical_parts.h"

#include <string.h>

static uint64_t items_of(const int64_t shape[], int32_t n)
{
    return (uint64_t)cohort_shape_items(n, shape);
}

cohort_blocks cohort_component_blocks(const cohort_component *c, int32_t axis)
{
    int32_t before = axis < 0 ? 0 : axis;
    const int64_t *shape = c->extents.shape;
    return (cohort_blocks){ items_of(shape, before),
                            items_of(shape + before, c->extents.rank - before) *
                                (uint64_t)c->item_bytes };
}

cohort_status cohort_component_check(const char *call, const cohort_component *c, int32_t id,
                                     const char *of)
{
    if (c->state == COHORT_CONTENT_FILLED || c->state == COHORT_CONTENT_ABSENT)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            c->state == COHORT_CONTENT_LOST
                                ? "%s: the call that was to write replica %d of %s failed; write "
                                  "it again"
                                : "%s: nothing has written replica %d of %s",
                            call, id, of);
}

cohort_status cohort_parts_check(const char *call, const cohort_strategy *s,
                                 cohort_value *const parts[], int n)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++) {
        status = cohort_handle_check(parts[i], COHORT_HANDLE_VALUE, call, "a value of the list");
        if (status >= 0 && parts[i]->strategy != s)
            status = cohort_error_set(COHORT_EINVAL, "%s: value %d belongs to another strategy",
                                      call, i);
    }
    return status;
}

static cohort_status check_declared(const char *call, const cohort_value *into,
                                    const cohort_component *like)
{
    char has[128], got[128];
    if (!into->is_declared || like->state == COHORT_CONTENT_ABSENT ||
        (like->dtype == into->declared_dtype &&
         cohort_extents_is_same(&like->extents, &into->declared)))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: the value to fill was made for %s, and this is %s", call,
        cohort_shape_to_string(into->declared_dtype, into->declared.rank, into->declared.shape,
                               has),
        cohort_shape_to_string(like->dtype, like->extents.rank, like->extents.shape, got));
}

cohort_status cohort_part_prepare(const char *call, cohort_value *into, int32_t replica,
                                  const cohort_component *like)
{
    cohort_status status = check_declared(call, into, like);
    if (status >= 0)
        status = cohort_value_prepare_components(into);
    return status < 0
               ? status
               : cohort_places_prepare(&into->components[replica].places, into->strategy->executor,
                                       cohort_value_device(into, replica));
}

cohort_buffer *cohort_part_start(cohort_value *into, int32_t replica, const cohort_component *like)
{
    cohort_content *c = &into->components[replica];
    cohort_content_take_shape(c, like->dtype, like->item_bytes, &like->extents);
    if (like->state == COHORT_CONTENT_ABSENT) {
        cohort_content_become(c, COHORT_CONTENT_ABSENT);
        return NULL;
    }
    cohort_buffer *buffer =
        cohort_value_start_content(into->strategy, c, cohort_value_device(into, replica));
    return cohort_content_bytes(c) > 0 ? buffer : NULL;
}
