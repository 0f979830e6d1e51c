/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/call/share.h"

#include "runtime/base/array.h"
#include "runtime/base/row_shares.h"

/* ------------------------------------------------------------------ COHORT_SHARE */

/* The total, which is a number of any kind until now. */
static cohort_status total_of(const cohort_argument *share, int64_t *out)
{
    cohort_argument total = *share;
    total.kind = share->bytes;
    if (!cohort_number_is(&total))
        return cohort_error_set(COHORT_EINVAL, "COHORT_SHARE takes a number");
    cohort_status status = cohort_number_convert(&total, COHORT_I64, out);
    if (status >= 0 && *out < 0)
        status = cohort_error_set(COHORT_EINVAL, "%lld cannot be shared out", (long long)*out);
    return status;
}

static cohort_status convert_part(const cohort_argument *share, int32_t replica, int32_t n_replicas,
                                  cohort_dtype dtype, void *out)
{
    int64_t total = 0;
    cohort_status status = total_of(share, &total);
    if (status < 0)
        return status;
    cohort_argument part = cohort_argument_integer_(
        COHORT_ARGUMENT_INT, cohort_row_shares_of(total, replica, n_replicas));
    return cohort_number_convert(&part, dtype, out);
}

/* ------------------------------------------------------------------ COHORT_EACH */

static cohort_status check_list(const cohort_array *list, int32_t n_replicas)
{
    cohort_status status = cohort_array_check(list, false, "COHORT_EACH");
    if (status < 0)
        return status;
    if (cohort_dtype_kind(list->dtype) == 'V')
        return cohort_error_set(COHORT_EINVAL, "COHORT_EACH takes numbers, got %s",
                                cohort_dtype_name(list->dtype));
    if (list->rank == 1 && list->shape[0] == n_replicas)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "COHORT_EACH takes one number for each of %d replicas, got %lld",
                            n_replicas, (long long)cohort_array_items(list));
}

static cohort_status convert_entry(const cohort_argument *each, int32_t replica, int32_t n_replicas,
                                   cohort_dtype dtype, void *out)
{
    const cohort_array *list = each->as.p;
    cohort_status status = list != NULL && each->bytes == COHORT_ARGUMENT_ARRAY
                               ? check_list(list, n_replicas)
                               : cohort_error_set(COHORT_EINVAL, "COHORT_EACH takes an array");
    if (status < 0)
        return status;
    int64_t stride = cohort_array_is_row_major(list) ? 1 : list->strides[0];
    const cohort_number number = cohort_number_load(
        list->dtype, (const char *)list->data + replica * stride * cohort_dtype_bytes(list->dtype));
    return cohort_number_store(&number, dtype, "the parameter", out);
}

cohort_status cohort_share_convert(const cohort_argument *share, int32_t replica,
                                   int32_t n_replicas, cohort_dtype dtype, void *out)
{
    return share->kind == COHORT_ARGUMENT_SHARE
               ? convert_part(share, replica, n_replicas, dtype, out)
               : convert_entry(share, replica, n_replicas, dtype, out);
}
