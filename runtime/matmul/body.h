/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the functions of cohort/matmul.h, which differ by what they are passed. */
#ifndef COHORT_MATMUL_BODY_H
#define COHORT_MATMUL_BODY_H

#include <cohort/codes.h>

#include <stdbool.h>

/* What else than bounds the bodies are told: bits of their parameter `kind`. */
enum {
    COHORT_MATMUL_TRANSPOSE_A = 1,
    COHORT_MATMUL_TRANSPOSE_B = 2,
    COHORT_MATMUL_BATCH_A = 4,
    COHORT_MATMUL_BATCH_B = 8
};

/* The bodies of one dtype, [accumulate]; prototypes are made by matmul.c.
 *
 * element, real  types in a prototype
 * items          for the host, of any range of the elements of c, whose indices are i of g * m and
 *                j of n
 * whole          for the host, all of c at once, by BLAS where it can; NULL: there is none for it
 * opencl         the kernel; TRANSPOSE_A, TRANSPOSE_B, BATCH_A and BATCH_B are defined as 0 or 1,
 *                and ACCUMULATE where it does */
typedef struct cohort_matmul_bodies {
    const char *element, *real;
    void (*items[2])(void);
    void (*whole[2])(void);
    const char *opencl;
} cohort_matmul_bodies;

/* NULL: products of this dtype there are none. */
const cohort_matmul_bodies *cohort_matmul_bodies_of(cohort_dtype dtype);

#endif
