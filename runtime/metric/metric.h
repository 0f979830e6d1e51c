/* SPDX-License-Identifier: BSD-3-Clause */
/* A metric: two ON_READ variables that add up what tallies of components give. */
#ifndef COHORT_METRIC_METRIC_H
#define COHORT_METRIC_METRIC_H

#include "runtime/metric/tally.h"
#include "runtime/operation/fallback.h"
#include "runtime/value/variable.h"

#include <cohort/metric.h>

typedef enum cohort_metric_kind {
    COHORT_METRIC_MEAN,
    COHORT_METRIC_SUM,
    COHORT_METRIC_ACCURACY
} cohort_metric_kind;

struct cohort_metric {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_metric_kind kind;
    cohort_variable *variables[COHORT_TALLY_RESULTS]; /* by result of a tally */
    char name[];
};

/* Post the next components of one replica, which the tally makes of those that there are and,
 * behind these in its sources, of `more`. Followed by what ends the write of each variable
 * (variable.h). */
void cohort_metric_post(const cohort_metric *metric, int32_t replica, cohort_write_kind kind,
                        const cohort_tally *tally, const cohort_fallback_memory more[],
                        int32_t n_more);

#endif
