/* SPDX-License-Identifier: BSD-3-Clause */
/* The deeds of a room, a function for each kind of request that is more than a word. Everything is
 * done with the public calls of the library, one request after the other, so that a variable on a
 * server is what it would be with the worker.
 *
 * COHORT_EAGAIN: it cannot be done before others have come further, and nothing has happened. */
#ifndef COHORT_SERVER_ROOM_DO_H
#define COHORT_SERVER_ROOM_DO_H

#include "runtime/server/room.h"

cohort_status cohort_room_do_create(cohort_room *room, cohort_service *service);
cohort_status cohort_room_do_destroy(cohort_room *room, cohort_service *service);

cohort_status cohort_room_do_read(cohort_room *room, cohort_service *service);
cohort_status cohort_room_do_write(cohort_room *room, cohort_service *service);
cohort_status cohort_room_do_gather(cohort_room *room, cohort_service *service);
cohort_status cohort_room_do_scatter(cohort_room *room, cohort_service *service);
cohort_status cohort_room_do_update(cohort_room *room, cohort_service *service);

/* Calls so far are done, or undone: the next guest begins without an error. */
cohort_status cohort_room_finish(cohort_room *room, cohort_status status);

/* The answer has bytes, which are given away. */
static inline void cohort_service_answer_with(cohort_service *service, void *bytes, uint64_t n)
{
    service->into = bytes;
    service->answer.bytes = n;
}

#endif
