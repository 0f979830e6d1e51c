/* SPDX-License-Identifier: BSD-3-Clause */
/* A parameter server looks at each guest in turn, and does what one asks for before it looks at the
 * next: so no request is served before another one twice. */
#include "config.h"

#include <cohort/server.h>

#include "runtime/base/kept.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"
#include "runtime/exchange/presence.h"
#include "runtime/exchange/refusal.h"
#include "runtime/server/guest.h"
#include "runtime/strategy/served.h"

#include <sched.h>
#include <time.h>

static const char call[] = "cohort_server_run";

/* A worker asks again within microseconds, or not for long. ENDED_NS: where nobody has said
 * anything for so long, nothing is on its way from a process that has ended. */
enum { LOOK_NS = 50000, YIELD_NS = 20000000, NAP_NS = 100000, ENDED_NS = 1000000000 };

typedef struct server {
    cohort_membership membership;
    cohort_ranks ranks;
    cohort_resolver *transport;
    cohort_room room;
    cohort_counter counter;
    cohort_guest *guests; /* [n_guests] */
    int32_t n_guests;
    uint64_t reserved; /* exchanges */
    int64_t heard_ns;  /* since when nobody has said anything */
    int64_t silent_ns; /* after so long it was seen whether the chief has ended */
    bool is_chief_gone;
    bool has_lost;     /* a guest is gone, and MPI may use what it was lent for it */
    bool is_left_open; /* after an error MPI may use what it was lent */
} server;

/* ------------------------------------------------------------------ opening */

/* Workers first, then evaluators, whose ranks are behind those of the servers. */
static int32_t rank_of(const server *s, int32_t guest)
{
    return guest < s->ranks.n_workers ? guest : guest + s->ranks.n_servers;
}

/* Memory to greet all guests and to let them go, before they come. */
static cohort_status make_room(server *s, const cohort_server_options *options)
{
    const uint64_t exchanges = 2 * (uint64_t)(s->ranks.n_workers + s->ranks.n_evaluators);
    cohort_status status = cohort_room_init(&s->room, options, &s->ranks);
    if (status < 0)
        return status;
    s->n_guests = s->room.n_guests;
    s->guests = cohort_allocate((size_t)s->n_guests, sizeof *s->guests);
    if (s->guests == NULL)
        return cohort_error_memory("a parameter server");
    status = cohort_communicator_reserve(cohort_communicator_of(s->transport), exchanges);
    s->reserved = status >= 0 ? exchanges : 0;
    return status;
}

static cohort_status open_room(server *s)
{
    cohort_communicator *communicator = cohort_communicator_of(s->transport);
    /* a guest hears of whom it has waited for before it gives up itself; so does one that has left,
     * and waits with its next strategy */
    s->counter =
        (cohort_counter){ .communicator = communicator,
                          .patience_ns = cohort_setting_ns(COHORT_SETTING_TIMEOUT_WORKER) / 4 * 3,
                          .room = &s->room };
    cohort_status status = cohort_communicator_take_tag(communicator, &s->counter.tag);
    for (int32_t i = 0; i < s->n_guests && status >= 0; i++) {
        s->guests[i].rank = rank_of(s, i);
        s->guests[i].service.guest = i;
        status = cohort_guest_invite(&s->counter, &s->guests[i]);
    }
    return status;
}

/* ------------------------------------------------------------------ serving */

static const cohort_guest *find_here(const server *s)
{
    for (int32_t i = 0; i < s->n_guests; i++)
        if (s->guests[i].state != COHORT_GUEST_LEFT)
            return &s->guests[i];
    return NULL;
}

/* It is as if it had left, but for what is under way with it. */
static void let_go(server *s, int32_t guest)
{
    char name[COHORT_RANKS_NAME];
    cohort_room_name(&s->room, guest, name);
    cohort_log(COHORT_SUBSYSTEM_SERVER, COHORT_LOG_WARNING, "%s: %s is lost, and not waited for",
               call, name);
    cohort_guest_abandon(&s->counter, &s->guests[guest]);
    s->guests[guest].state = COHORT_GUEST_LEFT;
    cohort_room_leave(&s->room, guest);
    s->has_lost = true;
}

static cohort_status attend_all(server *s)
{
    bool has_moved = false;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->n_guests && status >= 0; i++) {
        if (s->room.is_lost[i] && s->guests[i].state != COHORT_GUEST_LEFT)
            let_go(s, i);
        if (s->guests[i].state == COHORT_GUEST_LEFT)
            continue;
        char name[COHORT_RANKS_NAME];
        status = cohort_guest_attend(&s->counter, &s->guests[i], &has_moved);
        cohort_ranks_name(&s->ranks, s->guests[i].rank, name);
        if (status < 0)
            status = cohort_error_prefix(status, "%s: %s", call, name);
    }
    if (has_moved) {
        s->heard_ns = cohort_clock_ns();
        s->silent_ns = 0;
        s->is_chief_gone = false;
    }
    return status;
}

