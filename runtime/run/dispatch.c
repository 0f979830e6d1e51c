/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of one step: bind, place, dispatch. */
#include "config.h"

#include "runtime/run/dispatch.h"

#include "runtime/base/memory.h"
#include "runtime/run/binder.h"
#include "runtime/run/cut.h"
#include "runtime/run/guard.h"
#include "runtime/strategy/call.h"
#include "runtime/value/operand.h"

#include <cohort/run.h>

#include <string.h>

/* ------------------------------------------------------------------ prepare: what may fail, before
 * any post */

static cohort_status prepare_array(const cohort_binding *b, int32_t i, int32_t replica,
                                   int32_t device)
{
    cohort_value *value = b->arrays[i].value;
    bool is_written = cohort_parameter_is_written(&b->signature->parameters[i]);
    if (cohort_cut_has(b, i) || (value == NULL && is_written))
        return COHORT_OK; /* variables have their stores */
    if (value == NULL)
        return cohort_variable_prepare_read(b->arrays[i].variable, device);
    if (is_written) {
        cohort_status status = cohort_value_prepare_components(value);
        return status < 0 ? status
                          : cohort_content_prepare(&value->components[replica],
                                                   b->strategy->executor, device);
    }
    return cohort_content_prepare(cohort_value_content(value, replica), b->strategy->executor,
                                  device);
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

static cohort_status prepare_launch(cohort_binder *binder, const cohort_binding *b, int32_t launch,
                                    int32_t device, cohort_prepared *out)
{
    int32_t replica = cohort_binding_replica(b, launch);
    out->range.dims = 0;
    cohort_status status =
        cohort_binder_find(binder, b->function, b->signature, device, &out->executable);
    if (status >= 0 && !b->is_absent[launch])
        status = prepare_body(b, launch, out);
    for (int32_t i = 0; i < b->signature->n_parameters && status >= 0; i++)
        if (cohort_parameter_is_array(&b->signature->parameters[i]))
            status = prepare_array(b, i, replica, device);
    if (status >= 0 && b->result != NULL)
        status = cohort_value_prepare_components(b->result);
    if (status >= 0 && b->result != NULL)
        status =
            cohort_content_prepare(&b->result->components[replica], b->strategy->executor, device);
    return status;
}

/* ------------------------------------------------------------------ place: buffers of one
 * launch */

static void shape_output(cohort_content *content, const cohort_parameter *p,
                         const cohort_extents *extents)
{
    content->dtype = p->type < COHORT_RECORD ? (cohort_dtype)p->type : COHORT_RECORD;
    content->item_bytes = p->bytes;
    content->extents = *extents;
}

static cohort_buffer *place_output(cohort_binding *b, int32_t i, int32_t launch, int32_t device)
{
    const cohort_parameter *p = &b->signature->parameters[i];
    cohort_value *value = b->arrays[i].value;
    cohort_content *content = &value->components[b->first + launch];
    cohort_value_become_per_replica(value);
    if (!cohort_parameter_is_read(p))
        shape_output(content, p, &b->bounds[launch].arrays[i]);
    return cohort_content_place_write(content, b->strategy->executor, device,
                                      cohort_content_bytes(content), cohort_parameter_is_read(p));
}

static cohort_buffer *place_array(cohort_binding *b, int32_t i, int32_t launch, int32_t device,
                                  cohort_buffer *const next[])
{
    const cohort_parameter *p = &b->signature->parameters[i];
    cohort_variable *variable = b->arrays[i].variable;
    int32_t replica = cohort_binding_replica(b, launch);
    if (cohort_parameter_is_written(p))
        return variable != NULL ? next[i] : place_output(b, i, launch, device);
    if (cohort_cut_has(b, i))
        return cohort_cut_place(b, i, launch);
    if (variable != NULL)
        return cohort_variable_place_read(variable, replica, device);
    return cohort_content_place_read(cohort_value_content(b->arrays[i].value, replica),
                                     b->strategy->executor, device);
}

/* Reads first: a value that the call reads and writes in place is brought up to date before it
 * counts as written. */
static void place_all(cohort_binding *b, int32_t launch, int32_t device,
                      cohort_buffer *const next[], cohort_buffer *out[])
{
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < b->signature->n_parameters; i++)
            if (cohort_parameter_is_array(&b->signature->parameters[i]) &&
                cohort_parameter_is_written(&b->signature->parameters[i]) == (pass == 1))
                out[i] = place_array(b, i, launch, device, next);
}

