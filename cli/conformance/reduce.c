/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions, bit for bit as the core's own kernel does them. */
#include "config.h"

#include "cli/conformance/rules.h"

/* large: more than 64 KiB of any type, of which plugins may make several parts */
enum { OFFSET = 64, MOST_TERMS = 17, LARGE = 70001 };

#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (bytes),
static const uint64_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };

#define DTYPE_KIND(name, value, text, bytes, kind) [value] = kind,
static const char dtype_kinds[] = { COHORT_NUMBER_DTYPES(DTYPE_KIND) };
enum { END_OF_DTYPES = sizeof dtype_kinds };

/* What one comparison uses: terms on the device and the same bytes here. */
typedef struct terms {
    cohort_term on_device[MOST_TERMS];
    const void *here[MOST_TERMS];
    uint32_t n;
    uint64_t bytes; /* of each block: an offset, the elements, a rest */
} terms;

/* What blocks hold. Noise is any bits; numbers are close to one another, so that each order of a
 * sum has a result of its own; special are zeros of both signs, infinities, NaN with payloads and
 * the smallest. */
typedef enum filling { NOISE, NUMBERS, SPECIAL } filling;

static void fill_block(unsigned char *into, uint64_t bytes, uint32_t seed, uint32_t type,
                       filling how)
{
    static const uint32_t singles[] = {
        0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00001,
        0xffc12345, 0x7f800001, 0x00000001, 0x80000001, 0x3f800000
    };
    static const uint64_t doubles[] = { 0,
                                        UINT64_C(0x8000000000000000),
                                        UINT64_C(0x7ff0000000000000),
                                        UINT64_C(0xfff0000000000000),
                                        UINT64_C(0x7ff8000000000001),
                                        UINT64_C(0xfff8123456789abc),
                                        1,
                                        UINT64_C(0x8000000000000001),
                                        UINT64_C(0x3ff0000000000000) };
    noise(into, bytes, seed);
    bool is_single = type == COHORT_F32 || type == COHORT_C64,
         is_double = type == COHORT_F64 || type == COHORT_C128;
    for (uint64_t at = 0; how != NOISE && is_single && at + 4 <= bytes; at += 4) {
        float number = (float)(into[at] + 256 * (into[at + 1] & 3)) / 7.0f - 73.0f;
        uint32_t special = singles[into[at] % (sizeof singles / sizeof *singles)];
        memcpy(into + at, how == NUMBERS ? (void *)&number : (void *)&special, 4);
    }
    for (uint64_t at = 0; how != NOISE && is_double && at + 8 <= bytes; at += 8) {
        double number = (double)(into[at] + 256 * (into[at + 1] & 3)) / 7.0 - 73.0;
        uint64_t special = doubles[into[at] % (sizeof doubles / sizeof *doubles)];
        memcpy(into + at, how == NUMBERS ? (void *)&number : (void *)&special, 8);
    }
}

static void terms_create(const subject *s, cohort_dev *dev, uint32_t n, uint64_t bytes,
                         uint32_t type, filling how, bool is_tree, terms *t)
{
    t->n = n;
    t->bytes = bytes + 2 * OFFSET;
    for (uint32_t i = 0; i < n; i++) {
        unsigned char *content = malloc((size_t)t->bytes);
        fill_block(content, t->bytes, i + 31 * type, type, how);
        for (uint64_t at = 0; type == COHORT_BOOL && at < t->bytes; at++)
            content[at] &= 1;
        t->here[i] = content;
        t->on_device[i] = (cohort_term){ subject_alloc_from(s, dev, content, t->bytes), OFFSET,
                                         is_tree ? (uint32_t)__builtin_ctz(i + 1) : (i > 0), 0 };
    }
    uint32_t merges = 0;
    for (uint32_t i = 0; i + 1 < n; i++)
        merges += t->on_device[i].merges;
    t->on_device[n - 1].merges = n - 1 - merges;
}

