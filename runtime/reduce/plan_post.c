/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan posts: leaves first, each on the device of its contribution, then the tree over them,
 * then the division. Nothing here fails but for scratch, and that is the strategy's failure. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/operation/fallback.h"
#include "runtime/operation/fold_halves.h"
#include "runtime/operation/fold_rows.h"
#include "runtime/operation/integers.h"
#include "runtime/reduce/plan.h"
#include "runtime/reduce/reducer_combine.h"

#include <string.h>

/* ------------------------------------------------------------------ leaves */

static int32_t device_of(const cohort_reduce_plan *p, int32_t replica)
{
    return cohort_reduce_plan_device(p, replica);
}

/* What a replica has, where it contributes. */
static cohort_buffer *place_operand(const cohort_reduce_plan *p, int32_t replica)
{
    return cohort_operand_place_guarded(&p->x, replica, device_of(p, replica), p->call);
}

static cohort_buffer *place_weights(const cohort_reduce_plan *p, int32_t replica)
{
    return cohort_operand_place(&p->weights, replica, device_of(p, replica));
}

static cohort_buffer *place_weights_guarded(const cohort_reduce_plan *p, int32_t replica)
{
    return p->has_weights
               ? cohort_operand_place_guarded(&p->weights, replica, device_of(p, replica), p->call)
               : NULL;
}

/* Rows in order: the component itself where they are. */
static cohort_buffer *order_rows(const cohort_reduce_plan *p, cohort_reducer *reducer,
                                 int32_t replica, cohort_fold_shape *out_shape)
{
    cohort_buffer *from = reducer->leaves[replica];
    cohort_component c = cohort_operand_look(&p->x, replica);
    if (cohort_axes_shape(p->survey.axes, &c.extents, out_shape))
        return from;
    cohort_buffer *into = cohort_reducer_scratch(
        reducer, device_of(p, replica), (uint64_t)(cohort_component_items(&c) * c.item_bytes));
    if (into != NULL)
        cohort_axes_post_rows(c.dtype, p->survey.axes, &c.extents, from, into);
    return into;
}

/* What is combined along axes or weighed, and then summed up: of a mean in another dtype where that
 * is of 16 bits. */
static cohort_dtype leaf_dtype(const cohort_reduce_plan *p)
{
    const cohort_dtype dtype = p->survey.like.dtype;
    return p->op == COHORT_MEAN ? cohort_halves_sum(dtype) : dtype;
}

static uint64_t leaf_item_bytes(const cohort_reduce_plan *p)
{
    return cohort_reduce_plan_is_integer_mean(p)
               ? cohort_integers_limbs(p->survey.like.dtype) * sizeof(int64_t)
               : (uint64_t)cohort_dtype_bytes(leaf_dtype(p));
}

/* A leaf has one element for each place beside the axes. Without axes it is the contribution
 * itself, but for a mean of integers, whose leaves are limbs. */
static cohort_buffer *make_leaf(cohort_reducer *reducer, const void *what, int32_t replica)
{
    const cohort_reduce_plan *p = what;
    const int32_t device = device_of(p, replica), taken = cohort_reducer_taken(reducer, device);
    cohort_component c = cohort_operand_look(&p->x, replica);
    cohort_fold_shape shape;
    (void)cohort_axes_shape(p->survey.axes, &c.extents, &shape);
    cohort_buffer *into = cohort_reducer_scratch(
        reducer, device, (uint64_t)(shape.outer * shape.inner) * leaf_item_bytes(p));
    cohort_buffer *from = into != NULL ? order_rows(p, reducer, replica, &shape) : NULL;
    if (from == NULL)
        return NULL;
    if (cohort_reduce_plan_is_integer_mean(p))
        cohort_integers_post_sum(p->survey.like.dtype, from, shape, into);
    else
        cohort_fold_post_rows(p->op, p->survey.like.dtype, from, shape, shape.inner,
                              place_weights_guarded(p, replica), p->has_one_weight, into);
    cohort_reducer_give(reducer, device, taken + 1);
    return into;
}

/* The product of a contribution and its one weight, which is placed beside it. */
static cohort_buffer *multiply(cohort_reducer *reducer, const void *what, int32_t replica)
{
    const cohort_reduce_plan *p = what;
    cohort_component c = cohort_operand_look(&p->x, replica);
    const cohort_fold_shape shape = { 1, 1, cohort_component_items(&c) };
    cohort_buffer *into =
        cohort_reducer_scratch(reducer, device_of(p, replica),
                               (uint64_t)shape.inner * (uint64_t)cohort_dtype_bytes(leaf_dtype(p)));
    if (into != NULL)
        cohort_fold_post_rows(p->op, c.dtype, reducer->leaves[replica], shape, shape.inner,
                              reducer->weights[replica], true, into);
    return into;
}

