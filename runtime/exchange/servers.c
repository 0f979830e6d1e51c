/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions go in rounds, of which each asks a server once at most: the bytes of an answer follow
 * its head, and could not be told from the head of the next. */
#include "config.h"

#include "runtime/exchange/servers.h"

#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"

#include <string.h>

/* ------------------------------------------------------------------ asking */

static int32_t rank_of(const cohort_servers *s, const cohort_server_question *q)
{
    return s->ranks.n_workers + q->server;
}

static void begin(cohort_servers *s, cohort_server_question *q)
{
    cohort_messages_receive(&s->messages, rank_of(s, q), &q->answer, sizeof q->answer);
    cohort_messages_send(&s->messages, rank_of(s, q), &q->request, sizeof q->request);
    if (q->request.bytes > 0)
        cohort_messages_send(&s->messages, rank_of(s, q), q->bytes, q->request.bytes);
}

/* Servers that have answered, or were asked for nothing, hear meanwhile that this worker is there:
 * else they would blame it for a server that stands. */
static void notice_others(void *user)
{
    static const cohort_server_request here = { .kind = COHORT_REQUEST_HERE };
    cohort_servers *s = user;
    int64_t now = cohort_clock_ns();
    if (s->messages.limit_ns == 0 || now - s->noticed_ns < s->messages.limit_ns / 8)
        return;
    s->noticed_ns = now;
    for (int32_t i = 0; i < s->ranks.n_servers; i++) {
        int32_t rank = s->ranks.n_workers + i;
        if (!cohort_messages_is_to_come(&s->messages, rank))
            cohort_messages_send(&s->notices, rank, &here, sizeof here);
    }
    (void)cohort_messages_wait(&s->notices, "a wait for parameter servers");
}

/* The first question to each server from `first` on; notes which they are. */
static int32_t begin_round(cohort_servers *s, cohort_server_question questions[], int32_t first,
                           int32_t n)
{
    int32_t end = first;
    memset(s->is_asked, 0, (size_t)s->ranks.n_servers * sizeof *s->is_asked);
    for (; end < n && !s->is_asked[questions[end].server]; end++) {
        s->is_asked[questions[end].server] = true;
        begin(s, &questions[end]);
    }
    return end;
}

static cohort_status receive_bytes(cohort_servers *s, const char *call, cohort_server_question *q)
{
    q->answer.text[sizeof q->answer.text - 1] = '\0';
    if (q->answer.bytes == 0)
        return COHORT_OK;
    if (q->answer.bytes == q->room) {
        cohort_messages_receive(&s->messages, rank_of(s, q), q->into, q->room);
        return COHORT_OK;
    }
    s->messages.has_given_up = true; /* nobody takes what it sends */
    return cohort_error_set(COHORT_ELOST,
                            "%s: parameter server %d of %d answers with %llu bytes, and %llu are "
                            "expected: it runs another program",
                            call, (int)q->server, (int)s->ranks.n_servers,
                            (unsigned long long)q->answer.bytes, (unsigned long long)q->room);
}

static cohort_status ask_round(cohort_servers *s, const char *call,
                               cohort_server_question questions[], int32_t first, int32_t end)
{
    s->noticed_ns = cohort_clock_ns();
    cohort_status status = cohort_messages_wait(&s->messages, call);
    for (int32_t i = first; i < end && status >= 0; i++)
        status = receive_bytes(s, call, &questions[i]);
    return cohort_messages_wait_after(&s->messages, call, status);
}

static cohort_status find_error(const cohort_servers *s, const char *call,
                                const cohort_server_question questions[], int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (questions[i].answer.status < 0)
            return cohort_error_set(questions[i].answer.status, "%s: parameter server %d of %d: %s",
                                    call, (int)questions[i].server, (int)s->ranks.n_servers,
                                    questions[i].answer.text);
    return COHORT_OK;
}

cohort_status cohort_servers_ask(cohort_servers *s, const char *call,
                                 cohort_server_question questions[], int32_t n)
{
    cohort_status status = COHORT_OK;
    cohort_talk_begin(&s->talk);
    for (int32_t first = 0, end; first < n && status >= 0; first = end) {
        end = begin_round(s, questions, first, n);
        status = ask_round(s, call, questions, first, end);
    }
    cohort_talk_end(&s->talk);
    return status < 0 ? status : find_error(s, call, questions, n);
}

/* The same short request to each. */
static cohort_status ask_each(cohort_servers *s, const char *call,
                              const cohort_server_request *request)
{
    for (int32_t i = 0; i < s->ranks.n_servers; i++)
        s->each[i] = (cohort_server_question){ .server = i, .request = *request };
    return cohort_servers_ask(s, call, s->each, s->ranks.n_servers);
}

