/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/player.h"

#include "runtime/base/thread.h"
#include "runtime/step/news.h"

/* A thread plays one replica, but steps and merge functions nest on it: become() gives back what
 * the thread was, for the way back. */
static _Thread_local cohort_player player;

cohort_player cohort_player_become(cohort_player next)
{
    cohort_player before = player;
    player = next;
    before.inside = cohort_scope_swap(next.inside);
    return before;
}

cohort_replica *cohort_player_me(void)
{
    return player.me;
}

cohort_replica *cohort_stage_current(void)
{
    return player.current;
}

/* The holder of the lock, if it is another lane of this core. */
static void let_holder_run(const cohort_stage *stage)
{
    if (player.me != NULL && player.me->stage == stage)
        cohort_news_let_run(stage, player.me->lane);
}

/* Who finds the lock taken looks as long as it would for news, and then sleeps: its holder may have
 * lost its core. */
static void take_soon(cohort_stage *stage)
{
    int64_t look_ns = cohort_lane_patience_ns(cohort_stage_executor(stage)->lanes[0]);
    int64_t give_up = look_ns > 0 ? cohort_clock_ns() + look_ns : 0;
    for (unsigned round = 1; look_ns > 0; round++) {
        cohort_thread_relax();
        if (round % 4 == 0 && pthread_mutex_trylock(&stage->lock) == 0)
            return;
        if (round % 64 == 0)
            let_holder_run(stage);
        if (round % 64 == 0 && cohort_clock_ns() >= give_up)
            look_ns = 0;
    }
    pthread_mutex_lock(&stage->lock);
}

/* has_lock is noted for who waits for the planner (baton.c): the executor calls these in the middle
 * of a plan, which holds the lock in a collective and does not hold it in a merge function. */
void cohort_player_lock(cohort_stage *stage)
{
    if (pthread_mutex_trylock(&stage->lock) != 0)
        take_soon(stage);
    player.has_lock = true;
}

void cohort_player_unlock(cohort_stage *stage)
{
    bool must_ring = stage->must_ring;
    stage->must_ring = false;
    player.has_lock = false;
    pthread_mutex_unlock(&stage->lock);
    if (must_ring)
        cohort_news_ring(stage);
}

bool cohort_player_has_lock(void)
{
    return player.has_lock;
}
