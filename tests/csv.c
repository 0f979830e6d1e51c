/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV files: what is refused and where, what Python and NumPy wrote, numbers to the last bit, files
 * that break. */
#include "config.h"

#include "runtime/data/format/csv.h"

#include "runtime/base/limits.h"
#include "tests/rows_file.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>

static const struct {
    const char *file, *columns;
    cohort_dtype dtype;
    int n; /* 0: elements of rank 0 */
    int64_t rows;
    const char *elements;
} cases[] = {
#include "tests/data/rows/csv_cases.h"
};
enum { N_CASES = sizeof cases / sizeof *cases, ROOM = 1 << 16 };

static union {
    char bytes[ROOM];
    uint8_t u8[ROOM];
    float f32[ROOM / 4];
    double f64[ROOM / 8];
    int64_t i64[ROOM / 8];
} data;

static cohort_csv *open_with(const cohort_csv_options *options)
{
    cohort_csv *csv = NULL;
    return cohort_csv_open(path, options, &csv) == COHORT_OK ? csv : NULL;
}

static cohort_spec spec_of(const cohort_csv *csv, int part)
{
    return cohort_csv_schema_of(csv)->parts[part].spec;
}

static int columns_of(const cohort_csv *csv)
{
    return cohort_csv_schema_of(csv)->n;
}

static cohort_csv *open_as(const char *columns, cohort_dtype dtype)
{
    cohort_csv_component component = { .columns = columns, .dtype = dtype };
    return open_with(&(cohort_csv_options){ .components = &component, .n_components = 1 });
}

/* Rows that are passed over from the first of the file on, which is open for no longer. */
static int64_t skip_from_start(const cohort_csv_options *options, int64_t n)
{
    int64_t skipped = -1;
    cohort_csv *csv = open_with(options);
    if (csv != NULL && cohort_csv_skip(csv, n, &skipped) != COHORT_OK)
        skipped = -1;
    cohort_csv_close(csv);
    return skipped;
}

/* Rows of one component into data, as many as there is room for. */
static cohort_status read_rows(cohort_csv *csv, int64_t max, int64_t *out_rows)
{
    bool can_go_on;
    int64_t columns = spec_of(csv, 0).rank == 0 ? 1 : spec_of(csv, 0).shape[0];
    int64_t room = ROOM / (columns * cohort_dtype_bytes(spec_of(csv, 0).dtype));
    return cohort_csv_rows(csv, max < room ? max : room, (void *[]){ data.bytes }, out_rows,
                           &can_go_on);
}

/* Open the text as a file and read it as this; the text of the error, "" when there is none. */
static const char *error_of(const char *text, const cohort_csv_options *options)
{
    int64_t rows = 0;
    write_text(text);
    cohort_csv *csv = open_with(options);
    bool is_good = csv != NULL && read_rows(csv, ROOM, &rows) == COHORT_OK;
    cohort_csv_close(csv);
    return is_good ? "" : cohort_error_text();
}

/* ---- What is refused */

static void test_bad_options(void)
{
    cohort_csv_component no_columns = { .columns = NULL, .dtype = COHORT_F32 };
    cohort_csv_component bad_dtype = { .columns = "0", .dtype = COHORT_BOOL };
    cohort_csv_component good = { .columns = "0", .dtype = COHORT_F32 };
    const struct {
        cohort_csv_options options;
        const char *text;
    } bad[] = {
        { { .components = &no_columns, .n_components = 1 },
          "component 0: no columns; expected names or numbers" },
        { { .components = &bad_dtype, .n_components = 1 },
          "numbers cannot become bool; expected float32" },
        { { .components = &good, .n_components = 0 }, "n_components is 0; expected 1 to 64" },
        { { .components = &good, .n_components = COHORT_LIMIT_COMPONENTS + 1 },
          "expected 1 to 64" },
        { { .n_components = 1 }, "components is NULL and n_components 1" },
        { { .header = (cohort_csv_header)3 },
          "header is 3; expected a value of cohort_csv_header" },
        { { .separator = '"' },
          "the separator is character 34; expected one that is not in numbers" },
        { { .separator = '5' }, "the separator is character 53" },
        { { .separator = '\n' }, "the separator is character 10" },
        { { .separator = 'e' }, "the separator is character 101" },
        { { .reserved = { &good } }, "reserved members" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = error_of("1,2\n", &bad[i].options);
        has_text(text, bad[i].text, "refused: %s", bad[i].text);
        ok(strstr(text, path) == text, "and the text begins with the file");
    }
}

static void test_not_regular(void)
{
    cohort_csv *csv;
    ok(cohort_csv_open("no/such.csv", NULL, &csv) == COHORT_ENOENT && csv == NULL, "no file");
    has_text(cohort_error_text(), "no/such.csv", "and the text says which");
    (void)unlink(path);
    ok(mkdir(path, 0700) == 0 && cohort_csv_open(path, NULL, &csv) == COHORT_EINVAL, "a folder");
    (void)rmdir(path);
    ok(mkfifo(path, 0600) == 0 && cohort_csv_open(path, NULL, &csv) == COHORT_EINVAL,
       "a FIFO, without waiting");
    (void)unlink(path);
    cohort_csv_close(NULL);
}

/* Selections of a file with the columns x, label, y, y, "a,b", 0-1. */
static const struct {
    const char *columns, *text;
} selections[] = {
    { "lable", "columns: 'lable': no such column; did you mean 'label'?" },
    { "quite another", "no such column; it has: x label y y a,b 0-1" },
    { "X", "no such column; it has: x" },
    { "", "a name or number is missing; expected one between commas" },
    { "x,,label", "a name or number is missing" },
    { "6", "the file has 6 columns; expected numbers from 0 to 5" },
    { "0-6", "expected numbers from 0 to 5" },
    { "99999999999999999999", "expected numbers from 0 to 5" },
    { "3-2", "a range that runs backwards" },
    { "3-", "no such column" },
    { "-3", "no such column" },
    { "y", "two columns have this name; expected the number of one, from 0 on" },
    { "^", "a name or number is missing" },
    { "^lable", "'lable': no such column; did you mean 'label'?" },
    { "^6", "'6': the file has 6 columns; expected numbers from 0 to 5" },
    { "^y", "two columns have this name" },
    { "^^x", "no such column" },
    { "x,^x", "'x': no column is left without it; expected at least one" },
    { "^0-5", "no column is left" },
    { "a;b;c and more than that, which is cut somewhere", "no such column" },
};

static void test_bad_selections(void)
{
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
        cohort_csv_component component = { .columns = selections[i].columns, .dtype = COHORT_F32 };
        const char *text =
            error_of("x,label,y,y,\"a,b\",0-1\n1,2,3,4,5,6\n",
                     &(cohort_csv_options){ .components = &component, .n_components = 1 });
        has_text(text, selections[i].text, "columns '%s'", selections[i].columns);
    }
    cohort_csv_component label = { .columns = "label", .dtype = COHORT_F32 };
    has_text(error_of("1,2\n", &(cohort_csv_options){ .components = &label, .n_components = 1 }),
             "the file has no header; expected numbers, 0 to 1, or say that the first row is one "
             "(option header)",
             "a name where there are none");
}