cohort_status cohort_servers_stay(cohort_servers *s, const char *call)
{
    const cohort_server_request stay = { .kind = COHORT_REQUEST_STAY };
    int64_t now = cohort_clock_ns();
    if (s->messages.limit_ns == 0 || s->messages.has_given_up ||
        now - s->asked_ns < s->messages.limit_ns / 8)
        return COHORT_OK;
    s->asked_ns = now;
    cohort_status status = ask_each(s, call, &stay);
    if (status >= 0 && s->company != NULL)
        s->company->stay(s->company->user);
    return status;
}

cohort_status cohort_servers_settle(const cohort_servers *s, const char *call)
{
    return s->company != NULL && s->company->settle != NULL
               ? s->company->settle(s->company->user, call)
               : COHORT_OK;
}

cohort_status cohort_servers_rest(cohort_servers *s, const char *call, bool rests)
{
    const cohort_server_request rest = { .kind = COHORT_REQUEST_REST, .variable = rests };
    return s->staleness > 0 ? ask_each(s, call, &rest) : COHORT_OK;
}

cohort_status cohort_servers_lose(cohort_servers *s, const char *call, int32_t worker)
{
    const cohort_server_request lost = { .kind = COHORT_REQUEST_LOST, .variable = worker };
    return ask_each(s, call, &lost);
}

/* ------------------------------------------------------------------ joining and leaving */

/* A question to each is a head and its answer's. */
static cohort_status make(cohort_servers *s, cohort_communicator *communicator)
{
    size_t n = (size_t)s->ranks.n_servers;
    s->messages = (cohort_messages){ .communicator = communicator,
                                     .ranks = &s->ranks,
                                     .meanwhile = notice_others,
                                     .user = s,
                                     .limit_ns = cohort_setting_ns(COHORT_SETTING_TIMEOUT_WORKER) };
    s->notices = (cohort_messages){ .communicator = communicator,
                                    .ranks = &s->ranks,
                                    .limit_ns = s->messages.limit_ns };
    s->is_asked = cohort_allocate(n, sizeof *s->is_asked);
    s->each = cohort_allocate(n, sizeof *s->each);
    if (s->is_asked == NULL || s->each == NULL)
        return cohort_error_memory("a strategy");
    cohort_status status = cohort_messages_reserve(&s->messages, 2 * n);
    return status < 0 ? status : cohort_messages_reserve(&s->notices, n);
}

static void free_servers(void *servers)
{
    cohort_servers *s = servers;
    cohort_messages_fini(&s->messages);
    cohort_messages_fini(&s->notices);
    cohort_talk_fini(&s->talk);
    cohort_free(s->is_asked);
    cohort_free(s->each);
    cohort_free(s);
}

cohort_servers *cohort_servers_create(cohort_communicator *communicator, const cohort_ranks *ranks)
{
    cohort_servers *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        (void)cohort_error_memory("a strategy");
        return NULL;
    }
    s->ranks = *ranks;
    cohort_talk_init(&s->talk);
    if (make(s, communicator) >= 0)
        return s;
    free_servers(s);
    return NULL;
}

/* All that have met take a tag, or none is left for any of them. */
cohort_status cohort_servers_greet(cohort_servers *s, int64_t staleness)
{
    const cohort_server_request hello = { .kind = COHORT_REQUEST_HELLO, .staleness = staleness };
    cohort_status status = cohort_communicator_take_tag(s->messages.communicator, &s->messages.tag);
    if (status < 0)
        return status;
    s->notices.tag = s->messages.tag;
    s->is_greeted = true;
    s->staleness = staleness;
    s->asked_ns = cohort_clock_ns();
    return ask_each(s, "strategy", &hello);
}

void cohort_servers_leave(cohort_servers *s)
{
    const cohort_server_request leave = { .kind = COHORT_REQUEST_LEAVE };
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (s->is_greeted && !s->messages.has_given_up &&
        cohort_communicator_is_up(s->messages.communicator)) {
        if (s->company != NULL)
            s->company->leave(s->company->user);
        (void)ask_each(s, "cohort_strategy_destroy", &leave);
    }
    s->is_greeted = false;
    cohort_error_restore(&saved);
}

void cohort_servers_destroy(cohort_servers *s)
{
    if (s == NULL)
        return;
    cohort_servers_leave(s);
    cohort_messages_give(&s->messages, s, free_servers);
}
