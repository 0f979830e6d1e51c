/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/coordinator/chief.h"

#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/coordinator/pause.h"
#include "runtime/exchange/presence.h"

#include <cohort/coordinator.h>

#include <stdio.h>
#include <string.h>

enum { CHIEF = 0, LOOK_NS = 50000000, EXCHANGES = 5 };

/* ------------------------------------------------------------------ exchanges */

static bool is_chief_there(const cohort_chief *c)
{
    return cohort_presence_is_there(CHIEF, c->communicator->info.rank, c->communicator->info.size);
}

/* COHORT_EAGAIN: it is not over. */
static cohort_status test(const cohort_chief *c, cohort_exchange **exchange)
{
    if (*exchange == NULL)
        return COHORT_OK;
    cohort_status status = cohort_communicator_test(c->communicator, *exchange);
    if (status != COHORT_EAGAIN)
        *exchange = NULL;
    return status < 0 && status != COHORT_EAGAIN
               ? cohort_error_prefix(COHORT_ELOST, "%s: the chief", c->call)
               : status;
}

static cohort_status test_all(cohort_chief *c)
{
    cohort_exchange **const all[] = { &c->says_here, &c->says, &c->says_more, &c->hears,
                                      &c->hears_more };
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status >= 0; i++)
        status = test(c, all[i]);
    return status;
}

static cohort_status check_chief(cohort_chief *c)
{
    int64_t now = cohort_clock_ns(), limit = c->servers->messages.limit_ns;
    if (c->is_watched && now - c->looked_ns >= LOOK_NS) {
        c->looked_ns = now;
        if (!is_chief_there(c))
            return cohort_error_set(COHORT_ELOST,
                                    "%s: the chief has ended, and has not destroyed "
                                    "its coordinator",
                                    c->call);
    }
    if (limit == 0 || now - c->heard_ns < limit)
        return COHORT_OK;
    return cohort_error_set(COHORT_ELOST,
                            "%s: the chief has said nothing for %g s (COHORT_TIMEOUT_WORKER): it "
                            "has ended, stands, is cut off, has no coordinator, or takes this "
                            "worker for lost",
                            c->call, (double)limit / 1e9);
}

/* Until all that is under way is over. The servers hear that this worker is there. */
static cohort_status wait(cohort_chief *c)
{
    int64_t since = cohort_clock_ns();
    cohort_status status = test_all(c);
    while (status == COHORT_EAGAIN) {
        cohort_pause_since(since);
        status = check_chief(c);
        if (status >= 0)
            status = cohort_servers_stay(c->servers, c->call);
        if (status >= 0)
            status = test_all(c);
    }
    if (status >= 0)
        c->heard_ns = cohort_clock_ns();
    return status;
}

static cohort_status send(cohort_chief *c, const void *from, uint64_t bytes, cohort_exchange **out)
{
    return bytes > 0 ? cohort_communicator_send(c->communicator, CHIEF, c->servers->messages.tag,
                                                from, bytes, out)
                     : COHORT_OK;
}

static cohort_status receive(cohort_chief *c, void *into, uint64_t bytes, cohort_exchange **out)
{
    return bytes > 0 ? cohort_communicator_receive(c->communicator, CHIEF, c->servers->messages.tag,
                                                   into, bytes, NULL, out)
                     : COHORT_OK;
}

/* ------------------------------------------------------------------ company */

/* One at a time: where the chief does not take it, another one would not help. None after the last
 * word, which a coordinator that comes later would hear. */
static void stay(void *user)
{
    cohort_chief *c = user;
    cohort_error_saved saved;
    if (c->report.kind == COHORT_REPORT_LEAVES)
        return;
    cohort_error_save(&saved);
    if (test(c, &c->says_here) >= 0)
        (void)send(c, &c->here, sizeof c->here, &c->says_here);
    cohort_error_restore(&saved);
}

/* In the middle of a closure, or while none runs: the chief takes no more after this. */
static void leave(void *user)
{
    cohort_chief *c = user;
    if (c->says != NULL || c->says_more != NULL)
        return;
    c->report = (cohort_report){ .kind = COHORT_REPORT_LEAVES };
    if (send(c, &c->report, sizeof c->report, &c->says) >= 0)
        (void)test(c, &c->says);
}

