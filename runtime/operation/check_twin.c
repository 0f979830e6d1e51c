/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of twins are opened when the first twin of the process needs them, and closed with
 * the last, for to open one may take longer than all launches. Each has an executor of its own,
 * whose planner is whoever holds its lock. */
#include "config.h"

#include "runtime/operation/check_twin.h"

#include "runtime/base/checks.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/function/format.h"
#include "runtime/function/items_helper.h"
#include "runtime/function/items_names.h"
#include "runtime/function/items_token.h"
#include "runtime/operation/build.h"
#include "runtime/operation/check_close.h"
#include "runtime/operation/check_report.h"
#include "runtime/operation/executable_make.h"

#include <pthread.h>

/* held: lock. executor: of one device; NULL: there are no twins on it. */
typedef struct twin_device {
    pthread_mutex_t lock;
    const char *list;
    cohort_executor *executor;
    int64_t n_twins;
} twin_device;

static twin_device hosts = { .lock = PTHREAD_MUTEX_INITIALIZER, .list = "host" },
                   opencls = { .lock = PTHREAD_MUTEX_INITIALIZER, .list = "opencl" };

struct cohort_twin {
    twin_device *device;
    cohort_executable *executable;
    bool is_exact, has_integers;
};

/* ------------------------------------------------------------------ making */

/* Some name of the body has no last bit that a rule fixes. */
static bool has_bounded(const char *body)
{
    bool has = false;
    for (cohort_token t = cohort_items_token(body); t.length > 0 && !has;
         t = cohort_items_next(t)) {
        bool is_float;
        const cohort_items_name *name =
            cohort_items_is_word(t) ? cohort_items_name_find(t, &is_float) : NULL;
        has = name != NULL && name->kind == COHORT_ITEMS_BOUNDED;
    }
    return has;
}

/* The body, or a helper of it. */
static bool any_has_bounded(const cohort_signature *signature)
{
    bool has = has_bounded(signature->body);
    for (int32_t i = 0; i < signature->n_helpers && !has; i++)
        has = has_bounded(signature->helpers[i].text);
    return has;
}

/* Who would take another body; NULL: there is none. */
static twin_device *other_device(const cohort_executable *of, const cohort_function *function)
{
    bool has_opencl = function->opencl != NULL || function->item_body != NULL;
    cohort_format format = cohort_format_of(of->code.format);
    if (cohort_format_is_native(format))
        return has_opencl ? &opencls : NULL;
    return format == COHORT_FORMAT_OPENCL_C && function->host != NULL ? &hosts : NULL;
}

/* The first one of its list. */
static cohort_status open_device(twin_device *device)
{
    const cohort_device **devices;
    int n = 0;
    if (device->executor != NULL)
        return COHORT_OK;
    cohort_status status = cohort_registry_select(device->list, &devices, &n);
    if (status < 0)
        return status;
    device->executor = cohort_executor_create(devices, 1, COHORT_CHECK_NOTHING);
    cohort_free(devices);
    return device->executor != NULL ? COHORT_OK : cohort_error_status();
}

/* What an operation fails by is told once, and is no failure of the next one. */
static cohort_status wait_for_all(cohort_executor *executor)
{
    cohort_status status = cohort_executor_finish(executor);
    if (status < 0 && !cohort_executor_has_lost(executor))
        cohort_executor_clear(executor);
    return status;
}

static cohort_status build(cohort_twin *twin, const cohort_executable *of,
                           const cohort_function *function)
{
    cohort_executor *executor = twin->device->executor;
    cohort_status status =
        cohort_executable_create(executor->contexts[0], function, of->signature, &twin->executable);
    if (status >= 0)
        status = cohort_executable_prepare_dropped(twin->executable, executor);
    if (status < 0)
        return status;
    cohort_executable_use(executor, twin->executable);
    return wait_for_all(executor);
}

/* held: the device's lock. */
static void unmake(cohort_twin *twin)
{
    twin_device *device = twin->device;
    cohort_executable_destroy(device->executor, twin->executable);
    if (--device->n_twins == 0) {
        cohort_executor_destroy(device->executor);
        device->executor = NULL;
    }
    cohort_free(twin);
}

static cohort_twin *make(const cohort_executable *of, const cohort_function *function,
                         twin_device *device)
{
    cohort_twin *twin = cohort_allocate(1, sizeof *twin);
    if (twin == NULL || open_device(device) < 0) {
        cohort_free(twin);
        return NULL;
    }
    twin->device = device;
    device->n_twins++;
    twin->is_exact = function->item_body != NULL && !any_has_bounded(of->signature);
    twin->has_integers = twin->is_exact || function->item_body == NULL;
    if (build(twin, of, function) >= 0)
        return twin;
    unmake(twin);
    return NULL;
}

cohort_twin *cohort_twin_create(const cohort_executable *of, const cohort_function *function)
{
    twin_device *device = other_device(of, function);
    if (device == NULL)
        return NULL;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    (void)pthread_mutex_lock(&device->lock);
    cohort_twin *twin = make(of, function, device);
    (void)pthread_mutex_unlock(&device->lock);
    if (twin == NULL)
        cohort_log(COHORT_SUBSYSTEM_OPERATION, COHORT_LOG_INFO,
                   "%s: the check of bodies compares it with no other body: %s", function->name,
                   cohort_error_slot());
    cohort_error_restore(&saved);
    return twin;
}

void cohort_twin_destroy(cohort_twin *twin)
{
    if (twin == NULL)
        return;
    twin_device *device = twin->device;
    (void)pthread_mutex_lock(&device->lock);
    unmake(twin);
    (void)pthread_mutex_unlock(&device->lock);
}

/* ------------------------------------------------------------------ running */

