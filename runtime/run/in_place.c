/* SPDX-License-Identifier: BSD-3-Clause */
/* In place: the tree of reducer.h over contributions that one fold can read as they are. */
#include "config.h"

#include "runtime/run/in_place.h"

#include "runtime/operation/fold_all.h"
#include "runtime/run/stage.h"

/* ------------------------------------------------------------------ may it be */

/* Its newest content is its own memory on its device, and not memory that is lent. */
static bool is_at_home(const cohort_content *c)
{
    const cohort_place *place = &c->places.list[0];
    return cohort_places_is_newest(&c->places, place) && place->buffer->imported == NULL;
}

/* Operations whose leaves are the contributions themselves, and whose outcome has their dtype. */
static bool is_plain(const cohort_reduce_plan *plan)
{
    return plan->strategy->guard == COHORT_GUARD_PROPAGATE && plan->survey.n_contributing > 0 &&
           cohort_component_items(&plan->survey.like) > 0 &&
           (plan->op != COHORT_MEAN || cohort_dtype_is_floating(plan->survey.like.dtype));
}

bool cohort_in_place_may_be(const cohort_reduce_plan *plan, const cohort_value *x,
                            const cohort_value *into)
{
    const cohort_strategy *s = plan->strategy;
    bool may_be = cohort_stage_of(s)->has_near_memory && is_plain(plan) &&
                  s->n_replicas <= (int32_t)COHORT_MAX_TERMS &&
                  x->kind == COHORT_PER_REPLICA_VALUE &&
                  (x != into || into->kind == COHORT_PER_REPLICA_VALUE);
    for (int32_t r = 0; may_be && r < s->n_replicas; r++)
        may_be = !cohort_reduce_plan_counts(plan, r) || is_at_home(&x->components[r]);
    return may_be;
}

/* ------------------------------------------------------------------ post */

/* Appends the terms of node [a, b) of the tree; returns how many. */
static int32_t add_terms(const cohort_reduce_plan *plan, const cohort_value *x, int32_t a,
                         int32_t b, cohort_fold_all *fold)
{
    if (b - a == 1) {
        if (!cohort_reduce_plan_counts(plan, a))
            return 0;
        fold->terms[fold->n_terms++] =
            (cohort_fold_term){ .buffer = x->components[a].places.list[0].buffer };
        return 1;
    }
    int32_t m = a + cohort_reducer_split(b - a);
    int32_t left = add_terms(plan, x, a, m, fold), right = add_terms(plan, x, m, b, fold);
    if (left > 0 && right > 0)
        fold->terms[fold->n_terms - 1].merges++;
    return left + right;
}

/* From here on the components count as written; what they held as contributions is still in the
 * buffers, for none of them is too small or lent. */
static void add_results(const cohort_content *shape, cohort_value *into, cohort_fold_all *fold)
{
    const cohort_strategy *s = into->strategy;
    uint64_t bytes = cohort_content_bytes(shape);
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_content *c = &into->components[r];
        c->dtype = shape->dtype;
        c->item_bytes = shape->item_bytes;
        c->extents = shape->extents;
        fold->results[fold->n_results++] =
            cohort_content_place_write(c, s->executor, s->host[r], bytes, false);
    }
}

void cohort_in_place_post(const cohort_reduce_plan *plan, const cohort_value *x, cohort_value *into)
{
    cohort_fold_all fold; /* not cleared: it is large */
    cohort_content shape;
    cohort_reduce_plan_shape(plan, &shape);
    fold.op = cohort_reduce_step(plan->op);
    fold.dtype = shape.dtype;
    fold.count = (uint64_t)cohort_content_items(&shape);
    fold.divisor = plan->op == COHORT_MEAN ? (uint64_t)plan->survey.n_contributing : 1;
    fold.n_terms = fold.n_results = 0;
    (void)add_terms(plan, x, 0, plan->strategy->n_replicas, &fold);
    cohort_value_become_per_replica(into);
    add_results(&shape, into, &fold);
    cohort_fold_all_post(plan->strategy->executor, &fold);
}
