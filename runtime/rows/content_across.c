/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/rows/content_across.h"

#include "runtime/base/digest.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/rows/fetch.h"
#include "runtime/strategy/across.h"
#include "runtime/strategy/call.h"

#include <stdio.h>
#include <string.h>

static const char recover[] = "cohort_strategy_recover", create[] = "cohort_variable_create",
                  alike[] = "cohort_strategy_broadcast_variables";

/* ------------------------------------------------------------------ memory */

/* Taken before the meeting that says whether it is needed, since who has none has to say so there:
 * after a meeting all send and receive. */
static cohort_status take_memory(const cohort_variable *v, cohort_array *out)
{
    *out =
        (cohort_array){ .dtype = v->dtype, .item_bytes = v->item_bytes, .rank = v->extents.rank };
    memcpy(out->shape, v->extents.shape, sizeof out->shape);
    out->data = v->bytes > 0 ? cohort_allocate_aligned(v->bytes, 64) : NULL;
    return out->data != NULL || v->bytes == 0 ? COHORT_OK
                                              : cohort_error_memory("the content of a variable");
}

static void give_back_memory(const cohort_variable *v, const cohort_array *array)
{
    cohort_messages_give(&v->strategy->workers->messages, array->data, cohort_free);
}

/* ------------------------------------------------------------------ after a failure */

/* Where all are ready: from one worker to those that have come less far. */
static cohort_status take_of(cohort_variable *v, int32_t worker, uint64_t epoch,
                             const cohort_array *content)
{
    cohort_workers *w = v->strategy->workers;
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    cohort_status status = reducer != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0 && w->rank == worker)
        status = cohort_fetch_whole(v, content);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status = cohort_workers_meet(w, recover, "", 0);
    if (status >= 0)
        status = cohort_workers_broadcast(w, recover, worker, content->data, v->bytes);
    cohort_talk_end(&w->talk);
    if (status < 0 || v->caches.epoch.now == epoch)
        return status;
    cohort_variable_come_to(v, epoch - 1);
    return cohort_change_fill(v, content, reducer);
}

/* Every replica's component is its own, and no other worker has it. */
static void warn_of_components(const cohort_variable *v, int32_t worker, uint64_t epoch)
{
    if (v->caches.epoch.now < epoch)
        cohort_log(COHORT_SUBSYSTEM_ROWS, COHORT_LOG_WARNING,
                   "variable '%s': %llu writes came through here, and %llu on worker %d; assign it",
                   v->name, (unsigned long long)v->caches.epoch.now, (unsigned long long)epoch,
                   (int)worker);
}

/* What has come less far on one worker takes the content of where it has come furthest. */
static cohort_status catch_up(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    cohort_array content;
    cohort_progress mine = { .steps = v->caches.epoch.now };
    int32_t furthest;
    (void)snprintf(mine.name, sizeof mine.name, "variable '%.50s'", v->name);
    cohort_status status = cohort_across_compare(v->strategy, &mine, &furthest);
    if (status < 0 || furthest < 0)
        return status;
    uint64_t epoch = cohort_across_progress(v->strategy, furthest).steps;
    if (v->is_per_replica) {
        warn_of_components(v, furthest, epoch);
        return COHORT_OK;
    }
    status = take_memory(v, &content);
    if (status >= 0)
        status = take_of(v, furthest, epoch, &content);
    give_back_memory(v, &content);
    return status;
}

/* ------------------------------------------------------------------ the first content */

/* What all workers create alike. */
typedef struct creation_note {
    char name[64]; /* as much of it as fits, and a digest of all */
    uint64_t bytes, digest;
    int32_t dtype, synchronization, aggregation, rank;
    int64_t shape[COHORT_MAX_RANK];
    bool is_zero;
} creation_note;

static creation_note note_of(const cohort_variable *v, const cohort_array *initial)
{
    creation_note n = { .bytes = v->bytes,
                        .dtype = (int32_t)v->dtype,
                        .synchronization = (int32_t)v->options.synchronization,
                        .aggregation = (int32_t)v->options.aggregation,
                        .is_zero = initial->data == NULL };
    (void)snprintf(n.name, sizeof n.name, "%s", v->name);
    n.digest = cohort_digest_of_text(v->name);
    n.rank = v->extents.rank;
    for (int32_t i = 0; i < n.rank; i++)
        n.shape[i] = v->extents.shape[i];
    return n;
}

static cohort_status compare(const cohort_workers *w, const creation_note *mine)
{
    for (int32_t i = 0; i < w->n; i++) {
        creation_note n;
        memcpy(&n, cohort_workers_note(w, i), sizeof n);
        n.name[sizeof n.name - 1] = '\0';
        if (memcmp(n.name, mine->name, sizeof n.name) != 0 || n.bytes != mine->bytes ||
            n.digest != mine->digest || n.rank != mine->rank ||
            memcmp(n.shape, mine->shape, sizeof n.shape) != 0 || n.dtype != mine->dtype ||
            n.synchronization != mine->synchronization || n.aggregation != mine->aggregation)
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_variable_create: worker %d of %d creates '%s' of %llu bytes, worker %d "
                "'%s' "
                "of %llu; all workers create the same variables, of the same shapes, in the same "
                "order",
                i, w->n, n.name, (unsigned long long)n.bytes, w->rank, mine->name,
                (unsigned long long)mine->bytes);
    }
    return COHORT_OK;
}

