/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers of a sign and a magnitude, in the types that arrays have. */
#ifndef COHORT_FORMAT_CSV_INTEGER_H
#define COHORT_FORMAT_CSV_INTEGER_H

#include <cohort/codes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest number of an integer type, and the magnitude of its smallest. X(dtype, type, largest,
 * smallest) */
#define COHORT_CSV_INTEGERS(X)                                                                     \
    X(I8, int8_t, INT8_MAX, (uint64_t)INT8_MAX + 1)                                                \
    X(U8, uint8_t, UINT8_MAX, 0)                                                                   \
    X(I16, int16_t, INT16_MAX, (uint64_t)INT16_MAX + 1)                                            \
    X(U16, uint16_t, UINT16_MAX, 0)                                                                \
    X(I32, int32_t, INT32_MAX, (uint64_t)INT32_MAX + 1)                                            \
    X(U32, uint32_t, UINT32_MAX, 0)                                                                \
    X(I64, int64_t, INT64_MAX, (uint64_t)INT64_MAX + 1)                                            \
    X(U64, uint64_t, UINT64_MAX, 0)

/* false: the type does not have it, nothing is stored. */
bool cohort_csv_store_integer(uint64_t magnitude, bool is_negative, cohort_dtype dtype, void *into);

/* [+-]digits, however many. */
bool cohort_csv_long_integer(const uint8_t *text, size_t bytes, cohort_dtype dtype, void *into);

/* "0 to 255" */
enum { COHORT_CSV_RANGE_BYTES = 64 };
const char *cohort_csv_integer_range(cohort_dtype dtype, char *text);

#endif
