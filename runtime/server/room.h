/* SPDX-License-Identifier: BSD-3-Clause */
/* The room of a parameter server: variables of a strategy of its own, by number and by name, and
 * what can be done to them for a guest, which is a worker or an evaluator by its number. */
#ifndef COHORT_SERVER_ROOM_H
#define COHORT_SERVER_ROOM_H

#include "runtime/exchange/servers.h"
#include "runtime/server/lodger.h"

#include <cohort/server.h>

struct cohort_room {
    cohort_strategy *strategy; /* NULL: it cannot be made, and every request gets why */
    cohort_value *gathered; /* rows of the latest gather, with memory for the next; NULL: of none */
    const cohort_function *const *functions; /* ended by NULL, or NULL: of other names; all parse */
    cohort_status status;                    /* why */
    char why[COHORT_ANSWER_TEXT];
    int32_t n_guests, n_workers; /* workers are the first ones */
    int64_t staleness;           /* -1: no worker has said one */
    cohort_ranks ranks;
    bool *has_left; /* [n_guests] */
    bool *is_lost;  /* [n_guests]: gone without a word, which another one has told */
    bool *rests;    /* [n_guests]: it has nothing to do, and holds up nobody */
    cohort_lodger *list;
    size_t n, capacity;
};

/* On a device of this process. COHORT_ENOMEM; any other failure stays in `status`. */
cohort_status cohort_room_init(cohort_room *room, const cohort_server_options *options,
                               const cohort_ranks *ranks);
void cohort_room_fini(cohort_room *room);

/* A request with its bytes, and the answer to it, with bytes of its own. */
struct cohort_service {
    int32_t guest;
    cohort_server_request request;
    const char *bytes; /* aligned to COHORT_CALL_ALIGNMENT */
    cohort_server_answer answer;
    int32_t held; /* a write that waits: the lodger that others have written too seldom */
    void *into;   /* [answer.bytes], by cohort_allocate: whoever asks frees it */
};

/* Does it, and fills in the answer; whatever is wrong is an answer too. False: it cannot be done
 * before others have come further, and nothing has happened. */
bool cohort_room_do(cohort_room *room, cohort_service *service);

/* The answer to a service that has waited for too long. */
void cohort_room_refuse(const cohort_room *room, cohort_service *service, double seconds);

/* The name of a guest. */
void cohort_room_name(const cohort_room *room, int32_t guest, char out[COHORT_RANKS_NAME]);

/* It asks for nothing any more: nobody waits for its writes, and what it alone used is
 * destroyed. */
void cohort_room_leave(cohort_room *room, int32_t guest);

#endif