/* Columns of the row 0,1,2,3,4,5 whose names are x, label, y, y, "^x", 5. */
static const struct {
    const char *columns, *numbers;
} without[] = {
    { "^label", "0 2 3 4 5 " }, { "^x", "4" },         { "^0", "1 2 3 4 5 " },
    { "^1-3", "0 4 5 " },       { "^x,^label", "4 " }, { "0-3,^label", "0 2 3 " },
    { "x,x,label,^0", "1 " },   { "5,^label", "5 " },  { "^0-4", "5 " },
};

static void test_left_out(void)
{
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        char found[64] = "";
        int64_t rows = 0;
        write_text("x,label,y,y,^x,5\n0,1,2,3,4,5\n");
        cohort_csv_component component = { .columns = without[i].columns, .dtype = COHORT_F32 };
        cohort_csv *csv = open_with(&(cohort_csv_options){
            .components = &component, .n_components = 1, .header = COHORT_CSV_HEADER_FIRST_ROW });
        bool is_good = csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && rows == 1;
        cohort_spec spec = is_good ? spec_of(csv, 0) : (cohort_spec){ .rank = 0 };
        for (int k = 0; k < spec.shape[0]; k++)
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%g ",
                           (double)data.f32[k]);
        if (is_good && spec.rank == 0)
            (void)snprintf(found, sizeof found, "%g", (double)data.f32[0]);
        is_text(found, without[i].numbers, "columns '%s'", without[i].columns);
        cohort_csv_close(csv);
    }
}

/* Column 1 of a file, as this dtype, and the text that says what is wrong with it. */
static const struct {
    const char *file;
    cohort_dtype dtype;
    const char *text;
} fields[] = {
    { "a,b\n1,x\n", COHORT_F32,
      "line 2, column 1 (from 0) 'b': 'x' is no number; expected a decimal number such as" },
    { "1,2\n3,x\n", COHORT_F32, "line 2, column 1 (from 0): 'x' is no number" },
    { "1,2\n3,x\n", COHORT_F64, "for float64: correct it, or choose columns without it" },
    { "1,2\n\n\r\n3,1.5\n", COHORT_U8,
      "line 4, column 1 (from 0): '1.5' is no integer; expected 0 to 255 for uint8" },
    { "1,2\n3,15e-1\n", COHORT_I8,
      "'15e-1' is no integer; expected -128 to 127 for int8: correct it, or ask for a float" },
    { "1,2\n3,0.0000000000000000000001\n", COHORT_I64, "is no integer" },
    { "1,2\n3,123456789012345678901234.5\n", COHORT_U64, "is no integer" },
    { "1,2\n3,1e-400\n", COHORT_U8, "'1e-400' is no integer" },
    { "1,2\n3,1.28e2\n", COHORT_I8, "'1.28e2' is out of range; expected -128 to 127 for int8" },
    { "1,2\n3,-129.0\n", COHORT_I8, "'-129.0' is out of range" },
    { "1,2\n3,-1.0\n", COHORT_U8, "'-1.0' is out of range" },
    { "1,2\n3,1e20\n", COHORT_U64, "'1e20' is out of range" },
    { "1,2\n3,1e999999999999\n", COHORT_U64, "is out of range" },
    { "1,2\n3,18446744073709551616.0\n", COHORT_U64, "is out of range" },
    { "1,2\n3,184467440737095516160.00\n", COHORT_U64, "is out of range" },
    { "1,2\n3,256\n", COHORT_U8, "'256' is out of range; expected 0 to 255 for uint8" },
    { "1,2\n3,-1\n", COHORT_U8, "'-1' is out of range" },
    { "1,2\n3,128\n", COHORT_I8, "'128' is out of range; expected -128 to 127" },
    { "1,2\n3,-129\n", COHORT_I8, "'-129' is out of range" },
    { "1,2\n3,65536\n", COHORT_U16,
      "expected 0 to 65535 for uint16: correct it, or ask for a wider type" },
    { "1,2\n3,2147483648\n", COHORT_I32, "expected -2147483648 to 2147483647 for int32" },
    { "1,2\n3,4294967296\n", COHORT_U32, "expected 0 to 4294967295 for uint32" },
    { "1,2\n3,9223372036854775808\n", COHORT_I64,
      "expected -9223372036854775808 to 9223372036854775807 for int64" },
    { "1,2\n3,18446744073709551616\n", COHORT_U64,
      "expected 0 to 18446744073709551615 for uint64" },
    { "1,2\n3,99999999999999999999999\n", COHORT_U64, "is out of range" },
    { "1,2\n3,inf\n", COHORT_I32, "'inf' is out of range" },
    { "1,2\n3,1e39\n", COHORT_F32,
      "'1e39' is out of range; expected a number that fits for float32" },
    { "1,2\n3,-1e309\n", COHORT_F64, "'-1e309' is out of range" },
    { "1,2\n3,1e99999999999999999999\n", COHORT_F64, "is out of range" },
    { "1,2\n3,\n", COHORT_F32,
      "'' is a missing value; expected a decimal number such as -1.5e3 for float32: fill it" },
    { "1,2\n3,NA\n", COHORT_F32, "'NA' is a missing value" },
    { "1,2\n3,n/a\n", COHORT_F64, "say which number stands for it (option missing)" },
    { "1,2\n3,x\n", COHORT_F32, "correct it, or choose columns without it (option columns)" },
    { "1;2\n3;4,5\n", COHORT_F32,
      "'4,5' is no number; expected a decimal number such as -1.5e3 for float32: a comma is no" },
    { "1,2\n3,\"1,234.5\"\n", COHORT_F32,
      "write 1234.5, or choose columns without it (option columns)" },
    { "1,2\n3,NaN\n", COHORT_F32, "'NaN' is a missing value" },
    { "1,2\n3,Null\n", COHORT_I32, "ask for a float type, which can have missing values" },
    { "1,2\n3,0x10\n", COHORT_F32, "'0x10' is no number" },
    { "1,2\n3,0x10\n", COHORT_I32, "'0x10' is no number" },
    { "1,2\n3,-nan\n", COHORT_F32, "'-nan' is no number" },
    { "1,2\n3,infinit\n", COHORT_F32, "'infinit' is no number" },
    { "1,2\n3,1e\n", COHORT_F32, "'1e' is no number" },
    { "1,2\n3,1e+\n", COHORT_F32, "'1e+' is no number" },
    { "1,2\n3,.\n", COHORT_F32, "'.' is no number" },
    { "1,2\n3,+\n", COHORT_I32, "'+' is no number" },
    { "1,2\n3,--1\n", COHORT_F32, "'--1' is no number" },
    { "1,2\n3,1.2.3\n", COHORT_F32, "'1.2.3' is no number" },
    { "1,2\n3,1 2\n", COHORT_F32, "'1 2' is no number" },
    { "1,2\n3,1\033[31m\n", COHORT_F32, "'1?[31m' is no number" },
    { "1,2\n3,1234567890123456789012345678901234567890x1\n", COHORT_F32,
      "'1234567890123456789012345678901234567890...' is no number" },
    { "1,2\n3,4\"5\n", COHORT_F32, "'4\"5' is no number" },
    { "1,2\n3,\"4\"\"5\"\n", COHORT_F32, "'4\"\"5' is no number" },
    { "1,2\n\"a\nb\",\"x\ny\"\n", COHORT_F32, "line 3, column 1 (from 0): 'x?y' is no number" },
    { "1,2\n\"a\nb\",\"3\"\n4,z", COHORT_F32, "line 4, column 1 (from 0): 'z' is no number" },
    { "1,2\n3\n", COHORT_F32,
      "line 2: a row of 1 field; expected 2, as many as the first row has" },
    { "a;b\n1;2\n3;4;5\n", COHORT_F32, "line 3: a row of 3 fields; expected 2" },
    { "1,2\n3,4,,\n", COHORT_F32, "line 2: a row of 4 fields; expected 2" },
    { "1,2\n3,4,\"\"\n", COHORT_F32, "line 2: a row of 3 fields; expected 2" },
    { "a,b,\n1,2,3\n", COHORT_F32, "line 2: a row of 3 fields; expected 2" },
    { "1,2\n3,4,5\r\n", COHORT_U8, "put fields with separators in them into quotes" },
    { "1,2\n3,\"4\"5\n", COHORT_F32,
      "line 2, column 1 (from 0): something follows the closing quote of '4'" },
    { "1,2\n3,\"4\" \n", COHORT_F32,
      "expected a separator or the end of the line: write a quote within quotes twice" },
    { "1,2\n3,\"4\n5,6\n", COHORT_F32,
      "line 2, column 1 (from 0): the quote that opens here is never closed" },
    { "1,2\n3,\"", COHORT_F32,
      "line 2, column 1 (from 0): the quote that opens here is never closed" },
    { "", COHORT_F32, "line 1: the file has no row; expected numbers, or names of columns" },
    { "\n\r\n\n", COHORT_F32, "line 4: the file has no row" },
    { "\xef\xbb\xbf", COHORT_F32, "the file has no row" },
    { "\"a\nb", COHORT_F32,
      "line 1, column 0 (from 0): the quote that opens here is never closed" },
    { "\"a\"b\n", COHORT_F32,
      "line 1, column 0 (from 0): something follows the closing quote of 'a'" },
    { "\xff\xfe"
      "1",
      COHORT_F32, "byte 0: text in UTF-16; expected UTF-8: iconv -f UTF-16" },
    { "a,b\033[31m\n1,2\n", COHORT_F32, "line 1, column 1 (from 0): control characters in a name" },
};

