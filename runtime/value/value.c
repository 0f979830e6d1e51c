/* SPDX-License-Identifier: BSD-3-Clause */
/* Values: their life, and what can be asked of them. A value has at most one plain content and one
 * component for each replica; `kind` says which of these counts, and the memory of the others stays
 * for the day when it is that again. */
#include "config.h"

#include "runtime/value/value.h"

#include "runtime/base/memory.h"
#include "runtime/strategy/call.h"
#include "runtime/strategy/moves.h"
#include "runtime/strategy/transaction.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ making and freeing */

/* The value leaves the strategy's list first, so that nobody settles it half freed. Contents give
 * their memory back in line with what was posted; nothing here waits. One that lasted as long as a
 * call is nothing that a later call looks for. */
static void free_content(cohort_value *value)
{
    cohort_executor *executor = value->strategy->executor;
    if (!value->is_staged)
        cohort_alterations_add();
    cohort_strategy_disown(&value->dependent);
    for (int32_t r = 0; value->components != NULL && r < value->strategy->n_replicas; r++)
        cohort_content_fini(&value->components[r], executor);
    cohort_content_fini(&value->plain, executor);
    cohort_free(value->components);
    cohort_group_free(value->group);
    if (!cohort_executor_has_lost(executor)) /* else a late device may still write into it */
        cohort_free(value->results);
}

/* The block of a destroyed value goes into quarantine, for the program may use the pointer once
 * more by mistake. */
static void destroy_value(cohort_dependent *dependent)
{
    cohort_value *value = (cohort_value *)dependent;
    free_content(value);
    cohort_handle_free(&dependent->handle, sizeof *value, &value->strategy->handle);
}

/* No quarantine: the program never saw the pointer. */
void cohort_value_drop(cohort_value *value)
{
    if (value == NULL)
        return;
    free_content(value);
    if (value->is_staged)
        cohort_staging_give(value);
    else
        cohort_free(value);
}

static void settle_value(cohort_dependent *dependent)
{
    cohort_value *value = (cohort_value *)dependent;
    for (int32_t r = 0; value->components != NULL && r < value->strategy->n_replicas; r++)
        cohort_content_settle(&value->components[r]);
    cohort_content_settle(&value->plain);
}

/* Where a replica's component has memory there is one place, with one buffer. */
static cohort_moving component(cohort_content *c)
{
    cohort_place *place = &c->places.list[0];
    const bool is_copied = c->state == COHORT_CONTENT_FILLED && !cohort_content_has_source(c) &&
                           cohort_places_is_newest(&c->places, place);
    return (cohort_moving){ .at = &place->buffer,
                            .device = &c->places.first_device,
                            .epoch = &place->epoch,
                            .bytes = is_copied ? cohort_content_bytes(c) : 0 };
}

static cohort_status add_moves(cohort_dependent *dependent, cohort_moves *moves)
{
    cohort_value *value = (cohort_value *)dependent;
    const cohort_strategy *s = value->strategy;
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; value->components != NULL && r < s->n_replicas && status >= 0; r++) {
        const int32_t to = cohort_moves_device(moves, r, value->logical);
        const cohort_moving what = component(&value->components[r]);
        if (*what.device != to)
            status = cohort_moves_add(moves, &what, to);
    }
    return status;
}

/* The strategy has it from now on: destroyed with the strategy, settled after a failure. */
static cohort_value *begin_value(cohort_value *value, cohort_strategy *strategy)
{
    if (value == NULL) {
        (void)cohort_error_memory("a value");
        return NULL;
    }
    value->strategy = strategy;
    value->logical = strategy->in_use;
    cohort_handle_begin(&value->dependent.handle, COHORT_HANDLE_VALUE);
    value->dependent.destroy = destroy_value;
    value->dependent.settle = settle_value;
    value->dependent.add_moves = add_moves;
    cohort_strategy_adopt(strategy, &value->dependent);
    return value;
}

cohort_value *cohort_value_allocate(cohort_strategy *strategy)
{
    if (cohort_transaction_prepare(strategy) < 0)
        return NULL;
    cohort_value *value = cohort_allocate_aligned(sizeof *value, _Alignof(cohort_value));
    if (value != NULL)
        memset(value, 0, sizeof *value);
    return begin_value(value, strategy);
}

cohort_value *cohort_value_take(cohort_strategy *strategy)
{
    cohort_value *value = cohort_staging_take(&strategy->executor->staging, sizeof *value);
    if (value != NULL) {
        memset(value, 0, sizeof *value);
        value->is_staged = true;
    }
    return begin_value(value, strategy);
}

cohort_status cohort_value_prepare_plain(cohort_value *value)
{
    return value->plain.places.list != NULL
               ? COHORT_OK
               : cohort_content_init(&value->plain, value->strategy->executor, 0,
                                     value->strategy->n_devices);
}

cohort_status cohort_value_prepare_home(cohort_value *value)
{
    const cohort_strategy *s = value->strategy;
    cohort_status status = cohort_value_prepare_plain(value);
    return status < 0 ? status : cohort_places_prepare(&value->plain.places, s->executor, s->home);
}

cohort_buffer *cohort_value_start_content(const cohort_strategy *s, cohort_content *content,
                                          int32_t device)
{
    if (!s->is_trial)
        return cohort_content_place_write(content, s->executor, device,
                                          cohort_content_bytes(content), false);
    cohort_content_foresee(content, device);
    return NULL;
}

cohort_buffer *cohort_value_start_home(cohort_value *value)
{
    cohort_value_take_kind(value, COHORT_PLAIN_VALUE);
    return cohort_value_start_content(value->strategy, &value->plain, value->strategy->home);
}

