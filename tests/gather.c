/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather puts components together in the order of their replicas. Wrong calls: wrong_calls.c. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"

static int32_t data[CORE_MAX_ELEMENTS], found[CORE_MAX_ELEMENTS];

static void count_up(void)
{
    for (int i = 0; i < CORE_MAX_ELEMENTS; i++)
        data[i] = i, found[i] = -1;
}

/* Components [2][r % 3 + 1][2] along axis 1: the extent differs. */
static bool middle_axis(cohort_strategy *s, int replicas, int axis)
{
    cohort_array parts[CORE_MAX_REPLICAS];
    int64_t shape[COHORT_MAX_RANK], width = 0, offset = 0, at = 0;
    count_up();
    for (int r = 0; r < replicas; r++) {
        parts[r] = COHORT_ARRAY(data + offset, 2, r % 3 + 1, 2);
        offset += 4 * (r % 3 + 1);
        width += r % 3 + 1;
    }
    cohort_value *v = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    bool is_good = good(cohort_gather(v, axis, out) == COHORT_OK) &&
                   good(cohort_value_kind_of(out) == COHORT_PLAIN_VALUE) &&
                   good(cohort_value_shape(out, 0, NULL, shape) == 3) &&
                   good(shape[0] == 2 && shape[1] == width && shape[2] == 2) &&
                   good(cohort_value_read(out, COHORT_ARRAY(found, 2, width, 2)) == COHORT_OK);
    for (int i = 0; i < 2 && is_good; i++)
        for (int r = 0; r < replicas && is_good; r++)
            for (int64_t j = 0; j < 2 * parts[r].shape[1] && is_good; j++)
                is_good =
                    good(found[at++] == ((int32_t *)parts[r].data)[i * 2 * parts[r].shape[1] + j]);
    return is_good;
}

static bool middle(cohort_strategy *s, int replicas)
{
    return middle_axis(s, replicas, 1) && middle_axis(s, replicas, -2);
}

static bool rows(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    count_up();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(data, 0, 3)),
                 *out = cohort_value_create(s);
    for (int64_t n = 0; n < 3 * replicas && is_good; n++) {
        int64_t shape[COHORT_MAX_RANK];
        is_good = good(cohort_value_set(v, COHORT_ARRAY(data, n, 3)) == COHORT_OK) &&
                  good(cohort_gather(v, 0, out) == COHORT_OK) &&
                  good(cohort_value_shape(out, 0, NULL, shape) == 2) &&
                  good(shape[0] == n && shape[1] == 3) &&
                  good(cohort_value_read(out, COHORT_ARRAY(found, n, 3)) == COHORT_OK) &&
                  good(memcmp(found, data, (size_t)n * 12) == 0);
    }
    return is_good;
}

static bool plain(cohort_strategy *s, int replicas)
{
    count_up();
    cohort_value *out = cohort_value_create(s);
    (void)replicas;
    return good(cohort_gather(cohort_value_plain(s, COHORT_ARRAY(data, 2, 3)), 1, out) ==
                COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2, 3)) == COHORT_OK) &&
           good(memcmp(found, data, 24) == 0);
}

static bool every_operand(cohort_strategy *s, int replicas)
{
    count_up();
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(data, 2, 3), NULL);
    cohort_value *out = cohort_value_create(s);
    (void)replicas;
    return good(cohort_gather(w, -1, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2, 3)) == COHORT_OK) &&
           good(memcmp(found, data, 24) == 0) &&
           good(cohort_gather(COHORT_ARRAY(data + 1, 4), 0, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           good(memcmp(found, data + 1, 16) == 0) &&
           good(cohort_gather(7, 0, out) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "axis 0 of a value of rank 0") != NULL);
}

/* Along an inner axis components without rows count for nothing; when all are, there are no
 * rows. */
