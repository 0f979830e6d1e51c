/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of communication in one process: what is refused, what stays, and how long replicas wait.
 * Over workers: tests/cluster_options.c; what is packed: tests/reduce_to.c. */
#include "config.h"

#include "tests/core.h"

#include <math.h>
#include <unistd.h>

enum { N = 1000, VALUES = 12 };

static cohort_status set(cohort_strategy *s, int64_t bytes, double seconds, const char *name)
{
    return cohort_strategy_set_communication(
        s, &(cohort_communication_options){
               .bytes_per_pack = bytes, .timeout_seconds = seconds, .implementation = name });
}

static bool has(const cohort_strategy *s, int64_t bytes, double seconds, const char *name)
{
    cohort_communication_options o = cohort_strategy_communication(s);
    return good(o.bytes_per_pack == bytes) && good(o.timeout_seconds == seconds) &&
           good(strcmp(o.implementation, name) == 0);
}

/* ---- What is refused changes nothing. */

static cohort_status set_in_step(cohort_replica *me, void *s)
{
    (void)me;
    return set(s, 1, 1, NULL);
}

static cohort_status set_in_merge(cohort_strategy *s, void *const user[], int n)
{
    (void)user, (void)n;
    return set(s, 1, 1, NULL);
}

static cohort_status merge_to_set(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, set_in_merge, user);
}

static cohort_status set_in_recording(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch, (void)user;
    return set(s, 1, 1, NULL);
}

static bool refuses(cohort_strategy *s, int replicas)
{
    cohort_communication_options reserved = { .reserved = { [3] = &reserved } };
    (void)replicas;
    return good(set(s, 77, 2.5, "slices") == COHORT_OK) &&
           refused_for(s, "packs of -1 bytes", set(s, -1, 0, NULL)) &&
           refused_for(s, "a timeout of -1 seconds", set(s, 0, -1, NULL)) &&
           refused_for(s, "a timeout of nan seconds", set(s, 0, (double)NAN, NULL)) &&
           refused_for(s, "a timeout of -inf seconds", set(s, 0, -(double)INFINITY, NULL)) &&
           refused_for(s, "a timeout of 1e+10 seconds", set(s, 0, 1e10, NULL)) &&
           refused_for(s, "no implementation 'ring'; \"auto\"", set(s, 0, 0, "ring")) &&
           refused_for(s, "no implementation ''", set(s, 0, 0, "")) &&
           refused_for(s, "reserved word 3", cohort_strategy_set_communication(s, &reserved)) &&
           refused_for(s, "inside a step function", cohort_for_each_replica(s, set_in_step, s)) &&
           refused_for(s, "function of a merge call",
                       cohort_for_each_replica(s, merge_to_set, s)) &&
           refused_null_for(s, "cohort_strategy_set_communication",
                            cohort_program_record(s, set_in_recording, NULL, NULL, 0)) &&
           has(s, 77, 2.5, "slices") &&
           good(cohort_strategy_set_communication(s, NULL) == COHORT_OK) && has(s, 0, 0, "auto");
}

static void test_without_strategy(void)
{
    cohort_communication_options o = cohort_strategy_communication(NULL);
    ok(set(NULL, 0, 0, NULL) == COHORT_EINVAL && says("NULL") && o.bytes_per_pack == 0 &&
           o.timeout_seconds == 0 && o.implementation == NULL,
       "without a strategy there is nothing to set");
}

/* ---- Options stay, and are given back. */

static bool stays(cohort_strategy *s, int replicas)
{
    char name[] = "whole";
    (void)replicas;
    bool is_good = has(s, 0, 0, "auto") && good(set(s, INT64_MAX, 1e9, name) == COHORT_OK);
    memset(name, 'x', sizeof name - 1);
    cohort_communication_options usual = cohort_strategy_communication(s);
    return is_good && has(s, INT64_MAX, 1e9, "whole") &&
           good(set(s, 1, (double)INFINITY, "auto") == COHORT_OK) &&
           has(s, 1, (double)INFINITY, "auto") &&
           good(cohort_strategy_set_communication(s, &usual) == COHORT_OK) &&
           has(s, INT64_MAX, 1e9, "whole");
}

/* ---- No bit depends on them. */

typedef struct lists {
    cohort_value *values[VALUES], *into[VALUES], *there[VALUES];
    float wanted[VALUES][N];
} lists;

static int64_t items_of(int i)
{
    return 1 + i * 83;
}

