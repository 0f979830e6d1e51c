/* SPDX-License-Identifier: BSD-3-Clause */
/* Creating variables, in cross-replica context and in step functions. */
#include "config.h"

#include "runtime/rows/change.h"
#include "runtime/rows/content_across.h"
#include "runtime/step/stage.h"
#include "runtime/strategy/call.h"
#include "runtime/value/variable_make.h"

#include <stdio.h>
#include <string.h>

/* What one call creates; in a step function each replica has one. */
typedef struct creation {
    int replica; /* id */
    const char *name;
    const cohort_array *initial;
    const cohort_variable_options *options; /* or NULL */
    cohort_variable *made;
} creation;

/* ------------------------------------------------------------------ by one call */

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
    cohort_status status = s->workers != NULL ? cohort_content_first(v, c->initial, reducer)
                                              : cohort_change_fill(v, c->initial, reducer);
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
    if (v != NULL && status >= 0 && s->workers != NULL)
        status = cohort_content_first_made(s->workers);
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
static cohort_status check_names(const creation *a, const creation *b)
{
    if (a->name == NULL || b->name == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: a variable needs a name");
    return cohort_variable_is_same_name(a->name, b->name)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "cohort_variable_create: replica %d creates '%s', replica %d "
                                  "'%s'; in a step function "
                                  "all replicas create the same variable, with names that differ "
                                  "in a number at their "
                                  "end at most",
                                  b->replica, b->name, a->replica, a->name);
}

static cohort_status check_shapes(const creation *a, const creation *b)
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
    return is_same ? COHORT_OK
                   : cohort_error_set(COHORT_EINVAL,
                                      "cohort_variable_create: replica %d creates '%s' as %s, "
                                      "replica %d as %s; in a "
                                      "step function all replicas create the same variable",
                                      b->replica, b->name,
                                      cohort_shape_to_string(y->dtype, y->rank, y->shape, other),
                                      a->replica,
                                      cohort_shape_to_string(x->dtype, x->rank, x->shape, one));
}

static cohort_status check_options(const creation *a, const creation *b)
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
                         "replica %d; in a step function all replicas create the same variable",
                         b->replica, b->name, a->replica);
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
        status = check_names(first, all[r]);
        if (status >= 0)
            status = check_shapes(first, all[r]);
        if (status >= 0)
            status = check_options(first, all[r]);
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
    /* where the step has failed meanwhile, as for want of memory for a store, all replicas and all
     * workers have the variable all the same, or else none */
    (void)cohort_call_end(s, status);
    return c->made;
}

cohort_variable *cohort_variable_create_at(const char *site, cohort_strategy *strategy,
                                           const char *name, cohort_array initial,
                                           const cohort_variable_options *options)
{
    cohort_replica *me = cohort_stage_replica_of(strategy);
    creation c = { cohort_replica_id(me), name, &initial, options, NULL };
    return cohort_handle_made(COHORT_HANDLE_VARIABLE, me != NULL ? create_together(site, me, &c)
                                                                 : create_cross(strategy, &c));
}
