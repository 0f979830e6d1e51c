/* SPDX-License-Identifier: BSD-3-Clause */
/* When a manager saves, which several workers have to agree about. */
#include "config.h"

#include "runtime/checkpoint/manager.h"

#include "runtime/base/thread.h"
#include "runtime/checkpoint/stop.h"
#include "runtime/strategy/call.h"

bool cohort_manager_has_stopped(const cohort_checkpoint_manager *m)
{
    return m->is_stopping ||
           (m->options.stop_signal != 0 && cohort_stop_count(m->options.stop_signal) != m->stops);
}

bool cohort_manager_is_due(const cohort_checkpoint_manager *m, int64_t step)
{
    const cohort_checkpoint_manager_options *o = &m->options;
    return (o->every_steps > 0 && step > m->last_step && step - m->last_step >= o->every_steps) ||
           (o->every_seconds > 0 &&
            (double)(cohort_clock_ns() - m->last_ns) >= o->every_seconds * 1e9);
}

/* By number of steps all come to the same by themselves. */
static bool has_to_ask(const cohort_checkpoint_manager *m)
{
    return m->options.stop_signal != 0 || m->options.every_seconds > 0 || m->is_writing;
}

static bool is_written_here(const cohort_checkpoint_manager *m)
{
    return m->is_writing && atomic_load_explicit(&m->is_written, memory_order_acquire);
}

cohort_status cohort_manager_agree(cohort_checkpoint_manager *m, int64_t step)
{
    if (m->agreed.is_there && m->agreed.step == step)
        return COHORT_OK;
    m->agreed = (cohort_agreement){ .is_there = true,
                                    .step = step,
                                    .has_stopped = cohort_manager_has_stopped(m),
                                    .is_due = cohort_manager_is_due(m, step),
                                    .is_written = is_written_here(m) };
    cohort_status status =
        has_to_ask(m) ? cohort_agreement_make(&m->agreed, m->strategy->workers) : COHORT_OK;
    m->is_stopping = m->is_stopping || (status >= 0 && m->agreed.has_stopped);
    return status;
}

/* An error is told by the step that follows, which is the answer's reason to be true. */
static bool is_due_across(cohort_checkpoint_manager *m, int64_t step)
{
    static const char call[] = "cohort_checkpoint_manager_due";
    cohort_status status = cohort_call_enter(m->strategy, call);
    if (status < 0)
        return true;
    status = cohort_manager_agree(m, step);
    (void)cohort_call_leave(m->strategy, status < 0 ? cohort_state_refuse(status, call) : status);
    return status < 0 || m->is_stopping || m->agreed.is_due;
}

bool cohort_checkpoint_manager_due(cohort_checkpoint_manager *manager, int64_t step)
{
    if (!cohort_handle_is(manager, COHORT_HANDLE_CHECKPOINT_MANAGER))
        return false;
    return cohort_manager_is_across(manager)
               ? is_due_across(manager, step)
               : cohort_manager_has_stopped(manager) || cohort_manager_is_due(manager, step);
}
