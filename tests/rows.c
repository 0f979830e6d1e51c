/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an array and terms with weights, against one operation at a time: those of
 * tests/reduction.c. */
#include "config.h"

#include "runtime/arithmetic/row_fold.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/nan.h"
#include "runtime/arithmetic/reduction.h"
#include "runtime/base/half.h"
#include "runtime/base/memory.h"
#include "tests/dtypes.h"
#include "tests/tap.h"

#include <cohort/array.h>

#include <stdlib.h>

enum { ELEMENTS = 70000, MOST_RESULTS = 5000 };

static _Alignas(64) unsigned char from[16 * ELEMENTS], weights[16 * ELEMENTS],
    result[16 * (MOST_RESULTS + 1)];

static uint64_t random_bits(void)
{
    static uint64_t seed = 88172645463325252ull;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* All bits there are, in a third of the elements; small numbers in the others. */
static void fill(uint32_t type, unsigned char *elements, size_t n)
{
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits[2] = { random_bits(), random_bits() };
        const int16_t number = (int16_t)((int)(random_bits() % 2001) - 1000);
        memcpy(elements + i * bytes, bits, bytes);
        if (i % 3 != 0)
            (void)cohort_dtype_convert(COHORT_I16, &number, (cohort_dtype)type,
                                       elements + i * bytes);
    }
}

/* ------------------------------------------------------------------ the definition */

typedef struct element {
    _Alignas(16) unsigned char bytes[16];
} element;

static element combine(uint32_t op, uint32_t type, const void *a, const void *b)
{
    const cohort_arithmetic_row *row = &cohort_arithmetic_plain[type];
    element e;
    (op == COHORT_SUM    ? row->combine[COHORT_SUM]
     : op == COHORT_PROD ? row->combine[COHORT_PROD]
     : op == COHORT_MIN  ? row->combine[COHORT_MIN]
                         : row->combine[COHORT_MAX])(e.bytes, a, b, 1, 0, 1);
    return e;
}

/* Of 2^k results and fewer: the left half is the largest power of two below n. */
static element define_tree(uint32_t op, uint32_t type, const element *results, int64_t n)
{
    int64_t left = 1;
    if (n == 1)
        return *results;
    while (2 * left < n)
        left *= 2;
    element a = define_tree(op, type, results, left),
            b = define_tree(op, type, results + left, n - left);
    return combine(op, type, a.bytes, b.bytes);
}

/* Sums and products of narrow floats are those of float32; one that nothing happens to stays as it
 * is. */
static bool is_wide(const cohort_rows *r)
{
    return kind_of(r->type) == 'f' && cohort_dtype_bytes(r->type) < 4 &&
           (r->op == COHORT_SUM || r->op == COHORT_PROD) &&
           (r->keeps_float32 || r->rows > 1 || r->weights != NULL);
}

/* In the type in which it is combined, with one NaN. */
static element get(const cohort_rows *r, const void *array, int64_t at)
{
    const size_t bytes = (size_t)cohort_dtype_bytes(r->type);
    element e;
    memcpy(e.bytes, (const char *)array + (size_t)at * bytes, bytes);
    if (is_wide(r)) {
        float wide;
        cohort_arithmetic_plain[r->type].widen(&wide, e.bytes, 1);
        memcpy(e.bytes, &wide, sizeof wide);
    }
    return e;
}

/* As it is stored. */
static element finish(const cohort_rows *r, element e)
{
    if (is_wide(r) && !r->keeps_float32) {
        float wide;
        memcpy(&wide, e.bytes, sizeof wide);
        cohort_arithmetic_plain[r->type].narrow(e.bytes, &wide, 1);
    }
    return e;
}

static element define(const cohort_rows *r, int64_t o, int64_t i)
{
    static element blocks[ELEMENTS / 128 + 1];
    const uint32_t op = (uint32_t)r->op, type = is_wide(r) ? COHORT_F32 : (uint32_t)r->type;
    int64_t n = 0;
    for (int64_t row = 0; row < r->rows; row++) {
        element e = get(r, r->from, o * r->outer_stride + row * r->stride + i);
        if (r->weights != NULL)
            e = combine(COHORT_PROD, type, e.bytes,
                        get(r, r->weights, row * r->weight_stride).bytes);
        if (row % 128 == 0)
            blocks[n++] = e;
        else
            blocks[n - 1] = combine(op, type, blocks[n - 1].bytes, e.bytes);
    }
    return finish(r, define_tree(op, type, blocks, n));
}