/* The sum of a replica's weights along the axes, in the dtype of a leaf. */
static cohort_buffer *make_weight(cohort_reducer *reducer, const void *what, int32_t replica)
{
    const cohort_reduce_plan *p = what;
    cohort_component c = cohort_operand_look(&p->x, replica);
    cohort_fold_shape shape = { 1, cohort_axes_along(p->survey.axes, &c.extents), 1 };
    cohort_buffer *into = cohort_reducer_scratch(reducer, device_of(p, replica),
                                                 (uint64_t)cohort_dtype_bytes(leaf_dtype(p)));
    if (into != NULL)
        cohort_fold_post_rows(COHORT_MEAN, c.dtype, reducer->leaves[replica], shape,
                              p->has_one_weight ? 0 : 1, NULL, false, into);
    return into;
}

typedef cohort_buffer *(*place_fn)(const cohort_reduce_plan *p, int32_t replica);
typedef cohort_buffer *(*make_fn)(cohort_reducer *reducer, const void *what, int32_t replica);

/* One leaf stands for every replica that it counts for. */
static void repeat_leaf(const cohort_reduce_plan *p, cohort_reducer *reducer)
{
    for (int32_t r = cohort_reduce_plan_leaves(p); r < p->strategy->n_replicas; r++)
        reducer->leaves[r] = cohort_reduce_plan_counts(p, r) ? reducer->leaves[0] : NULL;
}

static void place_leaves(const cohort_reduce_plan *p, cohort_reducer *reducer, place_fn place)
{
    reducer->maker = (cohort_leaf_maker){ NULL, NULL };
    for (int32_t r = 0; r < cohort_reduce_plan_leaves(p); r++)
        reducer->leaves[r] = cohort_reduce_plan_counts(p, r) ? place(p, r) : NULL;
    repeat_leaf(p, reducer);
}

/* Of what was placed, each when its turn comes; what is the same for all replicas once, now. */
static void make_leaves(const cohort_reduce_plan *p, cohort_reducer *reducer, make_fn make)
{
    if (cohort_reduce_plan_leaves(p) == p->strategy->n_replicas) {
        reducer->maker = (cohort_leaf_maker){ make, p };
        return;
    }
    reducer->leaves[0] = reducer->leaves[0] != NULL ? make(reducer, p, 0) : NULL;
    repeat_leaf(p, reducer);
}

/* Contributions that are themselves the leaves, or of which leaves are made. */
static void place_contributions(const cohort_reduce_plan *p, cohort_reducer *reducer)
{
    place_leaves(p, reducer, place_operand);
    if (p->survey.axes != 0 || cohort_reduce_plan_is_integer_mean(p))
        make_leaves(p, reducer, make_leaf);
}

/* Of each replica, of its weights along the axes, what a mean is divided by. */
static void place_divisors(const cohort_reduce_plan *p, cohort_reducer *reducer)
{
    place_leaves(p, reducer, place_weights);
    if (p->survey.axes != 0 || leaf_dtype(p) != p->survey.like.dtype)
        make_leaves(p, reducer, make_weight);
}

/* ------------------------------------------------------------------ post */

/* No replica contributes: the sum of nothing is 0, its product 1 (check_elements has refused all
 * others). */
