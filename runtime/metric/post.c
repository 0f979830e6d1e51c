/* SPDX-License-Identifier: BSD-3-Clause */
/* One operation makes the next components of both variables, and completes both writes: whatever
 * fails, and whatever stops the lanes, leaves both or none. */
#include "config.h"

#include "runtime/metric/metric.h"

/* A reset reads nothing: there may be no content. */
static int32_t list_sources(const cohort_metric *m, int32_t replica, const cohort_tally *tally,
                            const cohort_fallback_memory more[], int32_t n_more,
                            cohort_fallback_memory out[COHORT_FALLBACK_SOURCES])
{
    int32_t n = 0;
    if (tally->kind == COHORT_TALLY_RESET)
        return 0;
    for (; n < COHORT_TALLY_RESULTS; n++)
        out[n] = (cohort_fallback_memory){ cohort_variable_current(m->variables[n], replica),
                                           sizeof(double) };
    for (int32_t i = 0; i < n_more; i++)
        out[n++] = more[i];
    return n;
}

/* The next component of a variable, and what it is behind. What it is made of is among the
 * sources. */
static void start(cohort_variable *v, int32_t replica, cohort_write_kind kind, int result,
                  cohort_fallback *f)
{
    cohort_use uses[COHORT_VARIABLE_USES];
    f->results[result] =
        (cohort_fallback_memory){ cohort_variable_start_bare(v, replica, kind, uses),
                                  sizeof(double) };
    f->behind[result] = uses[0].fences;
    f->commits[result] = (cohort_fallback_commit){ &v->stores[replica].done,
                                                   cohort_variable_state_after(v, replica, kind) };
}

void cohort_metric_post(const cohort_metric *m, int32_t replica, cohort_write_kind kind,
                        const cohort_tally *tally, const cohort_fallback_memory more[],
                        int32_t n_more)
{
    cohort_fallback f = { .fn = cohort_tally_run,
                          .work = tally,
                          .work_bytes = sizeof *tally,
                          .subject = m->variables[0]->name,
                          .n_results = COHORT_TALLY_RESULTS };
    f.n_sources = list_sources(m, replica, tally, more, n_more, f.sources);
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        start(m->variables[i], replica, kind, i, &f);
    cohort_fence fence = cohort_fallback_post(&f);
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        m->variables[i]->stores[replica].last = fence;
}
