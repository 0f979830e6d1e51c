/* SPDX-License-Identifier: BSD-3-Clause */
/* A public call of a strategy, from its first check to its status: where the rule for errors of
 * cohort/strategy.h stands.
 *
 *     cohort_status status = cohort_call_enter(strategy, "cohort_run");
 *     if (status < 0)
 *         return status;
 *     return cohort_call_advance(strategy, run(...));
 */
#ifndef COHORT_STRATEGY_CALL_H
#define COHORT_STRATEGY_CALL_H

#include "runtime/strategy/recorder.h"
#include "runtime/strategy/scope.h"
#include "runtime/strategy/strategy.h"

/* A call that changes something or hands out content stands between `enter` and one of the two
 * below. Refused: a NULL strategy, a forked process, a second thread, a call inside a step function
 * of the strategy or in the scope of another one; and what comes while an error is up, which is the
 * answer then. After a refusal the call is over: do not leave.
 */
cohort_status cohort_call_enter(cohort_strategy *strategy, const char *call);

/* The same of a call that neither hands content to the program nor takes any from it, and must not
 * wait for all calls before: a transaction (transaction.h) goes on. */
cohort_status cohort_call_enter_within(cohort_strategy *strategy, const char *call);

/* For calls that work also while an error is up, and in any scope: destroying, recovering. */
cohort_status cohort_call_enter_broken(cohort_strategy *strategy, const char *call);

/* The same, and let in while this thread records a program: for calls that make something which
 * the recorded calls may use, and change nothing. */
cohort_status cohort_call_enter_recording(cohort_strategy *strategy, const char *call);

/* The whole of a call that can be recorded: enters, runs and advances, or is recorded where this
 * thread records a program of the strategy. */
cohort_status cohort_call_make(cohort_strategy *strategy, const char *call,
                               const cohort_recordable *recordable, const void *request);

/* A call as a part of one that was entered, which advances: made, or, where a transaction is under
 * way, noted and made. */
cohort_status cohort_call_make_part(cohort_strategy *strategy, const char *call,
                                    const cohort_recordable *recordable, const void *request);

/* A part of a call that was entered, and is no call of its own, has failed. True: a device was
 * lost, and the strategy goes on without it. */
bool cohort_call_has_survived(cohort_strategy *strategy);

/* Such a part has this status, and is to be done once more. */
static inline bool cohort_call_may_repeat(cohort_strategy *strategy, cohort_status status)
{
    return status < 0 && cohort_call_has_survived(strategy);
}

/* The end of a call that was entered. Returns status; an error becomes that of the strategy. */
cohort_status cohort_call_leave(cohort_strategy *strategy, cohort_status status);

/* The same after doing what the caller's lane has ready; COHORT_OK becomes the error of an
 * operation of this very call that has failed by then. */
cohort_status cohort_call_advance(cohort_strategy *strategy, cohort_status status);

/* The same of a call that costs nothing to make again, or that a transaction has noted: where such
 * an operation has failed since a device is lost, and calls survive that, it is COHORT_OK. */
cohort_status cohort_call_conclude(cohort_strategy *strategy, cohort_status status);

/* The end of a call that was not entered. strategy: that of the call, NULL: it has none. Returns
 * status; an error becomes that of the function of the program that made the call, if one runs,
 * else of the strategy. */
cohort_status cohort_call_end(cohort_strategy *strategy, cohort_status status);

/* The whole of a call whose arguments are wrong before its strategy is sure: it answers the error
 * that is up, else this one, whose text is in the slot. strategy: that of the first object that it
 * got, NULL: it got none. */
cohort_status cohort_call_refuse(cohort_strategy *strategy, const char *call, cohort_status status);

/* Whether the object that the call is about is there. Else the call is over: its error is that of
 * the strategy which the object was made from, while that is there; of a NULL that of `other`,
 * which may be NULL too.
 *
 * what  for people: "the value" */
cohort_status cohort_call_about(const void *object, cohort_handle_kind kind, const char *call,
                                const char *what, cohort_strategy *other);

/* Whether an object may be destroyed: it is there. Else cohort_call_about has told, and the log
 * where no strategy can be told. */
bool cohort_call_may_destroy(const void *object, cohort_handle_kind kind, const char *call,
                             const char *what);

/* The strategy that something which is not there was made from, while that is; else NULL. */
cohort_strategy *cohort_call_owner(const void *object, cohort_handle_kind kind);

/* Look whether a call would be refused by `enter`, for those that are entered later, or that
 * consist of public calls.
 */
cohort_status cohort_call_check(cohort_strategy *strategy, const char *call);

#endif
