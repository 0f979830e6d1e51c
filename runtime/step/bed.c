/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/bed.h"

#include "runtime/base/assert.h"
#include "runtime/base/futex.h"
#include "runtime/base/thread.h"
#include "runtime/step/player.h"

/* Who sleeps reads it without the lock of the stage. */
static bool is_called(cohort_replica *replica)
{
    return atomic_load_explicit(&replica->is_called, memory_order_acquire);
}

void cohort_bed_call(cohort_replica *replica)
{
    cohort_assert_held(&replica->stage->lock);
    if (is_called(replica))
        return;
    atomic_store_explicit(&replica->is_called, true, memory_order_release);
    replica->lane->n_called++;
}

void cohort_bed_come(cohort_replica *me)
{
    cohort_assert_held(&me->stage->lock);
    if (!is_called(me))
        return;
    atomic_store_explicit(&me->is_called, false, memory_order_release);
    me->lane->n_called--;
}

void cohort_bed_wake(cohort_call_out called)
{
    if (called.lane != NULL)
        cohort_futex_wake(&called.lane->calls);
    if (called.one != NULL)
        cohort_futex_wake(&called.one->calls);
}

/* Who is called after the word was read, does not sleep any more, for the word has changed. */
static void sleep_until(cohort_replica *me, atomic_uint *calls, int64_t end_ns)
{
    for (unsigned seen = atomic_load(calls);
         !is_called(me) && (end_ns == INT64_MAX || cohort_clock_ns() < end_ns);
         seen = atomic_load(calls))
        cohort_futex_wait(calls, seen, end_ns);
}

void cohort_bed_sleep(cohort_replica *me, cohort_call_out called, int64_t end_ns, bool is_patient)
{
    cohort_stage *stage = me->stage;
    cohort_stage_lane *lane = me->lane;
    me->is_together = is_patient && lane->has_one_core && me != lane->replicas[0];
    atomic_uint *calls = me->is_together ? &lane->calls : &me->calls;
    cohort_player_unlock(stage);
    cohort_bed_wake(called);
    sleep_until(me, calls, end_ns);
    cohort_player_lock(stage);
    me->is_together = false;
    cohort_bed_come(me);
    if (lane->turn == NULL)
        lane->turn = me;
}
