/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of one array, weighed or not, combined in one pass. */
#ifndef COHORT_ARITHMETIC_ROW_FOLD_H
#define COHORT_ARITHMETIC_ROW_FOLD_H

#include <cohort/plugin.h>

#include <stdbool.h>

/* An array of outer x rows x inner elements. Element (o, row, i) is at o * outer_stride + row *
 * stride + i: so a slice along any of the three is another cohort_rows of the same array. */
typedef struct cohort_rows {
    cohort_reduce_op op; /* SUM, PROD, MIN or MAX */
    cohort_dtype type;
    const void *from;
    int64_t outer, rows, inner;   /* rows is at least 1 */
    int64_t outer_stride, stride; /* in elements; stride 0 repeats a row */
    const void *weights;          /* NULL: none. Else of the type, which is a real floating one */
    int64_t weight_stride;        /* 1: weights[row] is that of a row; 0: one for all rows */
    bool keeps_float32; /* of SUM and PROD of 16-bit floats: into is of float32, and not rounded */
} cohort_rows;

/* into, outer x inner without gaps, becomes for each of its elements the rows from above to below
 * within blocks of 128, and the results of the blocks by the tree of cohort_reduce. With weights
 * each element is multiplied by that of its row, rounded to the type, and then combined: the bits
 * are those of a product of the whole array first. Rules of the operations are those of
 * cohort_reduction_run. into does not overlap the array.
 *
 * Sums and products of 16-bit floats are those of the same numbers in float32, products with
 * weights too, rounded to the type once, at the end: in 8 or 11 binary digits 2,000 numbers of one
 * size no longer add up. Of n additions that a number takes part in, at most 127 + log2 of the
 * blocks, the error is at most n * 2^-24 of the sum of the absolute values, to first order, before
 * it is rounded. Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section
 * 4.2.
 *
 * COHORT_EINVAL for a shape that there is not, COHORT_ENOTSUP for a type without that op, without
 * weights, or whose op is not in float32. Allocates nothing. Threads: any. */
cohort_status cohort_row_fold(const cohort_rows *rows, void *into);

#endif
