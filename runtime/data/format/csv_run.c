/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_run.h"

#include "runtime/data/format/csv_integer.h"
#include "runtime/data/format/csv_number.h"
#include "runtime/data/format/csv_scan.h"

#include <float.h>

/* What a quick look takes in at most: a sign, seven digits, a point, and eight digits twice. */
enum { QUICK_BYTES = 32 };

/* A field from p on that is longer than a quick look takes in. Returns its end; NULL: it needs a
 * closer look. */
static __attribute__((noinline)) const uint8_t *read_field(const cohort_csv_source *source,
                                                           const uint8_t *p, cohort_dtype dtype,
                                                           void *into)
{
    const uint8_t *stop = cohort_csv_field_end(p, source->end, source->separator), *end = stop;
    if (*stop == '\n' && stop > p && stop[-1] == '\r')
        end--;
    bool is_number =
        cohort_csv_number(p, (size_t)(end - p), dtype, source->c_locale, into) == COHORT_CSV_NUMBER;
    return is_number ? end : NULL;
}

/* A number of up to seven characters, sign aside, with a digit first: its end, or p when it is none
 * such. A point between digits is closed up, so that they are one integer: "12.5" is 125 with one
 * of them behind the point. */
static inline const uint8_t *read_short_real(const uint8_t *p, double *out)
{
    uint64_t digits = cohort_csv_load(p) ^ COHORT_EACH_BYTE('0');
    uint64_t others = cohort_csv_no_digits(digits);
    unsigned n = cohort_csv_first(others), n_fraction = 0, has_point = 0;
    if (n > 0 && n < COHORT_CSV_STRIDE && p[n] == '.') {
        uint64_t before = ((uint64_t)1 << 8 * n) - 1;
        n_fraction = cohort_csv_first(others & (others - 1)) - n - 1;
        digits = (digits & before) | (digits >> 8 & ~before);
        n += n_fraction;
        has_point = 1;
    }
    if (n == 0 || n + has_point >= COHORT_CSV_STRIDE)
        return p;
    *out = (double)cohort_csv_value(digits << (64 - 8 * n)) / cohort_csv_powers[n_fraction];
    return p + n + has_point;
}

/* Up to eight digits are worth `value` more, each digit before them ten times as much; returns how
 * many. */
static inline unsigned add_digits(const uint8_t *p, uint64_t *value)
{
    static const uint64_t powers[] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000
    };
    uint64_t digits = cohort_csv_load(p) ^ COHORT_EACH_BYTE('0');
    unsigned n = cohort_csv_first(cohort_csv_no_digits(digits));
    if (n > 0)
        *value = *value * powers[n] + cohort_csv_value(digits << (64 - 8 * n));
    return n;
}

/* As above: up to seven digits before the point and fifteen behind it, as long as together they are
 * a double. */
static const uint8_t *read_long_real(const uint8_t *p, double *out)
{
    uint64_t value = 0;
    unsigned n = add_digits(p, &value), n_fraction, n_more = 0;
    if (n == 0 || n == COHORT_CSV_STRIDE || p[n] != '.')
        return p;
    n_fraction = add_digits(p + n + 1, &value);
    if (n_fraction == COHORT_CSV_STRIDE)
        n_more = add_digits(p + n + 1 + n_fraction, &value);
    n_fraction += n_more;
    if (n_more == COHORT_CSV_STRIDE || n + n_fraction > DBL_DIG)
        return p;
    *out = (double)value / cohort_csv_powers[n_fraction];
    return p + n + 1 + n_fraction;
}

/* Keep a compiler from making one sum of two ways to a place: a jump is guessed, and the next field
 * begun, before the byte that it depends on is there. */
#define GUESSED(value) __asm__("" : "+r"(value))

/* Returns p when it takes more than this to read the number. */
static inline const uint8_t *read_real(const uint8_t *p, double *out)
{
    bool is_negative = *p == '-';
    const uint8_t *from = p;
    if (__builtin_expect_with_probability(is_negative, 0, 0.9)) {
        from = p + 1;
        GUESSED(from);
    }
    const uint8_t *end = FLT_EVAL_METHOD == 0 ? read_short_real(from, out) : from;
    if (end == from && FLT_EVAL_METHOD == 0)
        end = read_long_real(from, out);
    if (end == from || *end == 'e' || *end == 'E')
        return p;
    *out = is_negative ? -*out : *out;
    return end;
}

static inline const uint8_t *read_f32(const cohort_csv_source *source, const uint8_t *p, char *into)
{
    double value = 0;
    float single;
    const uint8_t *end = read_real(p, &value);
    if (end == p || !cohort_csv_narrow(value, &single))
        return read_field(source, p, COHORT_F32, into);
    memcpy(into, &single, sizeof single);
    return end;
}

static inline const uint8_t *read_f64(const cohort_csv_source *source, const uint8_t *p, char *into)
{
    double value = 0;
    const uint8_t *end = read_real(p, &value);
    if (end == p)
        return read_field(source, p, COHORT_F64, into);
    memcpy(into, &value, sizeof value);
    return end;
}

