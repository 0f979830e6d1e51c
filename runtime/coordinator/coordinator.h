/* SPDX-License-Identifier: BSD-3-Clause */
/* A coordinator: closures that wait, the workers that they go to, and the error that is to be
 * told. */
#ifndef COHORT_COORDINATOR_COORDINATOR_H
#define COHORT_COORDINATOR_COORDINATOR_H

#include "runtime/coordinator/closures.h"
#include "runtime/coordinator/seat.h"
#include "runtime/strategy/strategy.h"

struct cohort_coordinator {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_servers *servers;
    cohort_servers_company company; /* these workers, to which the servers' calls speak too */
    cohort_seat **seats;            /* [n_seats]: of each worker; NULL: it is gone */
    int32_t n_seats, n_here;
    cohort_closures queue;      /* to be begun */
    cohort_closures per_worker; /* that some worker has not done, in order */
    int64_t most_queued;
    uint64_t n_scheduled, n_rounds; /* closures, and those per worker, so far */
    cohort_closure *failed;         /* the first one whose error nobody was told; or NULL */
    cohort_error_saved broken;      /* why nothing goes on any more; status COHORT_OK: it does */
    bool is_held;                   /* no closure is given out */
    bool has_lost;                  /* a worker, with which messages were under way */
    int64_t moved_ns;               /* when something last happened */
    cohort_remote_value *remotes;   /* by next */
};

struct cohort_remote_value {
    cohort_dependent dependent; /* first */
    cohort_coordinator *coordinator;
    cohort_remote_value *next, **link; /* of the coordinator's */
    cohort_closure *closure;
};

/* The last ones stand first in the list, which is the coordinator's. NULL: COHORT_ENOMEM. */
cohort_remote_value *cohort_remote_value_make(cohort_coordinator *coordinator,
                                              cohort_closure *closure);

/* Puts a closure, with its number, behind all others; it is held. */
void cohort_coordinator_add(cohort_coordinator *coordinator, cohort_closure *closure);

/* Those that nobody has begun are cancelled, because of one that has failed; NULL: for the reason
 * in the slot. */
void cohort_coordinator_cancel(cohort_coordinator *coordinator, cohort_closure *cause);

/* One worker has done its closure, or never will: it is over once none is to come. */
void cohort_coordinator_note_done(cohort_coordinator *coordinator, cohort_closure *closure);

/* Forgets those per worker that are over: which rounds there were, each worker's seat knows. */
void cohort_coordinator_drop_rounds(cohort_coordinator *coordinator);

/* Workers that have a closure. */
int32_t cohort_coordinator_count_busy(const cohort_coordinator *coordinator);

/* Takes what workers say, and gives those that are free what waits. COHORT_ELOST: it is broken. */
cohort_status cohort_coordinator_advance(cohort_coordinator *coordinator, const char *call);

/* The same again and again, until `is_over`; and the servers hear that this process is there. The
 * errors of both. */
cohort_status cohort_coordinator_wait(cohort_coordinator *coordinator, const char *call,
                                      bool (*is_over)(const void *user), const void *user);

/* Waits for the closures under way, and gives out none meanwhile; then tells the error of one that
 * has failed. The errors of wait. */
cohort_status cohort_coordinator_settle(cohort_coordinator *coordinator, const char *call);

/* Where a closure has failed: waits for those under way, and tells its error, once. */
cohort_status cohort_coordinator_tell(cohort_coordinator *coordinator, const char *call);

/* Tells all workers to leave, and waits until they have, or are lost. */
void cohort_coordinator_dismiss(cohort_coordinator *coordinator);

#endif