static void test_bad_fields(void)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        cohort_csv_component component = { .columns = "1", .dtype = fields[i].dtype };
        const char *text = error_of(
            fields[i].file, &(cohort_csv_options){ .components = &component, .n_components = 1 });
        has_text(text, fields[i].text, "field %d: %s", (int)i, fields[i].text);
        ok(strncmp(text, path, strlen(path)) == 0, "and the text begins with the file");
    }
    has_text(
        error_of("x\n1 2\n", NULL),
        "'1 2' is no number; expected a decimal number such as -1.5e3 for float32: is it several, "
        "and the separator another (option separator)?",
        "the only field of a row may be several");
    write_file("1,2\n3,4\0\n", 9);
    cohort_csv *csv = open_as("1", COHORT_U8);
    int64_t rows;
    ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_EINVAL && rows == 1,
       "a zero byte is no part of a number");
    has_text(cohort_error_text(), "'4?' is no number",
             "and the text shows that something is there");
    cohort_csv_close(csv);
}

static void test_long_numbers(void)
{
    static char text[4096];
    (void)snprintf(text, sizeof text, "1,2\n3,0.%01000d7\n", 0);
    cohort_csv_component component = { .columns = "1", .dtype = COHORT_F64 };
    cohort_csv_options options = { .components = &component, .n_components = 1 };
    is_text(error_of(text, &options), "", "a number of a thousand digits is read");
    (void)snprintf(text, sizeof text, "1,2\n3,0.%01100d7\n", 0);
    has_text(error_of(text, &options), "is longer than any number", "one of eleven hundred is not");
}

/* Rows of a bad file are counted up to the bad one, and the next call goes on behind it. */
static void test_going_on(void)
{
    bool can_go_on;
    int64_t rows;
    write_text("1\n2\nx\n3\n4,5\n\"6\"7\n8\n\"9");
    cohort_csv *csv = open_as("0", COHORT_U8);
    const int64_t wanted[] = { 2, 1, 0, 1 };
    for (int i = 0; i < 4; i++)
        ok(cohort_csv_rows(csv, 99, (void *[]){ data.u8 }, &rows, &can_go_on) == COHORT_EINVAL &&
               rows == wanted[i] && can_go_on == (i < 3),
           "bad row %d: what was read before it counts", i);
    has_text(cohort_error_text(), "line 8, column 0 (from 0): the quote",
             "the last goes on to the end");
    ok(cohort_csv_rows(csv, 99, (void *[]){ data.u8 }, &rows, &can_go_on) == COHORT_EINVAL &&
           !can_go_on,
       "for ever");
    cohort_csv_close(csv);
}

static void test_limits(void)
{
    size_t bytes = 2 * (size_t)COHORT_LIMIT_CSV_COLUMNS + 2;
    char *text = malloc(bytes + 1);
    if (text == NULL)
        abort();
    for (size_t i = 0; i < bytes; i++)
        text[i] = i % 2 == 0 ? '1' : ',';
    text[bytes - 1] = '\n';
    text[bytes] = '\0';
    has_text(error_of(text, NULL), "line 1: a row of more than 65536 fields",
             "one column too many");
    text[bytes - 3] = '\n';
    text[bytes - 2] = '\0';
    write_text(text);
    cohort_csv *csv = open_with(NULL);
    ok(csv != NULL && columns_of(csv) == COHORT_LIMIT_CSV_COLUMNS,
       "as many columns as there may be");
    cohort_csv_close(csv);
    free(text);
    cohort_csv_component twice = { .columns = "0,0-65535", .dtype = COHORT_U8 };
    has_text((csv = NULL,
              cohort_csv_open(
                  path, &(cohort_csv_options){ .components = &twice, .n_components = 1 }, &csv),
              cohort_error_text()),
             "more than 65536 columns; expected fewer", "and not more of them in a component");
    if (write_sparse((int64_t)10 << 30)) {
        ok(open_with(NULL) == NULL, "a line of 10 GB is refused");
        has_text(cohort_error_text(),
                 "line 1: a row of more than 16777216 bytes begins here, at byte 0", "for that");
    } else {
        skip("a line of 10 GB", "no sparse file can be made here");
    }
}

