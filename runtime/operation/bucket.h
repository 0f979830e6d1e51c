/* SPDX-License-Identifier: BSD-3-Clause */
/* A bucket: small folds that are one operation.
 *
 * Each combines one term for each replica, element by element, along the tree of cohort_reduce. All
 * memory is shown to this process, whose own loops do it: at once, in the call itself, when nothing
 * is under way; else in line, in the lane of a device that reaches all of it. Neither that nor what
 * else is in the bucket changes a bit. */
#ifndef COHORT_OPERATION_BUCKET_H
#define COHORT_OPERATION_BUCKET_H

#include "runtime/operation/buffer.h"

enum {
    COHORT_BUCKET_FOLD_BYTES = 64 * 1024, /* most bytes of one result */
    COHORT_BUCKET_WORDS = 512             /* of a record; more folds are another operation */
};

/* A fold in the record. Behind it the next one begins. */
typedef struct cohort_bucket_fold {
    uint64_t count;     /* elements, at least 1 */
    uint64_t dtype;     /* a cohort_dtype */
    cohort_buffer *dst; /* large enough, and in no other fold of the bucket */
    cohort_buffer *terms[];
} cohort_bucket_fold;

/* The parts that all folds of a bucket have in common. */
typedef struct cohort_bucket_kind {
    cohort_reduce_op step;
    int32_t n_terms;
    uint64_t divisor;  /* as in cohort_reduction */
    size_t fold_bytes; /* of one fold */
} cohort_bucket_kind;

typedef struct cohort_bucket_op {
    cohort_op op;
    cohort_bucket_kind kind;
    size_t bytes; /* of all folds in it */
    uint64_t folds[COHORT_BUCKET_WORDS];
} cohort_bucket_op;

typedef struct cohort_bucket {
    /* devices of different lanes which reach all memory; what is not done at once and is the last
     * of several is done by the first, and a single one as alone.h says */
    cohort_context *const *workers;
    int32_t n_workers;
    int32_t n_posted;
    uint64_t result_bytes; /* of the folds in it */
    cohort_bucket_op record;
} cohort_bucket;

/* op: SUM, PROD, MIN or MAX, of 1 to COHORT_MAX_TERMS terms; divisor: 1, or of dtypes that can be
 * divided. The workers are the caller's until the end. */
void cohort_bucket_begin(cohort_bucket *bucket, cohort_context *const workers[], int32_t n_workers,
                         cohort_reduce_op op, int32_t n_terms, uint64_t divisor);

/* Post what is in it; the last, if so. */
void cohort_bucket_close(cohort_bucket *bucket, bool is_last);

/* All of the folds of a bucket to which none was added, which is closed then: n of them, one behind
 * the other, and copied where they are not done at once. bytes: of all results. */
void cohort_bucket_take(cohort_bucket *bucket, const cohort_bucket_fold *folds, int32_t n,
                        uint64_t bytes);

static inline size_t cohort_bucket_fold_bytes(int32_t n_terms)
{
    size_t bytes = sizeof(cohort_bucket_fold) + (size_t)n_terms * sizeof(cohort_buffer *);
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

/* Another fold, of a result of so many bytes, COHORT_BUCKET_FOLD_BYTES at most; to be filled in. */
static inline cohort_bucket_fold *cohort_bucket_add(cohort_bucket *bucket, uint64_t bytes)
{
    cohort_bucket_op *b = &bucket->record;
    if (b->bytes + b->kind.fold_bytes > sizeof b->folds ||
        bucket->result_bytes + bytes > COHORT_BUCKET_FOLD_BYTES)
        cohort_bucket_close(bucket, false);
    cohort_bucket_fold *fold = (cohort_bucket_fold *)(void *)((char *)b->folds + b->bytes);
    b->bytes += b->kind.fold_bytes;
    bucket->result_bytes += bytes;
    return fold;
}

#endif
