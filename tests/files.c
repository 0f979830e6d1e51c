/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of files: what is refused when they are made, lists and patterns, and every way to read
 * them. */
#include "config.h"

#include "tests/files_source.h"

#include <cohort/dataset.h>

#include <locale.h>

enum { ROWS = 7, MORE_ROWS = 4, ALL_ROWS = ROWS + MORE_ROWS };

static given whole, part;

/* ---- Bad input */

static cohort_dataset *read_names(const char *const files[], int n)
{
    return cohort_dataset_list_files(files, n);
}

static bool is_refused(cohort_dataset *d)
{
    bool is = d == NULL && cohort_error_text()[0] != '\0';
    cohort_dataset_destroy(d);
    return is;
}

static void test_bad_lists(const char *name, cohort_dataset *(*read)(const char *const[], int))
{
    static char long_name[8192];
    memset(long_name, 'x', sizeof long_name - 1);
    ok(is_refused(read(NULL, 1)), "%s: NULL as a list is refused", name);
    has_text(cohort_error_text(), "0 files", "and counted as none");
    ok(is_refused(read((const char *const[]){ "x" }, 0)), "%s: an empty list is refused", name);
    ok(is_refused(read((const char *const[]){ "x" }, -3)), "%s: a negative number too", name);
    ok(is_refused(read((const char *const[]){ NULL }, 1)), "%s: NULL as a name is refused", name);
    has_text(cohort_error_text(), "file 0 is NULL", "by its number");
    ok(is_refused(read((const char *const[]){ "" }, 1)), "%s: an empty name is refused", name);
    ok(is_refused(read((const char *const[]){ long_name }, 1)),
       "%s: a name that is too long is refused", name);
    has_text(cohort_error_text(), "too long", "as such");
    ok(is_refused(read((const char *const[]){ "no/such/file" }, 1)), "%s: a file that is not there",
       name);
    has_text(cohort_error_text(), "no/such/file: No such file", "is named");
    ok(is_refused(read((const char *const[]){ "no/such/*.x" }, 1)), "%s: a pattern without a match",
       name);
    has_text(cohort_error_text(), "no/such/*.x: no file matches", "is named");
}

static void test_not_regular(const format *f)
{
    const char *path = scratch_name("odd");
    ok(mkdir(path, 0700) == 0 && is_refused(f->read(&path, 1)), "%s: a folder is refused", f->name);
    has_text(cohort_error_text(), "a folder", "as such");
    (void)rmdir(path);
    ok(mkfifo(path, 0600) == 0 && is_refused(f->read(&path, 1)),
       "%s: a FIFO is refused, without waiting", f->name);
    (void)unlink(path);
    ok(is_refused(f->read((const char *const[]){ "/dev/zero" }, 1)), "%s: a device is refused",
       f->name);
}

static void test_bad_records(const char *path)
{
    ok(is_refused(cohort_dataset_records(&path, 1, 0, 0, 0)), "records of no bytes are refused");
    ok(is_refused(cohort_dataset_records(&path, 1, -1, 0, 0)), "nor can they be negative");
    ok(is_refused(cohort_dataset_records(&path, 1, 1, -1, 0)), "nor a header");
    ok(is_refused(cohort_dataset_records(&path, 1, 1, 0, -1)), "nor a footer");
    ok(is_refused(cohort_dataset_records(&path, 1, 1, INT64_MAX, INT64_MAX)),
       "both together fit 63 bits");
    ok(is_refused(cohort_dataset_records(&path, 1, INT64_MAX, 1, 0)), "with the record too");
}

