/* SPDX-License-Identifier: BSD-3-Clause */
/* One order is under way at a time, and one report, behind whose head its bytes come. */
#include "config.h"

#include "runtime/coordinator/seat.h"

#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/exchange/presence.h"

#include <stdio.h>
#include <string.h>

/* Between two looks for its process, which are system calls. */
enum { LOOK_NS = 50000000, EXCHANGES = 4 };

static cohort_communicator *communicator_of(const cohort_seat *s)
{
    return s->servers->messages.communicator;
}

/* ------------------------------------------------------------------ making and freeing */

static bool is_there(const cohort_seat *s)
{
    const cohort_comm_info *info = &communicator_of(s)->info;
    return cohort_presence_is_there(s->rank, info->rank, info->size);
}

static cohort_status invite(cohort_seat *s)
{
    return cohort_communicator_receive(communicator_of(s), s->rank, s->servers->messages.tag,
                                       &s->report, sizeof s->report, NULL, &s->hears);
}

static void free_seat(cohort_seat *s)
{
    cohort_free(s->argument);
    cohort_free(s->result);
    cohort_free(s);
}

cohort_seat *cohort_seat_create(const cohort_servers *servers, int32_t rank)
{
    cohort_seat *s = cohort_allocate(1, sizeof *s);
    if (s == NULL) {
        (void)cohort_error_memory("a coordinator");
        return NULL;
    }
    *s = (cohort_seat){ .servers = servers, .rank = rank, .heard_ns = cohort_clock_ns() };
    cohort_ranks_name(&servers->ranks, rank, s->name);
    if (cohort_communicator_reserve(communicator_of(s), EXCHANGES) < 0) {
        free_seat(s);
        return NULL;
    }
    s->is_watched = servers->ranks.were_there || is_there(s);
    return s;
}

static bool is_lent(const cohort_seat *s)
{
    cohort_exchange *const all[EXCHANGES] = { s->hears, s->hears_more, s->says, s->says_more };
    bool is = false;
    for (int i = 0; i < EXCHANGES; i++)
        if (all[i] != NULL) {
            cohort_communicator_abandon(communicator_of(s), all[i]);
            is = true;
        }
    return is;
}

void cohort_seat_destroy(cohort_seat *s)
{
    cohort_closure_drop(s->closure);
    if (is_lent(s)) {
        cohort_keep(s);
        return;
    }
    cohort_communicator_unreserve(communicator_of(s), EXCHANGES);
    free_seat(s);
}

/* ------------------------------------------------------------------ listening */

/* COHORT_EAGAIN: it is not over. Once the engine has failed an exchange, nothing is left of it. */
static cohort_status test(const cohort_seat *s, cohort_exchange **exchange)
{
    if (*exchange == NULL)
        return COHORT_OK;
    cohort_status status = cohort_communicator_test(communicator_of(s), *exchange);
    if (status != COHORT_EAGAIN)
        *exchange = NULL;
    return status < 0 && status != COHORT_EAGAIN ? cohort_error_prefix(COHORT_ELOST, "%s", s->name)
                                                 : status;
}

static cohort_status refuse(const cohort_seat *s, const char *what)
{
    return cohort_error_set(COHORT_ELOST, "%s %s: it runs another program", s->name, what);
}

static cohort_status take_done(cohort_seat *s, cohort_seat_news *out)
{
    const cohort_report *r = &s->report;
    if (s->state != COHORT_SEAT_BUSY || r->number != s->closure->number)
        return refuse(s, "is done with a closure that it does not have");
    if (r->bytes != (r->status < 0 ? 0 : s->closure->result_bytes))
        return refuse(s, "sends a result of another size");
    *out = COHORT_SEAT_DONE;
    if (r->bytes == 0)
        return COHORT_OK;
    *out = COHORT_SEAT_HEARD;
    return cohort_communicator_receive(communicator_of(s), s->rank, s->servers->messages.tag,
                                       s->result, r->bytes, NULL, &s->hears_more);
}

static cohort_status take_report(cohort_seat *s, cohort_seat_news *out)
{
    s->report.text[sizeof s->report.text - 1] = '\0';
    *out = COHORT_SEAT_HEARD;
    switch (s->report.kind) {
    case COHORT_REPORT_READY:
        if (s->state != COHORT_SEAT_TO_COME)
            return refuse(s, "comes a second time");
        s->state = COHORT_SEAT_FREE;
        return COHORT_OK;
    case COHORT_REPORT_HERE:
        return COHORT_OK;
    case COHORT_REPORT_DONE:
        return take_done(s, out);
    case COHORT_REPORT_LEAVES:
        *out = COHORT_SEAT_GONE;
        return COHORT_OK;
    default:
        return refuse(s, "says what no worker does");
    }
}

