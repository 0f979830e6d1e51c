/* SPDX-License-Identifier: BSD-3-Clause */
/* How closures go to workers and come back. All of it stands between the beginning and the end of a
 * talk, so that a process which ends meanwhile breaks into none. */
#include "config.h"

#include "runtime/coordinator/coordinator.h"

#include "runtime/base/thread.h"
#include "runtime/coordinator/loss.h"
#include "runtime/coordinator/pause.h"

#include <string.h>

/* ------------------------------------------------------------------ those that wait */

void cohort_coordinator_add(cohort_coordinator *c, cohort_closure *closure)
{
    closure->number = ++c->n_scheduled;
    closure->n_to_come = 1;
    if (closure->round > 0)
        closure->n_to_come = c->n_here;
    cohort_closures_append(closure->round > 0 ? &c->per_worker : &c->queue,
                           cohort_closure_hold(closure));
}

void cohort_coordinator_drop_rounds(cohort_coordinator *c)
{
    while (c->per_worker.first != NULL && cohort_closure_is_over(c->per_worker.first))
        cohort_closure_drop(cohort_closures_take_first(&c->per_worker));
}

void cohort_coordinator_cancel(cohort_coordinator *c, cohort_closure *cause)
{
    for (cohort_closure *one; (one = cohort_closures_take_first(&c->queue)) != NULL;
         cohort_closure_drop(one))
        cohort_closure_cancel(one, cause);
    for (cohort_closure *one; (one = cohort_closures_take_first(&c->per_worker)) != NULL;
         cohort_closure_drop(one))
        if (!cohort_closure_is_over(one))
            cohort_closure_cancel(one, cause);
    for (int32_t i = 0; i < c->n_seats; i++)
        if (c->seats[i] != NULL)
            c->seats[i]->round = c->n_rounds;
}

/* ------------------------------------------------------------------ results */

void cohort_coordinator_note_done(cohort_coordinator *c, cohort_closure *closure)
{
    if (--closure->n_to_come == 0 && !cohort_closure_is_over(closure))
        closure->status = COHORT_OK;
    cohort_coordinator_drop_rounds(c);
}

/* COHORT_EAGAIN would say that it is to come. */
static cohort_status status_of(int32_t reported)
{
    return cohort_error_is_status(reported) && reported != COHORT_EAGAIN ? reported
                                                                         : COHORT_EINTERNAL;
}

static void note_failure(cohort_coordinator *c, const cohort_seat *s, cohort_closure *closure)
{
    const cohort_report *r = &s->report;
    cohort_status status = status_of(r->status);
    if (cohort_closure_is_over(closure))
        return;
    (void)cohort_error_set(status, "closure %llu (%s) on %s: %s",
                           (unsigned long long)closure->number, closure->name, s->name, r->text);
    cohort_closure_fail(closure, status);
    if (c->failed != NULL)
        return;
    c->failed = cohort_closure_hold(closure);
    cohort_coordinator_cancel(c, closure);
}

/* The seat gives its closure up. */
static void take_result(cohort_coordinator *c, int32_t i)
{
    cohort_seat *s = c->seats[i];
    cohort_closure *closure = s->closure;
    size_t place = closure->round > 0 ? (size_t)i : 0;
    s->closure = NULL;
    if (s->report.status < 0)
        note_failure(c, s, closure);
    else if (closure->result_bytes > 0)
        memcpy(closure->results + place * closure->result_bytes, s->result, closure->result_bytes);
    cohort_coordinator_note_done(c, closure);
    cohort_closure_drop(closure);
}

/* ------------------------------------------------------------------ one worker */

static cohort_closure *find_next(cohort_coordinator *c, cohort_seat *s)
{
    for (cohort_closure *one = c->per_worker.first; one != NULL; one = one->next)
        if (one->round > s->round)
            return one;
    return c->queue.first;
}

/* COHORT_ENOMEM is the error of the closure; else the worker is lost. */
static cohort_status give(cohort_coordinator *c, int32_t i)
{
    cohort_seat *s = c->seats[i];
    cohort_closure *next = find_next(c, s);
    if (next == NULL)
        return COHORT_OK;
    if (next->round > 0)
        s->round = next->round;
    else
        (void)cohort_closures_take_first(&c->queue);
    cohort_status status = cohort_seat_give(s, next);
    if (status == COHORT_ENOMEM) {
        s->report = (cohort_report){ .status = status, .text = "no memory for its bytes" };
        note_failure(c, s, next);
        cohort_coordinator_note_done(c, next);
        status = COHORT_OK;
    }
    if (next->round == 0)
        cohort_closure_drop(next);
    return status;
}

/* COHORT_ELOST: it is lost. *out_is_gone: it has left. */
static cohort_status listen(cohort_coordinator *c, int32_t i, bool *out_is_gone)
{
    cohort_seat_news news = COHORT_SEAT_HEARD;
    cohort_status status = COHORT_OK;
    while (status >= 0 && news != COHORT_SEAT_SILENT && news != COHORT_SEAT_GONE) {
        status = cohort_seat_listen(c->seats[i], &news);
        if (status >= 0 && news == COHORT_SEAT_DONE)
            take_result(c, i);
        if (news != COHORT_SEAT_SILENT)
            c->moved_ns = cohort_clock_ns();
    }
    *out_is_gone = status >= 0 && news == COHORT_SEAT_GONE;
    return status;
}

