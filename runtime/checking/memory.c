/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a device: poison in it, guard bytes behind it, and where it is. */
#include "config.h"

#include "runtime/checking/layer.h"

#include "runtime/base/memory.h"
#include "runtime/checking/around.h"

#include <string.h>

/* More than that is neither poisoned nor copied out of a device whose memory the host does not
 * see. */
enum { MOST_POISON = 64 << 20 };

static bool is_visible(const cohort_checking *checking)
{
    return (checking->device->info->caps & COHORT_CAP_HOST_VISIBLE) != 0;
}

/* ---- Allocation. */

/* New memory is full of NaN, so that who reads it before writing is seen. What the plugin says to
 * that is said again at the first operation of the core. */
static void poison(cohort_checking *checking, cohort_held *held)
{
    uint64_t bytes = held->bytes + (held->is_guarded ? COHORT_PADDED_GUARD : 0);
    if (bytes > MOST_POISON)
        return;
    unsigned char *block =
        held->address != NULL ? held->address : cohort_allocate((size_t)bytes, 1);
    if (block == NULL)
        return;
    memset(block, COHORT_PADDED_EMPTY, (size_t)held->bytes);
    if (held->is_guarded)
        cohort_padded_guard(block + held->bytes);
    if (held->address == NULL) {
        held->is_guarded &=
            cohort_checking_put(checking, (cohort_mem *)cohort_memory_own(held->handle), 0, block,
                                bytes) == COHORT_OK;
        cohort_free(block);
    }
}

static const cohort_held *find_overlap(const cohort_checking *checking, const cohort_held *held)
{
    for (const cohort_held *other = checking->mems.first; other != NULL; other = other->next)
        if (other != held && other->address != NULL && held->address != NULL &&
            other->address < held->address + held->bytes &&
            held->address < other->address + other->bytes)
            return other;
    return NULL;
}

static cohort_status check_address(cohort_checking *checking, const cohort_held *held,
                                   cohort_slot_id operation, cohort_error *err)
{
    const cohort_held *other = find_overlap(checking, held);
    if (other == NULL)
        return COHORT_OK;
    return cohort_finding(checking, operation, COHORT_CHECKING_OVERLAP, err,
                          "made %llu bytes at %p, of which some are of the %llu bytes at %p",
                          (unsigned long long)held->bytes, (const void *)held->address,
                          (unsigned long long)other->bytes, (const void *)other->address);
}

/* Note what was made. An error of mem_host_ptr is left to the core, which asks for itself. */
static cohort_status note(cohort_checking *checking, cohort_mem *mem, uint64_t bytes,
                          bool is_guarded, cohort_error *err)
{
    void *address = NULL;
    if (cohort_handles_find(&checking->mems, mem) != NULL)
        return cohort_finding(checking, COHORT_SLOT_ALLOC, COHORT_CHECKING_TWICE, err,
                              "handed out memory %p, which is alive", (void *)mem);
    cohort_held *held = cohort_handles_add(&checking->mems, mem);
    if (held == NULL)
        return COHORT_OK; /* memory that is not known is not checked */
    held->bytes = bytes;
    held->is_guarded = is_guarded;
    if (is_visible(checking) &&
        checking->base->mem_host_ptr(checking->dev, mem, &address, NULL) == COHORT_OK)
        held->address = address;
    cohort_status status = check_address(checking, held, COHORT_SLOT_ALLOC, err);
    if (status < 0) {
        cohort_handles_drop(&checking->mems, held);
        (void)checking->base->mem_free(checking->dev, mem, NULL);
        return status;
    }
    checking->bytes += bytes;
    if (checking->bytes > checking->most_bytes)
        checking->most_bytes = checking->bytes;
    poison(checking, held);
    return COHORT_OK;
}

static void forget(cohort_checking *checking, cohort_held *held)
{
    checking->bytes -= held != NULL ? held->bytes : 0;
    cohort_handles_drop(&checking->mems, held);
}

