/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of reductions, against a scalar definition of each. */
#include "config.h"

#include "runtime/arithmetic/reduction.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/row_fold.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/half.h"
#include "runtime/base/memory.h"
#include "tests/dtypes.h"
#include "tests/tap.h"

#include <cohort/array.h>

#include <math.h>

enum { MAX_ELEMENTS = 4100, MAX_BYTES = 16 * MAX_ELEMENTS };

static unsigned long long seed = 88172645463325252ull;

static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* ---- The definition: one pair of elements at a time. */

static double combine_real(uint32_t op, double x, double y)
{
    bool takes_left = isnan(x) || (op == COHORT_MIN ? x < y : x > y);
    return op == COHORT_SUM ? x + y : op == COHORT_PROD ? x * y : takes_left ? x : y;
}

static void combine_integer(uint32_t op, uint32_t type, const void *a, const void *b, void *into)
{
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    const bool is_signed =
        type == COHORT_I8 || type == COHORT_I16 || type == COHORT_I32 || type == COHORT_I64;
    uint64_t x = 0, y = 0, result;
    memcpy(&x, a, bytes);
    memcpy(&y, b, bytes);
    /* so that unsigned comparison orders them */
    const uint64_t flip = is_signed ? UINT64_C(1) << (8 * bytes - 1) : 0;
    if (op == COHORT_SUM || op == COHORT_PROD)
        result = op == COHORT_SUM ? x + y : x * y;
    else
        result = ((x ^ flip) < (y ^ flip)) == (op == COHORT_MIN) ? x : y;
    memcpy(into, &result, bytes);
}

static void combine_f32(uint32_t op, const void *a, const void *b, void *into)
{
    float x, y, result;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    result = op == COHORT_SUM ? x + y : op == COHORT_PROD ? x * y : (float)combine_real(op, x, y);
    memcpy(into, &result, sizeof result);
}

static void combine_f64(uint32_t op, const void *a, const void *b, void *into)
{
    double x, y, result;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    result = combine_real(op, x, y);
    memcpy(into, &result, sizeof result);
}

static void combine_half(uint32_t op, uint32_t type, const void *a, const void *b, void *into)
{
    uint16_t x, y, result;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    float fx = type == COHORT_F16 ? cohort_half_from_f16(x) : cohort_half_from_bf16(x);
    float fy = type == COHORT_F16 ? cohort_half_from_f16(y) : cohort_half_from_bf16(y);
    float wide = op == COHORT_SUM    ? fx + fy
                 : op == COHORT_PROD ? fx * fy
                                     : (float)combine_real(op, fx, fy);
    result = type == COHORT_F16 ? cohort_half_to_f16(wide) : cohort_half_to_bf16(wide);
    memcpy(into, &result, sizeof result);
}

#define COMPLEX(name, T)                                                                           \
    static void name(uint32_t op, const void *a, const void *b, void *into)                        \
    {                                                                                              \
        T x[2], y[2], result[2];                                                                   \
        memcpy(x, a, sizeof x);                                                                    \
        memcpy(y, b, sizeof y);                                                                    \
        result[0] = op == COHORT_SUM ? x[0] + y[0] : x[0] * y[0] - x[1] * y[1];                    \
        result[1] = op == COHORT_SUM ? x[1] + y[1] : x[0] * y[1] + x[1] * y[0];                    \
        for (int i = 0; i < 2; i++)                                                                \
            result[i] = isnan(result[i]) ? (T)NAN : result[i];                                     \
        memcpy(into, result, sizeof result);                                                       \
    }
COMPLEX(combine_c64, float)
COMPLEX(combine_c128, double)

static void combine(uint32_t op, uint32_t type, const void *a, const void *b, void *into)
{
    if (type == COHORT_F32)
        combine_f32(op, a, b, into);
    else if (type == COHORT_F64)
        combine_f64(op, a, b, into);
    else if (type == COHORT_F16 || type == COHORT_BF16)
        combine_half(op, type, a, b, into);
    else if (type == COHORT_C64)
        combine_c64(op, a, b, into);
    else if (type == COHORT_C128)
        combine_c128(op, a, b, into);
    else
        combine_integer(op, type, a, b, into);
}

/* The tree over ids [begin, end) of which only those with a term are present; false: none is. */
static bool define_tree(uint32_t op, uint32_t type, const unsigned char *const *terms, int begin,
                        int end, void *into)
{
    unsigned char left[16], right[16];
    if (end - begin == 1) {
        if (terms[begin] != NULL)
            memcpy(into, terms[begin], (size_t)cohort_dtype_bytes((cohort_dtype)type));
        return terms[begin] != NULL;
    }
    int m = 1;
    while (2 * m < end - begin)
        m *= 2;
    bool has_left = define_tree(op, type, terms, begin, begin + m, left);
    bool has_right = define_tree(op, type, terms, begin + m, end, right);
    if (has_left && has_right)
        combine(op, type, left, right, into);
    else if (has_left || has_right)
        memcpy(into, has_left ? left : right, 16);
    return has_left || has_right;
}

/* The same tree as a stack program; returns the terms of [begin, end), the last of which merges
 * them to one. */
static int make_program(const bool *is_present, int begin, int end, cohort_term *program, int n)
{
    if (end - begin == 1) {
        if (is_present[begin])
            program[n] = (cohort_term){ NULL, (uint64_t)begin, 0, 0 };
        return is_present[begin];
    }
    int m = 1;
    while (2 * m < end - begin)
        m *= 2;
    int left = make_program(is_present, begin, begin + m, program, n);
    int right = make_program(is_present, begin + m, end, program, n + left);
    if (left > 0 && right > 0)
        program[n + left + right - 1].merges++;
    return left + right;
}

/* ---- Elements to reduce. */

static _Alignas(64) unsigned char buffers[COHORT_MAX_TERMS][MAX_BYTES], result[MAX_BYTES];
static const void *pointers[COHORT_MAX_TERMS];

