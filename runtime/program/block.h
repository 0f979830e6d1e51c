/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks: recorded calls that a step makes several times, or where a value says so. Before them in
 * the list of calls stands the one that begins the block, which is what its request begins with. */
#ifndef COHORT_PROGRAM_BLOCK_H
#define COHORT_PROGRAM_BLOCK_H

#include "runtime/strategy/recorder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cohort_program_block cohort_program_block;

struct cohort_program_block {
    cohort_program_block *outer; /* the innermost one that this one stands in; NULL: none */
    const char *site;            /* "file:line" of who begins it; NULL: it is not known */
    size_t begin;                /* the call that begins it; its own are the next */
    size_t otherwise;            /* the first of those that are made instead; end: there are none */
    size_t end;        /* the first behind it; both SIZE_MAX while that is not recorded yet */
    bool is_condition; /* else it is repeated */
    bool is_in_merge;  /* recorded in the function of a cohort_merge_call */

    /* of one that is repeated: how often it is, alone and with those around it; and which time it
     * is now, from 1 */
    int64_t times, times_in_all, time;

    /* of a condition: what its value said last, how often it was asked, and how often that was
     * so */
    bool is_true;
    int64_t asked, true_times;
};

/* For keep: what it borrows is copied. */
cohort_status cohort_program_block_keep(cohort_recorder *recorder, cohort_program_block *block);

/* COHORT_EINVAL: a step function has left this block open; NULL: none. */
cohort_status cohort_program_block_check_closed(const cohort_program_block *open);

#endif
