/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of one update: as that of a step (dispatch.c), for the stores of variables. */
#include "config.h"

#include "runtime/run/cut.h"
#include "runtime/run/dispatch.h"
#include "runtime/run/guard.h"
#include "runtime/run/place.h"
#include "runtime/run/prepare.h"

/* ------------------------------------------------------------------ update */

/* Start the update of every variable that the function writes, on one store. */
static void start_store(const cohort_binding *b, int32_t launch, bool keep, cohort_use uses[])
{
    for (int32_t i = 0; i < b->n_arrays; i++) {
        const cohort_bound_array *a = &b->arrays[i];
        if (cohort_binding_updated(a) != NULL)
            uses[i] = (cohort_use){ COHORT_USE_WRITE,
                                    cohort_variable_start(
                                        a->variable, b->first + launch, cohort_prepare_kind(b),
                                        keep || cohort_parameter_is_read(a->parameter)),
                                    NULL };
    }
}

/* Complete the update of a store by operations of their own, after what was posted for its
 * buffers. */
static void commit_store(const cohort_binding *b, int32_t launch, const cohort_use uses[])
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (cohort_binding_updated(&b->arrays[i]) != NULL)
            cohort_variable_post_commit(b->arrays[i].variable, b->first + launch,
                                        cohort_prepare_kind(b), uses[i].buffer);
}

/* The launch completes the store itself (add_commits), and its fence stands for the write. */
static void note_commits(const cohort_binding *b, int32_t launch, cohort_fence fence)
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (cohort_binding_updated(&b->arrays[i]) != NULL)
            b->arrays[i].variable->stores[b->first + launch].last = fence;
}

static void update_store(cohort_binding *b, int32_t launch, const cohort_prepared *prepared)
{
    cohort_use uses[COHORT_MAX_ARGUMENTS + 1];
    /* the component of a replica without rows goes on as it is */
    bool is_absent = b->is_absent[launch];
    start_store(b, launch, is_absent, uses);
    cohort_fence fence = { NULL, 0 };
    if (!is_absent) {
        int32_t n = cohort_place_all(b, launch, cohort_binding_device(b, launch), uses);
        fence = cohort_prepare_dispatch(b, launch, prepared, uses, n);
    }
    if (is_absent || cohort_guard_is_on(b)) /* what is found later undoes it */
        commit_store(b, launch, uses);
    else
        note_commits(b, launch, fence);
}

static void finish_stores(const cohort_binding *b)
{
    for (int32_t i = 0; i < b->n_arrays; i++) {
        cohort_variable *v = cohort_binding_updated(&b->arrays[i]);
        if (v != NULL && cohort_prepare_kind(b) == COHORT_WRITE_JOINT)
            cohort_variable_finish(v);
        else if (v != NULL)
            cohort_variable_finish_local(v, b->first);
    }
}

/* Everything that may fail comes before the first store is started, for a started write is
 * posted. */
static cohort_status update_bound(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = cohort_prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status =
            cohort_prepare_launch(binder, b, i, cohort_binding_device(b, i), &binder->prepared[i]);
    if (status >= 0)
        status = cohort_cut_prepare(b);
    if (status < 0 || b->strategy->is_trial)
        return status;
    for (int32_t i = b->count - 1; i >= 0;
         i--) /* the caller's own device, mostly the first, last */
        update_store(b, i, &binder->prepared[i]);
    finish_stores(b);
    return COHORT_OK;
}

static cohort_status check_devices(const cohort_binding *b, const cohort_destination *only_on)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < b->n_arrays && status >= 0 && only_on != NULL; i++) {
        const cohort_variable *v = cohort_binding_updated(&b->arrays[i]);
        if (v != NULL && !cohort_destination_holds(only_on, v))
            status = cohort_error_set(
                COHORT_EINVAL,
                "%s: cohort_update_non_slot: variable '%s' is written, and lives not whole on "
                "exactly these devices",
                b->signature->name, v->name);
    }
    return status;
}

cohort_status cohort_dispatch_update(const cohort_update_call *call)
{
    cohort_binder *binder = cohort_binder_of(call->strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    bool is_all = call->component < 0;
    cohort_status status =
        cohort_binding_begin(b, call->strategy, call->function, call->arguments, COHORT_CALL_UPDATE,
                             is_all ? 0 : call->component, is_all ? 0 : 1, call->updated);
    if (status >= 0)
        status = check_devices(b, call->only_on);
    if (status >= 0)
        status = update_bound(binder, b);
    cohort_binding_end(b);
    return status;
}
