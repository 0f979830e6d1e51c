/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: on which devices there are copies of one thing, and which of them are the newest.
 *
 * An epoch counts how often the thing was written; a copy is the newest when it has that epoch. The
 * content of a value and the variables that devices cache keep their copies so. All of it is the
 * planner's: a copy counts as soon as the operation that makes it is posted. */
#ifndef COHORT_VALUE_PLACES_H
#define COHORT_VALUE_PLACES_H

#include "runtime/operation/buffer.h"

typedef struct cohort_place {
    cohort_buffer *buffer; /* NULL until needed */
    cohort_noted epoch;    /* of what it holds; 0: nothing */
    cohort_noted result;   /* the latest epoch whose call was to make this copy too */
} cohort_place;

typedef struct cohort_places {
    cohort_noted epoch; /* of the newest copies; 1 is the first, 0: never written */
    int32_t first_device, n;
    cohort_place *list; /* [n], of devices first_device, first_device + 1, ...; NULL: not begun */
    cohort_place one;   /* the list of a single device */
} cohort_places;

/* Room for copies on n devices. COHORT_ENOMEM. */
cohort_status cohort_places_init(cohort_places *places, cohort_executor *executor,
                                 int32_t first_device, int32_t n);

/* Gives the buffers back, in line with everything posted. */
void cohort_places_fini(cohort_places *places);

/* NULL: there is no place for a copy on that device. */
cohort_place *cohort_places_at(const cohort_places *places, int32_t device);

/* There is a buffer on that device, where there is a place. COHORT_ENOMEM. */
cohort_status cohort_places_prepare(cohort_places *places, cohort_executor *executor,
                                    int32_t device);

static inline bool cohort_places_is_newest(const cohort_places *places, const cohort_place *place)
{
    return place->buffer != NULL && place->epoch.now == places->epoch.now;
}

/* The first device that has the newest content; -1: none has. */
int32_t cohort_places_newest_device(const cohort_places *places);

/* The copy of the newest content that is best for a device: its own, one that it can access, any.
 * NULL: there is none. */
cohort_buffer *cohort_places_find(const cohort_places *places, const cohort_context *context);

/* The copies are stale: what they are copies of counts from another epoch on. After a failure, when
 * nothing is posted any more. */
void cohort_places_forget(cohort_places *places, uint64_t epoch);

#endif
