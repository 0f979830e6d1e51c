/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs and updates prepare and launch alike. */
#include "config.h"

#include "runtime/call/prepare.h"

#include "runtime/base/array.h"
#include "runtime/base/memory.h"
#include "runtime/call/cut.h"
#include "runtime/call/guard.h"
#include "runtime/operation/build.h"
#include "runtime/operation/launch.h"

#include <stdio.h>

/* ------------------------------------------------------------------ prepare: all that may fail */

/* Unless a copy is there already, or where the device can read it. */
static bool needs_memory(const cohort_bound_array *a, int32_t replica, const cohort_context *where)
{
    if (a->variable != NULL)
        return !a->variable->is_per_replica &&
               cohort_variable_store_for(a->variable, where->index) < 0;
    if (a->mode != COHORT_USE_READ)
        return true;
    const cohort_buffer *newest =
        cohort_places_find(&cohort_value_content(a->value, replica)->places, where);
    return newest == NULL || !where->can_access[newest->context->index];
}

/* The device would refuse it too, in its lane, where nobody knows which argument it is. */
static cohort_status check_bytes(const cohort_binding *b, const cohort_bound_array *a,
                                 int32_t launch, const cohort_context *where)
{
    const cohort_extents *extents = &b->bounds[launch].arrays[a->at];
    uint64_t bytes =
        (uint64_t)(cohort_shape_items(extents->rank, extents->shape) * a->parameter->bytes);
    char place[160], what[320];
    if (cohort_context_fits(where, bytes) ||
        !needs_memory(a, cohort_binding_replica(b, launch), where))
        return COHORT_OK;
    cohort_binding_where(b, launch, place, sizeof place);
    (void)snprintf(what, sizeof what, "%.80s%s: argument '%.60s'", b->signature->name, place,
                   a->parameter->name);
    return cohort_context_refuse_bytes(where, bytes, what,
                                       "split it over more replicas or devices, take smaller "
                                       "batches, or leave the call to the host");
}

static cohort_status prepare_array(const cohort_binding *b, const cohort_bound_array *a,
                                   int32_t launch, int32_t device)
{
    cohort_executor *executor = b->strategy->executor;
    int32_t replica = cohort_binding_replica(b, launch);
    if (cohort_cut_has(b, a) || cohort_binding_updated(a) != NULL)
        return COHORT_OK; /* variables have their stores */
    if (!b->is_absent[launch] && check_bytes(b, a, launch, executor->contexts[device]) < 0)
        return COHORT_ENOMEM;
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

static cohort_status prepare_grid(const cohort_binding *b, const cohort_executable *executable,
                                  int32_t launch, cohort_grid *out)
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
               ? prepare_grid(b, p->executable, launch, &p->grid)
               : status;
}

cohort_status cohort_prepare_room(cohort_binder *binder, int32_t n)
{
    bool has_room = cohort_grow((void **)&binder->prepared, &binder->prepared_capacity, (size_t)n,
                                sizeof *binder->prepared) &&
                    cohort_grow((void **)&binder->order, &binder->order_capacity, (size_t)n,
                                sizeof *binder->order);
    return has_room ? COHORT_OK : cohort_error_memory("a call");
}

/* A replica without rows launches nothing, but what it would have written becomes absent, so that
 * its places are prepared all the same. */
cohort_status cohort_prepare_launch(cohort_binder *binder, const cohort_binding *b, int32_t launch,
                                    int32_t device, cohort_prepared *out)
{
    int32_t replica = cohort_binding_replica(b, launch);
    out->grid = (cohort_grid){ .range.dims = 0 };
    out->record = NULL;
    cohort_status status =
        cohort_binder_find(binder, b->function, b->signature, device, &out->executable);
    if (status >= 0 && !b->is_absent[launch])
        status = prepare_body(b, launch, out);
    for (int32_t i = 0; i < b->n_arrays && status >= 0; i++)
        status = prepare_array(b, &b->arrays[i], launch, device);
    if (status >= 0 && b->result != NULL)
        status = cohort_value_prepare_components(b->result);
    if (status >= 0 && b->result != NULL)
        status = cohort_places_prepare(&b->result->components[replica].places,
                                       b->strategy->executor, device);
    return status;
}

/* ------------------------------------------------------------------ the launch */

cohort_launch_op *cohort_prepare_record(const cohort_binding *b, int32_t launch,
                                        const cohort_prepared *prepared)
{
    cohort_executable *executable = prepared->executable;
    cohort_launch_op *l =
        cohort_launch_draft(executable, cohort_binding_named(b, launch), &prepared->grid);
    l->counts = b->counts;
    cohort_binding_fill_values(b, launch, cohort_launch_values(executable, l->slots));
    cohort_launch_fill_locals(executable, l->slots, b->bounds[launch].values);
    return l;
}

cohort_launch_op *cohort_prepare_draft(const cohort_binding *b, int32_t launch,
                                       const cohort_prepared *prepared)
{
    /* the build goes into the same lane, and so before the launch */
    cohort_executable_use(b->strategy->executor, prepared->executable);
    if (prepared->record == NULL)
        return cohort_prepare_record(b, launch, prepared);
    cohort_launch_drop_commits(prepared->record);
    return prepared->record;
}

cohort_fence cohort_prepare_submit(const cohort_binding *b, int32_t launch, cohort_launch_op *l,
                                   const cohort_use uses[], int32_t n)
{
    cohort_fence fence = cohort_launch_submit(b->strategy->executor, l, uses, n);
    /* else the device is lost, and nothing is written that a scan could look at */
    if (fence.lane != NULL)
        cohort_guard_launch(b, launch, uses);
    return fence;
}
