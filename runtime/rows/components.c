/* SPDX-License-Identifier: BSD-3-Clause */
/* Components of an ON_READ variable: the tree over them is that of every reduction, so that reading
 * such a variable gives the bits that cohort_reduce would give. */
#include "config.h"

#include "runtime/rows/components.h"

#include "runtime/base/assert.h"
#include "runtime/base/dtype.h"
#include "runtime/operation/fold.h"
#include "runtime/reduce/reduce.h"
#include "runtime/reduce/reducer_combine.h"

cohort_status cohort_components_check(const cohort_variable *v)
{
    cohort_aggregation aggregation = v->options.aggregation;
    if (aggregation == COHORT_AGGREGATE_NONE)
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s' has a component per replica and aggregation NONE, so it has no value in "
            "cross-replica context: read it in a step function or with cohort_local_results, or "
            "create it with an aggregation",
            v->name);
    if (aggregation == COHORT_AGGREGATE_ONLY_FIRST_REPLICA)
        return COHORT_OK;
    char who[COHORT_ERROR_BYTES / 4];
    (void)snprintf(who, sizeof who, "variable '%s'", v->name);
    return cohort_reduce_check_op(aggregation == COHORT_AGGREGATE_MEAN ? COHORT_MEAN : COHORT_SUM,
                                  v->dtype, who);
}

enum { LITTLE_BYTES = 4096 };

static bool is_one_tree(const cohort_variable *v)
{
    cohort_aggregation aggregation = v->options.aggregation;
    return aggregation == COHORT_AGGREGATE_SUM ||
           (aggregation == COHORT_AGGREGATE_MEAN && cohort_dtype_is_floating(v->dtype));
}

bool cohort_components_are_little(const cohort_variable *v)
{
    return v->is_per_replica && v->bytes <= LITTLE_BYTES && v->strategy->workers == NULL &&
           is_one_tree(v) && v->strategy->n_replicas <= (int32_t)COHORT_MAX_TERMS;
}

/* Whether there is such a sum or mean was checked. */
void cohort_components_fold(const cohort_variable *v, const void *const terms[], void *into)
{
    bool is_mean = v->options.aggregation == COHORT_AGGREGATE_MEAN;
    int32_t n = v->strategy->n_replicas;
    cohort_status status =
        cohort_fold_tree(COHORT_SUM, v->dtype, terms, NULL, n, into,
                         v->bytes / (uint64_t)v->item_bytes, is_mean ? (uint64_t)n : 1);
    cohort_assert(status >= 0);
    (void)status;
}

/* Every replica has a component, so MEAN divides by their number. ONLY_FIRST_REPLICA combines
 * nothing: the component of replica 0 is read where it lies, or, across workers, brought to all. */
cohort_buffer *cohort_components_combine(cohort_variable *v, cohort_reducer *reducer)
{
    const cohort_strategy *s = v->strategy;
    bool is_mean = v->options.aggregation == COHORT_AGGREGATE_MEAN;
    bool is_first = v->options.aggregation == COHORT_AGGREGATE_ONLY_FIRST_REPLICA;
    if (is_first && s->workers == NULL)
        return cohort_variable_current(v, 0);
    cohort_buffer *total = cohort_reducer_scratch(reducer, s->home, v->bytes);
    if (total == NULL)
        return NULL;
    if (is_first) {
        cohort_reducer_take_first(reducer, cohort_variable_current(v, 0), v->bytes, total);
        return total;
    }
    for (int32_t r = 0; r < s->n_replicas; r++)
        reducer->leaves[r] = cohort_variable_current(v, r);
    cohort_reducer_combine(reducer, is_mean ? COHORT_MEAN : COHORT_SUM, v->dtype,
                           v->bytes / (uint64_t)v->item_bytes, is_mean ? (uint64_t)s->n_in_sync : 1,
                           total);
    return total;
}