static void test_shrinks(void)
{
    static char text[1 << 20];
    int64_t rows;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 4 == 3 ? '\n' : '1';
    write_file(text, sizeof text);
    cohort_csv *csv = open_as("0", COHORT_U8);
    ok(csv != NULL && read_rows(csv, 10, &rows) == COHORT_OK && rows == 10, "a file is read");
    ok(truncate(path, 1000) == 0, "and becomes shorter");
    cohort_status status = COHORT_OK;
    for (int i = 0; i < 10 && status == COHORT_OK; i++)
        status = read_rows(csv, ROOM, &rows);
    ok(status == COHORT_EINVAL, "which is an error");
    has_text(cohort_error_text(), "when it was opened", "and the text says so");
    cohort_csv_close(csv);
}

/* ---- What is read */

static cohort_csv *open_case(int which)
{
    cohort_csv *csv = NULL;
    cohort_csv_component component = { .columns = cases[which].columns,
                                       .dtype = cases[which].dtype };
    cohort_csv_options options = { .components = &component, .n_components = 1 };
    (void)cohort_csv_open(data_file("rows", cases[which].file),
                          component.columns != NULL ? &options : NULL, &csv);
    return csv;
}

/* All rows, `step` at a time. */
static bool is_case(int which, int64_t step)
{
    cohort_csv *csv = open_case(which);
    int64_t done = 0, rows = step, n = cases[which].n > 0 ? cases[which].n : 1;
    bool can_go_on;
    while (rows == step) {
        void *into = data.bytes + done * n * cohort_dtype_bytes(cases[which].dtype);
        if (csv == NULL ||
            cohort_csv_rows(csv, step, (void *[]){ into }, &rows, &can_go_on) != COHORT_OK)
            break;
        done += rows;
    }
    cohort_csv_close(csv);
    return done == cases[which].rows &&
           has_numbers(cases[which].dtype, data.bytes, done * n, cases[which].elements);
}

static void test_cases(void)
{
    for (int i = 0; i < N_CASES; i++) {
        cohort_csv *csv = open_case(i);
        if (csv == NULL && strstr(cohort_error_text(), "zlib") != NULL) {
            skip(cases[i].file, "no zlib");
            continue;
        }
        cohort_spec spec = csv != NULL ? spec_of(csv, 0) : (cohort_spec){ 0 };
        bool is_shape =
            spec.rank == (cases[i].n > 0) && (spec.rank == 0 || spec.shape[0] == cases[i].n);
        ok(csv != NULL && cohort_csv_schema_of(csv)->n_parts == 1 && is_shape && is_case(i, 1000),
           "%s: %s as %s", cases[i].file, cases[i].columns != NULL ? cases[i].columns : "all",
           cohort_dtype_name(cases[i].dtype));
        for (int64_t step = 1; step <= 3; step += 2)
            ok(is_case(i, step), "and %d at a time", (int)step);
        int64_t skipped = 0, rows = 0;
        ok(cohort_csv_skip(csv, 3, &skipped) == COHORT_OK && skipped == 3 &&
               read_rows(csv, 1000, &rows) == COHORT_OK && rows == cases[i].rows - 3,
           "and the rest behind three rows");
        cohort_csv_close(csv);
    }
}

static void test_names(void)
{
    cohort_csv *csv = NULL;
    ok(cohort_csv_open(
           data_file("rows", "mixed.csv"),
           &(cohort_csv_options){ .components = &(cohort_csv_component){ "a, b", COHORT_I64 },
                                  .n_components = 1 },
           &csv) == COHORT_OK,
       "a name with a comma in it is one");
    ok(columns_of(csv) == 5 && spec_of(csv, 0).rank == 0, "of five");
    is_text(cohort_csv_schema_of(csv)->names[2], "the \"y\"",
            "names are without the quotes around them");
    cohort_csv_close(csv);
    write_text("1,2\n");
    csv = open_with(NULL);
    ok(cohort_csv_schema_of(csv)->names == NULL && columns_of(csv) == 2,
       "a file without header has no names");
    cohort_csv_close(csv);
}

/* A word among numbers may be a mistake. */
static void test_doubtful_header(void)
{
    cohort_csv_options names = { .header = COHORT_CSV_HEADER_FIRST_ROW },
                       none = { .header = COHORT_CSV_HEADER_NONE };
    const char *text = error_of("\n5.1,3..5,1.4\n4.9,3.0,1.4\n", NULL);
    has_text(
        text,
        "line 2, column 1 (from 0): '3..5' is no number, and other fields of this first row are",
        "a word in a first row of numbers is an error");
    has_text(text, "Say whether this row is a header (option header)", "which names the option");
    ok(strstr(text, path) == text, "and the file");
    has_text(error_of("5.1,3.5,setosa\n", NULL), "column 2 (from 0): 'setosa' is no number",
             "a class behind numbers");
    is_text(error_of("label,0,1\n7,3,4\n", &names), "",
            "names that are numbers are such where the program says so");
    has_text(error_of("5.1,3..5,1.4\n", &none), "'3..5' is no number; expected a decimal",
             "or the field is refused");
}

/* First rows of values that other programs write, and of names that look like them. */
static const char *const values[] = {
    "-nan,-nan",
    "+NaN,x",
    "nan(0x7fc00000),nan(ind)",
    "-nan(snan),-nan",
    "1.#QNAN,-1.#IND00",
    "\xe2\x88\x9e,x",
    "1.0D+03,2.5D-01",
    "1.0d3;2.5q0",
    "1.000-100,1.000+100",
    "\"1,5\";\"2,5\"",
    "\"1,234.5\",\"7,000\"",
    "1.234.567\tx",
    "1'234,5'678",
    "1_000,x",
    "1\xc2\xa0"
    "234,x",
    "\xe2\x88\x92"
    "3,x",
    "(12),(1.5)",
    "'1.5','2.5'",
    "5%,6%",
    "$5,-$6",
    "5 \xe2\x82\xac,x",
    "0x1f,0x2e",
    "0x1.8p+3,x",
    "0b101,0o17",
    "1.5f,2.5f",
    "1+2j,(1.5-2i)",
    "1/2,3/4",
    "1.5x10^3,2*^4",
    "\xd9\xa1\xd9\xa2,\xd9\xa3",
    "1.0D+03 2.5D-01",
    "-nan 1",
    "?,?",
    "--,x",
    "***,x",
    "None,None",
    "#N/A,#DIV/0!",
    "<NA>,NaT",
    "\\N,x",
    "x,n.a.",
    "NA,x",
    " null ,x",
};

