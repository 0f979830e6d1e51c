/* SPDX-License-Identifier: BSD-3-Clause */
/* What a replica asks of its own stage. */
#include "config.h"

#include "runtime/step/stage.h"

#include "runtime/base/assert.h"
#include "runtime/step/baton.h"
#include "runtime/step/news.h"
#include "runtime/step/player.h"
#include "runtime/strategy/call.h"

const char *cohort_stage_device_id(const cohort_replica *me)
{
    const cohort_strategy *s = cohort_stage_strategy(me);
    return cohort_strategy_context(s, s->host[me->id])->device->id;
}

cohort_status cohort_stage_check(const cohort_replica *me, const char *call)
{
    if (me == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: the replica is NULL", call);
    if (cohort_stage_current() != me)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the replica is valid in its step function alone, on its thread",
            call);
    return cohort_failure_tell(&cohort_stage_executor(me->stage)->failure);
}

cohort_status cohort_stage_end(const cohort_replica *me, cohort_strategy *first,
                               cohort_status status)
{
    return me != NULL ? cohort_call_end(cohort_stage_strategy(me), status)
                      : cohort_call_refuse(first, "a call of replica context", status);
}

/* A replica that is stuck in a lost device does not go on planning, and so keeps nobody else from
 * it. */
static bool is_planning(const cohort_replica *replica)
{
    return replica != NULL &&
           !cohort_lane_is_lost(cohort_stage_executor(replica->stage)->lanes[replica->lane->index]);
}

/* The lock alone keeps nobody out: a plan that is longer than a ring gives it up while it makes
 * room. `planner` does, until unlock. */
void cohort_stage_lock(cohort_replica *me)
{
    cohort_player_lock(me->stage);
    me->stage->n_queued++;
    while (is_planning(me->stage->planner))
        cohort_baton_attend(me->stage, me->lane);
    me->stage->n_queued--;
    me->stage->planner = me;
}

cohort_status cohort_stage_unlock(cohort_replica *me)
{
    cohort_stage *stage = me->stage;
    cohort_assert(stage->planner == me);
    stage->planner = NULL;
    if (stage->n_queued > 0)
        cohort_news_wake(stage);
    else
        cohort_news_wake_busy(stage);
    (void)cohort_baton_serve(stage, me->lane);
    cohort_player_unlock(stage);
    return cohort_failure_tell(&cohort_stage_executor(stage)->failure);
}
