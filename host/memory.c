/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device: blocks of this process, and the handles by which the core knows them.
 *
 * Imported memory and slices are handles too, but own nothing: only a block that was allocated here
 * is freed. One caller at a time for each device, so the list of handles needs no lock. */
#include "config.h"

#include "host/memory.h"

#include "host/host.h"
#include "host/machine.h"
#include "host/team.h"

#include <stdlib.h>

enum { HANDLES_PER_BLOCK = 63, SMALL_ALIGN = 64, BIG_BYTES = 256 * 1024 };

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

static cohort_status handle_take(struct handles *handles, void *address, uint64_t bytes,
                                 bool is_owned, cohort_mem **out_mem, cohort_error *err)
{
    if (handles->free == NULL && !handles_grow(handles))
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a handle");
    cohort_mem *mem = handles->free;
    handles->free = mem->next_free;
    *mem = (cohort_mem){ address, bytes, is_owned, NULL };
    *out_mem = mem;
    return COHORT_OK;
}

static void handle_give(struct handles *handles, cohort_mem *mem)
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

/* One byte of each page is enough; volatile, because nobody reads it. */
static void touch_pages(void *address, uint64_t first, uint64_t count)
{
    volatile char *bytes = address;
    uint64_t page = machine_page_bytes();
    for (uint64_t i = first; i < first + count; i += page)
        bytes[i] = 0;
}

/* The system gives a page to the memory node of the thread that first writes to it. So large blocks
 * are touched by the crew, in about the ranges in which it will work on them. Small blocks are left
 * to their first use, unless they have to be there now (COHORT_MEM_COMMIT). */
static void first_touch(cohort_dev *dev, void *address, uint64_t bytes, uint32_t flags)
{
    bool is_big = bytes >= BIG_BYTES;
    if (is_big || (flags & COHORT_MEM_COMMIT) != 0)
        (void)team_split(dev, is_big, bytes, machine_page_bytes(), touch_pages, address);
}

/* More than the machine has is refused here, as a system that overcommits would promise it and end
 * the process later. Large blocks begin at a page, so that no page is touched by two threads. */
static void *block_alloc(uint64_t bytes)
{
    void *address = NULL;
    size_t align = bytes >= BIG_BYTES ? (size_t)machine_page_bytes() : SMALL_ALIGN;
    if (bytes > machine_memory() ||
        posix_memalign(&address, align, bytes > 0 ? (size_t)bytes : 1) != 0)
        return NULL;
    return address;
}

cohort_status host_mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags, cohort_mem **out_mem,
                             cohort_error *err)
{
    void *address = block_alloc(bytes);
    if (address == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes of the %llu that this machine has",
                           (unsigned long long)bytes, (unsigned long long)machine_memory());
    cohort_status st = handle_take(&dev->handles, address, bytes, true, out_mem, err);
    if (st < 0)
        free(address);
    else
        first_touch(dev, address, bytes, flags);
    return st;
}

cohort_status host_mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    (void)err;
    if (mem->is_owned)
        free(mem->address);
    handle_give(&dev->handles, mem);
    return COHORT_OK;
}

cohort_status host_mem_import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                              cohort_mem **out_mem, cohort_error *err)
{
    (void)dir;
    return handle_take(&dev->handles, ptr, bytes, false, out_mem, err);
}

cohort_status host_mem_slice(cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,
                             cohort_mem **out_mem, cohort_error *err)
{
    return handle_take(&dev->handles, (char *)mem->address + offset, bytes, false, out_mem, err);
}

cohort_status host_mem_host_ptr(cohort_dev *dev, cohort_mem *mem, void **out_ptr, cohort_error *err)
{
    (void)dev;
    (void)err;
    *out_ptr = mem->address;
    return COHORT_OK;
}