static const char *const names[] = {
    "1stFlrSF,2ndFlrSF",
    "3D,x1",
    "1st,2nd",
    "10kg,b",
    "2024-01-02,2024-01-03",
    "18-24,25-34",
    "18 - 24,x",
    "12:30,x",
    "#,name",
    "%,$",
    "e,d",
    "f,nano",
    "information,inf_rate",
    "0xyz,0b2",
    "na_count,nanny",
    "_1,_2",
    "a 1,b 2",
    "+,x",
    "(a),(b)",
    "\"\",x",
    "\xc2\xb5,\xc3\xa9",
};

static void test_spellings(void)
{
    char text[256];
    cohort_csv_options first = { .header = COHORT_CSV_HEADER_FIRST_ROW },
                       none = { .header = COHORT_CSV_HEADER_NONE };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int is_single = 0; is_single < 2; is_single++) {
            (void)snprintf(text, sizeof text, "%s\n%s", values[i], is_single ? "" : "1,2\n3,4\n");
            has_text(error_of(text, NULL),
                     "is a number in another spelling, or a word for a missing one",
                     "the first row %s is not taken for names%s", values[i],
                     is_single ? ", nor where it is the only one" : "");
        }
    has_text(cohort_error_text(), "line 1, column 0 (from 0): ' null ' is", "with its place");
    has_text(cohort_error_text(), "Say whether it is a header (option header)", "and what to do");
    is_text(error_of("-nan,?\n1,2\n", &first), "", "but where the program says so");
    has_text(error_of("-nan,?\n1,2\n", &none), "line 1, column 0 (from 0): '-nan' is no number",
             "and where it says that they are none, the field is refused");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(text, sizeof text, "%s\n1,2\n3,4\n", names[i]);
        is_text(error_of(text, NULL), "", "%s are names", names[i]);
    }
}

/* Texts that are integers, whatever their spelling. */
static const struct {
    const char *text;
    int64_t number;
} whole[] = {
    { "1.0", 1 },
    { "-7.000", -7 },
    { "5.", 5 },
    { "+1e3", 1000 },
    { "1.5e1", 15 },
    { "-2.50E+2", -250 },
    { "3000e-3", 3 },
    { "0.0", 0 },
    { "-0.0e99999999999", 0 },
    { "0e-99999999999", 0 },
    { "1.234000000000000000e+03", 1234 },
    { "1.000000000000000000000000000000e+00", 1 },
    { "00000000000000000000000000000007.0", 7 },
    { "\"12.00\"", 12 },
    { " 8.0 ", 8 },
    { "9223372036854775807.0", INT64_MAX },
    { "-9223372036854775808.00", INT64_MIN },
    { "9.223372036854775807e18", INT64_MAX },
    { "922337203685477580700e-2", INT64_MAX },
};

static void test_whole_numbers(void)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        char text[128];
        int64_t rows = 0;
        (void)snprintf(text, sizeof text, "1,%s\n", whole[i].text);
        write_text(text);
        cohort_csv *csv = open_as("1", COHORT_I64);
        ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && rows == 1 &&
               data.i64[0] == whole[i].number,
           "%s is an integer", whole[i].text);
        cohort_csv_close(csv);
    }
}

/* Rows 1,2,3 and 4,5,6 of files whose separator is any number of spaces and tabs. */
static const struct {
    const char *text;
    char separator;
    const char *claim;
} spaced[] = {
    { "1 2 3\n4 5 6\n", 0, "numbers with nothing but spaces between them are found out" },
    { "  1   2.0  3e0  \r\n\t4\t \t5 6", 0,
      "also many, then with tabs among them, and at the ends of lines" },
    { "1 2 3\r4 5 6\r", 0, "with line ends of \\r" },
    { " \n1 2 3\n \t \r\n4 5 6\n\t\n", ' ', "lines of nothing but spaces are no rows" },
    { "a b  c\n1 2 3\n4 5 6\n", ' ', "with names before them, where the option says so" },
    { "1\t2\t3\n4\t5\t6\n", ' ', "tabs are spaces where the option says so" },
    { "\"1\" \"2\"\t3 \n 4 5 \"6\"  \n", ' ', "in quotes" },
};

static void test_spaces(void)
{
    for (size_t i = 0; i < sizeof spaced / sizeof *spaced; i++) {
        int64_t rows = 0;
        write_text(spaced[i].text);
        const cohort_csv_options options = { .separator = spaced[i].separator };
        cohort_csv *csv = open_with(&options);
        bool is_good = csv != NULL && columns_of(csv) == 3 &&
                       read_rows(csv, 9, &rows) == COHORT_OK && rows == 2;
        for (int k = 0; k < 6 && is_good; k++)
            is_good = data.f32[k] == (float)(k + 1);
        ok(is_good && skip_from_start(&options, 9) == 2, "spaces: %s", spaced[i].claim);
        cohort_csv_close(csv);
    }
    cohort_csv_component last = { .columns = "2", .dtype = COHORT_F32 };
    cohort_csv_options spaces = { .separator = ' ', .components = &last, .n_components = 1 };
    has_text(error_of("1 2 3\n 4  5\n", &spaces), "line 2: a row of 2 fields; expected 3",
             "no field is lost unseen");
    has_text(error_of("1 2 3\n4 5 x \n", &spaces), "line 2, column 2 (from 0): 'x' is no number",
             "nor a wrong one");
    has_text(error_of("1 2 3\n4 \"5\"6 7\n", &spaces), "something follows the closing quote of '5'",
             "nor a quote");
    has_text(error_of("1 2 3 4\n5,6,7,8\n", NULL), "line 2: a row of 1 field; expected 4",
             "the first row counts");
}

/* Rows 1,2 and 3,4 of files with separators behind them. */
static void test_ends(void)
{
    static const char *const texts[] = { "1,2\n3,4,\n",       "1,2,\n3,4,\n",
                                         "1,2,\n3,4\n",       "a,b,\n1,2,\n3,4,\n",
                                         "a,b\n1,2,\n3,4,\n", "1;2; \n3;4;\r\n",
                                         "1,2,\r3,4,\r" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t rows = 0;
        write_text(texts[i]);
        cohort_csv *csv = open_with(NULL);
        bool is_good = csv != NULL && columns_of(csv) == 2 && read_rows(csv, 9, &rows) == COHORT_OK;
        ok(is_good && rows == 2 && data.f32[0] == 1 && data.f32[1] == 2 && data.f32[2] == 3 &&
               data.f32[3] == 4,
           "a separator at the end of a row begins no column: file %d", (int)i);
        cohort_csv_close(csv);
    }
    int64_t rows = 0;
    write_text("1,2,\n3,4,5\n");
    cohort_csv *csv = open_with(&(cohort_csv_options){ .has_missing = true, .missing = 9 });
    ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && rows == 2 && data.f32[2] == 9 &&
           data.f32[5] == 5,
       "but a value that may be missing is one");
    cohort_csv_close(csv);
}

