/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots: the nodes of a tree over the replicas of all workers that are as large as can be and whose
 * replicas are all of one worker. */
#ifndef COHORT_EXCHANGE_ROOTS_H
#define COHORT_EXCHANGE_ROOTS_H

#include "runtime/base/error.h"

/* At least as many as a worker has: 2 log2(R) - 2, or 1. */
enum { COHORT_ROOTS_MOST = 32 };

typedef struct cohort_root {
    int32_t first, end; /* replicas first .. end - 1 */
    int32_t worker;
} cohort_root;

/* The left half of a node of n replicas, at least 2: the largest power of two below n (RFC 6962,
 * section 2.1). */
static inline int32_t cohort_roots_split(int32_t n)
{
    return INT32_C(1) << (31 - __builtin_clz((unsigned)n - 1));
}

/* The position of a root among those of its worker. */
int32_t cohort_roots_place(const cohort_root roots[], int32_t root);

/* Roots of one worker that are there, as a mask: the bit of a root, and what a mask says of it. */
static inline uint64_t cohort_roots_bit(const cohort_root roots[], int32_t root)
{
    return UINT64_C(1) << cohort_roots_place(roots, root);
}

static inline bool cohort_roots_is_in(const cohort_root roots[], uint64_t mask, int32_t root)
{
    return (mask & cohort_roots_bit(roots, root)) != 0;
}

/* Roots first .. end - 1 are all of a node of the tree, and several: the first of its right
 * half. */
int32_t cohort_roots_middle(const cohort_root roots[], int32_t first, int32_t end);

/* List the roots of workers with replicas first[w] .. first[w + 1] - 1, in the order of the
 * replicas, in a list with room for COHORT_ROOTS_MOST of each worker. Returns how many there
 * are. */
int32_t cohort_roots_list(const int32_t first[], int32_t n_workers, cohort_root roots[]);

#endif
