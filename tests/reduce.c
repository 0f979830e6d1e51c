/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions combine along one fixed tree, whatever hosts the replicas. Wrong calls:
 * wrong_calls.c. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"

#include <complex.h>
#include <math.h>

enum { REPLICAS = 70, BLOCK = 128 };

/* ---- The definition, again and independently. */

static bool is_signed(cohort_dtype d)
{
    return cohort_dtype_kind(d) == 'i';
}

static bool is_integer(cohort_dtype d)
{
    return cohort_dtype_kind(d) == 'b' || cohort_dtype_kind(d) == 'i' ||
           cohort_dtype_kind(d) == 'u';
}

/* To `bits` bits of mantissa with no quantum below 2^least: round to nearest, ties to even. */
static double rounded(double x, int bits, int least, double most)
{
    int exponent;
    if (x == 0 || !isfinite(x))
        return x;
    (void)frexp(x, &exponent);
    double quantum = ldexp(1, exponent - bits > least ? exponent - bits : least),
           r = rint(x / quantum) * quantum;
    return fabs(r) > most ? copysign(INFINITY, x) : r;
}

static uint16_t to_half(double x)
{
    int exponent;
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    x = fabs(rounded(x, 11, -24, 65504));
    if (isinf(x))
        return sign | 0x7c00;
    (void)frexp(x, &exponent);
    if (x < ldexp(1, -14))
        return (uint16_t)(sign | (uint16_t)ldexp(x, 24));
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 |
                      ((unsigned)ldexp(x, 11 - exponent) & 0x3ff));
}

static double from_half(uint16_t h)
{
    int exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    double x = exponent == 31  ? INFINITY
               : exponent == 0 ? ldexp(mantissa, -24)
                               : ldexp(1024 + mantissa, exponent - 25);
    return h & 0x8000 ? -x : x;
}

