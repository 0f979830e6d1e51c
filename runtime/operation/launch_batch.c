/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches in one call of the plugin: what it gets of each, and whose error it is. */
#include "config.h"

#include "runtime/operation/launch_batch.h"

#include "runtime/base/assert.h"

bool cohort_launch_batch_takes(const cohort_executable *executable)
{
    return executable->sig->ret == COHORT_VOID && cohort_context_takes_batches(executable->context);
}

void cohort_launch_batch_begin(cohort_launch_batch *batch, uint64_t number)
{
    batch->number = number;
    batch->n = batch->n_args = 0;
}

/* More than any launch has: its parameters, ranges of items before them, a result behind them. */
static uint32_t most_args(const cohort_executable *executable)
{
    return (uint32_t)executable->n_places + COHORT_ITEM_WORDS + 1;
}

bool cohort_launch_batch_add(cohort_launch_batch *batch, const cohort_launch_op *head,
                             cohort_launch_slot slots[])
{
    _Static_assert(COHORT_LAUNCH_BATCH_ARGS >= COHORT_MAX_ARGUMENTS + COHORT_ITEM_WORDS + 1,
                   "room for any launch");
    uint32_t i = batch->n;
    cohort_assert(head->n_commits == 0);
    if (i == COHORT_LAUNCH_BATCH ||
        batch->n_args + most_args(head->executable) > COHORT_LAUNCH_BATCH_ARGS ||
        (i > 0 && head->executable != batch->heads[0]->executable))
        return false;
    batch->heads[i] = head;
    batch->replicas[i] = head->op.replica;
    cohort_launch_fill_call(head, slots, batch->number, batch->items[i],
                            &batch->argv[batch->n_args], &batch->calls[i]);
    batch->n_args += batch->calls[i].nargs;
    batch->n++;
    return true;
}

/* Where a plugin was refused it may have counted anything. */
static uint32_t who_failed(const cohort_launch_batch *batch, const cohort_body_row *row)
{
    uint32_t done = row->done, failed = done < batch->n ? done : row->noted_in;
    return failed < batch->n ? failed : batch->n - 1;
}

/* Bodies that run on this thread could call their strategy: see cohort_launch_do. */
cohort_status cohort_launch_batch_do(cohort_launch_batch *batch, cohort_lane *lane)
{
    const cohort_executable *b = batch->heads[0]->executable;
    cohort_body_row row = { .replicas = batch->replicas, .n = batch->n };
    cohort_callback bodies;
    bodies.running = cohort_launch_running(batch->heads[0]);
    cohort_callback_begin_bodies(&bodies, lane->failure, &row);
    cohort_status status =
        cohort_context_launch_batch(b->context, b->kernel, batch->calls, batch->n, &row.done);
    status = cohort_callback_end(&bodies, status);
    return status < 0 ? cohort_launch_say_who(batch->heads[who_failed(batch, &row)], NULL, status)
                      : COHORT_OK;
}
