/* SPDX-License-Identifier: BSD-3-Clause */
/* Trace: what the replicas of a step call while a program is recorded.
 *
 * Such a step is played as any other one, but its replicas plan nothing: they meet in each of their
 * calls, also in those that a replica makes for itself elsewhere. The rendezvous finds that all
 * make the same one, and it becomes a recorded call, whose run plans what the rendezvous would have
 * planned, in cross-replica context. So replays need no replica. */
#ifndef COHORT_STEP_TRACE_H
#define COHORT_STEP_TRACE_H

#include "runtime/step/stage.h"
#include "runtime/strategy/recorder.h"

/* How a rendezvous is recorded. Its plan honours strategy->is_trial. */
struct cohort_traced {
    /* Replace what the replicas have brought by copies that last, check what can be known, and name
     * what it uses; as cohort_recordable.keep. Its values are kept already. NULL: it has nothing
     * else. */
    cohort_status (*keep)(cohort_recorder *recorder, cohort_rendezvous *rendezvous, void *all[]);

    /* The end of what was kept; NULL: nothing has to be undone. */
    void (*leave)(cohort_strategy *strategy, void *const all[]);

    /* Which recorded call it becomes, by recorder->add or cohort_trace_add; NULL: the latter. */
    cohort_status (*record)(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                            void *const all[]);
};

/* Is the step traced in which this replica is? */
static inline bool cohort_trace_is_on(const cohort_replica *me)
{
    return cohort_recorder_of(cohort_stage_strategy(me)) != NULL;
}

/* Record a call in which all replicas have met, by its concluder. COHORT_EINVAL: it cannot be. */
cohort_status cohort_trace_record(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                                  void *const all[]);

/* The call itself, as one of all replicas. */
cohort_status cohort_trace_add(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                               void *const all[]);

/* For keep: what each replica has brought is replaced by a copy of so many bytes, of which `one`
 * keeps what it borrows; NULL: nothing. */
cohort_status cohort_trace_keep_each(cohort_recorder *recorder, const char *call, void *all[],
                                     size_t bytes,
                                     cohort_status (*one)(cohort_recorder *recorder,
                                                          const char *call, void *mine));

/* The same where the rendezvous is about a variable (what), which is used, too. */
cohort_status cohort_trace_keep_variable_and_each(
    cohort_recorder *recorder, const cohort_rendezvous *rendezvous, void *all[], size_t bytes,
    cohort_status (*one)(cohort_recorder *recorder, const char *call, void *mine));

/* For keep: all replicas have brought the same, so that the plan looks at what replica 0 has: it is
 * replaced by a copy of so many bytes, which is returned. NULL: out of memory. */
void *cohort_trace_keep_first(cohort_recorder *recorder, void *all[], size_t bytes);

/* For plan: what each replica does for itself elsewhere, one after the other. An error names the
 * replica. */
cohort_status cohort_trace_do_each(cohort_strategy *strategy, const cohort_rendezvous *rendezvous,
                                   void *const all[],
                                   cohort_status (*one)(const cohort_rendezvous *rendezvous,
                                                        const void *mine, int32_t replica));

#endif