static uint16_t to_brain(double x)
{
    float f = (float)rounded(x, 8, -133, 0x1.fep127);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static double from_brain(uint16_t b)
{
    uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* Where an integer of n bytes lies in one of eight. */
static char *low_bytes(uint64_t *x, size_t n)
{
    const uint16_t one = 1;
    bool is_little = *(const unsigned char *)&one == 1;
    return (char *)x + (is_little ? 0 : sizeof *x - n);
}

static uint64_t load_integer(cohort_dtype d, const void *p)
{
    uint64_t x = 0;
    size_t n = (size_t)cohort_dtype_bytes(d);
    memcpy(low_bytes(&x, n), p, n);
    if (is_signed(d) && n < 8 && x >> (8 * n - 1) != 0)
        x |= ~UINT64_C(0) << (8 * n);
    return x;
}

static void store_integer(cohort_dtype d, uint64_t x, void *p)
{
    size_t n = (size_t)cohort_dtype_bytes(d);
    memcpy(p, low_bytes(&x, n), n);
}

static double load_real(cohort_dtype d, const void *p)
{
    uint16_t h;
    float f;
    double x;
    memcpy(&h, p, 2);
    if (d == COHORT_F16 || d == COHORT_BF16)
        return d == COHORT_F16 ? from_half(h) : from_brain(h);
    if (d == COHORT_F64)
        return memcpy(&x, p, 8), x;
    return memcpy(&f, p, 4), (double)f;
}

static void store_real(cohort_dtype d, double x, void *p)
{
    uint16_t h = d == COHORT_F16 ? to_half(x) : to_brain(x);
    /* double holds every sum, product and quotient of floats well enough to round it again */
    float f = (float)x;
    if (d == COHORT_F16 || d == COHORT_BF16)
        memcpy(p, &h, 2);
    else if (d == COHORT_F32)
        memcpy(p, &f, 4);
    else
        memcpy(p, &x, 8);
}

static void combine(cohort_dtype d, cohort_reduce_op op, void *a, const void *b)
{
    if (is_integer(d)) {
        uint64_t x = load_integer(d, a), y = load_integer(d, b);
        bool is_less = is_signed(d) ? (int64_t)x < (int64_t)y : x < y;
        x = op == COHORT_SUM                ? x + y
            : op == COHORT_PROD             ? x * y
            : (op == COHORT_MIN) == is_less ? x
                                            : y;
        store_integer(d, x, a);
    } else {
        double x = load_real(d, a), y = load_real(d, b);
        x = op == COHORT_SUM || op == COHORT_MEAN ? x + y
            : op == COHORT_PROD                   ? x * y
            : (op == COHORT_MIN) == (x < y)       ? x
                                                  : y;
        store_real(d, x, a);
    }
}

/* n contributions of one element, 8 bytes apart, each present or not; the result in the first. */
static bool tree(cohort_dtype d, cohort_reduce_op op, uint64_t *terms, const bool *is_present,
                 int n)
{
    int m = 1;
    if (n <= 1)
        return n == 1 && is_present[0];
    while (2 * m < n)
        m *= 2;
    bool left = tree(d, op, terms, is_present, m),
         right = tree(d, op, terms + m, is_present + m, n - m);
    if (left && right)
        combine(d, op, terms, terms + m);
    else if (right)
        terms[0] = terms[m];
    return left || right;
}

static const bool all_present[CORE_MAX_ELEMENTS] = {
#define TEN true, true, true, true, true, true, true, true, true, true
    TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN
};

/* 16-bit floats are combined in float32 along an axis, and for a mean to the quotient. */
static cohort_dtype wide(cohort_dtype d, cohort_reduce_op op)
{
    bool is_half = d == COHORT_F16 || d == COHORT_BF16;
    return is_half && op != COHORT_MIN && op != COHORT_MAX ? COHORT_F32 : d;
}

static cohort_dtype wide_tree(cohort_dtype d, cohort_reduce_op op)
{
    return op == COHORT_MEAN ? wide(d, op) : d;
}

static uint64_t convert(cohort_dtype from, const void *p, cohort_dtype to)
{
    uint64_t x = 0;
    if (from == to)
        memcpy(&x, p, (size_t)cohort_dtype_bytes(from));
    else
        store_real(to, load_real(from, p), &x);
    return x;
}

/* `rows` elements, `step` bytes apart: in order within blocks of 128, blocks by the tree. */
static uint64_t along(cohort_dtype d, cohort_reduce_op op, const char *first, int64_t rows,
                      int64_t step)
{
    const cohort_dtype w = wide(d, op);
    uint64_t blocks[100] = { 0 };
    int n = 0;
    for (int64_t i = 0; i < rows; i++) {
        const uint64_t x = convert(d, first + i * step, w);
        if (i % BLOCK == 0)
            blocks[n++] = x;
        else
            combine(w, op, &blocks[n - 1], &x);
    }
    (void)tree(w, op, blocks, all_present, n);
    return convert(w, blocks, wide_tree(d, op));
}

/* ---- Data. */

static uint32_t seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static void fill(cohort_dtype d, char *data, int n, cohort_reduce_op op)
{
    for (int i = 0; i < n; i++) {
        uint64_t integer = next_random() % 251 + ((uint64_t)next_random() << 40);
        double real = (double)(next_random() % 4096 + 1) / 1024 * (next_random() % 2 ? 1 : -1) *
                      (op == COHORT_PROD ? 1 : ldexp(1, (int)(next_random() % 8) - 4));
        char *p = data + i * cohort_dtype_bytes(d);
        if (is_integer(d))
            store_integer(d, integer, p);
        else
            store_real(d, real, p);
    }
}

/* ---- Checks. */

static char data[REPLICAS * 4096 * 8], found[1 << 16];

/* Components of shape[1..rank-1] with rows[r] rows; reduced as the definition says, element by
 * element. */
typedef struct subject {
    cohort_dtype dtype;
    cohort_reduce_op op;
    int axis, rank, replicas;
    int64_t rows[REPLICAS], shape[COHORT_MAX_RANK];
} subject;

static int64_t product(const int64_t *shape, int n)
{
    int64_t items = 1;
    for (int i = 0; i < n; i++)
        items *= shape[i];
    return items;
}

static int64_t expect(const subject *c, char *wanted)
{
    int64_t bytes = cohort_dtype_bytes(c->dtype), shape[COHORT_MAX_RANK], n_out = 0,
            contributions = 0;
    int axis = c->axis == COHORT_NO_AXIS ? c->axis : c->axis < 0 ? c->axis + c->rank : c->axis;
    uint64_t terms[REPLICAS];
    bool is_present[REPLICAS];
    memcpy(shape, c->shape, sizeof shape);
    for (int r = 0; r < c->replicas; r++) {
        shape[0] = c->rows[r];
        contributions += product(shape, c->rank) == 0 ? 0
                         : axis == COHORT_NO_AXIS     ? 1
                                                      : shape[axis];
        if (product(shape, c->rank) > 0)
            n_out = product(shape, c->rank) / (axis == COHORT_NO_AXIS ? 1 : shape[axis]);
    }
    for (int64_t i = 0; i < n_out; i++) {
        const char *component = data;
        for (int r = 0; r < c->replicas; r++) {
            shape[0] = c->rows[r];
            int64_t inner =
                axis == COHORT_NO_AXIS ? 1 : product(shape + axis + 1, c->rank - axis - 1);
            int64_t rows = axis == COHORT_NO_AXIS ? 1 : shape[axis];
            is_present[r] = product(shape, c->rank) > 0;
            terms[r] = is_present[r]
                           ? along(c->dtype, c->op,
                                   component + (i / inner * rows * inner + i % inner) * bytes, rows,
                                   inner * bytes)
                           : 0;
            component += product(shape, c->rank) * bytes;
        }
        const cohort_dtype w = wide_tree(c->dtype, c->op);
        (void)tree(w, c->op, terms, is_present, c->replicas);
        if (c->op == COHORT_MEAN)
            store_real(w, load_real(w, terms) / (double)contributions, terms);
        terms[0] = convert(w, terms, c->dtype);
        memcpy(wanted + i * bytes, terms, (size_t)bytes);
    }
    return n_out;
}

static bool subject_is_right(cohort_strategy *s, const subject *c)
{
    static char wanted[1 << 16];
    cohort_array parts[REPLICAS], into = { .data = found, .dtype = c->dtype, .rank = 1 };
    int64_t bytes = cohort_dtype_bytes(c->dtype), offset = 0;
    for (int r = 0; r < c->replicas; r++) {
        parts[r] = (cohort_array){ .data = data + offset, .dtype = c->dtype, .rank = c->rank };
        memcpy(parts[r].shape, c->shape, sizeof c->shape);
        parts[r].shape[0] = c->rows[r];
        offset += product(parts[r].shape, c->rank) * bytes;
    }
    fill(c->dtype, data, (int)(offset / bytes), c->op);
    into.shape[0] = expect(c, wanted);
    cohort_value *value = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    bool is_good =
        good(cohort_reduce(c->op, value, c->axis, out) == COHORT_OK) &&
        good(cohort_value_kind_of(out) == COHORT_PLAIN_VALUE) &&
        good(cohort_value_read(out, into) == COHORT_OK) &&
        good(memcmp(found, wanted, (size_t)(into.shape[0] * bytes)) == 0) &&
        good(cohort_value_shape(out, 0, NULL, NULL) == c->rank - (c->axis != COHORT_NO_AXIS));
    if (!is_good)
        diag("%s of %s, axis %d, rank %d, %d replicas, %lld rows first",
             c->op == COHORT_SUM ? "sum" : "another op", cohort_dtype_name(c->dtype), c->axis,
             c->rank, c->replicas, (long long)c->rows[0]);
    cohort_value_destroy(value);
    cohort_value_destroy(out);
    return is_good;
}

/* What 16 bits have no digits for: tenths and ones along an axis, and the largest float16, of every
 * replica. */
enum { MANY = 70000 };
#define HALVES(type, at, n)                                                                        \
    ((cohort_array){ .data = (at), .dtype = (type), .rank = 1, .shape = { n } })

static cohort_value *same_everywhere(cohort_strategy *s, cohort_array a, int replicas)
{
    cohort_array parts[REPLICAS];
    for (int r = 0; r < replicas; r++)
        parts[r] = a;
    return cohort_value_per_replica(s, parts);
}

static double half_of(cohort_value *out, cohort_dtype d)
{
    uint16_t h = 0;
    bool is_read =
        good(cohort_value_read(out, (cohort_array){ .data = &h, .dtype = d }) == COHORT_OK);
    return !is_read ? (double)NAN : d == COHORT_F16 ? from_half(h) : from_brain(h);
}

static double reduced(cohort_reduce_op op, cohort_value *x, int axis, cohort_value *out,
                      cohort_dtype d)
{
    return good(cohort_reduce(op, x, axis, out) == COHORT_OK) ? half_of(out, d) : (double)NAN;
}

static bool weighed_halves(cohort_value *x, cohort_value *w, cohort_value *out, double mean)
{
    const int32_t axis = 0;
    const cohort_reduce_options along = { .weights = w, .axes = &axis, .n_axes = 1 };
    return good(cohort_reduce_with(COHORT_MEAN, x, &along, out) == COHORT_OK) &&
           good(half_of(out, COHORT_BF16) == mean);
}

static bool many_halves(cohort_strategy *s, int replicas)
{
    static uint16_t tenths[1000], ones[MANY];
    uint16_t most[3] = { to_half(65504), to_half(-65504), to_half(65504) }, three = to_brain(3);
    for (int i = 0; i < MANY; i++)
        ones[i] = to_half(1), tenths[i % 1000] = to_brain(0.1);
    const double tenth = from_brain(tenths[0]);
    cohort_value *t = same_everywhere(s, HALVES(COHORT_BF16, tenths, 1000), replicas),
                 *o = same_everywhere(s, HALVES(COHORT_F16, ones, MANY), replicas),
                 *m = same_everywhere(s, HALVES(COHORT_F16, most, 3), replicas),
                 *w = same_everywhere(s, (cohort_array){ .data = &three, .dtype = COHORT_BF16 },
                                      replicas),
                 *out = cohort_value_create(s), *other = cohort_value_create(s);
    uint16_t alone[3];
    bool is_good = good(reduced(COHORT_SUM, t, 0, out, COHORT_BF16) == 100 * replicas) &&
                   good(reduced(COHORT_MEAN, t, 0, out, COHORT_BF16) == tenth) &&
                   good(isinf(reduced(COHORT_SUM, o, 0, out, COHORT_F16))) &&
                   good(reduced(COHORT_MEAN, o, 0, out, COHORT_F16) == 1) &&
                   good(reduced(COHORT_MAX, o, 0, out, COHORT_F16) == 1) &&
                   weighed_halves(t, w, out, tenth) &&
                   good(cohort_reduce(COHORT_MEAN, m, COHORT_NO_AXIS, out) == COHORT_OK) &&
                   good(cohort_value_read(out, HALVES(COHORT_F16, alone, 3)) == COHORT_OK) &&
                   good(memcmp(alone, most, sizeof most) == 0) &&
                   good(cohort_reduce_list(COHORT_MEAN, (cohort_value *[]){ m, o }, 2, 0,
                                           (cohort_value *[]){ out, other }) == COHORT_OK) &&
                   good(half_of(out, COHORT_F16) == from_half(to_half(65504.0 / 3))) &&
                   good(half_of(other, COHORT_F16) == 1);
    cohort_value *all[] = { t, o, m, w, out, other };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cohort_value_destroy(all[i]);
    return is_good;
}

/* Of random numbers the model has the bits. */
static bool long_halves(cohort_strategy *s, int replicas)
{
    static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_PROD, COHORT_MAX };
    bool is_good = true;
    for (int i = 0; i < 8 && is_good; i++) {
        subject c = {
            i < 4 ? COHORT_F16 : COHORT_BF16, ops[i % 4], 0, 2, replicas, { 0 }, { 0, 2 }
        };
        for (int r = 0; r < replicas; r++)
            c.rows[r] = r == 1 ? 700 : 1300;
        is_good = subject_is_right(s, &c);
    }
    return is_good;
}

/* What the subjects are about: numbers that C orders, and more than two of them. */
static bool takes(cohort_dtype d, cohort_reduce_op op)
{
    bool is_real = cohort_dtype_kind(d) != 'b' && cohort_dtype_kind(d) != 'c' &&
                   d != COHORT_F8_E4M3 && d != COHORT_F8_E5M2; /* of which float8.c is */
    return is_real && (op != COHORT_MEAN || !is_integer(d));
}

static bool types_and_ops(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (uint32_t d = next_dtype(0); d != 0; d = next_dtype(d))
        for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op))
            for (int axis = -1; axis <= 1 && is_good; axis++)
                if (takes((cohort_dtype)d, (cohort_reduce_op)op)) {
                    subject c = { (cohort_dtype)d,
                                  (cohort_reduce_op)op,
                                  axis == 1 ? COHORT_NO_AXIS : axis,
                                  2,
                                  replicas,
                                  { 0 },
                                  { 0, 3 } };
                    for (int r = 0; r < replicas; r++)
                        c.rows[r] = 4;
                    is_good = subject_is_right(s, &c);
                }
    return is_good;
}

