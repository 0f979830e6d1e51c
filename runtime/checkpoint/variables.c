/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of a strategy, as programs see them. They stand among its dependents in the order
 * in which they were made. */
#include "config.h"

#include "runtime/value/variable.h"

#include <cohort/checkpoint.h>

#include <string.h>

static cohort_variable_info describe(cohort_variable *v)
{
    cohort_variable_info info = { .variable = v,
                                  .name = v->name,
                                  .placement = v->placement.name,
                                  .spec = { .dtype = v->dtype, .rank = v->extents.rank },
                                  .bytes = (int64_t)v->bytes,
                                  .synchronization = v->options.synchronization,
                                  .aggregation = v->options.aggregation,
                                  .copies = cohort_variable_copies(v, NULL, 0),
                                  .components = v->is_per_replica ? v->n_stores : 0,
                                  .is_of_metric = v->is_a_metric };
    memcpy(info.spec.shape, v->extents.shape, sizeof info.spec.shape);
    return info;
}

int cohort_strategy_variables(const cohort_strategy *strategy, cohort_variable_info out[],
                              int capacity)
{
    int n = 0;
    if (!cohort_handle_is(strategy, COHORT_HANDLE_STRATEGY))
        return 0;
    for (cohort_dependent *d = strategy->dependents.next; d != &strategy->dependents; d = d->next)
        if (cohort_handle_is(d, COHORT_HANDLE_VARIABLE)) {
            if (out != NULL && n < capacity)
                out[n] = describe((cohort_variable *)d);
            n++;
        }
    return n;
}
