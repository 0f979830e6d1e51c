/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/news_await.h"

#include "runtime/base/thread.h"
#include "runtime/step/news.h"
#include "runtime/step/player.h"

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
    cohort_player_unlock(stage);
    int64_t patience_ns = cohort_lane_patience_ns(lane_of(stage, lane));
    int64_t look_ns = choose_look(lane, patience_ns);
    bool are_there = look_ns > 0 && look_for_news(stage, lane, seen, before + look_ns);
    cohort_player_lock(stage);
    if (!are_there && atomic_load_explicit(&lane->news, memory_order_relaxed) == seen)
        told_ns = sleep_a_slice(stage, lane, before + COHORT_SLICE_NS);
    int64_t now = cohort_clock_ns();
    cohort_thread_say_where(&lane->here);
    bool is_late = (told_ns < now ? told_ns : now) - before > patience_ns;
    lane->n_late = is_late ? lane->n_late + 1 : 0;
    return now - before;
}