static bool every_axis(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int rank = 1; rank <= 4; rank++)
        for (int axis = -rank; axis < rank && is_good; axis++) {
            subject c = { COHORT_F32,    rank % 2 ? COHORT_SUM : COHORT_MEAN,
                          axis,          rank,
                          replicas,      { 0 },
                          { 0, 3, 2, 5 } };
            for (int r = 0; r < replicas; r++)
                c.rows[r] = 3;
            is_good = subject_is_right(s, &c);
        }
    return is_good;
}

/* Along axis 0 components may differ in length; lengths around the blocks of 128, and none. */
static bool unequal(cohort_strategy *s, int replicas)
{
    static const int64_t lengths[10] = { 1, 127, 128, 129, 0, 300, 1000, 2, 385, 0 };
    bool is_good = true;
    for (int first = 0; first < 10 && is_good; first++) {
        subject c = { COHORT_F32, first % 2 ? COHORT_SUM : COHORT_MEAN, 0, 2, replicas, { 0 },
                      { 0, 3 } };
        for (int r = 0; r < replicas; r++)
            c.rows[r] = lengths[(first + r) % 10];
        c.rows[replicas - 1] += replicas == 1; /* some element there must be */
        is_good = subject_is_right(s, &c);
    }
    return is_good;
}

/* Every set of absent replicas, the empty one included. */
static bool absent(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int present = 1; present < 1 << replicas && is_good; present += replicas > 4 ? 13 : 1)
        for (uint32_t op = next_sum_op(0); op != 0 && is_good; op = next_sum_op(op)) {
            subject c = { COHORT_F32, (cohort_reduce_op)op, COHORT_NO_AXIS, 1, replicas, { 0 },
                          { 0 } };
            for (int r = 0; r < replicas; r++)
                c.rows[r] = present >> r & 1 ? 5 : 0;
            is_good = subject_is_right(s, &c);
        }
    return is_good;
}

