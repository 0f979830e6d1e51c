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

static int check_number(int64_t number, const char *what)
{
    return number >= 1 ? COHORT_OK
                       : cohort_error_set(COHORT_EINVAL, "%s is %lld; at least 1 is needed", what,
                                          (long long)number);
}

/* A partitioner was chosen for this very variable, which has no axis to cut. */
static int check_scalar(const cohort_place_request *request)
{
    return request->spec.rank > 0 || request->is_own == 0
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "a scalar has no rows to cut; leave the placement out of its "
                                  "options");
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
    int status = check_number(request->number, "the number of shards");
    if (status >= 0)
        status = check_scalar(request);
    return status < 0 ? status : cut(request, request->number, out, capacity);
}

static int check_by_size(const cohort_place_request *request, const char *size)
{
    int status = check_number(request->number, size);
    if (status >= 0)
        status = check_number(request->max_shards, "the largest number of shards");
    return status < 0 ? status : check_scalar(request);
}

static int64_t at_most(const cohort_place_request *request, int64_t shards)
{
    return shards < request->max_shards ? shards : request->max_shards;
}

/* Shards of the smallest size, the last one rounded up, but no more than the largest number. */
static int place_min_bytes(const cohort_place_request *request, cohort_copy out[], int capacity,
                           void *user)
{
    (void)user;
    int status = check_by_size(request, "the smallest size of a shard");
    return status < 0 ? status
                      : cut(request, at_most(request, divide_up(request->bytes, request->number)),
                            out, capacity);
}

/* A shard has as many rows as fit the largest size, and one row at least, whatever its size. */
static int place_max_bytes(const cohort_place_request *request, cohort_copy out[], int capacity,
                           void *user)
{
    int64_t rows = rows_of(request), row_bytes = rows > 0 ? request->bytes / rows : 0;
    (void)user;
    int status = check_by_size(request, "the largest size of a shard");
    if (status < 0 || row_bytes == 0)
        return status < 0 ? status : cut(request, 1, out, capacity);
    int64_t most = request->number > row_bytes ? request->number / row_bytes : 1;
    return cut(request, at_most(request, divide_up(rows, most)), out, capacity);
}

cohort_placement cohort_placement_fixed_shards(int64_t shards)
{
    return (cohort_placement){ .name = "sharded", .place = place_fixed, .number = shards };
}

cohort_placement cohort_placement_min_bytes(int64_t min_bytes, int64_t max_shards)
{
    return (cohort_placement){
        .name = "sharded", .place = place_min_bytes, .number = min_bytes, .max_shards = max_shards
    };
}

cohort_placement cohort_placement_max_bytes(int64_t max_bytes, int64_t max_shards)
{
    return (cohort_placement){
        .name = "sharded", .place = place_max_bytes, .number = max_bytes, .max_shards = max_shards
    };
}
