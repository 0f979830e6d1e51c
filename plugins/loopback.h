/* SPDX-License-Identifier: BSD-3-Clause */
/* Steering of the plugins loopback and stream: host memory posing as a device with memory of its
 * own, for tests alone.
 *
 * loopback does each operation in the call. stream has events: each device has a thread that does
 * the operations in order, whether those before failed or not. An operation of stream is counted
 * in the call and in the thread: a launch as ENQUEUE_LAUNCH, then as EXECUTE and LAUNCH. So a rule
 * for EXECUTE holds or delays the queue, a rule for LAUNCH makes an event fail, and a rule for
 * EVENT_WAIT that fails with COHORT_EAGAIN makes it look as if no operation ended.
 *
 * Each plugin has one device, loopback:0 or stream:0, which may be cut into 1,024 parts; every rule
 * and count names a part (an uncut device is part 0). It counts each operation and each byte, and
 * does at the N-th one what a rule says. Tests get this table from the `extension` of the plugin,
 * by one of the two names. All calls are safe from any thread.
 *
 * Without a test: COHORT_LOOPBACK_LOST_AT=5000 loses the part that does operation 5,000, of all
 * parts, counted from when the process began. Each of the two plugins counts for itself. */
#ifndef COHORT_PLUGINS_LOOPBACK_H
#define COHORT_PLUGINS_LOOPBACK_H

#include <cohort/plugin.h>

#define COHORT_LOOPBACK "cohort.loopback/0"
#define COHORT_STREAM "cohort.stream/0"
#define COHORT_LOOPBACK_ANY UINT32_MAX /* any part, any operation */

enum { COHORT_LOOPBACK_PARTS = 1024, COHORT_LOOPBACK_RULES = 64 };

/* clang-format off */
#define COHORT_LOOPBACK_OPS(X)                                                                     \
    X(ENUMERATE)                                                                                   \
    X(OPEN)                                                                                        \
    X(CLOSE)                                                                                       \
    X(ALLOC)                                                                                       \
    X(FREE)                                                                                        \
    X(WRITE)                                                                                       \
    X(READ)                                                                                        \
    X(KERNEL_CREATE)                                                                               \
    X(KERNEL_DESTROY)                                                                              \
    X(LAUNCH)                                                                                      \
    X(COPY)                                                                                        \
    X(FILL)                                                                                        \
    X(ENQUEUE_WRITE)                                                                               \
    X(ENQUEUE_READ)                                                                                \
    X(ENQUEUE_LAUNCH)                                                                              \
    X(ENQUEUE_COPY)                                                                                \
    X(ENQUEUE_FILL)                                                                                \
    X(EXECUTE)                                                                                     \
    X(EVENT_WAIT)                                                                                  \
    X(EVENT_RELEASE)
/* clang-format on */
#define COHORT_LOOPBACK_OP_(name) COHORT_LOOPBACK_##name,
typedef enum cohort_loopback_op {
    COHORT_LOOPBACK_OPS(COHORT_LOOPBACK_OP_) COHORT_LOOPBACK_OP_COUNT
} cohort_loopback_op;

typedef enum cohort_loopback_action {
    COHORT_LOOPBACK_FAIL = 1, /* answer `status`, and do nothing */
    COHORT_LOOPBACK_DELAY,    /* sleep delay_ns, then do it */
    /* wait, for ever if need be, for release or reset; then do it, late */
    COHORT_LOOPBACK_HOLD,
    COHORT_LOOPBACK_CORRUPT /* do it, and flip one bit of what write, read, copy or fill moved */
} cohort_loopback_action;

typedef struct cohort_loopback_rule {
    uint32_t part, op; /* or COHORT_LOOPBACK_ANY */
    uint32_t nth;      /* the N-th such operation from now on, 1 being the next; 0 is 1 */
    uint32_t sticky;   /* not 0: and every one after it */
    cohort_loopback_action action;
    cohort_status status; /* of FAIL */
    uint64_t delay_ns;    /* of DELAY */
} cohort_loopback_rule;

/* The answer of enumerate. */
typedef enum cohort_loopback_lie {
    COHORT_LOOPBACK_TRUTH,
    COHORT_LOOPBACK_NO_DEVICES,   /* no lie: there is no hardware */
    COHORT_LOOPBACK_REFUSES,      /* COHORT_EINTERNAL */
    COHORT_LOOPBACK_MANY_DEVICES, /* 10^9 of them */
    COHORT_LOOPBACK_NO_MEMORY,
    COHORT_LOOPBACK_NO_PARTS, /* max_parts 0 */
    COHORT_LOOPBACK_NO_UUID,
    COHORT_LOOPBACK_NO_FORMATS,  /* NULL */
    COHORT_LOOPBACK_ODD_TYPE,    /* 99 */
    COHORT_LOOPBACK_ODD_ALIGN,   /* 48 */
    COHORT_LOOPBACK_OPEN_TEXT,   /* name and driver without their end */
    COHORT_LOOPBACK_FALSE_CAPS,  /* PROMPT and HOST_VISIBLE, without the operations for it */
    COHORT_LOOPBACK_SMALL_BLOCKS /* no lie: mem_max_alloc is 4 KiB */
} cohort_loopback_lie;

typedef struct cohort_loopback_counts {
    uint64_t ops[COHORT_LOOPBACK_OP_COUNT]; /* calls, those that failed included */
    uint64_t bytes_in, bytes_out;           /* by write; by read */
    uint64_t bytes_inside;                  /* by copy and fill */
    uint64_t live_devices, live_mems, live_kernels, live_bytes, live_events;
    uint64_t in_flight, max_in_flight; /* enqueued and not done; the most of them since reset */
} cohort_loopback_counts;

typedef struct cohort_loopback {
    uint32_t struct_size, reserved;

    /* Forget all rules, lies and losses, let go what is held, and count from 0 again; live objects
     * stay counted. */
    void (*reset)(void);

    /* Counts of a part, or with COHORT_LOOPBACK_ANY the sum of all. */
    void (*counts)(uint32_t part, cohort_loopback_counts *out_counts);

    /* Add a rule; returns its number for `release` and `reached`, -1 when there are too many.
     * Several rules may meet one operation: the one added first wins. */
    int32_t (*rule)(const cohort_loopback_rule *rule);

    /* Let go what this rule holds, now and later. */
    void (*release)(int32_t rule);

    /* Wait until the rule has met `times` operations; 0 when timeout_ns passed before. An operation
     * that is held has been met. */
    int32_t (*reached)(int32_t rule, uint32_t times, uint64_t timeout_ns);

    /* From now on every operation of this part answers COHORT_ELOST, until reset; close, free and
     * destroy too, which do their work nevertheless. */
    void (*lose)(uint32_t part);

    void (*lie)(cohort_loopback_lie lie);
} cohort_loopback;

#endif