static bool plain_values(cohort_strategy *s, int replicas)
{
    float line[2] = { 0.1f, 3 }, sum[2], mean;
    uint64_t terms[REPLICAS] = { 0 };
    for (int r = 0; r < replicas; r++)
        memcpy(&terms[r], line, sizeof *line);
    (void)tree(COHORT_F32, COHORT_SUM, terms, all_present, replicas);
    cohort_value *v = cohort_value_plain(s, COHORT_ARRAY(line, 2)), *out = cohort_value_create(s);
    return good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(v), COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(sum, 2)) == COHORT_OK) &&
           good(memcmp(sum, terms, sizeof *sum) == 0) && good(sum[1] == 3 * (float)replicas) &&
           good(cohort_reduce(COHORT_PROD, COHORT_ONCE(v), COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(sum, 2)) == COHORT_OK) &&
           good(memcmp(sum, line, sizeof sum) == 0) &&
           good(cohort_reduce(COHORT_MEAN, v, 0, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(&mean, 1)) == COHORT_OK) &&
           good(fabsf(mean - 1.55f) < 1e-6f) &&
           good(cohort_reduce(COHORT_MAX, v, COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(sum, 2)) == COHORT_OK) &&
           good(sum[0] == 0.1f && sum[1] == 3) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(cohort_value_number(s, 0)),
                              COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 0) &&
           good(cohort_reduce(COHORT_MEAN, cohort_value_number(s, 1.5), COHORT_NO_AXIS, out) ==
                COHORT_OK) &&
           good(cohort_value_scalar(out) == 1.5);
}

