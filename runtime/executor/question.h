/* SPDX-License-Identifier: BSD-3-Clause */
/* A question to a device: between ask and answer its deadline runs, and its answer passes the
 * gate. */
#ifndef COHORT_EXECUTOR_QUESTION_H
#define COHORT_EXECUTOR_QUESTION_H

#include "runtime/executor/context.h"
#include "runtime/plugin/slot.h"

typedef struct cohort_question {
    cohort_context *context;
    cohort_slot_id operation;
    cohort_setting_id setting;
    int64_t limit_ns;
    cohort_error error; /* for the plugin */
} cohort_question;

/* COHORT_ELOST when the plugin was refused: then nothing is asked, and no answer follows. The
 * deadline is the setting's and extra_ns; none while the runner is the caller of the library. */
cohort_status cohort_question_ask(cohort_question *q, cohort_context *context,
                                  cohort_slot_id operation, cohort_setting_id setting,
                                  int64_t extra_ns);

/* What the plugin answered: COHORT_OK, or an error with a text in the slot; without one, the answer
 * that leaves the work to the core. Does not return when the device was declared lost meanwhile. */
cohort_status cohort_question_answer(cohort_question *q, cohort_status status);

/* The same for an operation that may only have been begun. event: NULL, or what is in flight;
 * pending: where to leave that, NULL: it is waited for. */
cohort_status cohort_question_answer_event(cohort_question *q, cohort_status status,
                                           cohort_event *event, cohort_pending *pending);

/* After an answer: what it hands out cannot be. The plugin is refused, and the device lost. Returns
 * COHORT_ELOST. */
cohort_status cohort_question_refuse(const cohort_question *q, const char *expected,
                                     const char *format, ...) COHORT_PRINTF_(3, 4);

/* A question within the question, for another operation: whether its status passes. */
cohort_status cohort_question_judge(cohort_question *q, cohort_slot_id operation,
                                    cohort_status status);

/* The answer of an extension that looks up an object of the driver's: COHORT_OK with one, or an
 * error. */
cohort_status cohort_question_judge_handle(cohort_context *context, const char *what,
                                           cohort_status status, const cohort_error *error,
                                           const void *handle);

#endif
