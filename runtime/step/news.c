/* SPDX-License-Identifier: BSD-3-Clause */
/* News are a counter, which a thread looks at for a while, and a condition, on which it sleeps
 * then (news_await.c). */
#include "config.h"

#include "runtime/step/news.h"

#include "runtime/base/assert.h"
#include "runtime/base/thread.h"

#include <sched.h>

/* ------------------------------------------------------------------ telling */

/* Without the lock, which whoever wakes up needs: it would wake up to wait for that. */
void cohort_news_ring(cohort_stage *stage)
{
    for (int32_t i = 0; i < cohort_stage_executor(stage)->n_lanes; i++)
        if (atomic_load_explicit(&stage->lanes[i].is_asleep, memory_order_relaxed))
            pthread_cond_broadcast(&stage->lanes[i].changed);
}

/* For whoever has the baton of the lane; the others sleep until they are called. Only who holds the
 * lock writes the counter. */
void cohort_news_tell(cohort_stage *stage, cohort_stage_lane *lane)
{
    unsigned news = atomic_load_explicit(&lane->news, memory_order_relaxed);
    atomic_store_explicit(&lane->news, news + 1, memory_order_release);
    if (atomic_load_explicit(&lane->is_asleep, memory_order_relaxed)) {
        stage->must_ring = true;
        if (lane->told_ns == INT64_MAX) /* who is told again has not run since */
            lane->told_ns = cohort_clock_ns();
    }
}

/* All lanes, for nobody knows which replica waits for what has happened. */
void cohort_news_wake(cohort_stage *stage)
{
    cohort_assert_held(&stage->lock);
    for (int32_t i = 0; i < cohort_stage_executor(stage)->n_lanes; i++)
        cohort_news_tell(stage, &stage->lanes[i]);
}

void cohort_news_wake_busy(cohort_stage *stage)
{
    const cohort_executor *executor = cohort_stage_executor(stage);
    cohort_assert_held(&stage->lock);
    for (int32_t i = 0; i < executor->n_lanes; i++) {
        const cohort_lane *ring = executor->lanes[executor->n_lanes + i];
        if (!cohort_lane_is_done(ring, atomic_load(&ring->posted)))
            cohort_news_tell(stage, &stage->lanes[i]);
    }
}

void cohort_news_raise(cohort_stage *stage, cohort_status status)
{
    cohort_failure_refuse(&cohort_stage_executor(stage)->failure, status);
    cohort_news_wake(stage);
}

void cohort_news_stop(cohort_stage *stage, cohort_status status)
{
    cohort_failure *failure = &cohort_stage_executor(stage)->failure;
    cohort_failure_raise_own(failure, status);
    cohort_news_wake(stage);
}

/* ------------------------------------------------------------------ who shares a core */

static bool shares_core(const cohort_stage *stage, cohort_stage_lane *lane)
{
    bool shares = false;
    cohort_thread_say_where(&lane->here);
    int cpu = atomic_load_explicit(&lane->here, memory_order_relaxed);
    for (int32_t i = 0; i < cohort_stage_executor(stage)->n_lanes && !shares; i++)
        shares = i != lane->index &&
                 atomic_load_explicit(&stage->lanes[i].here, memory_order_relaxed) == cpu;
    return shares;
}

/* To sleep would let it run, too, but the system chooses a core anew for every thread that it
 * wakes, and may bring two threads that wake each other in turns together again and again. */
void cohort_news_let_run(const cohort_stage *stage, cohort_stage_lane *lane)
{
    if (shares_core(stage, lane))
        sched_yield();
}