static bool special_types(cohort_strategy *s, int replicas)
{
    bool flags[2 * REPLICAS] = { [1] = true }, all[2];
    float _Complex numbers[REPLICAS], sum;
    float reals[REPLICAS], smallest;
    for (int r = 0; r < replicas; r++)
        numbers[r] = (float)r + 2 * I, reals[r] = r == replicas - 1 ? NAN : (float)r,
        flags[2 * r + 1] = true;
    cohort_value *b = cohort_value_split(s, COHORT_ARRAY(flags, replicas, 2)),
                 *c = cohort_value_split(s, COHORT_ARRAY(numbers, replicas)),
                 *f = cohort_value_split(s, COHORT_ARRAY(reals, replicas)),
                 *out = cohort_value_create(s), *real = cohort_value_create(s),
                 *both = cohort_value_create(s);
    return good(cohort_reduce(COHORT_MIN, b, 0, both) == COHORT_OK) &&
           good(cohort_value_read(both, COHORT_ARRAY(all, 2)) == COHORT_OK) &&
           good(!all[0] && all[1]) && good(cohort_reduce(COHORT_SUM, c, 0, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(&sum, 1)) == COHORT_OK) &&
           good(crealf(sum) == (float)(replicas * (replicas - 1) / 2) &&
                cimagf(sum) == 2 * (float)replicas) &&
           good(cohort_reduce(COHORT_MIN, f, 0, real) == COHORT_OK) &&
           good(cohort_value_read(real, COHORT_ARRAY(&smallest, 1)) == COHORT_OK) &&
           good(isnan(smallest)) &&
           good(cohort_reduce(COHORT_MAX, f, COHORT_NO_AXIS, real) == COHORT_OK) &&
           good(cohort_value_read(real, COHORT_ARRAY(&smallest, 1)) == COHORT_OK) &&
           good(isnan(smallest));
}

static bool nothing_at_all(cohort_strategy *s, int replicas)
{
    float one = 1;
    cohort_value *none = cohort_value_split(s, COHORT_ARRAY(&one, 0)),
                 *out = cohort_value_create(s);
    (void)replicas;
    return refused_for(s, "no element", cohort_reduce(COHORT_MEAN, none, 0, out));
}

static bool large(cohort_strategy *s, int replicas)
{
    enum { ITEMS = 100003 };
    float *all = malloc((size_t)replicas * ITEMS * sizeof *all), *sum = malloc(ITEMS * sizeof *sum);
    bool is_good = all != NULL && sum != NULL;
    cohort_array parts[CORE_MAX_REPLICAS];
    seed = 3;
    for (int i = 0; is_good && i < replicas * ITEMS; i++)
        all[i] = (float)((int)next_random() - (1 << 23)) * 0x1p-20f;
    for (int r = 0; is_good && r < replicas; r++)
        parts[r] = COHORT_ARRAY(all + r * ITEMS, ITEMS);
    cohort_value *v = is_good ? cohort_value_per_replica(s, parts) : NULL,
                 *out = cohort_value_create(s);
    is_good = is_good && good(cohort_reduce(COHORT_SUM, v, COHORT_NO_AXIS, out) == COHORT_OK) &&
              good(cohort_value_read(out, COHORT_ARRAY(sum, ITEMS)) == COHORT_OK);
    for (int i = 0; i < ITEMS && is_good; i++) {
        uint64_t terms[REPLICAS] = { 0 };
        for (int r = 0; r < replicas; r++)
            memcpy(&terms[r], &all[r * ITEMS + i], sizeof *all);
        (void)tree(COHORT_F32, COHORT_SUM, terms, all_present, replicas);
        is_good = good(memcmp(terms, &sum[i], sizeof *sum) == 0);
    }
    (void)cohort_wait(s); /* the arrays are borrowed until then */
    free(all);
    free(sum);
    return is_good;
}

/* Over nothing a sum is 0 and a product 1, where elements are left; the others are refused. */
static bool sums_of_nothing(cohort_strategy *s, int replicas)
{
    double none, left[3] = { 7, 7, 7 };
    int64_t shape[COHORT_MAX_RANK];
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(&none, 0, 3)),
                 *out = cohort_value_create(s);
    (void)replicas;
    return good(cohort_reduce(COHORT_SUM, v, 0, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(left, 3)) == COHORT_OK) &&
           good(left[0] == 0 && left[2] == 0) &&
           good(cohort_reduce(COHORT_PROD, v, 0, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(left, 3)) == COHORT_OK) &&
           good(left[0] == 1 && left[2] == 1) &&
           refused_for(s, "no element", cohort_reduce(COHORT_MIN, v, 0, out)) &&
           refused_for(s, "no element", cohort_reduce(COHORT_MEAN, v, COHORT_NO_AXIS, out)) &&
           good(cohort_reduce(COHORT_MAX, v, COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_shape(out, 0, NULL, shape) == 2) &&
           good(shape[0] == 0 && shape[1] == 3) && good(cohort_strategy_status(s) == COHORT_OK);
}

