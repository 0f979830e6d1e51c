/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/combination.h"

#include "runtime/operation/transfer.h"

cohort_combination cohort_combination_of(cohort_reducer *reducer, cohort_reduce_op op,
                                         cohort_dtype dtype, uint64_t count)
{
    return (cohort_combination){ .reducer = reducer,
                                 .op = op == COHORT_MEAN ? COHORT_SUM : op,
                                 .dtype = dtype,
                                 .count = count,
                                 .bytes = count * (uint64_t)cohort_dtype_bytes(dtype),
                                 .call = reducer->call };
}

void cohort_combination_round(const cohort_combination *c, cohort_buffer *sums)
{
    const cohort_rounding *r = &c->rounding;
    if (r->post != NULL)
        r->post(r->dtype, sums, r->count, r->divisor, r->dst);
}

/* Nodes are numbered in preorder: the left half with m leaves has the 2 m - 1 numbers behind its
 * parent, then the right half begins. */
static int32_t left_half(cohort_tree_node n)
{
    return cohort_roots_split(n.b - n.a);
}

static cohort_tree_node left_of(cohort_tree_node n)
{
    return (cohort_tree_node){ n.index + 1, n.a, n.a + left_half(n) };
}

static cohort_tree_node right_of(cohort_tree_node n)
{
    return (cohort_tree_node){ n.index + 2 * left_half(n), n.a + left_half(n), n.b };
}

/* Are all replicas of the node on one device, which a fold on `where` does not reach? */
static bool is_remote(const cohort_combination *c, int32_t where, cohort_tree_node n)
{
    int32_t device = cohort_combination_known(c, n)->device;
    cohort_context *const *contexts = c->reducer->strategy->executor->contexts;
    return device >= 0 && !cohort_fold_reaches(contexts[where], contexts[device]);
}

/* A plain value lies on one device for all replicas. */
static int32_t device_of(const cohort_combination *c, int32_t replica)
{
    const cohort_buffer *leaf = c->reducer->leaves[replica];
    return leaf != NULL ? leaf->context->index : c->reducer->strategy->host[replica];
}

/* Terms that are scratch are held at once, by the fold that they are of. As many as this, for a
 * node of m leaves, leave ceil(log2 m) + 1 buffers for all that is below it: the left half becomes
 * one, which is held while the right half has its own, one less. */
static int32_t most_held(int32_t n_leaves)
{
    int32_t most = 1;
    for (int32_t m = 1; m < n_leaves; m *= 2)
        most++;
    return most;
}

/* Little of it may be held, for each further fold is an operation. */
enum { LITTLE_BYTES = 64 * 1024 };

static bool holds_too_much(const cohort_combination *c, cohort_tree_node n)
{
    const int32_t held = cohort_combination_known(c, n)->held;
    return held > most_held(n.b - n.a) && (uint64_t)held * c->bytes > LITTLE_BYTES;
}

/* How a fold of a node is cut: both children are combined first, or those of whose terms several
 * are scratch. */
typedef struct how_cut {
    bool is_too_long, holds_too_much;
} how_cut;

static how_cut cut_of(const cohort_combination *c, cohort_tree_node n)
{
    return (how_cut){ cohort_combination_known(c, n)->terms > (int32_t)COHORT_MAX_TERMS,
                      holds_too_much(c, n) };
}

static void survey_leaf(const cohort_combination *c, int32_t where, cohort_tree_node n)
{
    cohort_reducer_node *me = cohort_combination_known(c, n);
    *me = (cohort_reducer_node){ .device = device_of(c, n.a),
                                 .terms = c->reducer->leaves[n.a] != NULL,
                                 .is_whole = true };
    me->held = c->reducer->maker.make != NULL || is_remote(c, where, n) ? me->terms : 0;
}

void cohort_combination_survey(const cohort_combination *c, int32_t where, cohort_tree_node n)
{
    cohort_reducer_node *me = cohort_combination_known(c, n);
    if (n.b - n.a == 1) {
        survey_leaf(c, where, n);
        return;
    }
    cohort_combination_survey(c, where, left_of(n));
    cohort_combination_survey(c, where, right_of(n));
    const cohort_reducer_node *left = cohort_combination_known(c, left_of(n)),
                              *right = cohort_combination_known(c, right_of(n));
    *me = (cohort_reducer_node){ .device = left->device == right->device ? left->device : -1,
                                 .terms = left->terms + right->terms,
                                 .held = left->held + right->held };
    const bool is_brought = me->terms > 1 && is_remote(c, where, n);
    if (is_brought)
        me->terms = me->held = 1;
    const how_cut cut = cut_of(c, n);
    me->is_whole =
        !is_brought && !cut.is_too_long && !cut.holds_too_much && left->is_whole && right->is_whole;
}