static void fill_element(uint32_t type, unsigned char *at)
{
    uint64_t bits[2] = { random_bits(), random_bits() };
    float f[2] = { (float)((double)(int64_t)bits[0] * 0x1p-60),
                   (float)((double)(int64_t)bits[1] * 0x1p-60) };
    double d[2] = { (double)(int64_t)bits[0] * 0x1p-60, (double)(int64_t)bits[1] * 0x1p-60 };
    uint16_t half = type == COHORT_F16 ? cohort_half_to_f16(f[0]) : cohort_half_to_bf16(f[0]);
    uint8_t truth = (uint8_t)(bits[0] & 1);
    const void *from = type == COHORT_F32 || type == COHORT_C64    ? (const void *)f
                       : type == COHORT_F64 || type == COHORT_C128 ? (const void *)d
                       : type == COHORT_F16 || type == COHORT_BF16 ? (const void *)&half
                       : type == COHORT_BOOL                       ? (const void *)&truth
                                                                   : (const void *)bits;
    memcpy(at, from, (size_t)cohort_dtype_bytes((cohort_dtype)type));
}

static void fill_buffers(uint32_t type, int terms, int elements)
{
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    for (int t = 0; t < terms; t++) {
        pointers[t] = buffers[t];
        for (int i = 0; i < elements; i++)
            fill_element(type, buffers[t] + (size_t)i * bytes);
    }
}

static cohort_reduction describe(uint32_t op, uint32_t type, const cohort_term *terms, int nterms,
                                 int count)
{
    return (cohort_reduction){ .struct_size = sizeof(cohort_reduction),
                               .order = COHORT_ORDER_STACK,
                               .op = op,
                               .type = type,
                               .nterms = (uint32_t)nterms,
                               .terms = terms,
                               .count = (uint64_t)count,
                               .divisor = 1 };
}

/* Terms whose `offset` is a replica id become terms at offset 0 of that replica's buffer. */
static int bind_program(cohort_term *program, int n, const void **out_pointers)
{
    for (int i = 0; i < n; i++) {
        out_pointers[i] = buffers[program[i].offset];
        program[i].offset = 0;
    }
    return n;
}

/* Whether elements [first, first + count) of `result` are the tree over the present replicas. */
static bool is_tree(uint32_t op, uint32_t type, const bool *is_present, int R, int first, int count)
{
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    for (int i = first; i < first + count; i++) {
        const unsigned char *terms[COHORT_MAX_TERMS];
        unsigned char wanted[16];
        for (int r = 0; r < R; r++)
            terms[r] = is_present[r] ? buffers[r] + (size_t)i * bytes : NULL;
        (void)define_tree(op, type, terms, 0, R, wanted);
        if (memcmp(result + (size_t)i * bytes, wanted, bytes) != 0)
            return false;
    }
    return true;
}

/* ---- Bad input. */

static cohort_status run_plain(cohort_reduction reduction)
{
    return cohort_reduction_run(&reduction, pointers, result, 0, reduction.count);
}

static cohort_status fold_rows(uint32_t op, uint32_t type, const void *from, int64_t n,
                               int64_t stride, int64_t inner, void *into)
{
    const cohort_rows rows = { .op = (cohort_reduce_op)op,
                               .type = (cohort_dtype)type,
                               .from = from,
                               .outer = 1,
                               .rows = n,
                               .inner = inner,
                               .stride = stride };
    return cohort_row_fold(&rows, into);
}

static void check_arguments(void)
{
    cohort_term terms[COHORT_MAX_TERMS + 1] = { { NULL, 0, 0, 0 }, { NULL, 0, 1, 0 } };
    cohort_reduction good = describe(COHORT_SUM, COHORT_F32, terms, 2, 8), bad = good;
    fill_buffers(COHORT_F32, 2, 8);
    ok(run_plain(good) == COHORT_OK, "two terms are combined");
    ok((bad = good, bad.struct_size = 48, run_plain(bad)) == COHORT_EINVAL,
       "a struct without its divisor is refused");
    ok((bad = good, bad.order = 7, run_plain(bad)) == COHORT_ENOTSUP,
       "an unknown order is not supported");
    ok((bad = good, bad.nterms = 0, run_plain(bad)) == COHORT_EINVAL, "no terms are refused");
    ok((bad = good, bad.nterms = COHORT_MAX_TERMS + 1, run_plain(bad)) == COHORT_EINVAL,
       "65 terms are refused");
    ok((bad = good, bad.divisor = 0, run_plain(bad)) == COHORT_EINVAL, "divisor 0 is refused");
    ok((bad = good, bad.op = COHORT_MEAN, run_plain(bad)) == COHORT_ENOTSUP,
       "MEAN is SUM with a divisor");
    ok((bad = good, bad.op = 77, run_plain(bad)) == COHORT_ENOTSUP,
       "an unknown op is not supported");
    ok((bad = good, bad.type = COHORT_RECORD, run_plain(bad)) == COHORT_ENOTSUP,
       "structs are not reduced");
    ok((bad = good, bad.type = 1u << 31, run_plain(bad)) == COHORT_ENOTSUP,
       "an unknown type is not supported");
    ok((bad = good, bad.type = COHORT_C64, bad.op = COHORT_MIN, run_plain(bad)) == COHORT_ENOTSUP,
       "complex has no minimum");
    has_text(cohort_error_text(), "no min of complex64", "and the error names both");
    ok((bad = good, bad.type = COHORT_BOOL, run_plain(bad)) == COHORT_ENOTSUP, "bool has no sum");
    ok((bad = good, bad.type = COHORT_I32, bad.divisor = 2, run_plain(bad)) == COHORT_ENOTSUP,
       "integers are not divided");
    ok(cohort_reduction_run(&good, pointers, result, 9, 0) == COHORT_EINVAL,
       "a range behind the end is refused");
    ok(cohort_reduction_run(&good, pointers, result, 4, 5) == COHORT_EINVAL,
       "a range past the end is refused");
    ok(cohort_reduction_run(&good, pointers, result, 1, UINT64_MAX) == COHORT_EINVAL,
       "a range that overflows is refused");
    ok(cohort_reduction_run(&good, pointers, result, 8, 0) == COHORT_OK, "an empty range is fine");
    terms[1].merges = 0;
    ok(run_plain(good) == COHORT_EINVAL, "terms that nobody merges are refused");
    terms[1].merges = 2;
    ok(run_plain(good) == COHORT_EINVAL, "more merges than terms are refused");
    terms[0].merges = 1;
    ok(run_plain(good) == COHORT_EINVAL, "a merge of one term is refused");
    terms[0].merges = terms[1].merges = UINT32_MAX;
    ok(run_plain(good) == COHORT_EINVAL, "4 billion merges are refused");
    ok(fold_rows(COHORT_SUM, COHORT_F32, buffers, 0, 1, 1, result) == COHORT_EINVAL,
       "no rows are refused");
    ok(fold_rows(COHORT_MEAN, COHORT_F32, buffers, 1, 1, 1, result) == COHORT_ENOTSUP,
       "rows have no mean");
    ok(fold_rows(COHORT_SUM, COHORT_VOID, buffers, 1, 1, 1, result) == COHORT_ENOTSUP,
       "rows have a type");
}

