/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 << 10, ALIGNMENT = 16, FIRST_ITEMS = 8 };

typedef struct pool_block {
    struct pool_block *before;
    size_t used, bytes;
    _Alignas(ALIGNMENT) char room[];
} pool_block;

/* Large requests have a block of their own, as large as they are. */
static pool_block *add_block(pool *p, size_t bytes)
{
    size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    bool fits = room <= POOL_MOST_BYTES - p->bytes;
    pool_block *block = fits ? calloc(1, sizeof *block + room) : NULL;
    if (block == NULL)
        return NULL;
    block->before = p->blocks;
    block->bytes = room;
    p->blocks = block;
    p->bytes += room;
    return block;
}

void *pool_take(pool *p, size_t bytes)
{
    if (p->is_full || bytes > POOL_MOST_BYTES) {
        p->is_full = true;
        return NULL;
    }
    size_t wanted = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    pool_block *block = p->blocks;
    if (block == NULL || block->bytes - block->used < wanted)
        block = add_block(p, wanted);
    p->is_full = block == NULL;
    if (block == NULL)
        return NULL;
    void *taken = block->room + block->used;
    block->used += wanted;
    return taken;
}

char *pool_text(pool *p, const char *text, size_t length)
{
    char *copy = pool_take(p, length + 1);
    return copy != NULL && length > 0 ? memcpy(copy, text, length) : copy;
}

bool pool_grow(pool *p, void **items, int count, int *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return true;
    int wanted = count < FIRST_ITEMS / 2 ? FIRST_ITEMS : count * 2;
    void *room = pool_take(p, (size_t)wanted * item_bytes);
    if (room == NULL)
        return false;
    if (count > 0)
        memcpy(room, *items, (size_t)count * item_bytes);
    *items = room;
    *capacity = wanted;
    return true;
}

void pool_free(pool *p)
{
    for (pool_block *block = p->blocks; block != NULL;) {
        pool_block *before = block->before;
        free(block);
        block = before;
    }
    *p = (pool){ .blocks = NULL };
}