/* The list is the value's only when it is complete: whoever finds one may use all of it. */
cohort_status cohort_value_prepare_components(cohort_value *value)
{
    const cohort_strategy *s = value->strategy;
    if (value->components != NULL)
        return COHORT_OK;
    size_t bytes;
    cohort_content *components = NULL;
    if (!__builtin_mul_overflow((size_t)s->n_replicas, sizeof *components, &bytes))
        components = cohort_allocate_aligned(bytes, _Alignof(cohort_content));
    cohort_status status = components != NULL ? COHORT_OK : cohort_error_memory("a value");
    if (components != NULL)
        memset(components, 0, bytes);
    for (int32_t r = 0; status >= 0 && r < s->n_replicas; r++)
        status = cohort_content_init(&components[r], s->executor, cohort_value_device(value, r), 1);
    if (status >= 0) {
        value->components = components;
        return COHORT_OK;
    }
    for (int32_t r = 0; components != NULL && r < s->n_replicas; r++)
        cohort_content_fini(&components[r], s->executor);
    cohort_free(components);
    return status;
}

/* Emptied, or a component that no launch writes would show what it held when the value last was per
 * replica. */
void cohort_value_become_per_replica(cohort_value *value)
{
    if (value->kind == COHORT_PER_REPLICA_VALUE)
        return;
    for (int32_t r = 0; r < value->strategy->n_replicas; r++)
        cohort_content_become(&value->components[r], COHORT_CONTENT_EMPTY);
    cohort_value_take_kind(value, COHORT_PER_REPLICA_VALUE);
}

void cohort_value_swap_components(cohort_value *a, cohort_value *b)
{
    cohort_value_become_per_replica(a);
    cohort_value_become_per_replica(b);
    cohort_alterations_add();
    cohort_content *components = a->components;
    a->components = b->components;
    b->components = components;
}

void cohort_value_destroy(cohort_value *value)
{
    static const char call[] = "cohort_value_destroy";
    if (value == NULL || !cohort_call_may_destroy(value, COHORT_HANDLE_VALUE, call, "the value"))
        return;
    cohort_strategy *strategy = value->strategy;
    if (cohort_call_enter_broken(strategy, call) < 0)
        return;
    destroy_value(&value->dependent);
    (void)cohort_call_leave(strategy, COHORT_OK);
}

/* ------------------------------------------------------------------ looking */

/* The value is const for those who look; the content of a plain value is part of its struct, which
 * is the library's own memory. */
cohort_content *cohort_value_content(const cohort_value *value, int32_t replica)
{
    if (value->kind == COHORT_PLAIN_VALUE || value->kind == COHORT_MIRRORED_VALUE)
        return cohort_memory_own(&value->plain);
    return value->kind == COHORT_PER_REPLICA_VALUE ? &value->components[replica] : NULL;
}

/* A value of cohort_value_number has its source as the newest content only until a call writes
 * it. */
bool cohort_value_is_number(const cohort_value *value)
{
    return value->origin == COHORT_VALUE_NUMBER && value->kind == COHORT_PLAIN_VALUE &&
           value->plain.source_epoch == value->plain.places.epoch.now;
}

cohort_value_kind cohort_value_kind_of(const cohort_value *value)
{
    return cohort_handle_is(value, COHORT_HANDLE_VALUE) ? value->kind : COHORT_EMPTY_VALUE;
}

static bool is_unwritten(const cohort_value *value, int replica)
{
    const cohort_content *content = cohort_value_content(value, replica);
    return content == NULL || content->state == COHORT_CONTENT_EMPTY;
}

/* An error here is the caller's alone and does not stick: nothing was to be done. */
static const cohort_content *look(const cohort_value *value, int replica, const char *call)
{
    if (cohort_handle_check(value, COHORT_HANDLE_VALUE, call, "the value") < 0)
        return NULL;
    const cohort_strategy *s = value->strategy;
    bool is_own = value->kind == COHORT_PER_REPLICA_VALUE || replica < 0 || replica >= s->n_in_sync;
    int32_t here = 0;
    if (is_own && cohort_strategy_find_replica(s, replica, call, &here) < 0) {
        if (replica >= 0 && replica < s->n_in_sync)
            (void)cohort_error_set(COHORT_EINVAL, "%s; cohort_gather brings all",
                                   cohort_error_slot());
        return NULL;
    }
    if (is_unwritten(value, here))
        (void)cohort_error_set(COHORT_EINVAL, "%s: nothing has written %s", call,
                               value->kind == COHORT_EMPTY_VALUE ? "the value" : "this component");
    else
        return cohort_value_content(value, here);
    return NULL;
}

int cohort_value_shape(const cohort_value *value, int replica, cohort_dtype *out_dtype,
                       int64_t out_shape[COHORT_MAX_RANK])
{
    const cohort_content *content = look(value, replica, "cohort_value_shape");
    if (content == NULL)
        return (int)cohort_error_answer(-1);
    if (out_dtype != NULL)
        *out_dtype = content->dtype;
    if (out_shape != NULL)
        memcpy(out_shape, content->extents.shape, sizeof content->extents.shape);
    return content->extents.rank;
}

int64_t cohort_value_rows(const cohort_value *value, int replica)
{
    const cohort_content *content = look(value, replica, "cohort_value_rows");
    if (content == NULL)
        return cohort_error_answer(-1);
    if (content->state == COHORT_CONTENT_ABSENT)
        return 0;
    return content->extents.rank > 0 ? content->extents.shape[0] : 1;
}
