/* SPDX-License-Identifier: BSD-3-Clause */
/* Sharded: a variable cut along axis 0 over the parameter devices. The partitioners differ in the
 * number of shards. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/placement/placement.h"

static int64_t rows_of(const cohort_place_request *request)
{
    return request->spec.rank > 0 ? request->spec.shape[0] : 0;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

/* Shard k has rows div n rows, the first rows mod n shards one more. There are never more shards
 * than rows; one shard, or none of a scalar, is a whole copy. */
static int cut(const cohort_place_request *request, int64_t shards, cohort_copy out[], int capacity)
{
    int64_t rows = rows_of(request), n = shards < rows ? shards : rows;
    if (n <= 1) {
        out[0].device = 0;
        return 1;
    }
    if (n > capacity)
        return cohort_error_set(COHORT_EINVAL, "%lld shards are more than %d", (long long)n,
                                capacity);
    int64_t row = 0;
    for (int64_t k = 0; k < n; k++) {
        out[k].device = (int32_t)(k % request->num_parameter_devices);
        out[k].first_row = row;
        out[k].rows = rows / n + (k < rows % n);
        row += out[k].rows;
    }
    return (int)n;
}

static int check_number(const cohort_place_request *request, const char *what)
{
    return request->number >= 1
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s is %lld; at least 1 is needed", what,
                                  (long long)request->number);
}

int cohort_place_shard_per_device(const cohort_place_request *request, cohort_copy out[],
                                  int capacity, void *user)
{
    (void)user;
    return cut(request, request->num_parameter_devices, out, capacity);
}

static int place_fixed(const cohort_place_request *request, cohort_copy out[], int capacity,
                       void *user)
{
    (void)user;
    int status = check_number(request, "the number of shards");
    return status < 0 ? status : cut(request, request->number, out, capacity);
}

/* As many shards as have the smallest size, but not more than devices. */
static int place_min_bytes(const cohort_place_request *request, cohort_copy out[], int capacity,
                           void *user)
{
    (void)user;
    int status = check_number(request, "the smallest size of a shard");
    if (status < 0)
        return status;
    int64_t most = request->bytes / request->number, n = request->num_parameter_devices;
    return cut(request, most < n ? most : n, out, capacity);
}

/* A shard has as many rows as fit the largest size, and one row at least, whatever its size. */
static int place_max_bytes(const cohort_place_request *request, cohort_copy out[], int capacity,
                           void *user)
{
    int64_t rows = rows_of(request);
    (void)user;
    int status = check_number(request, "the largest size of a shard");
    if (status < 0 || rows == 0)
        return status < 0 ? status : cut(request, 1, out, capacity);
    int64_t row_bytes = request->bytes / rows;
    int64_t most =
        row_bytes > 0 && request->number / row_bytes > 1 ? request->number / row_bytes : 1;
    return cut(request, row_bytes > 0 ? divide_up(rows, most) : 1, out, capacity);
}

cohort_placement cohort_placement_fixed_shards(int64_t shards)
{
    return (cohort_placement){ .name = "sharded", .place = place_fixed, .number = shards };
}

cohort_placement cohort_placement_min_bytes(int64_t min_bytes)
{
    return (cohort_placement){ .name = "sharded", .place = place_min_bytes, .number = min_bytes };
}

cohort_placement cohort_placement_max_bytes(int64_t max_bytes)
{
    return (cohort_placement){ .name = "sharded", .place = place_max_bytes, .number = max_bytes };
}