static void terms_destroy(const subject *s, cohort_dev *dev, terms *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        subject_free(s, dev, t->on_device[i].mem);
        free((void *)(uintptr_t)t->here[i]);
    }
}

typedef struct reduction_case {
    uint32_t op, type, n;
    uint64_t count, divisor;
    bool is_tree, is_in_place;
    filling how;
} reduction_case;

/* 1: the same bits; 0: not; -1: neither side has this op for this type */
static int compare(const subject *s, cohort_dev *dev, const reduction_case *c)
{
    terms t;
    terms_create(s, dev, c->n, c->count * dtype_bytes[c->type], c->type, c->how, c->is_tree, &t);
    unsigned char *wanted = malloc((size_t)t.bytes);
    memcpy(wanted, t.here[0], (size_t)t.bytes);
    cohort_mem *dst =
        c->is_in_place ? t.on_device[0].mem : subject_alloc_from(s, dev, wanted, t.bytes);
    cohort_reduction reduction = { .struct_size = sizeof reduction,
                                   .order = COHORT_ORDER_STACK,
                                   .op = c->op,
                                   .type = c->type,
                                   .nterms = c->n,
                                   .terms = t.on_device,
                                   .dst = dst,
                                   .dst_offset = OFFSET,
                                   .count = c->count,
                                   .divisor = c->divisor };
    cohort_status st_wanted =
        s->host->reduce_native(s->host->ctx, &reduction, t.here, wanted, 0, c->count);
    cohort_status st = subject_reduce(s, dev, &reduction);
    int result = subject_holds(s, dev, dst, 0, wanted, t.bytes) && st == st_wanted;
    if (st == COHORT_ENOTSUP)
        result = subject_holds(s, dev, dst, 0, t.here[0], t.bytes) ? -1 : 0;
    if (!c->is_in_place)
        subject_free(s, dev, dst);
    terms_destroy(s, dev, &t);
    free(wanted);
    return result;
}

static void types_of(const subject *s, cohort_dev *dev, uint32_t op, const char *name)
{
    static const uint32_t n_terms[] = { 1, 2, 3, 5, 8, 17 };
    int n_right = 0, n_wrong = 0, n_none = 0;
    if ((s->info.reductions >> op & 1) == 0) {
        claim_skip(name, "the device does not say that it has it");
        return;
    }
    for (uint32_t type = 1; type < END_OF_DTYPES; type++)
        for (int i = 0; i < 36 && dtype_kinds[type] != 0 && (s->info.dtypes >> type & 1) != 0;
             i++) {
            reduction_case c = { op, type,         n_terms[i % 6], i < 18 ? 61 : 1003,
                                 1,  (i & 1) == 0, (i & 2) != 0,   (filling)(i / 6 % 3) };
            int result = compare(s, dev, &c);
            n_right += result > 0;
            n_wrong += result == 0;
            n_none += result < 0;
        }
    claim(n_wrong == 0, "%s is the core's bit for bit: %d cases, %d wrong, %d left to the core",
          name, n_right, n_wrong, n_none);
}

/* Floating-point numbers with less bits than float32, whose means are another's to test. */
static bool is_narrow(uint32_t type)
{
    return dtype_kinds[type] == 'f' && dtype_bytes[type] < sizeof(float);
}

static bool has_quotients(uint32_t type)
{
    return !is_narrow(type) && (dtype_kinds[type] == 'f' || dtype_kinds[type] == 'c');
}

/* Whether one term or several: what is divided has canonical NaN. */
static void means(const subject *s, cohort_dev *dev)
{
    int n_wrong = 0;
    for (uint32_t type = 1; type < END_OF_DTYPES; type++)
        for (uint32_t i = 0; i < 12 && has_quotients(type); i++) {
            static const uint32_t n_terms[] = { 1, 3, 5, 17 };
            uint32_t n = n_terms[i % 4];
            reduction_case c = { COHORT_SUM,     type, n,          1003,
                                 n == 1 ? 7 : n, true, i % 2 == 0, (filling)(i / 4) };
            n_wrong += compare(s, dev, &c) == 0;
        }
    claim(n_wrong == 0, "quotients of sums are the core's, of every type that has them: %d wrong",
          n_wrong);
}

