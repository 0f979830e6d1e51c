/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds that are stored to many buffers: memory is read once and written once, which a fold into
 * scratch memory and copies of that are not. Sums of two, four or eight that go to as many buffers
 * are what replicas do in a step, and have loops that store them so often; others are stored block
 * by block, while the terms and the result of a block are in the cache. */
#include "config.h"

#include "runtime/operation/fold_all.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/reduction.h"
#include "runtime/base/assert.h"
#include "runtime/base/fpstate.h"
#include "runtime/operation/fold.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/use.h"

#include <cohort/array.h>

#include <string.h>

/* SMALL_BYTES: of all terms and results together; to have other lanes take a part of these costs
 * more than it saves. Measured. */
enum { SMALL_BYTES = 128 * 1024, MOST_SLICES = 64, MOST_AT_ONCE = 8 };

bool cohort_fold_all_may_be(const cohort_executor *executor)
{
    bool may_be = true;
    for (int32_t i = 0; i < executor->n_contexts && may_be; i++) {
        const cohort_context *context = executor->contexts[i];
        may_be = cohort_context_has(context, COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE |
                                                 COHORT_CAP_COHERENT);
        for (int32_t j = 0; j < executor->n_contexts && may_be; j++)
            may_be = context->can_access[j];
    }
    return may_be;
}

/* ------------------------------------------------------------------ a range of elements */

/* A buffer that is read or written, as it stands in a record. */
typedef struct place {
    cohort_buffer *buffer;
    uint64_t merges; /* of a term; as wide as the pointer, for records are compared */
} place;

typedef struct fold_op {
    cohort_op op;
    cohort_reduction reduction; /* its terms are filled in when it is done */
    uint64_t first, count;
    int32_t n_terms, n_results;
    place places[2 * COHORT_MAX_TERMS]; /* terms, results; the record ends behind them */
} fold_op;

static size_t bytes_of(const fold_op *f)
{
    return offsetof(fold_op, places) + (size_t)(f->n_terms + f->n_results) * sizeof *f->places;
}

static uint64_t item_bytes(const cohort_reduction *r)
{
    return (uint64_t)cohort_dtype_bytes((cohort_dtype)r->type);
}

/* Whether the tree is that of the loops, of which there are some for two, four and eight terms:
 * merges count as the carries of a binary counter do. */
static bool is_balanced(const fold_op *f)
{
    bool is_so = true;
    for (int32_t i = 0; i < f->n_terms && is_so; i++)
        is_so = f->places[i].merges == (uint64_t)__builtin_ctz((unsigned)i + 1);
    return is_so;
}

/* NULL: there is no loop that does all of it. */
static cohort_arithmetic_all_fn find_all(const fold_op *f)
{
    const cohort_reduction *r = &f->reduction;
    bool may_be = f->n_terms == f->n_results && r->divisor <= 1 && is_balanced(f);
    return may_be ? cohort_arithmetic_find_all(r->op, r->type, r->nterms) : NULL;
}

static void fold_once(const fold_op *f, cohort_arithmetic_all_fn all)
{
    const void *terms[MOST_AT_ONCE];
    void *results[MOST_AT_ONCE];
    uint64_t offset = f->first * item_bytes(&f->reduction);
    for (int32_t i = 0; i < f->n_terms; i++) {
        terms[i] = (const char *)f->places[i].buffer->host + offset;
        results[i] = (char *)f->places[f->n_terms + i].buffer->host + offset;
    }
    cohort_fpstate before = cohort_fpstate_enter();
    all(results, terms, (size_t)f->count);
    cohort_fpstate_leave(before);
}

static cohort_status fold_tree(const fold_op *f)
{
    const void *pointers[COHORT_MAX_TERMS];
    void *results[COHORT_MAX_TERMS];
    cohort_term terms[COHORT_MAX_TERMS];
    cohort_reduction r = f->reduction;
    r.terms = terms;
    for (int32_t i = 0; i < f->n_terms; i++) {
        terms[i] = (cohort_term){ .merges = (uint32_t)f->places[i].merges };
        pointers[i] = f->places[i].buffer->host;
    }
    for (int32_t i = 0; i < f->n_results; i++)
        results[i] = f->places[f->n_terms + i].buffer->host;
    return cohort_reduction_run_to_all(&r, pointers, results, (uint32_t)f->n_results, f->first,
                                       f->count);
}

static cohort_status fold_range(const fold_op *f)
{
    cohort_arithmetic_all_fn all = find_all(f);
    if (all == NULL)
        return fold_tree(f);
    fold_once(f, all);
    return COHORT_OK;
}

