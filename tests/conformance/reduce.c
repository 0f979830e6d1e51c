/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions, bit for bit as the core's own kernel does them. */
#include "config.h"

#include "tests/conformance/conformance.h"
#include "tests/dtypes.h"

/* large: more than 64 KiB of any type, of which plugins may make several parts */
enum { OFFSET = 64, MOST_TERMS = 17, LARGE = 70001 };

#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (bytes),
static const uint64_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };

/* What one comparison uses: terms on the device and the same bytes here. */
typedef struct terms {
    cohort_term on_device[MOST_TERMS];
    const void *here[MOST_TERMS];
    uint32_t n;
    uint64_t bytes; /* of each block: an offset, the elements, a rest */
} terms;

static void terms_create(const subject *s, cohort_dev *dev, uint32_t n, uint64_t bytes,
                         uint32_t type, bool is_tree, terms *t)
{
    t->n = n;
    t->bytes = bytes + 2 * OFFSET;
    for (uint32_t i = 0; i < n; i++) {
        unsigned char *content = malloc((size_t)t->bytes);
        noise(content, t->bytes, i + 31 * type);
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
} reduction_case;

/* 1: the same bits; 0: not; -1: neither side has this op for this type */
static int compare(const subject *s, cohort_dev *dev, const reduction_case *c)
{
    terms t;
    terms_create(s, dev, c->n, c->count * dtype_bytes[c->type], c->type, c->is_tree, &t);
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
    static const uint32_t n_terms[] = { 1, 2, 3, 8, 17 };
    int n_right = 0, n_wrong = 0, n_none = 0;
    if ((s->info.reductions >> op & 1) == 0) {
        skip(name, "the device does not say that it has it");
        return;
    }
    for (uint32_t type = next_dtype(0); type != 0; type = next_dtype(type))
        for (int i = 0; i < 20 && (s->info.dtypes >> type & 1) != 0; i++) {
            reduction_case c = { op, type,       n_terms[i % 5], i < 10 ? 61 : 1003,
                                 1,  i % 2 == 0, (i & 2) != 0 };
            int result = compare(s, dev, &c);
            n_right += result > 0;
            n_wrong += result == 0;
            n_none += result < 0;
        }
    ok(n_wrong == 0 && n_right > 0,
       "%s is the same bit for bit: %d cases, %d that this type has not", name, n_right, n_none);
}

/* Floating-point numbers with less bits than float32, whose means are another's to test. */
static bool is_narrow(uint32_t type)
{
    return kind_of(type) == 'f' && dtype_bytes[type] < sizeof(float);
}

static bool has_quotients(uint32_t type)
{
    return !is_narrow(type) && (kind_of(type) == 'f' || kind_of(type) == 'c');
}

/* Whether one term or several: what is divided has canonical NaN. */
static void means(const subject *s, cohort_dev *dev)
{
    int n_wrong = 0;
    for (uint32_t type = next_dtype(0); type != 0; type = next_dtype(type))
        for (uint32_t n = 1; n <= 3 && has_quotients(type); n++) {
            reduction_case c = { COHORT_SUM, type, n, 1003, n == 1 ? 7 : n, true, n == 2 };
            n_wrong += compare(s, dev, &c) == 0;
        }
    ok(n_wrong == 0, "so are quotients, of every type that has them");
}

/* In float32, and rounded once: of all operations and as many terms as a sum has. */
static void wide_means(const subject *s, cohort_dev *dev)
{
    static const uint32_t n_terms[] = { 1, 2, 3, 8, 17 }, ops[] = { COHORT_SUM, COHORT_PROD };
    int n_wrong = 0, n_right = 0;
    if ((s->info.caps & COHORT_CAP_WIDE_MEAN) == 0) {
        skip("means of 16-bit floats", "the device does not say COHORT_CAP_WIDE_MEAN");
        return;
    }
    for (uint32_t type = next_dtype(0); type != 0; type = next_dtype(type))
        for (int i = 0; i < 20 && is_narrow(type); i++) {
            uint32_t n = n_terms[i % 5];
            reduction_case c = { ops[i % 4 == 3], type,       n,           i < 10 ? 61 : 1003,
                                 n == 1 ? 7 : n,  i % 2 == 0, (i & 2) != 0 };
            int result = compare(s, dev, &c);
            n_wrong += result == 0;
            n_right += result > 0;
        }
    ok(n_wrong == 0, "and means of 16-bit floats in float32: %d cases", n_right);
}

static void large(const subject *s, cohort_dev *dev)
{
    static const uint32_t types[] = { COHORT_U8, COHORT_BF16, COHORT_F32, COHORT_F64, COHORT_C128 };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        reduction_case c = { COHORT_SUM, types[i], 3, LARGE, 1, true, i % 2 == 0 };
        ok(compare(s, dev, &c) != 0, "so is a sum of 70,001 elements of %llu bytes",
           (unsigned long long)dtype_bytes[types[i]]);
    }
    reduction_case mean = { COHORT_SUM, COHORT_F32, 3, LARGE, 3, true, false };
    ok(compare(s, dev, &mean) != 0, "and one that is divided by 3");
    means(s, dev);
    wide_means(s, dev);
    reduction_case empty = { COHORT_SUM, COHORT_F32, 2, 0, 1, true, false };
    ok(compare(s, dev, &empty) != 0, "and one of no elements");
}

void conform_reduce(const subject *s)
{
    if (!SUBJECT_HAS(s, reduce)) {
        skip("reductions", "no reduce");
        return;
    }
    cohort_dev *dev = subject_open(s, 0, 1);
    types_of(s, dev, COHORT_SUM, "SUM");
    types_of(s, dev, COHORT_MIN, "MIN");
    types_of(s, dev, COHORT_MAX, "MAX");
    types_of(s, dev, COHORT_PROD, "PROD");
    types_of(s, dev, COHORT_BAND, "BAND");
    types_of(s, dev, COHORT_BOR, "BOR");
    types_of(s, dev, COHORT_BXOR, "BXOR");
    large(s, dev);
    subject_close(s, dev);
}
