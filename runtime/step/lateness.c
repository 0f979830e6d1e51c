/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/lateness.h"

#include "runtime/base/thread.h"
#include "runtime/step/words.h"

static int64_t limit_of(const cohort_stage *stage)
{
    return cohort_stage_executor(stage)->limits_ns[COHORT_SETTING_TIMEOUT_COLLECTIVE];
}

/* What says so. */
static const char *name_of_limit(const cohort_stage *stage)
{
    return stage->strategy->communication.timeout_seconds > 0
               ? "timeout_seconds"
               : cohort_setting_name(cohort_setting_at(COHORT_SETTING_TIMEOUT_COLLECTIVE));
}

int64_t cohort_lateness_slice(const cohort_replica *me)
{
    enum { LEAST_NS = 1000000 };
    int64_t slice = limit_of(me->stage) / 10;
    if (slice <= 0 || slice > COHORT_SLICE_NS)
        return COHORT_SLICE_NS;
    return slice > LEAST_NS ? slice : LEAST_NS;
}

static void refuse_late(cohort_stage *stage, const cohort_frame *frame)
{
    char call[COHORT_WORDS_BYTES], latest[COHORT_WORDS_BYTES];
    int32_t r = 0;
    while (r < stage->strategy->n_replicas - 1 && frame->parts[r].state == COHORT_PART_WAITS)
        r++;
    cohort_words_fail(
        stage, frame,
        cohort_error_set(COHORT_ETIMEDOUT,
                         "replica %d on %s has not come to %s, where replica %d waits, within %g "
                         "s (%s); it is %s",
                         cohort_words_id(stage, r), cohort_stage_device_id(&stage->replicas[r]),
                         cohort_words_call(&frame->rendezvous, call),
                         cohort_words_id(stage, frame->first), (double)limit_of(stage) * 1e-9,
                         name_of_limit(stage), cohort_words_latest(&frame->parts[r], latest)));
}

/* One is enough, and whoever came first waits as long as any. To wake up by the clock costs each
 * wait of each replica an alarm that is set and taken back. */
bool cohort_lateness_watches(const cohort_replica *me)
{
    const cohort_frame *frame = me->stage->frame;
    return frame != NULL && frame->parts[me->id].state == COHORT_PART_WAITS &&
           frame->first == me->id && limit_of(me->stage) != 0;
}

/* The time begins anew with every replica that comes, for those of one device come one after the
 * other. A stopped or starved process loses nothing. */
void cohort_lateness_look(cohort_replica *me, cohort_lateness *lateness, int64_t slept_ns)
{
    cohort_stage *stage = me->stage;
    const cohort_frame *frame = stage->frame;
    bool is_waiting = frame != NULL && frame->parts[me->id].state == COHORT_PART_WAITS &&
                      frame->concluder == NULL;
    if (!is_waiting || limit_of(stage) == 0 || cohort_stage_has_failed(stage))
        return;
    if (lateness->arrived != frame->arrived)
        *lateness = (cohort_lateness){ .arrived = frame->arrived };
    else
        lateness->waited_ns += cohort_slice_counted(slept_ns);
    if (lateness->waited_ns >= limit_of(stage) && frame->arrived < stage->strategy->n_replicas)
        refuse_late(stage, frame);
}