static void shape_result(cohort_content *content, const cohort_signature *s)
{
    content->dtype = s->result_type < COHORT_RECORD ? (cohort_dtype)s->result_type : COHORT_RECORD;
    content->item_bytes = s->result_bytes;
    content->extents.rank = 0;
}

static cohort_buffer *place_result(cohort_binding *b, int32_t launch, int32_t device)
{
    if (b->result == NULL)
        return NULL;
    const cohort_signature *s = b->signature;
    cohort_content *content = &b->result->components[b->first + launch];
    cohort_value_become_per_replica(b->result);
    shape_result(content, s);
    return cohort_content_place_write(content, b->strategy->executor, device, s->result_bytes,
                                      false);
}

static void mark_absent(cohort_binding *b, int32_t launch)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++) {
        const cohort_parameter *p = &b->signature->parameters[i];
        if (!cohort_parameter_is_array(p) || !cohort_parameter_is_written(p) ||
            b->arrays[i].value == NULL)
            continue;
        cohort_content *content = &b->arrays[i].value->components[b->first + launch];
        cohort_value_become_per_replica(b->arrays[i].value);
        if (!cohort_parameter_is_read(p))
            shape_output(content, p, &b->bounds[launch].arrays[i]);
        content->state = COHORT_CONTENT_ABSENT;
    }
    if (b->result != NULL) {
        cohort_value_become_per_replica(b->result);
        shape_result(&b->result->components[b->first + launch], b->signature);
        b->result->components[b->first + launch].state = COHORT_CONTENT_ABSENT;
    }
}

/* ------------------------------------------------------------------ dispatch: one launch into its
 * lane */

/* What a launch uses: the arrays in prototype order, then the result. Returns how many there
 * are. */
static int32_t list_uses(const cohort_binding *b, cohort_buffer *const buffers[],
                         cohort_buffer *result, cohort_use out[])
{
    int32_t n = 0;
    for (int32_t i = 0; i < b->signature->n_parameters; i++) {
        const cohort_parameter *p = &b->signature->parameters[i];
        if (cohort_parameter_is_array(p) && cohort_parameter_is_written(p))
            out[n++] = (cohort_use){ COHORT_USE_WRITE, buffers[i], NULL };
        else if (cohort_parameter_is_array(p))
            out[n++] = (cohort_use){ COHORT_USE_READ, buffers[i], NULL };
    }
    if (result != NULL)
        out[n++] = (cohort_use){ COHORT_USE_WRITE, result, NULL };
    return n;
}

/* A variable that parameter i writes; NULL: none. */
static cohort_variable *written_variable(const cohort_binding *b, int32_t i)
{
    const cohort_parameter *p = &b->signature->parameters[i];
    return cohort_parameter_is_array(p) && cohort_parameter_is_written(p) ? b->arrays[i].variable
                                                                          : NULL;
}

static cohort_write_kind kind_of(const cohort_binding *b)
{
    return b->is_of_component ? COHORT_WRITE_LOCAL : COHORT_WRITE_JOINT;
}