/* One that waits for others was heard: it is answered before it gives up (guest.c). */
static bool has_waiting(const server *s)
{
    bool has = false;
    for (int32_t i = 0; i < s->n_guests && !has; i++)
        has = s->guests[i].state == COHORT_GUEST_WAITS;
    return has;
}

/* One to which an answer goes may take it late, for it waits for another server's first; it gives
 * that one up before it is given up itself. */
static int64_t patience_now(const server *s)
{
    for (int32_t i = 0; i < s->n_guests; i++)
        if (s->guests[i].state == COHORT_GUEST_HEARS)
            return 2 * s->counter.patience_ns;
    return s->counter.patience_ns;
}

/* A chief says whether workers are lost; nobody says it of the chief. It is looked for twice: this
 * process may have stood before the first time, and what the chief has said last is heard then. */
static bool has_chief_ended(server *s, int64_t silent)
{
    if (s->ranks.n_chiefs == 0 || !s->ranks.were_there || silent < s->silent_ns + ENDED_NS)
        return false;
    s->silent_ns = silent;
    const bool was_gone = s->is_chief_gone;
    s->is_chief_gone = s->guests[0].state != COHORT_GUEST_LEFT &&
                       !cohort_presence_is_there(0, s->ranks.rank, cohort_ranks_size(&s->ranks));
    return s->is_chief_gone && was_gone;
}

/* The longer nobody says anything, the less it takes of its core. A guest that has left just now is
 * not waited for. */
static cohort_status rest(server *s)
{
    const cohort_guest *here = find_here(s);
    int64_t silent = cohort_clock_ns() - s->heard_ns;
    const struct timespec nap = { 0, NAP_NS };
    if (has_chief_ended(s, silent))
        return cohort_error_set(COHORT_ELOST, "%s: the chief has ended, and has not left", call);
    if (here != NULL && s->counter.patience_ns > 0 && silent >= patience_now(s) &&
        !has_waiting(s)) {
        char name[COHORT_RANKS_NAME];
        cohort_ranks_name(&s->ranks, here->rank, name);
        return cohort_error_set(COHORT_ELOST,
                                "%s: %s has neither made a call of its strategy nor left for %g "
                                "s, nor has any other; it has ended, stands, is cut off, or "
                                "computes for longer than COHORT_TIMEOUT_WORKER allows",
                                call, name, (double)patience_now(s) / 1e9);
    }
    if (silent < LOOK_NS)
        cohort_thread_relax();
    else if (silent < YIELD_NS)
        (void)sched_yield();
    else
        (void)nanosleep(&nap, NULL);
    return COHORT_OK;
}

static cohort_status serve(server *s)
{
    cohort_status status = COHORT_OK;
    s->heard_ns = cohort_clock_ns();
    while (status >= 0 && find_here(s) != NULL) {
        status = attend_all(s);
        if (status >= 0)
            status = rest(s);
    }
    return status;
}

/* ------------------------------------------------------------------ all of it */

static void leave_open(server *s)
{
    s->is_left_open = true;
    for (int32_t i = 0; i < s->n_guests; i++)
        cohort_guest_abandon(&s->counter, &s->guests[i]);
    cohort_log(COHORT_SUBSYSTEM_SERVER, COHORT_LOG_WARNING,
               "%s: memory of the server is not freed, for MPI may still use it", call);
}

static void close_room(server *s)
{
    for (int32_t i = 0; s->guests != NULL && !s->has_lost && i < s->n_guests; i++)
        cohort_free(s->guests[i].bytes);
    if (s->has_lost)
        cohort_keep(s->guests);
    else
        cohort_free(s->guests);
    cohort_room_fini(&s->room);
    cohort_communicator_unreserve(cohort_communicator_of(s->transport), s->reserved);
}

static cohort_status run(server *s, cohort_resolver *resolver, const cohort_server_options *options)
{
    const cohort_served_task task = { .call = call, .is_server = true };
    cohort_status status =
        cohort_served_find(&s->membership, resolver, &task, &s->ranks, &s->transport);
    if (status < 0)
        return status;
    status =
        cohort_served_meet(&s->membership, &task, &s->ranks, s->transport, make_room(s, options));
    if (status < 0) {
        close_room(s);
        return status;
    }
    status = open_room(s);
    if (status >= 0)
        status = serve(s);
    if (status < 0) {
        leave_open(s);
        return status;
    }
    status = s->room.strategy == NULL
                 ? cohort_error_set(s->room.status, "%s: %s", call, s->room.why)
                 : COHORT_OK;
    close_room(s);
    return status;
}

cohort_status cohort_server_run(cohort_resolver *resolver, const cohort_server_options *options)
{
    static const cohort_server_options defaults;
    cohort_status status = cohort_error_if_forked();
    if (status < 0)
        return status;
    server *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        status = cohort_error_memory("a parameter server");
        cohort_refusal_reach(resolver, status);
        return status;
    }
    status = run(s, resolver, options != NULL ? options : &defaults);
    if (!s->is_left_open) {
        cohort_resolver_destroy(s->transport);
        cohort_membership_leave(&s->membership);
        cohort_free(s);
    }
    return status;
}
