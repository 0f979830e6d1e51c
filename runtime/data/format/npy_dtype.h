/* SPDX-License-Identifier: BSD-3-Clause */
/* How NumPy's files call the dtypes of arrays: "<f4", and what the package ml_dtypes adds. */
#ifndef COHORT_FORMAT_NPY_DTYPE_H
#define COHORT_FORMAT_NPY_DTYPE_H

#include <cohort/array.h>

#include <stdbool.h>
#include <stddef.h>

/* Set dtype and item_bytes of the array, and whether its numbers lie in the other byte order; a
 * dtype "V8" is structs of 8 bytes. NULL: fine; else what is wrong, and *out_status COHORT_ENOTSUP
 * for a dtype of NumPy that arrays have not, COHORT_EINVAL for what is none. */
const char *cohort_npy_dtype_parse(const char *descr, cohort_array *array, bool *out_is_swapped,
                                   cohort_status *out_status);

/* What is written for the array, in this machine's byte order; text has COHORT_NPY_DTYPE_BYTES.
 * NULL: NumPy has no such dtype. */
enum { COHORT_NPY_DTYPE_BYTES = 32 };
const char *cohort_npy_dtype_write(const cohort_array *array, char *text);

#endif
