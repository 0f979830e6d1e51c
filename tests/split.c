/* SPDX-License-Identifier: BSD-3-Clause */
/* Values split by counts, and compressed rows with their entries. */
#include "config.h"

#include "tests/core.h"

enum { ROWS = 40, COLUMNS = 7 };

COHORT_FUNCTION(tell,
                (int64_t n, int64_t d, int64_t first, const int32_t x[n][d],
                 COHORT_OUT int64_t y[n][2]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i][0] = first + i, y[i][1] = x[i][d - 1];
}

COHORT_FUNCTION(multiply,
                (int64_t rows, int64_t m, int64_t n, const int32_t start[rows + 1],
                 const uint8_t column[m], const double number[m], const double x[n],
                 COHORT_OUT double y[rows]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < rows; i++) {
        y[i] = 0;
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            y[i] += number[k] * x[column[k]];
    }
}

/* ---- Counts. */

/* As they come from a rule that knows nothing of the library's: 0, 1, 4, 0, 1, 4 ... and what is
 * left. */
static void make_counts(int64_t *counts, int replicas, int64_t rows)
{
    for (int r = 0; r < replicas; r++) {
        counts[r] = r % 3 == 0 ? 0 : r % 3 == 1 ? 1 : 4;
        counts[r] = r == replicas - 1 || counts[r] > rows ? rows : counts[r];
        rows -= counts[r];
    }
}

static bool by_counts(cohort_strategy *s, int replicas)
{
    int32_t x[ROWS][6];
    int64_t counts[CORE_MAX_REPLICAS], y[ROWS][2];
    for (int i = 0; i < ROWS * 6; i++)
        x[i / 6][i % 6] = i;
    make_counts(counts, replicas, ROWS);
    cohort_array narrow = COHORT_ARRAY(&x[0][0], ROWS, 3);
    narrow.strides[0] = 6, narrow.strides[1] = 2;
    cohort_value *whole = cohort_value_split_by(s, COHORT_ARRAY(&x[0][0], ROWS, 6), counts),
                 *strided = cohort_value_split_by(s, narrow, counts), *out = cohort_value_create(s);
    cohort_value *const both[] = { whole, strided };
    bool is_good = true;
    for (int k = 0; k < 2 && is_good; k++) {
        is_good = good(cohort_run(s, tell, COHORT_FIRST_ROW, both[k], out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(&y[0][0], ROWS, 2)) == COHORT_OK);
        for (int i = 0; i < ROWS && is_good; i++)
            is_good = good(y[i][0] == i && y[i][1] == 6 * i + (k == 0 ? 5 : 4));
    }
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(whole, r) == counts[r]) &&
                  good(cohort_value_rows(out, r) == counts[r]);
    return is_good;
}

/* ---- Compressed rows: row i has i % 4 entries, and rows 10 to 29 have none. */

static struct sparse {
    int32_t offsets[ROWS + 1];
    uint8_t columns[4 * ROWS];
    double numbers[4 * ROWS], x[COLUMNS], y[ROWS];
    int64_t m;
} a;

static void make_sparse(void)
{
    a.m = 0;
    for (int j = 0; j < COLUMNS; j++)
        a.x[j] = j + 1;
    for (int i = 0; i < ROWS; i++) {
        a.offsets[i] = (int32_t)a.m;
        a.y[i] = 0;
        for (int k = 0; k < i % 4 && (i < 10 || i >= 30); k++, a.m++) {
            a.columns[a.m] = (uint8_t)((i + 2 * k) % COLUMNS);
            a.numbers[a.m] = i + k / 4.0;
            a.y[i] += a.numbers[a.m] * a.x[a.columns[a.m]];
        }
    }
    a.offsets[ROWS] = (int32_t)a.m;
}

