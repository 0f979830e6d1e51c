/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

/* ------------------------------------------------------------------ making and freeing */

static void destroy_variable(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    cohort_strategy_disown(dependent);
    for (int32_t i = 0; v->copies != NULL && i < v->n_copies; i++) {
        cohort_buffer_destroy(v->copies[i].buffers[0]);
        cohort_buffer_destroy(v->copies[i].buffers[1]);
    }
    if (v->copies != NULL) /* executors still count in them */
        cohort_crew_wait_all(v->strategy->crew);
    if (!cohort_crew_has_lost(v->strategy->crew)) { /* else a late device may still touch them */
        cohort_free(v->copies);
        cohort_free(v->results);
    }
    cohort_free(v->updated);
    cohort_free(v->last);
    cohort_free(v->devices);
    cohort_free(v->name);
    cohort_free(v);
}

/* Back to the last version that all copies have. */
static void settle_variable(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    uint64_t complete = UINT64_MAX;
    for (int32_t i = 0; i < v->n_copies; i++) {
        uint64_t done = atomic_load(&v->copies[i].done);
        complete = done < complete ? done : complete;
    }
    for (int32_t i = 0; i < v->n_copies; i++) {
        atomic_store(&v->copies[i].done, complete);
        (void)cohort_buffer_settle(v->copies[i].buffers[0]);
        (void)cohort_buffer_settle(v->copies[i].buffers[1]);
    }
    v->version = complete;
    memset(v->updated, 0, 2 * (size_t)v->strategy->crew->n_lanes * sizeof *v->updated);
}

