/* SPDX-License-Identifier: BSD-3-Clause */
/* float8_e4m3fn and float8_e5m2 beside their definition: all 256 codes, all sums and products of
 * two of them, conversions from what lies between, and reductions. */
#include "config.h"

#include "runtime/arithmetic/arithmetic.h"
#include "tests/core.h"

#include <math.h>

enum { CODES = 256, TERMS = 200, COLUMNS = 3 };

/* Source: OCP 8-bit Floating Point Specification (OFP8), revision 1.0, table 1. */
typedef struct format {
    cohort_dtype dtype;
    const char *name;
    int exponent_bits, fraction_bits, bias;
    int most; /* the code of the largest number */
    int nan;  /* the canonical one */
    bool has_infinity;
    double beyond; /* from here on, or behind it, rounding leaves the numbers */
    bool is_beyond_itself;
} format;

static const format formats[] = {
    { COHORT_F8_E4M3, "float8_e4m3fn", 4, 3, 7, 0x7e, 0x7f, false, 464, false },
    { COHORT_F8_E5M2, "float8_e5m2", 5, 2, 15, 0x7b, 0x7e, true, 61440, true },
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ------------------------------------------------------------------ the definition */

static bool is_nan(const format *f, int code)
{
    return (code & 0x7f) > (f->has_infinity ? f->most + 1 : f->most);
}

static double value_of(const format *f, int code)
{
    const int magnitude = code & 0x7f, exponent = magnitude >> f->fraction_bits;
    const int fraction = magnitude & ((1 << f->fraction_bits) - 1);
    const double sign = code & 0x80 ? -1 : 1;
    if (is_nan(f, code))
        return (double)NAN;
    if (f->has_infinity && magnitude == f->most + 1)
        return sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - f->bias - f->fraction_bits);
    return sign * ldexp(fraction + (1 << f->fraction_bits), exponent - f->bias - f->fraction_bits);
}

/* To the nearest, of two that are as near the one with an even code. */
static int code_of(const format *f, double x)
{
    const int sign = signbit(x) ? 0x80 : 0;
    const double size = fabs(x);
    int low = 0, high = f->most;
    if (isnan(x))
        return f->nan;
    if (f->is_beyond_itself ? size >= f->beyond : size > f->beyond)
        return f->has_infinity ? sign | (f->most + 1) : f->nan;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (value_of(f, middle) <= size)
            low = middle;
        else
            high = middle;
    }
    const double below = size - value_of(f, low), above = value_of(f, high) - size;
    const bool takes_low = below < above || (below == above && low % 2 == 0);
    return sign | (takes_low ? low : high);
}

/* Any NaN of an input may come out of what only moves it. */
static bool is_same(const format *f, int found, int wanted)
{
    return found == wanted || (is_nan(f, found) && is_nan(f, wanted));
}

/* ------------------------------------------------------------------ conversions */

static void bad_input(void)
{
    const double infinite = (double)INFINITY, large = 1e6, nan = (double)NAN;
    for (int i = 0; i < FORMATS; i++) {
        const format *f = &formats[i];
        const uint8_t most = (uint8_t)f->most, not_a_number = (uint8_t)f->nan;
        uint8_t out = 77;
        int8_t small = 77;
        ok(cohort_dtype_convert(COHORT_F64, &large, f->dtype, &out) == COHORT_EINVAL && out == 77,
           "%s: a finite number out of range is refused", f->name);
        has_text(cohort_error_text(), f->name, "by name");
        ok(cohort_dtype_convert(COHORT_F64, &infinite, f->dtype, &out) ==
               (f->has_infinity ? COHORT_OK : COHORT_EINVAL),
           "%s: infinity is there, or refused", f->name);
        ok(cohort_dtype_convert(COHORT_F64, &nan, f->dtype, &out) == COHORT_OK && is_nan(f, out),
           "%s: NaN is one", f->name);
        ok(cohort_dtype_convert(f->dtype, &most, COHORT_I8, &small) == COHORT_EINVAL &&
               cohort_dtype_convert(f->dtype, &not_a_number, COHORT_I32, &small) == COHORT_EINVAL &&
               small == 77,
           "%s: nor does an integer hold what it cannot", f->name);
    }
}

/* To floating dtypes that hold all of its numbers, and back; and to int32 where it is one. */
static bool comes_back(const format *f, int code)
{
    static const cohort_dtype floats[] = { COHORT_F32, COHORT_F64,  COHORT_BF16,
                                           COHORT_C64, COHORT_C128, COHORT_LONG_DOUBLE };
    const uint8_t from = (uint8_t)code;
    const double wanted = value_of(f, code);
    unsigned char wide[32];
    uint8_t back = 0;
    double found = 0;
    bool is_good =
        cohort_dtype_convert(f->dtype, &from, COHORT_F64, &found) == COHORT_OK &&
        (isnan(wanted) ? isnan(found) : found == wanted && signbit(found) == signbit(wanted));
    for (size_t i = 0; i < sizeof floats / sizeof *floats && is_good; i++)
        is_good = cohort_dtype_convert(f->dtype, &from, floats[i], wide) == COHORT_OK &&
                  cohort_dtype_convert(floats[i], wide, f->dtype, &back) == COHORT_OK &&
                  is_same(f, back, code);
    int32_t integer = 77;
    const bool is_integer = isfinite(wanted) && wanted == trunc(wanted);
    return is_good &&
           (cohort_dtype_convert(f->dtype, &from, COHORT_I32, &integer) == COHORT_OK) ==
               is_integer &&
           (!is_integer || integer == (int32_t)wanted);
}

