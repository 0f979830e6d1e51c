/* SPDX-License-Identifier: BSD-3-Clause */
/* What the managers of several workers find together about a step, for the next call about it. */
#ifndef COHORT_CHECKPOINT_AGREEMENT_H
#define COHORT_CHECKPOINT_AGREEMENT_H

#include "runtime/exchange/workers.h"

typedef struct cohort_agreement {
    bool is_there;
    int64_t step;
    bool has_stopped; /* a signal has come to some worker */
    bool is_due;      /* by steps or time, of which the chief has the clock */
    bool is_written;  /* all have written their shards of the save that is under way */
} cohort_agreement;

/* All meet: what one has found becomes what all have. COHORT_EINVAL: they are at different steps;
 * the errors of cohort_workers_meet. */
cohort_status cohort_agreement_make(cohort_agreement *agreement, cohort_workers *workers);

#endif