static void make_lists(cohort_strategy *s, int replicas, lists *l)
{
    static float data[CORE_MAX_REPLICAS][N];
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        for (int i = 0; i < N; i++)
            data[r][i] = 1 / (float)(1 + r + i);
    for (int i = 0; i < VALUES; i++) {
        for (int r = 0; r < replicas; r++)
            parts[r] = COHORT_ARRAY(data[r], items_of(i));
        l->values[i] = cohort_value_per_replica(s, parts);
        l->into[i] = cohort_value_create(s);
        l->there[i] = cohort_value_create(s);
    }
}

static cohort_status reduce_all(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    lists *l = user;
    cohort_argument at[VALUES];
    (void)s, (void)batch;
    for (int i = 0; i < VALUES; i++)
        at[i] = COHORT_AT(l->values[0]);
    cohort_status status =
        cohort_reduce_list(COHORT_MEAN, l->values, VALUES, COHORT_NO_AXIS, l->into);
    return status < 0 ? status
                      : cohort_batch_reduce_to(COHORT_MEAN, VALUES, l->values, at, l->there);
}

static bool is_same(const lists *l)
{
    float found[N];
    bool is_good = true;
    for (int i = 0; i < VALUES && is_good; i++) {
        size_t bytes = (size_t)items_of(i) * sizeof *found;
        is_good =
            good(cohort_value_read(l->into[i], COHORT_ARRAY(found, items_of(i))) == COHORT_OK) &&
            good(memcmp(l->wanted[i], found, bytes) == 0) &&
            good(cohort_value_read(l->there[i], COHORT_ARRAY(found, items_of(i))) == COHORT_OK) &&
            good(memcmp(l->wanted[i], found, bytes) == 0);
    }
    return is_good;
}

/* Also of a step that is repeated by then. */
static bool has_the_same_bits(cohort_strategy *s, int replicas)
{
    static const int64_t packs[] = { 0, 1, 700, 5000, 0 };
    static const char *const ways[] = { "whole", "slices", "hierarchical" };
    static lists l;
    make_lists(s, replicas, &l);
    cohort_program *p = cohort_program_record(s, reduce_all, &l, NULL, 0);
    bool is_good = good(p != NULL) && good(reduce_all(s, NULL, &l) == COHORT_OK);
    for (int i = 0; i < VALUES && is_good; i++)
        is_good =
            good(cohort_value_read(l.into[i], COHORT_ARRAY(l.wanted[i], items_of(i))) == COHORT_OK);
    for (int k = 0; k < 5 && is_good; k++)
        is_good = good(set(s, packs[k], k, ways[k % 3]) == COHORT_OK) &&
                  good(reduce_all(s, NULL, &l) == COHORT_OK) && is_same(&l) &&
                  good(cohort_program_run(p, NULL, 7) == COHORT_OK) && is_same(&l);
    return is_good && good(cohort_strategy_status(s) == COHORT_OK);
}

/* ---- How long replicas wait. */

static cohort_status come_late(cohort_replica *me, void *late)
{
    cohort_strategy *s = cohort_replica_strategy(me);
    while (cohort_replica_id(me) == *(int *)late && cohort_strategy_status(s) == COHORT_OK)
        (void)usleep(1000);
    return cohort_barrier(me);
}

static cohort_status come(cohort_replica *me, void *user)
{
    (void)user;
    return cohort_barrier(me);
}

/* The last of them works until it hears that the others wait no longer. It would hold up those of
 * its device, so that each has one of its own. */
static bool waits_as_set(const char *devices)
{
    int late = 3;
    cohort_strategy *s = cohort_mirrored(devices);
    bool is_good = good(s != NULL) && good(set(s, 0, 1, NULL) == COHORT_OK) &&
                   good(cohort_for_each_replica(s, come_late, &late) == COHORT_ETIMEDOUT) &&
                   says("replica 3 on ") && says("within 1 s (timeout_seconds)") &&
                   good(cohort_strategy_recover(s) == COHORT_OK) && has(s, 0, 1, "auto") &&
                   good(set(s, 0, (double)INFINITY, NULL) == COHORT_OK) &&
                   good(cohort_for_each_replica(s, come, NULL) == COHORT_OK) &&
                   good(set(s, 0, 0, NULL) == COHORT_OK) &&
                   good(cohort_for_each_replica(s, come, NULL) == COHORT_OK);
    cohort_strategy_destroy(s);
    return is_good;
}

static void test_waiting(void)
{
    ok(waits_as_set("host/4") && waits_as_set("loopback/3,host"),
       "replicas wait for one that is late as long as was set");
}

int main(void)
{
    (void)core_warm();
    core_live warm = core_live_now();
    test_without_strategy();
    core_everywhere(refuses, "what is wrong is refused, and changes nothing");
    core_everywhere(stays, "options stay as they were set last");
    core_everywhere(has_the_same_bits, "sums have the same bits whatever is set");
    test_waiting();
    core_no_leak(warm);
    return tap_done();
}
