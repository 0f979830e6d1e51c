/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/reducer.h"

#include "runtime/base/memory.h"
#include "runtime/device/integers.h"
#include "runtime/device/transfer.h"

#include <cohort/array.h>

/* ------------------------------------------------------------------ making and scratch */

static void destroy_reducer(cohort_dependent *dependent)
{
    cohort_reducer *r = (cohort_reducer *)dependent;
    cohort_strategy_disown(dependent);
    for (int32_t d = 0; r->scratch != NULL && d < r->strategy->n_devices; d++) {
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            cohort_buffer_destroy(r->scratch[d].buffers[i]);
        cohort_free(r->scratch[d].buffers);
    }
    cohort_free(r->scratch);
    cohort_free(r->leaves);
    cohort_free(r);
}

static void settle_reducer(cohort_dependent *dependent)
{
    const cohort_reducer *r = (const cohort_reducer *)dependent;
    for (int32_t d = 0; d < r->strategy->n_devices; d++)
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            (void)cohort_buffer_settle(r->scratch[d].buffers[i]);
}

cohort_reducer *cohort_reducer_of(cohort_strategy *strategy)
{
    if (strategy->reducer != NULL)
        return strategy->reducer;
    cohort_reducer *r = cohort_allocate(1, sizeof *r);
    if (r != NULL) {
        r->strategy = strategy;
        r->dependent = (cohort_dependent){ .destroy = destroy_reducer, .settle = settle_reducer };
        r->scratch = cohort_allocate((size_t)strategy->n_devices, sizeof *r->scratch);
        r->leaves = cohort_allocate((size_t)strategy->n_replicas, sizeof *r->leaves);
    }
    if (r == NULL || r->scratch == NULL || r->leaves == NULL) {
        if (r != NULL)
            cohort_free(r->scratch), cohort_free(r->leaves);
        cohort_free(r);
        (void)cohort_error_memory("a reduction");
        return NULL;
    }
    cohort_strategy_adopt(strategy, &r->dependent);
    return strategy->reducer = r;
}

void cohort_reducer_restart(cohort_reducer *reducer)
{
    for (int32_t d = 0; d < reducer->strategy->n_devices; d++)
        reducer->scratch[d].used = 0;
}

cohort_buffer *cohort_reducer_scratch(cohort_reducer *reducer, int32_t device, uint64_t bytes)
{
    cohort_scratch *s = &reducer->scratch[device];
    cohort_crew *crew = reducer->strategy->crew;
    if (s->used == s->count) {
        bool has_room = cohort_grow((void **)&s->buffers, &s->capacity, (size_t)s->count + 1, sizeof(cohort_buffer *));
        cohort_buffer *made = has_room ? cohort_buffer_create(crew, crew->opened[device]) : NULL;
        if (made == NULL) {
            cohort_failure_raise(&crew->failure, cohort_error_memory("a reduction"));
            return NULL;
        }
        s->buffers[s->count++] = made;
    }
    cohort_buffer *buffer = s->buffers[s->used++];
    cohort_buffer_require(buffer, bytes);
    return buffer;
}

/* ------------------------------------------------------------------ the tree */

/* One reduction; the list of terms is that of the fold being collected. */
typedef struct combination {
    cohort_reducer *reducer;
    cohort_reduce_op op;
    cohort_dtype dtype;
    uint64_t count, bytes;
} combination;

typedef struct term_list {
    cohort_fold_term terms[COHORT_MAX_TERMS];
    int32_t n;
} term_list;

int32_t cohort_reducer_split(int32_t n)
{
    int32_t m = 1;
    while (2 * m < n)
        m *= 2;
    return m;
}

static bool can_reach(const combination *c, int32_t from, int32_t device)
{
    return c->reducer->strategy->crew->opened[from]->can_access[device];
}

/* All replicas of [a, b) on one device that `where` cannot reach? */
static bool is_remote(const combination *c, int32_t where, int32_t a, int32_t b)
{
    const int32_t *host = c->reducer->strategy->host;
    const cohort_buffer *leaf = c->reducer->leaves[a]; /* a plain value lies on one device for all replicas */
    int32_t first = leaf != NULL ? leaf->opened->index : host[a];
    for (int32_t r = a; r < b; r++) {
        leaf = c->reducer->leaves[r];
        if ((leaf != NULL ? leaf->opened->index : host[r]) != first)
            return false;
    }
    return !can_reach(c, where, first);
}

static int32_t count_present(const combination *c, int32_t a, int32_t b)
{
    int32_t n = 0;
    for (int32_t r = a; r < b; r++)
        n += c->reducer->leaves[r] != NULL;
    return n;
}

