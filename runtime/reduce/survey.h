/* SPDX-License-Identifier: BSD-3-Clause */
/* A survey: what the components of an operand have in common, found before anything is posted. */
#ifndef COHORT_REDUCE_SURVEY_H
#define COHORT_REDUCE_SURVEY_H

#include "runtime/reduce/axes.h"
#include "runtime/value/operand.h"

typedef struct cohort_survey {
    uint32_t axes;          /* a set; 0: elementwise */
    cohort_component like;  /* one that contributes; when there is none, any */
    int32_t first;          /* its replica */
    int64_t n_contributing; /* replicas */
    int64_t along;          /* elements along the axes, of all of them */
} cohort_survey;

/* The note of a worker about its own components, where the strategy has several. */
typedef struct cohort_survey_note {
    int64_t n_contributing, along, item_bytes;
    cohort_extents extents;
    int32_t dtype, state;
    uint32_t axes;
    int32_t first;    /* of all replicas */
    int64_t together; /* surveys that are joined by this call */
} cohort_survey_note;

/* All workers meet for it. COHORT_EINVAL with "call: ...": a component that
 * nothing has written, an axis that is wrong, components whose dtype, rank or extents beside the
 * axes differ; the errors of cohort_workers_meet. */
cohort_status cohort_survey_make(const char *call, const cohort_strategy *strategy,
                                 const cohort_operand *operand, const int32_t axes[],
                                 int32_t n_axes, cohort_survey *out);

/* The same in two parts, so that workers meet once for several: look is of this worker alone, where
 * what is not per replica counts so many times, once for each replica in make; join makes n
 * surveys, at least 1, those of all workers, and does nothing where there is one. COHORT_EINVAL
 * with "call: ...", from join also: workers have other numbers of them; where there are several it
 * is "call: value 3 of 6: ...". */
cohort_status cohort_survey_look(const char *call, const cohort_strategy *strategy,
                                 const cohort_operand *operand, int64_t times, const int32_t axes[],
                                 int32_t n_axes, cohort_survey *out);
cohort_status cohort_survey_join(const char *call, const cohort_strategy *strategy,
                                 cohort_survey *const surveys[], int64_t n);

/* Does the component of this replica count? Not without rows, nor without an element along the
 * axes. */
bool cohort_survey_counts(const cohort_survey *survey, const cohort_component *component);

/* Are two components alike in dtype and shape, but for the axes of the set? COHORT_EINVAL names
 * both replicas, the first unless its id is -1. */
cohort_status cohort_survey_compare(const char *call, uint32_t axes, const cohort_component *first,
                                    int32_t first_id, const cohort_component *other,
                                    int32_t other_id);

#endif
