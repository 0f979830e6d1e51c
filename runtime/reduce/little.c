/* SPDX-License-Identifier: BSD-3-Clause */
/* A little reduction is looked at as one that is near (near.h), and besides along what it goes, by
 * what it is weighed, and where all of that lies. Then each replica's contribution is folded along
 * the axes, and the results along the tree, as by the operations that a plan posts. */
#include "config.h"

#include "runtime/reduce/little.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/assert.h"
#include "runtime/base/dtype.h"
#include "runtime/base/fpstate.h"
#include "runtime/operation/fold_halves.h"
#include "runtime/operation/fold_rows.h"
#include "runtime/reduce/near.h"

typedef struct little {
    cohort_near near;
    cohort_reduce_op op;
    uint32_t axes;
    /* one: of each replica; else one of each element along the axes */
    bool has_weights, has_one_weight;
    cohort_fold_shape shape; /* of a contribution */
    cohort_extents left;     /* without the axes */
    /* sum: in which contributions are combined; makes_leaves: by axes, or since that is another
     * one */
    cohort_dtype dtype, sum;
    bool makes_leaves;
    int32_t n;            /* replicas */
    uint64_t count, item; /* elements of the result, bytes of one */
    uint64_t bytes_read;
    const void *x[COHORT_MAX_TERMS], *weights[COHORT_MAX_TERMS];
} little;

/* ------------------------------------------------------------------ is it one? */

/* The component of a replica, where its device has it; NULL: it is to be brought there. */
static const void *find_memory(const cohort_content *component)
{
    const cohort_place *place = component->places.list; /* its only one */
    bool is_there = cohort_places_is_newest(&component->places, place) &&
                    cohort_context_has(place->buffer->context, COHORT_CAP_HOST_VISIBLE);
    return is_there ? place->buffer->host : NULL;
}

static bool find_memory_of_all(const cohort_content components[], int32_t n, const void *out[])
{
    bool are_there = true;
    for (int32_t r = 0; r < n && are_there; r++) {
        out[r] = find_memory(&components[r]);
        are_there = out[r] != NULL;
    }
    return are_there;
}

/* Each contribution can be walked along them as it lies. */
static bool find_axes(little *l, const cohort_reduce_request *q)
{
    const cohort_extents *extents = &l->near.x->components->extents;
    bool are_good = true;
    l->axes = 0;
    for (int32_t i = 0; i < q->n_axes && are_good; i++)
        are_good = cohort_axes_add(&l->axes, q->axes[i], extents->rank);
    l->left = cohort_axes_drop(l->axes, extents);
    return are_good && cohort_axes_shape(l->axes, extents, &l->shape);
}

/* As the weights of a plan. */
static bool fits(const little *l, const cohort_content *weights, const cohort_extents *wanted)
{
    return weights->state == COHORT_CONTENT_FILLED && weights->dtype == l->dtype &&
           (l->has_one_weight ? weights->extents.rank == 0
                              : cohort_extents_is_same(&weights->extents, wanted));
}

static bool find_weights(little *l, const cohort_value *weights)
{
    const cohort_content *x = l->near.x->components;
    l->has_weights = weights != NULL;
    l->has_one_weight = false;
    if (weights == NULL)
        return true;
    if (!cohort_handle_is(weights, COHORT_HANDLE_VALUE) ||
        weights->strategy != l->near.into->strategy || weights->kind != COHORT_PER_REPLICA_VALUE ||
        weights->logical != l->near.x->logical || !cohort_dtype_is_floating(l->dtype))
        return false;
    const cohort_content *c = weights->components;
    const cohort_extents wanted = cohort_axes_drop(~l->axes, &x->extents);
    l->has_one_weight = c->extents.rank == 0;
    bool fit = true;
    for (int32_t r = 0; r < l->n && fit; r++)
        fit = fits(l, &c[r], &wanted);
    l->bytes_read += (uint64_t)l->n * cohort_content_bytes(c);
    return fit;
}

/* All of it may be looked at, for nothing is under way. */
static bool find_all(little *l, const cohort_value *weights)
{
    const cohort_value *into = l->near.into;
    const cohort_buffer *home = into->plain.places.list[into->strategy->home].buffer;
    return find_memory_of_all(l->near.x->components, l->n, l->x) &&
           (weights == NULL || find_memory_of_all(weights->components, l->n, l->weights)) &&
           cohort_buffer_has(home, l->count * l->item) && home->host != NULL;
}

