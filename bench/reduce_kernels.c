/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of reductions on one thread, beside hand-written ones that are compiled for this
 * machine alone: two terms combined in place, of each dtype and operation, as GB/s that are read
 * and written. Both sides take turns; a row has the medians. The hand-written loops take whatever
 * NaN comes out, Cohort's have the canonical one.
 *
 *     bench/reduce_kernels [ROUNDS [DTYPE]] */
#include "config.h"

#include "runtime/arithmetic/reduction.h"
#include "runtime/base/memory.h"

#include "bench/turns.h"

#include <cohort/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__F16C__)
#include <immintrin.h>
#endif

enum { TERM_BYTES_MOST = 32 << 20, MOST_ROUNDS = 101 };

/* ------------------------------------------------------------------ by hand */

typedef void (*hand_fn)(void *into, const void *from, size_t n);

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

#define HAND(name, T, expression)                                                                  \
    static void hand_##name(void *into, const void *from, size_t n)                                \
    {                                                                                              \
        T *restrict a = into;                                                                      \
        const T *restrict b = from;                                                                \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = a[i], y = b[i];                                                            \
            a[i] = (T)(expression);                                                                \
        }                                                                                          \
    }
#define HAND_INTEGERS(name, T, wide)                                                               \
    HAND(sum_##name, T, (wide)x + (wide)y)                                                         \
    HAND(prod_##name, T, (wide)x *(wide)y)                                                         \
    HAND(min_##name, T, x < y ? x : y)                                                             \
    HAND(max_##name, T, x > y ? x : y)
HAND_INTEGERS(i8, int8_t, uint32_t)
HAND_INTEGERS(u8, uint8_t, uint32_t)
HAND_INTEGERS(i16, int16_t, uint32_t)
HAND_INTEGERS(u16, uint16_t, uint32_t)
HAND_INTEGERS(i32, int32_t, uint32_t)
HAND_INTEGERS(u32, uint32_t, uint32_t)
HAND_INTEGERS(i64, int64_t, uint64_t)
HAND_INTEGERS(u64, uint64_t, uint64_t)
HAND(min_bool, uint8_t, x &y)
HAND(max_bool, uint8_t, x | y)

#define HAND_FLOATS(name, T)                                                                       \
    HAND(sum_##name, T, x + y)                                                                     \
    HAND(prod_##name, T, x *y)                                                                     \
    HAND(min_##name, T, x < y ? x : y)                                                             \
    HAND(max_##name, T, x > y ? x : y)                                                             \
    HAND(mean_##name, T, (x + y) / 2)
HAND_FLOATS(f32, float)
HAND_FLOATS(f64, double)

static inline float from_bf16(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint16_t to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

HAND(sum_bf16, uint16_t, to_bf16(from_bf16(x) + from_bf16(y)))
HAND(prod_bf16, uint16_t, to_bf16(from_bf16(x) * from_bf16(y)))
HAND(min_bf16, uint16_t, from_bf16(x) < from_bf16(y) ? x : y)
HAND(max_bf16, uint16_t, from_bf16(x) > from_bf16(y) ? x : y)
HAND(mean_bf16, uint16_t, to_bf16((from_bf16(x) + from_bf16(y)) / 2))

/* By the processor's conversions, for compilers do not vectorise those of float16. */
#if defined(__F16C__)
#define ROUND(x) _mm256_cvtps_ph((x), _MM_FROUND_TO_NEAREST_INT)
#define HAND_F16(name, expression)                                                                 \
    static void hand_##name##_f16(void *into, const void *from, size_t n)                          \
    {                                                                                              \
        uint16_t *a = into;                                                                        \
        const uint16_t *b = from;                                                                  \
        for (size_t i = 0; i < n; i += 8) {                                                        \
            const __m256 x = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(a + i))),           \
                         y = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(b + i)));           \
            _mm_storeu_si128((__m128i *)(a + i), ROUND(expression));                               \
        }                                                                                          \
    }
HAND_F16(sum, _mm256_add_ps(x, y))
HAND_F16(prod, _mm256_mul_ps(x, y))
HAND_F16(min, _mm256_min_ps(x, y))
HAND_F16(max, _mm256_max_ps(x, y))
HAND_F16(mean, _mm256_div_ps(_mm256_add_ps(x, y), _mm256_set1_ps(2)))
#elif defined(__aarch64__)
HAND_FLOATS(f16, __fp16)
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/* ------------------------------------------------------------------ the rows */

typedef struct hand {
    cohort_dtype dtype;
    hand_fn ops[COHORT_REDUCE_OPS_END];
} hand;

#define INTEGER_HANDS(name)                                                                        \
    [COHORT_SUM] = hand_sum_##name, [COHORT_PROD] = hand_prod_##name,                              \
    [COHORT_MIN] = hand_min_##name, [COHORT_MAX] = hand_max_##name
#define FLOAT_HANDS(name) INTEGER_HANDS(name), [COHORT_MEAN] = hand_mean_##name

static const hand hands[] = {
#if defined(__F16C__) || defined(__aarch64__)
    { COHORT_F16, { FLOAT_HANDS(f16) } },
#endif
    { COHORT_BF16, { FLOAT_HANDS(bf16) } },
    { COHORT_F32, { FLOAT_HANDS(f32) } },
    { COHORT_F64, { FLOAT_HANDS(f64) } },
    { COHORT_BOOL, { [COHORT_MIN] = hand_min_bool, [COHORT_MAX] = hand_max_bool } },
    { COHORT_I8, { INTEGER_HANDS(i8) } },
    { COHORT_U8, { INTEGER_HANDS(u8) } },
    { COHORT_I16, { INTEGER_HANDS(i16) } },
    { COHORT_U16, { INTEGER_HANDS(u16) } },
    { COHORT_I32, { INTEGER_HANDS(i32) } },
    { COHORT_U32, { INTEGER_HANDS(u32) } },
    { COHORT_I64, { INTEGER_HANDS(i64) } },
    { COHORT_U64, { INTEGER_HANDS(u64) } },
};

typedef struct bench {
    unsigned char *a, *b; /* the terms; a is what they come to as well */
    cohort_term terms[2];
    cohort_reduction reduction;
    hand_fn by_hand;
} bench;

static void run_ours(bench *t)
{
    const void *pointers[2] = { t->a, t->b };
    if (cohort_reduction_run(&t->reduction, pointers, t->a, 0, t->reduction.count) < 0)
        abort();
}

static void run_by_hand(bench *t)
{
    t->by_hand(t->a, t->b, (size_t)t->reduction.count);
}

/* Zeros and ones, which stay numbers however often they are added up. */
static void fill(bench *t)
{
    const cohort_dtype dtype = (cohort_dtype)t->reduction.type;
    const size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    memset(t->a, 0, t->reduction.count * bytes);
    memset(t->b, 0, t->reduction.count * bytes);
    for (size_t i = 0; i < t->reduction.count; i += 3)
        (void)cohort_dtype_convert(COHORT_U8, &(uint8_t){ 1 }, dtype, t->b + i * bytes);
}

static double time_calls(void (*run)(bench *t), bench *t, int calls)
{
    run(t);
    const double start = turns_now();
    for (int i = 0; i < calls; i++)
        run(t);
    return (turns_now() - start) / calls;
}

static double compare(bench *t, size_t term_bytes, int rounds, double *out_gigabytes)
{
    double ours[MOST_ROUNDS], theirs[MOST_ROUNDS];
    const int calls = turns_are_tiny() ? 1 : (int)((8 << 20) / term_bytes) + 1;
    t->reduction.count = term_bytes / (size_t)cohort_dtype_bytes((cohort_dtype)t->reduction.type);
    fill(t);
    for (int i = 0; i < rounds; i++) {
        ours[i] = time_calls(run_ours, t, calls);
        theirs[i] = time_calls(run_by_hand, t, calls);
    }
    const double mine = turns_median(ours, rounds), other = turns_median(theirs, rounds);
    *out_gigabytes = 3 * (double)term_bytes / mine * 1e-9;
    return mine / other;
}

/* Both terms in the first-level cache, in the second, in the last, and in memory. */
static void print_row(bench *t, const char *name, int rounds)
{
    static const size_t sizes[] = { 8 << 10, 64 << 10, 1 << 20, TERM_BYTES_MOST };
    printf("%-9s %-5s", cohort_dtype_name((cohort_dtype)t->reduction.type), name);
    const size_t n = turns_are_tiny() ? 1 : sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < n; i++) {
        double gigabytes;
        const double ratio = compare(t, sizes[i], rounds, &gigabytes);
        printf("  %6.1f (%4.2f)", gigabytes, ratio);
    }
    printf("\n");
    (void)fflush(stdout);
}

static void print_type(bench *t, const hand *h, int rounds)
{
#define NAME(name, value, text) [value] = #name,
    static const char *const names[COHORT_REDUCE_OPS_END] = { COHORT_REDUCE_OPS(NAME) };
    for (uint32_t op = 0; op < COHORT_REDUCE_OPS_END; op++) {
        if (h->ops[op] == NULL)
            continue;
        t->by_hand = h->ops[op];
        t->reduction.type = h->dtype;
        t->reduction.op = op == COHORT_MEAN ? COHORT_SUM : op;
        t->reduction.divisor = op == COHORT_MEAN ? 2 : 1;
        print_row(t, names[op], rounds);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : turns_are_tiny() ? 1 : 11;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    bench t = { cohort_allocate_aligned(TERM_BYTES_MOST, 64),
                cohort_allocate_aligned(TERM_BYTES_MOST, 64),
                { { .merges = 0 }, { .merges = 1 } },
                { .struct_size = sizeof t.reduction, .order = COHORT_ORDER_STACK, .nterms = 2 },
                NULL };
    if (t.a == NULL || t.b == NULL)
        return 1;
    t.reduction.terms = t.terms;
    printf("GB/s of one thread, and in brackets the time of a hand-written loop's, for terms of\n"
           "                     8 KiB        64 KiB         1 MiB        32 MiB\n");
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++)
        if (argc < 3 || strcmp(argv[2], cohort_dtype_name(hands[i].dtype)) == 0)
            print_type(&t, &hands[i], rounds);
    cohort_free(t.a);
    cohort_free(t.b);
    return 0;
}
