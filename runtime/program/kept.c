/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/program/kept.h"

#include "runtime/base/array.h"
#include "runtime/base/log.h"
#include "runtime/base/thread.h"
#include "runtime/strategy/loss.h"
#include "runtime/value/carried.h"
#include "runtime/value/skip.h"
#include "runtime/value/transaction.h"
#include "runtime/value/variable.h"

/* ------------------------------------------------------------------ what a step finds */

static void add_writes(cohort_content *content, void *user)
{
    uint64_t *writes = user;
    *writes += content->places.epoch.now;
}

static uint64_t count_batch_writes(const cohort_program *p)
{
    uint64_t writes = 0;
    for (int32_t k = 0; k < p->n_components; k++)
        cohort_carried_see(p->batch[k], add_writes, &writes);
    return writes;
}

void cohort_kept_note_batch(cohort_program *p)
{
    if (p->is_looked_at)
        p->batch_writes = count_batch_writes(p);
}

/* A step that is looked at is planned in the plain way, in which every read is seen. Where there
 * are conditions each step may be another one. */
void cohort_kept_begin(cohort_program *p)
{
    cohort_strategy *s = p->strategy;
    p->is_looked_at = !p->is_tried || p->repeat.never != NULL;
    if (p->is_looked_at) {
        cohort_carried_begin(s);
        p->usual = s->repeating;
        s->repeating.kind = COHORT_REPEAT_OFF;
    }
    cohort_kept_note_batch(p);
    cohort_skip_begin_step(s);
}

/* ------------------------------------------------------------------ what it leaves */

static void end_look(cohort_program *p)
{
    p->strategy->repeating = p->usual;
    p->is_looked_at = false;
    p->changes_batch = count_batch_writes(p) != p->batch_writes;
    cohort_carried_tell(p->strategy, p->carried);
}

/* Only where a device may be lost. */
static bool has_to_last(const cohort_strategy *s)
{
    return s->guard != COHORT_GUARD_SKIP || cohort_loss_may_be_survived(s);
}

static cohort_status wait_for(cohort_strategy *s, cohort_status status)
{
    cohort_executor_wait_all(s->executor);
    return status == COHORT_OK ? cohort_failure_tell(&s->executor->failure) : status;
}

/* All of it is there, or nothing: until what has to be kept is, what the step found is kept. */
cohort_status cohort_kept_end(cohort_program *p, cohort_status status)
{
    cohort_strategy *s = p->strategy;
    status = wait_for(s, status);
    if (p->is_looked_at)
        end_look(p);
    if (status == COHORT_OK && has_to_last(s))
        status = cohort_transaction_keep(s);
    s->is_step_open = status < 0;
    return status;
}

/* ------------------------------------------------------------------ skipped */

/* What is carried was written, and nobody has what it was. */
cohort_status cohort_kept_skip(cohort_program *p, cohort_status status)
{
    if (!cohort_skip_is_due(p->strategy))
        return status;
    if (p->carried[0] != '\0')
        return cohort_error_set(
            status,
            "%s; step %lld of the program is not skipped: it carries a value, %s, from step to "
            "step, which it reads and then writes; keep that in a variable",
            cohort_error_slot(), (long long)p->steps + 1, p->carried);
    return cohort_skip_step(p->strategy);
}

/* ------------------------------------------------------------------ once more */

static cohort_status refuse_carried(const cohort_program *p)
{
    return cohort_error_set(COHORT_ELOST,
                            "a device is lost (%s), and step %lld of the program is not made "
                            "again: it carries a value, %s, from step to step, which it reads and "
                            "then writes; keep that in a variable",
                            cohort_error_slot(), (long long)p->steps + 1, p->carried);
}

static cohort_status refuse_batch(const cohort_program *p)
{
    return cohort_error_set(COHORT_ELOST,
                            "a device is lost (%s), and step %lld of the program is not made "
                            "again: it writes to its batch, whose rows are not read again; write "
                            "to another value",
                            cohort_error_slot(), (long long)p->steps + 1);
}

bool cohort_kept_may_repeat(cohort_program *p, cohort_status *status)
{
    cohort_strategy *s = p->strategy;
    const int64_t begun_ns = cohort_clock_ns();
    if (cohort_executor_is_whole(s->executor))
        return false;
    if (p->carried[0] != '\0')
        *status = refuse_carried(p);
    else if (p->changes_batch)
        *status = refuse_batch(p);
    else
        *status = cohort_loss_recover(s);
    if (*status < 0) {
        cohort_failure_restate(&s->executor->failure, *status);
        return false;
    }
    cohort_log(COHORT_SUBSYSTEM_PROGRAM, COHORT_LOG_WARNING,
               "step %lld of a program is made again; to go on took %.1f ms",
               (long long)p->steps + 1, (double)(cohort_clock_ns() - begun_ns) / 1e6);
    return true;
}
