/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that a strategy has opened, and its operations, checked.
 *
 * Every function here is called by the runner of the device's lane. It waits until the device is
 * done, unless it is given a pending to fill; takes the core's fallback where the plugin has no
 * such operation; and on failure puts a text into the error slot that names the device and the
 * operation. A device that is not CAP_PROMPT is asked under its deadline. After an answer that no
 * plugin may give (gate.h) the device is lost. */
#ifndef COHORT_EXECUTOR_CONTEXT_H
#define COHORT_EXECUTOR_CONTEXT_H

#include "runtime/checking/checking.h"
#include "runtime/executor/account.h"
#include "runtime/executor/lane.h"
#include "runtime/executor/staging.h"
#include "runtime/plugin/registry.h"

typedef struct cohort_context {
    const cohort_device *device;
    /* the plugin's, or those of a layer that checks it, whose `dev` is then its own */
    const cohort_ops *ops;
    void *self;                /* of device_open */
    cohort_checking *checking; /* that layer; NULL: there is none */
    cohort_dev *dev;           /* NULL until it is open */
    cohort_lane *lane;
    cohort_staging *staging; /* of the executor */
    /* the device's, but COHORT_CAP_PROMPT only where it has no events, and launches no deadline:
     * what its runner does there is over when it was done, and nothing is ever in flight */
    uint64_t caps;
    const int64_t *limits_ns; /* by cohort_setting_id: deadlines, 0: none */
    int32_t index;            /* in the strategy */
    uint32_t checks;          /* bits of base/checks.h: what is checked on it */
    bool *can_access;         /* [devices of the strategy]: its memory may stand where ours may */
    bool is_abandoned;        /* lost, and device_abandon was called */
    /* answered COHORT_ELOST; it is asked on all the same, to free what it holds */
    atomic_bool said_lost;
    bool is_left_out; /* lost, and the strategy has gone on without it; the planner's */
    _Alignas(64) cohort_account account; /* the runner's */
} cohort_context;

/* It has said so, or did not answer in time. */
static inline bool cohort_context_is_lost(const cohort_context *context)
{
    return atomic_load(&context->said_lost) || cohort_lane_is_lost(context->lane);
}

static inline bool cohort_context_has(const cohort_context *context, uint64_t caps)
{
    return (context->caps & caps) == caps;
}

/* Its lane may be given up while it is still at work. */
static inline bool cohort_context_may_be_lost(const cohort_context *context)
{
    return !cohort_context_has(context, COHORT_CAP_PROMPT);
}

/* How much longer than others an operation on so many bytes may take: 1 s for each 100 MB. */
static inline int64_t cohort_context_transfer_ns(uint64_t bytes)
{
    return (int64_t)(bytes / 100000000 * 1000000000);
}

cohort_status cohort_context_open(cohort_context *context);
cohort_status cohort_context_close(cohort_context *context); /* nothing when it is not open */
cohort_status cohort_context_ask_peer(cohort_context *context, cohort_context *peer, bool *out_yes);
/* The calling thread is the lane's worker. */
void cohort_context_attach(cohort_context *context, int32_t caller_cpu);

/* Whether the device has blocks so large, of its own or of memory that it imports. */
static inline bool cohort_context_fits(const cohort_context *context, uint64_t bytes)
{
    return bytes <= context->device->info->mem_max_alloc;
}

/* COHORT_ENOMEM, in words: `what` is larger, and what helps. Any thread. */
cohort_status cohort_context_refuse_bytes(const cohort_context *context, uint64_t bytes,
                                          const char *what, const char *cure);

/* *out_host: where the memory is in this process, NULL when the device does not show it. */
cohort_status cohort_context_alloc(cohort_context *context, uint64_t bytes, cohort_mem **out_mem,
                                   void **out_host);
/* COHORT_ENOTSUP without a text when the device cannot use that memory in place. */
cohort_status cohort_context_import(cohort_context *context, void *memory, uint64_t bytes,
                                    cohort_mem **out_mem);
cohort_status cohort_context_free(cohort_context *context, cohort_mem *mem);

/* pending: gets what the device has only begun (its memory stays as it is until that is
 * over); NULL: wait for it. */
cohort_status cohort_context_write(cohort_context *context, cohort_mem *mem, uint64_t offset,
                                   const void *from, uint64_t bytes, cohort_pending *pending);
cohort_status cohort_context_read(cohort_context *context, cohort_mem *mem, uint64_t offset,
                                  void *into, uint64_t bytes, cohort_pending *pending);
/* src is of this device, or of a peer that can be accessed. */
cohort_status cohort_context_copy(cohort_context *context, cohort_mem *dst, uint64_t dst_offset,
                                  cohort_mem *src, uint64_t src_offset, uint64_t bytes,
                                  cohort_pending *pending);
cohort_status cohort_context_build(cohort_context *context, const cohort_code *code,
                                   const char *entry, const cohort_sig *sig,
                                   cohort_kernel **out_kernel);
cohort_status cohort_context_unbuild(cohort_context *context, cohort_kernel *kernel);
cohort_status cohort_context_launch(cohort_context *context, cohort_kernel *kernel,
                                    const cohort_launch *launch, cohort_pending *pending);
/* Several launches of a kernel in one call, on a device that is done with each at once; *done: 0,
 * and then how many are complete. */
bool cohort_context_takes_batches(const cohort_context *context);
cohort_status cohort_context_launch_batch(cohort_context *context, cohort_kernel *kernel,
                                          const cohort_launch launches[], uint32_t n,
                                          volatile uint32_t *done);
/* Format and bytes of a kernel for the cache; COHORT_ENOTSUP without a text when there are none.
 * *out_block: the caller's, cohort_free. */
cohort_status cohort_context_binary(cohort_context *context, cohort_kernel *kernel,
                                    const char **out_format, void **out_block, uint64_t *out_bytes);
/* COHORT_ENOTSUP without a text when the device leaves it to the core. */
cohort_status cohort_context_reduce(cohort_context *context, const cohort_reduction *reduction);

/* Wait for what is in flight, for timeout_ns at most; spent_ns of its deadline are over. */
void cohort_context_await(const cohort_pending *pending, int64_t timeout_ns, int64_t spent_ns);

/* The same: COHORT_EAGAIN while it is not over; then its event is given back, and the error slot
 * says how it failed. Not when the device is lost by that answer. */
cohort_status cohort_context_settle(const cohort_pending *pending, int64_t timeout_ns,
                                    int64_t spent_ns);

/* A handle of the driver's: of the device, or of its memory when mem is not NULL. Called by the
 * caller of the library, when nothing is under way; asked on a thread of its own. COHORT_ENOTSUP,
 * COHORT_ENOENT. */
cohort_status cohort_context_handle(cohort_context *context, cohort_mem *mem, const char *what,
                                    void **out_handle);

/* The device is lost: let the plugin break what hangs, and say so in the log. Called by whoever
 * noticed, once; nothing else is called after. Nothing of a plugin that was refused is called. */
void cohort_context_abandon(cohort_context *context, const char *why);

#endif
