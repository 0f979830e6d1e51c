/* SPDX-License-Identifier: BSD-3-Clause */
/* One lock for a pool: blocks come and go once for a batch, or for a chunk of rows, not for each
 * element, so that it is seldom contended. Nothing is allocated under it. A pool is freed by the
 * last of its owners and its blocks, whoever that is. */
#include "config.h"

#include "runtime/data/dataset/block.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

#include <pthread.h>

enum { ALIGNMENT = 128 }; /* what OpenCL drivers want of memory that they use in place */

/* Free blocks lie in lists by the highest bit of their size: a block that was taken for little does
 * not become one for much, and the other way round. In a list a block may grow, to twice its size
 * at most. */
enum { CLASSES = 64 };

/* So much may lie there free, or as much as is in use: a large buffer that was given up is not kept
 * for its like. */
static const size_t MOST_FREE = (size_t)64 << 20;

struct cohort_pool {
    pthread_mutex_t lock;
    /* of the process that made it: in a child the lock may be closed for ever, and nothing is
     * done */
    unsigned forks;
    cohort_block *free[CLASSES];
    size_t free_bytes, out_bytes; /* in the lists; in blocks that somebody holds */
    size_t n_out;                 /* such blocks */
    atomic_size_t lent_bytes;     /* of these: in blocks that are lent */
    /* 0: blocks that come back are freed, and the pool with the last */
    size_t n_owners;
};

static bool is_of_parent(const cohort_pool *pool)
{
    return pool->forks != cohort_thread_forks();
}

cohort_pool *cohort_pool_create(void)
{
    cohort_pool *pool = cohort_allocate(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    (void)pthread_mutex_init(&pool->lock, NULL);
    pool->forks = cohort_thread_forks();
    pool->n_owners = 1;
    return pool;
}

cohort_pool *cohort_pool_share(cohort_pool *pool)
{
    if (is_of_parent(pool))
        return pool;
    (void)pthread_mutex_lock(&pool->lock);
    pool->n_owners++;
    (void)pthread_mutex_unlock(&pool->lock);
    return pool;
}

static void free_block(cohort_block *block)
{
    cohort_free(block->memory);
    cohort_free(block);
}

static void free_blocks(cohort_pool *pool)
{
    for (int i = 0; i < CLASSES; i++)
        for (cohort_block *block; (block = pool->free[i]) != NULL;) {
            pool->free[i] = block->next;
            free_block(block);
        }
}

static void free_pool(cohort_pool *pool)
{
    (void)pthread_mutex_destroy(&pool->lock);
    cohort_free(pool);
}

void cohort_pool_release(cohort_pool *pool)
{
    if (pool == NULL || is_of_parent(pool))
        return;
    (void)pthread_mutex_lock(&pool->lock);
    if (--pool->n_owners == 0)
        free_blocks(pool);
    bool is_last = pool->n_owners == 0 && pool->n_out == 0;
    (void)pthread_mutex_unlock(&pool->lock);
    if (is_last)
        free_pool(pool);
}

/* ------------------------------------------------------------------ coming and going */

/* bytes is never 0: the highest bit would be undefined. */
static cohort_block **list_for(cohort_pool *pool, size_t bytes)
{
    return &pool->free[63 - __builtin_clzll((unsigned long long)bytes)];
}

/* A free block of about this size, or NULL; counted as held with as many bytes as it will have. */
static cohort_block *take_free(cohort_pool *pool, size_t bytes)
{
    (void)pthread_mutex_lock(&pool->lock);
    cohort_block **list = list_for(pool, bytes), *block = *list;
    if (block != NULL) {
        *list = block->next;
        pool->free_bytes -= block->bytes;
    }
    pool->n_out++;
    /* what make_room will make of it, so that put_back subtracts the same */
    pool->out_bytes += block != NULL && block->bytes > bytes ? block->bytes : bytes;
    (void)pthread_mutex_unlock(&pool->lock);
    return block;
}

/* block: NULL for one that could not be had, with so many bytes. */
static void put_back(cohort_pool *pool, cohort_block *block, size_t bytes)
{
    (void)pthread_mutex_lock(&pool->lock);
    size_t would_be_free = pool->free_bytes + bytes;
    pool->out_bytes -= bytes;
    bool is_kept = block != NULL && pool->n_owners > 0 &&
                   (would_be_free <= MOST_FREE || would_be_free <= pool->out_bytes);
    if (is_kept) {
        cohort_block **list = list_for(pool, bytes);
        block->next = *list;
        *list = block;
        pool->free_bytes += bytes;
    }
    bool is_last = --pool->n_out == 0 && pool->n_owners == 0;
    (void)pthread_mutex_unlock(&pool->lock);
    if (!is_kept && block != NULL)
        free_block(block);
    if (is_last)
        free_pool(pool);
}

/* The block, or a new one, with at least so many bytes, whose content is lost; NULL: out of memory,
 * and it is freed. */
static cohort_block *make_room(cohort_block *block, size_t bytes)
{
    if (block != NULL && block->bytes >= bytes)
        return block;
    if (block == NULL)
        block = cohort_allocate(1, sizeof *block);
    if (block == NULL)
        return NULL;
    cohort_free(block->memory);
    block->memory = cohort_allocate_aligned(bytes, ALIGNMENT);
    block->bytes = bytes;
    if (block->memory != NULL)
        return block;
    free_block(block);
    return NULL;
}

cohort_block *cohort_pool_take(cohort_pool *pool, size_t bytes)
{
    /* without a pool a block is freed when it is released */
    cohort_pool *keeper = is_of_parent(pool) ? NULL : pool;
    bytes = bytes > 0 ? bytes : 1;
    cohort_block *block = make_room(keeper != NULL ? take_free(keeper, bytes) : NULL, bytes);
    if (block == NULL) {
        if (keeper != NULL)
            put_back(keeper, NULL, bytes);
        (void)cohort_error_memory("the elements of a dataset");
        return NULL;
    }
    block->pool = keeper;
    atomic_store_explicit(&block->holders, 1, memory_order_relaxed);
    return block;
}

/* Relaxed: who holds it once more holds it already. The release below is what orders all reads
 * before the block is used again. */
void cohort_block_hold(cohort_block *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&block->holders, 1, memory_order_relaxed);
}

void cohort_block_release(cohort_block *block)
{
    if (block == NULL || atomic_fetch_sub_explicit(&block->holders, 1, memory_order_acq_rel) != 1)
        return;
    if (block->pool == NULL)
        free_block(block);
    else if (!is_of_parent(block->pool))
        put_back(block->pool, block, block->bytes);
}

/* Relaxed: a count, and holders order what is read. */
void cohort_block_lend(cohort_block *block)
{
    cohort_block_hold(block);
    if (atomic_fetch_add_explicit(&block->lent, 1, memory_order_relaxed) == 0 &&
        block->pool != NULL)
        atomic_fetch_add_explicit(&block->pool->lent_bytes, block->bytes, memory_order_relaxed);
}

void cohort_block_give_back(cohort_block *block)
{
    if (atomic_fetch_sub_explicit(&block->lent, 1, memory_order_relaxed) == 1 &&
        block->pool != NULL)
        atomic_fetch_sub_explicit(&block->pool->lent_bytes, block->bytes, memory_order_relaxed);
    cohort_block_release(block);
}

bool cohort_block_is_lent(const cohort_block *block)
{
    return atomic_load_explicit(&block->lent, memory_order_relaxed) > 0;
}

size_t cohort_pool_lent(const cohort_pool *pool)
{
    return atomic_load_explicit(&pool->lent_bytes, memory_order_relaxed);
}
