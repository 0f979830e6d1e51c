/* SPDX-License-Identifier: BSD-3-Clause */
/* BAND, BOR and BXOR of every dtype that has them. Byte by byte they are the same, so that one
 * oracle does for all. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"

enum { ROWS = 5, COLUMNS = 3, MOST_BYTES = 8, OPS = 3 };

typedef unsigned char elements[ROWS * COLUMNS * MOST_BYTES];

static const cohort_reduce_op ops[OPS] = { COHORT_BAND, COHORT_BOR, COHORT_BXOR };

static bool has_bits(uint32_t d)
{
    return kind_of(d) == 'b' || kind_of(d) == 'i' || kind_of(d) == 'u';
}

static unsigned char combined(cohort_reduce_op op, unsigned a, unsigned b)
{
    return (unsigned char)(op == COHORT_BAND ? a & b : op == COHORT_BOR ? a | b : a ^ b);
}

/* Most bits are set, so that "and" leaves some. */
static void fill(elements *parts, int replicas, uint32_t d)
{
    uint32_t state = 12345 + d;
    for (int r = 0; r < replicas; r++)
        for (size_t i = 0; i < sizeof *parts; i++) {
            state = state * 1664525u + 1013904223u;
            parts[r][i] = (unsigned char)(state >> 24 | (state >> 16 & 0xffu));
            if (d == COHORT_BOOL)
                parts[r][i] = state >> 24 > 60;
        }
}

static cohort_value *make(cohort_strategy *s, elements *parts, int replicas, uint32_t d, int absent)
{
    cohort_array arrays[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        arrays[r] = (cohort_array){ .data = parts[r],
                                    .dtype = (cohort_dtype)d,
                                    .rank = 2,
                                    .shape = { r == absent || absent < 0 ? 0 : ROWS, COLUMNS } };
    return cohort_value_per_replica(s, arrays);
}

/* absent: the replica without rows; -1: all are. along_rows: else elementwise, of all replicas. */
static bool is_right(cohort_strategy *s, int replicas, uint32_t d, cohort_reduce_op op, int absent,
                     bool along_rows)
{
    static elements parts[CORE_MAX_REPLICAS];
    const int bytes = (int)cohort_dtype_bytes((cohort_dtype)d);
    const int n = (along_rows ? 1 : ROWS) * COLUMNS * bytes, rows = along_rows ? ROWS : 1;
    const unsigned char all = d == COHORT_BOOL ? 1 : 0xff;
    elements wanted, found;
    fill(parts, replicas, d);
    memset(wanted, op == COHORT_BAND ? all : 0, sizeof wanted);
    for (int r = 0; r < replicas && absent >= 0; r++)
        for (int i = 0; i < rows * n && r != absent; i++)
            wanted[i % n] = combined(op, wanted[i % n], parts[r][i]);
    cohort_value *x = make(s, parts, replicas, d, absent), *out = cohort_value_create(s);
    cohort_array into = { .data = found,
                          .dtype = (cohort_dtype)d,
                          .rank = along_rows ? 1 : 2,
                          .shape = { along_rows ? COLUMNS : ROWS, COLUMNS } };
    bool is_good = good(cohort_reduce(op, x, along_rows ? 0 : COHORT_NO_AXIS, out) == COHORT_OK) &&
                   good(cohort_value_read(out, into) == COHORT_OK) &&
                   good(memcmp(found, wanted, (size_t)n) == 0);
    if (!is_good)
        diag("%s, op %d, %d replicas, absent %d", cohort_dtype_name((cohort_dtype)d), (int)op,
             replicas, absent);
    cohort_value_destroy(x);
    cohort_value_destroy(out);
    return is_good;
}

static bool every_dtype(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (uint32_t d = next_dtype(0); d != 0; d = next_dtype(d))
        for (int i = 0; i < OPS && is_good && has_bits(d); i++)
            is_good = is_right(s, replicas, d, ops[i], replicas, false) &&
                      is_right(s, replicas, d, ops[i], replicas, true);
    return is_good;
}

/* One without rows, as far as there is another; then all. */
static bool absent_ones(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    for (uint32_t d = next_dtype(0); d != 0; d = next_dtype(d))
        for (int i = 0; i < OPS && is_good && has_bits(d); i++)
            is_good = is_right(s, replicas, d, ops[i], replicas - 1, true) &&
                      is_right(s, replicas, d, ops[i], -1, true);
    return is_good;
}

/* The call is wrong, and says so; its error stays up until it is taken down. */
static bool is_refused(cohort_strategy *s, cohort_status status, const char *why)
{
    return good(status == COHORT_EINVAL) && good(strstr(cohort_error_text(), why) != NULL) &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

static bool refuses(cohort_strategy *s, int replicas)
{
    static elements parts[CORE_MAX_REPLICAS];
    bool is_good = true;
    cohort_value *out = cohort_value_create(s);
    for (uint32_t d = next_dtype(0); d != 0 && is_good; d = next_dtype(d)) {
        if (has_bits(d) || cohort_dtype_bytes((cohort_dtype)d) > MOST_BYTES)
            continue;
        cohort_value *x = make(s, parts, replicas, d, replicas);
        for (int i = 0; i < OPS && is_good; i++)
            is_good = is_refused(s, cohort_reduce(ops[i], x, 0, out),
                                 i == 2   ? "no bxor of "
                                 : i == 1 ? "no bor of "
                                          : "no band of ") &&
                      good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE);
        cohort_value_destroy(x);
    }
    cohort_value_destroy(out);
    return is_good;
}

/* However often a content counts, "and" and "or" of it are what it is. */
static bool one_content(cohort_strategy *s, int replicas)
{
    const int32_t bits = 0x0ff05a3c;
    int32_t found[2] = { 0 };
    cohort_value *out = cohort_value_create(s);
    bool is_good =
        good(cohort_reduce(COHORT_BAND, COHORT_ARRAY(&bits, 1), 0, out) == COHORT_OK) &&
        good(cohort_value_read(out, (cohort_array){ .data = &found[0], .dtype = COHORT_I32 }) ==
             COHORT_OK) &&
        is_refused(s, cohort_reduce(COHORT_BXOR, COHORT_ARRAY(&bits, 1), 0, out),
                   "the exclusive or of what is not per replica") &&
        good(cohort_reduce(COHORT_BXOR, COHORT_REPEATED(COHORT_ARRAY(&bits, 1)), 0, out) ==
             COHORT_OK) &&
        good(cohort_value_read(out, (cohort_array){ .data = &found[1], .dtype = COHORT_I32 }) ==
             COHORT_OK) &&
        good(found[0] == bits && found[1] == (replicas % 2 == 1 ? bits : 0));
    cohort_value_destroy(out);
    return is_good;
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        core_everywhere(refuses, "numbers without bits of their own have no such reduction");
        core_everywhere(one_content, "of one content only the exclusive or asks how often");
        core_everywhere(every_dtype, "every integer and bool, elementwise and along rows");
        core_everywhere(absent_ones,
                        "what is absent changes nothing; of nothing it is the neutral");
        if (i == 0)
            warm = core_live_now();
    }
    core_no_leak(warm);
    return tap_done();
}
