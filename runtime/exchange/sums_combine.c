/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots are combined along the tree over all replicas. */
#include "config.h"

#include "runtime/exchange/sums.h"

#include "runtime/arithmetic/reduction.h"

typedef struct term_list {
    cohort_term terms[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS];
    uint32_t n;
} term_list;

static int32_t terms_of(const cohort_sum *s, cohort_sum_node n)
{
    int32_t terms = 0;
    for (int32_t i = n.first; i < n.end; i++)
        terms += s->pointers[i] != NULL;
    return terms;
}

static cohort_status fold(const cohort_sum *s, const term_list *list, uint64_t divisor, void *into)
{
    const cohort_reduction r = { .struct_size = sizeof r,
                                 .order = COHORT_ORDER_STACK,
                                 .op = s->what->op,
                                 .type = s->what->dtype,
                                 .nterms = list->n,
                                 .count = s->count,
                                 .divisor = divisor,
                                 .terms = list->terms };
    return cohort_reduction_run(&r, list->pointers, into, 0, s->count);
}

static void add_term(term_list *list, const void *pointer)
{
    list->pointers[list->n] = pointer;
    list->terms[list->n++] = (cohort_term){ .merges = 0 };
}

static cohort_status collect(cohort_sum *s, cohort_sum_node n, term_list *list);

static cohort_status add_made(cohort_sum *s, cohort_sum_node n, term_list *list)
{
    term_list own; /* not cleared: it is large */
    own.n = 0;
    void *into = s->next_node;
    s->next_node += cohort_sum_room(s->count * s->item);
    cohort_status status = collect(s, n, &own);
    if (status >= 0)
        status = fold(s, &own, 1, into);
    add_term(list, into);
    return status;
}

static cohort_status collect_half(cohort_sum *s, cohort_sum_node n, bool is_too_long,
                                  term_list *list)
{
    return is_too_long && terms_of(s, n) > 1 ? add_made(s, n, list) : collect(s, n, list);
}

/* As the reducer cuts its tree: at a node, where a fold would have too many terms. */
static cohort_status collect(cohort_sum *s, cohort_sum_node n, term_list *list)
{
    int32_t terms = terms_of(s, n);
    if (terms == 0)
        return COHORT_OK;
    if (n.end - n.first == 1) {
        add_term(list, s->pointers[n.first]);
        return COHORT_OK;
    }
    bool is_too_long = terms > (int32_t)COHORT_MAX_TERMS;
    int32_t middle = cohort_roots_middle(s->workers->roots, n.first, n.end);
    uint32_t before = list->n;
    cohort_status status = collect_half(s, (cohort_sum_node){ n.first, middle }, is_too_long, list);
    uint32_t between = list->n;
    if (status >= 0)
        status = collect_half(s, (cohort_sum_node){ middle, n.end }, is_too_long, list);
    if (status >= 0 && between > before && list->n > between)
        list->terms[list->n - 1].merges++;
    return status;
}

cohort_status cohort_sum_combine_node(cohort_sum *s, cohort_sum_node node, void *room,
                                      const void **out)
{
    term_list list; /* not cleared: it is large */
    list.n = 0;
    s->next_node = s->workers->room;
    cohort_status status = collect(s, node, &list);
    *out = list.n > 1 ? room : list.n == 1 ? list.pointers[0] : NULL;
    return status >= 0 && list.n > 1 && s->count > 0 ? fold(s, &list, 1, room) : status;
}

cohort_status cohort_sum_combine(cohort_sum *s)
{
    term_list list; /* not cleared: it is large */
    list.n = 0;
    s->next_node = s->workers->room;
    cohort_status status = collect(s, (cohort_sum_node){ 0, s->workers->n_roots }, &list);
    if (status >= 0 && list.n > 0 && s->count > 0)
        status = fold(s, &list, s->what->divisor, (char *)s->what->into + s->first * s->item);
    return status;
}
