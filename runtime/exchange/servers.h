/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter servers, as a worker knows them: it asks, and each answers in the order in which it was
 * asked. Both sides are one program on machines of one kind, so structs travel as they are. */
#ifndef COHORT_EXCHANGE_SERVERS_H
#define COHORT_EXCHANGE_SERVERS_H

#include "runtime/exchange/messages.h"
#include "runtime/exchange/ranks.h"
#include "runtime/exchange/talk.h"

#include <cohort/array.h>

typedef enum cohort_server_request_kind {
    COHORT_REQUEST_HELLO = 1,
    COHORT_REQUEST_CREATE, /* bytes: a name, and then the first content, or nothing for zeros */
    COHORT_REQUEST_DESTROY,
    COHORT_REQUEST_READ,    /* answered with the content, unless it is of this version */
    COHORT_REQUEST_WRITE,   /* bytes: the content */
    COHORT_REQUEST_GATHER,  /* bytes: ids; answered with rows */
    COHORT_REQUEST_SCATTER, /* bytes: ids, and then rows */
    COHORT_REQUEST_UPDATE,  /* bytes: a cohort_server_call, and what follows it */
    COHORT_REQUEST_STAY,    /* nothing, but that the worker is there */
    COHORT_REQUEST_HERE,    /* the same while it waits for another server, and without an answer */
    COHORT_REQUEST_REST,    /* variable 1: the worker has no closure now, 0: it has one */
    COHORT_REQUEST_LOST,    /* variable: the worker of this number is gone */
    COHORT_REQUEST_LEAVE
} cohort_server_request_kind;

/* The head of a request; `bytes` bytes follow. */
typedef struct cohort_server_request {
    uint32_t kind;
    int32_t op;       /* WRITE, SCATTER: cohort_write_op */
    int32_t variable; /* as the answer to CREATE numbers it; of this server */
    int32_t rank, dtype, is_zero;
    int64_t shape[COHORT_MAX_RANK], item_bytes;
    int64_t ids;       /* GATHER, SCATTER: so many, of 8 bytes */
    int64_t staleness; /* HELLO */
    uint64_t version;  /* READ: what the worker has; 0: nothing */
    uint64_t name_bytes, bytes;
} cohort_server_request;

/* The head of the bytes of UPDATE. Behind it stand n_arguments of cohort_server_argument, in the
 * order of the prototype, `text_bytes` of two texts with their ends, the name and "void f(...)",
 * and the contents of the arguments; texts, and each content, begin at a multiple of
 * COHORT_CALL_ALIGNMENT. */
typedef struct cohort_server_call {
    uint64_t digest; /* of the function's signature */
    uint64_t text_bytes;
    int64_t n_arguments;
} cohort_server_call;

enum { COHORT_CALL_ALIGNMENT = 16 };

/* A number, a struct (BYTES), an ARRAY, or a VARIABLE of that server. */
typedef struct cohort_server_argument {
    int32_t parameter; /* which one it is for */
    uint32_t kind;     /* cohort_argument_kind */
    uint64_t word;     /* as.u of INT, UINT and REAL; VARIABLE: its number on the server */
    int32_t dtype, rank;
    int64_t item_bytes, shape[COHORT_MAX_RANK]; /* ARRAY */
    uint64_t bytes; /* of the content of ARRAY, BYTES, LONG_DOUBLE and COMPLEX; of others 0 */
} cohort_server_argument;

enum { COHORT_ANSWER_TEXT = 488 };

/* The head of an answer; `bytes` bytes follow. */
typedef struct cohort_server_answer {
    int32_t status, variable;
    uint64_t version; /* of the variable: writes that it has had, and 1 */
    uint64_t bytes;
    char text[COHORT_ANSWER_TEXT]; /* of an error */
} cohort_server_answer;

/* One request and its answer. */
typedef struct cohort_server_question {
    int32_t server;
    cohort_server_request request;
    const void *bytes; /* [request.bytes] */
    void *into;        /* of an answer with `room` bytes, or with none */
    uint64_t room;
    cohort_server_answer answer;
} cohort_server_question;

/* Who else waits for a word of this process. */
typedef struct cohort_servers_company {
    void (*stay)(void *user); /* the servers are told that it is there */
    /* waits until they have come to rest, who write to the servers; NULL: it may not make them */
    cohort_status (*settle)(void *user, const char *call);
    void (*leave)(void *user); /* they are told that it leaves, as its process ends */
    void *user;
} cohort_servers_company;

typedef struct cohort_servers {
    cohort_messages messages, notices; /* notices: to servers that others are waited for beside */
    cohort_talk talk;                  /* around questions and their answers */
    cohort_ranks ranks;
    bool *is_asked;               /* [n_servers]: in the round under way */
    cohort_server_question *each; /* [n_servers]: the same of all, which wants no memory */
    int64_t asked_ns;             /* since when each has not been asked for anything, at most */
    int64_t noticed_ns;           /* since when the others have heard nothing in a wait */
    int64_t staleness;            /* writes that this worker may be ahead of others; 0: any */
    bool is_greeted;              /* they wait for what this worker says */
    const cohort_servers_company *company; /* NULL: nobody */
} cohort_servers;

/* Memory to greet the servers and to leave, so that neither fails for want of it: made before all
 * meet, who are told where it cannot be. NULL: COHORT_ENOMEM. */
cohort_servers *cohort_servers_create(cohort_communicator *communicator, const cohort_ranks *ranks);

/* After that meeting: all servers are told that this worker is there. The errors of ask. */
cohort_status cohort_servers_greet(cohort_servers *servers, int64_t staleness);

/* Says so to those that it has greeted, who do not wait for it any more. */
void cohort_servers_leave(cohort_servers *servers);

/* Leaves those that it has greeted. NULL is allowed. Where a server was lost, memory that MPI may
 * use is leaked. */
void cohort_servers_destroy(cohort_servers *servers);

/* Asks all, and waits for all answers, COHORT_TIMEOUT_WORKER at most: questions to different
 * servers go together. The first error of an answer is that of the call, with the server's name;
 * all others were asked all the same. COHORT_ELOST: a server does not answer; then what was lent is
 * lent for ever (messages.has_given_up). */
cohort_status cohort_servers_ask(cohort_servers *servers, const char *call,
                                 cohort_server_question questions[], int32_t n);

/* For a worker that computes for long, and asks for nothing: the servers hear of it a few times in
 * COHORT_TIMEOUT_WORKER, wherever this is called. The errors of ask. */
cohort_status cohort_servers_stay(cohort_servers *servers, const char *call);

/* Where this process says what others write, none of them does from here on, until it calls
 * stay, or what has them work. COHORT_OK at once where it does not. The errors of those that
 * wait. */
cohort_status cohort_servers_settle(const cohort_servers *servers, const char *call);

/* Where staleness is bounded: this worker has no closure now, so that it holds up nobody; or it has
 * one again, and counts as far as the slowest of the others. The errors of ask. */
cohort_status cohort_servers_rest(cohort_servers *servers, const char *call, bool rests);

/* A worker, by its rank, is gone: nobody waits for it. The errors of ask. */
cohort_status cohort_servers_lose(cohort_servers *servers, const char *call, int32_t worker);

static inline bool cohort_servers_is_evaluator(const cohort_servers *s)
{
    return s->ranks.rank >= s->ranks.n_workers;
}

#endif
