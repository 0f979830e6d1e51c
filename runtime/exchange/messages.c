/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for messages drives the engine, which has no thread of its own: a large message stands
 * while nobody looks. A peer that is on time is met within microseconds, so the thread looks at
 * once, then lets others have its core, and sleeps between two looks only when it has waited for
 * longer than messages take. */
#include "config.h"

#include "runtime/exchange/messages.h"

#include "runtime/base/kept.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

#include <sched.h>
#include <time.h>

enum { LOOK_NS = 20000, YIELD_NS = 1000000000, NAP_NS = 100000 };
static const int64_t say_ns = INT64_C(5000000000);

void cohort_messages_fini(cohort_messages *m)
{
    cohort_free(m->list);
    if (m->reserved > 0)
        cohort_communicator_unreserve(m->communicator, m->reserved);
}

/* ------------------------------------------------------------------ begin */

static cohort_status grow(cohort_messages *m, size_t n)
{
    return cohort_grow((void **)&m->list, &m->capacity, n, sizeof *m->list)
               ? COHORT_OK
               : cohort_error_memory("an exchange between workers");
}

cohort_status cohort_messages_reserve(cohort_messages *m, size_t n)
{
    if (n <= m->reserved)
        return COHORT_OK;
    cohort_status status = grow(m, n);
    if (status >= 0)
        status = cohort_communicator_reserve(m->communicator, n - m->reserved);
    if (status >= 0)
        m->reserved = n;
    return status;
}

static cohort_message *add(cohort_messages *m, int32_t peer, bool is_sent)
{
    if (m->status < 0)
        return NULL;
    if (m->has_given_up)
        m->status = cohort_error_set(COHORT_ELOST, "an earlier exchange was given up");
    else
        m->status = grow(m, m->n + 1);
    if (m->status < 0)
        return NULL;
    m->list[m->n] = (cohort_message){ NULL, peer, is_sent };
    return &m->list[m->n];
}

static void note(cohort_messages *m, cohort_status status)
{
    if (status >= 0)
        m->n++;
    else
        m->status = status;
}

void cohort_messages_send(cohort_messages *m, int32_t to, const void *from, uint64_t bytes)
{
    cohort_message *one = add(m, to, true);
    if (one != NULL)
        note(m, cohort_communicator_send(m->communicator, to, m->tag, from, bytes, &one->exchange));
}

void cohort_messages_receive_most(cohort_messages *m, int32_t from, void *into, uint64_t most,
                                  uint64_t *out_bytes)
{
    cohort_message *one = add(m, from, false);
    if (one != NULL)
        note(m, cohort_communicator_receive(m->communicator, from, m->tag, into, most, out_bytes,
                                            &one->exchange));
}

void cohort_messages_receive(cohort_messages *m, int32_t from, void *into, uint64_t bytes)
{
    cohort_messages_receive_most(m, from, into, bytes, NULL);
}

/* ------------------------------------------------------------------ memory */

void cohort_messages_give(const cohort_messages *m, void *memory, void (*give)(void *))
{
    if (m->has_given_up)
        cohort_keep(memory);
    else
        give(memory);
}

/* ------------------------------------------------------------------ wait */

typedef struct wait {
    cohort_messages *messages;
    const char *call;
    int64_t start_ns, said_ns;
} wait;

void cohort_messages_name(const cohort_messages *m, int32_t peer, char out[COHORT_RANKS_NAME])
{
    const cohort_ranks all = { .n_workers = m->communicator->info.size };
    cohort_ranks_name(m->ranks != NULL ? m->ranks : &all, peer, out);
}

/* The peer that is waited for; -1: nobody. A message that is to come says more than one that is not
 * taken. */
static int32_t find_late(const cohort_messages *m)
{
    int32_t sent = -1;
    for (size_t i = 0; i < m->n; i++) {
        const cohort_message *one = &m->list[i];
        if (one->exchange != NULL && !one->is_sent)
            return one->peer;
        if (one->exchange != NULL && sent < 0)
            sent = one->peer;
    }
    return sent;
}