/* ------------------------------------------------------------------ rows */

static bool is_defined(const cohort_rows *r)
{
    const size_t bytes = r->keeps_float32 ? sizeof(float) : (size_t)cohort_dtype_bytes(r->type);
    const size_t count = (size_t)(r->outer * r->inner);
    memset(result, 0xa5, sizeof result);
    if (cohort_row_fold(r, result) < 0 || result[count * bytes] != 0xa5)
        return false;
    for (int64_t o = 0; o < r->outer; o++)
        for (int64_t i = 0; i < r->inner; i++) {
            const element wanted = define(r, o, i);
            if (memcmp(wanted.bytes, result + (size_t)(o * r->inner + i) * bytes, bytes) != 0) {
                diag("%s op %d, %lld x %lld x %lld, element %lld %lld", cohort_dtype_name(r->type),
                     (int)r->op, (long long)r->outer, (long long)r->rows, (long long)r->inner,
                     (long long)o, (long long)i);
                return false;
            }
        }
    return true;
}

/* Lines, short and long, narrow rows and wide ones, more than a slot, a group of blocks and more,
 * rows with gaps. */
static bool is_defined_in_all_shapes(cohort_rows *r)
{
    static const int64_t shapes[][3] = {
        { 1, 1, 1 },     { 3, 1, 1 },     { 1, 129, 1 },  { 7, 128, 1 },  { 19, 5, 1 },
        { 1100, 3, 1 },  { 9, 700, 1 },   { 2, 1024, 1 }, { 1, 9000, 1 }, { 1, 65536, 1 },
        { 2, 20000, 1 }, { 1, 40, 2 },    { 4, 300, 3 },  { 2, 130, 9 },  { 3, 1, 40 },
        { 1, 9, 4200 },  { 1, 1153, 40 }, { 1, 8292, 1 }, { 0, 4, 4 },    { 2, 4, 0 },
        { 25, 8, 1 },    { 43, 270, 1 },
    };
    bool is_right = true;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes && is_right; s++) {
        r->outer = shapes[s][0], r->rows = shapes[s][1], r->inner = shapes[s][2];
        r->stride = r->inner + (int64_t)(s % 5 == 4);
        r->outer_stride = r->rows * r->stride + (int64_t)(s % 2);
        is_right = r->outer * r->outer_stride + r->stride > ELEMENTS || is_defined(r);
    }
    return is_right;
}

static bool has_op(uint32_t op, uint32_t type)
{
    return cohort_arithmetic_find(op, type) != NULL;
}

static void check_rows(void)
{
    for (uint32_t type = 0; type < COHORT_ARITHMETIC_TYPES; type++)
        for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op)) {
            cohort_rows r = { .op = (cohort_reduce_op)op,
                              .type = (cohort_dtype)type,
                              .from = from };
            if (!has_op(op, type))
                continue;
            fill(type, from, ELEMENTS);
            ok(is_defined_in_all_shapes(&r), "rows of %s, op %u",
               cohort_dtype_name((cohort_dtype)type), op);
            r.keeps_float32 = true;
            if (is_wide(&r))
                ok(is_defined_in_all_shapes(&r), "rows of %s, op %u, kept in float32",
                   cohort_dtype_name((cohort_dtype)type), op);
        }
}

static void check_weighed_rows(void)
{
    for (uint32_t type = next_dtype(0); type != 0; type = next_dtype(type))
        for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op)) {
            bool is_right = has_op(op, type) && cohort_arithmetic_find_weigh(type) != NULL;
            if (!is_right)
                continue;
            fill(type, from, ELEMENTS);
            fill(type, weights, ELEMENTS);
            for (int64_t each = 0; each < 2; each++) {
                cohort_rows r = { .op = (cohort_reduce_op)op,
                                  .type = (cohort_dtype)type,
                                  .from = from,
                                  .weights = weights,
                                  .weight_stride = each };
                is_right = is_right && is_defined_in_all_shapes(&r);
            }
            ok(is_right, "weighed rows of %s, op %u", cohort_dtype_name((cohort_dtype)type), op);
        }
}

