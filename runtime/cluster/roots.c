/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/roots.h"

#include "runtime/base/memory.h"

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
    size_t capacity;
    int32_t n;
} listing;

/* In the order of the replicas, so that the worker only ever moves on. False: out of memory. */
static bool list_node(listing *l, int32_t a, int32_t b)
{
    while (l->first[l->worker + 1] <= a)
        l->worker++;
    if (b <= l->first[l->worker + 1]) {
        if (!cohort_grow((void **)&l->roots, &l->capacity, (size_t)l->n + 1, sizeof *l->roots))
            return false;
        l->roots[l->n++] = (cohort_root){ a, b, l->worker };
        return true;
    }
    int32_t middle = a + cohort_roots_split(b - a);
    return list_node(l, a, middle) && list_node(l, middle, b);
}

cohort_root *cohort_roots_make(const int32_t first[], int32_t n_workers, int32_t *out_n)
{
    listing l = { .first = first };
    if (!list_node(&l, 0, first[n_workers])) {
        cohort_free(l.roots);
        (void)cohort_error_memory("a strategy of several workers");
        return NULL;
    }
    *out_n = l.n;
    return l.roots;
}
