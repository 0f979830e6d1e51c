/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/error.h"

#include <cohort/input.h>

static int64_t divide(const cohort_input_context *context, int64_t global_batch)
{
    if (context == NULL)
        return cohort_error_null("cohort_input_context_batch_size", "the context");
    if (context->num_replicas_in_sync < 1)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_input_context_batch_size: %d replicas in sync; at least 1 expected",
            context->num_replicas_in_sync);
    if (global_batch < 0 || global_batch % context->num_replicas_in_sync != 0)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_input_context_batch_size: a global batch of %lld rows is not divisible by %d "
            "replicas in sync",
            (long long)global_batch, context->num_replicas_in_sync);
    return global_batch / context->num_replicas_in_sync;
}

int64_t cohort_input_context_batch_size(const cohort_input_context *context, int64_t global_batch)
{
    return cohort_error_answer(divide(context, global_batch));
}
