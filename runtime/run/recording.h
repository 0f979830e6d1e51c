/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of a program that is recorded: what they keep, and what can be known of them before they
 * are made. */
#ifndef COHORT_RUN_RECORDING_H
#define COHORT_RUN_RECORDING_H

#include "runtime/run/binding.h"
#include "runtime/strategy/recorder.h"

/* Keep the arguments (value/operand.h), and check them as far as they can be known: their number,
 * kinds and dtypes, and that the function has a body for each device, which is compiled. updated:
 * of an update, NULL: the first variable that is written. */
cohort_status cohort_recording_keep(cohort_recorder *recorder, const char *call,
                                    const cohort_function *function,
                                    const cohort_argument **arguments, cohort_call_kind kind,
                                    cohort_variable *updated);

#endif
