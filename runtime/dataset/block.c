/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/dataset/block.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <pthread.h>

enum { ALIGNMENT = 128 }; /* what OpenCL drivers want of memory that they use in place */

/* Free blocks lie in lists by the highest bit of their size: a block that was taken for little does not become one for
 * much, and the other way round. In a list a block may grow, to twice its size at most. */
enum { CLASSES = 64 };

struct cohort_pool {
    pthread_mutex_t lock;
    cohort_block *free[CLASSES];
    size_t n_out;    /* blocks that somebody holds */
    size_t n_owners; /* 0: blocks that come back are freed, and the pool with the last */
};

cohort_pool *cohort_pool_create(void)
{
    cohort_pool *pool = cohort_allocate(1, sizeof *pool);
    if (pool != NULL)
        (void)pthread_mutex_init(&pool->lock, NULL);
    if (pool != NULL)
        pool->n_owners = 1;
    return pool;
}

cohort_pool *cohort_pool_share(cohort_pool *pool)
{
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
    if (pool == NULL)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    if (--pool->n_owners == 0)
        free_blocks(pool);
    bool is_last = pool->n_owners == 0 && pool->n_out == 0;
    (void)pthread_mutex_unlock(&pool->lock);
    if (is_last)
        free_pool(pool);
}

static int class_of(size_t bytes)
{
    return bytes > 0 ? 63 - __builtin_clzll((unsigned long long)bytes) : 0;
}

/* A free block of about this size, counted as held; NULL when there is none. */
static cohort_block *take_free(cohort_pool *pool, size_t bytes)
{
    (void)pthread_mutex_lock(&pool->lock);
    cohort_block **list = &pool->free[class_of(bytes)], *block = *list;
    if (block != NULL)
        *list = block->next;
    pool->n_out++;
    (void)pthread_mutex_unlock(&pool->lock);
    return block;
}

static void put_back(cohort_pool *pool, cohort_block *block)
{
    (void)pthread_mutex_lock(&pool->lock);
    bool is_kept = pool->n_owners > 0 && block != NULL;
    if (is_kept) {
        cohort_block **list = &pool->free[class_of(block->bytes)];
        block->next = *list;
        *list = block;
    }
    bool is_last = --pool->n_out == 0 && pool->n_owners == 0;
    (void)pthread_mutex_unlock(&pool->lock);
    if (!is_kept && block != NULL)
        free_block(block);
    if (is_last)
        free_pool(pool);
}

/* What was in it is not kept. */
static bool grow(cohort_block *block, size_t bytes)
{
    void *memory = cohort_allocate_aligned(bytes > 0 ? bytes : 1, ALIGNMENT);
    if (memory == NULL)
        return false;
    cohort_free(block->memory);
    block->memory = memory;
    block->bytes = bytes > 0 ? bytes : 1;
    return true;
}

cohort_block *cohort_pool_take(cohort_pool *pool, size_t bytes)
{
    cohort_block *block = take_free(pool, bytes);
    if (block == NULL)
        block = cohort_allocate(1, sizeof *block);
    if (block == NULL || (block->bytes < bytes && !grow(block, bytes)) ||
        (block->memory == NULL && !grow(block, bytes))) {
        put_back(pool, block);
        (void)cohort_error_memory("the elements of a dataset");
        return NULL;
    }
    block->pool = pool;
    atomic_store_explicit(&block->holders, 1, memory_order_relaxed);
    return block;
}

void cohort_block_hold(cohort_block *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&block->holders, 1, memory_order_relaxed);
}

void cohort_block_release(cohort_block *block)
{
    if (block != NULL && atomic_fetch_sub_explicit(&block->holders, 1, memory_order_acq_rel) == 1)
        put_back(block->pool, block);
}
