/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks: memory of elements that is counted and used again.
 *
 * The maker of elements takes a block from a pool; a holder of the block keeps what is in it; when
 * nobody holds it any more it goes back to the pool. So a pipeline that has run for a few steps
 * allocates nothing, also when it starts over. A pool lives until its owners and all of its blocks
 * have let go: elements outlive the iteration that made them. It keeps 64 MiB free, or as much as
 * is in use.
 *
 * In a child of the process that made a pool, its blocks are memory of their own each, and what the
 * parent had is left as it is: a thread that is not there any more may have held the lock. */
#ifndef COHORT_DATASET_BLOCK_H
#define COHORT_DATASET_BLOCK_H

#include <cohort/status.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_pool cohort_pool;

typedef struct cohort_block {
    cohort_pool *pool;         /* NULL: none, in a child */
    struct cohort_block *next; /* in the pool's list of free ones */
    atomic_int holders;
    atomic_int lent; /* of the holders: those that have it lent */
    void *memory;    /* aligned to 128 bytes */
    size_t bytes;    /* at least what was asked for */
} cohort_block;

cohort_pool *cohort_pool_create(void); /* with one owner; NULL: out of memory, without a text */
cohort_pool *cohort_pool_share(
    cohort_pool *pool); /* one owner more; returns the pool. Any thread */

/* An owner lets go. After the last, free blocks are freed, others when they come back. NULL is
 * allowed. Any thread. */
void cohort_pool_release(cohort_pool *pool);

/* A block of at least `bytes`, held once; its content is undefined. NULL with an error text. Any
 * thread. */
cohort_block *cohort_pool_take(cohort_pool *pool, size_t bytes);

void cohort_block_hold(cohort_block *block); /* NULL is allowed, in both */
void cohort_block_release(cohort_block *block);

/* To hold it for those who read it later, as devices do, and to let go: bytes that are lent are
 * counted, each block once, so that who lends can wait until there are fewer. Any thread. */
void cohort_block_lend(cohort_block *block);
void cohort_block_give_back(cohort_block *block);
bool cohort_block_is_lent(const cohort_block *block);
size_t cohort_pool_lent(const cohort_pool *pool);

#endif
