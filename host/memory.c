/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device: blocks of this process. Imported memory and slices own nothing: only a block
 * that was allocated here is freed. */
#include "config.h"

#include "host/dev.h"
#include "host/host.h"
#include "host/machine.h"
#include "host/work.h"

#include <stdlib.h>

enum { SMALL_ALIGN = 64, BIG_BYTES = 256 * 1024 };

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
        (void)work_split(dev, is_big, bytes, machine_page_bytes(), touch_pages, address);
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
    cohort_status st = handles_take(&dev->handles, address, bytes, true, out_mem, err);
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
    handles_give(&dev->handles, mem);
    return COHORT_OK;
}

cohort_status host_mem_import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                              cohort_mem **out_mem, cohort_error *err)
{
    (void)dir;
    return handles_take(&dev->handles, ptr, bytes, false, out_mem, err);
}

cohort_status host_mem_slice(cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,
                             cohort_mem **out_mem, cohort_error *err)
{
    return handles_take(&dev->handles, (char *)mem->address + offset, bytes, false, out_mem, err);
}

cohort_status host_mem_host_ptr(cohort_dev *dev, cohort_mem *mem, void **out_ptr, cohort_error *err)
{
    (void)dev;
    (void)err;
    *out_ptr = mem->address;
    return COHORT_OK;
}
