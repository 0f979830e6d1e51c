/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of one step: bind, prepare, place, dispatch. An error comes from the former two, and then
 * nothing was posted; what fails later is the strategy's failure. */
#include "config.h"

#include "runtime/run/dispatch.h"

#include "runtime/base/memory.h"
#include "runtime/operation/launch.h"
#include "runtime/run/binder.h"
#include "runtime/run/cut.h"
#include "runtime/run/guard.h"
#include "runtime/run/place.h"

#include <string.h>

/* ------------------------------------------------------------------ prepare: all that may fail */

static cohort_status prepare_array(const cohort_binding *b, const cohort_bound_array *a,
                                   int32_t replica, int32_t device)
{
    cohort_executor *executor = b->strategy->executor;
    if (cohort_cut_has(b, a) || cohort_binding_updated(a) != NULL)
        return COHORT_OK; /* variables have their stores */
    if (a->variable != NULL)
        return cohort_variable_prepare_read(a->variable, device);
    if (a->mode == COHORT_USE_READ)
        return cohort_places_prepare(&cohort_value_content(a->value, replica)->places, executor,
                                     device);
    cohort_status status = cohort_value_prepare_components(a->value);
    return status < 0
               ? status
               : cohort_places_prepare(&a->value->components[replica].places, executor, device);
}

static cohort_status prepare_range(const cohort_binding *b, const cohort_executable *executable,
                                   int32_t launch, cohort_range *out)
{
    char where[160];
    int64_t integers[COHORT_MAX_ARGUMENTS];
    cohort_binding_integers(b, launch, integers);
    if (cohort_geometry_evaluate(&executable->geometry, b->signature, "", integers, out) >= 0)
        return COHORT_OK;
    cohort_binding_where(b, launch, where, sizeof where); /* words only for what is wrong */
    return cohort_geometry_evaluate(&executable->geometry, b->signature, where, integers, out);
}

/* A result that nobody wants still needs memory, where a kernel writes it. */
static cohort_status prepare_body(const cohort_binding *b, int32_t launch, cohort_prepared *p)
{
    cohort_status status = COHORT_OK;
    if (b->signature->has_result && b->result == NULL)
        status = cohort_executable_prepare_dropped(p->executable, b->strategy->executor);
    return status >= 0 && p->executable->geometry.dims > 0
               ? prepare_range(b, p->executable, launch, &p->range)
               : status;
}

static cohort_status prepare_room(cohort_binder *binder, int32_t n)
{
    bool has_room = cohort_grow((void **)&binder->prepared, &binder->prepared_capacity, (size_t)n,
                                sizeof *binder->prepared);
    return has_room ? COHORT_OK : cohort_error_memory("a call");
}

/* A replica without rows launches nothing, but what it would have written becomes absent, so that
 * its places are prepared all the same. */
static cohort_status prepare_launch(cohort_binder *binder, const cohort_binding *b, int32_t launch,
                                    int32_t device, cohort_prepared *out)
{
    int32_t replica = cohort_binding_replica(b, launch);
    out->range.dims = 0;
    cohort_status status =
        cohort_binder_find(binder, b->function, b->signature, device, &out->executable);
    if (status >= 0 && !b->is_absent[launch])
        status = prepare_body(b, launch, out);
    for (int32_t i = 0; i < b->n_arrays && status >= 0; i++)
        status = prepare_array(b, &b->arrays[i], replica, device);
    if (status >= 0 && b->result != NULL)
        status = cohort_value_prepare_components(b->result);
    if (status >= 0 && b->result != NULL)
        status = cohort_places_prepare(&b->result->components[replica].places,
                                       b->strategy->executor, device);
    return status;
}

/* ------------------------------------------------------------------ dispatch: one launch */

static cohort_write_kind kind_of(const cohort_binding *b)
{
    return b->is_of_component ? COHORT_WRITE_LOCAL : COHORT_WRITE_JOINT;
}

/* An update counts every variable that it writes when the launch has succeeded; with a guard, when
 * that has looked at what was written. */
static void add_commits(const cohort_binding *b, int32_t launch, cohort_launch_op *l)
{
    int32_t store = b->first + launch;
    for (int32_t i = 0; i < b->n_arrays && !cohort_guard_is_on(b); i++) {
        cohort_variable *v = cohort_binding_updated(&b->arrays[i]);
        if (v != NULL)
            cohort_launch_add_commit(
                l, (cohort_launch_commit){ &v->stores[store].done,
                                           cohort_variable_state_after(v, store, kind_of(b)) });
    }
}

