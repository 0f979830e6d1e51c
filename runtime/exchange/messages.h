/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between workers: some are begun, and then waited for together. */
#ifndef COHORT_EXCHANGE_MESSAGES_H
#define COHORT_EXCHANGE_MESSAGES_H

#include "runtime/exchange/communicator.h"
#include "runtime/exchange/ranks.h"

typedef struct cohort_message {
    cohort_exchange *exchange; /* NULL: it is over */
    int32_t peer;
    bool is_sent; /* by this worker; else it is to come */
} cohort_message;

typedef struct cohort_messages {
    cohort_communicator *communicator;
    const cohort_ranks *ranks; /* how peers are called; NULL: all are workers */
    int32_t tag;
    int64_t limit_ns;     /* 0: none */
    const char *limit;    /* what says so, for messages; NULL: COHORT_TIMEOUT_WORKER */
    cohort_message *list; /* [n] */
    size_t n, capacity, reserved;
    /* of the first that could not be begun, with its text; nothing is begun after it */
    cohort_status status;
    /* what is done again and again while others are waited for, with other messages; NULL:
     * nothing */
    void (*meanwhile)(void *user);
    void *user;
    /* some exchange was, so that the engine may use what it was lent as long as it runs; nothing is
     * begun any more */
    bool has_given_up;
} cohort_messages;

void cohort_messages_fini(cohort_messages *messages); /* with none under way */

/* Room for n messages at a time, so that none of them fails for want of it once others wait for
 * them. COHORT_ENOMEM. */
cohort_status cohort_messages_reserve(cohort_messages *messages, size_t n);

/* Memory stays as it is until wait is over. */
void cohort_messages_send(cohort_messages *messages, int32_t to, const void *from, uint64_t bytes);
void cohort_messages_receive(cohort_messages *messages, int32_t from, void *into, uint64_t bytes);

/* A message that may be shorter: at most COHORT_COMM_SHORT_BYTES. How many bytes have come is in
 * *out_bytes when wait is over. */
void cohort_messages_receive_most(cohort_messages *messages, int32_t from, void *into,
                                  uint64_t most, uint64_t *out_bytes);

/* Give back memory that was lent to a message: give takes it, or, where some message was given up,
 * the engine may use it as long as the process runs, and it is kept (kept.h). NULL is allowed. */
void cohort_messages_give(const cohort_messages *messages, void *memory, void (*give)(void *));

/* The name of a peer: "worker 1 of 2". */
void cohort_messages_name(const cohort_messages *messages, int32_t peer,
                          char out[COHORT_RANKS_NAME]);

/* Is a message from this peer to come, of those under way? */
bool cohort_messages_is_to_come(const cohort_messages *messages, int32_t peer);

/* Until all are over; the list is empty then. For the limit at most, and every 5 seconds the log
 * says who is waited for. COHORT_ELOST with "call: worker 1 of 2 ..." names the
 * first peer that is at fault; what is under way is given up then. */
cohort_status cohort_messages_wait(cohort_messages *messages, const char *call);

/* The same where something has come to this status meanwhile: an error stays, with its text in the
 * slot, whatever comes of waiting. */
cohort_status cohort_messages_wait_after(cohort_messages *messages, const char *call,
                                         cohort_status status);

#endif
