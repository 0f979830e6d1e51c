/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a layer. One thread is in it at a time, that of the executor of its device; but
 * device_abandon, which only hands on. */
#ifndef COHORT_CHECKING_LAYER_H
#define COHORT_CHECKING_LAYER_H

#include "runtime/checking/checking.h"
#include "runtime/checking/finding.h"
#include "runtime/checking/handles.h"

enum { COHORT_CHECKING_LATEST = 16 };

struct cohort_checking {
    const cohort_device *device;
    const cohort_ops *base; /* the plugin's operations */
    cohort_ops ops;         /* the layer's */
    cohort_dev *dev;        /* the plugin's; NULL while it is not open */

    cohort_handles mems, kernels, events;
    uint64_t asked[COHORT_SLOT_COUNT];
    uint64_t bytes, most_bytes; /* of memory, alive and at most */

    uint64_t seed, chance; /* chance: the state of what follows from the seed */
    uint64_t reductions;
    uint64_t findings;
    cohort_error latest_finding;
    uint64_t files, threads; /* of the process, before it was opened */

    /* rooms of operations that are over, empty: who writes there is late (transfer.c) */
    struct {
        cohort_padded room;
        cohort_slot_id operation;
    } latest[COHORT_CHECKING_LATEST];
    uint32_t next_latest;
};

/* The layer of a cohort_dev that the core has. */
static inline cohort_checking *cohort_checking_of(cohort_dev *dev)
{
    return (cohort_checking *)(void *)dev;
}

/* 0 to n - 1, by chance. */
uint64_t cohort_checking_chance(cohort_checking *checking, uint64_t n);

/* Each sets the operations that its file has: memory.c, transfer.c, kernel.c, event.c, reduce.c. */
void cohort_checking_set_memory(cohort_ops *ops);
void cohort_checking_set_transfers(cohort_ops *ops);
void cohort_checking_set_kernels(cohort_ops *ops);
void cohort_checking_set_events(cohort_ops *ops);
void cohort_checking_set_reduce(cohort_ops *ops);

/* ---- transfer.c */

/* An operation was begun, or is over when *event is NULL: then what it wrote is looked at, and
 * copied out. With an event it is when that is done (cohort_checking_ended).
 *
 * op      copied; its room is the layer's from now on
 * status  what the plugin answered
 * Returns what the operation answers; an error is in err. */
cohort_status cohort_checking_begun(cohort_checking *checking, cohort_held *op,
                                    cohort_status status, cohort_event **event, cohort_error *err);

/* The operation of an event is over. */
cohort_status cohort_checking_ended(cohort_checking *checking, cohort_held *event,
                                    cohort_status status, cohort_error *err);

/* COHORT_EINTERNAL: an operation that was over has written to host memory since. */
cohort_status cohort_checking_look_late(cohort_checking *checking, cohort_error *err);

/* ---- event.c */

/* Until an event of the plugin's is done; NULL: it is. Returns the status of its operation, or
 * COHORT_ETIMEDOUT after a minute. The event stays. */
cohort_status cohort_checking_await(cohort_checking *checking, cohort_status status,
                                    cohort_event *event);

/* Bytes of memory of the device, by the plugin's own read and write. */
cohort_status cohort_checking_get(cohort_checking *checking, cohort_mem *mem, uint64_t offset,
                                  void *into, uint64_t bytes);
cohort_status cohort_checking_put(cohort_checking *checking, cohort_mem *mem, uint64_t offset,
                                  const void *from, uint64_t bytes);

#endif