static bool every_operand(cohort_strategy *s, int replicas)
{
    float line[3] = { 1, 2, 4 }, found[3];
    double r = replicas;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(line, 3), NULL);
    cohort_value *out = cohort_value_create(s);
    return good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(w), COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 3)) == COHORT_OK) &&
           good((double)found[0] == r && (double)found[2] == 4 * r) &&
           good(cohort_reduce(COHORT_MEAN, w, 0, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == (double)(7 * (float)r / (3 * (float)r))) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(2.5), COHORT_NO_AXIS, out) ==
                COHORT_OK) &&
           good(cohort_value_scalar(out) == 2.5 * r) &&
           good(cohort_reduce(COHORT_MEAN, 7, COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 7) &&
           good(cohort_reduce(COHORT_SUM, COHORT_ONCE(w), 0, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 7) &&
           good(cohort_reduce(COHORT_SUM, COHORT_ONCE(2.5), COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 2.5) &&
           good(cohort_reduce(COHORT_MAX, COHORT_ARRAY(line, 3), -1, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 4) &&
           good(cohort_reduce(COHORT_SUM, 1, 0, out) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "axis 0 of a value of rank 0") != NULL);
}

/* ---- One content is not R contributions. */

static bool refuses_sum(cohort_strategy *s, const char *why, cohort_status status)
{
    return refused_for(s, why, status);
}

#define REFUSES_SUM(call) refuses_sum(s, "COHORT_ONCE(x) counts it once", call)

/* The sum of a gathered value along its rows, of a variable, an array, a number, of what a
 * reduction has made: with one replica as with many. */
static bool refuses_one_content(cohort_strategy *s, int replicas)
{
    float line[3] = { 1, 2, 4 }, parts[REPLICAS] = { 0 };
    cohort_variable *w = cohort_variable_create(s, "one", COHORT_ARRAY(line, 3), NULL);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(parts, replicas)),
                 *all = cohort_value_create(s), *out = cohort_value_create(s),
                 *mirrored = cohort_value_create(s);
    bool is_good = good(cohort_gather(x, 0, all) == COHORT_OK) &&
                   good(cohort_broadcast(s, 2.5, COHORT_AT(w), mirrored) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_MEAN, 5.0, COHORT_NO_AXIS, out) == COHORT_OK);
    is_good =
        is_good && REFUSES_SUM(cohort_reduce(COHORT_SUM, all, 0, out)) &&
        REFUSES_SUM(cohort_reduce(COHORT_PROD, all, COHORT_NO_AXIS, out)) &&
        REFUSES_SUM(cohort_reduce(COHORT_SUM, mirrored, COHORT_NO_AXIS, out)) &&
        REFUSES_SUM(cohort_reduce(COHORT_SUM, w, 0, out)) &&
        REFUSES_SUM(cohort_reduce(COHORT_SUM, 2.5, COHORT_NO_AXIS, out)) &&
        REFUSES_SUM(cohort_reduce(COHORT_PROD, COHORT_ARRAY(line, 3), -1, out)) &&
        REFUSES_SUM(cohort_reduce_to(COHORT_SUM, w, COHORT_AT(w), out)) &&
        REFUSES_SUM(cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ x, all }, 2, COHORT_NO_AXIS,
                                       (cohort_value *[]){ cohort_value_create(s), out })) &&
        REFUSES_SUM(
            cohort_batch_reduce_to(COHORT_SUM, 1, &all, (cohort_argument[]){ COHORT_AT(w) }, &out));
    return is_good && good(cohort_value_scalar(out) == 5);
}

/* What is said of one content is not said of components, nor to who does not ask. */
static bool refuses_words(cohort_strategy *s, int replicas)
{
    float parts[REPLICAS] = { 0 };
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(parts, replicas)),
                 *plain = cohort_value_number(s, 1), *out = cohort_value_create(s);
    return refuses_sum(s, "COHORT_ONCE(x) is for one content",
                       cohort_reduce(COHORT_SUM, COHORT_ONCE(x), 0, out)) &&
           refuses_sum(s, "COHORT_REPEATED(x) is for one content",
                       cohort_reduce(COHORT_MEAN, COHORT_REPEATED(x), 0, out)) &&
           refuses_sum(s, "takes a value, a variable, a number or an array",
                       cohort_reduce(COHORT_SUM, COHORT_ONCE(COHORT_ONCE(plain)), 0, out)) &&
           refuses_sum(s, "takes a value, a variable, a number or an array",
                       cohort_gather(COHORT_ONCE(plain), 0, out));
}

