/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan: one reduction, from its arguments to what is posted.
 *
 *     begin     what is combined, checked: look, of this worker alone, and check, of all of them
 *     prepare   bookkeeping for reading it, which may fail
 *     shape     of what comes out
 *     post      leaves where they lie, the tree, the division
 *     end */
#ifndef COHORT_REDUCE_PLAN_H
#define COHORT_REDUCE_PLAN_H

#include "runtime/reduce/reducer.h"
#include "runtime/reduce/survey.h"

/* ---- Which reductions there are of a dtype, and what comes out. */

bool cohort_reduce_has(cohort_reduce_op op, cohort_dtype dtype);

/* COHORT_EINVAL with "call: ..." where the dtype has no such op. */
cohort_status cohort_reduce_check_op(cohort_reduce_op op, cohort_dtype dtype, const char *call);

/* The dtype that comes out: another one for the MEAN of integers. */
cohort_dtype cohort_reduce_result(cohort_reduce_op op, cohort_dtype dtype);

/* What combines two contributions: MEAN sums up. */
static inline cohort_reduce_op cohort_reduce_step(cohort_reduce_op op)
{
    return op == COHORT_MEAN ? COHORT_SUM : op;
}

/* Fill with what leaves every number as it is: 0 of SUM (but for -0.0), 1 of PROD, all bits of
 * BAND. Of an op that has no such number, zeros. */
void cohort_reduce_fill_neutral(cohort_reduce_op op, cohort_dtype dtype, void *items,
                                uint64_t count);

/* ---- One of them. */

/* What one content, which all replicas see, counts as. */
typedef enum cohort_contributes {
    COHORT_CONTRIBUTES_NOTHING_SAID = 0, /* of a per-replica operand, or where no number counts */
    COHORT_CONTRIBUTES_ONCE,
    COHORT_CONTRIBUTES_REPEATED,
    COHORT_CONTRIBUTES_AS_PASSED /* in a step function: once for each replica, for each passes it */
} cohort_contributes;

/* Take COHORT_ONCE and COHORT_REPEATED off an argument. */
cohort_contributes cohort_reduce_unwrap(cohort_argument *x);

typedef struct cohort_reduce_plan {
    const char *call;
    cohort_strategy *strategy;
    cohort_reduce_op op;
    cohort_contributes contributes;
    cohort_operand x, weights;
    /* one: of each replica; else one for each element along the axes */
    bool has_weights, has_one_weight;
    cohort_survey survey;
} cohort_reduce_plan;

/* What is combined along what; weights may be NULL. */
typedef struct cohort_reduce_request {
    cohort_reduce_op op;
    cohort_argument x;
    const int32_t *axes;
    int32_t n_axes;
    cohort_value *weights;
    cohort_contributes contributes;
} cohort_reduce_request;

/* COHORT_EINVAL with "call: ...": a sum or a product of one content, of which nobody has said how
 * often it counts; or what was said of it is said of what is per replica. has_weights: the
 * contributions differ by those. */
cohort_status cohort_reduce_check_contribution(const char *call, cohort_reduce_op op,
                                               cohort_contributes contributes,
                                               const cohort_operand *x, bool has_weights);

/* COHORT_EINVAL with "call: ...", COHORT_ENOMEM; then there is nothing to end. */
cohort_status cohort_reduce_plan_begin(cohort_reduce_plan *plan, const char *call,
                                       cohort_strategy *strategy,
                                       const cohort_reduce_request *request);
void cohort_reduce_plan_end(cohort_reduce_plan *plan);

/* The two parts of begin, without weights, between which the surveys of several are joined
 * (cohort_survey_join). look: as begin. check: after it there is a plan to end, whatever it
 * finds. */
cohort_status cohort_reduce_plan_look(cohort_reduce_plan *plan, const char *call,
                                      cohort_strategy *strategy,
                                      const cohort_reduce_request *request);
cohort_status cohort_reduce_plan_check(const cohort_reduce_plan *plan);

cohort_status cohort_reduce_plan_prepare(const cohort_reduce_plan *plan);
void cohort_reduce_plan_shape(const cohort_reduce_plan *plan, cohort_content *into);

/* Does a replica contribute, and on which device? */
bool cohort_reduce_plan_counts(const cohort_reduce_plan *plan, int32_t replica);
int32_t cohort_reduce_plan_device(const cohort_reduce_plan *plan, int32_t replica);

/* Leaves that are made: one stands for all replicas where all see the same. */
int32_t cohort_reduce_plan_leaves(const cohort_reduce_plan *plan);

/* The mean of integers is summed up in limbs that do not wrap (operation/integers.h), and divided
 * once: its leaves and its tree are of limbs, not of the dtype. */
bool cohort_reduce_plan_is_integer_mean(const cohort_reduce_plan *plan);

/* dst has room for what comes out. The reducer was restarted for this reduction. */
void cohort_reduce_plan_post(const cohort_reduce_plan *plan, cohort_reducer *reducer,
                             cohort_buffer *dst);

#endif