/* ---- Every type and op, for all R, with and without absent replicas. */

static bool check_case(uint32_t op, uint32_t type, int R, bool has_absent)
{
    cohort_term program[COHORT_MAX_TERMS];
    const void *bound[COHORT_MAX_TERMS];
    bool is_present[COHORT_MAX_TERMS];
    const int count = 1 + (int)(random_bits() % 300),
              first = (int)(random_bits() % (unsigned)count);
    for (int r = 0; r < R; r++)
        is_present[r] = !has_absent || r == R / 2 || random_bits() % 5 != 0;
    int n = bind_program(program, make_program(is_present, 0, R, program, 0), bound);
    cohort_reduction reduction = describe(op, type, program, n, count);
    memset(result, 0xa5, sizeof result);
    return cohort_reduction_run(&reduction, bound, result, 0, (uint64_t)first) == COHORT_OK &&
           cohort_reduction_run(&reduction, bound, result, (uint64_t)first,
                                (uint64_t)(count - first)) == COHORT_OK &&
           is_tree(op, type, is_present, R, 0, count) &&
           result[(size_t)count * (size_t)cohort_dtype_bytes((cohort_dtype)type)] == 0xa5;
}

/* Of those that are defined here: float8 is in float8.c. */
static bool has_op(uint32_t op, uint32_t type)
{
    if (type == COHORT_F8_E4M3 || type == COHORT_F8_E5M2)
        return false;
    bool is_order = op == COHORT_MIN || op == COHORT_MAX;
    return type == COHORT_BOOL ? is_order : kind_of(type) != 'c' || !is_order;
}

static void check_types(void)
{
    static const uint32_t ops[] = { COHORT_SUM, COHORT_PROD, COHORT_MIN, COHORT_MAX };
    for (uint32_t type = next_dtype(0); type != 0; type = next_dtype(type))
        for (size_t i = 0; i < 4; i++) {
            int good = 0;
            if (!has_op(ops[i], type))
                continue;
            fill_buffers(type, COHORT_MAX_TERMS, 301);
            for (int R = 1; R <= (int)COHORT_MAX_TERMS; R++)
                good += check_case(ops[i], type, R, false) + check_case(ops[i], type, R, true);
            ok(good == 2 * (int)COHORT_MAX_TERMS, "%s, op %u: R = 1 to 64, all and some present",
               cohort_dtype_name((cohort_dtype)type), ops[i]);
        }
}

/* ---- Into all of the terms at once: each gets what one result gets. */

static bool check_in_place(uint32_t type, int R, uint64_t divisor)
{
    enum { COUNT = 1501, FIRST = 3 };
    cohort_term program[COHORT_MAX_TERMS];
    bool is_present[COHORT_MAX_TERMS];
    void *results[COHORT_MAX_TERMS];
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    fill_buffers(type, R, COUNT);
    for (int r = 0; r < R; r++) {
        is_present[r] = true;
        results[r] = buffers[r];
    }
    int n = bind_program(program, make_program(is_present, 0, R, program, 0), pointers);
    cohort_reduction reduction = describe(COHORT_SUM, type, program, n, COUNT);
    reduction.divisor = divisor;
    bool is_same = cohort_reduction_run(&reduction, pointers, result, 0, COUNT) == COHORT_OK &&
                   cohort_reduction_run_to_all(&reduction, pointers, results, (uint32_t)R, 0,
                                               FIRST) == COHORT_OK &&
                   cohort_reduction_run_to_all(&reduction, pointers, results, (uint32_t)R, FIRST,
                                               COUNT - FIRST) == COHORT_OK;
    for (int r = 0; r < R; r++)
        is_same = is_same && memcmp(buffers[r], result, COUNT * bytes) == 0;
    return is_same;
}

static void check_all_in_place(void)
{
    static const uint32_t types[] = { COHORT_I8, COHORT_BF16, COHORT_F32, COHORT_F64, COHORT_C128 };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        bool is_same = true;
        for (int R = 1; R <= (int)COHORT_MAX_TERMS; R++)
            is_same = is_same && check_in_place(types[t], R, 1) &&
                      (types[t] == COHORT_I8 || check_in_place(types[t], R, 3));
        ok(is_same, "%s: R = 1 to 64 in place", cohort_dtype_name((cohort_dtype)types[t]));
    }
}

/* ---- Hostings: reduced per device to nodes of the tree, and then across devices. */