static cohort_status alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags, cohort_mem **out_mem,
                           cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    uint64_t most = checking->device->info->mem_max_alloc;
    bool is_guarded = bytes <= most && most - bytes >= COHORT_PADDED_GUARD;
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_ALLOC);
    cohort_status status = checking->base->mem_alloc(
        checking->dev, bytes + (is_guarded ? COHORT_PADDED_GUARD : 0), flags, out_mem, err);
    bool is_made = status == COHORT_OK && *out_mem != NULL;
    if (is_made)
        status = note(checking, *out_mem, bytes, is_guarded, err);
    bool is_noted = is_made && status == COHORT_OK;
    status = cohort_around_end(&around, status, err);
    if (is_noted && status != COHORT_OK) {
        forget(checking, cohort_handles_find(&checking->mems, *out_mem));
        (void)checking->base->mem_free(checking->dev, *out_mem, NULL);
    }
    if (status != COHORT_OK)
        *out_mem = NULL;
    return status;
}

/* ---- The end. */

static cohort_status check_guard(cohort_checking *checking, const cohort_held *held,
                                 cohort_error *err)
{
    unsigned char guard[COHORT_PADDED_GUARD];
    int64_t at;
    if (!held->is_guarded)
        return COHORT_OK;
    if (held->address != NULL)
        memcpy(guard, held->address + held->bytes, sizeof guard);
    else if (cohort_checking_get(checking, (cohort_mem *)cohort_memory_own(held->handle),
                                 held->bytes, guard, sizeof guard) != COHORT_OK)
        return COHORT_OK; /* an error of read is no finding */
    if (!cohort_padded_guard_differs(guard, &at))
        return COHORT_OK;
    return cohort_finding(checking, COHORT_SLOT_FREE, COHORT_CHECKING_BLOCK, err,
                          "gave back a block of %llu bytes of which byte %lld, behind its end, was "
                          "written",
                          (unsigned long long)held->bytes, (long long)(held->bytes) + at);
}

static cohort_status free_mem(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held *held = cohort_handles_find(&checking->mems, mem);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_FREE);
    cohort_status found = held != NULL ? check_guard(checking, held, err) : COHORT_OK;
    cohort_status status = checking->base->mem_free(checking->dev, mem, found < 0 ? NULL : err);
    forget(checking, held);
    status = cohort_around_end(&around, status, err);
    return status == COHORT_OK ? found : status;
}

/* ---- Memory that the host sees. */

static cohort_status host_ptr(cohort_dev *dev, cohort_mem *mem, void **out_ptr, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    const cohort_held *held = cohort_handles_find(&checking->mems, mem);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_HOST_PTR);
    cohort_status status = cohort_around_end(
        &around, checking->base->mem_host_ptr(checking->dev, mem, out_ptr, err), err);
    if (status == COHORT_OK && held != NULL && held->address != NULL && *out_ptr != held->address)
        status = cohort_finding(checking, COHORT_SLOT_HOST_PTR, COHORT_CHECKING_MOVED, err,
                                "answered %p, and %p before", *out_ptr, (void *)held->address);
    return status;
}

/* What is imported may stand at several addresses, and in several pieces, so only its handle is
 * looked at. */
static cohort_status import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                            cohort_mem **out_mem, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_IMPORT);
    cohort_status status = checking->base->mem_import(checking->dev, ptr, bytes, dir, out_mem, err);
    bool is_made = status == COHORT_OK && *out_mem != NULL;
    status = cohort_around_end(&around, status, err);
    if (is_made && status != COHORT_OK) {
        (void)checking->base->mem_free(checking->dev, *out_mem, NULL);
    } else if (is_made && cohort_handles_find(&checking->mems, *out_mem) != NULL) {
        status = cohort_finding(checking, COHORT_SLOT_IMPORT, COHORT_CHECKING_TWICE, err,
                                "handed out memory %p, which is alive", (void *)*out_mem);
    } else if (is_made) {
        cohort_held *held = cohort_handles_add(&checking->mems, *out_mem);
        if (held != NULL)
            held->bytes = 0; /* not the device's */
    }
    if (status != COHORT_OK)
        *out_mem = NULL;
    return status;
}

void cohort_checking_set_memory(cohort_ops *ops)
{
    ops->mem_alloc = alloc;
    ops->mem_free = free_mem;
    ops->mem_host_ptr = host_ptr;
    ops->mem_import = import;
}
