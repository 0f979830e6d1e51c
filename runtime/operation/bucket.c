/* SPDX-License-Identifier: BSD-3-Clause */
/* A bucket is filled in the planner's memory, as the record that it may become. What costs more
 * than the arithmetic of a small fold is to post it, so one record has as many as fit.
 *
 * Nothing is noted of folds that are done at once: they are over before anything else is planned,
 * and cannot fail. */
#include "config.h"

#include "runtime/operation/bucket.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/reduction.h"
#include "runtime/base/assert.h"
#include "runtime/base/fpstate.h"
#include "runtime/operation/alone.h"
#include "runtime/operation/fold.h"
#include "runtime/operation/use.h"

#include <cohort/array.h>

#include <string.h>

/* Of one result: measured, to post a fold and to find it in its lane takes as long as this. */
enum { SMALL_BYTES = 2 * 1024, MOST_BYTES_HERE = 4 * 1024 * 1024 };

static const cohort_bucket_fold *fold_at(const void *folds, size_t position)
{
    return (const void *)((const char *)folds + position);
}

/* ------------------------------------------------------------------ doing it */

/* The loops of one dtype. Means of 16-bit floats have none: they are combined in float32. */
typedef struct loops {
    uint64_t dtype;
    cohort_arithmetic_combine_fn combine;
    cohort_arithmetic_fused_fn fused;
    cohort_arithmetic_divide_fn divide;
} loops;

static loops find_loops(const cohort_bucket_kind *k, uint64_t dtype)
{
    uint32_t type = (uint32_t)dtype;
    if (cohort_reduction_is_wide(type, k->divisor))
        return (loops){ dtype, NULL, NULL, NULL };
    return (loops){ dtype, cohort_arithmetic_find(k->step, type),
                    k->n_terms == 2
                        ? NULL /* do_pair needs none */
                        : cohort_arithmetic_find_fused(k->step, type, (uint32_t)k->n_terms),
                    k->divisor > 1 ? cohort_arithmetic_find_divide(type) : NULL };
}

/* Trees that one loop computes need no program. */
static cohort_status do_terms(const cohort_bucket_kind *k, const loops *l,
                              const cohort_bucket_fold *f)
{
    const void *pointers[COHORT_MAX_TERMS];
    for (int32_t i = 0; i < k->n_terms; i++)
        pointers[i] = f->terms[i]->host;
    if (l->fused == NULL)
        return cohort_fold_tree(k->step, (cohort_dtype)f->dtype, pointers, NULL, k->n_terms,
                                f->dst->host, f->count, k->divisor);
    l->fused(f->dst->host, pointers, (size_t)f->count);
    if (l->divide != NULL)
        l->divide(f->dst->host, k->divisor, (size_t)f->count);
    return COHORT_OK;
}

static inline void do_pair(const cohort_bucket_kind *k, const loops *l, const cohort_bucket_fold *f)
{
    l->combine(f->dst->host, f->terms[0]->host, f->terms[1]->host, 1, 0, (size_t)f->count);
    if (l->divide != NULL)
        l->divide(f->dst->host, k->divisor, (size_t)f->count);
}

/* Any thread may come with any rounding, and finds it as it was. */
static cohort_status do_folds(const cohort_bucket_kind *k, const void *folds, size_t bytes)
{
    loops l = { COHORT_VOID, NULL, NULL, NULL };
    cohort_status status = COHORT_OK;
    cohort_fpstate before = cohort_fpstate_enter();
    for (size_t at = 0; at < bytes && status >= 0; at += k->fold_bytes) {
        const cohort_bucket_fold *f = fold_at(folds, at);
        if (f->dtype != l.dtype)
            l = find_loops(k, f->dtype);
        if (k->n_terms == 2 && l.combine != NULL)
            do_pair(k, &l, f);
        else
            status = do_terms(k, &l, f);
    }
    cohort_fpstate_leave(before);
    return status;
}

static cohort_status do_bucket(cohort_lane *lane, cohort_op *op)
{
    const cohort_bucket_op *b = (const cohort_bucket_op *)op;
    (void)lane;
    return do_folds(&b->kind, b->folds, b->bytes);
}

/* ------------------------------------------------------------------ posting it */

