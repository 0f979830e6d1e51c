/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: making, freeing, and what can be asked of one. How writes go through its stores is in
 * variable_write.c, what a failure leaves in variable_settle.c, how devices read it in
 * variable_read.c, where it lives in variable_places.c, its name in variable_table.c. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"
#include "runtime/value/remote.h"
#include "runtime/value/variable_places.h"
#include "runtime/value/variable_table.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ freeing */

static void destroy_buffers(cohort_variable *v)
{
    for (int32_t i = 0; v->stores != NULL && i < v->n_stores; i++) {
        cohort_buffer_destroy(v->stores[i].buffers[0]);
        cohort_buffer_destroy(v->stores[i].buffers[1]);
    }
    cohort_places_fini(&v->caches);
}

/* Launches point into the stores (their `done`) and at the name, which are freed without an
 * operation: so whoever still runs is waited for, unlike with a value. */
static void wait_for_users(cohort_variable *v)
{
    cohort_executor *executor = v->strategy->executor;
    cohort_fences_clear(executor->gathered, cohort_executor_rings(executor));
    for (int32_t i = 0; v->stores != NULL && i < v->n_stores; i++)
        for (int slot = 0; slot < 2; slot++)
            if (v->stores[i].buffers[slot] != NULL)
                cohort_buffer_add_users(v->stores[i].buffers[slot], executor, executor->gathered);
    (void)cohort_executor_wait_fences(executor, executor->gathered, INT64_MAX);
}

static void free_parts(cohort_variable *v)
{
    cohort_strategy_disown(&v->dependent);
    /* the name is free from now on */
    cohort_variable_table_remove(v);
    if (v->touched != NULL) { /* runners still count in the stores, and look at the name */
        wait_for_users(v);
        cohort_variable_wait_complete(v);
    }
    destroy_buffers(v);
    cohort_remote_free(v);
    if (!cohort_executor_has_lost(
            v->strategy->executor)) { /* else a late device may still touch them */
        for (int32_t i = 0; v->stores != NULL && i < v->n_stores; i++)
            cohort_free(v->stores[i].changes.rows);
        cohort_free(v->stores);
        cohort_free(v->results);
    }
    cohort_free(v->updated);
    cohort_free(v->touched);
    cohort_free(v->copy_stores);
    cohort_free(v->copies);
    cohort_free(v->name);
}

/* The block of a destroyed variable goes into quarantine, for the program may use the pointer once
 * more by mistake. */
static void destroy_variable(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    free_parts(v);
    cohort_handle_free(&dependent->handle, sizeof *v, &v->strategy->handle);
}

void cohort_variable_drop(cohort_variable *variable)
{
    cohort_variable_table_forget(variable);
    free_parts(variable);
    cohort_free(variable);
}

/* ------------------------------------------------------------------ names */

