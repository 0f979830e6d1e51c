/* SPDX-License-Identifier: BSD-3-Clause */
/* Op lists: operations that a lane does many times, and gets as one record each time.
 *
 * A record is written by the planner and read by the runner, so that each operation takes some cache
 * lines from one core to another. What a lane does again and again, the same but for some numbers, is
 * written once instead, to memory that is its runner's from then on:
 *
 *     list = cohort_op_list_create(lane, &room);
 *     op = cohort_op_list_add(list, record, bytes, call);     each, in their order
 *     number = cohort_op_list_wait(list, fence);              for what the last one waits
 *     cohort_op_list_grow(list, number, by);                  numbers of theirs that grow
 *     cohort_op_list_take(list, address);                     addresses that are others each time
 *
 *     cohort_executor_post_list(executor, list, time);        many times
 *
 * In the ring one record stands for all of them. They have numbers of their own there, in a row, and
 * are done, waited for and skipped one by one, as if each had been posted. They are of devices that are
 * done with an operation when it was done (COHORT_CAP_PROMPT): none is ever in flight. */
#ifndef COHORT_EXECUTOR_OP_LIST_H
#define COHORT_EXECUTOR_OP_LIST_H

#include "runtime/executor/lane.h"

/* What a list has room for: operations, the bytes of their records (_bytes_for each), fences that they
 * wait for, numbers that grow, addresses that are others each time. */
typedef struct cohort_op_list_room {
    size_t ops, bytes, fences, numbers, addresses;
} cohort_op_list_room;

typedef struct cohort_op_list cohort_op_list;

/* What stands for a list in the ring. */
typedef struct cohort_op_list_record {
    cohort_op op;
    cohort_op_list *list;
    uint64_t time;           /* that it is posted: 1, 2, ... */
    const void *addresses[]; /* in the order in which they were added */
} cohort_op_list_record;

/* ---- planner */

/* For how many addresses a record has room. */
enum { COHORT_OP_LIST_ADDRESSES = 1024 };

static inline size_t cohort_op_list_bytes_for(size_t record_bytes)
{
    return (record_bytes + 63) / 64 * 64;
}

/* NULL: out of memory, without a text. */
cohort_op_list *cohort_op_list_create(cohort_lane *lane, const cohort_op_list_room *room);

/* Nothing that was posted of it is to be done any more. A give_back of cohort_give_back_post; NULL is
 * allowed. */
void cohort_op_list_free(void *list);

/* The number that its first operation would have had at time 0, and by how much that grows: what the
 * planner takes for granted in what it notes of the list. */
void cohort_op_list_expect(cohort_op_list *list, uint64_t number, uint64_t by);
bool cohort_op_list_is_expected(const cohort_op_list *list, const cohort_op *record);

/* A copy of a record; call: that makes it, counted from the one that posts the list. */
cohort_op *cohort_op_list_add(cohort_op_list *list, const cohort_op *op, size_t bytes,
                              uint64_t call);

/* Returns the fence's number, which may grow. */
uint64_t *cohort_op_list_wait(cohort_op_list *list, cohort_fence fence);

/* It is `by` more each time, and the first time already. */
void cohort_op_list_grow(cohort_op_list *list, uint64_t *number, uint64_t by);

/* An address that is another one each time. Returns where it stands before the list is posted. */
const void **cohort_op_list_take(cohort_op_list *list, const void **address);

/* To be copied to the ring. */
const cohort_op_list_record *cohort_op_list_record_for(cohort_op_list *list, uint64_t time,
                                                       size_t *out_bytes);

cohort_lane *cohort_op_list_lane(const cohort_op_list *list);
size_t cohort_op_list_count(const cohort_op_list *list);

/* ---- runner */

/* What the record of a list has in place of an operation of its own; never called. */
cohort_status cohort_op_list_do(cohort_lane *lane, cohort_op *op);

static inline bool cohort_op_list_is(const cohort_op *record)
{
    return record->run == cohort_op_list_do;
}

/* The operation of that number, of the list that the record stands for, as it is this time. */
cohort_op *cohort_op_list_ready(const cohort_op *record, uint64_t number);

#endif