static void test_bad_csv(const char *path)
{
    cohort_csv_component x = { .columns = NULL, .dtype = COHORT_F32 };
    static cohort_csv_component many[65];
    cohort_csv_options o = { .components = &x, .n_components = 1 };
    ok(is_refused(cohort_dataset_csv(&path, 1, &o)), "a component without columns is refused");
    has_text(cohort_error_text(), "cohort_dataset_csv", "and the text says by whom");
    x.columns = "a";
    x.dtype = COHORT_C64;
    ok(is_refused(cohort_dataset_csv(&path, 1, &o)), "complex numbers are refused");
    for (int k = 0; k < 65; k++)
        many[k] = (cohort_csv_component){ "a", COHORT_F32 };
    o = (cohort_csv_options){ .components = many, .n_components = 65 };
    ok(is_refused(cohort_dataset_csv(&path, 1, &o)), "65 components are refused");
    o = (cohort_csv_options){ .n_components = 1 };
    ok(is_refused(cohort_dataset_csv(&path, 1, &o)), "one that is nowhere is refused");
    o = (cohort_csv_options){ .reserved = { &o } };
    ok(is_refused(cohort_dataset_csv(&path, 1, &o)), "what is reserved must be zero");
    o = (cohort_csv_options){ .separator = '7' };
    ok(is_refused(cohort_dataset_csv(&path, 1, &o)), "a digit parts no numbers");
}

static const struct {
    cohort_feature feature;
    const char *text;
} bad_features[] = {
    { { .dtype = COHORT_F32 }, "has no name" },
    { { .name = "x", .dtype = COHORT_VOID }, "expected float32" },
    { { .name = "x", .dtype = COHORT_C64 }, "expected float32" },
    { { .name = "x", .dtype = COHORT_F32, .rank = -1 }, "rank -1" },
    { { .name = "x", .dtype = COHORT_F32, .rank = 9 }, "rank 9" },
    { { .name = "x", .dtype = COHORT_F32, .rank = 1, .shape = { -2 } }, "extent -2" },
    { { .name = "x", .dtype = COHORT_F32, .rank = 2, .shape = { -1, -1 } }, "one may be -1" },
    { { .name = "x", .dtype = COHORT_F32, .rank = 2, .shape = { INT64_MAX, 2 } },
      "more than a memory" },
    { { .name = "x", .dtype = COHORT_F32, .rank = 1, .shape = { -1 }, .has_absent = true },
      "has_absent" },
    { { .name = "x", .dtype = COHORT_I32, .has_absent = true, .absent = 0.5 },
      "default of feature 'x'" },
    { { .name = "x", .dtype = COHORT_U8, .has_absent = true, .absent = 256 },
      "default of feature 'x'" },
};

static void test_bad_features(const char *path)
{
    static cohort_feature many[65];
    cohort_tfrecord_options o = { .n_features = 1 };
    ok(is_refused(cohort_dataset_tfrecord(&path, 1, &o)), "a feature at NULL is refused");
    for (size_t i = 0; i < sizeof bad_features / sizeof *bad_features; i++) {
        o.features = &bad_features[i].feature;
        if (ok(is_refused(cohort_dataset_tfrecord(&path, 1, &o)), "feature %d is refused", (int)i))
            has_text(cohort_error_text(), bad_features[i].text, "because of: %s",
                     bad_features[i].text);
    }
    o.features = many;
    for (int k = 0; k < 65; k++)
        many[k] = (cohort_feature){ .name = "x", .dtype = COHORT_F32 };
    o.n_features = 65;
    ok(is_refused(cohort_dataset_tfrecord(&path, 1, &o)), "65 features are refused");
    o.n_features = -1;
    ok(is_refused(cohort_dataset_tfrecord(&path, 1, &o)), "so are fewer than none");
    o = (cohort_tfrecord_options){ .reserved = { &o } };
    ok(is_refused(cohort_dataset_tfrecord(&path, 1, &o)), "what is reserved must be zero");
}

