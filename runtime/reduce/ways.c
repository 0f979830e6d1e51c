/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/ways.h"

#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"
#include "runtime/reduce/little.h"
#include "runtime/reduce/near.h"

/* A reduction of a value, of whose replicas nothing is said. */
typedef struct sum {
    const char *call;
    const cohort_reduce_request *request;
    cohort_reducer *reducer;
    cohort_value *x, *into;
} sum;

static cohort_status go_little(const sum *s, bool *out_is_done)
{
    *out_is_done = cohort_little_do(s->reducer, s->request, s->x, s->into);
    return COHORT_OK;
}

static cohort_status go_offered(const sum *s, bool *out_is_done)
{
    cohort_near near;
    if (!cohort_near_begin_across(&near, s->reducer, s->request->op, s->x, s->into))
        return COHORT_OK;
    return cohort_near_offer(&near, s->reducer, s->request->op, s->call, out_is_done);
}

static cohort_status go_near(const sum *s, bool *out_is_done)
{
    cohort_near near;
    *out_is_done = cohort_near_begin(&near, s->reducer, s->request->op, s->x, s->into);
    if (*out_is_done) {
        cohort_ledger_say_repeatable(s->reducer->strategy->executor);
        cohort_near_post_alone(&near, s->reducer, s->request->op);
    }
    return COHORT_OK;
}

/* By shape, along axes or with weights, and by workers, which go a way together. NULL: there is
 * none. */
static cohort_status (*const ways[2][2])(const sum *s,
                                         bool *out_is_done) = { { go_near, go_offered },
                                                                { go_little, NULL } };

/* What has another operand, and what is said of it, is a plan's. */
cohort_status cohort_ways_go(const char *call, const cohort_reduce_request *q, cohort_value *into,
                             bool *out_is_done)
{
    cohort_reducer *reducer = cohort_reducer_of(into->strategy);
    *out_is_done = false;
    if (reducer == NULL || q->x.kind != COHORT_ARGUMENT_VALUE ||
        q->contributes != COHORT_CONTRIBUTES_NOTHING_SAID ||
        !cohort_handle_is(q->x.as.p, COHORT_HANDLE_VALUE))
        return COHORT_OK;
    bool has_shape = q->n_axes > 0 || q->weights != NULL;
    cohort_status (*go)(const sum *s, bool *out_is_done) =
        ways[has_shape][reducer->strategy->workers != NULL];
    const sum s = { call, q, reducer, cohort_memory_own(q->x.as.p), into };
    return go != NULL ? go(&s, out_is_done) : COHORT_OK;
}
