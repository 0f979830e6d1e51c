/* SPDX-License-Identifier: BSD-3-Clause */
/* Creating variables, in cross-replica context and in step functions. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/run/change.h"
#include "runtime/run/stage.h"
#include "runtime/strategy/call.h"

#include <stdio.h>
#include <string.h>

/* What one call creates; in a step function each replica has one. */
typedef struct creation {
    const char *name;
    const cohort_array *initial;
    const cohort_variable_options *options; /* or NULL */
    cohort_variable *made;
} creation;

/* ------------------------------------------------------------------ across workers */

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
    n.digest = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = v->name; *c != '\0'; c++)
        n.digest = (n.digest ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
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

/* Every worker begins with what the first one was given. out: an array of memory that is to be
 * freed, where it is not the array that was given. */
static cohort_status take_of_chief(const cohort_variable *v, const cohort_array *initial,
                                   cohort_array *out)
{
    cohort_workers *w = v->strategy->workers;
    const creation_note mine = note_of(v, initial);
    cohort_status status = cohort_workers_meet(w, "cohort_variable_create", &mine, sizeof mine);
    if (status >= 0)
        status = compare(w, &mine);
    if (status < 0)
        return status;
    creation_note chief;
    memcpy(&chief, cohort_workers_note(w, 0), sizeof chief);
    *out = *initial;
    memset(out->strides, 0, sizeof out->strides);
    out->data = NULL;
    if (chief.is_zero || v->bytes == 0)
        return COHORT_OK;
    out->data = cohort_allocate_aligned(v->bytes, 64);
    if (out->data == NULL)
        return cohort_error_memory("the first content of a variable");
    if (w->rank == 0)
        cohort_array_pack(out->data, initial);
    return cohort_workers_broadcast(w, "cohort_variable_create", 0, out->data, v->bytes);
}

static void give_back(const cohort_variable *v, const cohort_array *own)
{
    if (!v->strategy->workers->messages.has_given_up) /* else the engine may write there */
        cohort_free(own->data);
}

/* ------------------------------------------------------------------ by one call */

static cohort_status fill(cohort_variable *v, const cohort_array *initial, cohort_reducer *reducer)
{
    cohort_change first;
    cohort_status status = cohort_change_begin_first(&first, v, initial);
    if (status < 0)
        return status;
    cohort_reducer_restart(reducer);
    cohort_change_apply(&first, reducer);
    cohort_change_end(&first);
    return COHORT_OK;
}

static cohort_status fill_across(cohort_variable *v, const cohort_array *initial,
                                 cohort_reducer *reducer)
{
    cohort_array own = { .data = NULL };
    cohort_status status = take_of_chief(v, initial, &own);
    if (status >= 0)
        status = fill(v, &own, reducer);
    give_back(v, &own);
    return status;
}

/* The first content is posted before anybody gets the variable, so that each later call finds it
 * readable. Where it cannot be, nothing was posted yet, and dropping the variable frees its
 * name. */
static cohort_variable *create(cohort_strategy *s, const creation *c)
{
    cohort_reducer *reducer = cohort_reducer_of(s);
    cohort_variable *v =
        reducer != NULL ? cohort_variable_make(s, c->name, c->initial, c->options) : NULL;
    if (v == NULL)
        return NULL;
    cohort_status status =
        s->workers != NULL ? fill_across(v, c->initial, reducer) : fill(v, c->initial, reducer);
    if (status >= 0)
        return v;
    cohort_variable_drop(v);
    return NULL;
}

static cohort_variable *create_cross(cohort_strategy *s, const creation *c)
{
    if (cohort_call_enter(s, "cohort_variable_create") < 0)
        return NULL;
    cohort_variable *v = create(s, c);
    cohort_status status = v != NULL ? COHORT_OK : cohort_error_status();
    if (v != NULL) {
        /* memory for the stores is taken in line: what the caller's own lane lacks shows here, and
         * then there is no variable */
        cohort_executor_advance(s->executor);
        status = cohort_failure_tell_own(&s->executor->failure);
    }
    if (v != NULL && status < 0) {
        cohort_variable_drop(v);
        v = NULL;
    }
    (void)cohort_call_leave(s, status);
    return v;
}

/* ------------------------------------------------------------------ together, by all replicas */

/* Replicas may number their variables apart, "dense_0" and "dense_1"; the name of replica 0
 * counts. */
static cohort_status check_names(const creation *a, const creation *b, int32_t replica)
{
    if (a->name == NULL || b->name == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: a variable needs a name");
    return cohort_variable_is_same_name(a->name, b->name)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "cohort_variable_create: replica %d creates '%s', replica 0 "
                                  "'%s'; in a step function "
                                  "all replicas create the same variable, with names that differ "
                                  "in a number at their "
                                  "end at most",
                                  replica, b->name, a->name);
}

static cohort_status check_shapes(const creation *a, const creation *b, int32_t replica)
{
    char one[128], other[128];
    const cohort_array *x = a->initial, *y = b->initial;
    cohort_status status = cohort_array_check(x, true, a->name);
    if (status >= 0)
        status = cohort_array_check(y, true, b->name);
    if (status < 0)
        return status;
    bool is_same = x->dtype == y->dtype &&
                   cohort_array_item_bytes(x) == cohort_array_item_bytes(y) && x->rank == y->rank &&
                   memcmp(x->shape, y->shape, (size_t)x->rank * sizeof *x->shape) == 0;
    return is_same
               ? COHORT_OK
               : cohort_error_set(
                     COHORT_EINVAL,
                     "cohort_variable_create: replica %d creates '%s' as %s, replica 0 as %s; in a "
                     "step function all replicas create the same variable",
                     replica, b->name, cohort_shape_to_string(y->dtype, y->rank, y->shape, other),
                     cohort_shape_to_string(x->dtype, x->rank, x->shape, one));
}

static cohort_status check_options(const creation *a, const creation *b, int32_t replica)
{
    static const cohort_variable_options defaults;
    const cohort_variable_options *x = a->options != NULL ? a->options : &defaults;
    const cohort_variable_options *y = b->options != NULL ? b->options : &defaults;
    bool is_same = x->synchronization == y->synchronization && x->aggregation == y->aggregation &&
                   x->colocate_with == y->colocate_with && x->placement == y->placement;
    return is_same ? COHORT_OK
                   : cohort_error_set(
                         COHORT_EINVAL,
                         "cohort_variable_create: replica %d creates '%s' with other options than "
                         "replica 0; in a step function all replicas create the same variable",
                         replica, b->name);
}

/* One variable is made, with the first content that replica 0 passes; of the others only the shape
 * is compared. */
static cohort_status plan_create(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                 void *const all[])
{
    const creation *first = all[0];
    cohort_status status = COHORT_OK;
    (void)rendezvous;
    for (int32_t r = 1; r < s->n_replicas && status >= 0; r++) {
        status = check_names(first, all[r], r);
        if (status >= 0)
            status = check_shapes(first, all[r], r);
        if (status >= 0)
            status = check_options(first, all[r], r);
    }
    if (status < 0)
        return status;
    cohort_variable *v = create(s, first);
    for (int32_t r = 0; r < s->n_replicas && v != NULL; r++)
        ((creation *)all[r])->made = v;
    return v != NULL ? COHORT_OK : cohort_error_status();
}

static cohort_variable *create_together(const char *site, cohort_replica *me, creation *c)
{
    cohort_strategy *s = cohort_stage_strategy(me);
    cohort_status status = cohort_failure_tell(&s->executor->failure);
    if (status >= 0)
        status = cohort_stage_meet(me, &(cohort_rendezvous){ .call = "cohort_variable_create",
                                                             .site = site,
                                                             .mine = c,
                                                             .plan = plan_create });
    return cohort_call_end(s, status) >= 0 ? c->made : NULL;
}

cohort_variable *cohort_variable_create_at(const char *site, cohort_strategy *strategy,
                                           const char *name, cohort_array initial,
                                           const cohort_variable_options *options)
{
    creation c = { name, &initial, options, NULL };
    cohort_replica *me = cohort_stage_replica_of(strategy);
    return cohort_handle_made(COHORT_HANDLE_VARIABLE, me != NULL ? create_together(site, me, &c)
                                                                 : create_cross(strategy, &c));
}
