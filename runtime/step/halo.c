/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_replica_halo: the rows beside those of each replica. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/reduce/halo.h"
#include "runtime/reduce/reduce.h"
#include "runtime/step/contribution.h"
#include "runtime/step/trace.h"

#include <stdio.h>

/* What one replica asks for. */
typedef struct request {
    cohort_argument x;
    int64_t rows;
    cohort_edge edge;
    cohort_value *into;
} request;

static const char call[] = "cohort_replica_halo";

static cohort_status plan_halo(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                               void *const all[])
{
    const request *q = all[0];
    cohort_halo_plan plan;
    (void)rendezvous;
    cohort_status status = cohort_halo_plan_begin(&plan, call, s, &q->x, q->rows, q->edge);
    if (status < 0)
        return status;
    status = cohort_halo_plan_prepare(&plan, q->into);
    if (status >= 0) {
        cohort_ledger_say_repeatable(s->executor);
        cohort_halo_plan_post(&plan, q->into);
    }
    cohort_halo_plan_end(&plan);
    return status;
}

static cohort_status keep(cohort_recorder *recorder, cohort_rendezvous *rendezvous, void *all[])
{
    request *q = cohort_trace_keep_first(recorder, all, sizeof *q);
    return q != NULL ? cohort_reduce_keep(recorder, rendezvous->call, &q->x, q->into)
                     : COHORT_ENOMEM;
}

static bool is_same_request(const void *mine, const void *other)
{
    const request *a = mine, *b = other;
    return a->x.kind == b->x.kind && a->x.as.p == b->x.as.p && a->into == b->into &&
           a->rows == b->rows && a->edge == b->edge;
}

static void describe(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    const request *q = rendezvous->mine;
    (void)snprintf(out, size, "%lld row%s, %s", (long long)q->rows, q->rows == 1 ? "" : "s",
                   q->edge == COHORT_EDGE_PERIODIC ? "periodic" : "zero");
}

cohort_status cohort_replica_halo_at(const char *site, cohort_replica *me, cohort_argument x,
                                     int64_t rows, cohort_edge edge, cohort_value *into)
{
    static const cohort_traced traced = { .keep = keep };
    request q = { x, rows, edge, into };
    cohort_status status = cohort_contribution_check_operand(me, &x, into, call);
    if (status < 0)
        return cohort_stage_end(me, cohort_contribution_strategy(&x, into), status);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = call,
                                                       .site = site,
                                                       .mine = &q,
                                                       .plan = plan_halo,
                                                       .is_same = is_same_request,
                                                       .describe = describe,
                                                       .traced = &traced });
}
