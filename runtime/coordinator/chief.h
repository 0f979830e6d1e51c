/* SPDX-License-Identifier: BSD-3-Clause */
/* The chief as a worker knows it: what it orders, and what it is told. */
#ifndef COHORT_COORDINATOR_CHIEF_H
#define COHORT_COORDINATOR_CHIEF_H

#include "runtime/coordinator/words.h"
#include "runtime/exchange/servers.h"

typedef struct cohort_chief {
    const char *call;        /* of the worker, for errors */
    cohort_servers *servers; /* whose communicator, tag and deadline these are */
    cohort_communicator *communicator;
    cohort_servers_company company; /* it, to whom the servers' calls speak too */
    cohort_order order;             /* what it says */
    cohort_report report, here;     /* what it is told */
    char *argument, *result;        /* [capacity] of each: what comes and goes behind them */
    size_t argument_capacity, result_capacity;
    /* under way, or NULL: says_here while a closure runs, the others while none does */
    cohort_exchange *hears, *hears_more, *says, *says_more, *says_here;
    int64_t heard_ns, looked_ns;
    bool is_watched; /* that its process ends is seen here */
} cohort_chief;

/* From now on it hears of this worker whenever the servers do. NULL: COHORT_ENOMEM. */
cohort_chief *cohort_chief_create(cohort_servers *servers, const char *call);

/* Nothing is under way. Else what is stays with the engine, which keeps the memory. */
void cohort_chief_destroy(cohort_chief *chief);

/* ---- These wait, while the servers hear that this worker is there. COHORT_ELOST: it has ended, or
 * has said nothing for COHORT_TIMEOUT_WORKER; the errors of cohort_servers_stay. */

/* A report without more. */
cohort_status cohort_chief_say(cohort_chief *chief, cohort_report_kind kind);

/* What has come of the closure that it has ordered: its result, or the error in the slot. */
cohort_status cohort_chief_report_done(cohort_chief *chief, cohort_status status);

/* The next order, in `order`. */
cohort_status cohort_chief_take_order(cohort_chief *chief);

/* The argument of a closure, and zeros for its result. COHORT_ENOMEM; COHORT_ELOST: it runs another
 * program. */
cohort_status cohort_chief_take_argument(cohort_chief *chief);

/* The last word, for which nobody waits. */
void cohort_chief_leave(cohort_chief *chief);

#endif
