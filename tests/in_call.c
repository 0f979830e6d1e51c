/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call does itself, instead of posting it: little, when nothing is under way, up to a limit
 * for each call, with the bits of what lanes do, and nothing where the strategy has failed. */
#include "config.h"

#include "runtime/strategy/strategy.h"
#include "tests/core.h"

#include <stdatomic.h>

enum { COLUMNS = 64, LITTLE = 32, LARGE = 2048, LISTED = 24 };

static float rows[2 * LARGE * COLUMNS];

/* On the lane that the caller does not run. */
COHORT_FUNCTION(wait_for, (int32_t replica, void *flag), COHORT_HOST_ONLY)
{
    while (replica == 1 && !atomic_load((atomic_bool *)flag))
        sched_yield();
}

COHORT_FUNCTION_RETURNING(cohort_status, fail, (int32_t replica), COHORT_HOST_ONLY)
{
    (void)replica;
    return COHORT_ENOTSUP;
}

static cohort_value *split(cohort_strategy *s, int n)
{
    return cohort_value_split(s, COHORT_ARRAY(rows, 2 * n, COLUMNS));
}

static bool sum(cohort_value *x, cohort_value *into)
{
    return cohort_reduce(COHORT_SUM, x, 0, into) == COHORT_OK;
}

/* Operations that the call posts. */
static int64_t count_posted(cohort_strategy *s, cohort_value *x, cohort_value *into)
{
    uint64_t before = s->executor->n_posted;
    bool is_good = sum(x, into);
    uint64_t posted = s->executor->n_posted - before;
    return good(is_good) && good(cohort_wait(s) == COHORT_OK) ? (int64_t)posted : -1;
}

/* The first call of a value makes memory, which is posted. */
static int64_t count_posted_again(cohort_strategy *s, cohort_value *x, cohort_value *into)
{
    return count_posted(s, x, into) < 0 ? -1 : count_posted(s, x, into);
}

static void test_sizes(cohort_strategy *s)
{
    cohort_value *little = split(s, LITTLE), *large = split(s, LARGE),
                 *into = cohort_value_create(s);
    ok(count_posted_again(s, little, into) == 0, "a little sum along an axis posts nothing");
    ok(count_posted_again(s, large, into) > 0, "a large one is the lanes'");
}

/* Each of its sums alone would be done in the call. */
static void test_list(cohort_strategy *s)
{
    cohort_value *x[LISTED], *into[LISTED];
    uint64_t before = 0;
    for (int i = 0; i < LISTED; i++) {
        x[i] = split(s, LITTLE);
        into[i] = cohort_value_create(s);
    }
    bool is_good = true;
    for (int i = 0; i < 2 && is_good; i++) {
        before = s->executor->n_posted;
        is_good = cohort_reduce_list(COHORT_SUM, x, LISTED, 0, into) == COHORT_OK;
        before = s->executor->n_posted - before;
        is_good = is_good && cohort_wait(s) == COHORT_OK;
    }
    ok(is_good && before > 0 && before < 3 * LISTED,
       "of a list a part is done in the call, and the rest posted");
}

static bool is_as_by_hand(cohort_value *result)
{
    float found[COLUMNS];
    bool is_same = good(cohort_value_read(result, COHORT_ARRAY(found, COLUMNS)) == COHORT_OK);
    for (int c = 0; c < COLUMNS && is_same; c++) {
        float halves[2];
        for (int h = 0; h < 2; h++) {
            halves[h] = rows[h * LITTLE * COLUMNS + c];
            for (int r = 1; r < LITTLE; r++)
                halves[h] += rows[(h * LITTLE + r) * COLUMNS + c];
        }
        is_same = good(found[c] == halves[0] + halves[1]);
    }
    return is_same;
}

