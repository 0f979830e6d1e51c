/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas are numbered over all workers, and machines are told apart. */
#include "config.h"

#include "runtime/exchange/workers.h"

#include "runtime/base/limits.h"

#include <string.h>

/* The note of a worker. */
typedef struct post {
    uint64_t machine;
    int32_t replicas;
} post;

static post post_of(const cohort_workers *w, int32_t worker)
{
    post p;
    memcpy(&p, cohort_workers_note(w, worker), sizeof p);
    return p;
}

static cohort_status number(cohort_workers *w, const char *call)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < w->n; i++) {
        const int32_t n = post_of(w, i).replicas;
        sum += n;
        if (n < 1 || sum > COHORT_LIMIT_REPLICAS)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: %lld replicas on workers 0 to %d of %d; at least one each, "
                "and %d in all",
                call, (long long)sum, i, w->n, COHORT_LIMIT_REPLICAS);
        w->first[i + 1] = (int32_t)sum;
    }
    w->n_roots = cohort_roots_list(w->first, w->n, w->roots);
    return COHORT_OK;
}

static void find_machines(cohort_workers *w)
{
    for (int32_t i = 0; i < w->n; i++)
        w->shared.names[i] = post_of(w, i).machine;
    cohort_machines_group(&w->shared);
    cohort_machines_list_roots(&w->alone, w->roots, w->n_roots);
    cohort_machines_list_roots(&w->shared, w->roots, w->n_roots);
}

cohort_status cohort_workers_number(cohort_workers *w, const char *call, int32_t mine)
{
    post own;
    memset(&own, 0, sizeof own); /* what is between its members crosses, too */
    own.machine = w->machine;
    own.replicas = mine;
    cohort_status status = cohort_workers_meet(w, call, &own, sizeof own);
    if (status >= 0)
        status = number(w, call);
    if (status >= 0)
        find_machines(w);
    return status;
}