static cohort_status check_name(cohort_strategy *s, const char *name)
{
    if (name == NULL || name[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: a variable needs a name");
    if (strnlen(name, COHORT_LIMIT_VARIABLE_NAME_BYTES + 1) > COHORT_LIMIT_VARIABLE_NAME_BYTES)
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: the name '%.32s...' has more than %d bytes",
                                name, COHORT_LIMIT_VARIABLE_NAME_BYTES);
    if (cohort_variable_find(s, name) != NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: the strategy has a variable '%s' already",
                                name);
    return COHORT_OK;
}

static cohort_status check_options(cohort_strategy *s, const char *name, const cohort_variable_options *options)
{
    for (size_t i = 0; options != NULL && i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "variable '%s': reserved[%zu] of the options is not zero", name, i);
    if (options != NULL && options->colocate_with != NULL && options->colocate_with->strategy != s)
        return cohort_error_set(COHORT_EINVAL,
                                "variable '%s': colocate_with is '%s', which belongs to another strategy", name,
                                options->colocate_with->name);
    return COHORT_OK;
}

static cohort_status choose_places(cohort_variable *v, const cohort_variable_options *options)
{
    const cohort_strategy *s = v->strategy;
    v->devices = cohort_allocate((size_t)s->n_devices, sizeof *v->devices);
    if (v->devices == NULL)
        return cohort_error_memory("a variable");
    const cohort_variable *with = options != NULL ? options->colocate_with : NULL;
    if (with != NULL)
        memcpy(v->devices, with->devices, (size_t)with->n_copies * sizeof *v->devices);
    v->n_copies = with != NULL ? with->n_copies : s->n_hosts;
    for (int32_t i = 0; with == NULL && i < v->n_copies; i++)
        v->devices[i] = i;
    return COHORT_OK;
}

static cohort_status make_copies(cohort_variable *v)
{
    cohort_crew *crew = v->strategy->crew;
    v->updated = cohort_allocate(2 * (size_t)crew->n_lanes, sizeof *v->updated);
    v->copies = cohort_allocate((size_t)v->n_copies, sizeof *v->copies);
    v->last = cohort_allocate((size_t)v->n_copies, sizeof *v->last);
    if (v->updated == NULL || v->copies == NULL || v->last == NULL)
        return cohort_error_memory("a variable");
    for (int32_t i = 0; i < v->n_copies; i++)
        for (int j = 0; j < 2; j++)
            if ((v->copies[i].buffers[j] = cohort_buffer_create(crew, crew->opened[v->devices[i]])) == NULL)
                return COHORT_ENOMEM;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ creating */

static cohort_status create(cohort_variable *v, const char *name, const cohort_array *initial,
                            const cohort_variable_options *options)
{
    cohort_status status = check_name(v->strategy, name);
    if (status >= 0)
        status = cohort_array_check(initial, true, name);
    if (status >= 0)
        status = check_options(v->strategy, name, options);
    if (status >= 0 && (v->name = cohort_string_copy(name)) == NULL)
        status = cohort_error_memory("a variable");
    if (status < 0)
        return status;
    v->dtype = initial->dtype;
    v->item_bytes = cohort_array_item_bytes(initial);
    v->extents.rank = initial->rank;
    memcpy(v->extents.shape, initial->shape, sizeof v->extents.shape);
    v->bytes = (uint64_t)(cohort_array_items(initial) * v->item_bytes);
    status = choose_places(v, options);
    return status >= 0 ? make_copies(v) : status;
}

cohort_variable *cohort_variable_create_at(const char *site, cohort_strategy *strategy, const char *name,
                                           cohort_array initial, const cohort_variable_options *options)
{
    (void)site;
    if (cohort_strategy_enter(strategy, "cohort_variable_create") < 0)
        return NULL;
    cohort_variable *v = cohort_allocate(1, sizeof *v);
    cohort_status status = v != NULL ? COHORT_OK : cohort_error_memory("a variable");
    if (v != NULL) {
        v->strategy = strategy;
        v->dependent = (cohort_dependent){ .destroy = destroy_variable, .settle = settle_variable };
        status = create(v, name, &initial, options);
        cohort_strategy_adopt(strategy, &v->dependent);
        if (status >= 0)
            status = cohort_variable_fill(v, &initial);
        if (status >= 0) {
            cohort_crew_advance(strategy->crew);
            status = cohort_failure_tell(&strategy->crew->failure);
        }
        if (status < 0)
            destroy_variable(&v->dependent);
    }
    cohort_strategy_leave(strategy);
    return status >= 0 ? v : NULL;
}

void cohort_variable_destroy(cohort_variable *variable)
{
    cohort_strategy *strategy = variable != NULL ? variable->strategy : NULL;
    if (strategy == NULL || cohort_strategy_enter_broken(strategy, "cohort_variable_destroy") < 0)
        return;
    destroy_variable(&variable->dependent);
    cohort_strategy_leave(strategy);
}

/* ------------------------------------------------------------------ looking and reading */

cohort_variable *cohort_variable_find(cohort_strategy *strategy, const char *name)
{
    if (strategy == NULL || name == NULL)
        return NULL;
    for (cohort_dependent *d = strategy->dependents.next; d != &strategy->dependents; d = d->next)
        if (d->destroy == destroy_variable && strcmp(((cohort_variable *)d)->name, name) == 0)
            return (cohort_variable *)d;
    return NULL;
}

cohort_status cohort_variable_check_readable(const cohort_variable *v, const char *call)
{
    return v->version > 0
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: variable '%s' never got its content; assign it", call, v->name);
}

cohort_status cohort_variable_prepare_read(cohort_variable *v, int32_t device)
{
    (void)v;
    (void)device;
    return COHORT_OK;
}

cohort_buffer *cohort_variable_place_read(cohort_variable *v, int32_t replica, int32_t device)
{
    (void)replica;
    return cohort_variable_current(v, cohort_variable_copy_on(v, device));
}

const char *cohort_variable_name(const cohort_variable *variable)
{
    return variable != NULL ? variable->name : "";
}

cohort_strategy *cohort_variable_strategy(const cohort_variable *variable)
{
    return variable != NULL ? variable->strategy : NULL;
}

int32_t cohort_variable_copy_on(const cohort_variable *v, int32_t device)
{
    for (int32_t i = 0; i < v->n_copies; i++)
        if (v->devices[i] == device)
            return i;
    return -1;
}

/* Where the host sees the copy it is read in place; staging is NULL then. */
static const void *fetch(cohort_variable *v, cohort_buffer *buffer, void *staging)
{
    cohort_crew *crew = v->strategy->crew;
    if (staging == NULL)
        cohort_buffer_wait_written(buffer);
    else
        cohort_crew_wait(crew, cohort_transfer_download(buffer, 0, staging, v->bytes));
    cohort_variable_wait_complete(v);
    return staging != NULL ? staging : buffer->host;
}

static cohort_status read_into(cohort_variable *v, const cohort_array *into)
{
    cohort_crew *crew = v->strategy->crew;
    int32_t home = cohort_variable_copy_on(v, v->strategy->home);
    cohort_buffer *buffer = cohort_variable_current(v, home >= 0 ? home : 0);
    bool is_visible = cohort_opened_has(buffer->opened, COHORT_CAP_HOST_VISIBLE);
    void *staging = is_visible ? NULL : cohort_allocate_aligned(v->bytes, 64);
    if (staging == NULL && !is_visible)
        return cohort_error_memory("reading a variable");
    const void *memory = fetch(v, buffer, staging);
    cohort_status status = cohort_failure_tell(&crew->failure);
    if (status >= 0)
        cohort_array_unpack(into, memory);
    if (!cohort_crew_has_lost(crew))
        cohort_free(staging);
    return status;
}

cohort_status cohort_variable_read(cohort_variable *variable, cohort_array into)
{
    if (variable == NULL)
        return cohort_error_null("cohort_variable_read", "the variable");
    cohort_variable *v = variable;
    cohort_status status = cohort_strategy_enter(v->strategy, "cohort_variable_read");
    if (status < 0)
        return status;
    status = cohort_array_check(&into, false, "cohort_variable_read");
    if (status >= 0 && v->version == 0)
        status = cohort_error_set(COHORT_EINVAL, "variable '%s' never got its content; assign it", v->name);
    if (status >= 0 && (into.dtype != v->dtype || cohort_array_item_bytes(&into) != v->item_bytes ||
                        (uint64_t)(cohort_array_items(&into) * v->item_bytes) != v->bytes)) {
        char has[128], got[128];
        status = cohort_error_set(COHORT_EINVAL, "variable '%s' is %s, the array %s", v->name,
                                  cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                                  cohort_shape_to_string(into.dtype, into.rank, into.shape, got));
    }
    if (status >= 0 && v->bytes > 0)
        status = read_into(v, &into);
    cohort_strategy_leave(v->strategy);
    return status;
}
