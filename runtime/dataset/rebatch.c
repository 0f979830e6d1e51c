/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of another size: rows one by one, in batches. Neither copies what lies in order already. */
#include "config.h"

#include "runtime/dataset/batch.h"

#include "runtime/base/error.h"

cohort_dataset *cohort_dataset_rebatch(cohort_dataset *dataset, int64_t rows, bool drop_remainder)
{
    if (dataset == NULL) {
        (void)cohort_error_null("cohort_dataset_rebatch", "the dataset");
        return cohort_error_made("dataset", NULL);
    }
    cohort_dataset *each = cohort_dataset_unbatch(dataset);
    if (each == NULL) {
        (void)cohort_error_prefix(COHORT_EINVAL, "cohort_dataset_rebatch");
        return cohort_error_made("dataset", NULL);
    }
    return cohort_batch_make(each, rows, drop_remainder, true);
}
