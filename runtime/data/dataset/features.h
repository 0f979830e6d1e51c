/* SPDX-License-Identifier: BSD-3-Clause */
/* Features that are asked for: checked and copied. */
#ifndef COHORT_DATASET_FEATURES_H
#define COHORT_DATASET_FEATURES_H

#include <cohort/files.h>

#include <stdio.h>

/* *out is the caller's, by cohort_features_free. COHORT_EINVAL names the feature; COHORT_ENOMEM;
 * then it is NULL. */
cohort_status cohort_features_copy(const cohort_feature features[], int n, const char *call,
                                   cohort_feature **out);
void cohort_features_free(cohort_feature *features, int n); /* NULL is allowed */

cohort_spec cohort_feature_spec(const cohort_feature *feature);

/* ", 'name' float32[28,28] absent 0" */
void cohort_feature_describe(const cohort_feature *feature, FILE *out);

#endif