static void test_bad_members(void)
{
    static made m;
    const char *names[65], *files[65];
    char texts[65][32];
    char text[64];
    const char *path = strcpy(text, scratch_name("many.npz"));
    write_npy("x.npy", 0, 2);
    write_npy("y.npy", 0, 3);
    for (int k = 0; k < 65; k++) {
        (void)snprintf(texts[k], sizeof texts[k], "a%d.npy", k);
        names[k] = texts[k];
        files[k] = "x.npy";
    }
    m.n = 0;
    put_zip(&m, names, files, 65);
    scratch_write("many.npz", m.bytes, m.n);
    ok(is_refused(cohort_dataset_npz(&path, 1, NULL, 0)), "all of 65 arrays are refused");
    has_text(cohort_error_text(), "more than 64 arrays", "with how many there can be");
    ok(is_refused(cohort_dataset_npz(&path, 1, names, 65)), "so are 65 names");
    ok(is_refused(cohort_dataset_npz(&path, 1, NULL, 1)), "one name that is nowhere is refused");
    ok(is_refused(cohort_dataset_npz(&path, 1, names, -1)), "so are fewer than none");
    ok(is_refused(cohort_dataset_npz(&path, 1, (const char *const[]){ NULL }, 1)),
       "so is NULL as a name");
    ok(is_refused(cohort_dataset_npz(&path, 1, (const char *const[]){ "b" }, 1)),
       "so is a name that is not there");
    has_text(cohort_error_text(), "it has: a0 a1", "and the text has those that are");
    cohort_dataset *d = cohort_dataset_npz(&path, 1, names, 64);
    ok(d != NULL && cohort_dataset_element_spec(d, NULL, 0) == 64, "64 names make 64 components");
    cohort_dataset_destroy(d);
    m.n = 0;
    put_zip(&m, (const char *const[]){ "x.npy", "y.npy" },
            (const char *const[]){ "x.npy", "y.npy" }, 2);
    scratch_write("many.npz", m.bytes, m.n);
    ok(is_refused(cohort_dataset_npz(&path, 1, NULL, 0)),
       "arrays with different numbers of rows are refused");
    has_text(cohort_error_text(), "'y' has 3 rows, and 'x' has 2", "with both numbers");
    m.n = 0;
    put_zip(&m, (const char *const[]){ "x.txt" }, (const char *const[]){ "x.npy" }, 1);
    scratch_write("many.npz", m.bytes, m.n);
    ok(is_refused(cohort_dataset_npz(&path, 1, NULL, 0)), "a file without an array is refused");
    scratch_remove("many.npz");
    scratch_remove("x.npy");
    scratch_remove("y.npy");
}

/* ---- Lists */

static bool are_names(const cohort_dataset *d, const char *const names[], int n)
{
    gather(d, &whole);
    bool are = whole.n == n;
    for (int i = 0; are && i < n; i++) {
        const char *wanted = scratch_name(names[i]);
        int64_t bytes = (int64_t)strlen(wanted);
        const uint8_t *at = whole.all.bytes + whole.starts[i] + sizeof(cohort_dtype);
        are = memcmp(at, &bytes, sizeof bytes) == 0 &&
              memcmp(at + sizeof bytes, wanted, (size_t)bytes) == 0;
    }
    return are;
}

