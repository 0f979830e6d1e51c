/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of a program that is recorded: what they keep, and what can be known of them before they
 * are made. */
#ifndef COHORT_RUN_RECORDING_H
#define COHORT_RUN_RECORDING_H

#include "runtime/run/dispatch.h"
#include "runtime/strategy/recorder.h"

/* Keep the arguments (value/operand.h), and check them as far as they can be known: their number,
 * kinds and dtypes, and that the function has a body for each device, which is compiled. The
 * invocation has its own memo from then on. updated: of an update, NULL: the first variable that is
 * written. */
cohort_status cohort_recording_keep(cohort_recorder *recorder, const char *call,
                                    cohort_invocation *invocation, cohort_call_kind kind,
                                    cohort_variable *updated);

/* Record a cohort_run, which the program knows as `call`. */
cohort_status cohort_recording_add_run(cohort_recorder *recorder, const char *call,
                                       const cohort_invocation *invocation);

/* The same of a cohort_update. */
cohort_status cohort_recording_add_update(cohort_recorder *recorder, const char *call,
                                          cohort_variable *variable,
                                          const cohort_invocation *invocation, const char *site);

/* A cohort_run that is part of another call, which the program knows as `call`
 * (cohort_call_make_part). */
cohort_status cohort_recording_run(cohort_strategy *strategy, const char *call,
                                   const cohort_invocation *invocation);

/* The end of what was kept, and launched since. */
void cohort_recording_leave(cohort_strategy *strategy, const cohort_invocation *invocation);

#endif
