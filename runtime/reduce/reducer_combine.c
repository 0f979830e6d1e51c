/* SPDX-License-Identifier: BSD-3-Clause */
/* Each is a combination of the leaves (combination.h), of their own dtype or of one that divides
 * better and is rounded to it. */
#include "config.h"

#include "runtime/reduce/reducer_combine.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/operation/fold_halves.h"
#include "runtime/operation/integers.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/combination.h"

#include <cohort/array.h>

static void combine(const cohort_combination *c, uint64_t divisor, cohort_buffer *dst)
{
    cohort_terms list = { .n = 0 };
    if (c->count == 0)
        return;
    if (c->reducer->strategy->workers != NULL) {
        cohort_combination_across(c, divisor, dst);
        return;
    }
    /* MEAN is the SUM, which the last fold divides; the folds below know nothing of it */
    const cohort_tree_node root = { 0, 0, c->reducer->strategy->n_replicas };
    cohort_combination_survey(c, dst->context->index, root);
    cohort_combination_collect(c, dst->context->index, root, &list);
    if (cohort_failure_is_set(&dst->executor->failure))
        cohort_transfer_fail(
            dst, "a reduction"); /* a term may be missing; whatever failed first is kept */
    else if (list.n > 0)
        cohort_fold_post(c->op, c->dtype, list.terms, list.n, dst, c->count, divisor);
    cohort_combination_let_go(c, &list);
    cohort_combination_round(c, dst);
}

/* Whether every leaf is a term of the fold that divides: else something is combined, and rounded,
 * before. */
static bool is_one_fold(const cohort_combination *c, const cohort_buffer *dst)
{
    const cohort_strategy *s = c->reducer->strategy;
    const cohort_tree_node root = { 0, 0, s->n_replicas };
    if (s->workers != NULL)
        return false;
    cohort_combination_survey(c, dst->context->index, root);
    return cohort_combination_known(c, root)->is_whole;
}

/* As float32, of what is in a dtype of 16 or 8 bits. */
typedef struct widening {
    cohort_dtype dtype;
    uint64_t count;
} widening;

static cohort_buffer *widen(cohort_reducer *r, const void *what, int32_t replica)
{
    const widening *w = what;
    cohort_buffer *leaf = r->leaves[replica];
    cohort_buffer *into = cohort_reducer_scratch(r, leaf->context->index, w->count * sizeof(float));
    if (into != NULL)
        cohort_halves_post_widen(w->dtype, leaf, w->count, into);
    return into;
}

/* What replicas have in common is widened once, and counts for each of them. */
static bool widen_common(cohort_reducer *r, const widening *w)
{
    const int32_t n = r->strategy->n_replicas;
    cohort_buffer *leaf = NULL;
    int32_t n_common = 0, first = -1;
    for (int32_t i = 0; i < n; i++) {
        if (r->leaves[i] == NULL)
            continue;
        first = first < 0 ? i : first;
        leaf = r->leaves[first];
        n_common += r->leaves[i] == leaf;
    }
    if (n_common < 2)
        return false;
    cohort_buffer *widened = widen(r, w, first);
    for (int32_t i = 0; i < n; i++)
        r->leaves[i] = r->leaves[i] != NULL ? widened : NULL;
    return true;
}

void cohort_reducer_combine(cohort_reducer *reducer, cohort_reduce_op op, cohort_dtype dtype,
                            uint64_t count, uint64_t divisor, cohort_buffer *dst)
{
    const cohort_combination c = cohort_combination_of(reducer, op, dtype, count);
    if (!cohort_reduction_is_wide((uint32_t)dtype, divisor) || count == 0 || is_one_fold(&c, dst)) {
        combine(&c, divisor, dst);
        return;
    }
    const widening w = { dtype, count };
    if (!widen_common(reducer, &w))
        reducer->maker = (cohort_leaf_maker){ widen, &w };
    cohort_reducer_divide_halves(reducer, dtype, count, divisor, dst);
    reducer->maker = (cohort_leaf_maker){ NULL, NULL };
}

void cohort_reducer_combine_weighed(cohort_reducer *reducer, cohort_reduce_op op,
                                    cohort_dtype dtype, uint64_t count, cohort_buffer *dst)
{
    cohort_combination c = cohort_combination_of(reducer, op, dtype, count);
    c.has_weights = true;
    combine(&c, 1, dst);
}

/* A tree with a single leaf combines nothing. */
void cohort_reducer_take_first(cohort_reducer *reducer, cohort_buffer *first, uint64_t bytes,
                               cohort_buffer *dst)
{
    const cohort_strategy *s = reducer->strategy;
    for (int32_t r = 0; r < s->n_replicas; r++)
        reducer->leaves[r] = s->first_replica + r == 0 ? first : NULL;
    cohort_reducer_combine(reducer, COHORT_MAX, COHORT_U8, bytes, 1, dst);
}

static bool can_see(const cohort_buffer *dst, const cohort_buffer *buffer)
{
    return dst->context->can_access[buffer->context->index] &&
           cohort_context_has(buffer->context, COHORT_CAP_HOST_VISIBLE);
}

bool cohort_reducer_can_weigh(const cohort_reducer *r, const cohort_buffer *dst)
{
    bool can = r->strategy->workers == NULL && can_see(dst, dst) &&
               r->strategy->n_replicas <= (int32_t)COHORT_MAX_TERMS;
    for (int32_t i = 0; i < r->strategy->n_replicas && can; i++)
        can = r->leaves[i] == NULL || (can_see(dst, r->leaves[i]) && can_see(dst, r->weights[i]));
    return can;
}

/* A mean whose tree is carried in another type, of n elements, and rounded where it ends. */
static void combine_carried(cohort_reducer *reducer, cohort_dtype carried, uint64_t n,
                            uint64_t divisor, cohort_rounding rounding)
{
    cohort_buffer *sums = cohort_reducer_scratch(reducer, rounding.dst->context->index,
                                                 n * (uint64_t)cohort_dtype_bytes(carried));
    if (sums == NULL) {
        cohort_transfer_fail(rounding.dst, "a reduction");
        return;
    }
    cohort_combination c = cohort_combination_of(reducer, COHORT_SUM, carried, n);
    c.rounding = rounding;
    combine(&c, divisor, sums);
}

/* Limbs add up like any other int64 (operation/integers.h), so that the tree over them is as every
 * tree; the quotient joins them. */
void cohort_reducer_divide_integers(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                    uint64_t divisor, cohort_buffer *dst)
{
    combine_carried(reducer, COHORT_I64, count * cohort_integers_limbs(dtype), 1,
                    (cohort_rounding){ cohort_integers_post_quotient, dtype, count, divisor, dst });
}

/* The sum was divided as float32. */
static void narrow_mean(cohort_dtype dtype, cohort_buffer *means, uint64_t count, uint64_t divisor,
                        cohort_buffer *dst)
{
    (void)divisor;
    cohort_halves_post_narrow(dtype, means, count, dst);
}

void cohort_reducer_divide_halves(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                  uint64_t divisor, cohort_buffer *dst)
{
    combine_carried(reducer, COHORT_F32, count, divisor,
                    (cohort_rounding){ narrow_mean, dtype, count, divisor, dst });
}
