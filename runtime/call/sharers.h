/* SPDX-License-Identifier: BSD-3-Clause */
/* Sharers: the devices that update one store together, each a range of its items.
 *
 * A store that several devices share is updated once. Where the function is a body of items, each
 * of these devices does a range of them; ranges begin at whole cache lines, and no bit depends on
 * them, for items are independent. Small stores are updated by one device, which is quicker; by
 * which one, says operation/alone.h. */
#ifndef COHORT_CALL_SHARERS_H
#define COHORT_CALL_SHARERS_H

#include "runtime/call/binder.h"

/* More devices than that share nothing. */
enum { COHORT_SHARERS = 64 };

/* A range of items, and who does it. */
typedef struct cohort_sharer {
    const cohort_prepared *prepared;
    int64_t first_item, items; /* of a body that is no body of items: 0, 0 */
} cohort_sharer;

/* Is what was prepared the host's body of items, which takes a range of them? */
bool cohort_sharers_take_items(const cohort_prepared *prepared);

/* How many more entries of the binder's `prepared` an update needs, behind those of its
 * launches. */
int32_t cohort_sharers_room(const cohort_binding *binding);

/* The kernels of all devices that may share a store, into these entries, before anything is posted.
 * The launches were prepared. */
cohort_status cohort_sharers_prepare(cohort_binder *binder, const cohort_binding *binding);

/* The devices that do a launch with these uses, in the order in which they are to be posted: the
 * caller's own device last. Returns how many; a single one does all of it. */
int32_t cohort_sharers_choose(const cohort_binding *binding, int32_t launch,
                              const cohort_prepared prepared[], const cohort_use uses[], int32_t n,
                              cohort_sharer out[COHORT_SHARERS]);

#endif
