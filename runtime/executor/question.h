/* SPDX-License-Identifier: BSD-3-Clause */
/* A question to a device: between ask and answer its deadline runs, and its answer passes the
 * gate. */
#ifndef COHORT_EXECUTOR_QUESTION_H
#define COHORT_EXECUTOR_QUESTION_H

#include "runtime/executor/context.h"
#include "runtime/plugin/gate.h"
#include "runtime/plugin/slot.h"

typedef struct cohort_question {
    cohort_context *context;
    cohort_slot_id operation;
    cohort_setting_id setting;
    int64_t limit_ns;
    cohort_error error; /* for the plugin */
} cohort_question;

/* Nobody watches the device, and it takes no turns with others: so there is nothing to do around a
 * question but to look at the gate. A launch asks several, and may take no longer itself. */
static inline bool cohort_question_is_plain(const cohort_context *context)
{
    return (context->caps & (COHORT_CAP_PROMPT | COHORT_CAP_SERIALIZE)) == COHORT_CAP_PROMPT;
}

static inline void cohort_question_clear(cohort_error *error)
{
    error->struct_size = sizeof *error;
    error->code = COHORT_OK;
    error->native = 0;
    error->text[0] = '\0';
}

static inline void cohort_question_begin(cohort_question *q, cohort_context *context,
                                         cohort_slot_id operation, cohort_setting_id setting,
                                         int64_t extra_ns)
{
    int64_t limit = context->limits_ns[setting];
    q->context = context;
    q->operation = operation;
    context->lane->asked = operation;
    q->setting = setting;
    q->limit_ns = limit > 0 ? limit + extra_ns : 0;
    cohort_question_clear(&q->error);
}

/* The three below, of any device and any answer. */
cohort_status cohort_question_ask_any(cohort_question *q, cohort_context *context,
                                      cohort_slot_id operation, cohort_setting_id setting,
                                      int64_t extra_ns);
cohort_status cohort_question_answer_any(cohort_question *q, cohort_status status);
cohort_status cohort_question_answer_event_any(cohort_question *q, cohort_status status,
                                               cohort_event *event, cohort_pending *pending);

/* COHORT_ELOST when the plugin was refused: then nothing is asked, and no answer follows. The
 * deadline is the setting's and extra_ns; none while the runner is the caller of the library. */
static inline cohort_status cohort_question_ask(cohort_question *q, cohort_context *context,
                                                cohort_slot_id operation, cohort_setting_id setting,
                                                int64_t extra_ns)
{
    if (!cohort_question_is_plain(context) || cohort_gate_is_shut(context->device->loaded))
        return cohort_question_ask_any(q, context, operation, setting, extra_ns);
    cohort_question_begin(q, context, operation, setting, extra_ns);
    return COHORT_OK;
}

/* The answer of the plugin: COHORT_OK, or an error with a text in the slot; without one, the answer
 * that leaves the work to the core. Does not return when the device was declared lost meanwhile. */
static inline cohort_status cohort_question_answer(cohort_question *q, cohort_status status)
{
    return status == COHORT_OK && cohort_question_is_plain(q->context)
               ? COHORT_OK
               : cohort_question_answer_any(q, status);
}

/* The same for an operation that may only have been begun. event: NULL, or what is in flight;
 * pending: where to leave that, NULL: it is waited for. */
static inline cohort_status cohort_question_answer_event(cohort_question *q, cohort_status status,
                                                         cohort_event *event,
                                                         cohort_pending *pending)
{
    return status == COHORT_OK && event == NULL && cohort_question_is_plain(q->context)
               ? COHORT_OK
               : cohort_question_answer_event_any(q, status, event, pending);
}

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