/* The largest nodes of the tree over [0, R) inside [begin, end), from node [lo, hi) down. */
static int find_nodes(int lo, int hi, int begin, int end, int (*nodes)[2], int n)
{
    if (hi <= begin || lo >= end)
        return n;
    if (begin <= lo && hi <= end) {
        nodes[n][0] = lo;
        nodes[n][1] = hi;
        return n + 1;
    }
    int m = 1;
    while (2 * m < hi - lo)
        m *= 2;
    n = find_nodes(lo, lo + m, begin, end, nodes, n);
    return find_nodes(lo + m, hi, begin, end, nodes, n);
}

/* The tree of [lo, hi) over nodes that are values already; an absent one is NULL. */
static int join_nodes(int lo, int hi, int (*nodes)[2], const void *const *values, int n,
                      cohort_term *program, const void **bound, int at)
{
    for (int i = 0; i < n; i++)
        if (nodes[i][0] == lo && nodes[i][1] == hi) {
            if (values[i] != NULL) {
                program[at] = (cohort_term){ NULL, 0, 0, 0 };
                bound[at] = values[i];
            }
            return values[i] != NULL;
        }
    int m = 1;
    while (2 * m < hi - lo)
        m *= 2;
    int left = join_nodes(lo, lo + m, nodes, values, n, program, bound, at);
    int right = join_nodes(lo + m, hi, nodes, values, n, program, bound, at + left);
    if (left > 0 && right > 0)
        program[at + left + right - 1].merges++;
    return left + right;
}

enum { HOSTED_ELEMENTS = 3 };

static bool check_hosting(int R, int devices)
{
    static float partial[4 * COHORT_MAX_TERMS][HOSTED_ELEMENTS];
    static int nodes[4 * COHORT_MAX_TERMS][2];
    const void *values[4 * COHORT_MAX_TERMS], *bound[COHORT_MAX_TERMS];
    cohort_term program[COHORT_MAX_TERMS];
    bool is_present[COHORT_MAX_TERMS];
    int n = 0, begin = 0;
    for (int r = 0; r < R; r++)
        is_present[r] = random_bits() % 5 != 0 || r == 0;
    for (int d = 0; d < devices; d++) {
        int end = d == devices - 1 ? R : begin + (int)(random_bits() % (unsigned)(R - begin + 1));
        n = find_nodes(0, R, begin, end, nodes, n);
        begin = end;
    }
    for (int i = 0; i < n; i++) {
        int terms = bind_program(
            program, make_program(is_present, nodes[i][0], nodes[i][1], program, 0), bound);
        cohort_reduction reduction =
            describe(COHORT_SUM, COHORT_F32, program, terms, HOSTED_ELEMENTS);
        values[i] = terms > 0 ? partial[i] : NULL;
        if (terms > 0 &&
            cohort_reduction_run(&reduction, bound, partial[i], 0, HOSTED_ELEMENTS) < 0)
            return false;
    }
    int terms = join_nodes(0, R, nodes, values, n, program, bound, 0);
    cohort_reduction reduction = describe(COHORT_SUM, COHORT_F32, program, terms, HOSTED_ELEMENTS);
    return cohort_reduction_run(&reduction, bound, result, 0, HOSTED_ELEMENTS) == COHORT_OK &&
           is_tree(COHORT_SUM, COHORT_F32, is_present, R, 0, HOSTED_ELEMENTS);
}

static void check_hostings(void)
{
    int good = 0;
    fill_buffers(COHORT_F32, COHORT_MAX_TERMS, HOSTED_ELEMENTS);
    for (int i = 0; i < 20000; i++)
        good += check_hosting(1 + (int)(random_bits() % COHORT_MAX_TERMS),
                              1 + (int)(random_bits() % 6));
    ok(good == 20000,
       "20,000 random hostings, reduced per device and then across: all equal to the definition");
}

/* ---- Places: offsets, in place, odd stack programs, blocks. */

static void check_places(void)
{
    cohort_term terms[4] = {
        { NULL, 8, 0, 0 }, { NULL, 0, 1, 0 }, { NULL, 4, 0, 0 }, { NULL, 12, 2, 0 }
    };
    float *x[4], *out = (float *)(void *)result;
    bool is_right = true;
    fill_buffers(COHORT_F32, 4, MAX_ELEMENTS);
    for (int t = 0; t < 4; t++)
        x[t] = (float *)(void *)(buffers[t] + terms[t].offset);
    cohort_reduction reduction = describe(COHORT_SUM, COHORT_F32, terms, 4, 4000);
    reduction.dst_offset = 20;
    ok(cohort_reduction_run(&reduction, pointers, result, 0, 4000) == COHORT_OK,
       "offsets of terms and result");
    for (int i = 0; i < 4000; i++)
        is_right &= out[5 + i] == (x[0][i] + x[1][i]) + (x[2][i] + x[3][i]);
    ok(is_right, "are in bytes");
    memmove(result, out + 5, 16000);
    for (int t = 0; t < 4; t++) {
        static unsigned char kept[MAX_BYTES];
        memcpy(kept, buffers[t], MAX_BYTES);
        reduction.dst_offset = terms[t].offset;
        ok(cohort_reduction_run(&reduction, pointers, buffers[t], 0, 4000) == COHORT_OK &&
               memcmp(x[t], result, 16000) == 0,
           "in place of term %d", t);
        memcpy(buffers[t], kept, MAX_BYTES);
    }
}

/* All terms first and then 63 merges, from the right: as deep as a stack can be. */
static void check_deep(uint32_t type)
{
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    cohort_term terms[COHORT_MAX_TERMS] = { { NULL, 0, 0, 0 } };
    unsigned char wanted[16];
    bool is_right = true;
    terms[COHORT_MAX_TERMS - 1].merges = COHORT_MAX_TERMS - 1;
    cohort_reduction reduction = describe(COHORT_SUM, type, terms, COHORT_MAX_TERMS, 1000);
    fill_buffers(type, COHORT_MAX_TERMS, 1000);
    ok(cohort_reduction_run(&reduction, pointers, result, 0, 1000) == COHORT_OK,
       "64 terms, then 63 merges");
    for (size_t i = 0; i < 1000; i++) {
        memcpy(wanted, buffers[COHORT_MAX_TERMS - 1] + i * bytes, bytes);
        for (int t = (int)COHORT_MAX_TERMS - 2; t >= 0; t--)
            combine(COHORT_SUM, type, buffers[t] + i * bytes, wanted, wanted);
        is_right &= memcmp(result + i * bytes, wanted, bytes) == 0;
    }
    ok(is_right, "are summed from the right");
}

