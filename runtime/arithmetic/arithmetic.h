/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of reductions, one for each element type and operation. Every NaN that a loop
 * writes is the canonical one (nan.h). */
#ifndef COHORT_ARITHMETIC_ARITHMETIC_H
#define COHORT_ARITHMETIC_ARITHMETIC_H

#include "runtime/arithmetic/write_arithmetic.h"

#include <cohort/codes.h>

#include <stdbool.h>
#include <stddef.h>

/* into[i] = a[i] op b[i] for n elements; then, for each further row of b, into[i] = into[i] op
 * b[i].
 *
 * into    may be a or b
 * rows    of b, at least 1
 * stride  elements from one row of b to the next */
typedef void (*cohort_arithmetic_combine_fn)(void *into, const void *a, const void *b, size_t rows,
                                             ptrdiff_t stride, size_t n);
typedef void (*cohort_arithmetic_divide_fn)(void *values, uint64_t divisor, size_t n);

/* into[i] = (a[i] + b[i]) / divisor, the sum rounded before it is divided: the last step of a mean.
 * into may be a or b. */
typedef void (*cohort_arithmetic_sum_divide_fn)(void *into, const void *a, const void *b,
                                                uint64_t divisor, size_t n);

/* values[i] = values[i] / *divisor, which is of the same type. float32 and float64: means of 16-bit
 * floats are float32 until they are divided, for which these have no sum_divide and add_weighed
 * either. */
typedef void (*cohort_arithmetic_quotient_fn)(void *values, const void *divisor, size_t n);

/* into[i] = the tree over `nterms` (4 or 8) terms: ((t0 + t1) + (t2 + t3)) and so on. into may be a
 * term. */
typedef void (*cohort_arithmetic_fused_fn)(void *into, const void *const *terms, size_t n);

/* The same of `nterms` (2, 4 or 8) terms into as many arrays, in one pass. Each array may be a
 * term. */
typedef void (*cohort_arithmetic_all_fn)(void *const *into, const void *const *terms, size_t n);

/* into[c] = the elements of column c from above to below: from[c * column], then what lies `stride`
 * elements further, `rows` of them. Of one row, which is at least there, the element as it is. For
 * what a row loop is slow at: few elements beside each other, many below. Columns are folded eight
 * at a time, since one alone waits for each addition. With AVX2 those of float32 whose elements are
 * neighbours are turned into rows in registers. Measured on one thread of an Emerald Rapids,
 * elements a cycle in the second-level cache: 4.2, and 2.0 as they lie.
 *
 * into    may be from where column is at least 1 */
typedef void (*cohort_arithmetic_columns_fn)(void *into, const void *from, size_t rows,
                                             ptrdiff_t stride, ptrdiff_t column, size_t columns);

/* into[i] = a[i] * *weight, which is of the same type, rounded to it: one element of `prod`. into
 * may be a. Real floating types, as in all loops with weights. */
typedef void (*cohort_arithmetic_weigh_fn)(void *into, const void *a, const void *weight, size_t n);

/* into[i] = into[i] + b[i] * w[0], where the product is rounded before it is added: never one
 * operation; then, for each further row of b, the same with the next weight.
 *
 * stride         elements from one row of b to the next
 * weight_stride  elements from one weight to the next; 0: one for all rows */
typedef void (*cohort_arithmetic_add_weighed_fn)(void *into, const void *b, const void *weights,
                                                 size_t rows, ptrdiff_t stride,
                                                 ptrdiff_t weight_stride, size_t n);

/* As cohort_arithmetic_fused_fn, of 2, 4 or 8 terms, each multiplied by its weight and rounded
 * before. weights[t] points to the one of terms[t]. */
typedef void (*cohort_arithmetic_fused_weighed_fn)(void *into, const void *const *terms,
                                                   const void *const *weights, size_t n);

/* into[i] = a[i], from a narrow float to float32, or from float32 rounded to a narrow float: for
 * what is carried in float32 and rounded once. into does not overlap a. */
typedef void (*cohort_arithmetic_convert_fn)(void *into, const void *a, size_t n);

/* The loops of one element type, by reduction where there are such lists; NULL: the type has no
 * such operation, or no fused form of it. */
