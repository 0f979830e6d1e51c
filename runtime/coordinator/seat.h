/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker as the chief knows it: what it says, and what it is told. Nothing here waits. */
#ifndef COHORT_COORDINATOR_SEAT_H
#define COHORT_COORDINATOR_SEAT_H

#include "runtime/coordinator/closure.h"
#include "runtime/exchange/servers.h"

typedef enum cohort_seat_state {
    COHORT_SEAT_TO_COME, /* it has not called cohort_worker_run yet */
    COHORT_SEAT_FREE,
    COHORT_SEAT_BUSY,   /* it has a closure */
    COHORT_SEAT_LEAVING /* it was told to leave */
} cohort_seat_state;

typedef enum cohort_seat_news {
    COHORT_SEAT_SILENT,
    COHORT_SEAT_HEARD, /* it has come, or is there */
    COHORT_SEAT_DONE,  /* with its closure: report and result are whole */
    COHORT_SEAT_GONE   /* it has left */
} cohort_seat_news;

typedef struct cohort_seat {
    const cohort_servers *servers; /* whose communicator, tag and deadline these are */
    int32_t rank;
    char name[COHORT_RANKS_NAME];
    cohort_seat_state state;
    cohort_closure *closure; /* BUSY */
    uint64_t round;          /* of the last closure per worker that it has got */
    cohort_report report;    /* what it says */
    cohort_order order;      /* what it is told */
    char *argument, *result; /* [capacity] of each: what goes and comes behind them */
    size_t argument_capacity, result_capacity;
    cohort_exchange *hears, *hears_more, *says, *says_more; /* under way, or NULL */
    int64_t heard_ns, looked_ns;
    bool is_watched; /* that its process ends is seen here */
} cohort_seat;

/* NULL: COHORT_ENOMEM. */
cohort_seat *cohort_seat_create(const cohort_servers *servers, int32_t rank);

/* It has left, or nothing was heard from it: nothing is under way. Else what is stays with the
 * engine, which keeps the memory. A closure that it has is given up. */
void cohort_seat_destroy(cohort_seat *seat);

/* The next that it says. COHORT_ELOST: the engine says that it is gone, or it says what no worker
 * does. */
cohort_status cohort_seat_listen(cohort_seat *seat, cohort_seat_news *out);

/* Everything that it was told has gone out, so that it can be told more. The errors of listen. */
cohort_status cohort_seat_settle(cohort_seat *seat, bool *out_is_settled);

/* One that is FREE and settled gets a closure, which it holds from then on. COHORT_ENOMEM, and then
 * it has not; the errors of listen. */
cohort_status cohort_seat_give(cohort_seat *seat, cohort_closure *closure);

/* One that is settled is told HERE, or LEAVE. The errors of listen. */
cohort_status cohort_seat_say(cohort_seat *seat, cohort_order_kind kind, bool has_lost);

/* COHORT_ELOST with the reason: its process has ended; or it is waited for, and has been silent for
 * COHORT_TIMEOUT_WORKER. After settle, which says what it has taken. */
cohort_status cohort_seat_check(cohort_seat *seat);

#endif
