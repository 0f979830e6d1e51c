/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots that every worker gets whole, for what cannot combine a slice of them. */
#include "config.h"

#include "runtime/exchange/workers.h"

#include <stdio.h>
#include <string.h>

/* The note of a worker. */
typedef struct note {
    uint64_t roots, digest; /* roots: a bit for each of its own that is there */
    char name[64];
} note;

static note note_of(const cohort_workers *w, const cohort_workers_whole *whole)
{
    note n = { .digest = whole->digest };
    (void)snprintf(n.name, sizeof n.name, "%s", whole->name);
    for (int32_t i = 0; i < w->n_roots; i++)
        if (w->roots[i].worker == w->rank && whole->roots[i] != NULL)
            n.roots |= cohort_roots_bit(w->roots, i);
    return n;
}

static note find_note(const cohort_workers *w, int32_t worker)
{
    note n;
    memcpy(&n, cohort_workers_note(w, worker), sizeof n);
    n.name[sizeof n.name - 1] = '\0';
    return n;
}

static cohort_status compare(const cohort_workers *w, const char *call, const note *mine)
{
    for (int32_t i = 0; i < w->n; i++) {
        note n = find_note(w, i);
        if (n.digest != mine->digest)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: worker %d of %d combines with '%s', worker %d with '%s'%s; "
                "all workers have the same function",
                call, i, w->n, n.name, w->rank, mine->name,
                strcmp(n.name, mine->name) == 0 ? ", with another prototype or other types" : "");
    }
    return COHORT_OK;
}

/* Of mine to each of the others, and of theirs. */
static size_t most_messages(const cohort_workers *w)
{
    size_t own = 0;
    for (int32_t i = 0; i < w->n_roots; i++)
        own += w->roots[i].worker == w->rank;
    return own * ((size_t)w->n - 1) + (size_t)w->n_roots - own;
}

/* After the meeting, of whose notes each knows who has which roots. */
static cohort_status send_and_receive(cohort_workers *w, const char *call,
                                      const cohort_workers_whole *whole)
{
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t from = w->roots[i].worker;
        bool is_there = cohort_roots_is_in(w->roots, find_note(w, from).roots, i);
        for (int32_t to = 0; to < w->n && is_there && from == w->rank; to++)
            if (to != w->rank)
                cohort_messages_send(&w->messages, to, whole->roots[i], whole->bytes);
        if (is_there && from != w->rank)
            cohort_messages_receive(&w->messages, from, whole->roots[i], whole->bytes);
        whole->is_there[i] = is_there;
    }
    return cohort_messages_wait(&w->messages, call);
}

cohort_status cohort_workers_share(cohort_workers *w, const char *call,
                                   const cohort_workers_whole *whole)
{
    const note mine = note_of(w, whole);
    cohort_status status = cohort_messages_reserve(&w->messages, most_messages(w));
    if (status < 0)
        return cohort_error_prefix(status, "%s", call);
    cohort_talk_begin(&w->talk);
    status = cohort_workers_meet(w, call, &mine, sizeof mine);
    if (status >= 0)
        status = compare(w, call, &mine);
    if (status >= 0)
        status = send_and_receive(w, call, whole);
    cohort_talk_end(&w->talk);
    return status;
}
