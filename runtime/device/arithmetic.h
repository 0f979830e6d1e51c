/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of reductions, one for each element type and operation. Every NaN in what they write is the canonical
 * one (nan.h). */
#ifndef COHORT_DEVICE_ARITHMETIC_H
#define COHORT_DEVICE_ARITHMETIC_H

#include <cohort/codes.h>

#include <stddef.h>

/* into[i] = a[i] op b[i] for n elements; then, while rows (at least 1) are left, into[i] = into[i] op the next row of
 * b, `stride` elements further on. into may be a or b. */
typedef void (*cohort_arithmetic_combine_fn)(void *into, const void *a, const void *b, size_t rows, ptrdiff_t stride,
                                             size_t n);
typedef void (*cohort_arithmetic_divide_fn)(void *values, uint64_t divisor, size_t n);

/* values[i] = values[i] / *divisor, which is of the same type. Real floating types. */
typedef void (*cohort_arithmetic_quotient_fn)(void *values, const void *divisor, size_t n);

/* into[i] = the tree over `nterms` (4 or 8) terms: ((t0 + t1) + (t2 + t3)) and so on. into may be a term. */
typedef void (*cohort_arithmetic_fused_fn)(void *into, const void *const *terms, size_t n);

/* NULL: the type has no such operation, or no fused form of it. */
cohort_arithmetic_combine_fn cohort_arithmetic_find(uint32_t op, uint32_t type);
cohort_arithmetic_fused_fn cohort_arithmetic_find_fused(uint32_t op, uint32_t type, uint32_t nterms);
cohort_arithmetic_divide_fn cohort_arithmetic_find_divide(uint32_t type);
cohort_arithmetic_quotient_fn cohort_arithmetic_find_quotient(uint32_t type);

#endif