/* Sums that would wrap in the dtype, also in 64 bits. */
static bool integer_means(cohort_strategy *s, int replicas)
{
    int8_t bytes[2 * REPLICAS];
    uint64_t large[2 * REPLICAS];
    int64_t small[2 * REPLICAS];
    cohort_dtype dtype;
    for (int i = 0; i < 2 * replicas; i++)
        bytes[i] = i % 2 ? 127 : 126, large[i] = UINT64_MAX, small[i] = INT64_MIN;
    cohort_value *b = cohort_value_split(s, COHORT_ARRAY(bytes, 2 * replicas)),
                 *l = cohort_value_split(s, COHORT_ARRAY(large, 2 * replicas)),
                 *m = cohort_value_split(s, COHORT_ARRAY(small, 2 * replicas)),
                 *out = cohort_value_create(s), *wide = cohort_value_create(s);
    double found[2];
    return good(cohort_reduce(COHORT_MEAN, b, 0, out) == COHORT_OK) &&
           good(cohort_value_shape(out, 0, &dtype, NULL) == 0) && good(dtype == COHORT_F32) &&
           good(cohort_value_scalar(out) == 126.5) &&
           good(cohort_reduce(COHORT_MEAN, l, 0, wide) == COHORT_OK) &&
           good(cohort_value_shape(wide, 0, &dtype, NULL) == 0) && good(dtype == COHORT_F64) &&
           good(cohort_value_scalar(wide) == 0x1p64) &&
           good(cohort_reduce(COHORT_MEAN, m, COHORT_NO_AXIS, wide) == COHORT_OK) &&
           good(cohort_value_read(wide, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == -0x1p63 && found[1] == -0x1p63);
}

static cohort_status reduce_inside(cohort_replica *me, void *user)
{
    cohort_value *v = user;
    (void)me;
    return cohort_reduce(COHORT_SUM, v, 0, v) == COHORT_EINVAL ? COHORT_OK : COHORT_ENOENT;
}

static cohort_status gather_inside(cohort_replica *me, void *user)
{
    cohort_value *v = user;
    (void)me;
    return cohort_gather(v, 0, v) == COHORT_EINVAL ? COHORT_OK : COHORT_ENOENT;
}

static bool in_a_step(cohort_strategy *s, int replicas)
{
    cohort_value *v = cohort_value_number(s, 1);
    (void)replicas;
    return refused_for(s, "use cohort_all_reduce there",
                       cohort_for_each_replica(s, reduce_inside, v)) &&
           refused_for(s, "use cohort_all_gather there",
                       cohort_for_each_replica(s, gather_inside, v));
}

/* One value reduced again and again, into a container that keeps its buffers. */
static bool again(cohort_strategy *s, int replicas)
{
    float ones[4 * CORE_MAX_REPLICAS];
    bool is_good = true;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(ones, 0)), *out = cohort_value_create(s);
    for (int i = 0; i < 4 * CORE_MAX_REPLICAS; i++)
        ones[i] = 1;
    for (int i = 1; i < 30 && is_good; i++) {
        int n = i * 7 % 13 + 1;
        is_good = good(cohort_value_set(v, COHORT_ARRAY(ones, n)) == COHORT_OK) &&
                  good(cohort_reduce(i % 2 ? COHORT_SUM : COHORT_MEAN, v, 0, out) == COHORT_OK) &&
                  good(cohort_value_scalar(out) == (i % 2 ? n : 1));
    }
    (void)replicas;
    return is_good;
}

/* Numbers so chosen that left to right rounds otherwise. */
static bool tree_of(int replicas, const char *devices, const int32_t *hosted, bool *out_is_telling)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices,
                                                           .replicas = replicas,
                                                           .n_hosted = hosted != NULL ? 5 : 0,
                                                           .hosted = hosted });
    float lines[REPLICAS], left = 0, sum;
    uint64_t terms[REPLICAS] = { 0 };
    seed = (uint32_t)replicas * 77;
    for (int r = 0; r < replicas; r++) {
        lines[r] = (float)(next_random() % 65536 + 1) * (r % 3 ? 1 : 1e-5f);
        memcpy(&terms[r], &lines[r], sizeof *lines);
        left += lines[r];
    }
    (void)tree(COHORT_F32, COHORT_SUM, terms, all_present, replicas);
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(lines, replicas)),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_reduce(COHORT_SUM, v, COHORT_NO_AXIS, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(&sum, 1)) == COHORT_OK) &&
                   good(memcmp(&sum, terms, sizeof sum) == 0);
    *out_is_telling = *out_is_telling || memcmp(&left, terms, sizeof left) != 0;
    cohort_strategy_destroy(s);
    return is_good;
}

static void every_number_of_replicas(void)
{
    static const char *const devices[] = { "host",     "host/2",          "host/4",
                                           "loopback", "loopback/3,host", "loopback/2,host/3" };
    static const int counts[] = { 1, 2, 4, 1, 4, 5 };
    bool is_telling = false;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        bool is_good = true;
        for (int replicas = counts[i]; replicas <= REPLICAS && is_good;
             replicas += replicas < 20 ? 1 : 5) {
            int32_t hosted[5] = { 0, 1, 2, 1, 1 };
            int rest = replicas - 1 - 2 - 1 - 1;
            hosted[0] = rest;
            is_good =
                tree_of(replicas, devices[i], NULL, &is_telling) &&
                (counts[i] != 5 || rest < 1 || tree_of(replicas, devices[i], hosted, &is_telling));
            if (!is_good)
                diag("with %d replicas", replicas);
        }
        ok(is_good, "sums of %d to %d replicas on %s have the bits of the tree", counts[i],
           REPLICAS, devices[i]);
    }
    ok(is_telling, "which are not those from left to right");
}

