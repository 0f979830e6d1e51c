/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/exchange/roots.h"

int32_t cohort_roots_place(const cohort_root roots[], int32_t root)
{
    int32_t place = 0;
    while (root - place > 0 && roots[root - place - 1].worker == roots[root].worker)
        place++;
    return place;
}

int32_t cohort_roots_middle(const cohort_root roots[], int32_t first, int32_t end)
{
    int32_t a = roots[first].first, b = roots[end - 1].end;
    int32_t middle = a + cohort_roots_split(b - a), i = first;
    while (roots[i].first < middle)
        i++;
    return i;
}

typedef struct listing {
    const int32_t *first;
    int32_t worker; /* of the replica that is looked at */
    cohort_root *roots;
    int32_t n;
} listing;

/* In the order of the replicas, so that the worker only ever moves on. */
static void list_node(listing *l, int32_t a, int32_t b)
{
    while (l->first[l->worker + 1] <= a)
        l->worker++;
    if (b <= l->first[l->worker + 1]) {
        l->roots[l->n++] = (cohort_root){ a, b, l->worker };
        return;
    }
    int32_t middle = a + cohort_roots_split(b - a);
    list_node(l, a, middle);
    list_node(l, middle, b);
}

int32_t cohort_roots_list(const int32_t first[], int32_t n_workers, cohort_root roots[])
{
    listing l = { .first = first, .roots = roots };
    list_node(&l, 0, first[n_workers]);
    return l.n;
}
