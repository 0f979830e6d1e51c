/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <cohort/packs.h>

#include "runtime/base/error.h"

#include <stdbool.h>

/* ------------------------------------------------------------------ packs by bytes */

static cohort_status check_bytes(const int64_t bytes[], int n, int64_t bytes_per_pack,
                                 const int32_t out[], int capacity, const char *call)
{
    if (n < 0 || bytes_per_pack < 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %d values, %lld bytes per pack; neither may be negative", call,
                                n, (long long)bytes_per_pack);
    if (bytes == NULL && n > 0)
        return cohort_error_null(call, "the list of bytes");
    if (out == NULL && capacity > 0)
        return cohort_error_null(call, "the room for packs");
    for (int i = 0; i < n; i++)
        if (bytes[i] < -1)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: bytes[%d] is %lld; at least 0, or -1 for not known", call,
                                    i, (long long)bytes[i]);
    return COHORT_OK;
}

static bool is_one_pack(const int64_t bytes[], int n, int64_t bytes_per_pack)
{
    bool is_one = bytes_per_pack == 0;
    for (int i = 0; i < n && !is_one; i++)
        is_one = bytes[i] < 0;
    return is_one;
}

static void count(int32_t out[], int capacity, int pack, int32_t values)
{
    if (pack < capacity)
        out[pack] = values;
}

int cohort_packs_by_bytes(const int64_t bytes[], int n, int64_t bytes_per_pack, int32_t out[],
                          int capacity)
{
    cohort_status status =
        check_bytes(bytes, n, bytes_per_pack, out, capacity, "cohort_packs_by_bytes");
    if (status < 0 || n == 0)
        return status;
    bool is_one = is_one_pack(bytes, n, bytes_per_pack);
    int64_t left = bytes_per_pack; /* negative: the pack has more than its bytes */
    int32_t values = 0;
    int pack = 0;
    for (int i = 0; i < n; i++, values++) {
        if (left < 0 && !is_one) {
            count(out, capacity, pack++, values);
            values = 0;
            left = bytes_per_pack;
        }
        left -= is_one ? 0 : bytes[i];
    }
    count(out, capacity, pack, values);
    return pack + 1;
}

/* ------------------------------------------------------------------ a number of packs */

cohort_status cohort_packs_by_number(int64_t elements, int packs, int64_t out[])
{
    static const char call[] = "cohort_packs_by_number";
    if (packs < 1)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %d packs; there is at least 1, unless nothing is packed", call,
                                packs);
    if (elements < 0)
        return cohort_error_set(COHORT_EINVAL, "%s: %lld elements; at least 0", call,
                                (long long)elements);
    if (out == NULL)
        return cohort_error_null(call, "the room for packs");
    for (int i = 0; i < packs; i++)
        out[i] = elements / packs;
    out[packs - 1] += elements % packs;
    return COHORT_OK;
}