static void post_neutral(const cohort_reduce_plan *p, uint64_t count, cohort_buffer *dst)
{
    uint64_t bytes = count * (uint64_t)cohort_dtype_bytes(p->survey.like.dtype);
    void *block = cohort_staging_take(dst->context->staging, bytes);
    if (block == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_reduce_fill_neutral(p->op, p->survey.like.dtype, block, count);
    cohort_transfer_upload_taken(dst, 0, block, bytes);
}

/* What post_quotient asks of this process, copied into the record of the operation. */
typedef struct quotient {
    cohort_dtype dtype;
    uint64_t count;
} quotient;

static cohort_status divide_here(const void *what, const void *const sources[],
                                 void *const results[])
{
    const quotient *q = what;
    memcpy(results[0], sources[0], q->count * (uint64_t)cohort_dtype_bytes(q->dtype));
    cohort_arithmetic_find_quotient(q->dtype)(results[0], sources[1], q->count);
    return COHORT_OK;
}

/* dst = sums divided by the number in `divisor`, both of the dtype in which the mean is summed
 * up. */
static void post_quotient(cohort_dtype dtype, cohort_buffer *sums, uint64_t count,
                          cohort_buffer *divisor, cohort_buffer *dst)
{
    if (cohort_halves_sum(dtype) != dtype) {
        cohort_halves_post_quotient(dtype, sums, count, divisor, dst);
        return;
    }
    quotient q = { dtype, count };
    uint64_t item = (uint64_t)cohort_dtype_bytes(dtype);
    (void)cohort_fallback_post(
        &(cohort_fallback){ .fn = divide_here,
                            .work = &q,
                            .work_bytes = sizeof q,
                            .sources = { { sums, count * item }, { divisor, item } },
                            .n_sources = 2,
                            .results = { { dst, count * item } },
                            .n_results = 1 });
}

/* One weight for each contribution: in the pass that combines them where one fold sees all of it,
 * and rounds as it does, else in one of its own before. */
static void post_weighed_terms(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                               cohort_buffer *dst)
{
    cohort_reduce_op op = cohort_reduce_step(p->op);
    cohort_dtype dtype = leaf_dtype(p);
    place_leaves(p, reducer, place_operand);
    for (int32_t r = 0; r < p->strategy->n_replicas; r++)
        reducer->weights[r] = r >= cohort_reduce_plan_leaves(p) ? reducer->weights[0]
                              : cohort_reduce_plan_counts(p, r) ? place_weights_guarded(p, r)
                                                                : NULL;
    if (dtype == p->survey.like.dtype && cohort_reducer_can_weigh(reducer, dst)) {
        cohort_reducer_combine_weighed(reducer, op, dtype, count, dst);
        return;
    }
    make_leaves(p, reducer, multiply);
    cohort_reducer_combine(reducer, op, dtype, count, 1, dst);
}

/* Along axes each replica combines its rows, weighed, in one pass. */
static void post_weighed(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                         cohort_buffer *dst)
{
    if (p->survey.axes == 0) {
        post_weighed_terms(p, reducer, count, dst);
        return;
    }
    place_contributions(p, reducer);
    cohort_reducer_combine(reducer, cohort_reduce_step(p->op), leaf_dtype(p), count, 1, dst);
}

/* The weighed sum, then the sum of the weights, then one division. */
static void post_weighed_mean(const cohort_reduce_plan *p, cohort_reducer *reducer, uint64_t count,
                              cohort_buffer *dst)
{
    cohort_dtype dtype = p->survey.like.dtype;
    uint64_t item = (uint64_t)cohort_dtype_bytes(leaf_dtype(p));
    cohort_buffer *sums = cohort_reducer_scratch(reducer, dst->context->index, count * item);
    cohort_buffer *divisor = cohort_reducer_scratch(reducer, dst->context->index, item);
    if (sums == NULL || divisor == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    post_weighed(p, reducer, count, sums);
    place_divisors(p, reducer);
    cohort_reducer_combine(reducer, COHORT_SUM, leaf_dtype(p), 1, 1, divisor);
    post_quotient(dtype, sums, count, divisor, dst);
}

void cohort_reduce_plan_post(const cohort_reduce_plan *p, cohort_reducer *reducer,
                             cohort_buffer *dst)
{
    const cohort_survey *v = &p->survey;
    cohort_extents left = cohort_axes_drop(v->axes, &v->like.extents);
    uint64_t count = (uint64_t)cohort_axes_along(UINT32_MAX, &left);
    /* along axes MEAN divides by the elements along them, without by the replicas that
     * contribute */
    uint64_t divisor =
        p->op == COHORT_MEAN ? (uint64_t)(v->axes != 0 ? v->along : v->n_contributing) : 1;
    reducer->call = p->call;
    if (count == 0)
        return;
    if (v->n_contributing == 0) {
        post_neutral(p, count, dst);
        return;
    }
    if (p->has_weights) {
        (p->op == COHORT_MEAN ? post_weighed_mean : post_weighed)(p, reducer, count, dst);
        return;
    }
    place_contributions(p, reducer);
    if (cohort_reduce_plan_is_integer_mean(p))
        cohort_reducer_divide_integers(reducer, v->like.dtype, count, divisor, dst);
    else if (v->axes != 0 && leaf_dtype(p) != v->like.dtype)
        cohort_reducer_divide_halves(reducer, v->like.dtype, count, divisor, dst);
    else
        cohort_reducer_combine(reducer, p->op, v->like.dtype, count, divisor, dst);
}