/* Pairs are merged early, and pairs of pairs late: 32 intermediate results at a time. */
static void check_wide(void)
{
    cohort_term terms[COHORT_MAX_TERMS] = { { NULL, 0, 0, 0 } };
    double sum[32];
    bool is_right = true;
    for (int t = 1; t < (int)COHORT_MAX_TERMS; t += 2)
        terms[t].merges = 1;
    terms[COHORT_MAX_TERMS - 1].merges = 32;
    cohort_reduction reduction = describe(COHORT_SUM, COHORT_F64, terms, COHORT_MAX_TERMS, 1000);
    fill_buffers(COHORT_F64, COHORT_MAX_TERMS, 1000);
    ok(cohort_reduction_run(&reduction, pointers, result, 0, 1000) == COHORT_OK,
       "32 intermediate results at a time");
    for (int i = 0; i < 1000; i++) {
        for (int t = 0; t < 32; t++)
            sum[t] = ((const double *)(const void *)buffers[2 * t])[i] +
                     ((const double *)(const void *)buffers[2 * t + 1])[i];
        for (int t = 30; t >= 0; t--)
            sum[t] = sum[t] + sum[t + 1];
        is_right &= sum[0] == ((const double *)(const void *)result)[i];
    }
    ok(is_right, "are kept apart");
}

static void check_divisor(void)
{
    cohort_term terms[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 1, 0 } };
    bool is_right = true;
    fill_buffers(COHORT_F32, 2, MAX_ELEMENTS);
    const float *a = (const float *)(const void *)buffers[0],
                *b = (const float *)(const void *)buffers[1],
                *out = (const float *)(const void *)result;
    cohort_reduction reduction = describe(COHORT_SUM, COHORT_F32, terms, 2, MAX_ELEMENTS);
    reduction.divisor = 3;
    ok(run_plain(reduction) == COHORT_OK, "a mean");
    for (int i = 0; i < MAX_ELEMENTS; i++)
        is_right &= out[i] == (a[i] + b[i]) / 3.0f;
    ok(is_right, "is the sum, divided once");
    reduction.nterms = 1;
    ok(run_plain(reduction) == COHORT_OK && out[MAX_ELEMENTS - 1] == a[MAX_ELEMENTS - 1] / 3.0f,
       "of one term too");
    reduction.type = COHORT_C64;
    reduction.count = MAX_ELEMENTS / 2;
    ok(run_plain(reduction) == COHORT_OK && out[1] == a[1] / 3.0f && out[4] == a[4] / 3.0f,
       "of complex numbers by parts");
    const uint16_t half = 0x3c01, third = 0x3557; /* 1 + 2^-10, and the nearest to a third of it */
    memcpy(buffers[0], &half, sizeof half);
    reduction.type = COHORT_F16;
    reduction.count = 1;
    ok(run_plain(reduction) == COHORT_OK && memcmp(result, &third, sizeof third) == 0,
       "of float16");
}

/* ---- NaN, and the thread's rounding. */

static void check_nan(void)
{
    cohort_term terms[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 1, 0 } };
    float *a = (float *)(void *)buffers[0], *b = (float *)(void *)buffers[1],
          *out = (float *)(void *)result;
    for (uint32_t op = next_order_op(0); op != 0; op = next_order_op(op)) {
        cohort_reduction reduction = describe(op, COHORT_F32, terms, 2, 64);
        fill_buffers(COHORT_F32, 2, 64);
        a[3] = b[17] = a[40] = b[40] = (float)NAN;
        a[5] = -0.0f, b[5] = 0.0f;
        ok(run_plain(reduction) == COHORT_OK && isnan(out[3]) && isnan(out[17]) && isnan(out[40]) &&
               !isnan(out[4]),
           "op %u: a NaN wins", op);
        ok(!signbit(out[5]), "of equal zeros the right one is taken");
        reduction.type = COHORT_F16;
        uint16_t *x = (uint16_t *)(void *)a, *y = (uint16_t *)(void *)b;
        x[0] = 0x7e00, y[0] = 0x3c00, x[1] = 0x3c00, y[1] = 0xfe01, x[2] = 0x7c00, y[2] = 0xfc00;
        ok(run_plain(reduction) == COHORT_OK && ((uint16_t *)(void *)out)[0] == 0x7e00 &&
               ((uint16_t *)(void *)out)[1] == 0x7e00 &&
               ((uint16_t *)(void *)out)[2] == (op == COHORT_MIN ? 0xfc00 : 0x7c00),
           "float16 likewise");
    }
}

/* The types of floating parts, their bits, and the one NaN that comes out. */
static const struct floating {
    uint32_t type;
    int bytes, mantissa; /* of a part */
    uint64_t nan;
    bool is_complex;
} floats[] = {
    { COHORT_F16, 2, 10, 0x7e00, false },
    { COHORT_BF16, 2, 7, 0x7fc0, false },
    { COHORT_F32, 4, 23, 0x7fc00000, false },
    { COHORT_F64, 8, 52, UINT64_C(0x7ff8000000000000), false },
    { COHORT_C64, 4, 23, 0x7fc00000, true },
    { COHORT_C128, 8, 52, UINT64_C(0x7ff8000000000000), true },
};
enum { FLOATS = sizeof floats / sizeof *floats };