static bool multiplies(cohort_strategy *s, const int64_t *counts, cohort_argument rows)
{
    double y[ROWS];
    cohort_array offsets = COHORT_ARRAY(a.offsets, ROWS + 1);
    cohort_value *start = cohort_value_split_offsets(s, offsets, counts),
                 *column =
                     cohort_value_split_entries(s, COHORT_ARRAY(a.columns, a.m), offsets, counts),
                 *number =
                     cohort_value_split_entries(s, COHORT_ARRAY(a.numbers, a.m), offsets, counts),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, multiply, start, column, number, COHORT_ARRAY(a.x, COLUMNS),
                                   out, COHORT_NAMED(rows, rows)) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, ROWS)) == COHORT_OK);
    for (int i = 0; i < ROWS && is_good; i++)
        is_good = good(y[i] == a.y[i]);
    cohort_value_destroy(start);
    cohort_value_destroy(column);
    cohort_value_destroy(number);
    cohort_value_destroy(out);
    return is_good;
}

static bool compressed(cohort_strategy *s, int replicas)
{
    int64_t counts[CORE_MAX_REPLICAS];
    make_sparse();
    make_counts(counts, replicas, ROWS);
    return multiplies(s, NULL, COHORT_SHARE(ROWS)) &&
           multiplies(s, counts, COHORT_EACH (COHORT_ARRAY(counts, replicas)));
}

/* Where every replica has entries, the offsets alone say how many rows there are; a replica without
 * rows is not launched. */
static bool solved(cohort_strategy *s, int replicas)
{
    enum { SMALL = 3 };
    static const int64_t offsets[SMALL + 1] = { 0, 1, 2, 3 };
    int32_t starts[SMALL + 1];
    double y[SMALL] = { 0 }, numbers[SMALL] = { 5, 6, 7 };
    uint8_t columns[SMALL] = { 0, 1, 2 };
    for (int i = 0; i <= SMALL; i++)
        starts[i] = (int32_t)offsets[i];
    make_sparse();
    cohort_array wide = COHORT_ARRAY(offsets, SMALL + 1);
    cohort_value *out = cohort_value_create(s),
                 *start = cohort_value_split_offsets(s, COHORT_ARRAY(starts, SMALL + 1), NULL),
                 *column = cohort_value_split_entries(s, COHORT_ARRAY(columns, SMALL), wide, NULL),
                 *number = cohort_value_split_entries(s, COHORT_ARRAY(numbers, SMALL), wide, NULL);
    bool is_good = good(cohort_run(s, multiply, start, column, number, COHORT_ARRAY(a.x, COLUMNS),
                                   out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, SMALL)) == COHORT_OK) &&
                   good(y[0] == 5 && y[1] == 12 && y[2] == 21);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(start, r) == cohort_value_rows(out, r) + 1);
    return is_good;
}

/* Counts are borrowed until the call returns, and offsets, of any integer dtype, are copied: row i
 * of four has i entries. */
static bool gives_back(cohort_strategy *s, int replicas)
{
    enum { FEW = 4, ENTRIES = 6 };
    uint8_t offsets[FEW + 1] = { 0, 0, 1, 3, 6 };
    int16_t numbers[ENTRIES] = { 0, 1, 2, 3, 4, 5 };
    int64_t counts[CORE_MAX_REPLICAS] = { 0 };
    cohort_array own[CORE_MAX_REPLICAS];
    counts[replicas - 1] = FEW;
    const cohort_array places = COHORT_ARRAY(offsets, FEW + 1);
    cohort_value *start = cohort_value_split_offsets(s, places, counts),
                 *entry =
                     cohort_value_split_entries(s, COHORT_ARRAY(numbers, ENTRIES), places, counts),
                 *plain = cohort_value_split_by(s, COHORT_ARRAY(numbers, FEW), counts);
    memset(offsets, 0xff, sizeof offsets);
    memset(counts, 0xff, sizeof counts);
    bool is_good = good(cohort_local_results(start, own, CORE_MAX_REPLICAS) == replicas) &&
                   good(own[replicas - 1].dtype == COHORT_U8);
    const uint8_t *copied = is_good ? own[replicas - 1].data : NULL;
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(start, r) == (r < replicas - 1 ? 1 : FEW + 1)) &&
                  good(cohort_value_rows(entry, r) == (r < replicas - 1 ? 0 : ENTRIES)) &&
                  good(cohort_value_rows(plain, r) == (r < replicas - 1 ? 0 : FEW));
    return is_good && good(copied[0] == 0 && copied[1] == 0 && copied[2] == 1 && copied[3] == 3 &&
                           copied[4] == 6);
}

/* ---- What is wrong. */

