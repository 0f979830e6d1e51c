/* SPDX-License-Identifier: BSD-3-Clause */
/* How many operations a list of reductions is: none when nothing is under way, else one for all
 * small values; more where there is work for several lanes. */
#include "config.h"

#include "runtime/strategy/strategy.h"
#include "tests/tap.h"

#include <cohort/cohort.h>

#include <sched.h>
#include <stdatomic.h>

enum { LISTED = 100, N = 100, LARGE = 5000, REPLICAS = 2 };

/* The replica whose x is 1 is under way until the gate opens. */
static atomic_bool is_open;

COHORT_FUNCTION(held, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    while (n > 0 && x[0] == 1 && !atomic_load(&is_open))
        (void)sched_yield();
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

static float rows[REPLICAS * LARGE];

/* Operations that were posted, ever. */
static uint64_t count_posted(const cohort_strategy *s)
{
    uint64_t n = 0;
    for (int32_t i = 0; i < cohort_executor_rings(s->executor); i++)
        n += s->executor->lanes[i]->next_number;
    return n;
}

typedef struct list {
    cohort_value *x[LISTED], *into[LISTED];
} list;

static void make(list *l, cohort_strategy *s, int64_t n)
{
    const cohort_array parts[REPLICAS] = { COHORT_ARRAY(rows, n), COHORT_ARRAY(rows + n, n) };
    for (int i = 0; i < LISTED; i++)
        l->x[i] = cohort_value_per_replica(s, parts), l->into[i] = cohort_value_create(s);
}

/* Of a second list: the first has brought the values to their devices. */
static uint64_t count_of_list(const list *l, cohort_strategy *s)
{
    (void)cohort_reduce_list(COHORT_SUM, l->x, LISTED, COHORT_NO_AXIS, l->into);
    (void)cohort_wait(s);
    uint64_t before = count_posted(s);
    (void)cohort_reduce_list(COHORT_SUM, l->x, LISTED, COHORT_NO_AXIS, l->into);
    return count_posted(s) - before;
}

/* The caller does its own part of the step in the call, and the worker the other one. */
static uint64_t count_behind_a_step(const list *l, cohort_strategy *s)
{
    static const float parts[REPLICAS] = { 0, 1 };
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(parts, REPLICAS)),
                 *y = cohort_value_create(s);
    (void)cohort_run(s, held, x, y);
    uint64_t before = count_posted(s);
    (void)cohort_reduce_list(COHORT_SUM, l->x, LISTED, COHORT_NO_AXIS, l->into);
    uint64_t n = count_posted(s) - before;
    atomic_store(&is_open, true);
    (void)cohort_wait(s);
    return n;
}

int main(void)
{
    list small, large;
    cohort_strategy *s = cohort_mirrored("host/2");
    if (!ok(s != NULL, "a strategy of two replicas"))
        return tap_done();
    make(&small, s, N);
    make(&large, s, LARGE);
    uint64_t n = count_of_list(&small, s);
    ok(n == 0, "a list of %d small values is done in the call itself", LISTED);
    if (s->executor->n_lanes < 2)
        skip("behind a step it is one operation", "on one core the caller runs the whole step");
    else
        ok(count_behind_a_step(&small, s) == 1, "behind a step it is one operation");
    n = count_of_list(&large, s);
    ok(n > 1 && n <= LISTED / 2,
       "large ones share operations, of which there are some for each lane");
    ok(cohort_wait(s) == COHORT_OK, "all of it was done");
    cohort_strategy_destroy(s);
    return tap_done();
}
