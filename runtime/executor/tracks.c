/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/executor/tracks.h"

#include "runtime/base/thread.h"

#include <stdio.h>

/* What was asked of the device last is what the operation was about; one that asks nothing is done
 * by this process. */
static cohort_trace_kind kind_of(const cohort_op *op)
{
    if ((op->flags & COHORT_OP_BODY) != 0)
        return COHORT_TRACE_BODY;
    if ((op->flags & COHORT_OP_SUM) != 0)
        return COHORT_TRACE_SUM;
    switch (op->asked) {
    case COHORT_SLOT_READ:
    case COHORT_SLOT_WRITE:
    case COHORT_SLOT_COPY:
        return COHORT_TRACE_COPY;
    default:
        return COHORT_TRACE_OTHER;
    }
}

static const char *name_of(const cohort_op *op)
{
    if (op->subject != NULL)
        return op->subject;
    if ((op->flags & COHORT_OP_SUM) != 0)
        return cohort_slot_table[COHORT_SLOT_REDUCE].words;
    return op->asked < COHORT_SLOT_COUNT ? cohort_slot_table[op->asked].words : "of the library";
}

/* What was asked for since the copy before: of copies in flight behind one another the first has
 * the bytes of all. */
static uint64_t take_bytes(cohort_lane *lane)
{
    uint64_t bytes = 0;
    for (const cohort_account *a = lane->traced; a != NULL; a = a->next_traced)
        bytes += (uint64_t)(cohort_account_read(&a->bytes_copied) +
                            cohort_account_read(&a->bytes_written) +
                            cohort_account_read(&a->bytes_read));
    const uint64_t since = bytes - lane->traced_bytes;
    lane->traced_bytes = bytes;
    return since;
}

void cohort_tracks_add(cohort_lane *lane, const cohort_op *op, int64_t begin_ns, int64_t end_ns)
{
    char name[64];
    if (!cohort_trace_has(lane->tracks) || op->status == COHORT_EAGAIN)
        return;
    const cohort_trace_kind kind = kind_of(op);
    if (op->replica >= 0)
        (void)snprintf(name, sizeof name, "%.28s, replica %d", name_of(op), (int)op->replica);
    else
        (void)snprintf(name, sizeof name, "%.40s", name_of(op));
    cohort_trace_slice(
        &(cohort_trace_piece){ .name = name,
                               .kind = kind,
                               .track = lane->tracks + (uint32_t)kind,
                               .replica = op->replica,
                               .bytes = kind == COHORT_TRACE_COPY ? take_bytes(lane) : 0,
                               .begin_ns = begin_ns,
                               .end_ns = end_ns,
                               .flow = cohort_tracks_flow(lane, op->call, op->step) });
}

void cohort_tracks_add_wait(const cohort_lane *any, cohort_trace_kind kind, int64_t begin_ns)
{
    if (begin_ns > 0 && cohort_trace_has(any->all[0]->tracks))
        cohort_trace_slice(&(cohort_trace_piece){
            .name = kind == COHORT_TRACE_INPUT ? "wait for rows" : "wait for devices",
            .kind = kind,
            .replica = -1,
            .begin_ns = begin_ns,
            .end_ns = cohort_clock_ns() });
}
