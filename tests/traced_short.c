/* SPDX-License-Identifier: BSD-3-Clause */
/* A step function that is traced, in a loop and beside a condition, where memory is short: the
 * recording, the trial and the steps of the program answer COHORT_ENOMEM for each allocation that
 * is refused, and the strategy goes on once it has recovered. Nothing is left behind. */
#include "config.h"

#include "tests/sanitized.h"
#include "tests/tap.h"

#if IS_SANITIZED
int main(void)
{
    return skip_all("a sanitizer has its own allocator");
}
#else
#include "tests/core.h"
#include "tests/spared.h"

#include <errno.h>
#include <stdatomic.h>

/* From the allocation on that is the last one of `left` all are refused. */
static atomic_llong left = -1;

static bool refuses(const void *caller)
{
    if (atomic_load(&left) < 0 || is_spared(caller) || atomic_fetch_sub(&left, 1) > 1)
        return false;
    atomic_store(&left, 1);
    errno = ENOMEM;
    return true;
}

#include "tests/allocator.h"

enum { WIDTH = 3, MOST = 3000 };

COHORT_FUNCTION(scale, (int64_t d, double by, const double w[d], COHORT_OUT double z[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < d; k++)
        z[k] = by * w[k];
}

typedef struct model {
    cohort_strategy *s;
    cohort_value *z, *all, *number, *flag;
    cohort_variable *w;
} model;

static cohort_status merge(cohort_strategy *s, void *const user[], int n)
{
    const model *m = user[n - 1];
    (void)s;
    return cohort_reduce(COHORT_MAX, m->z, COHORT_NO_AXIS, m->number);
}

static cohort_status step(cohort_replica *me, void *user)
{
    model *m = user;
    cohort_replica_run(me, scale, 1 + cohort_replica_id(me), m->w, m->z);
    cohort_all_reduce(me, COHORT_MEAN, &m->z, 1);
    cohort_all_gather(me, m->z, 0, m->all);
    cohort_variable_assign_add(m->w, m->z);
    return cohort_merge_call(me, merge, m);
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    (void)batch;
    cohort_program_repeat(s, 2);
    cohort_for_each_replica(s, step, m);
    cohort_program_end(s);
    cohort_program_when(m->flag);
    cohort_variable_assign_add(m->w, 1);
    cohort_program_otherwise(s);
    cohort_variable_assign_sub(m->w, 1);
    return cohort_program_end(s);
}

/* Everything up to the first step, with so many allocations. true: all went well. */
static bool learns(model *m, int allocations)
{
    atomic_store(&left, allocations);
    cohort_program *p = cohort_program_record(m->s, record, m, NULL, 0);
    cohort_status status =
        p != NULL ? cohort_program_run(p, NULL, 2) : cohort_strategy_status(m->s);
    status = status >= 0 ? cohort_wait(m->s) : status;
    atomic_store(&left, -1);
    if (status < 0 && !(good(status == COHORT_ENOMEM) && says("memory")))
        diag("of %d allocations", allocations);
    cohort_program_destroy(p);
    (void)good(cohort_strategy_recover(m->s) == COHORT_OK);
    return status >= 0;
}

/* Each allocation is refused once, on a strategy that has made nothing yet. */
static bool survives(const core_place *place, int *out_refused)
{
    double w[WIDTH] = { 1, 2, 3 };
    bool is_good = true, is_over = false;
    for (*out_refused = 0; is_good && !is_over && *out_refused < MOST; ++*out_refused) {
        model m = { .s = core_open(place) };
        cohort_value **const made[] = { &m.z, &m.all, &m.number };
        for (size_t i = 0; i < sizeof made / sizeof *made; i++)
            *made[i] = cohort_value_create(m.s);
        m.flag = cohort_value_number(m.s, 1);
        m.w = cohort_variable_create(
            m.s, "w", COHORT_ARRAY(w, WIDTH),
            &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_MEAN });
        is_over = learns(&m, *out_refused + 1);
        is_good = is_over || good(learns(&m, -1));
        cohort_strategy_destroy(m.s);
    }
    return is_good & good(is_over);
}

int main(void)
{
    static const core_place places[] = { { "host", 3, NULL }, { "host/2", 3, NULL } };
    (void)core_warm();
    spare_runtimes();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            int refused = 0;
            bool is_good = survives(&places[p], &refused);
            ok(is_good && good(refused > 50), "each allocation may be refused, on %s",
               places[p].devices);
        }
    }
    core_no_leak(warm);
    return tap_done();
}
#endif