/* Where there is one core, the caller runs the lane of both replicas, and would wait for itself. */
static void test_bits(cohort_strategy *s)
{
    const char *what = "behind a body that runs even a little sum is posted";
    if (s->executor->n_lanes < 2) {
        skip(what, "one core");
        return;
    }
    cohort_value *x = split(s, LITTLE), *here = cohort_value_create(s),
                 *there = cohort_value_create(s);
    static atomic_bool may_end;
    bool is_good = count_posted_again(s, x, here) == 0 && count_posted_again(s, x, there) == 0;
    atomic_store(&may_end, false);
    is_good = is_good &&
              cohort_run(s, wait_for, COHORT_REPLICA_ID, COHORT_POINTER(&may_end)) == COHORT_OK;
    uint64_t before = s->executor->n_posted;
    is_good = is_good && sum(x, there);
    bool is_posted = s->executor->n_posted > before;
    atomic_store(&may_end, true);
    ok(is_good && is_posted && cohort_wait(s) == COHORT_OK, "%s", what);
    ok(is_as_by_hand(here) && is_as_by_hand(there), "both have the bits of a loop by hand");
}

COHORT_FUNCTION(copy, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

static cohort_status sum_in_step(cohort_replica *me, void *user)
{
    cohort_value *const *v = user;
    return cohort_all_reduce_into(me, COHORT_SUM, v[0], v[1]);
}

static int64_t posted_by(cohort_strategy *s, cohort_value *x, cohort_value *into)
{
    uint64_t before = s->executor->n_posted;
    return sum(x, into) ? (int64_t)(s->executor->n_posted - before) : -1;
}

/* Whether something is under way is not asked of other lanes that have just got something, but
 * known of what was waited for, by whomever. */
static void test_waited(cohort_strategy *s)
{
    float one[2] = { 1, 2 }, found[1];
    cohort_value *x = split(s, LITTLE), *into = cohort_value_create(s), *y = cohort_value_create(s),
                 *total = cohort_value_create(s),
                 *v[] = { cohort_value_split(s, COHORT_ARRAY(one, 2)), cohort_value_create(s) };
    bool is_good = count_posted_again(s, x, into) == 0;
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(cohort_run(s, copy, v[0], y) == COHORT_OK) &&
                  good(cohort_wait(s) == COHORT_OK) && good(posted_by(s, x, into) == 0) &&
                  good(cohort_for_each_replica(s, sum_in_step, v) == COHORT_OK) &&
                  good(posted_by(s, x, into) == 0);
    ok(is_good, "what was waited for is not under way, nor is what a step has waited for");
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(cohort_run(s, copy, v[0], y) == COHORT_OK) &&
                  good(cohort_reduce(COHORT_SUM, y, COHORT_NO_AXIS, total) == COHORT_OK) &&
                  good(cohort_value_read(total, COHORT_ARRAY(found, 1)) == COHORT_OK) &&
                  good(posted_by(s, x, into) == 0);
    ok(is_good, "nor what a sum has waited for that was read");
}

static void test_failure(cohort_strategy *s)
{
    cohort_value *x = split(s, LITTLE), *into = cohort_value_create(s);
    float found[COLUMNS];
    bool is_good = count_posted_again(s, x, into) == 0;
    (void)cohort_run(s, fail, COHORT_REPLICA_ID);
    ok(is_good && cohort_wait(s) == COHORT_ENOTSUP, "a body fails");
    ok(cohort_reduce(COHORT_SUM, x, 0, into) < 0 ||
           cohort_value_read(into, COHORT_ARRAY(found, COLUMNS)) < 0,
       "nothing is done for a strategy that has failed");
    ok(cohort_strategy_recover(s) == COHORT_OK && count_posted_again(s, x, into) == 0 &&
           is_as_by_hand(into),
       "and after it has recovered as before");
}

int main(void)
{
    for (int i = 0; i < 2 * LARGE * COLUMNS; i++)
        rows[i] = (float)(i % 23) / 8;
    core_live warm = { 0 };
    (void)core_warm();
    for (int pass = 0; pass < 2; pass++) {
        warm = core_live_now();
        cohort_strategy *s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = "host/2", .replicas = 2 });
        if (!ok(s != NULL, "a strategy of two"))
            return tap_done();
        test_sizes(s);
        test_list(s);
        test_bits(s);
        test_waited(s);
        test_failure(s);
        cohort_strategy_destroy(s);
    }
    core_no_leak(warm);
    return tap_done();
}
