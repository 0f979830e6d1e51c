/* SPDX-License-Identifier: BSD-3-Clause */
/* In place: the tree of reducer.h over contributions that one fold can read as they are. */
#include "config.h"

#include "runtime/step/in_place.h"

#include "runtime/operation/fold_all.h"
#include "runtime/reduce/plan.h"
#include "runtime/step/stage_make.h"

/* ------------------------------------------------------------------ may it be */

/* Its newest content is the replica's own memory on its device, and not memory that is lent. */
static bool is_at_home(const cohort_content *c)
{
    const cohort_place *place = &c->places.list[0];
    return c->state == COHORT_CONTENT_FILLED && cohort_places_is_newest(&c->places, place) &&
           place->buffer->imported == NULL;
}

/* Operations whose leaves are the contributions themselves, and whose outcome has their dtype. */
static bool is_plain(cohort_reduce_op op, const cohort_content *c)
{
    return cohort_content_items(c) > 0 && cohort_reduce_check_op(op, c->dtype, "") >= 0 &&
           (op != COHORT_MEAN || cohort_dtype_is_floating(c->dtype));
}

bool cohort_in_place_may_be(cohort_reduce_op op, const cohort_value *x, const cohort_value *into)
{
    const cohort_strategy *s = x->strategy;
    const cohort_content *first = x->components;
    bool may_be = s->workers == NULL && !s->is_trial && s->has_near_memory &&
                  s->guard == COHORT_GUARD_PROPAGATE &&
                  s->n_replicas <= (int32_t)COHORT_MAX_TERMS &&
                  x->kind == COHORT_PER_REPLICA_VALUE && into->components != NULL;
    for (int32_t r = 0; may_be && r < s->n_replicas; r++)
        may_be = is_at_home(&first[r]) && cohort_content_is_like(first, &first[r]);
    return may_be && is_plain(op, first);
}

/* ------------------------------------------------------------------ post */

/* The terms of node [a, b) of the tree, as a program for a stack. */
static void add_terms(const cohort_value *x, int32_t a, int32_t b, cohort_fold_all *fold)
{
    if (b - a == 1) {
        cohort_content_note_read(&x->components[a]);
        fold->terms[a] = (cohort_fold_term){ .buffer = x->components[a].places.list[0].buffer };
        return;
    }
    int32_t m = a + cohort_roots_split(b - a);
    add_terms(x, a, m, fold);
    add_terms(x, m, b, fold);
    fold->terms[b - 1].merges++;
}

/* From here on the components count as written; what they held as contributions is still in the
 * buffers, for none of them is too small or lent. */
static void add_result(const cohort_content *like, cohort_value *into, int32_t replica,
                       cohort_fold_all *fold)
{
    const cohort_strategy *s = into->strategy;
    cohort_content *c = &into->components[replica];
    cohort_content_take_shape(c, like->dtype, like->item_bytes, &like->extents);
    fold->results[replica] = cohort_content_place_write(
        c, s->executor, cohort_value_device(into, replica), cohort_content_bytes(like), false);
}

void cohort_in_place_post(cohort_reduce_op op, const cohort_value *x, cohort_value *into)
{
    const cohort_strategy *s = x->strategy;
    const cohort_content *first = x->components;
    cohort_fold_all fold; /* not cleared: it is large */
    fold.op = cohort_reduce_step(op);
    fold.dtype = first->dtype;
    fold.count = (uint64_t)cohort_content_items(first);
    fold.divisor = op == COHORT_MEAN ? (uint64_t)s->n_replicas : 1;
    fold.n_terms = fold.n_results = s->n_replicas;
    add_terms(x, 0, s->n_replicas, &fold);
    cohort_value_become_per_replica(into);
    for (int32_t r = 0; r < s->n_replicas; r++)
        add_result(first, into, r, &fold);
    cohort_fold_all_post(s->executor, &fold);
}
