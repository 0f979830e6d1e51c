/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/server/room.h"

#include "runtime/base/memory.h"
#include "runtime/function/signature.h"
#include "runtime/server/room_do.h"
#include "runtime/server/worker_call.h"
#include "runtime/value/variable.h"

#include <cohort/run.h>

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ the room */

static void keep_reason(cohort_room *room, cohort_status status)
{
    room->status = status;
    (void)snprintf(room->why, sizeof room->why, "%s", cohort_error_slot());
}

static cohort_status check_function(const cohort_function *const functions[], size_t i)
{
    if (cohort_signature_of(functions[i]) == NULL)
        return cohort_error_status();
    for (size_t j = 0; j < i; j++)
        if (strcmp(functions[j]->name, functions[i]->name) == 0)
            return cohort_error_set(COHORT_EINVAL,
                                    "functions %zu and %zu of the server's list have one name, "
                                    "'%s', by which workers call them",
                                    j, i, functions[i]->name);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_server_options *options)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "reserved[%zu] of the options is not zero", i);
    for (size_t i = 0; options->functions != NULL && options->functions[i] != NULL && status >= 0;
         i++)
        status = check_function(options->functions, i);
    return status;
}

cohort_status cohort_room_init(cohort_room *room, const cohort_server_options *options,
                               const cohort_ranks *ranks)
{
    *room = (cohort_room){ .n_workers = ranks->n_workers,
                           .n_guests = ranks->n_workers + ranks->n_evaluators,
                           .ranks = *ranks,
                           .functions = options->functions,
                           .staleness = -1 };
    size_t n = (size_t)room->n_guests;
    room->has_left = cohort_allocate(3 * n, sizeof *room->has_left);
    if (room->has_left == NULL)
        return cohort_error_memory("a parameter server");
    room->is_lost = room->has_left + n;
    room->rests = room->is_lost + n;
    if (check_options(options) >= 0)
        room->strategy = cohort_one_device(options->device != NULL ? options->device : "host:0");
    if (room->strategy == NULL)
        keep_reason(room, cohort_error_status());
    return COHORT_OK;
}

void cohort_room_fini(cohort_room *room)
{
    cohort_strategy_destroy(room->strategy);
    for (size_t i = 0; i < room->n; i++)
        cohort_lodger_fini(&room->list[i]);
    cohort_free(room->list);
    cohort_free(room->has_left);
}

/* ------------------------------------------------------------------ answers */

static void answer(cohort_service *e, cohort_status status)
{
    e->answer.status = status;
    if (status < 0)
        (void)snprintf(e->answer.text, sizeof e->answer.text, "%s", cohort_error_slot());
}

/* ------------------------------------------------------------------ any request */

cohort_status cohort_room_finish(cohort_room *room, cohort_status status)
{
    cohort_status done = cohort_wait(room->strategy);
    status = status < 0 ? status : done;
    if (status < 0) {
        cohort_error_saved saved;
        cohort_error_save(&saved);
        (void)cohort_strategy_recover(room->strategy);
        cohort_error_restore(&saved);
    }
    return status;
}

/* All workers have the same bound (strategy/served_across.h); an evaluator, who writes nothing,
 * none. */
static cohort_status greet(cohort_room *room, const cohort_service *e)
{
    if (e->guest < room->n_workers)
        room->staleness = e->request.staleness;
    return COHORT_OK;
}

static cohort_status rest(cohort_room *room, const cohort_service *e)
{
    bool begins = e->request.variable == 0 && room->rests[e->guest];
    for (size_t i = 0; i < room->n && begins; i++)
        cohort_lodger_catch_up(room, &room->list[i], e->guest);
    room->rests[e->guest] = e->request.variable != 0;
    return COHORT_OK;
}

static cohort_status lose(cohort_room *room, const cohort_service *e)
{
    int32_t worker = e->request.variable;
    if (worker < 0 || worker >= room->n_workers || worker == e->guest)
        return cohort_request_refuse("a worker that there is not is lost");
    room->is_lost[worker] = true;
    return COHORT_OK;
}

static cohort_status serve(cohort_room *room, cohort_service *e)
{
    switch (e->request.kind) {
    case COHORT_REQUEST_HELLO:
        return greet(room, e);
    case COHORT_REQUEST_CREATE:
        return cohort_room_do_create(room, e);
    case COHORT_REQUEST_DESTROY:
        return cohort_room_do_destroy(room, e);
    case COHORT_REQUEST_READ:
        return cohort_room_do_read(room, e);
    case COHORT_REQUEST_WRITE:
        return cohort_room_do_write(room, e);
    case COHORT_REQUEST_GATHER:
        return cohort_room_do_gather(room, e);
    case COHORT_REQUEST_SCATTER:
        return cohort_room_do_scatter(room, e);
    case COHORT_REQUEST_UPDATE:
        return cohort_room_do_update(room, e);
    case COHORT_REQUEST_STAY:
        return COHORT_OK;
    case COHORT_REQUEST_REST:
        return rest(room, e);
    case COHORT_REQUEST_LOST:
        return lose(room, e);
    default:
        return cohort_request_refuse("of a kind that there is not");
    }
}

bool cohort_room_do(cohort_room *room, cohort_service *e)
{
    bool leaves = e->request.kind == COHORT_REQUEST_LEAVE;
    e->answer = (cohort_server_answer){ .status = COHORT_OK };
    if (room->strategy == NULL && !leaves) {
        answer(e, cohort_error_set(room->status, "%s", room->why));
        return true;
    }
    cohort_status status = leaves ? COHORT_OK : serve(room, e);
    if (status == COHORT_EAGAIN)
        return false;
    answer(e, status);
    if (status < 0) { /* the bytes of an answer come with no error */
        cohort_free(e->into);
        cohort_service_answer_with(e, NULL, 0);
    }
    return true;
}

void cohort_room_refuse(const cohort_room *room, cohort_service *e, double seconds)
{
    char name[COHORT_RANKS_NAME];
    if (e->request.kind == COHORT_REQUEST_CREATE) {
        cohort_room_name(room, 0, name);
        answer(e, cohort_error_set(COHORT_ELOST,
                                   "variable '%s' begins with the content of %s, which has not "
                                   "made it within %g s; or the one of that name before, which all "
                                   "workers destroy, is still there",
                                   e->bytes, name, seconds));
        return;
    }
    cohort_room_name(room, cohort_lodger_slowest(room, &room->list[e->held]), name);
    answer(e, cohort_error_set(COHORT_ELOST,
                               "%s has not come to within %lld writes of this one in %g s: "
                               "variable '%s'",
                               name, (long long)room->staleness, seconds,
                               room->list[e->held].variable->name));
}

/* The ranks of evaluators are behind those of the servers. */
void cohort_room_name(const cohort_room *room, int32_t guest, char out[COHORT_RANKS_NAME])
{
    cohort_ranks_name(&room->ranks, guest < room->n_workers ? guest : guest + room->ranks.n_servers,
                      out);
}

void cohort_room_leave(cohort_room *room, int32_t guest)
{
    room->has_left[guest] = true;
    for (size_t i = 0; i < room->n; i++) {
        if (room->list[i].lodgings[guest] == COHORT_LODGING_USED)
            room->list[i].lodgings[guest] = COHORT_LODGING_OVER;
        cohort_lodger_end_if_over(room, &room->list[i]);
    }
}
