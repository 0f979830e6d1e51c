/* SPDX-License-Identifier: BSD-3-Clause */
/* A change: what one assign, assign_add or assign_sub brings, and how it comes into the stores of a
 * variable. */
#ifndef COHORT_ROWS_CHANGE_H
#define COHORT_ROWS_CHANGE_H

#include "runtime/reduce/reducer.h"
#include "runtime/value/operand.h"

typedef struct cohort_change {
    cohort_variable *variable;
    cohort_write_op op;
    bool is_whole; /* every component gets all of it */

    /* what it brings: one of these */
    const void *block;      /* row-major memory of this process, which is copied */
    cohort_operand operand; /* a value or variable, as `replica` sees it */
    cohort_buffer *whole;   /* a buffer of some device, with all of it */
    bool is_zero;           /* no number but 0, which nothing has to hold */
    bool is_number;         /* `item` again and again */
    bool is_there;          /* the block is, in what all stores write: it was copied in the call */

    _Alignas(16) char item[32];

    int32_t replica;
    void *staged; /* the block when it is of the staging, else NULL */
    void *owned;  /* the block when it is ours, else NULL */

    /* while it is applied: what was brought last, for stores on one device that want the same */
    cohort_reducer *reducer;
    cohort_buffer *brought;
    uint64_t brought_offset, brought_bytes;
} cohort_change;

/* Check an argument, as it is passed by a replica of a step function, or with replica -1 in
 * cross-replica context. COHORT_EINVAL names the variable; COHORT_ENOMEM. End it only when this
 * succeeded. Posts nothing. */
cohort_status cohort_change_begin(cohort_change *out, cohort_variable *variable, cohort_write_op op,
                                  const cohort_argument *x, int32_t replica);
void cohort_change_end(cohort_change *change);

/* Write the array's content, or zeros where it has no data, to every store and component. The array
 * was checked. COHORT_ENOMEM; failures of memory later are the strategy's. */
cohort_status cohort_change_fill(cohort_variable *variable, const cohort_array *content,
                                 cohort_reducer *reducer);

/* A change that brings all of this buffer. */
void cohort_change_begin_whole(cohort_change *out, cohort_variable *variable, cohort_write_op op,
                               cohort_buffer *whole);

/* Memory into which all of a variable can be written now, to assign it as an array that lies there:
 * then nothing is copied to it. Where a variable has but one buffer, its content is gone from there
 * on, so it must be assigned. NULL: there is none, or something is under way. */
void *cohort_change_memory(const cohort_variable *variable);

/* Is there nothing: a component of a replica without rows? */
bool cohort_change_is_absent(const cohort_change *change);

/* A buffer with all that is brought, where it is best combined; NULL with the failure set. */
cohort_buffer *cohort_change_place(cohort_change *change, cohort_reducer *reducer);

/* Post the change: to all stores, as the table in cohort/variable.h says for cross-replica context;
 * or to one component alone. Failures of memory are the strategy's. */
void cohort_change_apply(cohort_change *change, cohort_reducer *reducer);
void cohort_change_apply_local(cohort_change *change, cohort_reducer *reducer, int32_t store);

/* "cohort_variable_assign", for messages. */
const char *cohort_change_call(cohort_write_op op);

#endif