/* What it has said before it ended counts: so its end is looked for first. */
static cohort_status look(cohort_coordinator *c, int32_t i, bool *out_is_settled, bool *out_is_gone)
{
    cohort_error_saved why;
    cohort_seat *s = c->seats[i];
    cohort_status status = cohort_seat_settle(s, out_is_settled);
    cohort_status ended = status >= 0 ? cohort_seat_check(s) : status;
    int64_t heard_ns = s->heard_ns;
    if (ended < 0)
        cohort_error_save(&why);
    if (status >= 0)
        status = listen(c, i, out_is_gone);
    if (status >= 0 && ended < 0 && s->heard_ns == heard_ns) {
        cohort_error_restore(&why);
        status = ended;
    }
    return status;
}

static cohort_status attend(cohort_coordinator *c, int32_t i)
{
    bool is_gone = false, is_settled = false;
    cohort_status status = look(c, i, &is_settled, &is_gone);
    if (is_gone)
        return cohort_coordinator_let_go(c, i);
    if (status >= 0 && is_settled && !c->is_held && c->seats[i]->state == COHORT_SEAT_FREE)
        status = give(c, i);
    return status < 0 ? cohort_coordinator_lose(c, i) : COHORT_OK;
}

/* ------------------------------------------------------------------ all of them */

cohort_status cohort_coordinator_advance(cohort_coordinator *c, const char *call)
{
    cohort_status status = c->broken.status;
    if (status < 0) {
        cohort_error_restore(&c->broken);
        return cohort_error_prefix(status, "%s", call);
    }
    cohort_talk_begin(&c->servers->talk);
    for (int32_t i = 0; i < c->n_seats && status >= 0; i++)
        if (c->seats[i] != NULL)
            status = attend(c, i);
    cohort_talk_end(&c->servers->talk);
    return status < 0 ? cohort_error_prefix(status, "%s", call) : COHORT_OK;
}

cohort_status cohort_coordinator_wait(cohort_coordinator *c, const char *call,
                                      bool (*is_over)(const void *), const void *user)
{
    cohort_status status = cohort_coordinator_advance(c, call);
    c->moved_ns = cohort_clock_ns();
    while (status >= 0 && !is_over(user)) {
        cohort_pause_since(c->moved_ns);
        status = cohort_servers_stay(c->servers, call);
        if (status >= 0)
            status = cohort_coordinator_advance(c, call);
    }
    return status;
}

int32_t cohort_coordinator_count_busy(const cohort_coordinator *c)
{
    int32_t n = 0;
    for (int32_t i = 0; i < c->n_seats; i++)
        n += c->seats[i] != NULL && c->seats[i]->state == COHORT_SEAT_BUSY;
    return n;
}

static bool has_none_under_way(const void *user)
{
    return cohort_coordinator_count_busy(user) == 0;
}

cohort_status cohort_coordinator_tell(cohort_coordinator *c, const char *call)
{
    if (c->failed == NULL)
        return COHORT_OK;
    cohort_status status = cohort_coordinator_wait(c, call, has_none_under_way, c);
    if (status < 0)
        return status;
    status = cohort_closure_tell(c->failed, call);
    cohort_closure_drop(c->failed);
    c->failed = NULL;
    return status;
}

cohort_status cohort_coordinator_settle(cohort_coordinator *c, const char *call)
{
    c->is_held = true;
    cohort_status status = cohort_coordinator_wait(c, call, has_none_under_way, c);
    if (status >= 0)
        status = cohort_coordinator_tell(c, call);
    c->is_held = false;
    return status;
}

/* ------------------------------------------------------------------ the end */

/* One that has nothing to do is told to leave; one that is lost by now is not told of. */
static void dismiss(cohort_coordinator *c, int32_t i)
{
    bool is_gone = false, is_settled = false;
    cohort_status status = look(c, i, &is_settled, &is_gone);
    if (is_gone) {
        (void)cohort_coordinator_let_go(c, i);
        return;
    }
    if (status >= 0 && is_settled && c->seats[i]->state == COHORT_SEAT_FREE)
        status = cohort_seat_say(c->seats[i], COHORT_ORDER_LEAVE, c->has_lost);
    if (status < 0)
        (void)cohort_coordinator_lose(c, i);
}

void cohort_coordinator_dismiss(cohort_coordinator *c)
{
    c->moved_ns = cohort_clock_ns();
    while (c->n_here > 0) {
        cohort_talk_begin(&c->servers->talk);
        for (int32_t i = 0; i < c->n_seats; i++)
            if (c->seats[i] != NULL)
                dismiss(c, i);
        cohort_talk_end(&c->servers->talk);
        if (c->n_here > 0)
            cohort_pause_since(c->moved_ns);
    }
}
