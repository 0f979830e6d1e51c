/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles come from blocks, which last as long as the device. */
#include "config.h"

#include "host/handles.h"

#include <stdlib.h>

enum { HANDLES_PER_BLOCK = 63 };

struct handle_block {
    struct handle_block *next;
    cohort_mem mems[HANDLES_PER_BLOCK];
};

static bool handles_grow(struct handles *handles)
{
    struct handle_block *block = malloc(sizeof *block);
    if (block == NULL)
        return false;
    block->next = handles->blocks;
    handles->blocks = block;
    for (int i = 0; i < HANDLES_PER_BLOCK; i++) {
        block->mems[i].next_free = handles->free;
        handles->free = &block->mems[i];
    }
    return true;
}

cohort_status handles_take(struct handles *handles, void *address, uint64_t bytes, bool is_owned,
                           cohort_mem **out_mem, cohort_error *err)
{
    if (handles->free == NULL && !handles_grow(handles))
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a handle");
    cohort_mem *mem = handles->free;
    handles->free = mem->next_free;
    *mem = (cohort_mem){ address, bytes, is_owned, NULL };
    *out_mem = mem;
    return COHORT_OK;
}

void handles_give(struct handles *handles, cohort_mem *mem)
{
    mem->address = NULL;
    mem->next_free = handles->free;
    handles->free = mem;
}

void handles_fini(struct handles *handles)
{
    for (struct handle_block *block = handles->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    *handles = (struct handles){ NULL, NULL };
}
