/* SPDX-License-Identifier: BSD-3-Clause */
/* The sets of instructions of this architecture. None has FMA, which would round once where the
 * others round twice; a processor with units for products and for sums beside each other is as fast
 * without. */
#include "config.h"

#include "runtime/matmul/product.h"

#include "runtime/base/memory.h"
#include "runtime/matmul/pack.h"

#include <stdatomic.h>

#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

/* ---- What every machine of the architecture has. */

#define NAME(step) plain_floats_##step
#define REAL float
#define PACK cohort_pack_floats
#define UNPACK cohort_unpack_floats
#define TARGET
#define VECTOR_BYTES 16
#define HEIGHT 4
#define VECTORS 2
#define BLOCK_ROWS 192
#define BLOCK_COLUMNS 256
#define BLOCK_DEPTH 256
#include "runtime/matmul/product_loops.h"

#define NAME(step) plain_doubles_##step
#define REAL double
#define PACK cohort_pack_doubles
#define UNPACK cohort_unpack_doubles
#define TARGET
#define VECTOR_BYTES 16
#define HEIGHT 4
#define VECTORS 2
#define BLOCK_ROWS 96
#define BLOCK_COLUMNS 192
#define BLOCK_DEPTH 256
#include "runtime/matmul/product_loops.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_WIDE

#define NAME(step) avx2_floats_##step
#define REAL float
#define PACK cohort_pack_floats
#define UNPACK cohort_unpack_floats
#define TARGET __attribute__((target("avx2")))
#define VECTOR_BYTES 32
#define HEIGHT 6
#define VECTORS 2
#define BLOCK_ROWS 192
#define BLOCK_COLUMNS 256
#define BLOCK_DEPTH 256
#include "runtime/matmul/product_loops.h"

#define NAME(step) avx2_doubles_##step
#define REAL double
#define PACK cohort_pack_doubles
#define UNPACK cohort_unpack_doubles
#define TARGET __attribute__((target("avx2")))
#define VECTOR_BYTES 32
#define HEIGHT 6
#define VECTORS 2
#define BLOCK_ROWS 96
#define BLOCK_COLUMNS 192
#define BLOCK_DEPTH 256
#include "runtime/matmul/product_loops.h"

#define NAME(step) avx512_floats_##step
#define REAL float
#define PACK cohort_pack_floats
#define UNPACK cohort_unpack_floats
#define TARGET __attribute__((target("avx512f")))
#define VECTOR_BYTES 64
#define HEIGHT 8
#define VECTORS 1
#define BLOCK_ROWS 192
#define BLOCK_COLUMNS 256
#define BLOCK_DEPTH 256
#include "runtime/matmul/product_loops.h"

#define NAME(step) avx512_doubles_##step
#define REAL double
#define PACK cohort_pack_doubles
#define UNPACK cohort_unpack_doubles
#define TARGET __attribute__((target("avx512f")))
#define VECTOR_BYTES 64
#define HEIGHT 8
#define VECTORS 1
#define BLOCK_ROWS 96
#define BLOCK_COLUMNS 192
#define BLOCK_DEPTH 256
#include "runtime/matmul/product_loops.h"
#endif

/* ---- The one that is taken. */

static bool is_always_usable(void)
{
    return true;
}

#ifdef HAS_WIDE
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
#endif

const cohort_product_set cohort_product_sets[] = {
    { "plain", is_always_usable, plain_floats_product, plain_doubles_product },
#ifdef HAS_WIDE
    { "avx2", has_avx2, avx2_floats_product, avx2_doubles_product },
    { "avx512", has_avx512, avx512_floats_product, avx512_doubles_product },
#endif
    { NULL, NULL, NULL, NULL }
};

/* Kept, since a virtual machine asks its host at each cpuid. Threads that are the first at the same
 * time choose the same. */
static const cohort_product_set *choose(void)
{
    static _Atomic(const cohort_product_set *) chosen;
    const cohort_product_set *set = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (set == NULL) {
        for (const cohort_product_set *s = cohort_product_sets; s->name != NULL; s++)
            set = s->is_usable() ? s : set;
        atomic_store_explicit(&chosen, set, memory_order_relaxed);
    }
    return set;
}

void cohort_product_compute(const cohort_product_set *set, const cohort_product *product,
                            int64_t row, int64_t rows, int64_t column, int64_t columns)
{
    if (set == NULL)
        set = choose();
    if (product->dtype == COHORT_F64)
        set->of_doubles(product, row, rows, column, columns);
    else
        set->of_floats(product, row, rows, column, columns);
}
