/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes in which workers differ: what all have written is looked at where two digests are not the
 * same, and after a failure, when some have come further than others. */
#include "config.h"

#include "runtime/exchange/workers.h"

#include <string.h>

_Static_assert(sizeof(cohort_writes) <= COHORT_WORKERS_NOTE, "it is noted");

static cohort_writes writes_of(const cohort_workers *w, int32_t worker)
{
    cohort_writes l;
    memcpy(&l, cohort_workers_note(w, worker), sizeof l);
    cohort_writes_close(&l);
    return l;
}

static bool is_same(const cohort_writes *a, const cohort_writes *b)
{
    return a->n == b->n && a->digest == b->digest;
}

static cohort_status differ(const cohort_workers *w, const char *call, int32_t other,
                            const cohort_writes *theirs)
{
    static const char cure[] = "all workers write the same; cohort_strategy_recover, and then "
                               "cohort_strategy_broadcast_variables, make them alike";
    const uint64_t number = cohort_writes_find_difference(theirs, &w->writes);
    const char *a = cohort_writes_text(theirs, number), *b = cohort_writes_text(&w->writes, number);
    if (number == 0 || (a == NULL && b == NULL))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: worker %d of %d has written something else than worker %d, "
                                "more than %d writes ago; %s",
                                call, (int)other, (int)w->n, (int)w->rank, COHORT_WRITES_KEPT,
                                cure);
    bool is_alike = a != NULL && b != NULL && strcmp(a, b) == 0;
    return cohort_error_set(
        COHORT_EINVAL, "%s: write %llu of worker %d of %d is %s, of worker %d %s%s; %s", call,
        (unsigned long long)number, (int)other, (int)w->n, a != NULL ? a : "none", (int)w->rank,
        b != NULL ? b : "none", is_alike ? ", with other numbers" : "", cure);
}

cohort_status cohort_workers_name_writes(const cohort_workers *w, const char *call)
{
    for (int32_t i = 0; i < w->n; i++) {
        const cohort_writes theirs = writes_of(w, i);
        if (!is_same(&theirs, &w->writes))
            return differ(w, call, i, &theirs);
    }
    return COHORT_OK;
}

cohort_status cohort_workers_settle_writes(cohort_workers *w, const char *call)
{
    cohort_status status = cohort_workers_meet(w, call, &w->writes, sizeof w->writes);
    if (status < 0)
        return status;
    cohort_writes furthest = writes_of(w, 0);
    for (int32_t i = 1; i < w->n; i++) {
        const cohort_writes next = writes_of(w, i);
        furthest = next.n > furthest.n ? next : furthest;
    }
    bool is_alike = true;
    for (int32_t i = 0; i < w->n; i++) {
        const cohort_writes l = writes_of(w, i);
        is_alike = is_alike && cohort_writes_is_begun(&l, &furthest);
    }
    if (is_alike)
        w->writes = furthest;
    return COHORT_OK;
}
