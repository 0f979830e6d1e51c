/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and destroying coordinators, and what workers hear of the chief meanwhile. */
#include "config.h"

#include "runtime/coordinator/coordinator.h"

#include "runtime/base/callback.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/coordinator/pause.h"
#include "runtime/coordinator/role.h"
#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"

enum { QUEUE = 256, QUEUE_MOST = 1 << 20 };

/* ------------------------------------------------------------------ company */

/* An error is that of the next call of the coordinator. */
static void stay(void *user)
{
    cohort_coordinator *c = user;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    cohort_status status = cohort_coordinator_advance(c, "a call of its chief");
    for (int32_t i = 0; i < c->n_seats && status >= 0; i++) {
        bool is_settled = false;
        cohort_seat *s = c->seats[i];
        if (s != NULL && s->state == COHORT_SEAT_FREE && cohort_seat_settle(s, &is_settled) >= 0 &&
            is_settled)
            (void)cohort_seat_say(s, COHORT_ORDER_HERE, false);
    }
    cohort_error_restore(&saved);
}

static cohort_status settle(void *user, const char *call)
{
    return cohort_coordinator_settle(user, call);
}

/* Short messages go out at once, or not before somebody takes them, for whom nobody waits here. */
static void leave(void *user)
{
    cohort_coordinator *c = user;
    for (int32_t i = 0; i < c->n_seats; i++) {
        bool is_settled = false;
        cohort_seat *s = c->seats[i];
        if (s == NULL || cohort_seat_settle(s, &is_settled) < 0 || !is_settled)
            continue;
        if (cohort_seat_say(s, COHORT_ORDER_LEAVE, c->has_lost) >= 0)
            (void)cohort_seat_settle(s, &is_settled);
    }
}

/* ------------------------------------------------------------------ freeing */

/* Those of its remote values that the strategy has not destroyed. */
static void free_remotes(const cohort_coordinator *c)
{
    while (c->remotes != NULL)
        c->remotes->dependent.destroy(&c->remotes->dependent);
}

static void free_coordinator(cohort_coordinator *c)
{
    for (int32_t i = 0; c->seats != NULL && i < c->n_seats; i++)
        if (c->seats[i] != NULL)
            cohort_seat_destroy(c->seats[i]);
    cohort_free(c->seats);
}

static void destroy(cohort_dependent *dependent)
{
    cohort_coordinator *c = (cohort_coordinator *)dependent;
    cohort_strategy *s = c->strategy;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    (void)cohort_error_set(COHORT_ELOST, "the coordinator was destroyed");
    cohort_coordinator_cancel(c, c->failed);
    if (cohort_communicator_is_up(c->servers->messages.communicator)) {
        cohort_coordinator_dismiss(c);
        (void)cohort_servers_rest(c->servers, "cohort_coordinator_destroy", false);
    }
    free_remotes(c);
    cohort_closure_drop(c->failed);
    c->servers->company = NULL;
    free_coordinator(c);
    cohort_strategy_disown(dependent);
    cohort_handle_free(&dependent->handle, sizeof *c, &s->handle);
    cohort_error_restore(&saved);
}

void cohort_coordinator_destroy(cohort_coordinator *c)
{
    static const char call[] = "cohort_coordinator_destroy";
    if (c == NULL ||
        !cohort_call_may_destroy(c, COHORT_HANDLE_COORDINATOR, call, "the coordinator") ||
        cohort_call_enter_broken(c->strategy, call) < 0)
        return;
    cohort_strategy *s = c->strategy;
    destroy(&c->dependent);
    (void)cohort_call_leave(s, COHORT_OK);
}

/* ------------------------------------------------------------------ making */

static void describe(const cohort_dependent *dependent, FILE *out)
{
    const cohort_coordinator *c = (const cohort_coordinator *)dependent;
    (void)fprintf(
        out, "  coordinator of %d workers: %llu closures, %lld of them waiting, %d under way\n",
        (int)c->n_here, (unsigned long long)c->n_scheduled, (long long)c->queue.n,
        (int)cohort_coordinator_count_busy(c));
}

static cohort_status check_options(const char *call, const cohort_coordinator_options *options)
{
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "%s: reserved[%zu] of the options is not zero",
                                    call, i);
    if (options->queue < 0 || options->queue > QUEUE_MOST)
        return cohort_error_number(options->queue, "%s: a queue of %lld closures; 1 to %d, or 0",
                                   call, (long long)options->queue, QUEUE_MOST);
    return COHORT_OK;
}

static cohort_status make_seats(cohort_coordinator *c)
{
    const cohort_ranks *r = &c->servers->ranks;
    c->n_seats = r->n_workers - r->n_chiefs;
    c->seats = cohort_allocate((size_t)c->n_seats, sizeof(cohort_seat *));
    if (c->seats == NULL)
        return cohort_error_memory("a coordinator");
    for (; c->n_here < c->n_seats; c->n_here++) {
        c->seats[c->n_here] = cohort_seat_create(c->servers, r->n_chiefs + c->n_here);
        if (c->seats[c->n_here] == NULL)
            return cohort_error_status();
    }
    return COHORT_OK;
}

static cohort_coordinator *create(cohort_strategy *s, const cohort_coordinator_options *options,
                                  const char *call)
{
    if (cohort_role_check(s, call, true) < 0 || check_options(call, options) < 0)
        return NULL;
    cohort_coordinator *c = cohort_allocate(1, sizeof *c);
    if (c == NULL) {
        (void)cohort_error_memory("a coordinator");
        return NULL;
    }
    c->strategy = s;
    c->servers = s->servers;
    c->most_queued = options->queue > 0 ? options->queue : QUEUE;
    c->company =
        (cohort_servers_company){ .stay = stay, .settle = settle, .leave = leave, .user = c };
    c->dependent = (cohort_dependent){ .destroy = destroy, .describe = describe };
    cohort_status status = make_seats(c);
    if (status >= 0)
        status = cohort_servers_rest(c->servers, call, true);
    if (status < 0) {
        free_coordinator(c);
        cohort_free(c);
        (void)cohort_error_prefix(status, "%s", call);
        return NULL;
    }
    cohort_handle_begin(&c->dependent.handle, COHORT_HANDLE_COORDINATOR);
    c->servers->company = &c->company;
    cohort_strategy_adopt(s, &c->dependent);
    return c;
}

cohort_coordinator *cohort_coordinator_create(cohort_strategy *strategy,
                                              const cohort_coordinator_options *options)
{
    static const cohort_coordinator_options defaults;
    static const char call[] = "cohort_coordinator_create";
    if (cohort_call_enter(strategy, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_COORDINATOR, NULL);
    cohort_coordinator *c = create(strategy, options != NULL ? options : &defaults, call);
    (void)cohort_call_leave(strategy, c != NULL ? COHORT_OK : cohort_error_status());
    return cohort_handle_made(COHORT_HANDLE_COORDINATOR, c);
}

int cohort_coordinator_num_workers(const cohort_coordinator *c)
{
    return cohort_handle_is(c, COHORT_HANDLE_COORDINATOR) ? c->n_here : 0;
}
