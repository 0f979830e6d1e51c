/* SPDX-License-Identifier: BSD-3-Clause */
/* Values: how they are made, set and read. */
#include "config.h"

#include "tests/right/right.h"

static void split(cohort_strategy *s)
{
    note_value("rows", whole_rows(s));
    note_value("reals", real_rows(s));
    note_value("few", cohort_value_split(s, COHORT_ARRAY(whole, 2, COLUMNS)));
    note_value("none", cohort_value_split(s, COHORT_ARRAY(whole, 0, COLUMNS)));
}

static void split_by(cohort_strategy *s)
{
    cohort_value *rows = uneven_rows(s);
    int64_t counts[MAX_REPLICAS], total = 0;
    uneven_counts(s, counts);
    int first = 0;
    const int own = cohort_strategy_local_replicas(s, &first);
    for (int r = first; r < first + own; r++)
        total += cohort_value_rows(rows, r) != counts[r];
    note_integer("wrong counts", total);
    note_value("rows", rows);
}

COHORT_ITEMS(multiply, i, rows,
             (int64_t rows, int64_t m, int64_t k, const int64_t *start COHORT_SHAPE(rows + 1),
              const int32_t column[m], const int64_t number[m], const int64_t x[k],
              COHORT_OUT int64_t y[rows]),
             {
                 y[i] = 0;
                 for (int64_t e = start[i]; e < start[i + 1]; e++)
                     y[i] += number[e] * x[column[e]];
             });

/* Row i has i % 4 entries, so that some have none. */
static void compressed_rows(cohort_strategy *s)
{
    int64_t start[ROWS + 1] = { 0 }, number[4 * ROWS], counts[MAX_REPLICAS];
    int32_t column[4 * ROWS];
    for (int i = 0; i < ROWS; i++) {
        start[i + 1] = start[i] + i % 4;
        for (int64_t e = start[i]; e < start[i + 1]; e++)
            column[e] = (int32_t)(e * 5 % CELLS), number[e] = e - 7;
    }
    const cohort_array offsets = COHORT_ARRAY(start, ROWS + 1);
    cohort_value *y = cohort_value_create(s);
    uneven_counts(s, counts);
    for (int is_uneven = 0; is_uneven < 2; is_uneven++) {
        const int64_t *shares = is_uneven ? counts : NULL;
        cohort_value *begins = cohort_value_split_offsets(s, offsets, shares),
                     *columns = cohort_value_split_entries(s, COHORT_ARRAY(column, start[ROWS]),
                                                           offsets, shares),
                     *numbers = cohort_value_split_entries(s, COHORT_ARRAY(number, start[ROWS]),
                                                           offsets, shares);
        cohort_run(s, multiply, begins, columns, numbers, COHORT_ARRAY(whole, CELLS), y);
        note_value(is_uneven ? "uneven" : "even", y);
        note_value(is_uneven ? "uneven numbers" : "even numbers", numbers);
    }
}

static void per_replica(cohort_strategy *s)
{
    int64_t counts[MAX_REPLICAS] = { 0 }, before = 0;
    cohort_array parts[MAX_REPLICAS];
    uneven_counts(s, counts);
    for (int r = 0; r < MAX_REPLICAS; r++) {
        parts[r] = COHORT_ARRAY(whole + before * COLUMNS, counts[r], COLUMNS);
        before += counts[r];
    }
    cohort_value *rows = cohort_value_per_replica(s, parts), *sum = cohort_value_create(s);
    note_value("rows", rows);
    cohort_reduce(COHORT_SUM, rows, 0, sum);
    note_value("sum", sum);
}

/* Replica r has every R-th number from r on. */
static cohort_status deal(int replica, int num_replicas, cohort_array *out, void *user)
{
    static int64_t dealt[CELLS];
    int64_t n = 0;
    (void)user;
    for (int i = replica; i < CELLS; i += num_replicas)
        dealt[n++] = whole[i];
    *out = COHORT_ARRAY(dealt, n);
    return COHORT_OK;
}

static void from_function(cohort_strategy *s)
{
    cohort_value *dealt = cohort_value_from_function(s, deal, NULL), *into = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, dealt, 0, into);
    note_value("sum", into);
    cohort_reduce(COHORT_MAX, dealt, 0, into);
    note_value("largest", into);
}

COHORT_ITEMS(number_items, i, n, (int64_t n, int64_t from, COHORT_OUT int64_t y[n]),
             { y[i] = from + i * i; });

static void shaped(cohort_strategy *s)
{
    const int64_t shape[] = { 6 };
    cohort_value *y = cohort_value_shaped(s, COHORT_I64, 1, shape), *into = cohort_value_create(s);
    cohort_run(s, number_items, 10, y);
    cohort_reduce(COHORT_MAX, y, COHORT_NO_AXIS, into);
    note_value("content", into);
}

static void plain(cohort_strategy *s)
{
    cohort_value *array = cohort_value_plain(s, COHORT_ARRAY(whole, ROWS, COLUMNS)),
                 *number = cohort_value_number(s, 0.1);
    int64_t shape[COHORT_MAX_RANK];
    cohort_dtype dtype;
    note_value("array", array);
    note_real("number", cohort_value_scalar(number));
    note_integer("rank", cohort_value_shape(array, 0, &dtype, shape));
    note_integer("rows", cohort_value_rows(array, 0));
    note_integer("kinds", cohort_value_kind_of(array) * 100 + cohort_value_kind_of(NULL));
}

static void set(cohort_strategy *s)
{
    cohort_value *rows = whole_rows(s), *number = cohort_value_number(s, 1),
                 *array = cohort_value_plain(s, COHORT_ARRAY(whole, COLUMNS));
    cohort_value_set(rows, COHORT_ARRAY(whole + COLUMNS, 4, COLUMNS));
    cohort_value_set(number, 2.5);
    cohort_value_set(array, COHORT_ARRAY(whole + 6, 2));
    note_value("rows", rows);
    note_value("number", number);
    note_value("array", array);
}

/* Rows that this process has, of so many that are shared out evenly; before: those of the replicas
 * before its own. */
static int64_t own_rows(cohort_strategy *s, int64_t n, int64_t *before)
{
    int first = 0;
    const int replicas = cohort_strategy_num_replicas(s);
    const int own = cohort_strategy_local_replicas(s, &first);
    int64_t rows = 0;
    *before = 0;
    for (int r = 0; r < first + own; r++)
        *(r < first ? before : &rows) += n / replicas + (r < n % replicas);
    return rows;
}

static int64_t count_differences(const int64_t a[], const int64_t b[], int64_t n)
{
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++)
        found += a[i] != b[i];
    return found;
}

/* A process reads the rows of its own replicas. */
static void read_rows(cohort_strategy *s)
{
    int64_t found[CELLS] = { 0 }, before;
    cohort_value *rows = whole_rows(s);
    const int64_t n = own_rows(s, ROWS, &before);
    note_integer("wait", cohort_value_wait(rows, -1));
    cohort_value_read(rows, COHORT_ARRAY(found, n, COLUMNS));
    note_integer("differences", count_differences(found, whole + before * COLUMNS, n * COLUMNS));
    cohort_value_destroy(rows);
}

const right_program right_values[] = { RIGHT(split),           RIGHT(split_by),
                                       RIGHT(compressed_rows), RIGHT(per_replica),
                                       RIGHT(from_function),   RIGHT(shaped),
                                       RIGHT(plain),           RIGHT(set),
                                       RIGHT(read_rows),       { NULL, NULL } };
