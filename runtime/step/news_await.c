/* SPDX-License-Identifier: BSD-3-Clause */
/* News are a counter, which a thread looks at for a while, and a condition, on which it sleeps
 * then. */
#include "config.h"

#include "runtime/run/news.h"

#include "runtime/base/thread.h"
#include "runtime/run/baton.h"

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

/* ------------------------------------------------------------------ looking */

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

/* To sleep would let it run, too, but the system chooses a core anew for every thread that it wakes,
 * and may bring two threads that wake each other in turns together again and again. */
void cohort_news_let_run(const cohort_stage *stage, cohort_stage_lane *lane)
{
    if (shares_core(stage, lane))
        sched_yield();
}

static bool look_for_news(const cohort_stage *stage, cohort_stage_lane *lane, unsigned seen,
                          int64_t until_ns)
{
    for (unsigned round = 1; atomic_load_explicit(&lane->news, memory_order_acquire) == seen;
         round++) {
        cohort_thread_relax();
        if (round % 64 != 0)
            continue;
        if (cohort_clock_ns() >= until_ns)
            return false;
        cohort_news_let_run(stage, lane);
    }
    return true;
}

static cohort_lane *lane_of(const cohort_stage *stage, const cohort_stage_lane *lane)
{
    return cohort_stage_executor(stage)->lanes[lane->index];
}

/* News that come late again and again come from threads that have much to do, or have lost their
 * core, and looking only takes them another one: each time it looks half as long, down to a 32nd.
 * Late are news by when they were told, not by when a sleeper has woken up: a thread that sleeps
 * would else find all others late that wait for it to wake up, they would sleep, and so on. */
static int64_t choose_look(const cohort_stage_lane *lane, int64_t patience_ns)
{
    enum { LEAST = 5, PROBE = 16 };
    uint32_t n =
        lane->n_late % PROBE; /* every 16th time as long as ever: they may have a core now */
    return patience_ns >> (n < LEAST ? n : LEAST);
}

/* A device that does not answer is noticed by whoever waits. */
static void look_at_others(const cohort_stage *stage, const cohort_stage_lane *lane)
{
    cohort_executor *executor = cohort_stage_executor(stage);
    for (int32_t i = 0; i < executor->n_lanes; i++)
        if (i != lane->index)
            (void)cohort_lane_look(executor->lanes[i]);
}

/* Who sleeps says so under the lock, under which the news come. Returns when they were told. */
static int64_t sleep_a_slice(cohort_stage *stage, cohort_stage_lane *lane, int64_t end_ns)
{
    lane->told_ns = INT64_MAX;
    atomic_store_explicit(&lane->is_asleep, true, memory_order_relaxed);
    (void)cohort_condition_wait_until(&lane->changed, &stage->lock, end_ns);
    atomic_store_explicit(&lane->is_asleep, false, memory_order_relaxed);
    int64_t told_ns = lane->told_ns;
    if (told_ns != INT64_MAX)
        cohort_patience_learn(&lane_of(stage, lane)->patience, cohort_clock_ns() - told_ns);
    look_at_others(stage, lane);
    return told_ns;
}

int64_t cohort_news_await(cohort_stage *stage, cohort_stage_lane *lane)
{
    int64_t before = cohort_clock_ns(), told_ns = INT64_MAX;
    unsigned seen = atomic_load_explicit(&lane->news, memory_order_relaxed);
    cohort_baton_unlock(stage);
    int64_t patience_ns = cohort_lane_patience_ns(lane_of(stage, lane));
    int64_t look_ns = choose_look(lane, patience_ns);
    bool are_there = look_ns > 0 && look_for_news(stage, lane, seen, before + look_ns);
    cohort_baton_lock(stage);
    if (!are_there && atomic_load_explicit(&lane->news, memory_order_relaxed) == seen)
        told_ns = sleep_a_slice(stage, lane, before + COHORT_SLICE_NS);
    int64_t now = cohort_clock_ns();
    cohort_thread_say_where(&lane->here);
    bool is_late = (told_ns < now ? told_ns : now) - before > patience_ns;
    lane->n_late = is_late ? lane->n_late + 1 : 0;
    return now - before;
}
