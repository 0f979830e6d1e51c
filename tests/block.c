/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks and their pools. */
#include "config.h"

#include "runtime/data/dataset/block.h"
#include "tests/tap.h"

#include <cohort/status.h>

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 100, SMALL = 48, LARGE = 1 << 20 };

static void test_nothing(cohort_pool *pool)
{
    cohort_block *block = cohort_pool_take(pool, SMALL);
    cohort_block_hold(NULL);
    cohort_block_release(NULL);
    cohort_pool_release(NULL);
    cohort_block *other = cohort_pool_take(pool, SMALL);
    ok(other != block, "nothing can be held and released, and who holds something keeps it");
    cohort_block_release(other);
    cohort_block_release(block);
}

static void test_holders(cohort_pool *pool)
{
    cohort_block *block = cohort_pool_take(pool, SMALL);
    void *memory = block->memory;
    ok((uintptr_t)memory % 128 == 0 && block->bytes >= SMALL,
       "a block is aligned and large enough");
    memset(memory, 1, SMALL);
    cohort_block_hold(block);
    cohort_block_release(block);
    cohort_block *other = cohort_pool_take(pool, SMALL);
    ok(other != block, "one that is held is not taken again");
    cohort_block_release(block);
    cohort_block *again = cohort_pool_take(pool, SMALL);
    ok(again == block && again->memory == memory, "one that nobody holds is, with its memory");
    cohort_block_release(again);
    cohort_block_release(other);
}

/* What a batch takes is not what its rows take next: else every row would have room for a batch in
 * the end. */
static void test_sizes(cohort_pool *pool)
{
    static cohort_block *rows[MANY];
    size_t largest = 0;
    for (int round = 0; round < 2 * MANY; round++) {
        for (int i = 0; i < MANY; i++)
            rows[i] = cohort_pool_take(pool, SMALL + (size_t)(round + i) % 16);
        cohort_block *batch = cohort_pool_take(pool, LARGE);
        for (int i = 0; i < MANY; i++) {
            largest = rows[i]->bytes > largest ? rows[i]->bytes : largest;
            cohort_block_release(rows[i]);
        }
        cohort_block_release(batch);
    }
    ok(largest < (size_t)2 * SMALL, "small blocks stay small beside a large one");
    int64_t before = cohort_memory_blocks();
    for (int round = 0; round < MANY; round++)
        cohort_block_release(cohort_pool_take(pool, LARGE));
    ok(cohort_memory_blocks() == before, "taking again allocates nothing");
    cohort_block_release(cohort_pool_take(pool, 0));
}

static void test_late(void)
{
    cohort_pool *pool = cohort_pool_create();
    cohort_block *block = cohort_pool_take(pool, SMALL);
    cohort_pool_release(pool);
    memset(block->memory, 2, SMALL);
    cohort_block_release(block);
}

/* What one owner gave back serves the next; when none is left free memory goes at once, not with
 * the last block. */
static void test_owners(void)
{
    cohort_pool *pool = cohort_pool_create(), *shared = cohort_pool_share(pool);
    cohort_block *kept = cohort_pool_take(pool, SMALL), *free = cohort_pool_take(pool, LARGE);
    void *memory = free->memory;
    cohort_block_release(free);
    cohort_pool_release(pool);
    free = cohort_pool_take(shared, LARGE);
    ok(free->memory == memory, "a block is used again while there is an owner");
    cohort_block_release(free);
    int64_t blocks = cohort_memory_blocks();
    cohort_pool_release(shared);
    ok(cohort_memory_blocks() < blocks,
       "free blocks go with the last owner, though one is still held");
    cohort_block_release(kept);
}

/* A buffer that was given up is not kept for its like, beyond 64 MiB; one in use keeps as much
 * free. */
static void test_most(void)
{
    enum { N = 3, HUGE_BYTES = 40 << 20 };
    cohort_block *blocks[N];
    cohort_pool *pool = cohort_pool_create();
    for (int i = 0; i < N; i++)
        blocks[i] = cohort_pool_take(pool, HUGE_BYTES);
    int64_t all = cohort_memory_blocks();
    cohort_block_release(blocks[0]);
    cohort_block_release(blocks[1]);
    int64_t one = cohort_memory_blocks();
    cohort_block_release(blocks[2]);
    ok(one < all && cohort_memory_blocks() == all - 2 * (all - one),
       "no more than 64 MiB are kept for nothing");
    for (int i = 0; i < N; i++)
        blocks[i] = cohort_pool_take(pool, HUGE_BYTES);
    cohort_block *other = cohort_pool_take(pool, HUGE_BYTES);
    all = cohort_memory_blocks();
    cohort_block_release(blocks[0]);
    cohort_block_release(other);
    ok(cohort_memory_blocks() == all, "but as much as is in use");
    cohort_block_release(blocks[1]);
    cohort_block_release(blocks[2]);
    cohort_pool_release(pool);
}

static bool is_fine_in_child(cohort_pool *pool, cohort_block *held)
{
    cohort_block *block = cohort_pool_take(cohort_pool_share(pool), SMALL);
    if (block == NULL)
        return false;
    memset(block->memory, 3, SMALL);
    int64_t blocks = cohort_memory_blocks();
    cohort_block_release(block);
    bool is_freed = cohort_memory_blocks() < blocks;
    cohort_block_release(held);
    cohort_pool_release(pool);
    cohort_pool_release(pool);
    return is_freed;
}

static void test_fork(void)
{
    cohort_pool *pool = cohort_pool_create();
    cohort_block *held = cohort_pool_take(pool, SMALL);
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(is_fine_in_child(pool, held) ? 0 : 1);
    (void)waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "a child's blocks are its own, and the parent's are left alone");
    cohort_block_release(held);
    cohort_pool_release(pool);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_pool *pool = cohort_pool_create();
    test_nothing(pool);
    test_holders(pool);
    test_sizes(pool);
    cohort_pool_release(pool);
    test_late();
    test_owners();
    test_most();
    test_fork();
    ok(cohort_memory_blocks() == blocks,
       "no memory is left behind, also where a block outlives its pool's owner");
    return tap_done();
}