static void store_bits(const struct floating *f, void *values, int at, uint64_t bits)
{
    uint16_t small = (uint16_t)bits;
    uint32_t medium = (uint32_t)bits;
    const void *from = f->bytes == 2   ? (const void *)&small
                       : f->bytes == 4 ? (const void *)&medium
                                       : &bits;
    memcpy((char *)values + (size_t)(at * f->bytes), from, (size_t)f->bytes);
}

static uint64_t load_bits(const struct floating *f, const void *values, int at)
{
    uint16_t small;
    uint32_t medium;
    uint64_t bits;
    const char *from = (const char *)values + (size_t)(at * f->bytes);
    return f->bytes == 2   ? (memcpy(&small, from, sizeof small), small)
           : f->bytes == 4 ? (memcpy(&medium, from, sizeof medium), medium)
                           : (memcpy(&bits, from, sizeof bits), bits);
}

/* A NaN of any sign and payload, quiet or signalling; or an infinity; or 1. */
static uint64_t special(const struct floating *f)
{
    uint64_t sign = (random_bits() & 1) << (8 * f->bytes - 1),
             payload = random_bits() >> (64 - f->mantissa);
    uint64_t infinity = ((UINT64_C(1) << (8 * f->bytes - 1 - f->mantissa)) - 1) << f->mantissa;
    switch (random_bits() % 4) {
    case 0:
        return sign | infinity;
    case 1:
        return infinity >> 1 & ~((UINT64_C(1) << f->mantissa) - 1);
    default:
        return sign | infinity | (payload > 0 ? payload : 1);
    }
}

static bool only_has_nan(const struct floating *f, int parts, int *n_nan)
{
    const uint64_t infinity = ((UINT64_C(1) << (8 * f->bytes - 1 - f->mantissa)) - 1)
                              << f->mantissa;
    const uint64_t sign = UINT64_C(1) << (8 * f->bytes - 1);
    bool is_right = true;
    for (int i = 0; i < parts; i++) {
        uint64_t bits = load_bits(f, result, i);
        bool is_nan = (bits & ~sign) > infinity;
        *n_nan += is_nan;
        is_right = is_right && (!is_nan || bits == f->nan);
    }
    return is_right;
}

static void fill_special(const struct floating *f, int nterms, int parts)
{
    for (int i = 0; i < nterms; i++)
        for (int at = 0; at < parts; at++)
            store_bits(f, buffers[i], at, special(f));
}

/* Two, a fused four and eight, and what has merges beside them; whole, and divided. */
static bool nan_of_terms(const struct floating *f, uint32_t op)
{
    static const int sizes[] = { 2, 3, 4, 7, 8, 13 };
    bool all[16];
    memset(all, true, sizeof all);
    bool is_right = true;
    int n_nan = 0;
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i / 2], count = f->is_complex ? 101 : 202;
        cohort_term terms[16];
        (void)make_program(all, 0, n, terms, 0);
        for (int t = 0; t < n; t++)
            terms[t].offset = 0;
        fill_special(f, n, 202);
        cohort_reduction reduction = describe(op, f->type, terms, n, count);
        reduction.divisor = op == COHORT_SUM && i % 2 == 1 ? 3 : 1;
        is_right = is_right && run_plain(reduction) == COHORT_OK && only_has_nan(f, 202, &n_nan);
    }
    return is_right && n_nan > 300;
}

/* Rows that are wide, narrow, two, and more than a block. */
static bool nan_of_rows(const struct floating *f, uint32_t op)
{
    static const int rows[] = { 2, 3, 130, 2, 3, 300 }, widths[] = { 9, 9, 9, 1, 1, 2 };
    bool is_right = true;
    int n_nan = 0, each = f->is_complex ? 2 : 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fill_special(f, 1, rows[i] * widths[i] * each);
        is_right = is_right &&
                   fold_rows(op, f->type, buffers[0], rows[i], widths[i], widths[i], result) ==
                       COHORT_OK &&
                   only_has_nan(f, widths[i] * each, &n_nan);
    }
    return is_right && n_nan > 10;
}

static void check_canonical_nan(void)
{
    static const uint32_t ops[] = { COHORT_SUM, COHORT_PROD, COHORT_MIN, COHORT_MAX };
    for (int i = 0; i < FLOATS; i++)
        for (int op = 0; op < (floats[i].is_complex ? 2 : 4); op++) {
            const char *name = cohort_dtype_name((cohort_dtype)floats[i].type);
            ok(nan_of_terms(&floats[i], ops[op]), "op %u of %s: terms have one NaN only", ops[op],
               name);
            ok(nan_of_rows(&floats[i], ops[op]), "and so have rows");
        }
}

static void check_state(void)
{
#if defined(__x86_64__)
    cohort_term terms[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 1, 0 } };
    cohort_reduction reduction = describe(COHORT_SUM, COHORT_F32, terms, 2, 1);
    float *a = (float *)(void *)buffers[0], *b = (float *)(void *)buffers[1];
    a[0] = 0x1p-140f;
    b[0] = 0x1p-141f;
    cohort_fpstate before = cohort_fpstate_get();
    cohort_fpstate odd = cohort_fpstate_default() | 0x8040 | 0x2000; /* flush to zero, round down */
    cohort_fpstate_set(odd);
    cohort_status st = run_plain(reduction);
    cohort_fpstate during = cohort_fpstate_get();
    cohort_fpstate_set(before);
    ok(st == COHORT_OK && *(const float *)(const void *)result == 0x1.8p-140f,
       "bits do not depend on the thread's rounding");
    ok(cohort_fpstate_same_mode(during, odd), "which is as before afterwards");
#else
    skip("bits do not depend on the thread's rounding", "written for MXCSR");
#endif
}

/* ---- float16 and bfloat16. */