static bool refuses(cohort_strategy *s, int replicas)
{
    int64_t counts[CORE_MAX_REPLICAS] = { 0 };
    double x[ROWS] = { 0 };
    int32_t one_based[] = { 1, 2, 3 }, falling[] = { 0, 2, 1 }, few[] = { 0, 1, 2 };
    uint64_t huge[] = { 0, UINT64_MAX };
    cohort_array array = COHORT_ARRAY(x, ROWS), scalar = array, good_offsets = COHORT_ARRAY(few, 3);
    scalar.rank = 0;
    bool is_good =
        refused_null_for(s, "cohort_value_split_by: the list of counts is NULL",
                         cohort_value_split_by(s, array, NULL)) &&
        refused_null_for(s, "counts add up to 0, and there are 40 rows",
                         cohort_value_split_by(s, array, counts)) &&
        refused_null_for(s, "cohort_value_split_by: an array of rank 0 has no rows to split",
                         cohort_value_split_by(s, scalar, counts)) &&
        refused_null_for(s, "cohort_value_split_offsets: the offsets are float64 of rank 1",
                         cohort_value_split_offsets(s, array, NULL)) &&
        refused_null_for(s, "with 0 elements; integers of rank 1, one more than rows, are needed",
                         cohort_value_split_offsets(s, COHORT_ARRAY(few, 0), NULL)) &&
        refused_null_for(s, "the offsets begin with 1, not with 0",
                         cohort_value_split_offsets(s, COHORT_ARRAY(one_based, 3), NULL)) &&
        refused_null_for(s, "offset 2 is 1, and the one before 2",
                         cohort_value_split_offsets(s, COHORT_ARRAY(falling, 3), NULL)) &&
        refused_null_for(s, "offset 1 is -1, and the one before 0",
                         cohort_value_split_offsets(s, COHORT_ARRAY(huge, 2), NULL)) &&
        refused_null_for(s, "counts add up to 0, and there are 2 rows",
                         cohort_value_split_offsets(s, good_offsets, counts)) &&
        refused_null_for(s,
                         "cohort_value_split_entries: the offsets end with 2, and the array has 40 "
                         "rows",
                         cohort_value_split_entries(s, array, good_offsets, NULL)) &&
        refused_null_for(s, "data",
                         cohort_value_split_offsets(s, COHORT_ARRAY((int *)NULL, 3), NULL));
    counts[replicas - 1] = -3;
    is_good = is_good && refused_null_for(s, "is -3", cohort_value_split_by(s, array, counts));
    counts[0] = INT64_MAX, counts[replicas - 1] = replicas > 1 ? 1 : INT64_MAX;
    is_good = is_good && refused_null_for(s, replicas > 1 ? "more than 64 bits count" : "add up to",
                                          cohort_value_split_by(s, array, counts));
    const int64_t one[] = { 2 };
    if (replicas > 1)
        is_good =
            is_good &&
            refused_null_for(s, "cohort_value_split_by: 1 count for",
                             cohort_value_split_by(s, array, one)) &&
            refused_null_for(s, "cohort_value_split_offsets: 1 count for",
                             cohort_value_split_offsets(s, good_offsets, one)) &&
            refused_null_for(s, "cohort_value_split_entries: 1 count for",
                             cohort_value_split_entries(s, COHORT_ARRAY(x, 2), good_offsets, one));
    cohort_value *v = cohort_value_split_offsets(s, good_offsets, NULL);
    return is_good && refused_for(s, "cohort_value_set: only values made by",
                                  cohort_value_set(v, good_offsets));
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(by_counts, "rows go by counts, and none to some");
        core_everywhere(compressed, "compressed rows go with their entries, and rows without any");
        core_everywhere(solved, "offsets say how many rows a replica has");
        core_everywhere(gives_back, "counts and offsets are the caller's again at once");
        core_everywhere(refuses, "wrong counts and offsets are refused in words");
        ok(cohort_value_split_by(NULL, COHORT_ARRAY((int[]){ 1 }, 1), (int64_t[]){ 1 }) == NULL &&
               cohort_value_split_by(NULL, COHORT_ARRAY((int[]){ 1 }, 1), NULL) == NULL,
           "without a strategy there is no value");
    }
    core_no_leak(warm);
    return tap_done();
}