/* Line ends of one \r: the numbers, the numbers of lines, and names with line ends in them; in
 * files of any size. */
static void test_returns(void)
{
    enum { MANY = 30000 };
    int64_t rows = 0;
    bool is_good = true;
    write_text("\"a\rb\",c\r1,2\r3,x\r5,6\r");
    cohort_csv *csv = open_with(NULL);
    is_text(csv != NULL ? cohort_csv_schema_of(csv)->names[0] : "", "a\rb", "in quotes it is text");
    ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_EINVAL && rows == 1, "a row is a line");
    has_text(cohort_error_text(), "line 4, column 1 (from 0) 'c': 'x' is no number",
             "which has its number");
    ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && rows == 1 && data.f32[0] == 5,
       "those behind it are read");
    cohort_csv_close(csv);
    ok(skip_from_start(NULL, 9) == 3, "and passed over");
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < MANY && file != NULL; i++)
        (void)fprintf(file, "%d,\"%d\",%.3f%s", i, -i * 7, i / 8.0,
                      i % 7 == 0   ? "\n"
                      : i % 5 == 0 ? "\r\n"
                                   : "\r");
    is_good = file != NULL && fclose(file) == 0 && (csv = open_with(NULL)) != NULL;
    for (int i = 0; i < MANY && is_good; i += (int)rows) {
        is_good = read_rows(csv, 1000, &rows) == COHORT_OK && rows > 0;
        for (int k = 0; k < rows && is_good; k++)
            is_good = data.f32[3 * k] == (float)(i + k) &&
                      data.f32[3 * k + 1] == (float)(-(i + k) * 7) &&
                      data.f32[3 * k + 2] == (float)((i + k) / 8.0);
    }
    ok(is_good && read_rows(csv, 1, &rows) == COHORT_OK && rows == 0,
       "a long file with line ends of all kinds");
    cohort_csv_close(csv);
}

/* Rows that are left when the header is looked for in this way. */
static const struct {
    const char *text;
    cohort_csv_header header;
    int64_t rows;
} headers[] = {
    { "1,2\n3,4\n", COHORT_CSV_HEADER_AUTO, 2 },
    { "a,b\n3,4\n", COHORT_CSV_HEADER_AUTO, 1 },
    { "1,b\n3,4\n", COHORT_CSV_HEADER_AUTO, -1 },
    { "1,b\n3,4\n", COHORT_CSV_HEADER_FIRST_ROW, 1 },
    { "1,b\n3,4\n", COHORT_CSV_HEADER_NONE, -1 },
    { "label,0,1\n7,3,4\n", COHORT_CSV_HEADER_AUTO, -1 },
    { "a,,b\n3,4,5\n", COHORT_CSV_HEADER_AUTO, 1 },
    { "a,,NA\n3,4,5\n", COHORT_CSV_HEADER_AUTO, -1 },
    { "a,,NA\n3,4,5\n", COHORT_CSV_HEADER_FIRST_ROW, 1 },
    { "\"a\",\"x 1\"\n3,4\n", COHORT_CSV_HEADER_AUTO, 1 },
    { "1,2\n3,4\n", COHORT_CSV_HEADER_FIRST_ROW, 1 },
    { "1,2\n3,4\n", COHORT_CSV_HEADER_NONE, 2 },
    { "1,NA\n3,4\n", COHORT_CSV_HEADER_AUTO, 2 },
    { ",\n3,4\n", COHORT_CSV_HEADER_AUTO, 2 },
    { "\"1\",\"2\"\n3,4\n", COHORT_CSV_HEADER_AUTO, 2 },
    { "0x1,2\n3,4\n", COHORT_CSV_HEADER_AUTO, -1 },
    { "inf,-1e999\n", COHORT_CSV_HEADER_AUTO, -1 },
    { "x\ty\n1\t2\n3\t4", COHORT_CSV_HEADER_AUTO, 2 },
    { "x;y\n1;2\n", COHORT_CSV_HEADER_AUTO, 1 },
    { "\"a,b,c\";y\n1;2\n", COHORT_CSV_HEADER_AUTO, 1 },
    { "x\n1\n\n2\r\n\r\n3", COHORT_CSV_HEADER_AUTO, 3 },
    { "x,y\r1,2\r3,4\r", COHORT_CSV_HEADER_AUTO, 2 },
    { "x,y\r1,2\r3,4", COHORT_CSV_HEADER_AUTO, 2 },
    { "1,2\r\r3,4\r", COHORT_CSV_HEADER_AUTO, 2 },
    { "x\r1\n2\r\n3\r4", COHORT_CSV_HEADER_AUTO, 4 },
    { "\rx\r1\n\r2\r\r\n3", COHORT_CSV_HEADER_AUTO, 3 },
    { "5\" wide,\"a\rb\",c\"\r1,2,3\r\"4\",\"5\",6\r", COHORT_CSV_HEADER_AUTO, 2 },
    { "\"a,\rb\";\"c\"\"\rd\"\r1;2\r", COHORT_CSV_HEADER_AUTO, 1 },
    { "x|\"\ry\"\r1|2\r", COHORT_CSV_HEADER_AUTO, -1 },
    { "\n\na,b\n1,2\n", COHORT_CSV_HEADER_AUTO, 1 },
    { "\xef\xbb\xbf"
      "1,2\n",
      COHORT_CSV_HEADER_AUTO, 1 },
    { "a,b\n", COHORT_CSV_HEADER_AUTO, 0 },
    { "a,b", COHORT_CSV_HEADER_AUTO, 0 },
    { " 1 , 2\n\t3,4 \n", COHORT_CSV_HEADER_AUTO, 2 },
};

static void test_headers(void)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        int64_t rows = -1;
        cohort_csv_options options = { .header = headers[i].header, .has_missing = true };
        write_text(headers[i].text);
        cohort_csv *csv = open_with(&options);
        cohort_status status = csv != NULL ? read_rows(csv, 99, &rows) : COHORT_EINVAL;
        ok(headers[i].rows < 0 ? status < 0 : status == COHORT_OK && rows == headers[i].rows,
           "first row %d: %d rows", (int)i, (int)headers[i].rows);
        cohort_csv_close(csv);
    }
}

