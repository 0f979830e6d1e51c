/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that only write, read, copy and fill reach: blocks between two canaries, full of noise
 * when new.
 *
 * The core has no address of it, so a test sees everything that the core reads or writes by itself
 * counted here. Noise instead of zeros shows content that was taken for granted; it is written
 * again before a block is freed, for those who still look. A canary that was overwritten is told
 * when the block is freed. */
#include "config.h"

#include "plugins/loopback/device.h"

#include <stdlib.h>
#include <string.h>

enum { CANARY_BYTES = 64, CANARY = 0xc5, NOISE = 0xa9 };

struct cohort_mem {
    unsigned char *address; /* first: see plugins/kit/native.h */
    uint64_t bytes;
    unsigned char *block; /* canary, memory, canary */
};

static unsigned char *block_create(uint64_t bytes)
{
    void *block = NULL;
    if (bytes > SIZE_MAX / 2 ||
        posix_memalign(&block, CANARY_BYTES, (size_t)bytes + 2 * CANARY_BYTES) != 0)
        return NULL;
    memset(block, CANARY, (size_t)bytes + 2 * CANARY_BYTES);
    memset((unsigned char *)block + CANARY_BYTES, NOISE, (size_t)bytes);
    return block;
}

static bool canary_sings(const unsigned char *canary)
{
    for (int i = 0; i < CANARY_BYTES; i++)
        if (canary[i] != CANARY)
            return false;
    return true;
}

static cohort_status mem_create(uint64_t bytes, cohort_mem **out_mem, cohort_error *err)
{
    cohort_mem *mem = malloc(sizeof *mem);
    unsigned char *block = mem != NULL ? block_create(bytes) : NULL;
    if (block == NULL) {
        free(mem);
        return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes", (unsigned long long)bytes);
    }
    *mem = (cohort_mem){ block + CANARY_BYTES, bytes, block };
    *out_mem = mem;
    return COHORT_OK;
}

cohort_status loopback_mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                                 cohort_mem **out_mem, cohort_error *err)
{
    (void)flags;
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_ALLOC, NULL, err);
    if (st == COHORT_OK && bytes > UINT64_C(1) << 32)
        st = cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes, at most 2^32",
                         (unsigned long long)bytes);
    if (st == COHORT_OK)
        st = mem_create(bytes, out_mem, err);
    if (st == COHORT_OK)
        steering_add(dev->part, &(cohort_loopback_counts){ .live_mems = 1, .live_bytes = bytes });
    return st;
}

cohort_status loopback_mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_FREE, NULL, err);
    if (!canary_sings(mem->block) || !canary_sings(mem->address + mem->bytes))
        st = cohort_fail(err, COHORT_EINTERNAL, 0, "something wrote outside a block of %llu bytes",
                         (unsigned long long)mem->bytes);
    steering_subtract(dev->part,
                      &(cohort_loopback_counts){ .live_mems = 1, .live_bytes = mem->bytes });
    memset(mem->address, NOISE, (size_t)mem->bytes);
    free(mem->block);
    free(mem);
    return st;
}

/* A corrupted transfer is complete, but for one bit in the middle. */
static void move(void *into, const void *from, uint64_t bytes, bool is_corrupt)
{
    if (bytes > 0)
        memcpy(into, from, (size_t)bytes);
    if (bytes > 0 && is_corrupt)
        ((unsigned char *)into)[bytes / 2] ^= 0x10;
}

cohort_status loopback_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                             const void *from, uint64_t bytes, cohort_event **out_event,
                             cohort_error *err)
{
    (void)queue;
    (void)out_event;
    bool is_corrupt = false;
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_WRITE, &is_corrupt, err);
    if (st < 0)
        return st;
    move(mem->address + offset, from, bytes, is_corrupt);
    steering_add(dev->part, &(cohort_loopback_counts){ .bytes_in = bytes });
    return COHORT_OK;
}

cohort_status loopback_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                            void *into, uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    bool is_corrupt = false;
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_READ, &is_corrupt, err);
    if (st < 0)
        return st;
    move(into, mem->address + offset, bytes, is_corrupt);
    steering_add(dev->part, &(cohort_loopback_counts){ .bytes_out = bytes });
    return COHORT_OK;
}

cohort_status loopback_copy(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                            uint64_t dst_offset, cohort_mem *src, uint64_t src_offset,
                            uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    bool is_corrupt = false;
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_COPY, &is_corrupt, err);
    if (st < 0)
        return st;
    move(dst->address + dst_offset, src->address + src_offset, bytes, is_corrupt);
    steering_add(dev->part, &(cohort_loopback_counts){ .bytes_inside = bytes });
    return COHORT_OK;
}

cohort_status loopback_fill(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                            uint64_t bytes, const void *pattern, uint32_t pattern_bytes,
                            cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    bool is_corrupt = false;
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_FILL, &is_corrupt, err);
    if (st == COHORT_OK && (pattern_bytes == 0 || pattern_bytes > 128))
        st = cohort_fail(err, COHORT_EINVAL, 0, "a pattern of %u bytes; 1 to 128", pattern_bytes);
    if (st < 0)
        return st;
    for (uint64_t i = 0; i < bytes; i++)
        mem->address[offset + i] = ((const unsigned char *)pattern)[i % pattern_bytes];
    if (bytes > 0 && is_corrupt)
        mem->address[offset + bytes / 2] ^= 0x10;
    steering_add(dev->part, &(cohort_loopback_counts){ .bytes_inside = bytes });
    return COHORT_OK;
}