static void check_repeated_halves(void)
{
    fill(COHORT_F16, from, ELEMENTS);
    fill(COHORT_F16, weights, ELEMENTS);
    cohort_rows r = {
        .op = COHORT_SUM, .type = COHORT_F16, .from = from, .outer = 1, .rows = 5000, .inner = 1
    };
    ok(is_defined(&r), "so of 16 bits");
    r.weights = weights;
    r.weight_stride = 1;
    ok(is_defined(&r), "with weights");
    r.inner = 70;
    ok(is_defined(&r), "and rows of them");
}

/* What 16 bits have no digits for. */
static void check_many(void)
{
    static uint16_t ones[ELEMENTS], tenths[ELEMENTS];
    uint16_t sum;
    float wide;
    for (size_t i = 0; i < ELEMENTS; i++)
        ones[i] = cohort_half_to_f16(1), tenths[i] = cohort_half_to_bf16(0.1f);
    cohort_rows r = { .op = COHORT_SUM,
                      .type = COHORT_BF16,
                      .from = tenths,
                      .outer = 1,
                      .rows = 1000,
                      .inner = 1,
                      .stride = 1 };
    ok(cohort_row_fold(&r, &sum) >= 0 && cohort_half_from_bf16(sum) == 100,
       "1,000 bfloat16 0.1 are 100");
    r.rows = 1, r.inner = 1;
    ok(cohort_row_fold(&r, &sum) >= 0 && sum == tenths[0], "one is itself");
    r.rows = 60000;
    ok(cohort_row_fold(&r, &sum) >= 0 && cohort_half_from_bf16(sum) == 6016,
       "60,000 are the bfloat16 that is nearest to 6,005.859");
    r.type = COHORT_F16, r.from = ones, r.rows = 65504;
    ok(cohort_row_fold(&r, &sum) >= 0 && cohort_half_from_f16(sum) == 65504,
       "as many float16 ones as the type has room for");
    r.rows = ELEMENTS;
    ok(cohort_row_fold(&r, &sum) >= 0 && sum == 0x7c00, "more are infinity");
    r.keeps_float32 = true;
    ok(cohort_row_fold(&r, &wide) >= 0 && wide == ELEMENTS, "but not in float32");
    r.keeps_float32 = false, r.op = COHORT_PROD, r.rows = 2000, r.from = tenths;
    for (size_t i = 0; i < 2000; i++)
        tenths[i] = cohort_half_to_f16(i % 2 == 0 ? 4096 : 1.0f / 4096);
    ok(cohort_row_fold(&r, &sum) >= 0 && cohort_half_from_f16(sum) == 1, "a product of many");
}

static void check_repeated(void)
{
    fill(COHORT_F32, from, ELEMENTS);
    cohort_rows r = {
        .op = COHORT_SUM, .type = COHORT_F32, .from = from, .outer = 1, .rows = 5000, .inner = 1
    };
    ok(is_defined(&r), "stride 0 repeats an element");
    r.inner = 70;
    ok(is_defined(&r), "and a row");
}

/* A loop that begins with a number of its own, in place of the first row, would lose their sign. */
static void check_zeros(void)
{
    const float zero = -0.0f;
    for (size_t i = 0; i < ELEMENTS; i++)
        memcpy(from + i * sizeof zero, &zero, sizeof zero);
    cohort_rows r = { .op = COHORT_SUM, .type = COHORT_F32, .from = from };
    ok(is_defined_in_all_shapes(&r), "sums of negative zeros are negative");
}

/* ------------------------------------------------------------------ terms */

enum { TERM_ELEMENTS = 1500, MOST_TERMS = 19 };

/* The merges of the tree over n terms, those of a binary counter. */
static void describe(cohort_term terms[], uint32_t n)
{
    uint32_t merged = 0;
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = (cohort_term){ .merges = (uint32_t)__builtin_ctz(i + 1) };
        merged += terms[i].merges;
    }
    terms[n - 1].merges += n - 1 - merged;
}