/* ------------------------------------------------------------------ making and freeing */

cohort_chief *cohort_chief_create(cohort_servers *servers, const char *call)
{
    cohort_chief *c = cohort_allocate(1, sizeof *c);
    if (c == NULL) {
        (void)cohort_error_memory("a worker");
        return NULL;
    }
    *c = (cohort_chief){ .call = call,
                         .servers = servers,
                         .communicator = servers->messages.communicator,
                         .here = { .kind = COHORT_REPORT_HERE },
                         .company = { .stay = stay, .leave = leave, .user = c },
                         .heard_ns = cohort_clock_ns() };
    cohort_status status = cohort_communicator_reserve(c->communicator, EXCHANGES);
    if (status < 0) {
        cohort_free(c);
        (void)cohort_error_prefix(status, "%s", call);
        return NULL;
    }
    c->is_watched = servers->ranks.were_there || is_chief_there(c);
    servers->company = &c->company;
    return c;
}

/* What is under way after an error stays with the engine, which keeps the memory. */
static bool is_lent(const cohort_chief *c)
{
    cohort_exchange *const all[] = { c->hears, c->hears_more, c->says, c->says_more, c->says_here };
    bool is = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NULL) {
            cohort_communicator_abandon(c->communicator, all[i]);
            is = true;
        }
    return is;
}

void cohort_chief_destroy(cohort_chief *c)
{
    c->servers->company = NULL;
    if (is_lent(c)) {
        cohort_keep(c);
        return;
    }
    cohort_communicator_unreserve(c->communicator, EXCHANGES);
    cohort_free(c->argument);
    cohort_free(c->result);
    cohort_free(c);
}

/* ------------------------------------------------------------------ orders and reports */

cohort_status cohort_chief_say(cohort_chief *c, cohort_report_kind kind)
{
    c->report = (cohort_report){ .kind = kind };
    cohort_status status = send(c, &c->report, sizeof c->report, &c->says);
    return status < 0 ? status : wait(c);
}

cohort_status cohort_chief_report_done(cohort_chief *c, cohort_status status)
{
    c->report = (cohort_report){ .kind = COHORT_REPORT_DONE,
                                 .status = status,
                                 .number = c->order.number,
                                 .bytes = status < 0 ? 0 : c->order.result_bytes };
    if (status < 0)
        (void)snprintf(c->report.text, sizeof c->report.text, "%s", cohort_error_slot());
    c->heard_ns = cohort_clock_ns(); /* it says nothing while a closure runs */
    status = send(c, &c->report, sizeof c->report, &c->says);
    if (status >= 0)
        status = send(c, c->result, c->report.bytes, &c->says_more);
    return status < 0 ? status : wait(c);
}

cohort_status cohort_chief_take_order(cohort_chief *c)
{
    cohort_status status = receive(c, &c->order, sizeof c->order, &c->hears);
    if (status >= 0)
        status = wait(c);
    c->order.name[sizeof c->order.name - 1] = '\0';
    return status;
}

cohort_status cohort_chief_take_argument(cohort_chief *c)
{
    const cohort_order *o = &c->order;
    if (o->argument_bytes > COHORT_CLOSURE_BYTES || o->result_bytes > COHORT_CLOSURE_BYTES)
        return cohort_error_set(COHORT_ELOST,
                                "%s: the chief sends what none does: it runs another "
                                "program",
                                c->call);
    if (!cohort_grow((void **)&c->argument, &c->argument_capacity, o->argument_bytes + 1, 1) ||
        !cohort_grow((void **)&c->result, &c->result_capacity, o->result_bytes + 1, 1))
        return cohort_error_memory("a closure");
    memset(c->result, 0, o->result_bytes);
    cohort_status status = receive(c, c->argument, o->argument_bytes, &c->hears_more);
    return status < 0 ? status : wait(c);
}

void cohort_chief_leave(cohort_chief *c)
{
    leave(c);
}
