/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a CSV file: all rows at once and one at a time are the same numbers, and as many
 * rows are passed over as are read, and have a text. */
#include "config.h"

#include "runtime/data/format/csv.h"

#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ROWS = 4096 };

static cohort_csv *open_as(const cohort_csv_component *components, int n, char separator)
{
    cohort_csv *csv = NULL;
    cohort_csv_options options = { .components = components,
                                   .n_components = n,
                                   .separator = separator,
                                   .has_missing = true,
                                   .missing = 0.25 };
    (void)fuzz_status(cohort_csv_open(fuzz_path, &options, &csv));
    return csv;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows of 8 bytes at most, `step` at a time, errors passed over; the number of errors. */
static int read_all(cohort_csv *csv, int64_t step, void *const out[], size_t row_bytes,
                    int64_t *out_rows)
{
    int errors = 0;
    bool can_go_on = true;
    int64_t rows = 1;
    *out_rows = 0;
    while (can_go_on && rows >= 0 && *out_rows < MOST_ROWS && errors < MOST_ROWS) {
        void *into[2] = { (char *)out[0] + (size_t)*out_rows * row_bytes,
                          (char *)out[1] + (size_t)*out_rows * row_bytes };
        int64_t most = least(step, MOST_ROWS - *out_rows);
        cohort_status status = fuzz_status(cohort_csv_rows(csv, most, into, &rows, &can_go_on));
        check(rows >= 0 && rows <= most);
        *out_rows += rows;
        errors += status < 0;
        if (status >= 0 && rows < most)
            break;
    }
    return errors;
}

/* Rows that are passed over from the first of the file on; -1 after an error. */
static int64_t count_rows(const cohort_csv_component *part, char separator)
{
    int64_t skipped = -1;
    cohort_csv *csv = open_as(part, 1, separator);
    if (csv != NULL && fuzz_status(cohort_csv_skip(csv, INT64_MAX, &skipped)) != COHORT_OK)
        skipped = -1;
    cohort_csv_close(csv);
    return skipped;
}

static void compare(cohort_dtype dtype, char separator)
{
    static char once[MOST_ROWS * 8], stepped[2][MOST_ROWS * 8];
    const cohort_csv_component parts[] = { { "0", dtype }, { "0", dtype } };
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    int64_t rows = 0, rows_stepped = 0;
    cohort_csv *one = open_as(parts, 1, separator), *two = open_as(parts, 2, separator);
    check((one == NULL) == (two == NULL));
    if (one != NULL) {
        int errors = read_all(one, MOST_ROWS, (void *[]){ once, once }, bytes, &rows);
        check(read_all(two, 1, (void *[]){ stepped[0], stepped[1] }, bytes, &rows_stepped) ==
              errors);
        check(rows == rows_stepped && memcmp(once, stepped[0], (size_t)rows * bytes) == 0);
        check(memcmp(stepped[0], stepped[1], (size_t)rows * bytes) == 0);
        int64_t skipped = count_rows(parts, separator);
        check(skipped < 0 || rows == MOST_ROWS || errors == MOST_ROWS || skipped == rows + errors);
    }
    cohort_csv_close(one);
    cohort_csv_close(two);
}

static void read_texts(char separator)
{
    const cohort_csv_component part = { "0", COHORT_F32 };
    cohort_csv *csv = open_as(&part, 1, separator);
    cohort_csv_field field;
    int64_t sum = 0;
    int64_t texts = 0;
    cohort_status status = csv != NULL ? COHORT_OK : COHORT_EINVAL;
    for (; status == COHORT_OK; texts += status == COHORT_OK) {
        status = fuzz_status(cohort_csv_text(csv, 0, &field));
        for (size_t i = 0; status == COHORT_OK && i < field.bytes; i++)
            sum += field.text[i]; /* all of it can be read */
    }
    check(sum >= 0);
    cohort_csv_close(csv);
    if (status == COHORT_END)
        check(count_rows(&part, separator) == texts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    fuzz_write(data, size);
    compare(COHORT_F32, 0);
    compare(COHORT_F64, 0);
    compare(COHORT_U8, 0);
    compare(COHORT_I64, 0);
    compare(COHORT_F32, ' ');
    read_texts(0);
    read_texts(' ');
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("csv");
}
#endif