static void lists(const char *const patterns[], int n, const char *const names[], int n_names,
                  const char *claim)
{
    const char *files[4];
    for (int i = 0; i < n; i++)
        files[i] = scratch_name(patterns[i]);
    cohort_dataset *d = cohort_dataset_list_files(files, n);
    ok(d != NULL && are_names(d, names, n_names) && cohort_dataset_cardinality(d) == n_names, "%s",
       claim);
    cohort_dataset_destroy(d);
}
#define NAMES(...)                                                                                 \
    (const char *const[]){ __VA_ARGS__ },                                                          \
        (int)(sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void test_lists(void)
{
    static const char *const names[] = { "B.txt",  "_c.txt",   "a.txt", "\303\244e.txt",
                                         ".d.txt", "x[1].txt", "x1.txt" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        scratch_write(names[i], "x", 1);
    (void)setlocale(LC_ALL, "");
    lists(NAMES("?.txt", "_?.txt"), NAMES("B.txt", "a.txt", "_c.txt"),
          "matches stand where their pattern stands");
    lists(NAMES("[B_a]*.txt"), NAMES("B.txt", "_c.txt", "a.txt"),
          "in byte order of their names, whatever the locale");
    lists(NAMES("x[1].txt"), NAMES("x[1].txt"),
          "a file whose very name it is comes before the pattern");
    lists(NAMES("x[1]*"), NAMES("x1.txt"), "a pattern without such a file is a pattern");
    lists(NAMES("*c.txt", "_c.txt"), NAMES("_c.txt", "_c.txt"), "the same file may be there twice");
    lists(NAMES("*.txt"), NAMES("B.txt", "_c.txt", "a.txt", "x1.txt", "x[1].txt", "\303\244e.txt"),
          "all that there are, but hidden ones");
    (void)setlocale(LC_ALL, "C");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        scratch_remove(names[i]);
}

static void test_longest_list(void)
{
    enum { MOST = 1 << 20 };
    const char **names = malloc((MOST + 1) * sizeof *names);
    if (names == NULL)
        abort();
    for (int i = 0; i <= MOST; i++)
        names[i] = "/";
    cohort_dataset *d = cohort_dataset_list_files(names, MOST);
    ok(d != NULL && cohort_dataset_cardinality(d) == MOST, "a list of %d files", MOST);
    cohort_dataset_destroy(d);
    ok(is_refused(cohort_dataset_list_files(names, MOST + 1)), "one more is refused");
    has_text(cohort_error_text(), "more than 1048576 files", "with how many there can be");
    free(names);
}

/* ---- Every way to read: two files of each format */

static bool are_rows_copied(const cohort_dataset *d, int64_t at_a_time)
{
    uint8_t memory[2][MOST_TEXT];
    size_t bytes[2] = { 0, 0 };
    cohort_cursor *c = open_cursor(d);
    cohort_status status = COHORT_OK;
    int64_t got = at_a_time;
    part.all.n = 0;
    part.n = 0;
    for (int k = 0; k < d->n_components; k++)
        (void)cohort_spec_bytes(&d->specs[k], &bytes[k]);
    while (status == COHORT_OK && got == at_a_time) {
        status = cohort_cursor_copy(c, at_a_time, (void *const[]){ memory[0], memory[1] }, &got);
        for (int64_t i = 0; i < got; i++) {
            cohort_array parts[2];
            for (int k = 0; k < d->n_components; k++) {
                parts[k] = (cohort_array){ .dtype = d->specs[k].dtype, .rank = d->specs[k].rank };
                memcpy(parts[k].shape, d->specs[k].shape, sizeof parts[k].shape);
                parts[k].data = memory[k] + (size_t)i * bytes[k];
            }
            give(&part, &(cohort_element){ .parts = parts, .n = d->n_components });
        }
    }
    cohort_cursor_close(c);
    return status == COHORT_OK && is_same(&part, &whole);
}

static bool is_skipped(const cohort_dataset *d, int before, int over)
{
    cohort_element element;
    int64_t passed = 0;
    cohort_cursor *c = open_cursor(d);
    bool is = true;
    for (int i = 0; i < before && is; i++)
        is = cohort_cursor_next(c, &element) == COHORT_OK;
    is = is && cohort_cursor_skip(c, over, &passed) == COHORT_OK;
    int left = whole.n - before;
    is = is && passed == (over < left ? over : left);
    gather_cursor(c, &part);
    cohort_cursor_close(c);
    return is && part.status == COHORT_END && is_tail(&part, &whole, before + (int)passed);
}

static bool is_at(const cohort_dataset *d)
{
    cohort_element element;
    cohort_cursor *c = open_cursor(d);
    bool is = true;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < whole.n && is; i++) {
            int index = (i * 5 + turn) % whole.n;
            part.all.n = 0;
            part.n = 0;
            is = cohort_cursor_at(c, index, &element) == COHORT_OK;
            if (is)
                give(&part, &element);
            is = is &&
                 memcmp(part.all.bytes, whole.all.bytes + whole.starts[index], part.all.n) == 0;
        }
    cohort_cursor_close(c);
    return is;
}

/* Shares of the files, one after the other, have all rows; each says how many files it has. */
static void test_shares(const format *f, const cohort_dataset *d)
{
    ok(d->kind->files(d) == 2, "%s: it has 2 files", f->name);
    cohort_dataset *first = d->kind->shard_files(d, 2, 0), *second = d->kind->shard_files(d, 2, 1);
    ok(first != NULL && second != NULL && first->kind->files(first) == 1, "%s: it can be divided",
       f->name);
    ok(d->kind->shard_files(d, 3, 0) == NULL && d->kind->shard_files(d, 2, 2) == NULL &&
           d->kind->shard_files(d, 0, 0) == NULL && d->kind->shard_files(d, 2, -1) == NULL,
       "%s: but not by 3", f->name);
    cohort_dataset *again = second->kind->shard_files(second, 1, 0);
    cohort_dataset_destroy(second);
    gather(again, &part);
    ok(is_tail(&part, &whole, ROWS), "%s: the second share has the rows of the second file",
       f->name);
    if (f->is_counted)
        ok(cohort_dataset_cardinality(again) == MORE_ROWS, "%s: and as many of them", f->name);
    gather(first, &part);
    ok(part.n == ROWS && memcmp(part.all.bytes, whole.all.bytes, part.all.n) == 0,
       "%s: the first those of the first", f->name);
    cohort_dataset_destroy(first);
    cohort_dataset_destroy(again);
}

static void test_format(const format *f)
{
    if (!is_readable(f)) {
        skip(f->name, "this build has no zlib");
        return;
    }
    write_format(f, "a", 0, ROWS);
    write_format(f, "b", ROWS, MORE_ROWS);
    write_format(f, "c", 0, ALL_ROWS);
    cohort_dataset *d = f->read((const char *const[]){ scratch_name("[ab]") }, 1);
    cohort_dataset *one = f->read((const char *const[]){ scratch_name("c") }, 1);
    if (ok(d != NULL && one != NULL, "%s: there is a source of two files, and one of one",
           f->name)) {
        ok(cohort_dataset_cardinality(d) == (f->is_counted ? ALL_ROWS : COHORT_UNKNOWN),
           "%s: its cardinality", f->name);
        ok(d->is_indexed == f->is_indexed, "%s: whether any row can be had at once", f->name);
        gather(one, &whole);
        gather(d, &part);
        ok(whole.n == ALL_ROWS && whole.status == COHORT_END && part.status == COHORT_END &&
               is_same(&part, &whole),
           "%s: rows of both files are those of one with all", f->name);
        bool all = true;
        for (int before = 0; before <= ALL_ROWS; before++)
            for (int over = 0; over <= ALL_ROWS + 1; over++)
                all = is_skipped(d, before, over) && all;
        ok(all, "%s: from wherever and over however many it skips, what follows is the same",
           f->name);
        if (f->is_known)
            ok(are_rows_copied(d, 1) && are_rows_copied(d, 3) && are_rows_copied(d, 100),
               "%s: copied rows are the same, however many at a time", f->name);
        if (f->is_indexed)
            ok(is_at(d), "%s: any row by its number is the same", f->name);
        test_shares(f, d);
    }
    cohort_dataset_destroy(d);
    cohort_dataset_destroy(one);
    scratch_remove("a");
    scratch_remove("b");
    scratch_remove("c");
}

/* ---- What is in them, and what they are called */

static void test_numbers(void)
{
    cohort_array out[2];
    write_npz("x", 5, 3);
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_npz(
        (const char *const[]){ scratch_name("x") }, 1, (const char *const[]){ "y", "x.npy" }, 2));
    bool is =
        cohort_iterator_next(it, out) == COHORT_OK && cohort_iterator_next(it, out) == COHORT_OK;
    ok(is && out[0].rank == 0 && *(int16_t *)out[0].data == 6 && out[1].shape[0] == 3 &&
           ((float *)out[1].data)[2] == 20.0f,
       "members come in the order that was asked for");
    cohort_iterator_destroy(it);
    static made m;
    make_csv(&m, 2, 3);
    scratch_write("x", m.bytes, m.n);
    cohort_csv_component parts[] = { { "c", COHORT_F64 }, { "a,b", COHORT_I8 } };
    cohort_csv_options o = { .components = parts, .n_components = 2 };
    cohort_dataset *d = cohort_dataset_csv((const char *const[]){ scratch_name("x") }, 1, &o);
    parts[0].columns = parts[1].columns = "nothing"; /* they were copied */
    it = cohort_dataset_iterate(cohort_dataset_batch(d, 3, true));
    ok(cohort_iterator_next(it, out) == COHORT_OK && ((double *)out[0].data)[1] == 3.5 &&
           ((int8_t *)out[1].data)[5] == -4 && out[1].rank == 2,
       "columns of a CSV file go where they were asked to");
    cohort_iterator_destroy(it);
    scratch_remove("x");
}

