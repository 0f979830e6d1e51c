/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics, which add up over steps. */
#include "config.h"

#include "tests/right/right.h"

static void means(cohort_strategy *s)
{
    cohort_metric *mean = cohort_metric_create(s, "mean", "mean"),
                  *sum = cohort_metric_create(s, "sum", "sum");
    cohort_value *x = real_rows(s),
                 *weights = cohort_value_split(s, COHORT_ARRAY(real, ROWS, COLUMNS));
    for (int i = 0; i < 3; i++) {
        cohort_metric_update(mean, x, weights);
        cohort_metric_update(sum, uneven_rows(s), NULL);
    }
    note_real("mean", cohort_metric_result(mean));
    /* integers below 2^53: float64 has them all */
    note_integer("sum", (int64_t)cohort_metric_result(sum));
    cohort_metric_reset(sum);
    cohort_metric_update(sum, cohort_value_number(s, 0.5), NULL);
    note_real("reset", cohort_metric_result(sum));
    cohort_metric_destroy(mean);
    cohort_metric_destroy(sum);
}

static void accuracy(cohort_strategy *s)
{
    cohort_metric *accuracy = cohort_metric_create(s, "accuracy", "accuracy");
    cohort_value *labels = cohort_value_split(s, COHORT_ARRAY(ids, ROWS));
    cohort_metric_update(accuracy, real_rows(s), labels);
    note_real("of scores", cohort_metric_result(accuracy));
    cohort_metric_reset(accuracy);
    cohort_metric_update(accuracy, labels, labels);
    note_real("all", cohort_metric_result(accuracy));
}

static cohort_metric *in_steps;

static cohort_status add_own(cohort_replica *me, void *user)
{
    (void)me;
    return cohort_metric_update(in_steps, user, NULL);
}

static void metric_in_step(cohort_strategy *s)
{
    in_steps = cohort_metric_create(s, "sum", "sum");
    cohort_value *rows = uneven_rows(s);
    cohort_for_each_replica(s, add_own, rows);
    cohort_for_each_replica(s, add_own, rows);
    note_integer("sum", (int64_t)cohort_metric_result(in_steps));
}

const right_program right_metrics[] = {
    RIGHT(means), RIGHT(accuracy), RIGHT(metric_in_step), { NULL, NULL }
};