static void test_missing(void)
{
    int64_t rows;
    write_text("x,y\n1,2\n,3\nNA,4\n n/a ,5\n\"\",6\nNAN,7\nnull,8\n");
    cohort_csv_component parts[] = { { "x", COHORT_F32 }, { "y,x", COHORT_F64 } };
    cohort_csv *csv = open_with(&(cohort_csv_options){
        .components = parts, .n_components = 2, .has_missing = true, .missing = -7.5 });
    float x[8] = { 0 };
    double yx[8][2] = { { 0 } };
    bool can_go_on, is_same = true;
    ok(csv != NULL &&
           cohort_csv_rows(csv, 99, (void *[]){ x, yx }, &rows, &can_go_on) == COHORT_OK &&
           rows == 7,
       "a file with missing values is read into two components");
    for (int i = 0; i < 7; i++)
        is_same = is_same && yx[i][0] == i + 2 && x[i] == (i == 0 ? 1 : -7.5F) &&
                  yx[i][1] == (double)x[i];
    ok(is_same, "and they become what they shall be");
    cohort_csv_close(csv);
}

/* ---- Numbers */

static uint64_t state;

static uint64_t next_number(void) /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double any_double(void)
{
    double x;
    float single;
    uint64_t bits = next_number();
    uint32_t narrow = (uint32_t)bits;
    memcpy(&x, &bits, sizeof x);
    memcpy(&single, &narrow, sizeof single);
    x = next_number() % 2 ? x : (double)single;
    return isfinite(x) ? x : 0.5;
}

static void write_digits(char *text, size_t capacity)
{
    size_t n = 1 + next_number() % 24, used = 0;
    if (next_number() % 2)
        text[used++] = '-';
    size_t point = next_number() % (n + 1);
    for (size_t i = 0; i < n; i++) {
        if (i == point && n > 1)
            text[used++] = '.';
        text[used++] = (char)('0' + next_number() % 10);
    }
    text[used] = '\0';
    if (next_number() % 2)
        (void)snprintf(text + used, capacity - used, "e%d", (int)(next_number() % 100) - 50);
}

/* A number as people and programs write them. */
static void write_number(char *text, size_t capacity)
{
    double small = (double)(int64_t)(next_number() % 2000001 - 1000000) / 1000;
    switch (next_number() % 6) {
    case 0:
        (void)snprintf(text, capacity, "%.9g", any_double());
        break;
    case 1:
        (void)snprintf(text, capacity, "%.17g", any_double());
        break;
    case 2:
        (void)snprintf(text, capacity, "%f", small);
        break;
    case 3:
        (void)snprintf(text, capacity, "%.*f", (int)(next_number() % 12), small);
        break;
    case 4: /* between two floats, or close to that */
        (void)snprintf(text, capacity, "%.*f", (int)(next_number() % 3),
                       (double)((next_number() % 0xffffff) | 0x1000000) * 2 + 1);
        break;
    default:
        write_digits(text, capacity);
    }
}

/* Two columns of the same numbers: plain, and in quotes, which takes the other way through the
 * reader. */
static bool is_as_c_library(cohort_csv *csv, char texts[][400], int n, cohort_dtype dtype,
                            char *bad)
{
    bool is_same = true, can_go_on;
    for (int i = 0; i < n && is_same; i++) {
        int64_t rows;
        char found[2][8], wanted[8];
        float single = strtof(texts[i], NULL);
        double wide = strtod(texts[i], NULL);
        size_t bytes = (size_t)cohort_dtype_bytes(dtype);
        bool is_finite = dtype == COHORT_F32 ? isfinite(single) : isfinite(wide);
        memcpy(wanted, dtype == COHORT_F32 ? (void *)&single : (void *)&wide, bytes);
        for (int k = 0; k < 2 && is_same; k++) {
            cohort_status status =
                cohort_csv_rows(csv, 1, (void *[]){ found[k] }, &rows, &can_go_on);
            is_same = is_finite
                          ? status == COHORT_OK && rows == 1 && memcmp(found[k], wanted, bytes) == 0
                          : status == COHORT_EINVAL && can_go_on;
        }
        if (!is_same)
            memcpy(bad, texts[i], sizeof texts[i]);
    }
    return is_same;
}

static void test_numbers(void)
{
    enum { BATCH = 1000, BATCHES = 200 };
    static char texts[BATCH][400], bad[400];
    const char *seed = getenv("SEED");
    state = seed != NULL ? strtoull(seed, NULL, 0) : 20240229;
    diag("SEED=%" PRIu64, state);
    int good[2] = { 0 };
    for (int batch = 0; batch < BATCHES; batch++) {
        FILE *file = fopen(path, "wb");
        for (int i = 0; i < BATCH && file != NULL; i++) {
            write_number(texts[i], sizeof texts[i]);
            (void)fprintf(file, "%s\n\"%s\"\n", texts[i], texts[i]);
        }
        if (file == NULL || fclose(file) != 0)
            abort();
        for (int k = 0; k < 2; k++) {
            cohort_csv *csv = open_as("0", k == 0 ? COHORT_F32 : COHORT_F64);
            good[k] += csv != NULL &&
                       is_as_c_library(csv, texts, BATCH, k == 0 ? COHORT_F32 : COHORT_F64, bad);
            cohort_csv_close(csv);
        }
    }
    ok(good[0] == BATCHES, "%d random numbers are what strtof makes of them", BATCH * BATCHES);
    ok(good[1] == BATCHES, "and what strtod makes of them");
    if (bad[0] != '\0')
        diag("not so: %s", bad);
}

/* One number of each integer type's ends, with signs, zeros and spaces. */
static void test_integers(void)
{
    const struct {
        const char *text;
        cohort_dtype dtype;
        uint64_t wanted;
    } integers[] = {
        { "255", COHORT_U8, 255 },
        { "+7", COHORT_U8, 7 },
        { "-0", COHORT_U8, 0 },
        { "000000000000000000000000000012", COHORT_U8, 12 },
        { "-128", COHORT_I8, 0x80 },
        { "127", COHORT_I8, 127 },
        { "-32768", COHORT_I16, 0x8000 },
        { "65535", COHORT_U16, 65535 },
        { "-2147483648", COHORT_I32, 0x80000000u },
        { "4294967295", COHORT_U32, 4294967295u },
        { "-9223372036854775808", COHORT_I64, (uint64_t)1 << 63 },
        { "9223372036854775807", COHORT_I64, INT64_MAX },
        { "18446744073709551615", COHORT_U64, UINT64_MAX },
        { " 12345678 ", COHORT_I32, 12345678 },
        { "1234567", COHORT_U32, 1234567 },
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char text[128], token[32];
        int64_t rows;
        (void)snprintf(text, sizeof text, "%s\n\"%s\"\n%s", integers[i].text, integers[i].text,
                       integers[i].text);
        (void)snprintf(token, sizeof token, "%" PRIu64, integers[i].wanted);
        write_text(text);
        cohort_csv *csv = open_as("0", integers[i].dtype);
        bool is_same = csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && rows == 3;
        for (int k = 0; k < 3; k++)
            is_same = is_same &&
                      is_same_number(integers[i].dtype,
                                     data.bytes + k * cohort_dtype_bytes(integers[i].dtype), token);
        ok(is_same, "'%s' as %s", integers[i].text, cohort_dtype_name(integers[i].dtype));
        cohort_csv_close(csv);
    }
}

