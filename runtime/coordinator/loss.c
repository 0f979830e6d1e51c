/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/coordinator/loss.h"

#include "runtime/base/log.h"

static cohort_status stop(cohort_coordinator *c, cohort_status status)
{
    (void)cohort_error_set(status, "%s", cohort_error_slot());
    cohort_error_save(&c->broken);
    cohort_coordinator_cancel(c, NULL);
    return status;
}

/* What it had goes first to the next that is free, unless others were cancelled meanwhile. */
static void take_back(cohort_coordinator *c, cohort_closure *closure)
{
    if (closure->round > 0)
        cohort_coordinator_note_done(c, closure);
    else if (c->failed != NULL || c->broken.status < 0)
        cohort_closure_cancel(closure, c->failed);
    else {
        cohort_closures_prepend(&c->queue, cohort_closure_hold(closure));
        cohort_log(COHORT_SUBSYSTEM_COORDINATOR, COHORT_LOG_WARNING,
                   "closure %llu (%s) is done again by another worker",
                   (unsigned long long)closure->number, closure->name);
    }
    cohort_closure_drop(closure);
}

/* Closures per worker that it has not begun are the others' alone. */
static void forget_rounds(cohort_coordinator *c, uint64_t round)
{
    for (cohort_closure *one = c->per_worker.first; one != NULL; one = one->next)
        if (one->round > round && --one->n_to_come == 0 && !cohort_closure_is_over(one))
            one->status = COHORT_OK;
    cohort_coordinator_drop_rounds(c);
}

/* It is gone, for the reason in the slot. With the last one all closures are cancelled first, also
 * those per worker, which nobody has done then. */
static cohort_status remove_seat(cohort_coordinator *c, int32_t i)
{
    cohort_seat *s = c->seats[i];
    c->seats[i] = NULL;
    c->n_here--;
    cohort_error_saved why;
    cohort_error_save(&why);
    cohort_log(COHORT_SUBSYSTEM_COORDINATOR, COHORT_LOG_WARNING,
               "coordinator: %s; %d of %d workers are left", why.text, (int)c->n_here,
               (int)c->n_seats);
    cohort_status status =
        c->n_here > 0 ? COHORT_OK
                      : stop(c, cohort_error_set(COHORT_ELOST, "no worker is left: %s", why.text));
    if (s->closure != NULL)
        take_back(c, s->closure);
    s->closure = NULL;
    forget_rounds(c, s->round);
    if (status >= 0)
        cohort_error_restore(&why);
    return status;
}

cohort_status cohort_coordinator_lose(cohort_coordinator *c, int32_t i)
{
    cohort_seat *s = c->seats[i];
    const cohort_comm_info *info = &c->servers->messages.communicator->info;
    int32_t rank = s->rank;
    c->has_lost = true;
    if (!info->outlives_ranks && c->broken.status >= 0)
        (void)stop(c, cohort_error_set(COHORT_ELOST,
                                       "%s; %s promises nothing to the others after that, as Open "
                                       "MPI does with mpirun --enable-recovery",
                                       cohort_error_slot(), info->engine));
    cohort_status status = remove_seat(c, i);
    cohort_communicator_abandon(c->servers->messages.communicator, NULL);
    cohort_seat_destroy(s);
    if (status >= 0 && c->broken.status >= 0)
        status = cohort_servers_lose(c->servers, "a lost worker", rank);
    if (status < 0 && c->broken.status >= 0)
        status = stop(c, status);
    if (c->broken.status < 0)
        cohort_error_restore(&c->broken);
    return c->broken.status;
}

cohort_status cohort_coordinator_let_go(cohort_coordinator *c, int32_t i)
{
    cohort_seat *s = c->seats[i];
    (void)cohort_error_set(COHORT_ELOST, "%s has left cohort_worker_run", s->name);
    if (s->says != NULL || s->says_more != NULL)
        return cohort_coordinator_lose(c, i);
    bool was_told = s->state == COHORT_SEAT_LEAVING;
    cohort_status status = COHORT_OK;
    if (was_told) {
        c->seats[i] = NULL;
        c->n_here--;
    } else {
        status = remove_seat(c, i);
    }
    cohort_seat_destroy(s);
    return status;
}
