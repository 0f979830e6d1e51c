/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeat: the steps of a program that are posted without being planned, where its calls post the
 * same each time (series.h). Of a batch the shapes must be those of the last step that was planned,
 * and its rows must come to the devices in the same way: then another batch is other addresses, and
 * no more.
 *
 *     if (cohort_repeat_may(&repeat)) {
 *         status = cohort_repeat_step(&repeat, no step is to follow at once);
 *     } else {
 *         cohort_repeat_begin(&repeat);
 *         of each call: status = make it, cohort_repeat_end_call(&repeat);
 *         cohort_repeat_end(&repeat, status);
 *     }
 *
 * All of it is the planner's. */
#ifndef COHORT_REPEAT_REPEAT_H
#define COHORT_REPEAT_REPEAT_H

#include "runtime/repeat/series.h"
#include "runtime/strategy/strategy.h"
#include "runtime/value/value.h"

/* Of a batch, for a component and a replica. */
typedef struct cohort_batch_part {
    cohort_content *content;
    uint64_t form; /* of the content, in the last step that was planned */
    /* in the entry of its number: what an import of the step is about to read */
    cohort_content *imported;
} cohort_batch_part;

typedef struct cohort_repeat {
    cohort_strategy *strategy;
    cohort_value *const *batch; /* [n_components]: what the input fills, the program's */
    int32_t n_components;
    cohort_series series;     /* of the steps */
    cohort_batch_part *parts; /* by component, then replica; NULL: there is no room yet */
    const char *why;          /* a known step was planned; NULL: none was */
    /* why no step is repeated, whatever it posts, and the call, counted from 1, that is why; NULL:
     * they may be */
    const char *never;
    size_t never_call;
} cohort_repeat;

/* In line with everything posted. */
void cohort_repeat_free(cohort_repeat *repeat);

/* The step, whose batch is there, may be posted without making the calls: they would do what they
 * did in the steps before. */
bool cohort_repeat_may(cohort_repeat *repeat);

/* Then: post it. is_last: no other step is to follow at once, so that what it leaves is stored. */
cohort_status cohort_repeat_step(cohort_repeat *repeat, bool is_last);

/* The calls of a step are made from now on; one of them was accepted; all were made, with this
 * status. */
void cohort_repeat_begin(cohort_repeat *repeat);
void cohort_repeat_end_call(cohort_repeat *repeat);
void cohort_repeat_end(cohort_repeat *repeat, cohort_status status);

/* Why steps are planned each time, and the call, counted from 1, that is why (0: none is). NULL:
 * they are not, or nothing was found out. */
const char *cohort_repeat_why_not(const cohort_repeat *repeat, size_t *out_call);

/* Of the known steps: why a large sum is stored, and not fed to what reads it, and the call,
 * counted from 1, that makes it. NULL: there are not so many such sums. */
const char *cohort_repeat_why_stored(const cohort_repeat *repeat, size_t number, size_t *out_call);

/* No step follows at once: what the last one has not stored is stored now. */
void cohort_repeat_settle(cohort_repeat *repeat);

/* After a failure: what was known counts no more. */
void cohort_repeat_forget(cohort_repeat *repeat);

#endif
