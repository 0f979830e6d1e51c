/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an array in Fortran order, whose elements lie apart in its file, made to lie one behind
 * the other. */
#ifndef COHORT_FORMAT_NPY_TURN_H
#define COHORT_FORMAT_NPY_TURN_H

#include <cohort/array.h>
#include <cohort/status.h>

#include <stdbool.h>
#include <stddef.h>

/* Where the elements are.
 * read         so many bytes from byte `at` of them on
 * is_in_order  all bytes are asked for, from the first to the last, whatever rows are wanted: for
 *              what can only be unpacked; else those of the rows, and few between them */
typedef struct cohort_npy_turn {
    const cohort_array *array; /* of rank 1 or more, with elements; its strides are not looked at */
    bool is_in_order;
    cohort_status (*read)(void *from, int64_t at, void *into, size_t bytes);
    void *from;
} cohort_npy_turn;

/* n rows from row `first` on, which the array has. Takes no memory but 16 KiB of stack. Returns
 * what `read` answers where that is negative, with rows that are not all there. */
cohort_status cohort_npy_turn_rows(const cohort_npy_turn *turn, int64_t first, int64_t n,
                                   void *into);

#endif
