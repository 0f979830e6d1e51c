/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/server/lodger.h"

#include "runtime/base/memory.h"
#include "runtime/server/room.h"
#include "runtime/value/variable.h"

#include <string.h>

/* ------------------------------------------------------------------ places */

void cohort_lodger_fini(cohort_lodger *l)
{
    cohort_free(l->writes);
    cohort_free(l->lodgings);
}

cohort_lodger *cohort_lodger_take(cohort_room *room)
{
    for (size_t i = 0; i < room->n; i++)
        if (room->list[i].variable == NULL)
            return &room->list[i];
    size_t guests = (size_t)room->n_guests;
    cohort_lodger l = { .writes = cohort_allocate(guests, sizeof *l.writes),
                        .lodgings = cohort_allocate(guests, sizeof *l.lodgings) };
    bool is_made =
        l.writes != NULL && l.lodgings != NULL &&
        cohort_grow((void **)&room->list, &room->capacity, room->n + 1, sizeof *room->list);
    if (!is_made) {
        cohort_lodger_fini(&l);
        (void)cohort_error_memory("a variable");
        return NULL;
    }
    room->list[room->n] = l;
    return &room->list[room->n++];
}

cohort_lodger *cohort_lodger_find(cohort_room *room, int32_t guest, int32_t number)
{
    bool is_there = number >= 0 && (size_t)number < room->n &&
                    room->list[number].variable != NULL &&
                    room->list[number].lodgings[guest] == COHORT_LODGING_USED;
    if (is_there)
        return &room->list[number];
    (void)cohort_error_set(COHORT_EINVAL, "it holds no variable %d of this worker", (int)number);
    return NULL;
}

cohort_lodger *cohort_lodger_find_by_name(cohort_room *room, const char *name)
{
    for (size_t i = 0; i < room->n; i++)
        if (room->list[i].variable != NULL && strcmp(room->list[i].variable->name, name) == 0)
            return &room->list[i];
    return NULL;
}

/* ------------------------------------------------------------------ the end */

/* An evaluator makes what it likes to see; of a worker it is known that it makes all of them. */
static bool is_over(const cohort_room *room, const cohort_lodger *l)
{
    bool is_over = true;
    for (int32_t i = 0; i < room->n_guests; i++) {
        bool may_come =
            i < room->n_workers && !room->has_left[i] && l->lodgings[i] == COHORT_LODGING_TO_COME;
        is_over = is_over && !may_come && l->lodgings[i] != COHORT_LODGING_USED;
    }
    return is_over;
}

void cohort_lodger_end_if_over(const cohort_room *room, cohort_lodger *l)
{
    if (l->variable == NULL || !is_over(room, l))
        return;
    cohort_variable_destroy(l->variable);
    l->variable = NULL;
}

/* ------------------------------------------------------------------ pace */

int32_t cohort_lodger_slowest(const cohort_room *room, const cohort_lodger *l)
{
    int32_t slowest = -1;
    for (int32_t i = 0; i < room->n_workers; i++)
        if (!room->has_left[i] && !room->rests[i] &&
            (slowest < 0 || l->writes[i] < l->writes[slowest]))
            slowest = i;
    return slowest;
}

bool cohort_lodger_is_held(const cohort_room *room, const cohort_lodger *l, cohort_service *e)
{
    int32_t slowest = cohort_lodger_slowest(room, l);
    e->held = (int32_t)(l - room->list);
    return room->staleness > 0 && slowest >= 0 && !room->rests[e->guest] &&
           l->writes[e->guest] - l->writes[slowest] >= room->staleness;
}

static int32_t find_farthest(const cohort_room *room, const cohort_lodger *l)
{
    int32_t farthest = 0;
    for (int32_t i = 1; i < room->n_workers; i++)
        if (l->writes[i] > l->writes[farthest])
            farthest = i;
    return farthest;
}

void cohort_lodger_catch_up(const cohort_room *room, cohort_lodger *l, int32_t guest)
{
    int32_t slowest = cohort_lodger_slowest(room, l);
    int64_t to = l->writes[slowest >= 0 ? slowest : find_farthest(room, l)];
    if (l->writes[guest] < to)
        l->writes[guest] = to;
}

void cohort_lodger_count(cohort_lodger *l, int32_t guest)
{
    l->version++;
    l->writes[guest]++;
}
