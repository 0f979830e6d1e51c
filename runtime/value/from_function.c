/* SPDX-License-Identifier: BSD-3-Clause */
/* Components that are copies of memory of the caller: values from a function. */
#include "config.h"

#include "runtime/base/callback.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"
#include "runtime/value/value.h"

cohort_status cohort_value_copy_component(cohort_value *value, int32_t replica,
                                          const cohort_array *array)
{
    size_t bytes = (size_t)(cohort_array_items(array) * cohort_array_item_bytes(array));
    cohort_array copy = *array;
    copy.data = cohort_allocate_aligned(bytes, 64);
    if (copy.data == NULL)
        return cohort_error_memory("a component of a value");
    cohort_array_pack(copy.data, array);
    cohort_value_lend_component(value, replica, &copy, copy.data, cohort_free);
    return COHORT_OK;
}

/* Compared with component 0, which is there first. Extents may differ: replicas may have different
 * numbers of rows. */
static cohort_status check_alike(const cohort_value *value, int32_t replica,
                                 const cohort_array *array)
{
    const cohort_content *first = &value->components[0];
    if (replica == 0 || (first->dtype == array->dtype && first->extents.rank == array->rank))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "component %d is %s of rank %d, component 0 is %s of rank %d", replica,
                            cohort_dtype_name(array->dtype), array->rank,
                            cohort_dtype_name(first->dtype), first->extents.rank);
}

static cohort_status fill_component(cohort_value *value, int32_t replica, cohort_value_fn fn,
                                    void *user)
{
    cohort_array array = { 0 };
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    /* the function may not call the strategy, which is in the middle of this call */
    value->strategy->is_asking = true;
    const cohort_strategy *s = value->strategy;
    cohort_status status = fn(s->first_replica + replica, s->n_in_sync, &array, user);
    value->strategy->is_asking = false;
    status = cohort_callback_end(&callback, status);
    if (status >= 0)
        status = cohort_array_check(&array, false, "its array");
    if (status >= 0)
        status = check_alike(value, replica, &array);
    if (status >= 0)
        return cohort_value_copy_component(value, replica, &array);
    return cohort_error_prefix(status, "cohort_value_from_function: the function, for replica %d",
                               cohort_strategy_replica_id(s, replica));
}

/* The array is copied at once, so that the function may use the same memory for all replicas. */
static cohort_status fill(cohort_value *value, cohort_value_fn fn, void *user)
{
    cohort_status status = fn != NULL
                               ? cohort_value_prepare_components(value)
                               : cohort_error_null("cohort_value_from_function", "the callback");
    for (int32_t r = 0; r < value->strategy->n_replicas && status >= 0; r++)
        status = fill_component(value, r, fn, user);
    cohort_value_take_kind(value, COHORT_PER_REPLICA_VALUE);
    return status;
}

cohort_value *cohort_value_from_function(cohort_strategy *strategy, cohort_value_fn fn, void *user)
{
    if (cohort_call_enter(strategy, "cohort_value_from_function") < 0)
        return cohort_handle_made(COHORT_HANDLE_VALUE, NULL);
    cohort_value *value = cohort_value_allocate(strategy);
    cohort_status status = value != NULL ? fill(value, fn, user) : COHORT_ENOMEM;
    if (value != NULL && status < 0) {
        cohort_value_drop(value);
        value = NULL;
    }
    (void)cohort_call_leave(strategy, status);
    return cohort_handle_made(COHORT_HANDLE_VALUE, value);
}