static void test_defaults(void)
{
    static made m;
    const float numbers[] = { 1, 2 };
    char name[] = "x";
    cohort_array out[2];
    m.n = 0;
    put_example(&m, numbers, 2);
    put_example(&m, numbers, 1);
    put_example(&m, numbers, 0);
    scratch_write("x", m.bytes, m.n);
    cohort_feature f[] = { { .name = name, .dtype = COHORT_F64, .rank = 1, .shape = { -1 } },
                           { .name = "y", .dtype = COHORT_I32, .has_absent = true, .absent = -7 } };
    cohort_dataset *d =
        cohort_dataset_tfrecord((const char *const[]){ scratch_name("x") }, 1,
                                &(cohort_tfrecord_options){ .features = f, .n_features = 2 });
    name[0] = '?';
    cohort_iterator *it = cohort_dataset_iterate(d);
    ok(cohort_iterator_next(it, out) == COHORT_OK && out[0].shape[0] == 2 &&
           ((double *)out[0].data)[1] == 2 && *(int32_t *)out[1].data == -7,
       "a feature of any extent, and the default of one that is not there");
    ok(cohort_iterator_next(it, out) == COHORT_OK && out[0].shape[0] == 1,
       "the next has another extent");
    ok(cohort_iterator_next(it, out) == COHORT_OK && out[0].shape[0] == 0 && out[0].data != NULL,
       "or none");
    ok(cohort_iterator_next(it, out) == COHORT_END, "there are no more");
    cohort_iterator_destroy(it);
    scratch_remove("x");
}

