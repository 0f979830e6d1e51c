/* SPDX-License-Identifier: BSD-3-Clause */
/* Every set of loops that this machine can use: the same bits as the plain set for every type,
 * operation and count, and for 16-bit floats those of one operation at a time, for all numbers that
 * there are. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"

#include "runtime/arithmetic/nan.h"
#include "runtime/base/half.h"
#include "runtime/base/memory.h"
#include "tests/tap.h"

#include <cohort/array.h>

static uint64_t random_bits(void)
{
    static uint64_t seed = 88172645463325252ull;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* ------------------------------------------------------------------ beside the plain set */

enum { LOOP_ELEMENTS = 67, LOOP_TERMS = 8 }; /* no multiple of any vector */

typedef struct loop_data {
    _Alignas(64) char terms[LOOP_TERMS][16 * LOOP_ELEMENTS];
} loop_data;

/* In two of four fillings all numbers are between 1 and 2, as float64 or as float32, so that an
 * operation that rounds once for two is seen. In the others every fourth is a NaN or an infinity,
 * as far as random bits give them, and the rest any number, or a small one, so that sums cancel and
 * products are subnormal. */
static void fill_loops(loop_data *d, int filling)
{
    for (size_t i = 0; i < sizeof d->terms / 8; i++) {
        uint64_t bits = random_bits();
        if (filling % 4 == 1)
            bits = (bits & UINT64_C(0x800fffffffffffff)) | UINT64_C(0x3ff0000000000000);
        else if (filling % 4 == 2)
            bits = (bits & UINT64_C(0x807fffff807fffff)) | UINT64_C(0x3f8000003f800000);
        else if (i % 4 == 0)
            bits |= i % 8 == 0 ? UINT64_C(0x7ff87fff7f807c00) : UINT64_C(0x7ff0000000000000);
        else if (filling % 4 == 0)
            bits &= UINT64_C(0x8003800380038003);
        memcpy((char *)d->terms + 8 * i, &bits, sizeof bits);
    }
}

static const void *const *list_terms(const loop_data *d, const void *out[])
{
    for (int i = 0; i < LOOP_TERMS; i++)
        out[i] = d->terms[i];
    return out;
}