/* ---- What tf.distribute gives, where it and the rules agree. */

static double of(cohort_strategy *s, cohort_reduce_op op, int axis, const cohort_array parts[])
{
    cohort_value *v = cohort_value_per_replica(s, parts), *out = cohort_value_create(s);
    return cohort_reduce(op, v, axis, out) < 0 ? (double)NAN : cohort_value_scalar(out);
}

static void known_cases(void)
{
    float a[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, four[4], eight = 8, ragged[3] = { 0, 1, 1 };
    int32_t ids[2] = { 0, 1 };
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(a, 8)), *out = cohort_value_create(s);
    ok(cohort_reduce(COHORT_SUM, v, COHORT_NO_AXIS, out) == COHORT_OK &&
           cohort_value_read(out, COHORT_ARRAY(four, 4)) == COHORT_OK && four[0] == 4 &&
           four[1] == 6 && four[2] == 8 && four[3] == 10,
       "the sum of [0 1 2 3] and [4 5 6 7] is [4 6 8 10]");
    ok(cohort_reduce(COHORT_MEAN, v, COHORT_NO_AXIS, out) == COHORT_OK &&
           cohort_value_read(out, COHORT_ARRAY(four, 4)) == COHORT_OK && four[0] == 2 &&
           four[3] == 5,
       "their mean is [2 3 4 5]");
    const cohort_array halves[2] = { COHORT_ARRAY(a, 4), COHORT_ARRAY(a + 4, 4) },
                       rest[2] = { COHORT_ARRAY(a, 4), COHORT_ARRAY(a + 4, 2) };
    ok(of(s, COHORT_SUM, 0, halves) == 28 && of(s, COHORT_MEAN, 0, halves) == 3.5,
       "along axis 0 it is 28, and the mean 3.5");
    ok(of(s, COHORT_SUM, 0, rest) == 15 && of(s, COHORT_MEAN, 0, rest) == 2.5,
       "a short batch of 4 and 2 rows has the mean of its 6");
    const cohort_array empty_one[2] = { COHORT_ARRAY(a, 0), COHORT_ARRAY(&eight, 1) };
    ok(of(s, COHORT_MEAN, 0, empty_one) == 8 && of(s, COHORT_MEAN, COHORT_NO_AXIS, empty_one) == 8,
       "a replica without rows is not counted");
    const cohort_array growing[2] = { COHORT_ARRAY(ragged, 1), COHORT_ARRAY(ragged + 1, 2) };
    ok(of(s, COHORT_SUM, 0, growing) == 2 && (float)of(s, COHORT_MEAN, 0, growing) == 2.0f / 3,
       "i repeated i + 1 times: 2, mean 2/3");
    const cohort_array single[2] = { { .data = &ids[0], .dtype = COHORT_I32 },
                                     { .data = &ids[1], .dtype = COHORT_I32 } };
    ok(of(s, COHORT_SUM, COHORT_NO_AXIS, single) == 1, "the sum of replica ids is R (R - 1) / 2");
    cohort_strategy_destroy(s);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        core_everywhere(types_and_ops,
                        "every dtype has every reduction, across replicas and along an axis");
        core_everywhere(every_axis,
                        "every axis, also counted from the end, of arrays of rank 1 to 4");
        core_everywhere(unequal,
                        "components of unequal length along axis 0, in blocks of 128 rows");
        core_everywhere(many_halves, "16 bits carry many tenths, ones and large numbers");
        core_everywhere(long_halves, "long sums of them are those of float32, rounded once");
        core_everywhere(absent, "absent replicas pass the other side through, and are not counted");
        core_everywhere(refuses_one_content,
                        "the sum of one content is refused, whatever holds it");
        core_everywhere(refuses_words, "how often it counts is said of one content alone");
        core_everywhere(plain_values, "one content counts once, or once for each replica");
        core_everywhere(special_types,
                        "bool has and and or, complex has sums, NaN wins minimum and maximum");
        core_everywhere(nothing_at_all, "the mean of no elements is refused");
        core_everywhere(sums_of_nothing,
                        "their sum is 0, their product 1, where there is room for it");
        core_everywhere(every_operand, "so do variables, numbers and arrays");
        core_everywhere(integer_means, "means of integers are exact where their sums would wrap");
        core_everywhere(in_a_step, "a step function is told what to use");
        core_everywhere(large, "large sums have the bits of the tree, slice by slice");
        core_everywhere(again, "one container takes reductions of any length");
        if (i == 0) {
            every_number_of_replicas();
            known_cases();
            warm = core_live_now();
        }
    }
    core_no_leak(warm);
    return tap_done();
}
