/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of 16-bit floats, combined in float32. Sums and products of many of them lose what the type
 * has too few digits for, so they are rounded once, at the end. */
#ifndef COHORT_ARITHMETIC_ROW_FOLD_WIDE_H
#define COHORT_ARITHMETIC_ROW_FOLD_WIDE_H

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/row_fold.h"

/* The loops of a type and an operation. */
typedef struct cohort_rows_wide {
    cohort_arithmetic_convert_fn widen, narrow;
    cohort_arithmetic_combine_fn combine, multiply; /* of float32, as what follows */
    cohort_arithmetic_columns_fn columns;
    cohort_arithmetic_weigh_fn weigh;
    ptrdiff_t item; /* bytes of an element of the type */
} cohort_rows_wide;

/* Whether it is an operation of a type whose rows are combined so. */
bool cohort_rows_wide_has(cohort_reduce_op op, cohort_dtype type);

cohort_rows_wide cohort_rows_wide_of(cohort_reduce_op op, cohort_dtype type);

/* At most 128 rows of an array, in order. */
typedef struct cohort_wide_block {
    const unsigned char *from; /* the first element */
    size_t rows, width;        /* width: elements of a row; or columns of one element a row each */
    ptrdiff_t stride;          /* elements from a row to the next */
    ptrdiff_t column;          /* elements from a column to the next */
    /* NULL: none. Else of the first row, elements from one to the next, 0: one for all rows; and
     * from those of a column to those of the next, 0: they are the same */
    const unsigned char *weights;
    ptrdiff_t weight_stride, weight_column;
} cohort_wide_block;

enum { COHORT_WIDE_ROWS = 128, COHORT_WIDE_WIDTH = 1024 };

/* into[i] = the elements i of all rows, of which each has at most COHORT_WIDE_WIDTH beside each
 * other. */
void cohort_rows_wide_rows(const cohort_rows_wide *wide, const cohort_wide_block *block,
                           float *into);

/* into[c] = the rows of column c, however many columns there are and wherever they lie. */
void cohort_rows_wide_columns(const cohort_rows_wide *wide, const cohort_wide_block *block,
                              float *into);

#endif
