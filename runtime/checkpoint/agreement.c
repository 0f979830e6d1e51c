/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/agreement.h"

#include "runtime/base/error.h"

#include <string.h>

/* What a worker notes. */
typedef struct step_note {
    int64_t step;
    uint8_t has_stopped, is_due, is_written, unused[5];
} step_note;

static cohort_status add_note(cohort_agreement *a, const cohort_workers *w, int32_t worker)
{
    step_note note;
    memcpy(&note, cohort_workers_note(w, worker), sizeof note);
    if (note.step != a->step)
        return cohort_error_set(COHORT_EINVAL, "worker %d of %d is at step %lld, worker %d at %lld",
                                (int)worker, (int)w->n, (long long)note.step, (int)w->rank,
                                (long long)a->step);
    a->has_stopped = a->has_stopped || note.has_stopped;
    a->is_written = a->is_written && note.is_written;
    a->is_due = worker == 0 ? note.is_due : a->is_due;
    return COHORT_OK;
}

cohort_status cohort_agreement_make(cohort_agreement *a, cohort_workers *w)
{
    const step_note mine = { .step = a->step,
                             .has_stopped = a->has_stopped,
                             .is_due = a->is_due,
                             .is_written = a->is_written };
    cohort_status status =
        cohort_workers_meet(w, "cohort_checkpoint_manager_step", &mine, sizeof mine);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        status = add_note(a, w, i);
    return status;
}