/* Up to seven digits; one is so common that a guess pays. Anything else is left to read_field. */
#define READ_INTEGER(name, type, largest, smallest)                                                \
    static inline const uint8_t *read_##name(const cohort_csv_source *source, const uint8_t *p,    \
                                             char *into)                                           \
    {                                                                                              \
        bool is_negative = (smallest) > 0 && *p == '-';                                            \
        const uint8_t *from = p;                                                                   \
        if (is_negative) {                                                                         \
            from = p + 1;                                                                          \
            GUESSED(from);                                                                         \
        }                                                                                          \
        uint64_t digits = cohort_csv_load(from) ^ COHORT_EACH_BYTE('0');                           \
        unsigned n = 1;                                                                            \
        uint64_t value = digits & 0xff;                                                            \
        if (value >= 10 || from[1] != source->separator) {                                         \
            n = cohort_csv_first(cohort_csv_no_digits(digits));                                    \
            value = n > 0 ? cohort_csv_value(digits << (64 - 8 * n)) : 0;                          \
            GUESSED(n);                                                                            \
        }                                                                                          \
        if (n == 0 || n == COHORT_CSV_STRIDE ||                                                    \
            value > (is_negative ? (smallest) : (uint64_t)(largest)))                              \
            return read_field(source, p, COHORT_##name, into);                                     \
        type number = (type)(is_negative ? 0 - value : value);                                     \
        memcpy(into, &number, sizeof number);                                                      \
        return from + n;                                                                           \
    }
COHORT_CSV_INTEGERS(READ_INTEGER)

/* A field that goes nowhere; quotes need a closer look. */
static inline const uint8_t *pass_field(const cohort_csv_source *source, const uint8_t *p,
                                        char *unused)
{
    (void)unused;
    const uint8_t *end = *p != '"' ? cohort_csv_field_end(p, source->end, source->separator) : NULL;
    return end != NULL && *end == '\n' && end > p && end[-1] == '\r' ? end - 1 : end;
}

/* Fields with a separator behind each. Returns what is behind them. */
#define READ_RUN(name, read, width)                                                                \
    static const uint8_t *name(const cohort_csv_source *source, const uint8_t *p, int count,       \
                               char *into)                                                         \
    {                                                                                              \
        for (int i = 0; i < count; i++, into += (width)) {                                         \
            if (source->limit - p < QUICK_BYTES)                                                   \
                return NULL;                                                                       \
            const uint8_t *end = read(source, p, into);                                            \
            if (end == NULL || *end != source->separator)                                          \
                return NULL;                                                                       \
            p = end + 1;                                                                           \
        }                                                                                          \
        return p;                                                                                  \
    }                                                                                              \
    static const uint8_t *name##_last(const cohort_csv_source *source, const uint8_t *p,           \
                                      char *into)                                                  \
    {                                                                                              \
        const uint8_t *end = source->limit - p >= QUICK_BYTES ? read(source, p, into) : NULL;      \
        if (end != NULL && *end == '\r')                                                           \
            end++;                                                                                 \
        return end != NULL && *end == '\n' ? end + 1 : NULL;                                       \
    }
READ_RUN(run_f32, read_f32, 4)
READ_RUN(run_f64, read_f64, 8)
#define READ_INTEGERS(name, type, largest, smallest) READ_RUN(run_##name, read_##name, sizeof(type))
COHORT_CSV_INTEGERS(READ_INTEGERS)
READ_RUN(pass_run, pass_field, 0)

static const uint8_t *read_run(const cohort_csv_source *source, const cohort_csv_run *run,
                               const uint8_t *p, bool is_last, char *into)
{
#define CASE(dtype, name, width)                                                                   \
    case COHORT_##dtype:                                                                           \
        p = name(source, p, run->count - is_last, into);                                           \
        return p != NULL && is_last                                                                \
                   ? name##_last(source, p, into + (run->count - 1) * (int64_t)(width))            \
                   : p;
#define INTEGER_CASE(name, type, largest, smallest) CASE(name, run_##name, sizeof(type))
    switch (run->dtype) {
        CASE(F32, run_f32, 4)
        CASE(F64, run_f64, 8)
        CASE(VOID, pass_run, 0)
        COHORT_CSV_INTEGERS(INTEGER_CASE)
    default:
        return NULL;
    }
}

/* One row; NULL: it needs a closer look. */
static const uint8_t *read_row(const cohort_csv_plan *plan, const cohort_csv_source *source,
                               const uint8_t *p, void *const out[], int64_t row)
{
    for (int i = 0; i < plan->n_runs && p != NULL; i++) {
        const cohort_csv_run *run = &plan->runs[i];
        const bool is_wanted = run->part >= 0; /* else nothing is written */
        char *into = out[is_wanted ? run->part : 0];
        if (is_wanted)
            into += (size_t)row * plan->parts[run->part].row_bytes + run->offset;
        p = read_run(source, run, p, i == plan->n_runs - 1, into);
    }
    return p;
}

int64_t cohort_csv_run_rows(const cohort_csv_plan *plan, cohort_csv_source *source,
                            void *const out[], int64_t first, int64_t max)
{
    int64_t done = 0;
    while (done < max && source->at < source->end) {
        const uint8_t *next = read_row(plan, source, source->at, out, first + done);
        if (next == NULL)
            break;
        source->at = next;
        done++;
    }
    return done;
}