/* How many terms node [a, b) has in a fold on `where`. */
static int32_t count_terms(const combination *c, int32_t where, int32_t a, int32_t b)
{
    int32_t present = count_present(c, a, b);
    if (present <= 1 || is_remote(c, where, a, b))
        return present < 1 ? present : 1;
    int32_t m = cohort_reducer_split(b - a);
    return count_terms(c, where, a, a + m) + count_terms(c, where, a + m, b);
}

static void collect(const combination *c, int32_t where, int32_t a, int32_t b, term_list *list);

/* Node [a, b), combined on a device into a scratch buffer of it; a single leaf is itself. */
static cohort_buffer *materialise(const combination *c, int32_t where, int32_t a, int32_t b)
{
    term_list list = { .n = 0 };
    collect(c, where, a, b, &list);
    if (list.n == 1)
        return list.terms[0].buffer;
    cohort_buffer *into = cohort_reducer_scratch(c->reducer, where, c->bytes);
    if (into != NULL && list.n > 0)
        cohort_fold_post(c->op, c->dtype, list.terms, list.n, into, c->count, 1);
    return into;
}

static void add_term(term_list *list, cohort_buffer *buffer)
{
    if (buffer != NULL) /* else the failure is set, and nothing more is done */
        list->terms[list->n++] = (cohort_fold_term){ .buffer = buffer };
}

/* A node that lies on one remote device: combined there, then brought here. */
static void collect_remote(const combination *c, int32_t where, int32_t a, int32_t b, term_list *list)
{
    int32_t first = a;
    while (c->reducer->leaves[first] == NULL)
        first++;
    cohort_buffer *there = materialise(c, c->reducer->leaves[first]->opened->index, a, b);
    cohort_buffer *here = there != NULL ? cohort_reducer_scratch(c->reducer, where, c->bytes) : NULL;
    if (here != NULL)
        cohort_transfer_copy(here, there, c->bytes);
    add_term(list, here);
}

static int32_t collect_child(const combination *c, int32_t where, int32_t a, int32_t b, bool is_too_long,
                             term_list *list)
{
    int32_t before = list->n;
    if (is_too_long && count_terms(c, where, a, b) > 1)
        add_term(list, materialise(c, where, a, b));
    else
        collect(c, where, a, b, list);
    return list->n - before;
}

/* Append the stack program of node [a, b). Where it would be longer than a fold may be, both children are combined
 * first: the tree is cut at a node, which changes no bit. */
static void collect(const combination *c, int32_t where, int32_t a, int32_t b, term_list *list)
{
    int32_t present = count_present(c, a, b);
    if (present == 0)
        return;
    if (is_remote(c, where, a, b)) {
        collect_remote(c, where, a, b, list);
    } else if (b - a == 1) {
        add_term(list, c->reducer->leaves[a]);
    } else {
        int32_t m = cohort_reducer_split(b - a);
        bool is_too_long = count_terms(c, where, a, b) > (int32_t)COHORT_MAX_TERMS;
        int32_t left = collect_child(c, where, a, a + m, is_too_long, list);
        int32_t right = collect_child(c, where, a + m, b, is_too_long, list);
        if (left > 0 && right > 0)
            list->terms[list->n - 1].merges++;
    }
}

void cohort_reducer_combine(cohort_reducer *reducer, cohort_reduce_op op, cohort_dtype dtype, uint64_t count,
                            uint64_t divisor, cohort_buffer *dst)
{
    combination c = { .reducer = reducer,
                      .op = op == COHORT_MEAN ? COHORT_SUM : op,
                      .dtype = dtype,
                      .count = count,
                      .bytes = count * (uint64_t)cohort_dtype_bytes(dtype) };
    term_list list = { .n = 0 };
    if (count == 0)
        return;
    collect(&c, dst->opened->index, 0, reducer->strategy->n_replicas, &list);
    if (cohort_failure_is_set(&dst->crew->failure))
        cohort_transfer_fail(dst, "a reduction"); /* a term may be missing; whatever failed first is kept */
    else if (list.n > 0)
        cohort_fold_post(c.op, dtype, list.terms, list.n, dst, count, divisor);
}

void cohort_reducer_divide_integers(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count, uint64_t divisor,
                                    cohort_buffer *dst)
{
    uint64_t limbs = count * cohort_integers_limbs(dtype);
    cohort_buffer *sums = cohort_reducer_scratch(reducer, dst->opened->index, limbs * sizeof(int64_t));
    if (sums == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    cohort_reducer_combine(reducer, COHORT_SUM, COHORT_I64, limbs, 1, sums);
    cohort_integers_post_quotient(dtype, sums, count, divisor, dst);
}
