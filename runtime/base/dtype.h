/* SPDX-License-Identifier: BSD-3-Clause */
/* dtypes: what kind of number an element is, the range of the integers, and one element as a
 * number. Elements may stand at any address.
 *
 * Loops over many elements (arithmetic, scan, csv) have code of their own for each dtype: here the
 * dtype is looked at again for every element. */
#ifndef COHORT_BASE_DTYPE_H
#define COHORT_BASE_DTYPE_H

#include <cohort/array.h>

#include <stdbool.h>

/* The dtypes of COHORT_NUMBER_DTYPES: numbers of which there are arrays, not long double. */
bool cohort_dtype_is_number(cohort_dtype dtype);

/* What the elements of an array may be: a number or a record. */
static inline bool cohort_dtype_is_element(cohort_dtype dtype)
{
    return cohort_dtype_is_number(dtype) || dtype == COHORT_RECORD;
}

/* The integer dtypes; bool is none of them. */
static inline bool cohort_dtype_is_integer(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'i' || cohort_dtype_kind(dtype) == 'u';
}

static inline bool cohort_dtype_is_signed(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'i';
}

/* Bool and the integer dtypes, as std::is_integral of C++ has them. */
static inline bool cohort_dtype_is_integral(cohort_dtype dtype)
{
    return dtype == COHORT_BOOL || cohort_dtype_is_integer(dtype);
}

/* Floating-point numbers that are no complex ones. */
static inline bool cohort_dtype_is_floating(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'f';
}

/* Floating-point numbers with less bits than float32: for storage. What computes with them computes
 * in float32, and rounds to them once. */
static inline bool cohort_dtype_is_narrow(cohort_dtype dtype)
{
    return cohort_dtype_is_floating(dtype) && cohort_dtype_bytes(dtype) < 4;
}

static inline bool cohort_dtype_is_complex(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'c';
}

/* The types that C orders: bool, integers and floating-point numbers. */
static inline bool cohort_dtype_is_real(cohort_dtype dtype)
{
    return cohort_dtype_is_integral(dtype) || cohort_dtype_is_floating(dtype);
}

/* The largest number of bool or an integer dtype, and the smallest. */
uint64_t cohort_dtype_most(cohort_dtype dtype);
int64_t cohort_dtype_least(cohort_dtype dtype);

/* Element i of bool or an integer dtype, in two's complement: of uint64 the bits. */
int64_t cohort_dtype_load_integer(cohort_dtype dtype, const void *elements, int64_t i);

/* Write the lowest bits of an integer as an element of bool or an integer dtype. */
void cohort_dtype_store_integer(cohort_dtype dtype, int64_t number, void *element);

/* Element i of a dtype that is real and has at most 64 bits, rounded once. */
double cohort_dtype_load_real(cohort_dtype dtype, const void *elements, int64_t i);

#endif
