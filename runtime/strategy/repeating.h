/* SPDX-License-Identifier: BSD-3-Clause */
/* How a strategy makes calls that come again: what COHORT_REPEAT says when it is made.
 *
 * The plain way plans each call from what it passes. The others keep what was found out, and plan
 * less; whoever suspects them of a wrong number turns them off one after the other. */
#ifndef COHORT_STRATEGY_REPEATING_H
#define COHORT_STRATEGY_REPEATING_H

#include <stdbool.h>

typedef enum cohort_repeating_kind {
    COHORT_REPEAT_OFF,  /* each call is planned the plain way */
    COHORT_REPEAT_MEMO, /* calls have memos (memo/memo.h, reduce/list_memo.h) */
    COHORT_REPEAT_STEPS /* the steps of programs are repeated, too (repeat/series.h) */
} cohort_repeating_kind;

typedef struct cohort_repeating {
    cohort_repeating_kind kind;
    /* What a memo answers, and what a known step would post, is compared with what the plain way
     * finds (memo/shadow.h, repeat/shadow.h): always where claims are looked at (base/assert.h),
     * but for the word unwatched, which is steps without that; never in a release, which does not
     * know the word. */
    bool is_watched;
} cohort_repeating;

/* The setting, as it is now. A wrong one is told in the log, and is the default. */
cohort_repeating cohort_repeating_read(void);

#endif
