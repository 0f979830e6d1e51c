/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the caller: checks, and copies between any strides and row-major memory. */
#ifndef COHORT_BASE_ARRAY_H
#define COHORT_BASE_ARRAY_H

#include <cohort/array.h>

#include <stdbool.h>

/* dtype, rank, extents and item size are sane and the bytes fit 63 bits; data is there unless there
 * are no elements (or may be NULL: with can_be_null). COHORT_EINVAL with "who: ...". */
cohort_status cohort_array_check(const cohort_array *array, bool can_be_null, const char *who);

/* Product of extents that were checked. */
int64_t cohort_shape_items(int32_t rank, const int64_t shape[]);

int64_t cohort_array_item_bytes(const cohort_array *array);
bool cohort_array_is_row_major(const cohort_array *array);

void cohort_array_pack(void *row_major, const cohort_array *from);
void cohort_array_unpack(const cohort_array *into, const void *row_major);

enum { COHORT_SHAPE_BYTES = 128 }; /* of the text of a shape; a longer one is cut */

/* "float32[3][4]", for messages; text has COHORT_SHAPE_BYTES. Returns text. */
const char *cohort_shape_to_string(cohort_dtype dtype, int32_t rank, const int64_t shape[],
                                   char *text);

#endif
