/* SPDX-License-Identifier: BSD-3-Clause */
/* Values whose rows are shared out by counts, and compressed rows with their entries. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/base/row_shares.h"
#include "runtime/strategy/call.h"
#include "runtime/value/value.h"

/* How `total` rows are shared out. */
typedef struct share {
    int64_t total;
    const int64_t *counts; /* [replicas]; NULL: evenly */
    int n_counts;          /* -1: not known */
    int32_t n_replicas;
} share;

/* Each of these calls; what it has not is NULL. */
typedef struct request {
    const char *call;
    const cohort_array *array, *offsets;
    const int64_t *counts;
    int n_counts;
} request;

/* ------------------------------------------------------------------ which rows a replica gets */

static int64_t rows_before(const share *h, int32_t replica)
{
    int64_t first = 0;
    if (h->counts == NULL)
        return cohort_row_shares_before(h->total, replica, h->n_replicas);
    for (int32_t r = 0; r < replica; r++)
        first += h->counts[r];
    return first;
}

static cohort_status check_counts(const char *call, const share *h)
{
    int64_t sum = 0;
    bool fits = true;
    if (h->counts != NULL && h->n_counts >= 0 && h->n_counts < h->n_replicas)
        return cohort_error_set(COHORT_EINVAL, "%s: %d count%s for %d replicas", call, h->n_counts,
                                h->n_counts == 1 ? "" : "s", h->n_replicas);
    for (int32_t r = 0; r < h->n_replicas && h->counts != NULL; r++) {
        if (h->counts[r] < 0)
            return cohort_error_set(COHORT_EINVAL, "%s: counts[%d] is %lld", call, r,
                                    (long long)h->counts[r]);
        fits = fits && !__builtin_add_overflow(sum, h->counts[r], &sum);
    }
    if (h->counts == NULL || (fits && sum == h->total))
        return COHORT_OK;
    if (!fits)
        return cohort_error_set(COHORT_EINVAL, "%s: the counts are more than 64 bits count", call);
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the %d counts add up to %lld, and there are %lld rows", call,
                            h->n_replicas, (long long)sum, (long long)h->total);
}

static cohort_status check_rows(const char *call, const cohort_array *array)
{
    cohort_status status = cohort_array_check(array, false, call);
    if (status >= 0 && array->rank == 0)
        status =
            cohort_error_set(COHORT_EINVAL, "%s: an array of rank 0 has no rows to split", call);
    return status;
}

/* ------------------------------------------------------------------ offsets */

static int64_t offset_at(const cohort_array *offsets, int64_t row)
{
    int64_t stride = cohort_array_is_row_major(offsets) ? 1 : offsets->strides[0];
    const char *first = offsets->data;
    return cohort_dtype_load_integer(offsets->dtype,
                                     first + row * stride * cohort_dtype_bytes(offsets->dtype), 0);
}

static cohort_status check_offsets(const char *call, const cohort_array *offsets)
{
    cohort_status status = cohort_array_check(offsets, false, call);
    if (status < 0)
        return status;
    if (!cohort_dtype_is_integer(offsets->dtype) || offsets->rank != 1 || offsets->shape[0] < 1)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: the offsets are %s of rank %d with %lld elements; integers of rank 1, one more "
            "than rows, are needed",
            call, cohort_dtype_name(offsets->dtype), offsets->rank,
            (long long)cohort_array_items(offsets));
    if (offset_at(offsets, 0) != 0)
        return cohort_error_set(COHORT_EINVAL, "%s: the offsets begin with %lld, not with 0", call,
                                (long long)offset_at(offsets, 0));
    for (int64_t i = 1; i < offsets->shape[0]; i++)
        if (offset_at(offsets, i) < offset_at(offsets, i - 1))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: offset %lld is %lld, and the one before %lld", call,
                                    (long long)i, (long long)offset_at(offsets, i),
                                    (long long)offset_at(offsets, i - 1));
    return COHORT_OK;
}

static cohort_status check_entries(const request *q)
{
    int64_t last = offset_at(q->offsets, q->offsets->shape[0] - 1);
    return last == q->array->shape[0]
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: the offsets end with %lld, and the array has %lld rows",
                                  q->call, (long long)last, (long long)q->array->shape[0]);
}

