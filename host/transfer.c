/* SPDX-License-Identifier: BSD-3-Clause */
/* write, read, copy and fill, which are memcpy: by the crew when they are large, in ranges of whole
 * cache lines. */
#include "config.h"

#include "host/handles.h"
#include "host/host.h"
#include "host/work.h"

#include <string.h>

enum { TEAM_BYTES = 256 * 1024, LINE_BYTES = 64, FILL_BLOCK = 4096 };

struct transfer {
    char *into;
    const char *from;
};

static void transfer_range(void *context, uint64_t first, uint64_t count)
{
    const struct transfer *transfer = context;
    memcpy(transfer->into + first, transfer->from + first, (size_t)count);
}

static cohort_status transfer(cohort_dev *dev, void *into, const void *from, uint64_t bytes)
{
    struct transfer whole = { into, from };
    if (bytes > 0)
        (void)work_split(dev, bytes >= TEAM_BYTES, bytes, LINE_BYTES, transfer_range, &whole);
    return COHORT_OK;
}

cohort_status host_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                         const void *from, uint64_t bytes, cohort_event **out_event,
                         cohort_error *err)
{
    (void)queue;
    (void)out_event;
    (void)err;
    return transfer(dev, (char *)mem->address + offset, from, bytes);
}

cohort_status host_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                        void *into, uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    (void)err;
    return transfer(dev, into, (const char *)mem->address + offset, bytes);
}

cohort_status host_copy(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst, uint64_t dst_offset,
                        cohort_mem *src, uint64_t src_offset, uint64_t bytes,
                        cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    (void)err;
    return transfer(dev, (char *)dst->address + dst_offset, (const char *)src->address + src_offset,
                    bytes);
}

/* The pattern, repeated as often as it fits into a block. */
struct filling {
    char *into;
    uint64_t block_bytes;
    char block[FILL_BLOCK];
};

/* Blocks are large enough for memcpy to be quick, and hold the pattern whole, so that each range
 * can begin with the pattern's first byte. */
static void filling_repeat(struct filling *filling, const void *pattern, uint32_t pattern_bytes)
{
    filling->block_bytes = FILL_BLOCK / pattern_bytes * pattern_bytes;
    for (uint64_t i = 0; i < filling->block_bytes; i += pattern_bytes)
        memcpy(filling->block + i, pattern, pattern_bytes);
}

/* first is a multiple of the block. */
static void filling_range(void *context, uint64_t first, uint64_t count)
{
    const struct filling *filling = context;
    for (uint64_t done = 0; done < count; done += filling->block_bytes) {
        uint64_t left = count - done;
        memcpy(filling->into + first + done, filling->block,
               (size_t)(left < filling->block_bytes ? left : filling->block_bytes));
    }
}

cohort_status host_fill(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                        uint64_t bytes, const void *pattern, uint32_t pattern_bytes,
                        cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    if (pattern_bytes == 0 || pattern_bytes > 128)
        return cohort_fail(err, COHORT_EINVAL, 0, "a pattern of %u bytes; 1 to 128", pattern_bytes);
    struct filling filling;
    filling.into = (char *)mem->address + offset;
    filling_repeat(&filling, pattern, pattern_bytes);
    if (bytes > 0)
        (void)work_split(dev, bytes >= TEAM_BYTES, bytes, filling.block_bytes, filling_range,
                         &filling);
    return COHORT_OK;
}