bool cohort_messages_is_to_come(const cohort_messages *m, int32_t peer)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->list[i].exchange != NULL && !m->list[i].is_sent && m->list[i].peer == peer)
            return true;
    return false;
}

static cohort_status test(wait *w, bool *out_is_over)
{
    cohort_messages *m = w->messages;
    *out_is_over = true;
    for (size_t i = 0; i < m->n; i++) {
        cohort_message *one = &m->list[i];
        if (one->exchange == NULL)
            continue;
        cohort_status status = cohort_communicator_test(m->communicator, one->exchange);
        if (status == COHORT_EAGAIN) {
            *out_is_over = false;
            continue;
        }
        one->exchange = NULL;
        if (status >= 0)
            continue;
        m->has_given_up = true; /* other pieces of it may be under way */
        char name[COHORT_RANKS_NAME];
        cohort_messages_name(m, one->peer, name);
        return cohort_error_prefix(COHORT_ELOST, "%s: %s", w->call, name);
    }
    return COHORT_OK;
}

static cohort_status look_at_clock(wait *w)
{
    const cohort_messages *m = w->messages;
    int64_t now = cohort_clock_ns(), waited = now - w->start_ns;
    bool is_late = m->limit_ns > 0 && waited >= m->limit_ns, is_long = now - w->said_ns >= say_ns;
    char name[COHORT_RANKS_NAME];
    if (!is_late && !is_long)
        return COHORT_OK;
    cohort_messages_name(m, find_late(m), name);
    if (is_late)
        return cohort_error_set(COHORT_ELOST,
                                "%s: %s has not come within %g s (%s); it has ended, stands, or is "
                                "cut off",
                                w->call, name, (double)m->limit_ns / 1e9,
                                m->limit != NULL ? m->limit : "COHORT_TIMEOUT_WORKER");
    w->said_ns = now;
    cohort_log(COHORT_SUBSYSTEM_EXCHANGE, COHORT_LOG_WARNING, "%s: waiting for %s since %lld s",
               w->call, name, (long long)(waited / INT64_C(1000000000)));
    return COHORT_OK;
}

static void rest(const wait *w)
{
    int64_t waited = cohort_clock_ns() - w->start_ns;
    if (waited < LOOK_NS) {
        cohort_thread_relax();
    } else if (waited < YIELD_NS) {
        sched_yield();
    } else {
        const struct timespec nap = { 0, NAP_NS };
        (void)nanosleep(&nap, NULL);
    }
}

/* What is left stays with the engine. */
static void give_up(cohort_messages *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->list[i].exchange != NULL) {
            cohort_communicator_abandon(m->communicator, m->list[i].exchange);
            m->has_given_up = true;
        }
}

static cohort_status wait_for_all(wait *w)
{
    const cohort_messages *m = w->messages;
    bool is_over = false;
    cohort_status status = COHORT_OK;
    while (status >= 0 && !is_over) {
        status = test(w, &is_over);
        if (status >= 0 && !is_over)
            status = look_at_clock(w);
        if (status >= 0 && !is_over && m->meanwhile != NULL)
            m->meanwhile(m->user);
        if (status >= 0 && !is_over)
            rest(w);
    }
    return status;
}

cohort_status cohort_messages_wait(cohort_messages *m, const char *call)
{
    int64_t now = cohort_clock_ns();
    wait w = { m, call, now, now };
    cohort_status status =
        m->status < 0 ? cohort_error_prefix(m->status, "%s", call) : wait_for_all(&w);
    if (status < 0)
        give_up(m);
    m->n = 0;
    m->status = COHORT_OK;
    return status;
}

cohort_status cohort_messages_wait_after(cohort_messages *m, const char *call, cohort_status status)
{
    cohort_error_saved first;
    if (status >= 0)
        return cohort_messages_wait(m, call);
    cohort_error_save(&first);
    (void)cohort_messages_wait(m, call);
    cohort_error_restore(&first);
    return status;
}
