/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable of a parameter server, or a shard of one, and how far each guest is with it. It is
 * there until all workers have destroyed it: who is late finds it too. */
#ifndef COHORT_SERVER_LODGER_H
#define COHORT_SERVER_LODGER_H

#include <cohort/variable.h>

typedef struct cohort_room cohort_room;
typedef struct cohort_service cohort_service;

typedef enum cohort_lodging {
    COHORT_LODGING_TO_COME = 0, /* the guest has not made it yet */
    COHORT_LODGING_USED,
    COHORT_LODGING_OVER /* it has destroyed it */
} cohort_lodging;

typedef struct cohort_lodger {
    cohort_variable *variable; /* NULL: a place for the next */
    uint64_t version;          /* writes, and 1 */
    int64_t *writes;           /* [guests]: of each */
    cohort_lodging *lodgings;  /* [guests] */
} cohort_lodger;

/* A place without a variable. NULL with the failure set. */
cohort_lodger *cohort_lodger_take(cohort_room *room);
void cohort_lodger_fini(cohort_lodger *lodger);

/* The one that the guest uses by that number; NULL with the failure set. */
cohort_lodger *cohort_lodger_find(cohort_room *room, int32_t guest, int32_t number);

/* Or NULL. */
cohort_lodger *cohort_lodger_find_by_name(cohort_room *room, const char *name);

/* Destroys the variable where nobody uses it any more, and no worker may come. */
void cohort_lodger_end_if_over(const cohort_room *room, cohort_lodger *lodger);

/* ---- Pace. */

/* The worker that has written it least often, of those that are there and do not rest; -1: there is
 * none. */
int32_t cohort_lodger_slowest(const cohort_room *room, const cohort_lodger *lodger);

/* Its guest would be too far ahead of others if it wrote this one now, which the service keeps. */
bool cohort_lodger_is_held(const cohort_room *room, const cohort_lodger *lodger,
                           cohort_service *service);

/* A guest that has rested counts as far as the slowest of the others, or, where all rest, as the
 * one that has come farthest. */
void cohort_lodger_catch_up(const cohort_room *room, cohort_lodger *lodger, int32_t guest);

/* The guest has written it. */
void cohort_lodger_count(cohort_lodger *lodger, int32_t guest);

#endif