static bool without_rows(cohort_strategy *s, int replicas)
{
    cohort_array parts[CORE_MAX_REPLICAS];
    int64_t shape[COHORT_MAX_RANK];
    count_up();
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY(data, 0, 3);
    cohort_value *none = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    parts[replicas - 1] = COHORT_ARRAY(data, 2, 3);
    cohort_value *some = cohort_value_per_replica(s, parts);
    return good(cohort_gather(none, 0, out) == COHORT_OK) &&
           good(cohort_value_shape(out, 0, NULL, shape) == 2) &&
           good(shape[0] == 0 && shape[1] == 3) && good(cohort_gather(some, 1, out) == COHORT_OK) &&
           good(cohort_value_shape(out, 0, NULL, shape) == 2) &&
           good(shape[0] == 2 && shape[1] == 3) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2, 3)) == COHORT_OK) &&
           good(memcmp(found, data, 24) == 0);
}

static bool every_dtype(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    (void)replicas;
    count_up();
    for (uint32_t d = next_element(0); d != 0 && is_good; d = next_element(d)) {
        int64_t bytes = d == COHORT_RECORD ? 12 : cohort_dtype_bytes((cohort_dtype)d);
        cohort_array from = { .data = data,
                              .dtype = (cohort_dtype)d,
                              .rank = 1,
                              .shape = { 11 },
                              .item_bytes = bytes },
                     into = from;
        into.data = found;
        memset(found, 0, 1000);
        cohort_value *v = cohort_value_split(s, from), *out = cohort_value_create(s);
        is_good = good(cohort_gather(v, 0, out) == COHORT_OK) &&
                  good(cohort_value_read(out, into) == COHORT_OK) &&
                  good(memcmp(found, data, (size_t)(11 * bytes)) == 0);
    }
    return is_good;
}

/* Extents besides the axis, and ranks, must agree. */
static bool unfit(cohort_strategy *s, int replicas)
{
    cohort_array parts[CORE_MAX_REPLICAS];
    if (replicas == 1)
        return true;
    count_up();
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY(data, 1, r + 1);
    cohort_value *v = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    return refused_for(s, "component of replica 1", cohort_gather(v, 0, out)) &&
           good(cohort_gather(v, 1, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, replicas * (replicas + 1) / 2)) ==
                COHORT_OK);
}

static void known_cases(void)
{
    cohort_strategy *s = cohort_mirrored("host/2");
    const int32_t line[3] = { 1, 2, 3 }, twice[6] = { 1, 2, 3, 1, 2, 3 };
    int64_t shape[COHORT_MAX_RANK];
    cohort_value *out = cohort_value_create(s);
    const cohort_array vectors[2] = { COHORT_ARRAY(line, 3), COHORT_ARRAY(line, 3) };
    ok(cohort_gather(cohort_value_per_replica(s, vectors), 0, out) == COHORT_OK &&
           cohort_value_read(out, COHORT_ARRAY(found, 6)) == COHORT_OK &&
           memcmp(found, twice, sizeof twice) == 0,
       "[1 2 3] twice is [1 2 3 1 2 3]");
    const cohort_array cubes[2] = { COHORT_ARRAY(data, 1, 2, 2), COHORT_ARRAY(data, 1, 2, 2) };
    for (int axis = 0; axis < 3; axis++)
        ok(cohort_gather(cohort_value_per_replica(s, cubes), axis, out) == COHORT_OK &&
               cohort_value_shape(out, 0, NULL, shape) == 3 && shape[0] == (axis == 0 ? 2 : 1) &&
               shape[1] == (axis == 1 ? 4 : 2) && shape[2] == (axis == 2 ? 4 : 2),
           "two of [1 2 2] along axis %d", axis);
    cohort_strategy_destroy(s);
}

int main(void)
{
    (void)core_warm();
    core_live warm = core_live_now();
    core_everywhere(unfit, "components that do not fit together are refused");
    core_everywhere(rows, "rows come back as they were split, and none is a result with 0 rows");
    core_everywhere(middle, "an inner axis, where extents may differ");
    core_everywhere(plain, "a plain value is copied");
    core_everywhere(every_operand, "variables and arrays too; numbers have no axis");
    core_everywhere(without_rows, "components without rows");
    core_everywhere(every_dtype, "every dtype, structs too");
    known_cases();
    core_no_leak(warm);
    return tap_done();
}