/* An update counts every variable that it writes when the launch has succeeded. */
static void add_commits(const cohort_binding *b, int32_t launch, cohort_launch_op *l)
{
    int32_t store = b->first + launch;
    for (int32_t i = 0; i < b->signature->n_parameters; i++) {
        cohort_variable *v = written_variable(b, i);
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

/* next: buffers of the variables that an update writes, by parameter; NULL: no update. */
static cohort_fence dispatch_launch(cohort_binding *b, int32_t launch, int32_t device,
                                    const cohort_prepared *prepared, cohort_buffer *const next[])
{
    cohort_executor *executor = b->strategy->executor;
    cohort_buffer *buffers[COHORT_MAX_ARGUMENTS];
    cohort_use uses[COHORT_MAX_ARGUMENTS + 1];
    cohort_executable *executable = prepared->executable;
    place_all(b, launch, device, next, buffers);
    cohort_buffer *result = place_result(b, launch, device);
    cohort_executable_use(executor, executable);
    cohort_launch_op *l =
        cohort_launch_draft(executable, replica_named(b, launch), &prepared->range);
    cohort_binding_fill_values(b, launch, cohort_launch_values(l));
    if (next != NULL && !cohort_guard_is_on(b))
        add_commits(b, launch, l);
    int32_t n = list_uses(b, buffers, result, uses);
    cohort_fence fence = cohort_launch_submit(executor, l, uses, n, b->bounds[launch].values);
    if (fence.lane != NULL)
        cohort_guard_launch(b, launch, buffers, result);
    return fence;
}

/* ------------------------------------------------------------------ run */

/* Other lanes are fed first: the caller's own lane is done by the caller. */
static void dispatch_replicas(cohort_binding *b, const cohort_prepared prepared[])
{
    const cohort_strategy *s = b->strategy;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < b->count; i++) {
            int32_t device = s->host[b->first + i];
            bool is_caller = cohort_strategy_context(s, device)->lane->index == s->executor->caller;
            if (is_caller != (pass == 1))
                continue;
            if (b->is_absent[i])
                mark_absent(b, i);
            else
                (void)dispatch_launch(b, i, device, &prepared[i], NULL);
        }
}

static cohort_status run_bound(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status =
            prepare_launch(binder, b, i, b->strategy->host[b->first + i], &binder->prepared[i]);
    if (status >= 0)
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
    cohort_binding_end(b);
    return status;
}

cohort_status cohort_run_arguments(cohort_strategy *strategy, const cohort_function *function,
                                   const cohort_argument arguments[])
{
    if (strategy == NULL)
        return cohort_call_about(NULL, COHORT_HANDLE_STRATEGY, "cohort_run", "the strategy",
                                 cohort_operand_strategy_of_list(arguments));
    cohort_status status = cohort_call_enter(strategy, "cohort_run");
    if (status < 0)
        return status;
    status = cohort_dispatch_run(strategy, function, arguments, COHORT_CALL_RUN, 0,
                                 strategy->n_replicas);
    return cohort_call_advance(strategy, status);
}

/* ------------------------------------------------------------------ update */

/* Start the update of every variable that the function writes, on one store; its buffers by
 * parameter. */
static void start_store(const cohort_binding *b, int32_t launch, bool keep, cohort_buffer *next[])
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++) {
        cohort_variable *v = written_variable(b, i);
        if (v != NULL)
            next[i] = cohort_variable_start(
                v, b->first + launch, kind_of(b),
                keep || cohort_parameter_is_read(&b->signature->parameters[i]));
    }
}

/* Complete the update of a store by operations of their own, after what was posted for its
 * buffers. */
static void commit_store(const cohort_binding *b, int32_t launch, cohort_buffer *const next[])
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++)
        if (written_variable(b, i) != NULL)
            cohort_variable_post_commit(written_variable(b, i), b->first + launch, kind_of(b),
                                        next[i]);
}

/* The launch itself has completed it. */
static void note_commits(const cohort_binding *b, int32_t launch, cohort_fence fence)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++)
        if (written_variable(b, i) != NULL)
            written_variable(b, i)->stores[b->first + launch].last = fence;
}

static void update_store(cohort_binding *b, int32_t launch, const cohort_prepared *prepared)
{
    cohort_buffer *next[COHORT_MAX_ARGUMENTS];
    /* the component of a replica without rows goes on as it is */
    bool is_absent = b->is_absent[launch];
    start_store(b, launch, is_absent, next);
    cohort_fence fence = { NULL, 0 };
    if (!is_absent)
        fence = dispatch_launch(b, launch, cohort_binding_device(b, launch), prepared, next);
    if (is_absent || cohort_guard_is_on(b)) /* what is found later undoes it */
        commit_store(b, launch, next);
    else
        note_commits(b, launch, fence);
}

static void finish_stores(const cohort_binding *b)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++) {
        cohort_variable *v = written_variable(b, i);
        if (v != NULL && kind_of(b) == COHORT_WRITE_JOINT)
            cohort_variable_finish(v);
        else if (v != NULL)
            cohort_variable_finish_local(v, b->first);
    }
}

static cohort_status update_bound(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = prepare_room(binder, b->count);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status = prepare_launch(binder, b, i, cohort_binding_device(b, i), &binder->prepared[i]);
    if (status >= 0)
        status = cohort_cut_prepare(b);
    if (status < 0)
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
    for (int32_t i = 0; i < b->signature->n_parameters && status >= 0 && only_on != NULL; i++) {
        const cohort_variable *v = written_variable(b, i);
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