static cohort_status do_fold(cohort_lane *lane, cohort_op *op)
{
    (void)lane;
    return fold_range((const fold_op *)op);
}

/* ------------------------------------------------------------------ at once */

static bool is_small(const fold_op *f)
{
    return f->count * item_bytes(&f->reduction) <=
           SMALL_BYTES / (uint64_t)(f->n_terms + f->n_results);
}

static bool may_be_direct(const fold_op *f)
{
    const cohort_executor *executor = f->places[0].buffer->executor;
    bool is_direct = is_small(f) && !cohort_ledger_plan(executor)->posts_all;
    for (int32_t i = 0; i < f->n_terms + f->n_results && is_direct; i++)
        is_direct = cohort_buffer_is_idle(f->places[i].buffer);
    return is_direct;
}

/* ------------------------------------------------------------------ in slices */

/* The device of the first result, then the others. */
static int32_t choose_workers(const fold_op *f, const cohort_executor *executor,
                              cohort_context *out[])
{
    int32_t count = cohort_fold_add_worker(out, 0, f->places[f->n_terms].buffer->context);
    for (int32_t i = 0; i < executor->n_contexts && count < MOST_SLICES && !is_small(f); i++)
        if (!executor->contexts[i]->is_left_out)
            count = cohort_fold_add_worker(out, count, executor->contexts[i]);
    return count;
}

/* A write waits for all users, so that of the buffer of a term that gets the result too is enough;
 * it stands behind the read. */
static int32_t list_uses(const fold_op *f, cohort_use out[])
{
    for (int32_t i = 0; i < f->n_terms + f->n_results; i++)
        out[i] = (cohort_use){ i < f->n_terms ? COHORT_USE_READ : COHORT_USE_WRITE,
                               f->places[i].buffer, NULL };
    return f->n_terms + f->n_results;
}

/* In slices of whole cache lines, so that no two lanes write one line. */
static void submit_slices(cohort_executor *executor, fold_op *f)
{
    cohort_context *workers[MOST_SLICES];
    cohort_use uses[2 * COHORT_MAX_TERMS];
    uint64_t line = 64 / item_bytes(&f->reduction), lines = (f->count + line - 1) / line;
    uint64_t n = (uint64_t)choose_workers(f, executor, workers), count = f->count;
    cohort_parts parts = cohort_parts_begin(executor, uses, list_uses(f, uses));
    for (uint64_t s = 0; s < n; s++) {
        uint64_t to = lines * (s + 1) / n * line;
        f->first = lines * s / n * line;
        f->count = (to < count ? to : count) - f->first;
        (void)cohort_parts_submit(&parts, workers[s], &f->op, bytes_of(f), NULL, 0);
    }
    cohort_parts_end(&parts);
}

/* ------------------------------------------------------------------ one fold */

static void fill(fold_op *f, const cohort_fold_all *fold)
{
    memset(f, 0, offsetof(fold_op, places));
    f->op = (cohort_op)COHORT_OP(.run = do_fold, .flags = COHORT_OP_REPEATABLE | COHORT_OP_SUM);
    f->reduction = (cohort_reduction){ .struct_size = sizeof f->reduction,
                                       .order = COHORT_ORDER_STACK,
                                       .op = fold->op,
                                       .type = fold->dtype,
                                       .nterms = (uint32_t)fold->n_terms,
                                       .count = fold->count,
                                       .divisor = fold->divisor };
    f->first = 0;
    f->count = fold->count;
    f->n_terms = fold->n_terms;
    f->n_results = fold->n_results;
    for (int32_t i = 0; i < fold->n_terms; i++)
        f->places[i] = (place){ fold->terms[i].buffer, fold->terms[i].merges };
    for (int32_t i = 0; i < fold->n_results; i++)
        f->places[fold->n_terms + i] = (place){ fold->results[i], 0 };
}

/* What is done at once needs no fence: all that used the buffers is over, and whoever uses them
 * next is posted by this thread or by one that plans after it. */
void cohort_fold_all_post(cohort_executor *executor, const cohort_fold_all *fold)
{
    fold_op f; /* not cleared: it is large */
    cohort_assert(fold->n_terms >= 1 && fold->n_terms <= (int32_t)COHORT_MAX_TERMS);
    cohort_assert(fold->n_results >= 1 && fold->n_results <= (int32_t)COHORT_MAX_TERMS);
    fill(&f, fold);
    if (!may_be_direct(&f)) {
        submit_slices(executor, &f);
        return;
    }
    cohort_status status = fold_range(&f);
    if (status < 0)
        cohort_failure_raise_own(&executor->failure, status);
}
