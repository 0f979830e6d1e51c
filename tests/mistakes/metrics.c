/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with metrics. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 4 };
static float scores[N][2] = { { 0, 1 }, { 1, 0 }, { 0, 1 }, { 1, 0 } };
static int32_t labels[N] = { 1, 0, 1, 1 };

static cohort_status unknown_kind(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *metric = cohort_metric_create(s, is_wrong ? "acuracy" : "accuracy", "train");
    cohort_metric_update(metric, cohort_value_split(s, COHORT_ARRAY(&scores[0][0], N, 2)),
                         cohort_value_split(s, COHORT_ARRAY(labels, N)));
    return mistaken_number(cohort_metric_result(metric));
}

static cohort_status too_few_labels(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *metric = cohort_metric_create(s, "accuracy", "train");
    cohort_metric_update(metric, cohort_value_split(s, COHORT_ARRAY(&scores[0][0], N, 2)),
                         cohort_value_split(s, COHORT_ARRAY(labels, is_wrong ? N / 2 : N)));
    return mistaken_number(cohort_metric_result(metric));
}

static cohort_status labels_that_are_floats(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *metric = cohort_metric_create(s, "accuracy", "train");
    cohort_metric_update(
        metric, cohort_value_split(s, COHORT_ARRAY(&scores[0][0], N, 2)),
        cohort_value_split(s, is_wrong ? COHORT_ARRAY(&scores[0][0], N) : COHORT_ARRAY(labels, N)));
    return cohort_metric_reset(metric);
}

static cohort_status metric_without_a_name(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *metric = cohort_metric_create(s, "mean", is_wrong ? "" : "loss");
    cohort_metric_update(metric, cohort_value_split(s, COHORT_ARRAY(&scores[0][0], N)), NULL);
    return cohort_wait(s);
}

static cohort_status two_metrics_of_a_name(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *train = cohort_metric_create(s, "mean", "loss");
    cohort_metric *test = cohort_metric_create(s, "mean", is_wrong ? "loss" : "test/loss");
    cohort_metric_update(test, cohort_value_split(s, COHORT_ARRAY(&scores[0][0], N)), NULL);
    cohort_metric_update(train, cohort_value_split(s, COHORT_ARRAY(&scores[0][0], N)), NULL);
    return mistaken_number(cohort_metric_result(train));
}

static cohort_status metric_of_nothing(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *metric = cohort_metric_create(s, "sum", "loss");
    cohort_metric_update(metric, is_wrong ? cohort_value_create(s) : cohort_value_number(s, 1),
                         NULL);
    return mistaken_number(cohort_metric_result(metric));
}

static cohort_status null_metric(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_metric *metric =
        is_wrong ? NULL : cohort_metric_create(s, "sum", "loss"); /* declared, and forgotten */
    cohort_metric_update(metric, cohort_value_number(s, 1), NULL);
    return cohort_wait(s);
}

const mistaken_program mistaken_metrics[] = {
    MISTAKE(unknown_kind, "because of an earlier error: cohort_metric_create: no metric 'acuracy'; "
                          "mean, sum or accuracy"),
    MISTAKE(too_few_labels, "metric 'train': the labels of replica 0 are int32[1]; an integer for "
                            "each row of the values is wanted"),
    MISTAKE(labels_that_are_floats, "metric 'train': the labels of replica 0 are float32[2]; an "
                                    "integer for each row of the values is wanted"),
    MISTAKE(metric_without_a_name, "cohort_metric_create: a metric needs a name"),
    MISTAKE(
        two_metrics_of_a_name,
        "metric 'loss': cohort_variable_create: the strategy has a variable 'loss/total' already"),
    MISTAKE(metric_of_nothing, "metric 'loss': nothing has written the values of replica 0"),
    MISTAKE(null_metric, "cohort_metric_update: the metric is NULL"),
    { NULL, NULL, NULL },
};