static bool is_right_sum(uint32_t op, uint32_t type, uint32_t n)
{
    const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
    cohort_term terms[MOST_TERMS];
    const void *pointers[MOST_TERMS], *w[MOST_TERMS];
    describe(terms, n);
    for (uint32_t t = 0; t < n; t++) {
        pointers[t] = from + t * TERM_ELEMENTS * bytes;
        w[t] = weights + t * bytes;
    }
    const cohort_reduction reduction = { .struct_size = sizeof reduction,
                                         .order = COHORT_ORDER_STACK,
                                         .op = op,
                                         .type = type,
                                         .nterms = n,
                                         .terms = terms,
                                         .count = TERM_ELEMENTS,
                                         .divisor = 1 };
    if (cohort_reduction_run_weighed(&reduction, pointers, w, result, 0, TERM_ELEMENTS) < 0)
        return false;
    for (size_t i = 0; i < TERM_ELEMENTS; i++) {
        element products[MOST_TERMS];
        for (uint32_t t = 0; t < n; t++)
            products[t] = combine(COHORT_PROD, type, (const char *)pointers[t] + i * bytes, w[t]);
        const element wanted = define_tree(op, type, products, n);
        if (memcmp(wanted.bytes, result + i * bytes, bytes) != 0)
            return false;
    }
    return true;
}

static void check_terms(void)
{
    static const uint32_t ops[] = { COHORT_SUM, COHORT_MAX, COHORT_PROD };
    for (uint32_t type = next_dtype(0); type != 0; type = next_dtype(type)) {
        bool is_right = true;
        if (cohort_arithmetic_find_weigh(type) == NULL)
            continue;
        fill(type, from, ELEMENTS);
        fill(type, weights, ELEMENTS);
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
            for (uint32_t n = 1; n <= MOST_TERMS && is_right; n++)
                is_right = is_right_sum(ops[o], type, n);
        ok(is_right, "weighed terms of %s", cohort_dtype_name((cohort_dtype)type));
    }
}

/* ------------------------------------------------------------------ bad input */

static void check_arguments(void)
{
    const cohort_rows good = { .op = COHORT_SUM,
                               .type = COHORT_F32,
                               .from = from,
                               .outer = 1,
                               .rows = 1,
                               .inner = 1,
                               .weights = weights };
    cohort_rows r = good;
    r.weight_stride = 2;
    ok(cohort_row_fold(&r, result) == COHORT_EINVAL, "weights with gaps are refused");
    r = good, r.outer = -1;
    ok(cohort_row_fold(&r, result) == COHORT_EINVAL, "a negative extent is refused");
    r = good, r.type = COHORT_I32;
    ok(cohort_row_fold(&r, result) == COHORT_ENOTSUP, "integers have no weights");
    r = good, r.type = COHORT_C64;
    ok(cohort_row_fold(&r, result) == COHORT_ENOTSUP, "nor have complex numbers");
    r = good, r.keeps_float32 = true;
    ok(cohort_row_fold(&r, result) == COHORT_ENOTSUP, "float32 has nothing wider to keep");
    r = good, r.keeps_float32 = true, r.type = COHORT_BF16, r.op = COHORT_MAX;
    ok(cohort_row_fold(&r, result) == COHORT_ENOTSUP, "a maximum is one of its elements");
    cohort_term term = { .merges = 0 };
    const cohort_reduction integers = { .struct_size = sizeof integers,
                                        .order = COHORT_ORDER_STACK,
                                        .op = COHORT_SUM,
                                        .type = COHORT_I32,
                                        .nterms = 1,
                                        .terms = &term,
                                        .count = 1,
                                        .divisor = 1 };
    const void *x = from, *w = weights;
    ok(cohort_reduction_run_weighed(&integers, &x, &w, result, 0, 1) == COHORT_ENOTSUP,
       "nor terms of integers");
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    check_arguments();
    check_rows();
    check_weighed_rows();
    check_repeated();
    check_repeated_halves();
    check_many();
    check_zeros();
    check_terms();
    ok(cohort_memory_blocks() == 0, "nothing is allocated");
    return tap_done();
}