static bool describes(cohort_dataset *d, const char *text)
{
    bool is = d != NULL && strcmp(cohort_dataset_describe(d), text) == 0;
    if (!is)
        diag("found %s", cohort_dataset_describe(d));
    cohort_dataset_destroy(d);
    return is;
}

static void test_descriptions(void)
{
    static const char *const names[] = { "a", "b\n", "c", "d" };
    char text[64];
    const char *path = strcpy(text, scratch_name("a"));
    cohort_csv_component parts[] = { { "0", COHORT_U8 }, { "1,2", COHORT_F32 } };
    cohort_csv_options o = { parts, 2, COHORT_CSV_HEADER_FIRST_ROW, ',', true, 0.5, { NULL } };
    cohort_feature x = { "x", COHORT_F32, 1, { 3 }, true, 1 };
    for (int i = 0; i < 4; i++)
        write_format(&formats[0], names[i], 0, 2);
    ok(describes(cohort_dataset_npy(&path, 1), "npy a: float32[3]\n"),
       "a file is called by its own name alone");
    ok(describes(cohort_dataset_npy((const char *const[]){ scratch_name("?*") }, 1),
                 "npy a, b\\x0a, c, ... 4 files: float32[3]\n"),
       "of many the first three are named");
    write_format(&formats[1], "a", 0, 2);
    ok(describes(cohort_dataset_npz(&path, 1, NULL, 0), "npz a, 'x', 'y': float32[3], int16[]\n"),
       "members are named");
    write_format(&formats[4], "a", 0, 2);
    ok(describes(cohort_dataset_csv(&path, 1, &o),
                 "csv a, '0' uint8, '1,2' float32, header in the first row, "
                 "separator 44, missing 0x3fe0000000000000: uint8[], float32[2]\n"),
       "so are columns and how they are read");
    ok(describes(cohort_dataset_records(&path, 1, 1, 3, 2),
                 "records a, 1 bytes, header 3, footer 2: uint8[1]\n"),
       "and the lengths of records");
    ok(describes(
           cohort_dataset_tfrecord(&path, 1, &(cohort_tfrecord_options){ &x, 1, true, { NULL } }),
           "tfrecord a, trust_checksums, 'x' float32[3] absent 1: float32[3]\n"),
       "and features with their defaults");
    for (int i = 0; i < 4; i++)
        scratch_remove(names[i]);
}