static double f16_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static void check_f16(void)
{
    int wide = 0, back = 0, ties = 0;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const uint16_t half = (uint16_t)bits;
        const bool is_special = (half & 0x7c00) == 0x7c00,
                   is_nan = is_special && (half & 1023) != 0;
        const float value = cohort_half_from_f16(half);
        wide += is_nan       ? isnan(value) != 0
                : is_special ? isinf(value) != 0
                             : (double)value == f16_value(half);
        back += cohort_half_to_f16(value) == (is_nan ? half | 0x200 : half);
    }
    ok(wide == 65536 && back == 65536, "all float16 are widened exactly and come back, NaNs quiet");
    for (uint16_t half = 0; half < 0x7bff;
         half++) { /* between two neighbours: below, at and above the middle */
        const float low = cohort_half_from_f16(half),
                    high = cohort_half_from_f16((uint16_t)(half + 1));
        const float middle = (float)(((double)low + (double)high) / 2);
        ties += cohort_half_to_f16(middle) == half + (half & 1) &&
                cohort_half_to_f16(nextafterf(middle, 0)) == half &&
                cohort_half_to_f16(nextafterf(middle, HUGE_VALF)) == half + 1 &&
                cohort_half_to_f16(-middle) == (half + (half & 1) + 0x8000);
    }
    ok(ties == 0x7bff, "between all neighbours ties go to even");
    ok(cohort_half_to_f16(65519.996f) == 0x7bff && cohort_half_to_f16(65520.0f) == 0x7c00 &&
           cohort_half_to_f16(-1e30f) == 0xfc00,
       "overflow starts at 65,520");
}

static void check_bf16(void)
{
    int back = 0, ties = 0;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const uint16_t half = (uint16_t)bits;
        const bool is_nan = (half & 0x7f80) == 0x7f80 && (half & 0x7f) != 0;
        back += cohort_half_to_bf16(cohort_half_from_bf16(half)) == (is_nan ? half | 0x40 : half);
    }
    ok(back == 65536, "all bfloat16 are widened and come back, NaNs quiet");
    for (uint32_t half = 0; half < 0x7f80; half++) {
        const uint32_t middle = half << 16 | 0x8000;
        ties += cohort_half_to_bf16(cohort_half_float(middle)) == half + (half & 1) &&
                cohort_half_to_bf16(cohort_half_float(middle - 1)) == half &&
                cohort_half_to_bf16(cohort_half_float(middle + 1)) == half + 1;
    }
    ok(ties == 0x7f80, "between all neighbours ties go to even");
}

/* Sums of two float16 are exact in double: the sum must be the one rounding of that. */
static void check_half_sums(void)
{
    cohort_term terms[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 1, 0 } };
    uint16_t *a = (uint16_t *)(void *)buffers[0], *b = (uint16_t *)(void *)buffers[1],
             *out = (uint16_t *)(void *)result;
    int good = 0;
    for (int round = 0; round < 64; round++) {
        for (int i = 0; i < 4096; i++) {
            a[i] = (uint16_t)(random_bits() % 0x7800 | (random_bits() & 0x8000));
            b[i] = (uint16_t)((a[i] & 0x7fff) + random_bits() % 64 * 97) % 0x7800 |
                   (uint16_t)(random_bits() & 0x8000);
        }
        (void)run_plain(describe(COHORT_SUM, COHORT_F16, terms, 2, 4096));
        for (int i = 0; i < 4096; i++) {
            double exact = f16_value(a[i]) + f16_value(b[i]);
            double below = fabs(exact - f16_value((uint16_t)(out[i] - ((out[i] & 0x7fff) != 0)))),
                   above = fabs(exact - f16_value((uint16_t)(out[i] + 1)));
            double error = fabs(exact - f16_value(out[i]));
            good += error == 0 || ((error < below || (error == below && !(out[i] & 1))) &&
                                   (error < above || (error == above && !(out[i] & 1))));
        }
    }
    ok(good == 64 * 4096, "262,144 float16 sums are the nearest to the exact ones");
}

/* Means: the tree in float32, divided and rounded once; of a few terms, several blocks and many
 * terms, in place and into all of them, whole and in two ranges. */
static bool is_wide_mean(uint32_t type, int R, uint64_t divisor)
{
    enum { COUNT = 2100, FIRST = 1027 };
    static float floats[COHORT_MAX_TERMS][COUNT];
    static uint16_t wanted[COUNT];
    cohort_term program[COHORT_MAX_TERMS];
    const void *wide_pointers[COHORT_MAX_TERMS];
    void *results[COHORT_MAX_TERMS];
    bool is_present[COHORT_MAX_TERMS];
    const cohort_arithmetic_row *row = &cohort_arithmetic_plain[type];
    fill_buffers(type, R, COUNT);
    for (int r = 0; r < R; r++) {
        is_present[r] = true;
        results[r] = buffers[r];
        wide_pointers[r] = floats[r];
        row->widen(floats[r], buffers[r], COUNT);
    }
    int n = make_program(is_present, 0, R, program, 0);
    for (int i = 0; i < n; i++)
        program[i].offset = 0;
    cohort_reduction reduction = describe(COHORT_SUM, COHORT_F32, program, n, COUNT);
    reduction.divisor = divisor;
    bool is_right = cohort_reduction_run(&reduction, wide_pointers, floats[0], 0, COUNT) >= 0;
    row->narrow(wanted, floats[0], COUNT);
    reduction.type = type;
    is_right =
        is_right && cohort_reduction_run(&reduction, pointers, result, 0, FIRST) >= 0 &&
        cohort_reduction_run(&reduction, pointers, result, FIRST, COUNT - FIRST) >= 0 &&
        memcmp(result, wanted, sizeof wanted) == 0 &&
        cohort_reduction_run_to_all(&reduction, pointers, results, (uint32_t)R, 0, COUNT) >= 0;
    for (int r = 0; r < R; r++)
        is_right = is_right && memcmp(buffers[r], wanted, sizeof wanted) == 0;
    return is_right;
}

