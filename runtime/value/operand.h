/* SPDX-License-Identifier: BSD-3-Clause */
/* An operand: what a call reads, seen replica by replica, whether it is a value, a variable, a
 * number or an array. */
#ifndef COHORT_VALUE_OPERAND_H
#define COHORT_VALUE_OPERAND_H

#include "runtime/base/array.h"
#include "runtime/strategy/recorder.h"
#include "runtime/value/value.h"
#include "runtime/value/variable.h"

typedef struct cohort_operand {
    cohort_value *value;       /* or NULL */
    cohort_variable *variable; /* or NULL */
    bool is_borrowed;          /* the value was made for the call */
} cohort_operand;

/* What one replica sees. */
typedef struct cohort_component {
    cohort_dtype dtype;
    int64_t item_bytes;
    cohort_extents extents;
    cohort_content_state state;
} cohort_component;

/* From an argument of a call: a value or a variable of this strategy, a number (float64 or int64,
 * uint64) or an array, which is borrowed until everything posted is done. COHORT_EINVAL with "call:
 * ...", COHORT_ENOMEM; then there is nothing to end. A value must have been written. */
cohort_status cohort_operand_begin(cohort_operand *out, cohort_strategy *strategy,
                                   const cohort_argument *x, const char *call);
void cohort_operand_end(cohort_operand *operand);

/* The strategy of an argument: that of a value or variable, or that which it was made from when it
 * was destroyed; NULL of anything else. */
cohort_strategy *cohort_operand_strategy(const cohort_argument *x);
cohort_strategy *cohort_operand_strategy_of_variable(const cohort_variable *variable);

/* COHORT_EINVAL when the argument is a value or a variable that is not there. */
cohort_status cohort_operand_check(const cohort_argument *x, const char *call);

/* That of the first argument, or value, that has one; NULL when none has. The list may be NULL. */
cohort_strategy *cohort_operand_strategy_of_list(const cohort_argument arguments[]);
cohort_strategy *cohort_operand_strategy_of_values(cohort_value *const values[], int n);

/* What a recorded call keeps of an argument, of a list that ends with COHORT_ARGUMENT_END, and of n
 * values: copies of what is borrowed, and objects of the recorder's strategy. COHORT_EINVAL: an
 * array of the caller, which is borrowed for the call alone; an object of another strategy, or that
 * is not there. COHORT_ENOMEM. */
cohort_status cohort_operand_keep(cohort_recorder *recorder, const char *call, cohort_argument *x);
cohort_status cohort_operand_keep_list(cohort_recorder *recorder, const char *call,
                                       const cohort_argument **arguments);
cohort_status cohort_operand_keep_values(cohort_recorder *recorder, const char *call,
                                         cohort_value *const **values, int n);
cohort_status cohort_operand_keep_value(cohort_recorder *recorder, const char *call,
                                        const cohort_value *value, const char *what);
cohort_status cohort_operand_keep_variable(cohort_recorder *recorder, const char *call,
                                           const cohort_variable *variable);

const cohort_strategy *cohort_operand_owner(const cohort_operand *operand);

/* Does every replica have a component of its own? Else it sees what all see. */
bool cohort_operand_is_per_replica(const cohort_operand *operand);

cohort_component cohort_operand_look(const cohort_operand *operand, int32_t replica);

/* The logical device on which it lies; -1: on all of them. */
int32_t cohort_operand_logical(const cohort_operand *operand);

/* Where the contribution of a replica is best combined: the device that hosts it, or where what all
 * see lies. */
int32_t cohort_operand_device(const cohort_operand *operand, int32_t replica);

/* Bookkeeping for a read on a device, before anything is posted; then the buffer to read there, up
 * to date. */
cohort_status cohort_operand_prepare(const cohort_operand *operand, int32_t replica,
                                     int32_t device);
cohort_buffer *cohort_operand_place(const cohort_operand *operand, int32_t replica, int32_t device);

/* The same of a contribution to a reduction, which the strategy's guard, when it is on, looks at:
 * "call: the contribution of replica 1 on host:0.1 has nan ...". */
cohort_buffer *cohort_operand_place_guarded(const cohort_operand *operand, int32_t replica,
                                            int32_t device, const char *call);

/* Copy bytes [offset, offset + bytes) of what a replica sees, which is FILLED, into a buffer that
 * is large enough. No other bytes move, and nothing has to be prepared. */
void cohort_operand_copy_range(const cohort_operand *operand, int32_t replica, uint64_t offset,
                               uint64_t bytes, cohort_buffer *into);

static inline int64_t cohort_component_items(const cohort_component *component)
{
    return cohort_shape_items(component->extents.rank, component->extents.shape);
}

/* The bytes of a content into memory of this process, which waits for them. The strategy's failure
 * where they never come. */
cohort_status cohort_operand_fetch(const cohort_operand *operand, int32_t replica, void *into,
                                   uint64_t bytes);

#endif