/* What worker 0 was given, into the memory of all; *out_is_zero: nothing. */
static cohort_status take_of_chief(const cohort_variable *v, const cohort_array *initial,
                                   const cohort_array *into, bool *out_is_zero)
{
    cohort_workers *w = v->strategy->workers;
    const creation_note mine = note_of(v, initial);
    creation_note chief;
    cohort_status status = cohort_workers_meet(w, create, &mine, sizeof mine);
    if (status >= 0)
        status = compare(w, &mine);
    if (status < 0)
        return status;
    memcpy(&chief, cohort_workers_note(w, 0), sizeof chief);
    *out_is_zero = chief.is_zero;
    if (chief.is_zero || v->bytes == 0)
        return COHORT_OK;
    if (w->rank == 0)
        cohort_array_pack(into->data, initial);
    return cohort_workers_broadcast(w, create, 0, into->data, v->bytes);
}

cohort_status cohort_content_first(cohort_variable *v, const cohort_array *initial,
                                   cohort_reducer *reducer)
{
    cohort_workers *w = v->strategy->workers;
    cohort_array content, nothing;
    bool is_zero = false;
    cohort_status status = take_memory(v, &content);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status = take_of_chief(v, initial, &content, &is_zero);
    cohort_talk_end(&w->talk);
    nothing = content;
    nothing.data = NULL;
    if (status >= 0)
        status = cohort_change_fill(v, is_zero ? &nothing : &content, reducer);
    give_back_memory(v, &content);
    v->dependent.catch_up = catch_up;
    return status;
}

cohort_status cohort_content_first_made(cohort_workers *w)
{
    return cohort_workers_meet(w, create, "", 0);
}

/* ------------------------------------------------------------------ made alike */

/* The next variable of all, and how far it has come. */
typedef struct next_note {
    char name[64]; /* "": there is none */
    uint64_t epoch;
} next_note;

static cohort_status meet_for(const cohort_strategy *s, const cohort_variable *v,
                              uint64_t *out_epoch)
{
    cohort_workers *w = s->workers;
    next_note mine = { .epoch = v != NULL ? v->caches.epoch.now : 0 }, other;
    (void)snprintf(mine.name, sizeof mine.name, "%s", v != NULL ? v->name : "");
    cohort_status status = cohort_workers_meet(w, alike, &mine, sizeof mine);
    for (int32_t i = w->n - 1; i >= 0 && status >= 0; i--) {
        memcpy(&other, cohort_workers_note(w, i), sizeof other);
        other.name[sizeof other.name - 1] = '\0';
        if (strcmp(other.name, mine.name) != 0)
            status =
                cohort_error_set(COHORT_EINVAL,
                                 "%s: worker %d of %d has variable '%s' where worker %d has "
                                 "'%s'; all workers create and destroy the same variables, in "
                                 "the same order",
                                 alike, (int)i, (int)w->n, other.name, (int)w->rank, mine.name);
        *out_epoch = other.epoch;
    }
    return status;
}

/* Of worker 0, which has all of it before the others are met. */
static cohort_status take_of_first(cohort_variable *v, const cohort_array *content)
{
    cohort_workers *w = v->strategy->workers;
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    uint64_t epoch = 0;
    cohort_status status = reducer != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0 && w->rank == 0)
        status = cohort_variable_check_readable(v, alike);
    if (status >= 0 && w->rank == 0)
        status = cohort_fetch_whole(v, content);
    cohort_talk_begin(&w->talk);
    if (status >= 0)
        status = meet_for(v->strategy, v, &epoch);
    if (status >= 0)
        status = cohort_workers_broadcast(w, alike, 0, content->data, v->bytes);
    cohort_talk_end(&w->talk);
    if (status < 0 || w->rank == 0)
        return status;
    cohort_variable_come_to(v, epoch - 1);
    return cohort_change_fill(v, content, reducer);
}

static cohort_status broadcast_one(cohort_variable *v)
{
    cohort_array content;
    cohort_status status = take_memory(v, &content);
    if (status >= 0)
        status = take_of_first(v, &content);
    give_back_memory(v, &content);
    return status;
}

static cohort_status broadcast_all(cohort_strategy *s)
{
    uint64_t epoch;
    cohort_status status = COHORT_OK;
    cohort_executor_wait_all(s->executor);
    if (cohort_failure_is_set(&s->executor->failure))
        return cohort_failure_tell(&s->executor->failure);
    for (cohort_dependent *d = s->dependents.next; d != &s->dependents && status >= 0; d = d->next)
        if (cohort_handle_is(d, COHORT_HANDLE_VARIABLE) &&
            !((const cohort_variable *)d)->is_per_replica)
            status = broadcast_one((cohort_variable *)d);
    return status < 0 ? status : meet_for(s, NULL, &epoch);
}

cohort_status cohort_strategy_broadcast_variables(cohort_strategy *s)
{
    cohort_status status = cohort_call_enter(s, alike);
    if (status < 0)
        return status;
    if (s->workers != NULL) {
        s->workers->ignores_writes = true;
        status = broadcast_all(s);
        s->workers->ignores_writes = false;
        if (status >= 0)
            s->workers->writes = (cohort_writes){ 0 };
    }
    return cohort_call_leave(s, status);
}