/* Over rows that can be had at once a shuffle is a permutation, and few files are open at a
 * time. */
static void test_many_files(void)
{
    enum { FILES = 200 };
    char name[32];
    bool seen[FILES] = { false };
    int n = 0, most = 0, before = count_entries("/proc/self/fd");
    cohort_array out[1];
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(name, sizeof name, "m%03d", i);
        write_labels(name, i, 1);
    }
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_shuffle(
        cohort_dataset_npy((const char *const[]){ scratch_name("m*") }, 1), FILES, 1));
    while (cohort_iterator_next(it, out) == COHORT_OK) {
        int now = count_entries("/proc/self/fd") - before;
        n += !seen[*(int16_t *)out[0].data];
        seen[*(int16_t *)out[0].data] = true;
        most = now > most ? now : most;
    }
    cohort_iterator_destroy(it);
    ok(n == FILES, "all rows of %d files come out of a shuffle", (int)FILES);
    ok(most >= 32 && most <= 64, "with at most 64 of them open, here %d", most);
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(name, sizeof name, "m%03d", i);
        scratch_remove(name);
    }
}

/* More files are not opened before they are read, only to count their rows. */
static void test_counted_files(void)
{
    enum { MOST = 1024 };
    static const char *names[MOST + 1];
    char name[64];
    cohort_element element;
    write_labels("x", 0, 2);
    (void)strcpy(name, scratch_name("x"));
    for (int i = 0; i <= MOST; i++)
        names[i] = name;
    cohort_dataset *d = cohort_dataset_npy(names, MOST);
    ok(d->is_indexed && cohort_dataset_cardinality(d) == 2 * MOST, "rows of %d files are counted",
       (int)MOST);
    cohort_dataset_destroy(d);
    d = cohort_dataset_npy(names, MOST + 1);
    ok(!d->is_indexed && cohort_dataset_cardinality(d) == COHORT_UNKNOWN,
       "those of one more are not");
    cohort_cursor *c = open_cursor(d);
    int64_t n = 0, passed = 0;
    bool is = cohort_cursor_skip(c, 2 * MOST - 5, &passed) == COHORT_OK && passed == 2 * MOST - 5;
    while (cohort_cursor_next(c, &element) == COHORT_OK)
        n++;
    ok(is && n == 7, "but all are read");
    cohort_cursor_close(c);
    cohort_dataset_destroy(d);
    scratch_remove("x");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int descriptors = count_entries("/proc/self/fd");
    if (!begin_scratch())
        return skip_all("no folder can be made here");
    for (int i = 0; i < N_FORMATS; i++) {
        test_bad_lists(formats[i].name, formats[i].read);
        test_not_regular(&formats[i]);
    }
    test_bad_lists("list_files", read_names);
    scratch_write("x", "a,b\n1,2\n", 8);
    test_bad_records(scratch_name("x"));
    test_bad_csv(scratch_name("x"));
    test_bad_features(scratch_name("x"));
    scratch_remove("x");
    test_bad_members();
    test_lists();
    test_longest_list();
    for (int i = 0; i < N_FORMATS; i++)
        test_format(&formats[i]);
    test_numbers();
    test_defaults();
    test_descriptions();
    test_many_files();
    test_counted_files();
    end_scratch(blocks, descriptors);
    return tap_done();
}