typedef struct cohort_arithmetic_row {
    cohort_arithmetic_combine_fn combine[COHORT_REDUCE_OPS_END];
    cohort_arithmetic_columns_fn columns[COHORT_REDUCE_OPS_END];
    cohort_arithmetic_divide_fn divide;
    cohort_arithmetic_sum_divide_fn sum_divide;
    cohort_arithmetic_quotient_fn quotient;
    cohort_write_arithmetic_fn subtract, ratio; /* true; ratios are of real floating types */
    cohort_arithmetic_fused_fn sum4, sum8;
    cohort_arithmetic_all_fn sum2_all, sum4_all, sum8_all;
    cohort_arithmetic_weigh_fn weigh;
    cohort_arithmetic_add_weighed_fn add_weighed;
    cohort_arithmetic_fused_weighed_fn sum2_weighed, sum4_weighed, sum8_weighed;
    cohort_arithmetic_convert_fn widen, narrow; /* to float32, from it; of narrow floats */
} cohort_arithmetic_row;

enum { COHORT_ARITHMETIC_TYPES = COHORT_NUMBER_DTYPES_END };

/* The loops by dtype in the instructions of some machines. All sets give the same bits. */
typedef struct cohort_arithmetic_set {
    const char *name;
    const cohort_arithmetic_row *rows; /* [COHORT_ARITHMETIC_TYPES] */
    bool (*is_usable)(void);           /* by this machine */
} cohort_arithmetic_set;

/* The first is for every machine of this architecture; the last one that is usable is taken.
 * Measured on one thread of a Zen 3, GB/s of sums in the second-level cache, plain and with AVX2:
 * float16 2.4 and 52, bfloat16 15 and 40, float32 49 and 130, float64 77 and 155. On an Emerald
 * Rapids, with AVX2 and with AVX-512: float16 63 and 90, bfloat16 39 and 50, float32 126 and 142;
 * of float32 in the first-level cache 161 and 223, and MIN of float64 there 152 and 213. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define COHORT_ARITHMETIC_HAS_AVX2
extern const cohort_arithmetic_row cohort_arithmetic_avx2[COHORT_ARITHMETIC_TYPES];
#endif
/* By compilers that can be told how long vectors are to be. */
#if defined(__x86_64__) && ((defined(__clang__) && __clang_major__ >= 12) ||                       \
                            (!defined(__clang__) && defined(__GNUC__) && __GNUC__ >= 8))
#define COHORT_ARITHMETIC_HAS_AVX512
extern const cohort_arithmetic_row cohort_arithmetic_avx512[COHORT_ARITHMETIC_TYPES];
#endif
extern const cohort_arithmetic_row cohort_arithmetic_plain[COHORT_ARITHMETIC_TYPES];

enum {
    COHORT_ARITHMETIC_SETS = 1
#ifdef COHORT_ARITHMETIC_HAS_AVX2
                             + 1
#endif
#ifdef COHORT_ARITHMETIC_HAS_AVX512
                             + 1
#endif
};
extern const cohort_arithmetic_set cohort_arithmetic_sets[COHORT_ARITHMETIC_SETS];

/* A loop of the set that is taken; NULL: there is none. */
cohort_arithmetic_combine_fn cohort_arithmetic_find(uint32_t op, uint32_t type);
cohort_arithmetic_fused_fn cohort_arithmetic_find_fused(uint32_t op, uint32_t type,
                                                        uint32_t nterms);
cohort_arithmetic_all_fn cohort_arithmetic_find_all(uint32_t op, uint32_t type, uint32_t nterms);
cohort_arithmetic_columns_fn cohort_arithmetic_find_columns(uint32_t op, uint32_t type);
cohort_arithmetic_divide_fn cohort_arithmetic_find_divide(uint32_t type);
cohort_arithmetic_sum_divide_fn cohort_arithmetic_find_sum_divide(uint32_t op, uint32_t type);
cohort_arithmetic_quotient_fn cohort_arithmetic_find_quotient(uint32_t type);
cohort_write_arithmetic_fn cohort_arithmetic_find_subtract(uint32_t type);
cohort_write_arithmetic_fn cohort_arithmetic_find_ratio(uint32_t type);
cohort_arithmetic_weigh_fn cohort_arithmetic_find_weigh(uint32_t type);
cohort_arithmetic_add_weighed_fn cohort_arithmetic_find_add_weighed(uint32_t op, uint32_t type);
cohort_arithmetic_fused_weighed_fn cohort_arithmetic_find_fused_weighed(uint32_t op, uint32_t type,
                                                                        uint32_t nterms);

cohort_arithmetic_convert_fn cohort_arithmetic_find_widen(uint32_t type);
cohort_arithmetic_convert_fn cohort_arithmetic_find_narrow(uint32_t type);

/* COHORT_ENOTSUP with a text, for what find has answered with NULL. */
cohort_status cohort_arithmetic_unsupported(uint32_t op, uint32_t type);

#endif
