/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix product on one thread of the host: c = alpha a b + beta c, blocked so that what the
 * innermost loop reads lies in the first cache, and in the order that cohort/matmul.h states.
 *
 * Source: Goto, van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34(3),
 * 2008, for blocks and packed panels. */
#ifndef COHORT_MATMUL_PRODUCT_H
#define COHORT_MATMUL_PRODUCT_H

#include <cohort/codes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Strides are in elements: transposed is what has them the other way round. c is row-major. */
typedef struct cohort_product {
    cohort_dtype dtype; /* F32, F64, F16, BF16 */
    const void *a, *b;
    void *c;
    int64_t n, k; /* columns of b and c; terms of a sum */
    int64_t a_row, a_column, b_row, b_column;
    double alpha, beta; /* 0: c is not read */
} cohort_product;

/* The loops in one set of instructions. */
typedef struct cohort_product_set {
    const char *name;
    bool (*is_usable)(void); /* by this machine */
    void (*of_floats)(const cohort_product *product, int64_t row, int64_t rows, int64_t column,
                      int64_t columns);
    void (*of_doubles)(const cohort_product *product, int64_t row, int64_t rows, int64_t column,
                       int64_t columns);
} cohort_product_set;

/* The last one that is usable is taken; the list ends with one without a name. */
extern const cohort_product_set cohort_product_sets[];

/* The elements of c in these rows and columns, whose bits depend neither on the set nor on how c is
 * divided. set: NULL: the one that is taken. Works in memory of its own, in little of it where
 * there is no more. */
void cohort_product_compute(const cohort_product_set *set, const cohort_product *product,
                            int64_t row, int64_t rows, int64_t column, int64_t columns);

#endif
