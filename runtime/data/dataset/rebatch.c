/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of another size: rows one by one, in batches. Neither copies what lies in order
 * already. */
#include "config.h"

#include "runtime/data/dataset/batch.h"

#include "runtime/base/handle.h"

cohort_dataset *cohort_dataset_rebatch(cohort_dataset *dataset, int64_t rows, bool drop_remainder)
{
    if (cohort_handle_check(dataset, COHORT_HANDLE_DATASET, "cohort_dataset_rebatch",
                            "the dataset") < 0)
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    cohort_dataset *each = cohort_dataset_unbatch(dataset);
    if (each == NULL) {
        (void)cohort_error_prefix(COHORT_EINVAL, "cohort_dataset_rebatch");
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    }
    return cohort_batch_make(each, rows, drop_remainder, true);
}
