/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a thread looks for what another one is about to finish, as waking takes. */
#include "config.h"

#include "runtime/executor/patience.h"

#include "runtime/strategy/strategy.h"
#include "tests/tap.h"

#include <cohort/cohort.h>

#include <time.h>

enum { LEAST_NS = 100000 };

static cohort_patience begin(int64_t least_ns)
{
    cohort_patience patience;
    cohort_patience_init(&patience, least_ns);
    return patience;
}

static int64_t learn(cohort_patience *patience, int times, int64_t woken_ns)
{
    for (int i = 0; i < times; i++)
        cohort_patience_learn(patience, woken_ns);
    return cohort_patience_ns(patience);
}

static void test_limits(void)
{
    cohort_patience never = begin(0), patience = begin(LEAST_NS), long_one = begin(INT64_MAX);
    ok(learn(&never, 100, INT64_MAX) == 0, "with 0 nobody looks, however long waking takes");
    ok(learn(&patience, 100, INT64_MAX) == 10 * LEAST_NS, "ten times the least is the most");
    ok(cohort_patience_ns(&long_one) > 0 && learn(&long_one, 100, INT64_MAX) > 0,
       "nothing overflows");
}

static void test_learning(void)
{
    cohort_patience patience = begin(LEAST_NS);
    ok(cohort_patience_ns(&patience) == LEAST_NS, "it begins with the least");
    ok(learn(&patience, 100, LEAST_NS / 3) == LEAST_NS, "and stays there where waking is short");
    ok(learn(&patience, 1, INT64_MAX) < 6 * LEAST_NS, "one late thread does not make it the most");
    int64_t long_ns = learn(&patience, 100, 3 * LEAST_NS);
    ok(long_ns > 5 * LEAST_NS && long_ns <= 6 * LEAST_NS, "it is twice what waking takes");
    ok(learn(&patience, 10, LEAST_NS / 3) == LEAST_NS,
       "and the least again after a few short ones");
}

COHORT_FUNCTION(nothing, (int32_t replica), COHORT_HOST_ONLY)
{
    (void)replica;
}

/* Steps after naps, until a worker that slept was woken for one. */
static bool learns(cohort_strategy *s)
{
    bool has_learned = false;
    for (int step = 0; !has_learned && step < 5000; step++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
        if (cohort_run(s, nothing, COHORT_REPLICA_ID) < 0 || cohort_wait(s) < 0)
            return false;
        for (int32_t i = 0; i < s->executor->n_lanes; i++)
            has_learned = has_learned || atomic_load(&s->executor->lanes[i]->patience.woken_ns) > 0;
    }
    return has_learned;
}

static void test_lanes(void)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host/2", .replicas = 2 });
    if (s != NULL && (s->executor->n_lanes < 2 || s->executor->lanes[0]->patience.least_ns == 0))
        skip("the lanes learn it from threads that they wake", "fewer cores than threads");
    else
        ok(s != NULL && learns(s), "the lanes learn it from threads that they wake");
    cohort_strategy_destroy(s);
}

/* ---- Fewer cores than threads. */

static cohort_status never_done(cohort_lane *lane, cohort_op *op)
{
    (void)lane, (void)op;
    return COHORT_EINTERNAL;
}

static uint64_t post(cohort_lane *lane, uint32_t flags)
{
    const cohort_op op = COHORT_OP(.run = never_done, .flags = flags);
    cohort_op *record = cohort_lane_reserve(lane, &op, sizeof op, 0);
    uint64_t number = record != NULL ? record->number : 0;
    if (record != NULL)
        cohort_lane_post(lane, record);
    return number;
}

static void test_crowded(void)
{
    cohort_failure failure = { 0 };
    const cohort_looks looks = { .waiter_ns = LEAST_NS, .does_yield = true };
    cohort_lane *lane = cohort_lane_create(&failure, NULL, 0, &looks);
    if (!ok(lane != NULL, "a lane of more threads than cores"))
        return;
    uint64_t here = post(lane, COHORT_OP_HERE);
    ok(here > 0 && cohort_lane_patience_for(lane, here) == LEAST_NS,
       "what its runner does by itself is looked for");
    uint64_t streamed = post(lane, COHORT_OP_STREAM), other = post(lane, 0);
    ok(streamed > here && cohort_lane_patience_for(lane, streamed) == 0 && other > streamed &&
           cohort_lane_patience_for(lane, other) == 0 && cohort_lane_patience_ns(lane) == 0,
       "what a driver may need the core for is not");
    ok(cohort_lane_patience_for(lane, here) == LEAST_NS, "the other one still is");
    cohort_lane_destroy(lane);
}

int main(void)
{
    test_crowded();
    test_limits();
    test_learning();
    test_lanes();
    return tap_done();
}
