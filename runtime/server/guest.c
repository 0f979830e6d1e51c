/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/server/guest.h"

#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

/* ------------------------------------------------------------------ steps */

cohort_status cohort_guest_invite(const cohort_counter *c, cohort_guest *g)
{
    g->state = COHORT_GUEST_SPEAKS;
    return cohort_communicator_receive(c->communicator, g->rank, c->tag, &g->service.request,
                                       sizeof g->service.request, NULL, &g->first);
}

static cohort_status answer(const cohort_counter *c, cohort_guest *g)
{
    const cohort_service *e = &g->service;
    g->state = COHORT_GUEST_HEARS;
    cohort_status status = cohort_communicator_send(c->communicator, g->rank, c->tag, &e->answer,
                                                    sizeof e->answer, &g->first);
    if (status >= 0 && e->answer.bytes > 0)
        status = cohort_communicator_send(c->communicator, g->rank, c->tag, e->into,
                                          e->answer.bytes, &g->second);
    return status;
}

static cohort_status try_it(const cohort_counter *c, cohort_guest *g)
{
    int64_t waited = cohort_clock_ns() - g->asked_ns;
    bool is_done = cohort_room_do(c->room, &g->service);
    g->state = COHORT_GUEST_WAITS;
    if (!is_done && c->patience_ns > 0 && waited >= c->patience_ns) {
        cohort_room_refuse(c->room, &g->service, (double)waited / 1e9);
        is_done = true;
    }
    return is_done ? answer(c, g) : COHORT_OK;
}

/* Room for the bytes is taken from what a worker says they are: more than there is memory is its
 * program's error, but what it sends has to go somewhere, so that the server ends. */
static cohort_status take_bytes(const cohort_counter *c, cohort_guest *g)
{
    uint64_t bytes = g->service.request.bytes;
    g->asked_ns = cohort_clock_ns();
    if (g->service.request.kind == COHORT_REQUEST_HERE)
        return cohort_guest_invite(c, g);
    if (bytes == 0)
        return try_it(c, g);
    if (bytes > SIZE_MAX || !cohort_grow((void **)&g->bytes, &g->capacity, (size_t)bytes, 1))
        return cohort_error_memory("what a worker sends");
    g->service.bytes = g->bytes;
    g->state = COHORT_GUEST_SENDS;
    return cohort_communicator_receive(c->communicator, g->rank, c->tag, g->bytes, bytes, NULL,
                                       &g->first);
}

/* The answer is out. */
static cohort_status begin_anew(const cohort_counter *c, cohort_guest *g)
{
    cohort_free(g->service.into);
    g->service.into = NULL;
    if (g->service.request.kind != COHORT_REQUEST_LEAVE)
        return cohort_guest_invite(c, g);
    g->state = COHORT_GUEST_LEFT;
    cohort_room_leave(c->room, g->service.guest);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ looking */

/* COHORT_EAGAIN: it is not over. */
static cohort_status test(const cohort_counter *c, cohort_exchange **exchange)
{
    if (*exchange == NULL)
        return COHORT_OK;
    cohort_status status = cohort_communicator_test(c->communicator, *exchange);
    if (status != COHORT_EAGAIN)
        *exchange = NULL;
    return status;
}

cohort_status cohort_guest_attend(const cohort_counter *c, cohort_guest *g, bool *out_has_moved)
{
    cohort_guest_state before = g->state;
    bool is_heard = false;
    cohort_status status = test(c, &g->first);
    if (status >= 0)
        status = test(c, &g->second);
    if (status == COHORT_EAGAIN)
        return COHORT_OK;
    if (status >= 0 && before == COHORT_GUEST_SPEAKS) {
        is_heard = true;
        status = take_bytes(c, g);
    } else if (status >= 0 && (before == COHORT_GUEST_SENDS || before == COHORT_GUEST_WAITS))
        status = try_it(c, g);
    else if (status >= 0 && before == COHORT_GUEST_HEARS)
        status = begin_anew(c, g);
    *out_has_moved = *out_has_moved || g->state != before || is_heard;
    return status;
}

void cohort_guest_abandon(const cohort_counter *c, cohort_guest *g)
{
    if (g->first != NULL)
        cohort_communicator_abandon(c->communicator, g->first);
    if (g->second != NULL)
        cohort_communicator_abandon(c->communicator, g->second);
    cohort_communicator_abandon(c->communicator, NULL);
}
