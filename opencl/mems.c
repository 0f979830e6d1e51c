/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of handles of memory: in blocks, so that a handle costs no malloc, and its address stays
 * the same while the core holds it. */
#include "config.h"

#include "opencl/mems.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MEMS_PER_BLOCK = 64 };

struct mem_block {
    struct mem_block *next;
    cohort_mem mems[MEMS_PER_BLOCK];
};

static bool grow(struct opencl_mems *mems)
{
    struct mem_block *block = malloc(sizeof *block);
    if (block == NULL)
        return false;
    block->next = mems->blocks;
    mems->blocks = block;
    for (int i = 0; i < MEMS_PER_BLOCK; i++) {
        block->mems[i].next_free = mems->free;
        mems->free = &block->mems[i];
    }
    return true;
}

cohort_mem *opencl_mems_take(struct opencl_mems *mems, uint64_t bytes)
{
    if (mems->free == NULL && !grow(mems))
        return NULL;
    cohort_mem *mem = mems->free;
    mems->free = mem->next_free;
    *mem = (cohort_mem){ .bytes = bytes };
    return mem;
}

void opencl_mems_give(struct opencl_mems *mems, cohort_mem *mem)
{
    mem->next_free = mems->free;
    mems->free = mem;
}

void opencl_mems_fini(struct opencl_mems *mems)
{
    for (struct mem_block *block = mems->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
}
