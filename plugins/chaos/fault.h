/* SPDX-License-Identifier: BSD-3-Clause */
/* What chaos does before and after a call of the plugin that it wraps. */
#ifndef COHORT_CHAOS_FAULT_H
#define COHORT_CHAOS_FAULT_H

#include "plugins/chaos/schedule.h"

extern cohort_ops chaos_base; /* of the plugin that is wrapped */

typedef struct chaos_call {
    int slot;
    cohort_dev *dev; /* NULL: none yet */
    chaos_strike strike;
    bool is_done; /* the call is not to be made: `status` is its answer */
    cohort_status status;
} chaos_call;

/* kind of what is handed out, or given back */
enum { CHAOS_NO_OBJECT, CHAOS_DEVICE, CHAOS_MEM, CHAOS_KERNEL, CHAOS_OBJECTS };

/* Before the call, which may hang, sleep, fail, or end the process. */
chaos_call fault_before(int slot, cohort_dev *dev, cohort_error *err);

/* After it.
 *
 * out    where it hands out an object, NULL: it hands out none
 * event  of an operation; NULL: of none
 * Returns what chaos answers. */
cohort_status fault_after(const chaos_call *call, int object, cohort_status status, void **out,
                          cohort_event **event, cohort_error *err);

/* An object was given back. */
void fault_gone(int object, const void *given);
void fault_event_gone(const cohort_event *event);
void fault_closed(const cohort_dev *dev); /* another one may be made there */

void fault_counts(cohort_chaos_counts *out_counts);
void fault_release(void);

/* ---- mistake.c: the faults that only a check of plugins finds. Each does nothing where the call
 * was not struck by one. */

void mistake_of_thread(chaos_fault fault);
/* Hand out the object of the call before. */
void mistake_twice(int object, void **out);
void mistake_note(int object, void *made); /* that one */
void mistake_gone(const void *object);     /* it is given back */

/* After a call. event: NULL where it is over. */
void mistake_of_read(const chaos_call *call, void *into, uint64_t bytes, cohort_event *event);
void mistake_of_write(const chaos_call *call, cohort_mem *mem, const void *from,
                      cohort_event *event);
void mistake_of_launch(const chaos_call *call, const cohort_launch *launch, cohort_event *event);
void mistake_of_address(const chaos_call *call, void **out);
cohort_status mistake_of_wait(const chaos_call *call, cohort_event *event, cohort_status status);

void mistake_of_alloc(cohort_mem *mem, uint64_t bytes);

/* Before a call. */
const cohort_reduction *mistake_of_reduce(const chaos_call *call, const cohort_reduction *reduction,
                                          cohort_reduction *wrong, cohort_term *terms);

#endif
