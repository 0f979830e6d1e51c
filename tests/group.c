/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for values and groups of them; values from functions; lists as arguments and as
 * results. */
#include "config.h"

#include "tests/core.h"

COHORT_FUNCTION(add,
                (int64_t n, float a, const float x[n], const float y[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = a + x[i] + y[i];
}

COHORT_FUNCTION_RETURNING(cohort_status, refuse,
                          (int64_t n, const float x[n], COHORT_OUT float z[n]), COHORT_HOST_ONLY)
{
    z[0] = x[0];
    return COHORT_ENOTSUP;
}

/* ------------------------------------------------------------------ values from a function */

/* Component r is 10 * r + R, r + 1 times, in memory that the next call uses again. */
static cohort_status count_replicas(int replica, int num_replicas, cohort_array *out, void *user)
{
    static float room[CORE_MAX_REPLICAS];
    for (int i = 0; i <= replica; i++)
        room[i] = (float)(10 * replica + num_replicas);
    *out = COHORT_ARRAY(room, replica + 1);
    ++*(int *)user;
    return COHORT_OK;
}

static cohort_status fail_at_last(int replica, int num_replicas, cohort_array *out, void *user)
{
    static float one = 1;
    (void)user;
    *out = COHORT_ARRAY(&one, 1);
    return replica == num_replicas - 1 ? COHORT_ENOENT : COHORT_OK;
}

static cohort_status change_rank(int replica, int num_replicas, cohort_array *out, void *user)
{
    static float one = 1;
    (void)num_replicas;
    (void)user;
    *out = replica == 0 ? COHORT_ARRAY(&one, 1) : COHORT_ARRAY(&one, 1, 1);
    return COHORT_OK;
}

static cohort_status no_rows(int replica, int num_replicas, cohort_array *out, void *user)
{
    static float one = 1;
    (void)num_replicas;
    (void)user;
    *out = COHORT_ARRAY(&one, replica == 0);
    return COHORT_OK;
}

static bool from_function(cohort_strategy *s, int replicas)
{
    cohort_array found[CORE_MAX_REPLICAS];
    int calls = 0;
    cohort_value *v = cohort_value_from_function(s, count_replicas, &calls);
    bool is_good = good(calls == replicas) &&
                   good(cohort_value_kind_of(v) == COHORT_PER_REPLICA_VALUE) &&
                   good(cohort_local_results(v, found, CORE_MAX_REPLICAS) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(found[r].shape[0] == r + 1) &&
                  good(((float *)found[r].data)[r] == (float)(10 * r + replicas));
    return is_good;
}

static bool from_bad_function(cohort_strategy *s, int replicas)
{
    char replica[32];
    (void)snprintf(replica, sizeof replica, "replica %d", replicas - 1);
    bool is_good = good(cohort_value_from_function(s, fail_at_last, NULL) == NULL) &&
                   refused(s, COHORT_ENOENT, cohort_strategy_status(s)) && says(replica) &&
                   refused_null(s, cohort_value_from_function(s, NULL, NULL));
    if (replicas > 1)
        is_good = is_good &&
                  refused_null_for(s, "rank 2", cohort_value_from_function(s, change_rank, NULL));
    cohort_value *v = cohort_value_from_function(s, no_rows, NULL);
    return is_good && good(v != NULL) && good(cohort_value_rows(v, 0) == 1) &&
           good(replicas == 1 || cohort_value_rows(v, replicas - 1) == 0);
}

/* ------------------------------------------------------------------ lists */

static bool list_as_arguments(cohort_strategy *s, int replicas)
{
    float ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 }, found[8];
    cohort_value *list[2] = { cohort_value_split(s, COHORT_ARRAY(ones, 8)),
                              cohort_value_split(s, COHORT_ARRAY(ones, 8)) };
    cohort_value *z = cohort_value_create(s);
    (void)replicas;
    return good(cohort_run(s, add, 3.0f, COHORT_VALUES(list, 2), z) == COHORT_OK) &&
           good(cohort_value_read(z, COHORT_ARRAY(found, 8)) == COHORT_OK) && good(found[7] == 5) &&
           good(cohort_run(s, add, 3.0f, COHORT_VALUES(list, 2), COHORT_VALUES(list, 0), z) ==
                COHORT_OK) &&
           refused(s, COHORT_EINVAL, cohort_run(s, add, 3.0f, COHORT_VALUES(list, 1), z)) &&
           refused(s, COHORT_EINVAL, cohort_run(s, add, 3.0f, COHORT_VALUES(list, 1000), z)) &&
           refused(s, COHORT_EINVAL, cohort_run(s, add, 3.0f, COHORT_VALUES(NULL, 2), z)) &&
           refused(s, COHORT_EINVAL, cohort_run(s, add, 3.0f, COHORT_VALUES(list, -1), z)) &&
           refused(s, COHORT_EINVAL,
                   cohort_run(s, add, 3.0f, list[0], COHORT_NAMED(y, COHORT_VALUES(list, 1)), z)) &&
           good(cohort_strategy_status(s) == COHORT_OK);
}

static bool list_as_results(cohort_strategy *s, int replicas)
{
    float five[1] = { 5 };
    int calls = 0;
    cohort_array found[3 * CORE_MAX_REPLICAS];
    cohort_value *a = cohort_value_from_function(s, count_replicas, &calls);
    cohort_argument list[3] = { COHORT_ARG_(a), COHORT_ARG_(COHORT_ARRAY(five, 1)),
                                COHORT_ARG_(7) };
    bool is_good = good(cohort_local_results_list(s, list, 3, found, 3 * replicas) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(found[3 * r].shape[0] == r + 1) &&
                  good(*(float *)found[3 * r + 1].data == 5) &&
                  good(*(int64_t *)found[3 * r + 2].data == 7);
    cohort_argument with_empty[2] = { COHORT_ARG_(a), COHORT_ARG_(cohort_value_create(s)) };
    cohort_argument twice[3] = { COHORT_ARG_(a), COHORT_ARG_(cohort_value_number(s, 3)),
                                 COHORT_ARG_(a) };
    is_good = is_good &&
              good(cohort_local_results_list(s, twice, 3, found, 3 * replicas - 1) == replicas);
    for (int r = 0; r < replicas - 1 && is_good; r++)
        is_good = good(found[3 * r].data == found[3 * r + 2].data) &&
                  good(((float *)found[3 * r + 2].data)[r] == (float)(10 * r + replicas));
    return is_good && good(cohort_local_results_list(s, &list[1], 2, found, 2) == replicas) &&
           good(cohort_local_results_list(s, list, 0, found, 2) == replicas) &&
           refused(s, COHORT_EINVAL, cohort_local_results_list(s, list, -1, found, 2)) &&
           refused_for(s, "entry 1 of the list",
                       cohort_local_results_list(s, with_empty, 2, found, 2)) &&
           good(cohort_local_results(2.5, found, 1) == 1) &&
           good(*(double *)found[0].data == 2.5) && good(found[0].rank == 0);
}

/* ------------------------------------------------------------------ waiting */

static bool groups(cohort_strategy *s, int replicas)
{
    float ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, 8)), *z = cohort_value_create(s);
    cohort_value *more[2] = { x, z };
    (void)replicas;
    bool is_good = good(cohort_run(s, add, 1.0f, x, x, z) == COHORT_OK);
    cohort_value *group = cohort_group(s, "step 1", more, 2),
                 *outer = cohort_group(s, NULL, &group, 1);
    is_good = is_good && good(cohort_value_kind_of(group) == COHORT_EMPTY_VALUE) &&
              good(cohort_value_wait(outer, -1) == COHORT_OK) &&
              good(cohort_value_wait(group, 0) == COHORT_OK) &&
              good(cohort_value_wait(z, INT64_MAX) == COHORT_OK) &&
              good(cohort_value_wait(cohort_group(s, "none", NULL, 0), 0) == COHORT_OK) &&
              refused_null(s, cohort_group(s, "bad", NULL, 1)) &&
              refused_null(s, cohort_group(s, "bad", more, -1)) &&
              good(cohort_value_wait(NULL, 0) == COHORT_EINVAL);
    (void)cohort_run(s, refuse, x, z);
    group = cohort_group(s, "step 2", more, 2);
    if (group != NULL) /* the failure may have been told before */
        is_good = is_good && good(cohort_value_wait(group, -1) == COHORT_ENOTSUP) &&
                  good(strstr(cohort_error_text(), "group 'step 2'") != NULL);
    return is_good && good(cohort_wait(s) == COHORT_ENOTSUP) &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        core_everywhere(from_function, "a function gives the component of every replica");
        core_everywhere(from_bad_function, "one that fails is named with the replica");
        core_everywhere(list_as_arguments, "a list stands for its values, one by one");
        core_everywhere(list_as_results, "the results of a list come replica by replica");
        core_everywhere(groups,
                        "a group is done when all its values are, and its label is in errors");
    }
    core_no_leak(warm);
    return tap_done();
}
