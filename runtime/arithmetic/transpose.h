/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of 16-bit elements turned into rows, in the vectors that every machine has. */
#ifndef COHORT_ARITHMETIC_TRANSPOSE_H
#define COHORT_ARITHMETIC_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

enum { TRANSPOSE_SIDE = 8 };

typedef uint16_t transpose_row __attribute__((vector_size(2 * TRANSPOSE_SIDE)));

/* One that may lie anywhere. */
typedef uint16_t transpose_row_at
    __attribute__((vector_size(2 * TRANSPOSE_SIDE), aligned(2), may_alias));

/* The elements of the lower halves, or of the upper ones, by turns. */
#if defined(__clang__) || __GNUC__ >= 12
#define TRANSPOSE_LOWER(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TRANSPOSE_UPPER(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define TRANSPOSE_LOWER(a, b) __builtin_shuffle(a, b, (transpose_row){ 0, 8, 1, 9, 2, 10, 3, 11 })
#define TRANSPOSE_UPPER(a, b) __builtin_shuffle(a, b, (transpose_row){ 4, 12, 5, 13, 6, 14, 7, 15 })
#endif

/* Unrolled, so that rows stay in registers. */
#if defined(__clang__)
#define TRANSPOSE_EACH(i, n) for (size_t i = 0; i < (n); i++)
#else
#define TRANSPOSE_EACH(i, n) _Pragma("GCC unroll 8") for (size_t i = 0; i < (n); i++)
#endif

/* Rows i and i + 4 by turns: what is number 8 * i + j goes to 2 * (8 * i + j) modulo 63, and after
 * three times to 8 * j + i. */
static inline void transpose_step(transpose_row into[], const transpose_row from[])
{
    TRANSPOSE_EACH(i, TRANSPOSE_SIDE / 2)
    {
        into[2 * i] = TRANSPOSE_LOWER(from[i], from[i + 4]);
        into[2 * i + 1] = TRANSPOSE_UPPER(from[i], from[i + 4]);
    }
}

/* Element j of row i at into[i * width + j] = element i of column j at from[j * column + i]. */
static inline void transpose_square(const uint16_t *from, ptrdiff_t column, uint16_t *into,
                                    size_t width)
{
    transpose_row a[TRANSPOSE_SIDE], b[TRANSPOSE_SIDE];
    TRANSPOSE_EACH(j, TRANSPOSE_SIDE)
    a[j] = *(const transpose_row_at *)(from + (ptrdiff_t)j * column);
    transpose_step(b, a);
    transpose_step(a, b);
    transpose_step(b, a);
    TRANSPOSE_EACH(i, TRANSPOSE_SIDE) * (transpose_row_at *)(into + i * width) = b[i];
}

/* The same of `width` columns, a multiple of TRANSPOSE_SIDE, of `rows` elements each. */
static inline void transpose_columns(const uint16_t *from, ptrdiff_t column, size_t rows,
                                     uint16_t *into, size_t width)
{
    for (size_t c = 0; c < width; c += TRANSPOSE_SIDE, from += TRANSPOSE_SIDE * column) {
        size_t row = 0;
        for (; row + TRANSPOSE_SIDE <= rows; row += TRANSPOSE_SIDE)
            transpose_square(from + row, column, into + row * width + c, width);
        for (; row < rows; row++)
            for (size_t j = 0; j < TRANSPOSE_SIDE; j++)
                into[row * width + c + j] = from[(ptrdiff_t)j * column + (ptrdiff_t)row];
    }
}

#endif