static bool rounds(const format *f, double x)
{
    const int wanted = code_of(f, x);
    const bool is_lost = isfinite(x) && !isfinite(value_of(f, wanted));
    uint8_t found = 77;
    const cohort_status status = cohort_dtype_convert(COHORT_F64, &x, f->dtype, &found);
    return is_lost ? status == COHORT_EINVAL && found == 77
                   : status == COHORT_OK && is_same(f, found, wanted);
}

static void conversions(const format *f)
{
    int n_back = 0, n_rounded = 0;
    for (int code = 0; code < CODES; code++) {
        n_back += comes_back(f, code);
        /* around the number, and around the middle of it and its neighbour */
        const double here = value_of(f, code), next = value_of(f, code + 1);
        const double middle = (here + next) / 2;
        n_rounded += rounds(f, nextafter(here, 1e9)) && rounds(f, nextafter(here, -1e9)) &&
                     rounds(f, here) && rounds(f, middle) && rounds(f, nextafter(middle, 1e9)) &&
                     rounds(f, nextafter(middle, -1e9));
    }
    ok(n_back == CODES, "%s: all codes are what they are defined to be, and come back", f->name);
    ok(n_rounded == CODES, "%s: what lies between goes to the nearest, of equals to the even one",
       f->name);
    ok(rounds(f, f->beyond) && rounds(f, nextafter(f->beyond, 0)) &&
           rounds(f, nextafter(f->beyond, 1e9)) && rounds(f, -f->beyond),
       "%s: so it is where the numbers end", f->name);
}

/* ------------------------------------------------------------------ loops */

static int combined(const format *f, uint32_t op, int a, int b)
{
    const double x = value_of(f, a), y = value_of(f, b);
    if (op == COHORT_SUM || op == COHORT_PROD)
        return code_of(f, op == COHORT_SUM ? x + y : x * y);
    if (isnan(x) || isnan(y))
        return f->nan;
    return op == COHORT_MIN ? (x < y ? a : b) : (x > y ? a : b);
}

/* Every pair; what is combined has the canonical NaN. */
static void pairs(const format *f, const cohort_arithmetic_set *set)
{
    static const uint32_t ops[] = { COHORT_SUM, COHORT_PROD, COHORT_MIN, COHORT_MAX };
    static uint8_t left[CODES], right[CODES], into[CODES];
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        int n_wrong = 0;
        for (int a = 0; a < CODES; a++) {
            memset(left, a, sizeof left);
            for (int b = 0; b < CODES; b++)
                right[b] = (uint8_t)b;
            set->rows[f->dtype].combine[ops[o]](into, left, right, 1, 0, CODES);
            for (int b = 0; b < CODES; b++)
                n_wrong += into[b] != combined(f, ops[o], a, b);
        }
        ok(n_wrong == 0, "%s, %s: op %u of all pairs is rounded once", set->name, f->name, ops[o]);
    }
}

static void loops(const format *f)
{
    for (int i = 0; i < COHORT_ARITHMETIC_SETS; i++)
        if (cohort_arithmetic_sets[i].is_usable())
            pairs(f, &cohort_arithmetic_sets[i]);
        else
            skip(cohort_arithmetic_sets[i].name, "this machine has no such instructions");
}

/* ------------------------------------------------------------------ reductions */

static uint8_t parts[CORE_MAX_REPLICAS][TERMS * COLUMNS];

/* Multiples of 1/16 up to 3/2 in size, so that sums of many are exact in float32. */
static cohort_value *make(cohort_strategy *s, const format *f, int replicas)
{
    cohort_array arrays[CORE_MAX_REPLICAS];
    uint32_t state = 4711;
    for (int r = 0; r < replicas; r++) {
        for (int i = 0; i < TERMS * COLUMNS; i++) {
            state = state * 1664525u + 1013904223u;
            parts[r][i] = (uint8_t)code_of(f, ((int)(state >> 24 & 31) - 12) / 16.0);
        }
        arrays[r] = (cohort_array){
            .data = parts[r], .dtype = f->dtype, .rank = 2, .shape = { TERMS, COLUMNS }
        };
    }
    return cohort_value_per_replica(s, arrays);
}

static double exact(const format *f, int replica, int column)
{
    double sum = 0;
    for (int i = 0; i < TERMS; i++)
        sum += value_of(f, parts[replica][i * COLUMNS + column]);
    return sum;
}

