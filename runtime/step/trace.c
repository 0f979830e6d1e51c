/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/trace.h"

#include "runtime/value/operand.h"

/* The request of a recorded call. */
typedef struct traced_call {
    cohort_rendezvous rendezvous;
    void **all; /* [replicas]: what each has brought */
} traced_call;

/* ------------------------------------------------------------------ what is kept */

static cohort_status keep_site(cohort_recorder *recorder, cohort_rendezvous *r)
{
    const char *site = r->site;
    r->site = cohort_recorder_text(recorder, site);
    return r->site != NULL || site == NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    traced_call *t = request;
    cohort_rendezvous *r = &t->rendezvous;
    t->all = cohort_recorder_copy(recorder, t->all, (size_t)recorder->strategy->n_replicas,
                                  sizeof *t->all);
    cohort_status status = t->all != NULL ? keep_site(recorder, r) : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_operand_keep_values(recorder, call, &r->values, r->n);
    if (status >= 0 && r->traced->keep != NULL)
        status = r->traced->keep(recorder, r, t->all);
    if (status >= 0)
        r->mine = t->all[0];
    return status;
}

void *cohort_trace_keep_first(cohort_recorder *recorder, void *all[], size_t bytes)
{
    return all[0] = cohort_recorder_copy(recorder, all[0], 1, bytes);
}

cohort_status cohort_trace_keep_each(cohort_recorder *recorder, const char *call, void *all[],
                                     size_t bytes,
                                     cohort_status (*one)(cohort_recorder *recorder,
                                                          const char *call, void *mine))
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < recorder->strategy->n_replicas && status >= 0; r++) {
        all[r] = cohort_recorder_copy(recorder, all[r], 1, bytes);
        if (all[r] == NULL)
            return COHORT_ENOMEM;
        status = one != NULL ? one(recorder, call, all[r]) : COHORT_OK;
    }
    return status;
}

cohort_status cohort_trace_keep_variable_and_each(
    cohort_recorder *recorder, const cohort_rendezvous *rendezvous, void *all[], size_t bytes,
    cohort_status (*one)(cohort_recorder *recorder, const char *call, void *mine))
{
    cohort_status status =
        cohort_operand_keep_variable(recorder, rendezvous->call, rendezvous->what);
    return status < 0 ? status
                      : cohort_trace_keep_each(recorder, rendezvous->call, all, bytes, one);
}

/* ------------------------------------------------------------------ the recorded call */

cohort_status cohort_trace_do_each(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                   void *const all[],
                                   cohort_status (*one)(const cohort_rendezvous *rendezvous,
                                                        const void *mine, int32_t replica))
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++) {
        status = one(rendezvous, all[r], r);
        if (status < 0)
            status = cohort_error_prefix(status, "replica %d", cohort_strategy_replica_id(s, r));
    }
    return status;
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const traced_call *t = request;
    return t->rendezvous.plan(strategy, &t->rendezvous, t->all);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const cohort_rendezvous *r = &((const traced_call *)request)->rendezvous;
    char arguments[200] = "";
    (void)strategy;
    if (r->describe != NULL)
        r->describe(r, arguments, sizeof arguments);
    (void)fprintf(out, "%s%sof all replicas", arguments, arguments[0] != '\0' ? ", " : "");
}

static void leave(cohort_strategy *strategy, const void *request)
{
    const traced_call *t = request;
    if (t->rendezvous.traced->leave != NULL)
        t->rendezvous.traced->leave(strategy, t->all);
}

cohort_status cohort_trace_add(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                               void *const all[])
{
    static const cohort_recordable recordable = {
        .bytes = sizeof(traced_call), .keep = keep, .run = run, .describe = describe, .leave = leave
    };
    const traced_call request = { *rendezvous, (void **)(uintptr_t)all };
    return recorder->add(recorder, rendezvous->call, &recordable, &request);
}

cohort_status cohort_trace_record(cohort_recorder *recorder, const cohort_rendezvous *rendezvous,
                                  void *const all[])
{
    if (rendezvous->traced == NULL)
        return cohort_recorder_refuse(rendezvous->call);
    return rendezvous->traced->record != NULL
               ? rendezvous->traced->record(recorder, rendezvous, all)
               : cohort_trace_add(recorder, rendezvous, all);
}