static cohort_status take_next(cohort_seat *s, cohort_seat_news *out)
{
    cohort_status status = COHORT_OK;
    *out = COHORT_SEAT_DONE;
    if (s->hears_more != NULL)
        return test(s, &s->hears_more);
    if (s->hears == NULL)
        status = invite(s);
    if (status >= 0)
        status = test(s, &s->hears);
    return status < 0 ? status : take_report(s, out);
}

/* The next report may come once this is called again, so that the caller has this one till then. */
cohort_status cohort_seat_listen(cohort_seat *s, cohort_seat_news *out)
{
    cohort_status status = take_next(s, out);
    if (status == COHORT_EAGAIN) {
        *out = COHORT_SEAT_SILENT;
        return COHORT_OK;
    }
    s->heard_ns = cohort_clock_ns();
    if (status < 0 || *out != COHORT_SEAT_DONE)
        return status;
    s->state = COHORT_SEAT_FREE;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ telling */

cohort_status cohort_seat_settle(cohort_seat *s, bool *out_is_settled)
{
    cohort_status status = test(s, &s->says);
    if (status >= 0)
        status = test(s, &s->says_more);
    *out_is_settled = status >= 0;
    return status == COHORT_EAGAIN ? COHORT_OK : status;
}

static cohort_status order(cohort_seat *s, const cohort_order *order)
{
    s->order = *order;
    s->heard_ns = cohort_clock_ns(); /* an answer, or that it is taken, is waited for from now on */
    cohort_status status =
        cohort_communicator_send(communicator_of(s), s->rank, s->servers->messages.tag, &s->order,
                                 sizeof s->order, &s->says);
    if (status >= 0 && order->argument_bytes > 0)
        status = cohort_communicator_send(communicator_of(s), s->rank, s->servers->messages.tag,
                                          s->argument, order->argument_bytes, &s->says_more);
    return status < 0 ? cohort_error_prefix(COHORT_ELOST, "%s", s->name) : status;
}

cohort_status cohort_seat_give(cohort_seat *s, cohort_closure *c)
{
    cohort_order it = { .kind = COHORT_ORDER_CLOSURE,
                        .number = c->number,
                        .argument_bytes = c->argument_bytes,
                        .result_bytes = c->result_bytes };
    if (!cohort_grow((void **)&s->argument, &s->argument_capacity, c->argument_bytes, 1) ||
        !cohort_grow((void **)&s->result, &s->result_capacity, c->result_bytes, 1))
        return cohort_error_memory("a closure");
    memcpy(it.name, c->name, sizeof it.name);
    if (c->argument_bytes > 0)
        memcpy(s->argument, c->argument, c->argument_bytes);
    s->state = COHORT_SEAT_BUSY;
    s->closure = cohort_closure_hold(c);
    return order(s, &it);
}

cohort_status cohort_seat_say(cohort_seat *s, cohort_order_kind kind, bool has_lost)
{
    if (kind == COHORT_ORDER_LEAVE)
        s->state = COHORT_SEAT_LEAVING;
    return order(s, &(cohort_order){ .kind = kind, .has_lost = has_lost });
}

/* ------------------------------------------------------------------ whether it is there */

cohort_status cohort_seat_check(cohort_seat *s)
{
    int64_t now = cohort_clock_ns(), limit = s->servers->messages.limit_ns;
    if (s->is_watched && now - s->looked_ns >= LOOK_NS) {
        s->looked_ns = now;
        if (!is_there(s))
            return cohort_error_set(COHORT_ELOST, "%s is lost: its process has ended", s->name);
    }
    bool may_be_silent = s->state == COHORT_SEAT_FREE && s->says == NULL && s->says_more == NULL;
    if (limit == 0 || may_be_silent || now - s->heard_ns < limit)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_ELOST,
        "%s is lost: it %s %g s (COHORT_TIMEOUT_WORKER); it has ended, stands, or is "
        "cut off",
        s->name,
        s->state == COHORT_SEAT_TO_COME ? "has not come to cohort_worker_run within"
                                        : "has said nothing for",
        (double)limit / 1e9);
}
