/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedule of chaos: which call is struck, and by what. */
#ifndef COHORT_CHAOS_SCHEDULE_H
#define COHORT_CHAOS_SCHEDULE_H

#include "plugins/chaos.h"
#include "plugins/kit/operations.h"

#include <stdbool.h>

#define CHAOS_SLOT_ID_(name, ...) SLOT_##name,
enum { KIT_OPERATIONS(CHAOS_SLOT_ID_, CHAOS_SLOT_ID_) CHAOS_SLOTS };

/* X(id, word) */
#define CHAOS_FAULTS(X)                                                                            \
    X(ERROR, "error")                                                                              \
    X(AFTER, "after")                                                                              \
    X(DELAY, "delay")                                                                              \
    X(HANG, "hang")                                                                                \
    X(LOSE, "lose")                                                                                \
    X(CRASH, "crash")                                                                              \
    X(STATUS, "status")                                                                            \
    X(NONE, "none")                                                                                \
    X(BOTH, "both")                                                                                \
    X(EVENT, "event")                                                                              \
    X(TEXT, "text")                                                                                \
    X(MORE, "more")                                                                                \
    X(ODD, "odd")                                                                                  \
    X(FLOAT, "float")                                                                              \
    X(SIGNALS, "signals")                                                                          \
    X(CPUS, "cpus")                                                                                \
    X(RET, "ret")                                                                                  \
    X(INTO, "into")                                                                                \
    X(ALL, "all")                                                                                  \
    X(FROM, "from")                                                                                \
    X(LATE, "late")                                                                                \
    X(BLOCK, "block")                                                                              \
    X(TWICE, "twice")                                                                              \
    X(OVERLAP, "overlap")                                                                          \
    X(MOVED, "moved")                                                                              \
    X(ANSWER, "answer")                                                                            \
    X(ORDER, "order")

#define CHAOS_FAULT_ID_(id, word) CHAOS_##id,
typedef enum chaos_fault { CHAOS_NOTHING, CHAOS_FAULTS(CHAOS_FAULT_ID_) } chaos_fault;

typedef struct chaos_strike {
    chaos_fault fault;
    int64_t number; /* CODE or MS */
} chaos_strike;

/* Read $COHORT_CHAOS. COHORT_EINVAL with the word that is wrong. */
cohort_status schedule_read(const char *text, cohort_error *err);

const char *schedule_plugin(void); /* the file that is wrapped */
bool schedule_masks(int slot);

/* One more call of a slot: what happens to it. Any thread. */
chaos_strike schedule_count(int slot);

uint64_t schedule_calls(int slot);
uint64_t schedule_struck(void);
int schedule_slot(const char *name, size_t length); /* -1: there is none */

#endif
