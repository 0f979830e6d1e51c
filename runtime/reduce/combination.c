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

void cohort_combination_survey(const cohort_combination *c, int32_t where, cohort_tree_node n)
{
    cohort_reducer_node *me = cohort_combination_known(c, n);
    if (n.b - n.a == 1) {
        *me = (cohort_reducer_node){ device_of(c, n.a), c->reducer->leaves[n.a] != NULL };
        return;
    }
    cohort_combination_survey(c, where, left_of(n));
    cohort_combination_survey(c, where, right_of(n));
    const cohort_reducer_node *left = cohort_combination_known(c, left_of(n)),
                              *right = cohort_combination_known(c, right_of(n));
    *me = (cohort_reducer_node){ left->device == right->device ? left->device : -1,
                                 left->terms + right->terms };
    if (me->terms > 1 && is_remote(c, where, n))
        me->terms = 1;
}

cohort_buffer *cohort_combination_make(const cohort_combination *c, int32_t where,
                                       cohort_tree_node n)
{
    cohort_terms list = { .n = 0 };
    cohort_combination_collect(c, where, n, &list);
    if (list.n == 1)
        return list.terms[0].buffer;
    cohort_buffer *into = cohort_reducer_scratch(c->reducer, where, c->bytes);
    if (into != NULL && list.n > 0)
        cohort_fold_post(c->op, c->dtype, list.terms, list.n, into, c->count, 1);
    return into;
}

/* A list never overflows: collect cuts the tree before, at COHORT_MAX_TERMS. */
static void add_term(cohort_terms *list, cohort_buffer *buffer, cohort_buffer *weight)
{
    if (buffer != NULL) /* else the failure is set, and nothing more is done */
        list->terms[list->n++] = (cohort_fold_term){ .buffer = buffer, .weight = weight };
}

/* A node that lies on one remote device: combined there, then brought here. */
static void collect_remote(const cohort_combination *c, int32_t where, cohort_tree_node n,
                           cohort_terms *list)
{
    int32_t device = cohort_combination_known(c, n)->device;
    cohort_combination_survey(c, device, n);
    cohort_buffer *there = cohort_combination_make(c, device, n);
    cohort_buffer *here =
        there != NULL ? cohort_reducer_scratch(c->reducer, where, c->bytes) : NULL;
    if (here != NULL)
        cohort_transfer_copy(here, there, c->bytes);
    add_term(list, here, NULL);
}

/* A child that is one term already gains nothing from being combined first. */
static int32_t collect_child(const cohort_combination *c, int32_t where, cohort_tree_node n,
                             bool is_too_long, cohort_terms *list)
{
    int32_t before = list->n;
    if (is_too_long && cohort_combination_known(c, n)->terms > 1)
        add_term(list, cohort_combination_make(c, where, n), NULL);
    else
        cohort_combination_collect(c, where, n, list);
    return list->n - before;
}

/* Where the program would be longer than a fold may be, both children are combined first: the tree
 * is cut at a node, which changes no bit. */
void cohort_combination_collect(const cohort_combination *c, int32_t where, cohort_tree_node n,
                                cohort_terms *list)
{
    if (cohort_combination_known(c, n)->terms == 0)
        return;
    if (is_remote(c, where, n)) {
        collect_remote(c, where, n, list);
    } else if (n.b - n.a == 1) {
        add_term(list, c->reducer->leaves[n.a], c->has_weights ? c->reducer->weights[n.a] : NULL);
    } else {
        bool is_too_long = cohort_combination_known(c, n)->terms > (int32_t)COHORT_MAX_TERMS;
        int32_t left = collect_child(c, where, left_of(n), is_too_long, list);
        int32_t right = collect_child(c, where, right_of(n), is_too_long, list);
        if (left > 0 && right > 0)
            list->terms[list->n - 1].merges++;
    }
}