/* The replica of a launch, for messages; -1: it is of none. */
static int32_t replica_named(const cohort_binding *b, int32_t launch)
{
    bool is_joint = b->kind == COHORT_CALL_UPDATE && !b->updated->is_per_replica;
    return is_joint ? -1 : cohort_binding_replica(b, launch);
}

/* uses: of all arrays, and of the result. */
static cohort_fence dispatch_launch(const cohort_binding *b, int32_t launch,
                                    const cohort_prepared *prepared, const cohort_use uses[],
                                    int32_t n)
{
    cohort_executor *executor = b->strategy->executor;
    /* the build goes into the same lane, and so before the launch */
    cohort_executable_use(executor, prepared->executable);
    cohort_launch_op *l =
        cohort_launch_draft(prepared->executable, replica_named(b, launch), &prepared->range);
    cohort_binding_fill_values(b, launch, cohort_launch_values(l));
    add_commits(b, launch, l);
    cohort_fence fence = cohort_launch_submit(executor, l, uses, n, b->bounds[launch].values);
    /* else the device is lost, and nothing is written that a scan could look at */
    if (fence.lane != NULL)
        cohort_guard_launch(b, launch, uses);
    return fence;
}

/* ------------------------------------------------------------------ run */

/* Other lanes are fed first: the caller's own lane is done by the caller. */
static void dispatch_replicas(cohort_binding *b, const cohort_prepared prepared[])
{
    const cohort_strategy *s = b->strategy;
    cohort_use uses[COHORT_MAX_ARGUMENTS + 1];
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < b->count; i++) {
            int32_t device = s->host[b->first + i];
            bool is_caller = cohort_strategy_context(s, device)->lane->index == s->executor->caller;
            if (is_caller != (pass == 1))
                continue;
            if (b->is_absent[i]) {
                cohort_place_absent(b, i);
                continue;
            }
            int32_t n = cohort_place_all(b, i, device, uses);
            (void)dispatch_launch(b, i, &prepared[i], uses, n);
        }
}

/* In a trial. */
static void foresee_replicas(cohort_binding *b)
{
    for (int32_t i = 0; i < b->count; i++)
        if (b->is_absent[i])
            cohort_place_absent(b, i);
        else
            cohort_place_foresee(b, i);
}

static cohort_status run_bound(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status =
            prepare_launch(binder, b, i, b->strategy->host[b->first + i], &binder->prepared[i]);
    if (status >= 0 && b->strategy->is_trial)
        foresee_replicas(b);
    else if (status >= 0)
        dispatch_replicas(b, binder->prepared);
    return status;
}

cohort_status cohort_dispatch_run(cohort_strategy *strategy, const cohort_function *function,
                                  const cohort_argument arguments[], cohort_call_kind kind,
                                  int32_t first, int32_t count)
{
    cohort_binder *binder = cohort_binder_of(strategy);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    cohort_status status =
        cohort_binding_begin(b, strategy, function, arguments, kind, first, count, NULL);
    if (status >= 0)
        status = run_bound(binder, b);
    /* also after a failure: what was borrowed by then is given back */
    cohort_binding_end(b);
    return status;
}

/* ------------------------------------------------------------------ update */

/* Start the update of every variable that the function writes, on one store. */
static void start_store(const cohort_binding *b, int32_t launch, bool keep, cohort_use uses[])
{
    for (int32_t i = 0; i < b->n_arrays; i++) {
        const cohort_bound_array *a = &b->arrays[i];
        if (cohort_binding_updated(a) != NULL)
            uses[i] =
                (cohort_use){ COHORT_USE_WRITE,
                              cohort_variable_start(a->variable, b->first + launch, kind_of(b),
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
            cohort_variable_post_commit(b->arrays[i].variable, b->first + launch, kind_of(b),
                                        uses[i].buffer);
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
        fence = dispatch_launch(b, launch, prepared, uses, n);
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
        if (v != NULL && kind_of(b) == COHORT_WRITE_JOINT)
            cohort_variable_finish(v);
        else if (v != NULL)
            cohort_variable_finish_local(v, b->first);
    }
}

/* Everything that may fail comes before the first store is started, for a started write is
 * posted. */
static cohort_status update_bound(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status = prepare_launch(binder, b, i, cohort_binding_device(b, i), &binder->prepared[i]);
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
