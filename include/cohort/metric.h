/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics: numbers that add up over the steps of an epoch, on ON_READ variables of the strategy.
 *
 *     cohort_metric *accuracy = cohort_metric_create(s, "accuracy", "train/accuracy");
 *     while (...) {
 *         cohort_run(s, predict, x, w, scores);
 *         cohort_metric_update(accuracy, scores, labels);
 *     }
 *     printf("%.4f\n", cohort_metric_result(accuracy));
 *     if (cohort_metric_reset(accuracy) != COHORT_OK)
 *         fprintf(stderr, "%s\n", cohort_error_text());
 *
 * Each replica adds to its own components, in float64 and in the order of rows of cohort_reduce;
 * they are combined along the tree when the result is asked for. So a result does not depend on
 * devices, hosting or timing.
 *
 * After cohort_strategy_recover an update or a reset that failed, or that came after a failure, is
 * in neither of the metric's variables (cohort_variable_updates of NAME/total and NAME/count). */
#ifndef COHORT_METRIC_H
#define COHORT_METRIC_H

#include <cohort/variable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_metric cohort_metric;

/* Make a metric.
 *
 * kind  "mean": sum of values times weights, divided by the sum of weights; "sum": sum of values
 *       times weights; "accuracy": part of the rows whose prediction is the label. Values of rank 1
 *       are the predictions themselves; of rank 2 they are scores [rows][classes], and the
 *       prediction is the first class with the highest, which a NaN never is
 * name  names its variables, NAME/total and NAME/count, which have a component per replica under
 *       every strategy
 *
 * NULL with the reason in the error text. Cross-replica context. */
COHORT_API cohort_metric *cohort_metric_create(cohort_strategy *strategy, const char *kind,
                                               const char *name);

/* Add the elements of a value, real numbers of any dtype or bool. A value that is not per replica
 * counts once, at replica 0. In a step function the call adds the component of the replica that
 * calls, and is no collective. An absent component adds nothing. Waits for nothing.
 *
 * with  "mean", "sum": weights of the same shape, or one number, or NULL: all 1. "accuracy":
 *       labels, integers, one for each row
 * COHORT_EINVAL for a wrong call, and for a metric that never got its first content: reset it
 * first. Nothing has changed. The error that is up (cohort/strategy.h). */
COHORT_API cohort_status cohort_metric_update(cohort_metric *metric, cohort_value *values,
                                              cohort_value *with);

/* The result of all that was added. Waits. NaN when nothing was added to a mean or an accuracy,
 * with the error text ""; NaN on failure, with the reason in the error text. Cross-replica
 * context. */
COHORT_API double cohort_metric_result(cohort_metric *metric);

/* Reset a metric: nothing has been added to it. Cross-replica context. */
COHORT_API cohort_status cohort_metric_reset(cohort_metric *metric);

/* Destroy a metric, with its variables. NULL is allowed; dies with the strategy at the latest. */
COHORT_API void cohort_metric_destroy(cohort_metric *metric);

#ifdef __cplusplus
}
#endif
#endif