static void post(const cohort_bucket_op *b, cohort_executor *executor, cohort_context *where)
{
    cohort_use uses[COHORT_BUCKET_WORDS]; /* not cleared: there is room for many */
    int32_t n = 0;
    for (size_t at = 0; at < b->bytes; at += b->kind.fold_bytes) {
        const cohort_bucket_fold *f = fold_at(b->folds, at);
        for (int32_t i = 0; i < b->kind.n_terms; i++)
            uses[n++] = (cohort_use){ COHORT_USE_READ, f->terms[i], NULL };
        uses[n++] = (cohort_use){ COHORT_USE_WRITE, f->dst, NULL };
    }
    (void)cohort_submit(executor, where, &b->op, offsetof(cohort_bucket_op, folds) + b->bytes, uses,
                        n);
}

static void do_now(const cohort_bucket_kind *k, const void *folds, size_t bytes)
{
    cohort_status status = do_folds(k, folds, bytes);
    cohort_assert(status >= 0);
    (void)status;
}

/* Operations of several buckets go to the workers in turn, so that the first of them works while
 * the caller still plans. */
static int32_t take_turn(const cohort_bucket *bucket, bool is_last)
{
    return is_last ? 0 : (bucket->n_posted + 1) % bucket->n_workers;
}

void cohort_bucket_close(cohort_bucket *bucket, bool is_last)
{
    cohort_bucket_op *b = &bucket->record;
    if (b->bytes == 0)
        return;
    cohort_executor *executor = fold_at(b->folds, 0)->dst->executor;
    bool is_alone = is_last && bucket->n_posted == 0;
    if (is_alone && cohort_executor_is_idle(executor)) {
        do_now(&b->kind, b->folds, b->bytes);
    } else {
        int32_t i = is_alone ? cohort_alone_choose(executor, bucket->workers, bucket->n_workers)
                             : take_turn(bucket, is_last);
        post(b, executor, bucket->workers[i]);
    }
    bucket->n_posted++;
    bucket->result_bytes = b->bytes = 0;
}

void cohort_bucket_begin(cohort_bucket *bucket, cohort_context *const workers[], int32_t n_workers,
                         cohort_reduce_op op, int32_t n_terms, uint64_t divisor)
{
    cohort_bucket_op *b = &bucket->record;
    cohort_assert(n_workers > 0 && n_terms >= 1 && n_terms <= (int32_t)COHORT_MAX_TERMS);
    bucket->workers = workers;
    bucket->n_workers = n_workers;
    bucket->n_posted = 0;
    bucket->result_bytes = 0;
    b->op = (cohort_op)COHORT_OP(.run = do_bucket,
                                 .flags = COHORT_OP_REPEATABLE | COHORT_OP_HERE | COHORT_OP_SUM);
    b->kind = (cohort_bucket_kind){ op, n_terms, divisor, cohort_bucket_fold_bytes(n_terms) };
    b->bytes = 0;
}

/* To post a fold takes as long as to add some KiB up, so many small ones are done here, too: as
 * many as a call may take time for, some tenths of a millisecond. */
static bool is_better_done_here(int32_t n, uint64_t bytes)
{
    return bytes <= COHORT_BUCKET_FOLD_BYTES ||
           (bytes <= MOST_BYTES_HERE && bytes / (uint64_t)n <= SMALL_BYTES);
}

void cohort_bucket_take(cohort_bucket *bucket, const cohort_bucket_fold *folds, int32_t n,
                        uint64_t bytes)
{
    const cohort_bucket_kind *k = &bucket->record.kind;
    cohort_assert(n > 0 && bucket->record.bytes == 0);
    if (is_better_done_here(n, bytes) && cohort_executor_is_idle(folds->dst->executor)) {
        do_now(k, folds, (size_t)n * k->fold_bytes);
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        const cohort_bucket_fold *f = fold_at(folds, (size_t)i * k->fold_bytes);
        uint64_t result = f->count * (uint64_t)cohort_dtype_bytes((cohort_dtype)f->dtype);
        memcpy(cohort_bucket_add(bucket, result), f, k->fold_bytes);
    }
    cohort_bucket_close(bucket, true);
}