/* [a, b) = [a, a + m) and [a + m, b), m the largest power of two below b - a; each step rounded. */
static int tree(const format *f, const int leaves[], int a, int b)
{
    int m = 1;
    if (b - a == 1)
        return leaves[a];
    while (2 * m < b - a)
        m *= 2;
    return combined(f, COHORT_SUM, tree(f, leaves, a, a + m), tree(f, leaves, a + m, b));
}

static bool is_right(const format *f, cohort_value *x, cohort_value *out, int replicas)
{
    uint8_t sums[COLUMNS], means[COLUMNS], all[TERMS * COLUMNS];
    cohort_array row = { .data = sums, .dtype = f->dtype, .rank = 1, .shape = { COLUMNS } },
                 other = row,
                 whole = { .data = all, .dtype = f->dtype, .rank = 2, .shape = { TERMS, COLUMNS } };
    other.data = means;
    bool is_good = good(cohort_reduce(COHORT_SUM, x, 0, out) == COHORT_OK) &&
                   good(cohort_value_read(out, row) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_MEAN, x, 0, out) == COHORT_OK) &&
                   good(cohort_value_read(out, other) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, out) == COHORT_OK) &&
                   good(cohort_value_read(out, whole) == COHORT_OK);
    int leaves[CORE_MAX_REPLICAS];
    for (int c = 0; c < COLUMNS && is_good; c++) {
        double sum = 0;
        for (int r = 0; r < replicas; r++) {
            leaves[r] = code_of(f, exact(f, r, c));
            sum += exact(f, r, c);
        }
        is_good = good(sums[c] == tree(f, leaves, 0, replicas)) &&
                  good(means[c] == code_of(f, (double)((float)sum / (float)(TERMS * replicas))));
    }
    for (int i = 0; i < TERMS * COLUMNS && is_good; i++) {
        for (int r = 0; r < replicas; r++)
            leaves[r] = parts[r][i];
        is_good = good(all[i] == tree(f, leaves, 0, replicas));
    }
    return is_good;
}

/* Along rows in float32 and rounded once; over replicas each step; a mean once altogether. */
static bool reductions(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (int i = 0; i < FORMATS && is_good; i++) {
        cohort_value *x = make(s, &formats[i], replicas), *out = cohort_value_create(s);
        is_good = is_right(&formats[i], x, out, replicas);
        cohort_value_destroy(x);
        cohort_value_destroy(out);
    }
    return is_good;
}

/* ------------------------------------------------------------------ prototypes */

COHORT_FUNCTION(negated,
                (int64_t n, const cohort_float8_e4m3fn x[n], COHORT_OUT cohort_float8_e4m3fn y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] ^ 0x80u;
}

COHORT_FUNCTION(taken, (cohort_float8_e5m2 x, COHORT_OUT float y[1]), COHORT_HOST_ONLY)
{
    *y = x;
}

static bool calls(cohort_strategy *s, int replicas)
{
    uint8_t found[TERMS * COLUMNS];
    cohort_value *x = make(s, &formats[0], replicas), *y = cohort_value_create(s),
                 *flat = cohort_value_create(s), *one = cohort_value_create(s);
    cohort_array array = {
        .data = parts[0], .dtype = COHORT_F8_E4M3, .rank = 1, .shape = { TERMS * COLUMNS }
    };
    cohort_array other = array;
    other.dtype = COHORT_U8;
    cohort_array into = array;
    into.data = found;
    bool is_good = good(cohort_run(s, taken, 1, one) == COHORT_EINVAL) &&
                   good(strstr(cohort_error_text(), "in arrays only") != NULL) &&
                   good(cohort_strategy_recover(s) == COHORT_OK) &&
                   good(cohort_run(s, negated, other, y) == COHORT_EINVAL) &&
                   good(strstr(cohort_error_text(), "float8_e4m3fn") != NULL) &&
                   good(cohort_strategy_recover(s) == COHORT_OK) &&
                   good(cohort_run(s, negated, array, y) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_MAX, y, COHORT_NO_AXIS, flat) == COHORT_OK) &&
                   good(cohort_value_read(flat, into) == COHORT_OK);
    for (int i = 0; i < TERMS * COLUMNS && is_good; i++)
        is_good = good(found[i] == (parts[0][i] ^ 0x80));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    cohort_value_destroy(flat);
    cohort_value_destroy(one);
    return is_good;
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    bad_input();
    for (int i = 0; i < FORMATS; i++) {
        ok(cohort_dtype_parse(formats[i].name) == formats[i].dtype &&
               cohort_dtype_bytes(formats[i].dtype) == 1 &&
               cohort_dtype_kind(formats[i].dtype) == 'f',
           "%s is a floating-point dtype of one byte", formats[i].name);
        conversions(&formats[i]);
        loops(&formats[i]);
    }
    for (int i = 0; i < 2; i++) {
        core_everywhere(reductions, "reductions are carried in float32 where they are to be");
        core_everywhere(calls, "functions take arrays of them, and no values");
        if (i == 0)
            warm = core_live_now();
    }
    core_no_leak(warm);
    return tap_done();
}
