/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable is made in steps, each of which freeing can undo. */
#include "config.h"

#include "runtime/value/variable_make.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/transaction.h"
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
        cohort_buffer_destroy(v->stores[i].base);
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
        for (int32_t i = 0; v->stores != NULL && i < v->n_stores; i++) {
            cohort_free(v->stores[i].changes.rows);
            cohort_undo_free(&v->stores[i].undo);
            cohort_free(v->stores[i].kept);
            cohort_free(v->stores[i].kept_next);
        }
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

/* ------------------------------------------------------------------ making */

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
            if ((v->stores[i].buffers[j] =
                     cohort_buffer_create_for(executor, executor->contexts[v->stores[i].device],
                                              COHORT_PURPOSE_VARIABLES)) == NULL)
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
        status = cohort_transaction_prepare(strategy);
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
                                       .add_moves = cohort_variable_add_moves,
                                       .rehost = cohort_variable_rehost,
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