typedef struct twin_op {
    cohort_op op;
    cohort_check_copy *copy;
    const cohort_check_body *body;
} twin_op;

static cohort_status do_twin(cohort_lane *lane, cohort_op *op)
{
    const twin_op *t = (twin_op *)op;
    const cohort_check_run run = { COHORT_CHECK_FILL_FIRST, -1, true, COHORT_CHECK_WHOLE, 0 };
    (void)lane;
    return cohort_check_copy_run(t->copy, t->body, run);
}

static cohort_status run(cohort_twin *twin, const cohort_check_body *body, cohort_check_copy *copy)
{
    cohort_executor *executor = twin->device->executor;
    twin_op t = { .op = COHORT_OP(.run = do_twin), .copy = copy, .body = body };
    (void)pthread_mutex_lock(&twin->device->lock);
    cohort_fences_clear(executor->needs, cohort_executor_rings(executor));
    (void)cohort_executor_post(executor, executor->contexts[0], &t.op, sizeof t);
    cohort_status status = wait_for_all(executor);
    (void)pthread_mutex_unlock(&twin->device->lock);
    return status;
}

/* The same launch of the other body. Its arrays are known, and the record has its numbers: of both
 * bodies they lie at the same places. */
static cohort_status run_other(cohort_twin *twin, const cohort_checked_arrays *arrays,
                               const cohort_launch_op *like, cohort_launch_slot slots[],
                               cohort_check_copy *copy)
{
    cohort_executable *e = twin->executable;
    cohort_launch_op launch;
    cohort_grid grid = { .range.dims = 0 };
    cohort_launch call;
    void *argv[COHORT_MAX_ARGS];
    int64_t items[COHORT_ITEM_WORDS];
    cohort_status status =
        e->geometry.dims > 0
            ? cohort_geometry_evaluate(&e->geometry, e->signature, "", arrays->integers, &grid)
            : COHORT_OK;
    if (status < 0)
        return status;
    cohort_launch_begin(&launch, e);
    cohort_launch_direct(&launch, like->op.replica, &grid);
    cohort_launch_fill_call(&launch, slots, 0, items, argv, &call);
    const cohort_check_body body = {
        .launch = &launch, .arrays = arrays, .call = &call, .items = items
    };
    return run(twin, &body, copy);
}

/* ------------------------------------------------------------------ comparing */

static const char *device_of(const cohort_twin *twin)
{
    return twin->executable->context->device->id;
}

static bool differ(const cohort_twin *twin, const cohort_checked_array *array, double scale,
                   const char *a, const char *b, int64_t *out_item)
{
    if (!twin->has_integers && !cohort_check_type_is_inexact(array->type))
        return false;
    *out_item =
        cohort_check_close_differs(array, twin->is_exact ? 0 : scale * COHORT_TWIN_ULP, a, b);
    return *out_item >= 0;
}

/* What a body returns, or a kernel writes as its result. */
static const char *result_of(const cohort_checked_arrays *arrays, const cohort_check_copy *copy)
{
    const cohort_checked_array *last = arrays->n > 0 ? &arrays->list[arrays->n - 1] : NULL;
    return arrays->returned.bytes > 0        ? copy->ret
           : last != NULL && last->is_result ? copy->at[arrays->n - 1]
                                             : NULL;
}

static const cohort_checked_array *result_array(const cohort_checked_arrays *arrays)
{
    return arrays->returned.bytes > 0 ? &arrays->returned : &arrays->list[arrays->n - 1];
}

static cohort_status compare(const cohort_twin *twin, const cohort_checked_arrays *mine,
                             const cohort_check_copy *a, const cohort_checked_arrays *others,
                             const cohort_check_copy *b)
{
    const char *device = device_of(twin);
    double scale = cohort_check_close_scale(mine, a);
    int64_t item;
    for (int32_t i = 0; i < mine->n; i++) {
        const cohort_checked_array *array = &mine->list[i];
        if (!cohort_check_array_is_written(array) || array->is_result)
            continue;
        if (differ(twin, array, scale, a->at[i], b->at[i], &item))
            return cohort_check_report_twins(array, item, a->at[i], b->at[i], device,
                                             twin->is_exact);
    }
    const char *one = result_of(mine, a), *other = result_of(others, b);
    return one != NULL && other != NULL &&
                   differ(twin, result_array(mine), scale, one, other, &item)
               ? cohort_check_report_twins(result_array(mine), item, one, other, device,
                                           twin->is_exact)
               : COHORT_OK;
}

static cohort_status compare_run(const cohort_twin *twin, const cohort_check_body *body,
                                 const cohort_check_copy *outcome,
                                 const cohort_checked_arrays *others, const cohort_check_copy *copy)
{
    if (!copy->was_hit)
        return compare(twin, body->arrays, outcome, others, copy);
    return cohort_error_prefix(cohort_check_report_hit(others, &copy->hit), "its other body, on %s",
                               device_of(twin));
}

cohort_status cohort_twin_compare(cohort_twin *twin, const cohort_check_body *body,
                                  cohort_launch_slot slots[], const cohort_check_copy *outcome)
{
    cohort_checked_arrays *others = cohort_allocate(1, sizeof *others);
    cohort_check_copy *copy = cohort_allocate(1, sizeof *copy);
    cohort_status status =
        others != NULL && copy != NULL ? COHORT_OK : cohort_error_memory("the check of a body");
    if (status >= 0) {
        cohort_check_arrays_for(others, body->arrays, twin->executable);
        status = run_other(twin, others, body->launch, slots, copy);
    }
    if (status >= 0) {
        status = compare_run(twin, body, outcome, others, copy);
        cohort_check_copy_end(copy);
    }
    cohort_free(others);
    cohort_free(copy);
    return status;
}