/* strnlen: the name may be no text at all, and is read only as far as it may be long. */
static cohort_status check_name(cohort_strategy *s, const char *name)
{
    if (name == NULL || name[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: a variable needs a name");
    if (strnlen(name, COHORT_LIMIT_VARIABLE_NAME_BYTES + 1) > COHORT_LIMIT_VARIABLE_NAME_BYTES)
        return cohort_error_set(
            COHORT_EINVAL, "cohort_variable_create: the name '%.32s...' has more than %d bytes",
            name, COHORT_LIMIT_VARIABLE_NAME_BYTES);
    if (cohort_variable_find(s, name) != NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_variable_create: the strategy has a variable '%s' already",
                                name);
    return COHORT_OK;
}

/* Without "_" and digits at the end. */
static size_t stem_bytes(const char *name)
{
    size_t all = strlen(name), n = all;
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    return n < all && n > 0 && name[n - 1] == '_' ? n - 1 : all;
}

bool cohort_variable_is_same_name(const char *a, const char *b)
{
    return stem_bytes(a) == stem_bytes(b) && memcmp(a, b, stem_bytes(a)) == 0;
}

/* ------------------------------------------------------------------ making */

static void take_shape(cohort_variable *v, const cohort_array *initial)
{
    v->dtype = initial->dtype;
    v->item_bytes = cohort_array_item_bytes(initial);
    v->extents.rank = initial->rank;
    memcpy(v->extents.shape, initial->shape, sizeof v->extents.shape);
    v->bytes = (uint64_t)(cohort_array_items(initial) * v->item_bytes);
}

/* Without memory yet: that comes in line, with the first write. */
static cohort_status make_buffers(cohort_variable *v)
{
    cohort_executor *executor = v->strategy->executor;
    for (int32_t i = 0; i < v->n_stores; i++)
        for (int j = 0; j < 2; j++)
            if ((v->stores[i].buffers[j] = cohort_buffer_create(
                     executor, executor->contexts[v->stores[i].device])) == NULL)
                return COHORT_ENOMEM;
    return COHORT_OK;
}

static cohort_status make_rest(cohort_variable *v)
{
    size_t rings = (size_t)cohort_executor_rings(v->strategy->executor);
    v->updated = cohort_allocate(rings, sizeof *v->updated);
    v->touched = cohort_allocate(rings, sizeof *v->touched);
    if (v->updated == NULL || v->touched == NULL ||
        cohort_places_init(&v->caches, v->strategy->executor, 0, v->strategy->n_devices) < 0)
        return cohort_error_memory("a variable");
    return make_buffers(v);
}

/* Its first write would fail, in a lane, where nobody knows any more what it is. */
static cohort_status check_bytes(const cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_stores && v->remote == NULL; i++) {
        const cohort_context *where = v->strategy->executor->contexts[v->stores[i].device];
        char what[128];
        if (cohort_context_fits(where, v->stores[i].bytes))
            continue;
        (void)snprintf(what, sizeof what, "cohort_variable_create: %s '%.64s'",
                       v->is_sharded ? "a shard of variable" : "variable", v->name);
        return cohort_context_refuse_bytes(
            where, v->stores[i].bytes, what,
            "shard it (cohort_placement_max_bytes), or place it on the "
            "host");
    }
    return COHORT_OK;
}

/* Pointers of the options are not kept: what they point to is the program's. The table comes last,
 * for a name that is found must be of a variable that is complete. */
static cohort_status fill(cohort_variable *v, const char *name, const cohort_array *initial,
                          const cohort_variable_options *options)
{
    v->options = *options;
    v->options.colocate_with = NULL;
    v->options.placement = NULL;
    if ((v->name = cohort_string_copy(name)) == NULL)
        return cohort_error_memory("a variable");
    take_shape(v, initial);
    cohort_status status = cohort_variable_table_prepare(v->strategy);
    if (status >= 0)
        status = cohort_variable_choose_places(v, options);
    if (status >= 0)
        status = check_bytes(v);
    if (status >= 0)
        status = make_rest(v);
    if (status >= 0)
        status = cohort_variable_table_add(v);
    return status >= 0 ? cohort_variable_table_note(v, options->placement == NULL) : status;
}

static uint64_t next_uid(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

cohort_variable *cohort_variable_make(cohort_strategy *strategy, const char *name,
                                      const cohort_array *initial,
                                      const cohort_variable_options *options)
{
    static const cohort_variable_options defaults;
    options = options != NULL ? options : &defaults;
    cohort_status status = check_name(strategy, name);
    if (status >= 0)
        status = cohort_array_check(initial, true, name);
    if (status >= 0)
        status = cohort_variable_check_options(strategy, name, initial->dtype, options);
    if (status < 0)
        return NULL;
    cohort_variable *v = cohort_allocate(1, sizeof *v);
    if (v == NULL) {
        (void)cohort_error_memory("a variable");
        return NULL;
    }
    v->strategy = strategy;
    v->uid = next_uid();
    status = fill(v, name, initial, options);
    v->dependent = (cohort_dependent){ .destroy = destroy_variable,
                                       .settle = cohort_variable_settle,
                                       .describe = cohort_variable_describe };
    cohort_handle_begin(&v->dependent.handle, COHORT_HANDLE_VARIABLE);
    /* also where filling has failed, since dropping takes it out of the list */
    cohort_strategy_adopt(strategy, &v->dependent);
    if (status >= 0) {
        strategy->has_made_variables = true;
        return v;
    }
    cohort_variable_drop(v);
    return NULL;
}

void cohort_variable_destroy(cohort_variable *variable)
{
    static const char call[] = "cohort_variable_destroy";
    if (variable == NULL ||
        !cohort_call_may_destroy(variable, COHORT_HANDLE_VARIABLE, call, "the variable"))
        return;
    cohort_strategy *strategy = variable->strategy;
    cohort_status status = cohort_call_enter_broken(strategy, call);
    if (status < 0)
        return;
    /* the metric still counts with it */
    if (variable->is_a_metric)
        status =
            cohort_error_set(COHORT_EINVAL, "%s: variable '%s' is part of a metric; destroy that",
                             call, variable->name);
    else
        destroy_variable(&variable->dependent);
    (void)cohort_call_leave(strategy, status);
}

/* ------------------------------------------------------------------ looking */

const char *cohort_variable_name(const cohort_variable *variable)
{
    return cohort_handle_is(variable, COHORT_HANDLE_VARIABLE) ? variable->name : NULL;
}

cohort_strategy *cohort_variable_strategy(const cohort_variable *variable)
{
    return cohort_handle_is(variable, COHORT_HANDLE_VARIABLE) ? variable->strategy : NULL;
}

int cohort_variable_shape(const cohort_variable *variable, cohort_dtype *out_dtype,
                          int64_t out_shape[COHORT_MAX_RANK])
{
    if (!cohort_handle_is(variable, COHORT_HANDLE_VARIABLE))
        return -1;
    if (out_dtype != NULL)
        *out_dtype = variable->dtype;
    if (out_shape != NULL)
        memcpy(out_shape, variable->extents.shape, sizeof variable->extents.shape);
    return variable->extents.rank;
}

int cohort_variable_copies(const cohort_variable *variable, cohort_copy out[], int capacity)
{
    if (!cohort_handle_is(variable, COHORT_HANDLE_VARIABLE))
        return 0;
    int32_t n = variable->is_per_replica ? variable->n_stores : variable->n_copies;
    for (int32_t i = 0; i < n && i < capacity; i++)
        out[i] = variable->is_per_replica ? (cohort_copy){ .device = variable->stores[i].device }
                                          : variable->copies[i];
    return n;
}

int64_t cohort_variable_updates(const cohort_variable *variable)
{
    bool is_there = cohort_handle_is(variable, COHORT_HANDLE_VARIABLE),
         has_content = is_there && variable->caches.epoch > 0;
    if (is_there && variable->remote != NULL)
        return (int64_t)variable->remote->writes;
    return has_content ? (int64_t)variable->caches.epoch - 1 : 0; /* the first is its content */
}

/* Compared as numbers: pointers into different objects have no order in C. An empty store has an
 * address of its own all the same. */
static bool lends(const cohort_variable *v, const void *memory)
{
    bool lends = false;
    for (int32_t i = 0; i < v->n_stores && !lends; i++) {
        const cohort_store *store = &v->stores[i];
        uintptr_t first = (uintptr_t)store->lent, at = (uintptr_t)memory;
        lends = store->lent != NULL && at >= first &&
                (at - first < store->bytes || (at == first && store->bytes == 0));
    }
    return lends;
}

cohort_variable *cohort_value_container(cohort_strategy *strategy, cohort_array component)
{
    if (!cohort_handle_is(strategy, COHORT_HANDLE_STRATEGY) || component.data == NULL)
        return NULL;
    for (cohort_dependent *d = strategy->dependents.next; d != &strategy->dependents; d = d->next)
        if (d->destroy == destroy_variable && lends((cohort_variable *)d, component.data))
            return (cohort_variable *)d;
    return NULL;
}

cohort_status cohort_variable_check_readable(cohort_variable *v, const char *call)
{
    if (v->remote != NULL) /* it has content everywhere else, which in a trial nobody looks at */
        return v->strategy->is_trial ? COHORT_OK : cohort_remote_refresh(v, call);
    if (v->caches.epoch > 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: variable '%s' %s; assign it", call, v->name,
                            v->is_lost ? "is lost, for a call failed that wrote it in place, and "
                                         "its strategy has no rollback"
                                       : "never got its content");
}

cohort_status cohort_variable_check_alike(const cohort_variable *v, cohort_dtype dtype,
                                          int64_t item_bytes, const cohort_extents *extents,
                                          const char *what)
{
    if (dtype == v->dtype && item_bytes == v->item_bytes &&
        cohort_extents_is_same(extents, &v->extents))
        return COHORT_OK;
    char has[128], got[128];
    return cohort_error_set(
        COHORT_EINVAL, "variable '%s' is %s, %s %s", v->name,
        cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has), what,
        cohort_shape_to_string(dtype, extents->rank, extents->shape, got));
}

/* Store by store, for an update runs once for each store and writes the same one of both. */
bool cohort_variable_is_placed_like(const cohort_variable *a, const cohort_variable *b)
{
    bool is_alike = a->n_stores == b->n_stores && a->is_per_replica == b->is_per_replica &&
                    a->is_sharded == b->is_sharded && (a->remote == NULL) == (b->remote == NULL);
    if (is_alike && a->remote != NULL)
        return cohort_remote_is_placed_like(a->remote, b->remote);
    for (int32_t i = 0; i < a->n_stores && is_alike; i++)
        is_alike = a->stores[i].device == b->stores[i].device &&
                   a->stores[i].first_row == b->stores[i].first_row &&
                   a->stores[i].rows == b->stores[i].rows;
    return is_alike;
}

/* The devices of logical copy i, or of component i. */
int32_t cohort_variable_device(const cohort_variable *v, int32_t i)
{
    return v->is_per_replica || v->remote != NULL ? v->stores[i].device
                                                  : v->strategy->parameters[v->copies[i].device];
}

int32_t cohort_variable_places(const cohort_variable *v)
{
    return v->is_per_replica || v->remote != NULL ? v->n_stores : v->n_copies;
}
