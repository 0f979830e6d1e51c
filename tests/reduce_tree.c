/* SPDX-License-Identifier: BSD-3-Clause */
/* A property: random reductions have the bits of a scalar reference of the tree, and stay within
 * its error bound.
 *
 * Usage: reduce_tree.t [seed [cases]] */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"

#include <math.h>
#include <time.h>

enum { MAX_REPLICAS = 17, MAX_ITEMS = 1600, BLOCK = 128, CASES = 20000 };

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
enum { HAS_WIDE = 1 };
#else
typedef int64_t wide;
enum { HAS_WIDE = 0 };
#endif

/* ---- Random numbers (xorshift64*). */

static uint64_t state;

static uint32_t next_random(void)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (uint32_t)(state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

static int below(int n)
{
    return (int)(next_random() % (uint32_t)n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* ---- One number of any dtype, and how the definition rounds it. */

typedef struct number {
    uint64_t bits; /* integers, sign-extended */
    double re, im;
} number;

static bool is_signed(cohort_dtype d)
{
    return cohort_dtype_kind(d) == 'i';
}

static bool is_integer(cohort_dtype d)
{
    return cohort_dtype_kind(d) == 'b' || cohort_dtype_kind(d) == 'i' ||
           cohort_dtype_kind(d) == 'u';
}

static bool is_complex(cohort_dtype d)
{
    return d == COHORT_C64 || d == COHORT_C128;
}

static bool is_real(cohort_dtype d)
{
    return !is_integer(d) && !is_complex(d);
}

/* To `bits` bits of mantissa with no quantum below 2^least: to nearest, ties to even. */
static double rounded(double x, int bits, int least, double most)
{
    int exponent;
    if (x == 0 || !isfinite(x))
        return x;
    (void)frexp(x, &exponent);
    int quantum = exponent - bits > least ? exponent - bits : least;
    double r = ldexp(rint(ldexp(x, -quantum)), quantum);
    return fabs(r) > most ? copysign(INFINITY, x) : r;
}

/* Results of the arithmetic of a dtype; 16-bit floats are computed in float32. */
static double fit(cohort_dtype d, double x)
{
    switch (d) {
    case COHORT_F16:
        return rounded((double)(float)x, 11, -24, 65504);
    case COHORT_BF16:
        return rounded((double)(float)x, 8, -133, 0x1.fep127);
    case COHORT_F32:
    case COHORT_C64:
        return (double)(float)x;
    default:
        return x;
    }
}

static uint16_t half_bits(double x)
{
    int exponent;
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    x = fabs(x);
    if (isnan(x) || isinf(x))
        return isnan(x) ? 0x7e00 : sign | 0x7c00;
    (void)frexp(x, &exponent);
    if (x < ldexp(1, -14))
        return (uint16_t)(sign | (uint16_t)ldexp(x, 24));
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 |
                      ((unsigned)ldexp(x, 11 - exponent) & 0x3ff));
}

static double half_value(uint16_t h)
{
    int exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    double x = exponent == 31  ? (mantissa != 0 ? (double)NAN : INFINITY)
               : exponent == 0 ? ldexp(mantissa, -24)
                               : ldexp(1024 + mantissa, exponent - 25);
    return h & 0x8000 ? -x : x;
}

static double load_part(cohort_dtype d, const char *p)
{
    uint16_t h;
    uint32_t brain;
    float f;
    double x;
    if (d == COHORT_F64 || d == COHORT_C128)
        return memcpy(&x, p, 8), x;
    if (d == COHORT_F32 || d == COHORT_C64)
        return memcpy(&f, p, 4), (double)f;
    memcpy(&h, p, 2);
    if (d == COHORT_F16)
        return half_value(h);
    brain = (uint32_t)h << 16;
    return memcpy(&f, &brain, 4), (double)f;
}

static void store_part(cohort_dtype d, double x, char *p)
{
    x = isnan(x) ? (double)NAN : x;
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint16_t h = d == COHORT_F16 ? half_bits(x) : (uint16_t)(bits >> 16);
    if (d == COHORT_F64 || d == COHORT_C128)
        memcpy(p, &x, 8);
    else if (d == COHORT_F32 || d == COHORT_C64)
        memcpy(p, &f, 4);
    else
        memcpy(p, &h, 2);
}

static uint64_t extend(cohort_dtype d, uint64_t bits)
{
    int unused = 64 - 8 * (int)cohort_dtype_bytes(d);
    return is_signed(d) ? (uint64_t)((int64_t)(bits << unused) >> unused)
                        : bits << unused >> unused;
}

static number load(cohort_dtype d, const char *p)
{
    number x = { 0, 0, 0 };
    size_t bytes = (size_t)cohort_dtype_bytes(d);
    if (is_integer(d)) {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        x.bits = bytes == 1   ? (memcpy(&u8, p, 1), u8)
                 : bytes == 2 ? (memcpy(&u16, p, 2), u16)
                 : bytes == 4 ? (memcpy(&u32, p, 4), u32)
                              : (memcpy(&u64, p, 8), u64);
        x.bits = extend(d, x.bits);
    } else {
        x.re = load_part(d, p);
        x.im = is_complex(d) ? load_part(d, p + bytes / 2) : 0;
    }
    return x;
}

static void store(cohort_dtype d, number x, char *p)
{
    size_t bytes = (size_t)cohort_dtype_bytes(d);
    uint8_t u8 = (uint8_t)x.bits;
    uint16_t u16 = (uint16_t)x.bits;
    uint32_t u32 = (uint32_t)x.bits;
    if (is_integer(d)) {
        memcpy(p,
               bytes == 1   ? (void *)&u8
               : bytes == 2 ? (void *)&u16
               : bytes == 4 ? (void *)&u32
                            : (void *)&x.bits,
               bytes);
        return;
    }
    store_part(d, x.re, p);
    if (is_complex(d))
        store_part(d, x.im, p + bytes / 2);
}

static number combine_integers(cohort_dtype d, cohort_reduce_op op, number a, number b)
{
    bool is_less = is_signed(d) ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
    uint64_t x = op == COHORT_SUM    ? a.bits + b.bits
                 : op == COHORT_PROD ? a.bits * b.bits
                 : d == COHORT_BOOL  ? (op == COHORT_MIN ? a.bits && b.bits : a.bits || b.bits)
                                     : ((op == COHORT_MIN) == is_less ? a.bits : b.bits);
    return (number){ extend(d, x), 0, 0 };
}

static number multiply_complex(cohort_dtype d, number a, number b)
{
    return (number){ 0, fit(d, fit(d, a.re * b.re) - fit(d, a.im * b.im)),
                     fit(d, fit(d, a.re * b.im) + fit(d, a.im * b.re)) };
}

/* Two contributions, op is not MEAN. */
static number combine(cohort_dtype d, cohort_reduce_op op, number a, number b)
{
    if (is_integer(d))
        return combine_integers(d, op, a, b);
    if (op == COHORT_SUM)
        return (number){ 0, fit(d, a.re + b.re), fit(d, a.im + b.im) };
    if (op == COHORT_PROD)
        return is_complex(d) ? multiply_complex(d, a, b) : (number){ 0, fit(d, a.re * b.re), 0 };
    bool is_left = isnan(a.re) || (op == COHORT_MIN ? a.re < b.re : a.re > b.re);
    return is_left ? a : b;
}

/* ---- A case. */

typedef enum kind { PER_REPLICA, PLAIN, ARRAY } kind;

typedef struct example {
    cohort_dtype dtype;
    cohort_reduce_op op;
    kind kind;
    int replicas, rank, n_axes;
    int32_t axes[COHORT_MAX_RANK];
    bool is_reduced[COHORT_MAX_RANK];
    int64_t shape[MAX_REPLICAS][COHORT_MAX_RANK];
    char *data[MAX_REPLICAS];
    enum { UNWEIGHED, ONE_WEIGHT, WEIGHTS } weighing;
    bool has_plain_weights;
    char *weights[MAX_REPLICAS];
} example;

static char items[MAX_REPLICAS][MAX_ITEMS * 16], weights[MAX_REPLICAS][MAX_ITEMS * 8];

static int64_t product(const example *e, int r, bool is_of_reduced, bool is_of_kept)
{
    int64_t n = 1;
    for (int i = 0; i < e->rank; i++)
        n *= (e->is_reduced[i] ? is_of_reduced : is_of_kept) ? e->shape[r][i] : 1;
    return n;
}

static bool contributes(const example *e, int r)
{
    return (e->rank == 0 || e->shape[r][0] > 0) && product(e, r, true, false) > 0;
}

/* ---- The reference: rows in order within blocks of 128, blocks and replicas by the tree. */

/* 16-bit floats are combined in float32 along axes, and all the way to the quotient of a mean. */
static bool is_wide(const example *e)
{
    return (e->dtype == COHORT_F16 || e->dtype == COHORT_BF16) &&
           (e->op == COHORT_SUM || e->op == COHORT_MEAN || e->op == COHORT_PROD);
}

static cohort_dtype rows_dtype(const example *e)
{
    return is_wide(e) ? COHORT_F32 : e->dtype;
}

static cohort_dtype tree_dtype(const example *e)
{
    return is_wide(e) && e->op == COHORT_MEAN ? COHORT_F32 : e->dtype;
}

static number tree(cohort_dtype d, cohort_reduce_op op, const number *terms, const bool *is_present,
                   int n, bool *out_any)
{
    bool left_any, right_any;
    int m = 1;
    if (n == 1)
        return *out_any = is_present == NULL || is_present[0], terms[0];
    while (2 * m < n)
        m *= 2;
    number left = tree(d, op, terms, is_present, m, &left_any);
    number right =
        tree(d, op, terms + m, is_present == NULL ? NULL : is_present + m, n - m, &right_any);
    *out_any = left_any || right_any;
    return !left_any ? right : !right_any ? left : combine(d, op, left, right);
}

/* Where element number `row` of the reduced axes and `kept` of the others lies. */
static int64_t offset_of(const example *e, int r, int64_t row, int64_t kept)
{
    int64_t offset = 0, stride = 1;
    for (int i = e->rank - 1; i >= 0; i--) {
        int64_t *from = e->is_reduced[i] ? &row : &kept, n = e->shape[r][i];
        offset += *from % n * stride;
        *from /= n;
        stride *= n;
    }
    return offset;
}

static number weight_at(const example *e, int r, int64_t row)
{
    return load(e->dtype,
                e->weights[r] + (e->weighing == WEIGHTS ? row : 0) * cohort_dtype_bytes(e->dtype));
}

typedef number (*term_fn)(const example *e, int r, int64_t row, int64_t kept);

static number element(const example *e, int r, int64_t row, int64_t kept)
{
    number x =
        load(e->dtype, e->data[r] + offset_of(e, r, row, kept) * cohort_dtype_bytes(e->dtype));
    return e->weighing == UNWEIGHED ? x
                                    : combine(rows_dtype(e), COHORT_PROD, x, weight_at(e, r, row));
}

static number weight(const example *e, int r, int64_t row, int64_t kept)
{
    (void)kept;
    return weight_at(e, r, row);
}

static cohort_reduce_op step_of(const example *e)
{
    return e->op == COHORT_MEAN ? COHORT_SUM : e->op;
}

static number leaf(const example *e, cohort_reduce_op op, term_fn term, int r, int64_t kept)
{
    static number blocks[MAX_ITEMS / BLOCK + 1];
    int64_t rows = product(e, r, true, false);
    bool any;
    for (int64_t i = 0; i < rows; i++) {
        number x = term(e, r, i, kept);
        blocks[i / BLOCK] = i % BLOCK == 0 ? x : combine(rows_dtype(e), op, blocks[i / BLOCK], x);
    }
    number x = tree(rows_dtype(e), op, blocks, NULL, (int)((rows - 1) / BLOCK + 1), &any);
    return is_wide(e) ? (number){ 0, fit(tree_dtype(e), x.re), 0 } : x;
}

static number total(const example *e, cohort_reduce_op op, term_fn term, int64_t kept)
{
    number leaves[MAX_REPLICAS] = { { 0, 0, 0 } };
    bool is_present[MAX_REPLICAS], any;
    for (int r = 0; r < e->replicas; r++) {
        is_present[r] = contributes(e, r);
        if (is_present[r])
            leaves[r] = leaf(e, op, term, r, kept);
    }
    return tree(tree_dtype(e), op, leaves, is_present, e->replicas, &any);
}

static int64_t n_elements(const example *e)
{
    int64_t n = 0;
    for (int r = 0; r < e->replicas; r++)
        n += contributes(e, r) ? product(e, r, true, false) : 0;
    return n;
}

static double integer_mean(const example *e, int64_t kept)
{
    wide sum = 0;
    for (int r = 0; r < e->replicas; r++)
        for (int64_t i = 0; contributes(e, r) && i < product(e, r, true, false); i++) {
            uint64_t bits = element(e, r, i, kept).bits;
            sum += is_signed(e->dtype) ? (wide)(int64_t)bits : (wide)bits;
        }
    double mean = (double)sum / (double)n_elements(e);
    return cohort_dtype_bytes(e->dtype) <= 2 ? (double)(float)mean : mean;
}

static cohort_dtype result_dtype(const example *e)
{
    if (e->op != COHORT_MEAN || !is_integer(e->dtype))
        return e->dtype;
    return cohort_dtype_bytes(e->dtype) <= 2 ? COHORT_F32 : COHORT_F64;
}

static number expected(const example *e, int64_t kept)
{
    if (n_elements(e) == 0)
        return (number){ e->op == COHORT_PROD, e->op == COHORT_PROD, 0 };
    if (e->op == COHORT_MEAN && is_integer(e->dtype))
        return (number){ 0, integer_mean(e, kept), 0 };
    number x = total(e, step_of(e), element, kept);
    if (e->op == COHORT_MEAN) {
        double by = e->weighing == UNWEIGHED ? (double)n_elements(e)
                                             : total(e, COHORT_SUM, weight, kept).re;
        x = (number){ 0, fit(e->dtype, fit(tree_dtype(e), x.re / by)),
                      fit(e->dtype, fit(tree_dtype(e), x.im / by)) };
    }
    return x;
}

/* ---- The bound: each of the additions on the longest way from an element to the result rounds
 * once, relative to at most the sum of all magnitudes: |error| <= d u / (1 - d u) sum|x|, d =
 * ceil(log2 R) + min(rows, 128) - 1 + ceil(log2(blocks)), the largest of all replicas. Of 16-bit
 * floats the additions along axes have the u of float32, and what they come to is rounded once.
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, section 4.2. */

static int ceil_log2(int64_t n)
{
    int bits = 0;
    while ((INT64_C(1) << bits) < n)
        bits++;
    return bits;
}

static bool is_within_bound(const example *e, int64_t kept, double found)
{
    double half = e->dtype == COHORT_F16 ? 0x1p-11 : 0x1p-8;
    double u = e->dtype == COHORT_F64 ? 0x1p-53 : 0x1p-24;
    long double sum = 0, rest = 0, magnitude = 0;
    int depth = 0;
    for (int r = 0; r < e->replicas; r++) {
        int64_t rows = contributes(e, r) ? product(e, r, true, false) : 0;
        int mine = rows == 0
                       ? 0
                       : (int)(rows < BLOCK ? rows : BLOCK) - 1 + ceil_log2((rows - 1) / BLOCK + 1);
        depth = mine > depth ? mine : depth;
        for (int64_t i = 0; i < rows; i++) { /* what each addition loses is kept (Neumaier) */
            long double x = (long double)element(e, r, i, kept).re, next = sum + x;
            rest += fabsl(sum) >= fabsl(x) ? (sum - next) + x : (x - next) + sum;
            sum = next;
            magnitude += fabsl(x);
        }
    }
    double d = is_wide(e) ? (1 + ceil_log2(e->replicas)) * half + depth * u
                          : (ceil_log2(e->replicas) + depth) * u;
    long double bound =
        (long double)(d / (1 - d)) * magnitude + (sum == 0 ? 0 : fabsl(sum) * 0x1p-60L);
    return fabsl((long double)found - (sum + rest)) <= bound;
}

/* ---- Making cases. */

static bool takes(cohort_dtype d, cohort_reduce_op op)
{
    if (d == COHORT_VOID || (kind_of(d) == 'f' && cohort_dtype_bytes(d) == 1))
        return false; /* float8.c has the latter */
    if (d == COHORT_BOOL)
        return op == COHORT_MIN || op == COHORT_MAX;
    if (is_complex(d))
        return op != COHORT_MIN && op != COHORT_MAX;
    return HAS_WIDE || op != COHORT_MEAN || !is_integer(d);
}

static number make_number(const example *e, bool is_weight)
{
    double magnitude =
        e->op == COHORT_PROD ? 1 + (below(17) - 8) / 64.0 : (below(4095) + 1) / 4096.0;
    double scale = is_weight || e->op == COHORT_PROD ? 1 : ldexp(1, below(8) - 5);
    number x = { ((uint64_t)next_random() << 32 | next_random()) >> below(64), 0, 0 };
    if (is_integer(e->dtype))
        x.bits = extend(e->dtype, e->dtype == COHORT_BOOL ? x.bits & 1 : x.bits);
    x.re = fit(e->dtype, is_weight ? magnitude : magnitude * scale * (chance(50) ? 1 : -1));
    x.im = is_complex(e->dtype) ? fit(e->dtype, magnitude / 2) : 0;
    return x;
}

static void choose_axes(example *e)
{
    int order[COHORT_MAX_RANK], n = chance(35) || e->rank == 0 ? 0
                                    : chance(55)               ? 1
                                                               : 1 + below(e->rank);
    for (int i = 0; i < e->rank; i++)
        order[i] = i, e->is_reduced[i] = false;
    for (e->n_axes = 0; e->n_axes < n; e->n_axes++) {
        int at = e->n_axes + below(e->rank - e->n_axes), axis = order[at];
        order[at] = order[e->n_axes];
        e->is_reduced[axis] = true;
        e->axes[e->n_axes] = chance(30) ? axis - e->rank : axis;
    }
}

static void choose_shapes(example *e)
{
    int64_t common[COHORT_MAX_RANK];
    for (int i = 0; i < e->rank; i++)
        common[i] = 1 + below(4);
    for (int r = 0; r < e->replicas; r++) {
        for (int i = 0; i < e->rank; i++)
            e->shape[r][i] = e->is_reduced[i] && e->kind == PER_REPLICA ? below(6) : common[i];
        if (e->n_axes == 1 && chance(8))
            e->shape[r][e->axes[0] < 0 ? e->axes[0] + e->rank : e->axes[0]] = 100 + below(250);
        if (e->rank > 0 && e->kind == PER_REPLICA && chance(15))
            e->shape[r][0] = 0;
        while (product(e, r, true, true) > MAX_ITEMS) /* can only be the long axis */
            for (int i = 0; i < e->rank; i++)
                e->shape[r][i] =
                    e->is_reduced[i] && e->shape[r][i] > 6 ? e->shape[r][i] / 2 : e->shape[r][i];
        if (r > 0 && e->kind != PER_REPLICA)
            memcpy(e->shape[r], e->shape[0], sizeof e->shape[0]);
    }
}

/* An infinity, or a NaN of any sign and payload, quiet or signalling, into one part of a number. */
static void store_special(cohort_dtype d, char *p)
{
    int bytes = (int)cohort_dtype_bytes(d) / (is_complex(d) ? 2 : 1), width = 8 * bytes - 1;
    int mantissa = d == COHORT_F16 ? 10 : d == COHORT_BF16 ? 7 : bytes == 4 ? 23 : 52;
    uint64_t bits = ((UINT64_C(1) << (width - mantissa)) - 1) << mantissa | (uint64_t)below(2)
                                                                                << width;
    if (chance(70))
        bits |= ((uint64_t)next_random() << 32 | next_random()) >> (64 - mantissa);
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    memcpy(p + (is_complex(d) ? below(2) * bytes : 0),
           bytes == 2   ? (void *)&u16
           : bytes == 4 ? (void *)&u32
                        : (void *)&bits,
           (size_t)bytes);
}

static void fill(example *e)
{
    int64_t bytes = cohort_dtype_bytes(e->dtype);
    int percent = is_integer(e->dtype) || chance(80) ? 0 : 1 + below(10);
    for (int r = 0; r < e->replicas; r++) {
        bool is_own = r == 0 || e->kind == PER_REPLICA;
        e->data[r] = is_own ? items[r] : items[0];
        for (int64_t i = 0; is_own && i < product(e, r, true, true); i++)
            chance(percent) ? store_special(e->dtype, items[r] + i * bytes)
                            : store(e->dtype, make_number(e, false), items[r] + i * bytes);
        bool has_own = r == 0 || !e->has_plain_weights;
        e->weights[r] = has_own ? weights[r] : weights[0];
        for (int64_t i = 0; has_own && e->weighing != UNWEIGHED && i < MAX_ITEMS &&
                            i <= product(e, r, true, false);
             i++)
            store(e->dtype, make_number(e, true), weights[r] + i * bytes);
    }
}

static uint32_t real_op(void)
{
    uint32_t op = next_real_op(0);
    for (int more = below(5); more > 0; more--)
        op = next_real_op(op);
    return op;
}

static void make_example(example *e, int replicas)
{
    *e = (example){ .replicas = replicas, .rank = below(5) };
    do {
        e->dtype = (cohort_dtype)below(COHORT_NUMBER_DTYPES_END);
        e->op = (cohort_reduce_op)real_op();
    } while (!takes(e->dtype, e->op));
    e->kind = chance(80) ? PER_REPLICA : chance(50) ? PLAIN : ARRAY;
    choose_axes(e);
    choose_shapes(e);
    if (is_real(e->dtype) && chance(30))
        e->weighing = chance(50) ? ONE_WEIGHT : WEIGHTS;
    /* weights for each element are the same for all only where all components are as long */
    e->has_plain_weights = e->weighing != UNWEIGHED && chance(30) &&
                           (e->weighing == ONE_WEIGHT || e->kind != PER_REPLICA);
    fill(e);
}

/* ---- Trying them. */

static cohort_array array_of(const example *e, int r)
{
    cohort_array a = { .data = e->data[r], .dtype = e->dtype, .rank = e->rank };
    memcpy(a.shape, e->shape[r], sizeof a.shape);
    return a;
}

/* The extents of the reduced axes, or none. */
static cohort_array weights_of(const example *e, int r)
{
    cohort_array a = { .data = e->weights[r], .dtype = e->dtype };
    for (int i = 0; i < e->rank && e->weighing == WEIGHTS; i++)
        if (e->is_reduced[i])
            a.shape[a.rank++] = e->shape[r][i];
    return a;
}

static cohort_value *make_weights(cohort_strategy *s, const example *e)
{
    cohort_array parts[MAX_REPLICAS];
    if (e->has_plain_weights)
        return cohort_value_plain(s, weights_of(e, 0));
    for (int r = 0; r < e->replicas; r++)
        parts[r] = weights_of(e, r);
    return cohort_value_per_replica(s, parts);
}

/* What all replicas see is contributed by each. */
static cohort_status call(const example *e, cohort_value *x, cohort_value *by, cohort_value *into)
{
    cohort_array array = array_of(e, 0);
    cohort_reduce_options options = { .axes = e->axes, .n_axes = e->n_axes, .weights = by };
    cohort_argument given = e->kind == ARRAY ? COHORT_ARG_(array) : COHORT_ARG_(x);
    if (e->kind != PER_REPLICA)
        given = COHORT_REPEATED(given);
    if (e->n_axes > 1 || by != NULL || chance(30))
        return cohort_reduce_with(e->op, given, &options, into);
    int axis = e->n_axes == 0 ? COHORT_NO_AXIS : e->axes[0];
    return cohort_reduce(e->op, given, axis, into);
}

/* What was combined has the canonical NaN, which `store` makes; what was only copied any. */
static bool is_same(cohort_dtype d, const char *found, number wanted, bool is_copy)
{
    char bits[16];
    number x = load(d, found);
    store(d, wanted, bits);
    if (is_copy && !is_integer(d) && (isnan(wanted.re) || isnan(wanted.im)))
        return isnan(x.re) == isnan(wanted.re) && isnan(x.im) == isnan(wanted.im);
    return memcmp(bits, found, (size_t)cohort_dtype_bytes(d)) == 0;
}

/* A component that contributes; when there is none the first with a row, else the first. */
static int find_like(const example *e)
{
    for (int r = 0; r < e->replicas; r++)
        if (contributes(e, r))
            return r;
    for (int r = 0; r < e->replicas; r++)
        if (e->rank == 0 || e->shape[r][0] > 0)
            return r;
    return 0;
}

static bool number_is_right(const example *e, int64_t i, const char *found)
{
    number wanted = expected(e, i);
    bool is_copy = n_elements(e) == 1 && e->weighing == UNWEIGHED;
    bool has_bound =
        e->op == COHORT_SUM && is_real(e->dtype) && e->weighing == UNWEIGHED && isfinite(wanted.re);
    if (good(is_same(result_dtype(e), found, wanted, is_copy)))
        return !has_bound || good(is_within_bound(e, i, wanted.re));
    diag("element %lld is %a, not %a", (long long)i, load(result_dtype(e), found).re, wanted.re);
    return false;
}

static bool content_is_right(const example *e, cohort_value *into)
{
    static char found[MAX_ITEMS * 16];
    cohort_array a = { .data = found, .dtype = result_dtype(e) };
    int64_t bytes = cohort_dtype_bytes(a.dtype), shape[COHORT_MAX_RANK];
    int like = find_like(e);
    cohort_dtype dtype;
    for (int i = 0; i < e->rank; i++)
        if (!e->is_reduced[i])
            a.shape[a.rank++] = e->shape[like][i];
    bool is_good = good(cohort_value_kind_of(into) == COHORT_PLAIN_VALUE) &&
                   good(cohort_value_shape(into, 0, &dtype, shape) == a.rank) &&
                   good(dtype == a.dtype) &&
                   good(memcmp(shape, a.shape, (size_t)a.rank * sizeof *shape) == 0) &&
                   good(cohort_value_read(into, a) == COHORT_OK);
    for (int64_t i = 0; is_good && i < product(e, like, false, true); i++)
        is_good = number_is_right(e, i, found + i * bytes);
    return is_good;
}

/* Over nothing there are a sum and a product; and what has no elements needs none. */
static bool is_refused(const example *e)
{
    bool has_result = product(e, find_like(e), false, true) > 0;
    return n_elements(e) == 0 &&
           (e->op == COHORT_MEAN || (has_result && e->op != COHORT_SUM && e->op != COHORT_PROD));
}

static bool is_right(cohort_strategy *s, const example *e)
{
    cohort_array parts[MAX_REPLICAS];
    for (int r = 0; r < e->replicas; r++)
        parts[r] = array_of(e, r);
    cohort_value *x = e->kind == PLAIN   ? cohort_value_plain(s, parts[0])
                      : e->kind == ARRAY ? NULL
                                         : cohort_value_per_replica(s, parts);
    cohort_value *by = e->weighing != UNWEIGHED ? make_weights(s, e) : NULL,
                 *into = cohort_value_create(s);
    cohort_status status = call(e, x, by, into);
    bool is_good = is_refused(e) ? refused(s, COHORT_EINVAL, status) && says("no elements")
                                 : good(status == COHORT_OK) && content_is_right(e, into);
    cohort_value_destroy(x);
    cohort_value_destroy(by);
    cohort_value_destroy(into);
    return is_good;
}

/* ---- Strategies, opened at first use and kept. */

typedef struct setup {
    const char *devices;
    int n_devices, percent;
    bool is_uneven;
} setup;

static const setup setups[] = {
    { "host", 1, 40, false },           { "host/2", 2, 15, false },
    { "host/2", 2, 15, true },          { "loopback", 1, 8, false },
    { "loopback/2,host", 3, 10, true }, { "loopback/3", 3, 8, false },
    { "stream,host", 2, 2, true },      { "opencl:0", 1, 2, false },
};
enum { SETUPS = sizeof setups / sizeof *setups };

static cohort_strategy *strategies[SETUPS][MAX_REPLICAS + 1];
static bool is_missing[SETUPS];

static const setup *choose_setup(int *out_index)
{
    int dice = below(100), i = 0;
    while (dice >= setups[i].percent)
        dice -= setups[i++].percent;
    *out_index = i;
    return &setups[i];
}

static cohort_strategy *open_strategy(int *out_replicas, int *out_setup)
{
    const setup *p = choose_setup(out_setup);
    int32_t hosted[4] = { 1, 1, 1, 1 }, rest;
    *out_replicas = p->n_devices + below(MAX_REPLICAS + 1 - p->n_devices);
    if (strcmp(p->devices, "opencl:0") == 0)
        *out_replicas = 1 + *out_replicas / 6 * 5; /* few of them: they are slow to open */
    cohort_strategy **found = &strategies[*out_setup][*out_replicas];
    if (*found != NULL || is_missing[*out_setup])
        return *found;
    rest = *out_replicas - p->n_devices;
    for (int d = 0; d < p->n_devices; d++) {
        int more = d + 1 == p->n_devices ? rest : below(rest + 1);
        hosted[d] += more, rest -= more;
    }
    *found = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = p->devices,
                                    .replicas = *out_replicas,
                                    .n_hosted = p->is_uneven ? p->n_devices : 0,
                                    .hosted = p->is_uneven ? hosted : NULL });
    is_missing[*out_setup] = *found == NULL;
    return *found;
}

