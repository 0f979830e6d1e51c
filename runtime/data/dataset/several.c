/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/dataset/several.h"

bool cohort_several_begin(cohort_dataset_builder *node, const char *call)
{
    int32_t n = node->n_inputs;
    if (n < 1)
        node->n_inputs = 0;
    if (n >= 1)
        return cohort_dataset_builder_begin(node, call);
    (void)cohort_dataset_builder_refuse(node, COHORT_EINVAL, "%s: %d datasets; expected 1 or more",
                                        call, n);
    return false;
}

int64_t cohort_several_batch_rows(const cohort_dataset *dataset)
{
    int64_t rows = 0;
    for (int32_t i = 0; i < dataset->n_inputs; i++) {
        int64_t other = dataset->inputs[i]->batch_rows;
        if (rows > 0 && other > 0 && rows != other)
            return 0;
        rows = rows > 0 ? rows : other;
    }
    return rows;
}
