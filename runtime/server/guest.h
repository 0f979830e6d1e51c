/* SPDX-License-Identifier: BSD-3-Clause */
/* One worker or evaluator that a parameter server listens to: what it says, and what it is
 * answered. Nothing here waits: whoever is slow holds up nobody else. */
#ifndef COHORT_SERVER_GUEST_H
#define COHORT_SERVER_GUEST_H

#include "runtime/server/room.h"

typedef enum cohort_guest_state {
    COHORT_GUEST_SPEAKS, /* its next request is to come */
    COHORT_GUEST_SENDS,  /* the bytes of it are */
    COHORT_GUEST_WAITS,  /* it cannot be answered yet */
    COHORT_GUEST_HEARS,  /* the answer goes out */
    COHORT_GUEST_LEFT
} cohort_guest_state;

typedef struct cohort_guest {
    int32_t rank;
    cohort_guest_state state;
    cohort_service service;
    char *bytes; /* [capacity]: of the request */
    size_t capacity;
    cohort_exchange *first, *second; /* under way: of a head, and of its bytes; or NULL */
    int64_t asked_ns;                /* since when it waits */
} cohort_guest;

/* All that a server talks by. */
typedef struct cohort_counter {
    const cohort_communicator *communicator;
    int32_t tag;
    int64_t patience_ns; /* how long a guest may wait for others; 0: for ever */
    cohort_room *room;
} cohort_counter;

/* It may speak. */
cohort_status cohort_guest_invite(const cohort_counter *counter, cohort_guest *guest);

/* Goes on with it as far as it can; *out_has_moved where it has come further. COHORT_ELOST: it is
 * gone, or MPI says so; COHORT_ENOMEM. */
cohort_status cohort_guest_attend(const cohort_counter *counter, cohort_guest *guest,
                                  bool *out_has_moved);

/* It is gone: messages under way stay with the engine. */
void cohort_guest_abandon(const cohort_counter *counter, cohort_guest *guest);

#endif