static bool try_cases(int n, int tried[SETUPS])
{
    static example e;
    int replicas, at;
    for (int i = 0; i < n; i++) {
        cohort_strategy *s = open_strategy(&replicas, &at);
        if (s == NULL)
            continue;
        make_example(&e, replicas);
        tried[at]++;
        if (is_right(s, &e))
            continue;
        diag("case %d on %s: op %d of %s, %d replicas, rank %d, %d axes (%d), kind %d, weighing "
             "%d, first extent %lld",
             i, setups[at].devices, (int)e.op, cohort_dtype_name(e.dtype), replicas, e.rank,
             e.n_axes, (int)e.axes[0], (int)e.kind, (int)e.weighing, (long long)e.shape[0][0]);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    int tried[SETUPS] = { 0 }, n = argc > 2 ? atoi(argv[2]) : CASES;
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
    state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    diag("seed %llu", (unsigned long long)seed);
    bool is_good = try_cases(n, tried);
    ok(is_good, "%d random reductions have the bits of the tree, and stay within its bound", n);
    for (int i = 0; i < SETUPS; i++) {
        if (is_missing[i] && strncmp(setups[i].devices, "opencl", 6) == 0)
            skip(setups[i].devices, "no such device");
        else
            ok((tried[i] > 0 || !is_good || n < CASES) && !is_missing[i], "%d of them on %s%s",
               tried[i], setups[i].devices, setups[i].is_uneven ? ", hosted unevenly" : "");
        for (int r = 0; r <= MAX_REPLICAS; r++)
            cohort_strategy_destroy(strategies[i][r]);
    }
    return tap_done();
}
