/* SPDX-License-Identifier: BSD-3-Clause */
/* Over workers: each forms the roots of the tree that it hosts, and they cross. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/combination.h"
#include "runtime/reduce/communication.h"
#include "runtime/reduce/crossing.h"
#include "runtime/reduce/reducer_combine.h"

/* Subtrees of replicas that all are of this worker are the same trees in its own numbers; room for
 * what is known of their nodes is there behind those of the replicas before. */
static void form_roots(const cohort_combination *c, int32_t where, cohort_crossing *x)
{
    const cohort_strategy *s = c->reducer->strategy;
    const cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t a = w->roots[i].first - s->first_replica, b = w->roots[i].end - s->first_replica;
        const cohort_tree_node root = { 2 * a, a, b };
        if (w->roots[i].worker != w->rank)
            continue;
        cohort_combination_survey(c, where, root);
        x->buffers[x->n++] = cohort_combination_known(c, root)->terms > 0
                                 ? cohort_combination_make(c, where, root)
                                 : NULL;
    }
}

cohort_status cohort_reducer_offer(cohort_reducer *reducer, cohort_reduce_op op,
                                   const cohort_workers_sum *offer, bool *out_is_taken)
{
    const cohort_strategy *s = reducer->strategy;
    cohort_crossing x = { .n = 0 };
    const cohort_combination c =
        cohort_combination_of(reducer, op, (cohort_dtype)offer->dtype, offer->count);
    cohort_workers_sum sum = *offer;
    cohort_status status = COHORT_OK;
    *out_is_taken = false;
    form_roots(&c, s->home, &x);
    cohort_crossing_show(&x, c.bytes);
    sum.roots = x.roots;
    if (!cohort_failure_is_set(&s->executor->failure))
        status = cohort_workers_offer(s->workers, &sum, out_is_taken);
    cohort_crossing_end(&x, s);
    return status;
}

typedef struct cohort_held {
    cohort_combination combination;
    cohort_crossing crossing;
    uint64_t divisor;
    cohort_buffer *dst;
    void *into; /* memory for what dst is to hold; NULL: there is none */
} cohort_held;

static bool take_rooms(cohort_held held[], int32_t n)
{
    bool has_all = true;
    for (int32_t i = 0; i < n && has_all; i++) {
        held[i].into = cohort_crossing_room(held[i].dst, held[i].combination.bytes);
        has_all = held[i].into != NULL;
    }
    return has_all;
}

/* What is in a room becomes the result; after a failure it is nothing. */
static void use_room(const cohort_held *h, cohort_workers *workers, cohort_status status)
{
    if (status >= 0)
        cohort_crossing_fill(h->dst, h->into, h->combination.bytes);
    else if (h->into != h->dst->host)
        cohort_messages_give(&workers->messages, h->into, cohort_staging_give);
}

static cohort_workers_sum sum_of(const cohort_held *h)
{
    return (cohort_workers_sum){ .call = h->combination.call,
                                 .op = h->combination.op,
                                 .dtype = h->combination.dtype,
                                 .count = h->combination.count,
                                 .divisor = h->divisor,
                                 .roots = h->crossing.roots,
                                 .into = h->into };
}

static cohort_status cross(cohort_held held[], int32_t n, cohort_workers *workers)
{
    cohort_workers_sum sums[COHORT_WORKERS_SUMS] = { 0 };
    cohort_status status = take_rooms(held, n) ? COHORT_OK : cohort_error_memory("a reduction");
    for (int32_t i = 0; i < n; i++)
        sums[i] = sum_of(&held[i]);
    if (status >= 0)
        status = cohort_workers_combine(workers, sums, n);
    for (int32_t i = 0; i < n; i++)
        use_room(&held[i], workers, status);
    return status;
}

/* Sums whose roots are posted: they are waited for, cross, and fill what they are for. */
static void cross_all(cohort_held held[], int32_t n)
{
    cohort_strategy *s = held->combination.reducer->strategy;
    cohort_failure *failure = &s->executor->failure;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < n; i++)
        cohort_crossing_show(&held[i].crossing, held[i].combination.bytes);
    if (!cohort_failure_is_set(failure))
        status = cross(held, n, s->workers);
    if (status < 0)
        cohort_failure_raise_own(failure, status);
    for (int32_t i = 0; i < n; i++) {
        if (cohort_failure_is_set(failure))
            cohort_transfer_fail(held[i].dst, "a reduction");
        cohort_combination_round(&held[i].combination, held[i].dst);
        cohort_crossing_end(&held[i].crossing, s);
    }
}

static void cross_held(cohort_reducer *r)
{
    if (r->n_held > 0)
        cross_all(r->held, r->n_held);
    r->n_held = 0;
    r->held_bytes = 0;
}

cohort_status cohort_reducer_hold(cohort_reducer *r, int64_t n)
{
    int32_t most = n < COHORT_WORKERS_SUMS ? (int32_t)n : COHORT_WORKERS_SUMS;
    if (r->strategy->workers == NULL || r->strategy->is_trial)
        return COHORT_OK;
    r->held = cohort_allocate((size_t)most, sizeof *r->held);
    r->held_most = most;
    return r->held != NULL ? COHORT_OK : cohort_error_memory("a list of reductions");
}

void cohort_reducer_cross(cohort_reducer *r)
{
    cross_held(r);
    cohort_free(r->held);
    r->held = NULL;
}

/* Which sums cross together depends on what all workers know of them, so that all have the same
 * together. One that crosses alone lets the others go first: what is held keeps its scratch. */
void cohort_combination_across(const cohort_combination *c, uint64_t divisor, cohort_buffer *dst)
{
    cohort_reducer *r = c->reducer;
    cohort_held one, *held = &one;
    const uint64_t most = cohort_pack_bytes(r->strategy);
    bool is_alone = r->held == NULL || c->bytes > most;
    if (is_alone || r->n_held == r->held_most || r->held_bytes + c->bytes > most)
        cross_held(r);
    if (!is_alone) {
        held = &r->held[r->n_held++];
        r->held_bytes += c->bytes;
    }
    *held = (cohort_held){ .combination = *c, .divisor = divisor, .dst = dst };
    form_roots(c, dst->context->index, &held->crossing);
    if (is_alone)
        cross_all(held, 1);
}
