/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: what can be asked of one. How it is made and freed is in variable_make.c, how writes
 * go through its stores in variable_write.c, what a failure leaves in variable_settle.c, how
 * devices read it in variable_read.c, where it lives in variable_places.c, its name in
 * variable_table.c. */
#include "config.h"

#include "runtime/value/variable.h"

#include <string.h>

/* ------------------------------------------------------------------ names */

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
        if (cohort_handle_is(d, COHORT_HANDLE_VARIABLE) &&
            lends((cohort_variable *)d, component.data))
            return (cohort_variable *)d;
    return NULL;
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