static bool is_little(little *l, const cohort_reducer *reducer, const cohort_reduce_request *q,
                      cohort_value *x, cohort_value *into)
{
    cohort_near *near = &l->near;
    if (!cohort_near_find(near, reducer, q->op, x, into))
        return false;
    l->op = q->op;
    l->dtype = x->components->dtype;
    l->item = (uint64_t)x->components->item_bytes;
    l->n = reducer->strategy->n_replicas;
    l->bytes_read = (uint64_t)l->n * near->bytes;
    if (!find_axes(l, q) || !find_weights(l, q->weights))
        return false;
    l->count = (uint64_t)(l->shape.outer * l->shape.inner);
    l->sum = q->op == COHORT_MEAN && (l->axes != 0 || l->has_weights) ? cohort_halves_sum(l->dtype)
                                                                      : l->dtype;
    l->makes_leaves = l->axes != 0 || l->sum != l->dtype;
    return cohort_executor_may_do(reducer->strategy->executor, l->bytes_read, false) &&
           find_all(l, q->weights);
}

/* ------------------------------------------------------------------ doing it */

/* Bytes from a place in the room to the next: whole cache lines. */
static uint64_t step_of(const little *l)
{
    return (l->count * (uint64_t)cohort_dtype_bytes(l->sum) + 63) / 64 * 64;
}

/* The weights are those of whole terms: where a contribution has axes they are in its rows. */
static void combine(const little *l, cohort_reduce_op op, const void *const leaves[],
                    const void *const weights[], uint64_t count, uint64_t divisor, void *into)
{
    cohort_status status =
        cohort_fold_tree(op, l->sum, leaves, weights, l->n, into, count, divisor);
    cohort_assert(status >= 0);
    (void)status;
}

/* What of each replica is outer x rows x inner, along the middle, at a place of its own in the
 * room. */
static void combine_rows(const little *l, const void *const from[], cohort_fold_shape shape,
                         int64_t stride, const void *const weights[], unsigned char *room,
                         const void *out[])
{
    const uint64_t step = step_of(l);
    for (int32_t r = 0; r < l->n; r++) {
        unsigned char *into = room + (uint64_t)r * step;
        cohort_status status =
            cohort_fold_rows(l->op, l->dtype, from[r], shape, stride,
                             weights != NULL ? weights[r] : NULL, l->has_one_weight, into);
        cohort_assert(status >= 0);
        (void)status;
        out[r] = into;
    }
}

/* The weighed sum of a mean becomes it. */
static void divide_by_weights(const little *l, unsigned char *room, void *sum, void *into)
{
    _Alignas(16) unsigned char all[16];
    const void *sums[COHORT_MAX_TERMS];
    const cohort_fold_shape line = { 1, l->shape.rows, 1 };
    if (l->makes_leaves)
        combine_rows(l, l->weights, line, l->has_one_weight ? 0 : 1, NULL, room, sums);
    combine(l, COHORT_SUM, l->makes_leaves ? sums : l->weights, NULL, 1, 1, all);
    cohort_fpstate before = cohort_fpstate_enter();
    if (l->sum != l->dtype)
        cohort_halves_divide(l->dtype, sum, l->count, all, into);
    else
        cohort_arithmetic_find_quotient(l->dtype)(into, all, l->count);
    cohort_fpstate_leave(before);
}

/* As that of a plan (cohort_reduce_plan_post): every replica contributes. */
static uint64_t divisor_of(const little *l)
{
    uint64_t along = l->axes != 0 ? (uint64_t)l->shape.rows : 1;
    return l->op == COHORT_MEAN && !l->has_weights ? along * (uint64_t)l->n : 1;
}

/* The room ends with a place for a sum of another dtype. */
static void fold(const little *l, unsigned char *room, void *into)
{
    const void *leaves[COHORT_MAX_TERMS];
    const bool is_wide = l->sum != l->dtype;
    void *sum = is_wide ? room + (uint64_t)l->n * step_of(l) : into;
    if (l->makes_leaves)
        combine_rows(l, l->x, l->shape, l->shape.inner, l->has_weights ? l->weights : NULL, room,
                     leaves);
    combine(l, cohort_reduce_step(l->op), l->makes_leaves ? leaves : l->x,
            l->has_weights && !l->makes_leaves ? l->weights : NULL, l->count, divisor_of(l), sum);
    if (l->op == COHORT_MEAN && l->has_weights)
        divide_by_weights(l, room, sum, into);
    else if (is_wide)
        cohort_arithmetic_find_narrow((uint32_t)l->dtype)(into, sum, l->count);
}

bool cohort_little_do(cohort_reducer *reducer, const cohort_reduce_request *request,
                      cohort_value *x, cohort_value *into)
{
    little l; /* not cleared: it is large */
    if (!is_little(&l, reducer, request, x, into))
        return false;
    unsigned char *room =
        l.makes_leaves ? cohort_reducer_room(reducer, (size_t)l.n + 1, step_of(&l)) : NULL;
    if (room == NULL && l.makes_leaves)
        return false;
    fold(&l, room, cohort_near_start(&l.near, &l.left, l.count * l.item)->host);
    return true;
}