/* The offsets of rows [first, end), from 0. */
static cohort_status take_offsets(cohort_value *value, int32_t replica, const cohort_array *offsets,
                                  int64_t first, int64_t end)
{
    int64_t bytes = cohort_dtype_bytes(offsets->dtype), n = end - first + 1;
    char *own = cohort_allocate_aligned((size_t)(n * bytes), 64);
    if (own == NULL)
        return cohort_error_memory("the offsets of a value");
    for (int64_t i = 0; i < n; i++)
        cohort_dtype_store_integer(offsets->dtype,
                                   offset_at(offsets, first + i) - offset_at(offsets, first),
                                   own + i * bytes);
    cohort_array part = { .data = own, .dtype = offsets->dtype, .rank = 1, .shape = { n } };
    cohort_value_lend_component(value, replica, &part, own, cohort_free);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ rows of an array */

/* Rows [first, end): in place, or a copy of what is not row-major. */
static cohort_status take_rows(cohort_value *value, int32_t replica, const cohort_array *array,
                               int64_t first, int64_t end)
{
    cohort_array part = *array;
    bool is_packed = cohort_array_is_row_major(array);
    int64_t row = cohort_shape_items(array->rank - 1, array->shape + 1);
    part.shape[0] = end - first;
    if (end > first)
        part.data = (char *)array->data +
                    first * (is_packed ? row : array->strides[0]) * cohort_array_item_bytes(array);
    if (!is_packed)
        return cohort_value_copy_component(value, replica, &part);
    cohort_value_lend_component(value, replica, &part, NULL, NULL);
    return COHORT_OK;
}

static cohort_status take_part(cohort_value *value, const request *q, const share *h, int32_t r)
{
    int32_t id = value->strategy->first_replica + r;
    int64_t first = rows_before(h, id), end = rows_before(h, id + 1);
    if (q->array == NULL)
        return take_offsets(value, r, q->offsets, first, end);
    if (q->offsets == NULL)
        return take_rows(value, r, q->array, first, end);
    return take_rows(value, r, q->array, offset_at(q->offsets, first), offset_at(q->offsets, end));
}

/* ------------------------------------------------------------------ making */

static cohort_status check(const request *q, const share *h)
{
    cohort_status status = check_counts(q->call, h);
    return status >= 0 && q->offsets != NULL && q->array != NULL ? check_entries(q) : status;
}

static cohort_status fill(cohort_value *value, const request *q)
{
    const cohort_strategy *s = value->strategy;
    share h = { .counts = q->counts, .n_counts = q->n_counts, .n_replicas = s->n_in_sync };
    cohort_status status = q->array != NULL ? check_rows(q->call, q->array) : COHORT_OK;
    if (status >= 0 && q->offsets != NULL)
        status = check_offsets(q->call, q->offsets);
    if (status < 0)
        return status;
    h.total = q->offsets != NULL ? q->offsets->shape[0] - 1 : q->array->shape[0];
    status = check(q, &h);
    if (status >= 0)
        status = cohort_value_prepare_components(value);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        status = take_part(value, q, &h, r);
    cohort_value_take_kind(value, COHORT_PER_REPLICA_VALUE);
    value->origin = COHORT_VALUE_PARTS;
    return status;
}

static cohort_value *make(cohort_strategy *strategy, const request *q)
{
    if (cohort_call_enter(strategy, q->call) < 0)
        return cohort_handle_made(COHORT_HANDLE_VALUE, NULL);
    cohort_value *value = cohort_value_allocate(strategy);
    cohort_status status = value != NULL ? fill(value, q) : COHORT_ENOMEM;
    if (value != NULL && status < 0) {
        cohort_value_drop(value);
        value = NULL;
    }
    (void)cohort_call_leave(strategy, status);
    return cohort_handle_made(COHORT_HANDLE_VALUE, value);
}

/* Without counts the array would be one of cohort_value_split. */
static cohort_value *refuse_null(cohort_strategy *strategy, const char *call)
{
    if (cohort_call_enter(strategy, call) >= 0)
        (void)cohort_call_leave(strategy, cohort_error_null(call, "the list of counts"));
    return cohort_handle_made(COHORT_HANDLE_VALUE, NULL);
}

cohort_value *cohort_value_split_by_list(cohort_strategy *strategy, cohort_array array,
                                         const int64_t counts[], int n)
{
    const request q = { "cohort_value_split_by", &array, NULL, counts, n };
    return counts != NULL ? make(strategy, &q) : refuse_null(strategy, q.call);
}

cohort_value *cohort_value_split_offsets_list(cohort_strategy *strategy, cohort_array offsets,
                                              const int64_t counts[], int n)
{
    return make(strategy, &(request){ "cohort_value_split_offsets", NULL, &offsets, counts, n });
}

cohort_value *cohort_value_split_entries_list(cohort_strategy *strategy, cohort_array array,
                                              cohort_array offsets, const int64_t counts[], int n)
{
    return make(strategy, &(request){ "cohort_value_split_entries", &array, &offsets, counts, n });
}
