/* SPDX-License-Identifier: BSD-3-Clause */
/* The slots of a plugin's table, cohort_ops, each with what the core expects of it: the one list by
 * which plugins are checked, when they are loaded and at each answer. */
#ifndef COHORT_PLUGIN_SLOT_H
#define COHORT_PLUGIN_SLOT_H

#include <cohort/plugin.h>

#include <stdbool.h>

/* X(id, slot, words, need, partner, otherwise)
 *
 * id         of the enum
 * slot       name in cohort_ops
 * words      for messages to users
 * need       MUST: a plugin without it is not loaded; MAY: it may be NULL
 * partner    the slot without which this one is not used either; itself: none
 * otherwise  the one negative answer that is no error. FAILS: there is none. FALLBACK:
 *            COHORT_ENOTSUP, the core does the work itself. LATER: COHORT_EAGAIN, the core asks
 *            again */
#define COHORT_SLOTS(X)                                                                            \
    X(ENUMERATE, enumerate, "enumerate", MUST, enumerate, FAILS)                                   \
    X(OPEN, device_open, "open", MUST, device_open, FAILS)                                         \
    X(CLOSE, device_close, "close", MUST, device_close, FAILS)                                     \
    X(ALLOC, mem_alloc, "allocate memory", MUST, mem_alloc, FAILS)                                 \
    X(FREE, mem_free, "free", MUST, mem_free, FAILS)                                               \
    X(WRITE, write, "write", MUST, write, FAILS)                                                   \
    X(READ, read, "read", MUST, read, FAILS)                                                       \
    X(BUILD, kernel_create, "build", MUST, kernel_create, FAILS)                                   \
    X(UNBUILD, kernel_destroy, "free a kernel", MUST, kernel_destroy, FAILS)                       \
    X(LAUNCH, launch, "launch", MUST, launch, FAILS)                                               \
    X(EVENT_WAIT, event_wait, "wait", MAY, event_release, LATER)                                   \
    X(EVENT_RELEASE, event_release, "release an event", MAY, event_wait, FAILS)                    \
    X(EVENT_NOTIFY, event_notify, "notify", MAY, event_notify, FALLBACK)                           \
    X(EVENT_TIME, event_time, "time", MAY, event_time, FALLBACK)                                   \
    X(QUEUE_CREATE, queue_create, "create a queue", MAY, queue_destroy, FALLBACK)                  \
    X(QUEUE_DESTROY, queue_destroy, "free a queue", MAY, queue_create, FAILS)                      \
    X(QUEUE_WAIT, queue_wait, "wait in a queue", MAY, queue_wait, FALLBACK)                        \
    X(HOST_PTR, mem_host_ptr, "address of memory", MAY, mem_host_ptr, FAILS)                       \
    X(IMPORT, mem_import, "import memory", MAY, mem_import, FALLBACK)                              \
    X(SLICE, mem_slice, "slice memory", MAY, mem_slice, FALLBACK)                                  \
    X(MAP, mem_map, "map", MAY, mem_unmap, FALLBACK)                                               \
    X(UNMAP, mem_unmap, "unmap", MAY, mem_map, FAILS)                                              \
    X(MEM_INFO, mem_info, "memory", MAY, mem_info, FALLBACK)                                       \
    X(HOST_ALLOC, host_alloc, "allocate host memory", MAY, host_free, FALLBACK)                    \
    X(HOST_FREE, host_free, "free host memory", MAY, host_alloc, FAILS)                            \
    X(COPY, copy, "copy", MAY, copy, FALLBACK)                                                     \
    X(ASK_PEER, can_access_peer, "can_access_peer", MAY, can_access_peer, FALLBACK)                \
    X(FILL, fill, "fill", MAY, fill, FALLBACK)                                                     \
    X(REDUCE, reduce, "reduce", MAY, reduce, FALLBACK)                                             \
    X(BINARY, kernel_binary, "binary", MAY, kernel_binary, FALLBACK)                               \
    X(ATTACH, worker_attach, "worker_attach", MAY, worker_attach, FALLBACK)                        \
    X(QUERY, query, "query", MAY, query, FALLBACK)                                                 \
    X(ABANDON, device_abandon, "abandon", MAY, device_abandon, FAILS)                              \
    X(LAUNCH_BATCH, launch_batch, "launch", MAY, launch_batch, FAILS)

#define COHORT_SLOT_ID_(id, slot, words, need, partner, otherwise) COHORT_SLOT_##id,
typedef enum cohort_slot_id { COHORT_SLOTS(COHORT_SLOT_ID_) COHORT_SLOT_COUNT } cohort_slot_id;

typedef struct cohort_slot {
    const char *name, *words;
    size_t at, partner_at; /* offsets in cohort_ops */
    bool is_mandatory;
    cohort_status otherwise; /* the one negative status that is no error; COHORT_OK: none */
} cohort_slot;

extern const cohort_slot cohort_slot_table[COHORT_SLOT_COUNT];

/* Whether the plugin has this slot. */
bool cohort_slot_is_there(const cohort_ops *ops, cohort_slot_id id);

/* Whether a plugin may answer this status: COHORT_OK, or an error of cohort/codes.h; COHORT_EAGAIN
 * only where the slot's `otherwise` is LATER. */
bool cohort_slot_allows(cohort_slot_id id, cohort_status status);

/* Whether this status leaves the slot's work to the core. */
static inline bool cohort_slot_is_left(cohort_slot_id id, cohort_status status)
{
    return status == COHORT_ENOTSUP && cohort_slot_table[id].otherwise == COHORT_ENOTSUP;
}

#endif