void cohort_combination_let_go(const cohort_combination *c, const cohort_terms *list)
{
    for (int32_t i = list->n - 1; i >= 0; i--)
        if (list->is_held[i])
            cohort_reducer_give_back(c->reducer, list->terms[i].buffer);
}

/* What the fold holds was taken last, in the order of the terms. So the first of it on this device
 * is taken again for the result: the fold is in place there. */
cohort_buffer *cohort_combination_make(const cohort_combination *c, int32_t where,
                                       cohort_tree_node n)
{
    cohort_terms list = { .n = 0 };
    cohort_combination_collect(c, where, n, &list);
    if (list.n == 1)
        return list.terms[0].buffer;
    cohort_combination_let_go(c, &list);
    cohort_buffer *into = cohort_reducer_scratch(c->reducer, where, c->bytes);
    if (into != NULL && list.n > 0)
        cohort_fold_post(c->op, c->dtype, list.terms, list.n, into, c->count, 1);
    return into;
}

/* A list never overflows: collect cuts the tree before, at COHORT_MAX_TERMS. */
static void add_term(cohort_terms *list, cohort_fold_term term, bool is_held)
{
    if (term.buffer == NULL) /* the failure is set, and nothing more is done */
        return;
    list->is_held[list->n] = is_held;
    list->terms[list->n++] = term;
}

static void add_leaf(const cohort_combination *c, int32_t replica, cohort_terms *list)
{
    cohort_reducer *r = c->reducer;
    const bool is_made = r->maker.make != NULL;
    cohort_buffer *leaf = is_made ? r->maker.make(r, r->maker.what, replica) : r->leaves[replica];
    add_term(
        list,
        (cohort_fold_term){ .buffer = leaf, .weight = c->has_weights ? r->weights[replica] : NULL },
        is_made);
}

/* A node that lies on one remote device: combined there, then brought here. What it took there is
 * free once it was copied. */
static void collect_remote(const cohort_combination *c, int32_t where, cohort_tree_node n,
                           cohort_terms *list)
{
    int32_t device = cohort_combination_known(c, n)->device;
    const int32_t taken = cohort_reducer_taken(c->reducer, device);
    cohort_combination_survey(c, device, n);
    cohort_buffer *there = cohort_combination_make(c, device, n);
    cohort_buffer *here =
        there != NULL ? cohort_reducer_scratch(c->reducer, where, c->bytes) : NULL;
    if (here != NULL)
        cohort_transfer_copy(here, there, c->bytes);
    cohort_reducer_give(c->reducer, device, taken);
    add_term(list, (cohort_fold_term){ .buffer = here }, true);
}

/* A child that is one term already gains nothing from being combined first. */
static int32_t collect_child(const cohort_combination *c, int32_t where, cohort_tree_node n,
                             how_cut cut, cohort_terms *list)
{
    const cohort_reducer_node *me = cohort_combination_known(c, n);
    int32_t before = list->n;
    if ((cut.is_too_long && me->terms > 1) || (cut.holds_too_much && me->held > 1))
        add_term(list, (cohort_fold_term){ .buffer = cohort_combination_make(c, where, n) }, true);
    else
        cohort_combination_collect(c, where, n, list);
    return list->n - before;
}

/* The tree is cut at a node, which changes no bit. */
void cohort_combination_collect(const cohort_combination *c, int32_t where, cohort_tree_node n,
                                cohort_terms *list)
{
    const cohort_reducer_node *me = cohort_combination_known(c, n);
    if (me->terms == 0)
        return;
    if (is_remote(c, where, n)) {
        collect_remote(c, where, n, list);
    } else if (n.b - n.a == 1) {
        add_leaf(c, n.a, list);
    } else {
        const how_cut cut = cut_of(c, n);
        int32_t left = collect_child(c, where, left_of(n), cut, list);
        int32_t right = collect_child(c, where, right_of(n), cut, list);
        if (left > 0 && right > 0)
            list->terms[list->n - 1].merges++;
    }
}
