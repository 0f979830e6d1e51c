/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/executor/traced.h"

#include "runtime/base/trace.h"
#include "runtime/executor/tracks.h"

#include <stdio.h>

static const char *const kinds[COHORT_TRACKS] = { "bodies", "copies", "sums", "other" };

static void name_tracks(const cohort_executor *executor, const cohort_lane *lane)
{
    const char *device = "";
    for (int32_t i = executor->n_contexts - 1; i >= 0; i--)
        if (executor->contexts[i]->lane == lane)
            device = executor->contexts[i]->device->id;
    for (uint32_t kind = 0; kind < COHORT_TRACKS; kind++) {
        char name[48];
        (void)snprintf(name, sizeof name, "%.32s %s", device, kinds[kind]);
        cohort_trace_name(lane->tracks + kind, name);
    }
}

static void link_accounts(const cohort_executor *executor)
{
    for (int32_t i = 0; i < executor->n_contexts; i++) {
        cohort_context *context = executor->contexts[i];
        context->account.next_traced = context->lane->traced;
        context->lane->traced = &context->account;
    }
}

void cohort_tracks_make(cohort_executor *executor)
{
    if (executor->timed_from_ns == 0)
        cohort_executor_time(executor);
    for (int32_t i = 0; i < executor->n_lanes; i++) {
        executor->lanes[i]->tracks = cohort_trace_tracks(COHORT_TRACKS);
        name_tracks(executor, executor->lanes[i]);
    }
    link_accounts(executor);
}
