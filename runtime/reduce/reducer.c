/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/reducer.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/memory.h"
#include "runtime/operation/fold_halves.h"
#include "runtime/operation/integers.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/combination.h"
#include "runtime/reduce/crossing.h"
#include "runtime/reduce/list_memo.h"

#include <cohort/array.h>

/* ------------------------------------------------------------------ making and scratch */

static void free_reducer(cohort_reducer *r)
{
    cohort_free(r->scratch);
    cohort_free(r->leaves);
    cohort_free(r->weights);
    cohort_free(r->nodes);
    cohort_free(r->room);
    cohort_free(r->workers);
    cohort_list_memos_free(r->lists);
    cohort_free(r);
}

/* Scratch buffers are destroyed in line with the folds that still use them. */
static void destroy_reducer(cohort_dependent *dependent)
{
    cohort_reducer *r = (cohort_reducer *)dependent;
    cohort_strategy_disown(dependent);
    for (int32_t d = 0; r->scratch != NULL && d < r->strategy->n_devices; d++) {
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            cohort_buffer_destroy(r->scratch[d].buffers[i]);
        cohort_free(r->scratch[d].buffers);
    }
    free_reducer(r);
}

static void settle_reducer(cohort_dependent *dependent)
{
    const cohort_reducer *r = (const cohort_reducer *)dependent;
    for (int32_t d = 0; d < r->strategy->n_devices; d++)
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            (void)cohort_buffer_settle(r->scratch[d].buffers[i]);
}

/* No device is asked, so none has to reach the memory of another one. */
static bool are_near(const cohort_strategy *s)
{
    bool are_near = s->workers == NULL && s->n_replicas <= (int32_t)COHORT_MAX_TERMS &&
                    cohort_crossing_is_shown(cohort_strategy_context(s, s->home));
    for (int32_t i = 0; i < s->n_hosts && are_near; i++)
        are_near = cohort_crossing_is_shown(cohort_strategy_context(s, i));
    return are_near;
}

/* A second device of a lane would only wait for the first. */
static void list_workers(cohort_reducer *r)
{
    const cohort_strategy *s = r->strategy;
    r->workers[r->n_workers++] = cohort_strategy_context(s, s->home);
    for (int32_t i = 0; i < s->n_hosts; i++) {
        cohort_context *o = cohort_strategy_context(s, i);
        bool is_taken = false;
        for (int32_t j = 0; j < r->n_workers; j++)
            is_taken = is_taken || r->workers[j]->lane == o->lane;
        if (!is_taken)
            r->workers[r->n_workers++] = o;
    }
}

/* A binary tree over n leaves has 2 n - 1 nodes. */
static cohort_reducer *make_reducer(cohort_strategy *strategy)
{
    size_t replicas = (size_t)strategy->n_replicas;
    cohort_reducer *r = cohort_allocate(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->strategy = strategy;
    r->call = "a reduction";
    r->dependent = (cohort_dependent){ .destroy = destroy_reducer, .settle = settle_reducer };
    r->scratch = cohort_allocate((size_t)strategy->n_devices, sizeof *r->scratch);
    r->leaves = cohort_allocate(replicas, sizeof *r->leaves);
    r->weights = cohort_allocate(replicas, sizeof *r->weights);
    r->nodes = cohort_allocate(2 * replicas - 1, sizeof *r->nodes);
    r->workers = cohort_allocate((size_t)strategy->n_devices, sizeof(cohort_context *));
    if (r->scratch != NULL && r->leaves != NULL && r->weights != NULL && r->nodes != NULL &&
        r->workers != NULL) {
        if (are_near(strategy))
            list_workers(r);
        return r;
    }
    free_reducer(r);
    return NULL;
}

/* Each strategy has one reducer, attached to it by the address of a key of this file, and destroyed
 * with it. */
cohort_reducer *cohort_reducer_of(cohort_strategy *strategy)
{
    static const char key;
    cohort_reducer *r = cohort_strategy_attached(strategy, &key);
    if (r != NULL)
        return r;
    if ((r = make_reducer(strategy)) == NULL) {
        (void)cohort_error_memory("a reduction");
        return NULL;
    }
    cohort_strategy_adopt(strategy, &r->dependent);
    cohort_strategy_attach(strategy, &key, r, NULL);
    return r;
}

/* A buffer that is handed out again may still be read by a fold that was posted before: whoever
 * writes it next waits for that by its use (operation/use.h), on the device and not here. */
void cohort_reducer_restart(cohort_reducer *reducer)
{
    reducer->call = "a reduction";
    for (int32_t d = 0; d < reducer->strategy->n_devices && reducer->n_held == 0; d++)
        reducer->scratch[d].used = 0;
}

void *cohort_reducer_room(cohort_reducer *r, size_t count, size_t size)
{
    if (count > SIZE_MAX / size ||
        !cohort_grow((void **)&r->room, &r->room_bytes, count * size, 1)) {
        (void)cohort_error_memory("a list of reductions");
        return NULL;
    }
    return r->room;
}

cohort_buffer *cohort_reducer_scratch(cohort_reducer *reducer, int32_t device, uint64_t bytes)
{
    cohort_scratch *s = &reducer->scratch[device];
    cohort_executor *executor = reducer->strategy->executor;
    if (s->used == s->count) {
        bool has_room = cohort_grow((void **)&s->buffers, &s->capacity, (size_t)s->count + 1,
                                    sizeof(cohort_buffer *));
        cohort_buffer *made =
            has_room ? cohort_buffer_create(executor, executor->contexts[device]) : NULL;
        if (made == NULL) {
            cohort_failure_raise_own(&executor->failure, cohort_error_memory("a reduction"));
            return NULL;
        }
        s->buffers[s->count++] = made;
    }
    cohort_buffer *buffer = s->buffers[s->used++];
    cohort_buffer_require(buffer, bytes);
    return buffer;
}

/* ------------------------------------------------------------------ all of it */

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
}

