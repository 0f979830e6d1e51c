/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a body that is checked: on copies of its arrays, which lie against guard pages where
 * the body is one of the host, and have a strip behind them elsewhere. */
#ifndef COHORT_OPERATION_CHECK_COPY_H
#define COHORT_OPERATION_CHECK_COPY_H

#include "runtime/base/guarded.h"
#include "runtime/operation/check_array.h"

/* In which order a host body of items gets a range: as a whole; item by item, or by pieces where
 * there are many, the last one first; or only one half of it. */
typedef enum cohort_check_order {
    COHORT_CHECK_WHOLE,
    COHORT_CHECK_BACKWARDS,
    COHORT_CHECK_FIRST_HALF,
    COHORT_CHECK_SECOND_HALF
} cohort_check_order;

/* fill       of outputs
 * other      the array of which alone the other fill is taken; -1: none
 * is_behind  the guard page begins behind each array, else it ends before it
 * index      the range of which is done in that order; the others are done as a whole */
typedef struct cohort_check_run {
    cohort_check_fill fill;
    int32_t other;
    bool is_behind;
    cohort_check_order order;
    uint32_t index;
} cohort_check_run;

/* What is run: the launch as the plugin gets it. */
typedef struct cohort_check_body {
    const cohort_launch_op *launch;
    const cohort_checked_arrays *arrays;
    const cohort_launch *call;
    const int64_t *items; /* of a host body of items: its ranges */
} cohort_check_body;

/* at   what each array holds after the run, those that are the same once; NULL: nobody looks at it
 * hit  the first access out of bounds; array: of the list */
typedef struct cohort_check_copy {
    char *at[COHORT_MAX_ARGUMENTS + 1];
    char *ret;
    bool was_hit;
    cohort_guarded_hit hit;
    /* the module's own */
    bool is_guarded;
    cohort_guarded guarded;
    int32_t guarded_at[COHORT_MAX_ARGUMENTS + 1];
    cohort_mem *mem[COHORT_MAX_ARGUMENTS + 1];
    char *block;
} cohort_check_copy;

/* Runner. On failure (of the launch, or COHORT_ENOMEM) there is nothing to end. */
cohort_status cohort_check_copy_run(cohort_check_copy *copy, const cohort_check_body *body,
                                    cohort_check_run run);
void cohort_check_copy_end(cohort_check_copy *copy);

/* What the body returned says that it failed. */
bool cohort_check_copy_has_failed(const cohort_check_copy *copy, const cohort_check_body *body);

#endif