/* In float32, and rounded once: of all operations and as many terms as a sum has. */
static void wide_means(const subject *s, cohort_dev *dev)
{
    static const uint32_t n_terms[] = { 1, 2, 3, 8, 17 }, ops[] = { COHORT_SUM, COHORT_PROD };
    int n_wrong = 0, n_right = 0;
    if ((s->info.caps & COHORT_CAP_WIDE_MEAN) == 0) {
        claim_skip("means of 16-bit floats", "the device does not say COHORT_CAP_WIDE_MEAN");
        return;
    }
    for (uint32_t type = 1; type < END_OF_DTYPES; type++)
        for (int i = 0; i < 20 && is_narrow(type); i++) {
            uint32_t n = n_terms[i % 5];
            reduction_case c = { ops[i % 4 == 3],    type,           n,
                                 i < 10 ? 61 : 1003, n == 1 ? 7 : n, i % 2 == 0,
                                 (i & 2) != 0,       NOISE };
            int result = compare(s, dev, &c);
            n_wrong += result == 0;
            n_right += result > 0;
        }
    claim(n_wrong == 0, "means of 16-bit floats in float32: %d cases", n_right);
}

static void large(const subject *s, cohort_dev *dev)
{
    static const uint32_t types[] = { COHORT_U8, COHORT_BF16, COHORT_F32, COHORT_F64, COHORT_C128 };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        reduction_case c = { COHORT_SUM, types[i], 3, LARGE, 1, true, i % 2 == 0, NUMBERS };
        claim(compare(s, dev, &c) != 0, "a sum of 70,001 elements of %llu bytes is the core's",
              (unsigned long long)dtype_bytes[types[i]]);
    }
    reduction_case mean = { COHORT_SUM, COHORT_F32, 3, LARGE, 3, true, false, NUMBERS };
    claim(compare(s, dev, &mean) != 0, "and one that is divided by 3");
    reduction_case empty = { COHORT_SUM, COHORT_F32, 2, 0, 1, true, false, NOISE };
    claim(compare(s, dev, &empty) != 0, "and one of no elements");
}

/* A rule about reductions: on the device, opened. */
static void with_device(const subject *s, void (*check)(const subject *s, cohort_dev *dev))
{
    if (!SUBJECT_HAS(s, reduce)) {
        claim_skip("reductions", "no reduce");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 1);
    if (dev == NULL)
        return;
    check(s, dev);
    subject_close(s, dev);
}

static void sums(const subject *s, cohort_dev *dev)
{
    types_of(s, dev, COHORT_SUM, "SUM");
    types_of(s, dev, COHORT_PROD, "PROD");
}

static void orders(const subject *s, cohort_dev *dev)
{
    types_of(s, dev, COHORT_MIN, "MIN");
    types_of(s, dev, COHORT_MAX, "MAX");
}

static void bits(const subject *s, cohort_dev *dev)
{
    types_of(s, dev, COHORT_BAND, "BAND");
    types_of(s, dev, COHORT_BOR, "BOR");
    types_of(s, dev, COHORT_BXOR, "BXOR");
}

void rule_sums(const subject *s)
{
    with_device(s, sums);
}

void rule_orders(const subject *s)
{
    with_device(s, orders);
}

void rule_bits(const subject *s)
{
    with_device(s, bits);
}

void rule_means(const subject *s)
{
    with_device(s, means);
}

void rule_wide_means(const subject *s)
{
    with_device(s, wide_means);
}

void rule_large(const subject *s)
{
    with_device(s, large);
}