static void test_infinities(void)
{
    int64_t rows;
    write_text("1\ninf\n-INF\n+Infinity\n");
    cohort_csv *csv = open_as("0", COHORT_F32);
    ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && rows == 4 && isinf(data.f32[1]) &&
           data.f32[1] > 0 && isinf(data.f32[2]) && data.f32[2] < 0 && isinf(data.f32[3]),
       "infinities are numbers");
    cohort_csv_close(csv);
}

/* ---- Rows and windows */

/* Rows longer than the window that files are read through, with quotes around line ends. */
static void test_long_rows(void)
{
    enum { LONG = 700000 };
    int64_t rows, skipped;
    cohort_csv_component ends = { "0,2", COHORT_I64 };
    cohort_csv_options options = { .components = &ends,
                                   .n_components = 1,
                                   .header = COHORT_CSV_HEADER_NONE };
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < 6 && file != NULL; i++) {
        (void)fprintf(file, "%d,\"\"\"", i);
        for (int k = 0; k < LONG; k++)
            (void)fputc(k % 100 == 0 ? '\n' : 'x', file);
        (void)fprintf(file, "\"\"\",%d%s", 10 * i, i < 5 ? "\n" : "");
    }
    if (file == NULL || fclose(file) != 0)
        abort();
    cohort_csv *csv = open_with(&options);
    ok(csv != NULL && read_rows(csv, 99, &rows) == COHORT_OK && rows == 6,
       "long rows of many lines are read");
    bool is_same = true;
    for (int i = 0; i < 6; i++)
        is_same = is_same && data.i64[2 * i] == i && data.i64[2 * i + 1] == 10 * i;
    ok(is_same, "and have what is at both ends of them");
    cohort_csv_close(csv);
    csv = open_with(&options);
    ok(csv != NULL && cohort_csv_skip(csv, 4, &skipped) == COHORT_OK && skipped == 4 &&
           read_rows(csv, 99, &rows) == COHORT_OK && rows == 2 && data.i64[0] == 4,
       "and can be passed over");
    ok(cohort_csv_skip(csv, 4, &skipped) == COHORT_OK && skipped == 0, "nothing is behind them");
    cohort_csv_close(csv);
}

/* Many short rows of every type in turn, over many windows, without a \n at the end. */
static void test_many_rows(void)
{
    enum { ROWS = 40000 };
    static int32_t a[ROWS];
    static float b[ROWS];
    static uint16_t c[ROWS];
    int64_t rows, total = 0;
    bool can_go_on, is_same = true;
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < ROWS && file != NULL; i++)
        (void)fprintf(file, "%stext,%d,%.3f,%d%s", i > 0 ? "\r\n" : "", -i * 7, i / 8.0, i % 65536,
                      i % 999 ? "" : " ");
    if (file == NULL || fclose(file) != 0)
        abort();
    cohort_csv_component parts[] = { { "1", COHORT_I32 },
                                     { "2", COHORT_F32 },
                                     { "3", COHORT_U16 } };
    cohort_csv *csv = open_with(&(cohort_csv_options){
        .components = parts, .n_components = 3, .header = COHORT_CSV_HEADER_NONE });
    for (rows = 1; csv != NULL && rows > 0; total += rows)
        if (cohort_csv_rows(csv, 777 < ROWS - total ? 777 : ROWS - total,
                            (void *[]){ a + total, b + total, c + total }, &rows,
                            &can_go_on) != COHORT_OK)
            break;
    for (int i = 0; i < ROWS && is_same; i++)
        is_same = a[i] == -i * 7 && b[i] == (float)(i / 8.0) && c[i] == i % 65536;
    ok(total == ROWS && is_same, "%d rows of three types", ROWS);
    ok(cohort_csv_schema_of(csv)->n_parts == 3 && spec_of(csv, 2).dtype == COHORT_U16,
       "are three components");
    cohort_csv_close(csv);
}

/* The C library's numbers have a comma here; ours have not. */
static void test_locale(void)
{
    const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE" };
    const char *found = NULL;
    int64_t rows;
    for (size_t i = 0; i < sizeof names / sizeof *names && found == NULL; i++)
        found = setlocale(LC_NUMERIC, names[i]);
    write_text("1.5;2.00000000000000000000000001\n");
    cohort_csv *csv = open_with(NULL);
    ok(csv != NULL && read_rows(csv, 9, &rows) == COHORT_OK && data.f32[0] == 1.5F &&
           data.f32[1] == 2,
       "a point is a point in the locale %s", found != NULL ? found : "C, the only one here");
    cohort_csv_close(csv);
    (void)setlocale(LC_NUMERIC, "C");
}

/* ---- Files that break */

static bool does_no_harm(void)
{
    cohort_csv_options options = { .has_missing = true };
    int64_t rows = 1;
    cohort_csv *csv = open_with(&options);
    bool is_good = csv != NULL || cohort_error_text()[0] != '\0';
    for (int calls = 0; csv != NULL && calls < 100; calls++)
        if (read_rows(csv, 50, &rows) >= 0 && rows < 50)
            break;
    cohort_csv_close(csv);
    return is_good;
}

static void test_cut_and_flipped(void)
{
    static unsigned char bytes[MOST_BYTES];
    const char *const files[] = { "mixed-all.csv", "u8.csv", "packed.csv.gz" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t count = read_file(data_file("rows", files[i]), bytes), good = 0;
        for (size_t cut = 0; cut < count; cut++) {
            write_file(bytes, cut);
            good += does_no_harm();
        }
        ok(count > 0 && good == count, "%s does no harm, cut at each of its %d bytes", files[i],
           (int)count);
        good = 0;
        for (size_t bit = 0; bit < 8 * count; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            write_file(bytes, count);
            good += does_no_harm();
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        ok(good == 8 * count, "nor with each of its bits flipped");
    }
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int files = descriptors();
    if (!make_folder())
        return skip_all("no folder can be made here");
    test_bad_options();
    test_not_regular();
    test_bad_selections();
    test_left_out();
    test_bad_fields();
    test_long_numbers();
    test_going_on();
    test_limits();
    test_shrinks();
    test_cases();
    test_names();
    test_headers();
    test_doubtful_header();
    test_spellings();
    test_whole_numbers();
    test_spaces();
    test_ends();
    test_returns();
    test_missing();
    test_numbers();
    test_integers();
    test_infinities();
    test_long_rows();
    test_many_rows();
    test_locale();
    test_cut_and_flipped();
    nothing_is_left(blocks, files);
    return tap_done();
}