/* Whether every leaf is a term of the fold that divides: else something is combined, and rounded,
 * before. */
static bool is_one_fold(const cohort_combination *c, const cohort_buffer *dst)
{
    const cohort_strategy *s = c->reducer->strategy;
    const cohort_tree_node root = { 0, 0, s->n_replicas };
    int32_t leaves = 0;
    if (s->workers != NULL)
        return false;
    for (int32_t r = 0; r < s->n_replicas; r++)
        leaves += c->reducer->leaves[r] != NULL;
    cohort_combination_survey(c, dst->context->index, root);
    return leaves <= (int32_t)COHORT_MAX_TERMS &&
           cohort_combination_known(c, root)->terms == leaves;
}

/* Each where it lies; what several replicas have in common once. */
static void widen_leaves(cohort_reducer *r, cohort_dtype dtype, uint64_t count)
{
    cohort_buffer *last = NULL, *widened = NULL;
    for (int32_t i = 0; i < r->strategy->n_replicas; i++) {
        cohort_buffer *leaf = r->leaves[i];
        if (leaf == NULL)
            continue;
        if (leaf != last) {
            widened = cohort_reducer_scratch(r, leaf->context->index, count * sizeof(float));
            if (widened != NULL)
                cohort_halves_post_widen(dtype, leaf, count, widened);
        }
        last = leaf;
        r->leaves[i] = widened;
    }
}

void cohort_reducer_combine(cohort_reducer *reducer, cohort_reduce_op op, cohort_dtype dtype,
                            uint64_t count, uint64_t divisor, cohort_buffer *dst)
{
    const cohort_combination c = cohort_combination_of(reducer, op, dtype, count);
    if (!cohort_reduction_is_wide((uint32_t)dtype, divisor) || count == 0 || is_one_fold(&c, dst)) {
        combine(&c, divisor, dst);
        return;
    }
    widen_leaves(reducer, dtype, count);
    cohort_reducer_divide_halves(reducer, dtype, count, divisor, dst);
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

/* Limbs add up like any other int64 (operation/integers.h), so that the tree over them is as every
 * tree; the quotient joins them. */
void cohort_reducer_divide_integers(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                    uint64_t divisor, cohort_buffer *dst)
{
    uint64_t limbs = count * cohort_integers_limbs(dtype);
    cohort_buffer *sums =
        cohort_reducer_scratch(reducer, dst->context->index, limbs * sizeof(int64_t));
    if (sums == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_combination c = cohort_combination_of(reducer, COHORT_SUM, COHORT_I64, limbs);
    c.is_urgent = true;
    combine(&c, 1, sums);
    cohort_integers_post_quotient(dtype, sums, count, divisor, dst);
}

void cohort_reducer_divide_halves(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                  uint64_t divisor, cohort_buffer *dst)
{
    cohort_buffer *means =
        cohort_reducer_scratch(reducer, dst->context->index, count * sizeof(float));
    if (means == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_combination c = cohort_combination_of(reducer, COHORT_SUM, COHORT_F32, count);
    c.is_urgent = true;
    combine(&c, divisor, means);
    cohort_halves_post_narrow(dtype, means, count, dst);
}
