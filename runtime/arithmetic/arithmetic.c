/* SPDX-License-Identifier: BSD-3-Clause */
/* The set of loops that this machine uses. Looked up for many elements at a time, so that no loop
 * asks. A type or operation that the library does not know is NULL, which callers answer with an
 * error, since both numbers may come from a plugin. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"

#include "runtime/base/error.h"
#include "runtime/base/reduce_op.h"

#include <cohort/array.h>

#include <stdatomic.h>
#ifdef COHORT_ARITHMETIC_HAS_AVX2
#include <cpuid.h>
#endif

static bool is_always_usable(void)
{
    return true;
}

#ifdef COHORT_ARITHMETIC_HAS_AVX2
/* Not every compiler knows the name of F16C here. That the system keeps the registers of both is in
 * its answer for AVX2. */
static bool has_avx2_and_f16c(void)
{
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
}
#endif

#ifdef COHORT_ARITHMETIC_HAS_AVX512
static bool has_late_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi2") && has_avx2_and_f16c();
}
#endif

const cohort_arithmetic_set cohort_arithmetic_sets[COHORT_ARITHMETIC_SETS] = {
    { "plain", cohort_arithmetic_plain, is_always_usable },
#ifdef COHORT_ARITHMETIC_HAS_AVX2
    { "avx2", cohort_arithmetic_avx2, has_avx2_and_f16c },
#endif
#ifdef COHORT_ARITHMETIC_HAS_AVX512
    { "avx512", cohort_arithmetic_avx512, has_late_avx512 },
#endif
};

static const cohort_arithmetic_row *choose(void)
{
    int best = COHORT_ARITHMETIC_SETS - 1;
    while (!cohort_arithmetic_sets[best].is_usable())
        best--;
    return cohort_arithmetic_sets[best].rows;
}

/* Kept, since a virtual machine asks its host at each cpuid. Threads that are the first at the same
 * time choose the same. */
static const cohort_arithmetic_row *find_row(uint32_t type)
{
    static const cohort_arithmetic_row none;
    static _Atomic(const cohort_arithmetic_row *) chosen;
    const cohort_arithmetic_row *rows = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (type >= COHORT_ARITHMETIC_TYPES)
        return &none;
    if (rows == NULL) {
        rows = choose();
        atomic_store_explicit(&chosen, rows, memory_order_relaxed);
    }
    return &rows[type];
}

cohort_arithmetic_combine_fn cohort_arithmetic_find(uint32_t op, uint32_t type)
{
    return op < COHORT_REDUCE_OPS_END ? find_row(type)->combine[op] : NULL;
}

cohort_arithmetic_columns_fn cohort_arithmetic_find_columns(uint32_t op, uint32_t type)
{
    return op < COHORT_REDUCE_OPS_END ? find_row(type)->columns[op] : NULL;
}

/* Sums alone have fused forms: they are what training adds up, and each loop is code in two
 * tables. */
cohort_arithmetic_fused_fn cohort_arithmetic_find_fused(uint32_t op, uint32_t type, uint32_t nterms)
{
    const cohort_arithmetic_row *row = find_row(type);
    if (op != COHORT_SUM)
        return NULL;
    return nterms == 8 ? row->sum8 : nterms == 4 ? row->sum4 : NULL;
}

cohort_arithmetic_all_fn cohort_arithmetic_find_all(uint32_t op, uint32_t type, uint32_t nterms)
{
    const cohort_arithmetic_row *row = find_row(type);
    if (op != COHORT_SUM)
        return NULL;
    return nterms == 8   ? row->sum8_all
           : nterms == 4 ? row->sum4_all
           : nterms == 2 ? row->sum2_all
                         : NULL;
}

cohort_arithmetic_divide_fn cohort_arithmetic_find_divide(uint32_t type)
{
    return find_row(type)->divide;
}

cohort_arithmetic_sum_divide_fn cohort_arithmetic_find_sum_divide(uint32_t op, uint32_t type)
{
    return op == COHORT_SUM ? find_row(type)->sum_divide : NULL;
}

cohort_arithmetic_quotient_fn cohort_arithmetic_find_quotient(uint32_t type)
{
    return find_row(type)->quotient;
}

cohort_write_arithmetic_fn cohort_arithmetic_find_subtract(uint32_t type)
{
    return find_row(type)->subtract;
}

cohort_write_arithmetic_fn cohort_arithmetic_find_ratio(uint32_t type)
{
    return find_row(type)->ratio;
}

cohort_arithmetic_weigh_fn cohort_arithmetic_find_weigh(uint32_t type)
{
    return find_row(type)->weigh;
}

cohort_arithmetic_add_weighed_fn cohort_arithmetic_find_add_weighed(uint32_t op, uint32_t type)
{
    return op == COHORT_SUM ? find_row(type)->add_weighed : NULL;
}

cohort_arithmetic_fused_weighed_fn cohort_arithmetic_find_fused_weighed(uint32_t op, uint32_t type,
                                                                        uint32_t nterms)
{
    const cohort_arithmetic_row *row = find_row(type);
    if (op != COHORT_SUM)
        return NULL;
    return nterms == 8   ? row->sum8_weighed
           : nterms == 4 ? row->sum4_weighed
           : nterms == 2 ? row->sum2_weighed
                         : NULL;
}

cohort_arithmetic_convert_fn cohort_arithmetic_find_widen(uint32_t type)
{
    return find_row(type)->widen;
}

cohort_arithmetic_convert_fn cohort_arithmetic_find_narrow(uint32_t type)
{
    return find_row(type)->narrow;
}

cohort_status cohort_arithmetic_unsupported(uint32_t op, uint32_t type)
{
    const char *name = cohort_reduce_op_name(op);
    return cohort_error_set(COHORT_ENOTSUP, "reduction: there is no %s of %s",
                            name != NULL ? name : "such operation",
                            cohort_dtype_name((cohort_dtype)type));
}