static bool is_same_combine(cohort_arithmetic_combine_fn a, cohort_arithmetic_combine_fn b,
                            const loop_data *from, size_t rows, size_t n, size_t bytes)
{
    const ptrdiff_t stride = (ptrdiff_t)(sizeof from->terms[0] / bytes);
    loop_data x = *from, y = *from;
    if (a == NULL || b == NULL)
        return a == b;
    a(x.terms[0], x.terms[1], x.terms[2], rows, stride, n);
    b(y.terms[0], y.terms[1], y.terms[2], rows, stride, n);
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool is_same_columns(cohort_arithmetic_columns_fn a, cohort_arithmetic_columns_fn b,
                            const loop_data *from, size_t n)
{
    loop_data x = *from, y = *from;
    if (a == NULL || b == NULL)
        return a == b;
    a(x.terms[0], x.terms[2], 5, 1, 4, n);
    b(y.terms[0], y.terms[2], 5, 1, 4, n);
    a(x.terms[1], x.terms[2], 1, 1, 2, n);
    b(y.terms[1], y.terms[2], 1, 1, 2, n);
    a(x.terms[5], x.terms[2], 21, 1, 3, n);
    b(y.terms[5], y.terms[2], 21, 1, 3, n);
    a(x.terms[6], x.terms[2], 9, 2, 5, n);
    b(y.terms[6], y.terms[2], 9, 2, 5, n);
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool is_same_fused(cohort_arithmetic_fused_fn a, cohort_arithmetic_fused_fn b,
                          const loop_data *from, size_t n)
{
    loop_data x = *from, y = *from;
    const void *xs[LOOP_TERMS], *ys[LOOP_TERMS];
    if (a == NULL || b == NULL)
        return a == b;
    a(x.terms[0], list_terms(&x, xs), n);
    b(y.terms[0], list_terms(&y, ys), n);
    return memcmp(&x, &y, sizeof x) == 0;
}

/* In place: into all terms what the tree over them makes. */
static bool is_same_all(cohort_arithmetic_all_fn all, cohort_arithmetic_combine_fn sum, int terms,
                        const loop_data *from, size_t n, size_t bytes)
{
    loop_data x = *from, y = *from;
    const void *ys[LOOP_TERMS];
    void *into[LOOP_TERMS];
    for (int step = 1; step < terms; step *= 2)
        for (int i = 0; i < terms; i += 2 * step)
            sum(x.terms[i], x.terms[i], x.terms[i + step], 1, 0, n);
    for (int i = 0; i < terms; i++) {
        memmove(x.terms[i], x.terms[0], n * bytes);
        into[i] = y.terms[terms - 1 - i];
    }
    all(into, list_terms(&y, ys), n);
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool has_same_all(const cohort_arithmetic_row *a, const cohort_arithmetic_row *b,
                         const loop_data *from, size_t n, size_t bytes)
{
    return (a->sum2_all == NULL) == (b->sum2_all == NULL) &&
           (a->sum4_all == NULL) == (b->sum4_all == NULL) &&
           (a->sum8_all == NULL) == (b->sum8_all == NULL) &&
           (b->sum2_all == NULL ||
            is_same_all(b->sum2_all, a->combine[COHORT_SUM], 2, from, n, bytes)) &&
           (b->sum4_all == NULL ||
            is_same_all(b->sum4_all, a->combine[COHORT_SUM], 4, from, n, bytes)) &&
           (b->sum8_all == NULL ||
            is_same_all(b->sum8_all, a->combine[COHORT_SUM], 8, from, n, bytes));
}

static bool is_same_weighed(cohort_arithmetic_fused_weighed_fn a,
                            cohort_arithmetic_fused_weighed_fn b, const loop_data *from, size_t n)
{
    loop_data x = *from, y = *from;
    const void *xs[LOOP_TERMS], *ys[LOOP_TERMS];
    if (a == NULL || b == NULL)
        return a == b;
    a(x.terms[0], list_terms(&x, xs), list_terms(from, ys), n);
    b(y.terms[0], list_terms(&y, xs), ys, n);
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool is_same_division(const cohort_arithmetic_row *a, const cohort_arithmetic_row *b,
                             const loop_data *from, size_t n)
{
    static const uint64_t divisors[] = { 3, 4, UINT64_C(1) << 63, 1000 };
    loop_data x = *from, y = *from;
    if ((a->divide == NULL) != (b->divide == NULL) ||
        (a->sum_divide == NULL) != (b->sum_divide == NULL) ||
        (a->quotient == NULL) != (b->quotient == NULL))
        return false;
    for (size_t i = 0; i < sizeof divisors / sizeof *divisors && a->divide != NULL; i++) {
        a->divide(x.terms[i], divisors[i], n);
        b->divide(y.terms[i], divisors[i], n);
        if (a->sum_divide == NULL || b->sum_divide == NULL)
            continue;
        a->sum_divide(x.terms[i], x.terms[i], x.terms[6], divisors[i], n);
        b->sum_divide(y.terms[i], y.terms[i], y.terms[6], divisors[i], n);
    }
    if (a->quotient != NULL) {
        a->quotient(x.terms[4], x.terms[5], n);
        b->quotient(y.terms[4], y.terms[5], n);
    }
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool is_same_weigh(const cohort_arithmetic_row *a, const cohort_arithmetic_row *b,
                          const loop_data *from, size_t rows, size_t n, size_t bytes)
{
    const ptrdiff_t stride = (ptrdiff_t)(sizeof from->terms[0] / bytes);
    loop_data x = *from, y = *from;
    if (a->weigh == NULL || b->weigh == NULL)
        return a->weigh == b->weigh && a->add_weighed == b->add_weighed;
    if ((a->add_weighed == NULL) != (b->add_weighed == NULL))
        return false;
    a->weigh(x.terms[0], x.terms[1], x.terms[2], n);
    b->weigh(y.terms[0], y.terms[1], y.terms[2], n);
    if (a->add_weighed != NULL) {
        a->add_weighed(x.terms[0], x.terms[1], x.terms[7], rows, stride, 1, n);
        b->add_weighed(y.terms[0], y.terms[1], y.terms[7], rows, stride, 1, n);
    }
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool is_same_pair(cohort_write_arithmetic_fn a, cohort_write_arithmetic_fn b,
                         const loop_data *from, size_t n)
{
    loop_data x = *from, y = *from;
    if (a == NULL || b == NULL)
        return a == b;
    return a(x.terms[0], x.terms[0], x.terms[1], n) && b(y.terms[0], y.terms[0], y.terms[1], n) &&
           memcmp(&x, &y, sizeof x) == 0;
}

static bool is_same_row(const cohort_arithmetic_row *a, const cohort_arithmetic_row *b,
                        const loop_data *from, size_t rows, size_t n, size_t bytes)
{
    bool is_same = true;
    for (int op = 0; op < COHORT_REDUCE_OPS_END; op++)
        is_same = is_same &&
                  is_same_combine(a->combine[op], b->combine[op], from, rows, n, bytes) &&
                  is_same_columns(a->columns[op], b->columns[op], from, n / 4);
    return is_same && is_same_fused(a->sum4, b->sum4, from, n) &&
           is_same_fused(a->sum8, b->sum8, from, n) && has_same_all(a, b, from, n, bytes) &&
           is_same_weighed(a->sum2_weighed, b->sum2_weighed, from, n) &&
           is_same_weighed(a->sum4_weighed, b->sum4_weighed, from, n) &&
           is_same_weighed(a->sum8_weighed, b->sum8_weighed, from, n) &&
           is_same_pair(a->subtract, b->subtract, from, n) &&
           is_same_pair(a->ratio, b->ratio, from, n) && is_same_weigh(a, b, from, rows, n, bytes) &&
           is_same_division(a, b, from, n);
}

static void check_same(const cohort_arithmetic_set *set)
{
    bool is_same = true;
    for (int i = 0; i < 60; i++) {
        loop_data data;
        fill_loops(&data, i);
        for (uint32_t type = 0; type < COHORT_ARITHMETIC_TYPES; type++)
            for (size_t n = 0; n <= LOOP_ELEMENTS && is_same; n += n < 20 ? 1 : 47) {
                const size_t bytes = (size_t)cohort_dtype_bytes((cohort_dtype)type);
                for (size_t rows = 1; rows <= 5 && is_same; rows++)
                    is_same = is_same_row(&cohort_arithmetic_plain[type], &set->rows[type], &data,
                                          rows, n, bytes == 0 ? 1 : bytes);
                if (!is_same)
                    diag("%zu elements of %s", n, cohort_dtype_name((cohort_dtype)type));
            }
    }
    ok(is_same, "%s: all loops give the bits of the plain ones", set->name);
}

/* ------------------------------------------------------------------ all products of bytes */

enum { ALL_BYTES = 256, BYTE_ROWS = 5 };

/* Byte i of each row times a byte of its own for each row, which meets every pair of bytes; an odd
 * number of them, with another byte behind. */
static void check_bytes(const cohort_arithmetic_set *set)
{
    uint8_t left[ALL_BYTES], rows[BYTE_ROWS][ALL_BYTES], into[ALL_BYTES];
    bool is_right = true;
    for (int times = 0; times < ALL_BYTES && is_right; times++) {
        for (int i = 0; i < ALL_BYTES; i++) {
            left[i] = (uint8_t)i;
            into[i] = 77;
            for (int row = 0; row < BYTE_ROWS; row++)
                rows[row][i] = (uint8_t)(times + row);
        }
        set->rows[COHORT_I8].combine[COHORT_PROD](into, left, rows, 1, ALL_BYTES, ALL_BYTES - 1);
        for (int i = 0; i < ALL_BYTES - 1 && is_right; i++)
            is_right = into[i] == (uint8_t)(i * times);
        is_right = is_right && into[ALL_BYTES - 1] == 77;
        set->rows[COHORT_U8].combine[COHORT_PROD](left, left, rows, BYTE_ROWS, ALL_BYTES,
                                                  ALL_BYTES - 1);
        for (int i = 0; i < ALL_BYTES - 1 && is_right; i++) {
            uint8_t wanted = (uint8_t)i;
            for (int row = 0; row < BYTE_ROWS; row++)
                wanted = (uint8_t)(wanted * rows[row][i]);
            is_right = left[i] == wanted;
        }
    }
    ok(is_right, "%s: products of all bytes", set->name);
}

/* ------------------------------------------------------------------ all 16-bit floats */

typedef struct half_type {
    uint32_t type;
    float (*from)(uint16_t half);
    uint16_t (*to)(float value);
    uint16_t (*canonical)(uint16_t half);
    uint16_t partners[20]; /* zeros, subnormals, the least and the most, infinities, NaNs */
} half_type;

static const half_type half_types[] = {
    { COHORT_F16,
      cohort_half_from_f16,
      cohort_half_to_f16,
      cohort_nan_canonical_f16,
      { 0,      0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00,
        0x3555, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0xffff, 0x1400 } },
    { COHORT_BF16,
      cohort_half_from_bf16,
      cohort_half_to_bf16,
      cohort_nan_canonical_bf16,
      { 0,      0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x3f80, 0xbf80,
        0x3eab, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0xffff, 0x3b00 } },
};

enum { DIFFERENCE = COHORT_REDUCE_OPS_END, RATIO }; /* beside the reductions */

static uint16_t expect(const half_type *h, uint32_t op, uint16_t left, uint16_t right)
{
    const float x = h->from(left), y = h->from(right);
    switch (op) {
    case COHORT_SUM:
        return h->canonical(h->to(x + y));
    case COHORT_PROD:
        return h->canonical(h->to(x * y));
    case COHORT_MIN:
        return h->canonical(x < y || x != x ? left : right);
    case COHORT_MAX:
        return h->canonical(x > y || x != x ? left : right);
    case DIFFERENCE:
        return h->canonical(h->to(x - y));
    default:
        return h->canonical(h->to(x / y));
    }
}

enum { ALL_HALVES = 65536, PARTNERS = 44 };

static uint16_t halves[ALL_HALVES], others[ALL_HALVES], found[ALL_HALVES];

static uint16_t partner(const half_type *h, int i)
{
    enum { GIVEN = sizeof h->partners / sizeof *h->partners };
    return i < GIVEN ? h->partners[i] : (uint16_t)random_bits();
}

static bool is_right_op(const half_type *h, const cohort_arithmetic_row *row, uint32_t op,
                        cohort_arithmetic_combine_fn combine)
{
    for (int p = 0; p < PARTNERS; p++) {
        const uint16_t y = partner(h, p);
        for (int i = 0; i < ALL_HALVES; i++)
            others[i] = y;
        if (combine != NULL)
            combine(found, halves, others, 1, 0, ALL_HALVES);
        else
            (void)(op == DIFFERENCE ? row->subtract : row->ratio)(found, halves, others,
                                                                  ALL_HALVES);
        for (int i = 0; i < ALL_HALVES; i++)
            if (found[i] != expect(h, op, halves[i], y)) {
                diag("%04x op %u %04x: %04x", halves[i], op, y, found[i]);
                return false;
            }
    }
    return true;
}

static bool is_right_division(const half_type *h, const cohort_arithmetic_row *row)
{
    static const uint64_t divisors[] = { 1, 2, 3, 4, 5, 7, 8, 100, 65536, UINT64_C(1) << 63 };
    bool is_right = true;
    for (size_t k = 0; k < sizeof divisors / sizeof *divisors; k++) {
        memcpy(found, halves, sizeof found);
        row->divide(found, divisors[k], ALL_HALVES);
        for (int i = 0; i < ALL_HALVES; i++)
            is_right &= found[i] == h->canonical(h->to(h->from(halves[i]) / (float)divisors[k]));
    }
    return is_right;
}

/* Each result of a loop over several terms, from the operations one by one. */
static bool is_right_fused(const half_type *h, const cohort_arithmetic_row *row)
{
    enum { N = 4099 };
    static uint16_t terms[LOOP_TERMS][N], weights[LOOP_TERMS], sums[2][N];
    const void *t[LOOP_TERMS], *w[LOOP_TERMS];
    for (int k = 0; k < LOOP_TERMS; k++) {
        for (int i = 0; i < N; i++)
            terms[k][i] = partner(h, i % 5 == 0 ? k + i % 20 : PARTNERS);
        weights[k] = partner(h, 8 + k);
        t[k] = terms[k], w[k] = &weights[k];
    }
    row->sum8(sums[0], t, N);
    row->sum8_weighed(sums[1], t, w, N);
    for (int i = 0; i < N; i++) {
        uint16_t plain[LOOP_TERMS], weighed[LOOP_TERMS];
        for (int k = 0; k < LOOP_TERMS; k++) {
            plain[k] = terms[k][i];
            weighed[k] = expect(h, COHORT_PROD, terms[k][i], weights[k]);
        }
        for (int n = LOOP_TERMS / 2; n > 0; n /= 2)
            for (int k = 0; k < n; k++) {
                plain[k] = expect(h, COHORT_SUM, plain[2 * k], plain[2 * k + 1]);
                weighed[k] = expect(h, COHORT_SUM, weighed[2 * k], weighed[2 * k + 1]);
            }
        if (sums[0][i] != plain[0] || sums[1][i] != weighed[0])
            return false;
    }
    return true;
}

/* All that there are, and back; of floats between them those in the middle, which go to the even
 * one, and their neighbours on both sides. */
static bool is_right_conversion(const half_type *h, const cohort_arithmetic_row *row)
{
    static float wide[ALL_HALVES];
    bool is_right = true;
    row->widen(wide, halves, ALL_HALVES);
    row->narrow(found, wide, ALL_HALVES);
    for (int i = 0; i < ALL_HALVES; i++) {
        const float wanted = cohort_nan_canonical_f32(h->from(halves[i]));
        is_right &= memcmp(&wide[i], &wanted, sizeof wanted) == 0;
        is_right &= found[i] == h->canonical(halves[i]);
    }
    for (int aside = -1; aside <= 1; aside++) {
        for (int i = 0; i < ALL_HALVES; i++) {
            const float middle = h->from(halves[i]) / 2 + h->from((uint16_t)(halves[i] + 1)) / 2;
            wide[i] = cohort_half_float(cohort_half_bits(middle) + (uint32_t)aside);
        }
        row->narrow(found, wide, ALL_HALVES - 1); /* what is left over is done too */
        for (int i = 0; i < ALL_HALVES - 1; i++)
            is_right &= found[i] == h->canonical(h->to(wide[i]));
    }
    return is_right;
}

static void check_halves(const cohort_arithmetic_set *set)
{
    for (int i = 0; i < ALL_HALVES; i++)
        halves[i] = (uint16_t)i;
    for (size_t k = 0; k < sizeof half_types / sizeof *half_types; k++) {
        const half_type *h = &half_types[k];
        const cohort_arithmetic_row *row = &set->rows[h->type];
        const char *name = cohort_dtype_name((cohort_dtype)h->type);
        ok(is_right_op(h, row, COHORT_SUM, row->combine[COHORT_SUM]), "%s: sums of all %s",
           set->name, name);
        ok(is_right_op(h, row, COHORT_PROD, row->combine[COHORT_PROD]), "%s: products of all %s",
           set->name, name);
        ok(is_right_op(h, row, COHORT_MIN, row->combine[COHORT_MIN]), "%s: minima of all %s",
           set->name, name);
        ok(is_right_op(h, row, COHORT_MAX, row->combine[COHORT_MAX]), "%s: maxima of all %s",
           set->name, name);
        ok(is_right_op(h, row, DIFFERENCE, NULL), "%s: differences of all %s", set->name, name);
        ok(is_right_op(h, row, RATIO, NULL) && is_right_division(h, row), "%s: quotients of all %s",
           set->name, name);
        ok(is_right_conversion(h, row), "%s: all %s to float32 and back", set->name, name);
        ok(is_right_fused(h, row), "%s: eight %s in one pass, with weights and without", set->name,
           name);
    }
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    for (int i = 0; i < COHORT_ARITHMETIC_SETS; i++) {
        const cohort_arithmetic_set *set = &cohort_arithmetic_sets[i];
        if (!set->is_usable()) {
            skip(set->name, "this machine has no such instructions");
            continue;
        }
        check_same(set);
        check_bytes(set);
        check_halves(set);
    }
    ok(cohort_memory_blocks() == 0, "nothing is allocated");
    return tap_done();
}
