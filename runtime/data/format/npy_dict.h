/* SPDX-License-Identifier: BSD-3-Clause */
/* The dictionary in the header of a .npy file: a Python literal with the keys descr, fortran_order
 * and shape. */
#ifndef COHORT_FORMAT_NPY_DICT_H
#define COHORT_FORMAT_NPY_DICT_H

#include <cohort/array.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct cohort_npy_dict {
    /* dtype, item_bytes, rank and shape alone; extents are not negative, their product was not
     * looked at */
    cohort_array array;
    bool is_swapped, is_fortran;
} cohort_npy_dict;

/* Read `bytes` bytes of text, which are at byte `offset` of the file that messages call `name`.
 *
 * has_longs  extents may be written 3L, as Python 2 wrote them
 * As NumPy: keys in any order, any white space, either quotes, commas behind the last element.
 * Stricter: each key once, extents in plain decimal, no escapes. COHORT_EINVAL with the byte,
 * COHORT_ENOTSUP for dtypes and ranks that arrays do not have. */
cohort_status cohort_npy_dict_parse(const char *name, int64_t offset, const char *text,
                                    size_t bytes, bool has_longs, cohort_npy_dict *out);

/* The dictionary as NumPy writes it, with the room it leaves for the first axis to grow. Returns
 * its bytes, 0 when NumPy has no such dtype. At most 400 bytes are needed. */
size_t cohort_npy_dict_write(const cohort_array *array, char *text, size_t capacity);

#endif
