/* SPDX-License-Identifier: BSD-3-Clause */
/* The layer of a device: its table, opening and closing, and what is counted. */
#include "config.h"

#include "runtime/checking/layer.h"

#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"
#include "runtime/checking/around.h"
#include "runtime/checking/census.h"

#include <stdlib.h>
#include <string.h>

/* ---- Chance: splitmix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014). */

uint64_t cohort_checking_chance(cohort_checking *checking, uint64_t n)
{
    uint64_t z = checking->chance += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % n;
}

static uint64_t choose_seed(void)
{
    const char *text = cohort_setting_text(COHORT_SETTING_CHECK_SEED);
    return text != NULL ? strtoull(text, NULL, 10) : (uint64_t)cohort_clock_ns();
}

/* ---- Opening and closing. */

static cohort_status open_device(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                 cohort_dev **out_dev, cohort_error *err)
{
    cohort_checking *checking = self;
    cohort_around around;
    checking->files = cohort_census_files();
    checking->threads = cohort_census_threads();
    cohort_around_begin(&around, checking, COHORT_SLOT_OPEN);
    cohort_status status = checking->base->device_open(checking->device->loaded->plugin->self,
                                                       index, part, parts, &checking->dev, err);
    bool is_open = status == COHORT_OK && checking->dev != NULL;
    status = cohort_around_end(&around, status, err);
    if (is_open && status != COHORT_OK) {
        (void)checking->base->device_close(checking->dev, NULL);
        checking->dev = NULL;
    }
    *out_dev = is_open && status == COHORT_OK ? (cohort_dev *)(void *)checking : NULL;
    return status;
}

static uint64_t count_operations(const cohort_checking *checking)
{
    uint64_t n = 0;
    for (int i = 0; i < COHORT_SLOT_COUNT; i++)
        n += checking->asked[i];
    return n;
}

/* Drivers keep files and threads from their first opening on, so more of them are no mistake; more
 * at each opening are. */
static void say_counts(const cohort_checking *checking)
{
    cohort_log(COHORT_SUBSYSTEM_CHECKING, COHORT_LOG_INFO,
               "%s: plugin '%s' is checked: %llu operations (those of the check itself among "
               "them), %llu blocks of memory (%llu bytes at "
               "most), %llu kernels, %llu events, %llu reductions; of the process %llu files when "
               "it was opened and %llu when it is closed, %llu and %llu threads "
               "(COHORT_CHECK_SEED=%llu)",
               checking->device->id, checking->device->loaded->name,
               (unsigned long long)count_operations(checking),
               (unsigned long long)checking->mems.ever, (unsigned long long)checking->most_bytes,
               (unsigned long long)checking->kernels.ever,
               (unsigned long long)checking->events.ever, (unsigned long long)checking->reductions,
               (unsigned long long)checking->files, (unsigned long long)cohort_census_files(),
               (unsigned long long)checking->threads, (unsigned long long)cohort_census_threads(),
               (unsigned long long)checking->seed);
    if (checking->mems.n + checking->kernels.n + checking->events.n > 0)
        cohort_log(COHORT_SUBSYSTEM_CHECKING, COHORT_LOG_ERROR,
                   "%s: it is closed with %llu blocks of memory, %llu kernels and %llu events that "
                   "nobody gave back: a mistake of Cohort, not of the plugin",
                   checking->device->id, (unsigned long long)checking->mems.n,
                   (unsigned long long)checking->kernels.n, (unsigned long long)checking->events.n);
}

static cohort_status close_device(cohort_dev *dev, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_CLOSE);
    cohort_status status = checking->base->device_close(checking->dev, err);
    checking->dev = NULL;
    status = cohort_around_end(&around, status, err);
    cohort_status late = cohort_checking_look_late(checking, err);
    say_counts(checking);
    return status == COHORT_OK ? late : status;
}

static cohort_status ask_peer(cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes,
                              cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_ASK_PEER);
    cohort_status status =
        checking->base->can_access_peer(checking->dev, cohort_checking_of(peer)->dev, out_yes, err);
    return cohort_around_end(&around, status, err);
}

static cohort_status attach(cohort_dev *dev, int32_t caller_cpu, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_ATTACH);
    return cohort_around_end(&around, checking->base->worker_attach(checking->dev, caller_cpu, err),
                             err);
}

/* Its thread may be beside the one that hangs in the layer: nothing of the layer is written. */
static cohort_status abandon(cohort_dev *dev, cohort_error *err)
{
    const cohort_checking *checking = cohort_checking_of(dev);
    return checking->base->device_abandon(checking->dev, err);
}

/* ---- The table. */

/* The plugin of a device says which operations there are, so the layer's table has no other. */
static void leave_out_missing(cohort_checking *checking)
{
    void (*const none)(void) = NULL;
    for (cohort_slot_id id = 0; id < COHORT_SLOT_COUNT; id++)
        if (!cohort_slot_is_there(checking->base, id))
            memcpy((char *)&checking->ops + cohort_slot_table[id].at, &none, sizeof none);
}

cohort_checking *cohort_checking_create(const cohort_device *device)
{
    cohort_checking *checking = cohort_allocate(1, sizeof *checking);
    if (checking == NULL)
        return NULL;
    checking->device = device;
    checking->base = &device->loaded->ops;
    checking->seed = checking->chance = choose_seed();
    checking->ops = (cohort_ops){ .struct_size = sizeof checking->ops,
                                  .device_open = open_device,
                                  .device_close = close_device,
                                  .can_access_peer = ask_peer,
                                  .worker_attach = attach,
                                  .device_abandon = abandon };
    cohort_checking_set_memory(&checking->ops);
    cohort_checking_set_transfers(&checking->ops);
    cohort_checking_set_kernels(&checking->ops);
    cohort_checking_set_events(&checking->ops);
    cohort_checking_set_reduce(&checking->ops);
    leave_out_missing(checking);
    return checking;
}

void cohort_checking_destroy(cohort_checking *checking)
{
    if (checking == NULL)
        return;
    cohort_handles_drop_all(&checking->mems);
    cohort_handles_drop_all(&checking->kernels);
    cohort_handles_drop_all(&checking->events);
    for (int i = 0; i < COHORT_CHECKING_LATEST; i++)
        cohort_padded_free(&checking->latest[i].room);
    cohort_free(checking);
}

const cohort_ops *cohort_checking_ops(const cohort_checking *checking)
{
    return &checking->ops;
}

cohort_dev *cohort_checking_dev(const cohort_checking *checking)
{
    return checking->dev;
}