static void check_half_means(void)
{
    static const uint32_t types[] = { COHORT_F16, COHORT_BF16 };
    cohort_term terms[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 1, 0 } };
    uint16_t *a = (uint16_t *)(void *)buffers[0], *b = (uint16_t *)(void *)buffers[1],
             *out = (uint16_t *)(void *)result;
    cohort_reduction bad = describe(77, COHORT_BF16, terms, 2, 1);
    bad.divisor = 2;
    ok(run_plain(bad) == COHORT_ENOTSUP, "an unknown op of 16 bits that is divided");
    has_text(cohort_error_text(), "bfloat16", "is refused by the name of the type");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        bool is_right = true;
        for (int R = 1; R <= (int)COHORT_MAX_TERMS; R++)
            is_right = is_right && is_wide_mean(types[t], R, (uint64_t)R + 1) &&
                       is_wide_mean(types[t], R, 2);
        ok(is_right, "%s: means of 1 to 64 terms are those of float32",
           cohort_dtype_name((cohort_dtype)types[t]));
    }
    cohort_reduction mean = describe(COHORT_SUM, COHORT_F16, terms, 2, 1);
    mean.divisor = 2;
    *a = *b = 0x7bff;
    ok(run_plain(mean) >= 0 && *out == 0x7bff, "the mean of the largest two is not infinite");
    const float scale = 0.5f;
    const uint16_t half = cohort_half_to_f16(scale), three = cohort_half_to_f16(3);
    const void *weights[2] = { &half, &three };
    *a = 0x7bff, *b = 0x0001;
    ok(cohort_reduction_run_weighed(&mean, pointers, weights, result, 0, 1) >= 0 &&
           *out == cohort_half_to_f16((65504.0f / 2 + 3 * 0x1p-24f) / 2),
       "weights multiply in float32");
}

/* ---- Rows. */

static void define_rows(uint32_t op, uint32_t type, const unsigned char *from, int64_t n,
                        int64_t stride, void *into)
{
    static unsigned char blocks[64][16];
    const unsigned char *terms[64];
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    int count = 0;
    for (int64_t row = 0; row < n; row++) {
        const unsigned char *at = from + (size_t)(row * stride) * bytes;
        if (row % 128 == 0)
            memcpy(blocks[count++], at, bytes);
        else
            combine(op, type, blocks[count - 1], at, blocks[count - 1]);
    }
    for (int i = 0; i < count; i++)
        terms[i] = blocks[i];
    (void)define_tree(op, type, terms, 0, count, into);
}

/* Of float16 in float32, rounded once. */
static void define_half_rows(uint32_t op, uint32_t type, const unsigned char *from, int64_t n,
                             int64_t stride, void *into)
{
    static float wide[8000];
    float result_of_floats;
    (void)type;
    for (int64_t row = 0; row < n; row++) {
        uint16_t half;
        memcpy(&half, from + (size_t)(row * stride) * sizeof half, sizeof half);
        wide[row] = cohort_half_from_f16(half);
    }
    unsigned char sum[16];
    define_rows(op, COHORT_F32, (const unsigned char *)wide, n, 1, sum);
    memcpy(&result_of_floats, sum, sizeof result_of_floats);
    const uint16_t rounded = cohort_half_to_f16(result_of_floats);
    memcpy(into, &rounded, sizeof rounded);
}

static bool check_rows_case(uint32_t op, uint32_t type, int64_t n, int64_t stride, int64_t inner)
{
    static _Alignas(64) unsigned char from[1 << 20];
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    if ((size_t)((n - 1) * stride + inner) * bytes > sizeof from)
        return true;
    for (int64_t i = 0; i < (n - 1) * stride + inner; i++)
        fill_element(type, from + (size_t)i * bytes);
    memset(result, 0xa5, sizeof result);
    if (fold_rows(op, type, from, n, stride, inner, result) < 0)
        return false;
    for (int64_t i = 0; i < inner; i++) {
        unsigned char wanted[16];
        (type == COHORT_F16 && n > 1 ? define_half_rows : define_rows)(
            op, type, from + (size_t)i * bytes, n, stride, wanted);
        if (memcmp(wanted, result + (size_t)i * bytes, bytes) != 0)
            return false;
    }
    return result[(size_t)inner * bytes] == 0xa5;
}

static void check_rows(void)
{
    static const int64_t counts[] = { 1,   2,   127,  128,  129,  255, 256,
                                      257, 384, 1000, 1153, 4096, 8000 };
    static const int64_t inners[] = { 0, 1, 2, 3, 10, 64, 700, 4000 };
    static const uint32_t types[] = { COHORT_F32, COHORT_F64,  COHORT_I8, COHORT_I64,
                                      COHORT_F16, COHORT_C128, COHORT_U16 };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        bool is_right = true;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (size_t k = 0; k < sizeof inners / sizeof *inners; k++)
                is_right &= check_rows_case(COHORT_SUM, types[t], counts[i],
                                            inners[k] + (int64_t)(i % 3), inners[k]);
        ok(is_right, "rows of %s: blocks of 128 in order, blocks by the tree",
           cohort_dtype_name((cohort_dtype)types[t]));
    }
    ok(check_rows_case(COHORT_MAX, COHORT_F64, 1000, 5, 5) &&
           check_rows_case(COHORT_MIN, COHORT_I32, 777, 9, 4) &&
           check_rows_case(COHORT_PROD, COHORT_U8, 400, 1, 1) &&
           check_rows_case(COHORT_MAX, COHORT_BOOL, 300, 2, 2),
       "other operations too");
    ok(check_rows_case(COHORT_SUM, COHORT_F32, 5, 0, 7), "stride 0 repeats a row");
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    check_arguments();
    check_types();
    check_all_in_place();
    check_hostings();
    check_places();
    check_deep(COHORT_F64);
    check_deep(COHORT_C128);
    check_deep(COHORT_I8);
    check_wide();
    check_divisor();
    check_nan();
    check_canonical_nan();
    check_state();
    check_f16();
    check_bf16();
    check_half_sums();
    check_half_means();
    check_rows();
    ok(cohort_memory_blocks() == 0, "nothing is allocated");
    return tap_done();
}
