/* SPDX-License-Identifier: BSD-3-Clause */
/* The types that tensors have in the safetensors format.
 * Source  the package safetensors, version 0.8.0: its Dtype. */
#ifndef COHORT_FORMAT_TENSOR_TYPE_H
#define COHORT_FORMAT_TENSOR_TYPE_H

#include <cohort/array.h>

#include <stdbool.h>

typedef struct cohort_tensor_type {
    const char *name;
    int32_t bits;       /* of one element */
    cohort_dtype dtype; /* COHORT_VOID: arrays have none such */
} cohort_tensor_type;

/* By the format's name; NULL when there is none. */
const cohort_tensor_type *cohort_tensor_type_find(const char *name);

/* As which a dtype is written: its own, or U8, whose elements are then bytes. */
const cohort_tensor_type *cohort_tensor_type_of(cohort_dtype dtype);

/* Bytes of a tensor; false where its extents multiply to more than 63 bits hold, or its bits are no
 * whole bytes. */
bool cohort_tensor_type_bytes(const cohort_tensor_type *type, int32_t rank, const int64_t shape[],
                              int64_t *out_bytes);

#endif
