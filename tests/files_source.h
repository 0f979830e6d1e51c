/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of sources of files share: a folder of small files, one of each format, and what a
 * dataset gives. */
#ifndef COHORT_TESTS_FILES_SOURCE_H
#define COHORT_TESTS_FILES_SOURCE_H

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/format/crc.h"

#include <cohort/files.h>
#include <cohort/npy.h>

#include "tests/entries.h"
#include "tests/tap.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 16, MOST_TEXT = 2048 };

static char scratch[] = "source-XXXXXX";

/* A name in the folder; one of a few that are lent in turn. */
static inline const char *scratch_name(const char *name)
{
    static char texts[8][256];
    static int turn;
    char *text = texts[turn++ % 8];
    (void)snprintf(text, sizeof texts[0], "%s/%s", scratch, name);
    return text;
}

static inline void scratch_write(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(scratch_name(name), "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

static inline size_t scratch_read(const char *name, void *bytes)
{
    FILE *file = fopen(scratch_name(name), "rb");
    size_t count = file != NULL ? fread(bytes, 1, MOST_BYTES, file) : 0;
    if (file == NULL || fclose(file) != 0)
        abort();
    return count;
}

static inline void scratch_remove(const char *name)
{
    (void)unlink(scratch_name(name));
}

/* ---- Bytes of files */

typedef struct made {
    uint8_t bytes[MOST_BYTES];
    size_t n;
} made;

static inline void put(made *m, const void *bytes, size_t n)
{
    if (n > sizeof m->bytes - m->n)
        abort();
    if (n > 0)
        memcpy(m->bytes + m->n, bytes, n);
    m->n += n;
}

static inline void put_number(made *m, uint64_t number, int bytes, bool is_big)
{
    for (int i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(number >> 8 * (is_big ? bytes - 1 - i : i));
        put(m, &byte, 1);
    }
}

static inline void put_record(made *m, const void *data, size_t n)
{
    uint32_t crc;
    size_t at = m->n;
    put_number(m, n, 8, false);
    crc = cohort_crc32c(0, m->bytes + at, 8);
    put_number(m, (crc >> 15 | crc << 17) + 0xa282ead8u, 4, false);
    put(m, data, n);
    crc = cohort_crc32c(0, data, n);
    put_number(m, (crc >> 15 | crc << 17) + 0xa282ead8u, 4, false);
}

/* Example { features { feature { key: 'x' value { float_list { value: packed } } } } }; below 128
 * bytes */
static inline void put_example(made *m, const float floats[], int n)
{
    uint8_t text[128];
    uint8_t bytes = (uint8_t)(4 * n), list = (uint8_t)(2 + bytes), value = (uint8_t)(2 + list);
    uint8_t entry = (uint8_t)(3 + 2 + value), features = (uint8_t)(2 + entry);
    const uint8_t start[] = { 10, features, 10, entry, 10, 1, 'x', 18, value, 18, list, 10, bytes };
    memcpy(text, start, sizeof start);
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &floats[i], 4);
        for (int b = 0; b < 4; b++)
            text[sizeof start + (size_t)(4 * i + b)] = (uint8_t)(bits >> 8 * b);
    }
    put_record(m, text, sizeof start + bytes);
}

/* A gzip file whose one deflate block is stored. */
static inline void put_gzip(made *m, const made *plain)
{
    static const uint8_t head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1 };
    put(m, head, sizeof head);
    put_number(m, plain->n, 2, false);
    put_number(m, ~plain->n, 2, false);
    put(m, plain->bytes, plain->n);
    put_number(m, cohort_crc32(0, plain->bytes, plain->n), 4, false);
    put_number(m, plain->n, 4, false);
}

/* A zip file of stored members, each one of the files of the folder. */
static inline void put_zip(made *m, const char *const names[], const char *const files[], int n)
{
    static uint8_t data[MOST_BYTES];
    static made directory;
    directory.n = 0;
    for (int i = 0; i < n; i++) {
        size_t bytes = scratch_read(files[i], data), name = strlen(names[i]), at = m->n;
        for (int central = 0; central < 2; central++) {
            made *to = central ? &directory : m;
            put(to, central ? "PK\1\2\24\0\24\0\0\0\0\0\0\0\0\0" : "PK\3\4\24\0\0\0\0\0\0\0\0\0",
                central ? 16 : 14);
            put_number(to, cohort_crc32(0, data, bytes), 4, false);
            put_number(to, bytes, 4, false);
            put_number(to, bytes, 4, false);
            put_number(to, name, 2, false);
            put_number(to, 0, 2, false);
            if (central) {
                put(to, "\0\0\0\0\0\0\0\0\0", 10);
                put_number(to, at, 4, false);
            }
            put(to, names[i], name);
        }
        put(m, data, bytes);
    }
    size_t at = m->n;
    put(m, directory.bytes, directory.n);
    put(m, "PK\5\6\0\0\0\0", 8);
    put_number(m, (uint64_t)n, 2, false);
    put_number(m, (uint64_t)n, 2, false);
    put_number(m, directory.n, 4, false);
    put_number(m, at, 4, false);
    put_number(m, 0, 2, false);
}

/* ---- One file of each format: `rows` rows, which are numbered from `first` on */

enum { COLUMNS = 3 };

static inline void write_npy(const char *name, int first, int rows)
{
    float numbers[64][COLUMNS];
    for (int i = 0; i < rows * COLUMNS; i++)
        numbers[i / COLUMNS][i % COLUMNS] = (float)(first * COLUMNS + i);
    if (cohort_npy_save(scratch_name(name), COHORT_ARRAY(&numbers[0][0], rows, COLUMNS)) !=
        COHORT_OK)
        abort();
}

static inline void write_labels(const char *name, int first, int rows)
{
    int16_t numbers[64];
    for (int i = 0; i < rows; i++)
        numbers[i] = (int16_t)(first + i);
    if (cohort_npy_save(scratch_name(name), COHORT_ARRAY(numbers, rows)) != COHORT_OK)
        abort();
}

static inline void write_npz(const char *name, int first, int rows)
{
    static made m;
    m.n = 0;
    write_npy("part-x", first, rows);
    write_labels("part-y", first, rows);
    put_zip(&m, (const char *const[]){ "x.npy", "y.npy" },
            (const char *const[]){ "part-x", "part-y" }, 2);
    scratch_write(name, m.bytes, m.n);
    scratch_remove("part-x");
    scratch_remove("part-y");
}

/* What write_npy writes, column by column, as pandas does. */
static inline void make_turned(made *m, int first, int rows)
{
    char text[128];
    int length =
        snprintf(text, sizeof text,
                 "{'descr': '<f4', 'fortran_order': True, 'shape': (%d, %d), }\n", rows, COLUMNS);
    m->n = 0;
    put(m, "\x93NUMPY\1\0", 8);
    put_number(m, (uint64_t)length, 2, false);
    put(m, text, (size_t)length);
    for (int j = 0; j < COLUMNS; j++)
        for (int i = first; i < first + rows; i++) {
            float number = (float)(i * COLUMNS + j);
            uint32_t bits;
            memcpy(&bits, &number, sizeof bits);
            put_number(m, bits, 4, false);
        }
}

/* Beside labels, whose order is that of the rows. */
static inline void write_turned_npz(const char *name, int first, int rows)
{
    static made m;
    make_turned(&m, first, rows);
    scratch_write("part-x", m.bytes, m.n);
    write_labels("part-y", first, rows);
    m.n = 0;
    put_zip(&m, (const char *const[]){ "x.npy", "y.npy" },
            (const char *const[]){ "part-x", "part-y" }, 2);
    scratch_write(name, m.bytes, m.n);
    scratch_remove("part-x");
    scratch_remove("part-y");
}

static inline void make_idx(made *m, int first, int rows)
{
    m->n = 0;
    put(m, "\0\0\x0b\2", 4);
    put_number(m, (uint64_t)rows, 4, true);
    put_number(m, COLUMNS, 4, true);
    for (int i = 0; i < rows * COLUMNS; i++)
        put_number(m, (uint64_t)(first * COLUMNS + i), 2, true);
}

static inline void make_csv(made *m, int first, int rows)
{
    char text[64];
    m->n = 0;
    put(m, "a,b,c\n", 6);
    for (int i = first; i < first + rows; i++)
        put(m, text, (size_t)snprintf(text, sizeof text, "%d,%d,%d.5\n", i, -i, i));
}

static inline void make_text(made *m, int first, int rows)
{
    char text[64];
    m->n = 0;
    for (int i = first; i < first + rows; i++)
        put(m, text, (size_t)snprintf(text, sizeof text, "line %d%.*s\n", i, i % 4, "..."));
}

/* Two bytes before, five of each record, one behind. */
static inline void make_records(made *m, int first, int rows)
{
    char text[64];
    m->n = 0;
    put(m, "<<", 2);
    for (int i = first; i < first + rows; i++) {
        (void)snprintf(text, sizeof text, "%05d", i);
        put(m, text, 5);
    }
    put(m, ">", 1);
}

static inline void make_tfrecord(made *m, int first, int rows)
{
    char text[64];
    m->n = 0;
    for (int i = first; i < first + rows; i++)
        put_record(m, text, (size_t)snprintf(text, sizeof text, "%.*s%d", i % 3, "##", i));
}

static inline void make_examples(made *m, int first, int rows)
{
    float numbers[COLUMNS];
    m->n = 0;
    for (int i = first; i < first + rows; i++) {
        for (int j = 0; j < COLUMNS; j++)
            numbers[j] = (float)(i * COLUMNS + j);
        put_example(m, numbers, COLUMNS);
    }
}

/* ---- One dataset of each format */

static inline cohort_dataset *read_npz(const char *const files[], int n)
{
    return cohort_dataset_npz(files, n, NULL, 0);
}

static inline cohort_dataset *read_csv(const char *const files[], int n)
{
    return cohort_dataset_csv(files, n, NULL);
}

static inline cohort_dataset *read_records(const char *const files[], int n)
{
    return cohort_dataset_records(files, n, 5, 2, 1);
}

static inline cohort_dataset *read_tfrecord(const char *const files[], int n)
{
    return cohort_dataset_tfrecord(files, n, NULL);
}

static inline cohort_dataset *read_features(const char *const files[], int n, int64_t extent)
{
    cohort_feature x = { .name = "x", .dtype = COHORT_F32, .rank = 1, .shape = { extent } };
    return cohort_dataset_tfrecord(files, n,
                                   &(cohort_tfrecord_options){ .features = &x, .n_features = 1 });
}

static inline cohort_dataset *read_examples(const char *const files[], int n)
{
    return read_features(files, n, COLUMNS);
}

static inline cohort_dataset *read_open_examples(const char *const files[], int n)
{
    return read_features(files, n, -1);
}

typedef struct format {
    const char *name;
    cohort_dataset *(*read)(const char *const files[], int n);
    void (*write)(const char *name, int first, int rows);
    void (*make)(made *m, int first, int rows); /* where write is NULL */
    bool is_packed, is_counted, is_indexed, is_known;
} format;

static const format formats[] = {
    { "npy", cohort_dataset_npy, write_npy, NULL, false, true, true, true },
    { "npz", read_npz, write_npz, NULL, false, true, true, true },
    { "idx", cohort_dataset_idx, NULL, make_idx, false, true, true, true },
    { "idx.gz", cohort_dataset_idx, NULL, make_idx, true, true, false, true },
    { "csv", read_csv, NULL, make_csv, false, false, false, true },
    { "csv.gz", read_csv, NULL, make_csv, true, false, false, true },
    { "text", cohort_dataset_text, NULL, make_text, false, false, false, false },
    { "text.gz", cohort_dataset_text, NULL, make_text, true, false, false, false },
    { "records", read_records, NULL, make_records, false, true, true, true },
    { "records.gz", read_records, NULL, make_records, true, false, false, true },
    { "tfrecord", read_tfrecord, NULL, make_tfrecord, false, false, false, false },
    { "tfrecord.gz", read_tfrecord, NULL, make_tfrecord, true, false, false, false },
    { "tf.Example", read_examples, NULL, make_examples, false, false, false, true },
    { "tf.Example of any extent", read_open_examples, NULL, make_examples, false, false, false,
      false },
    { "npy in Fortran order", cohort_dataset_npy, NULL, make_turned, false, true, true, true },
    { "npz in Fortran order", read_npz, write_turned_npz, NULL, false, true, true, true },
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

/* A file of this format in the folder. */
static inline void write_format(const format *f, const char *name, int first, int rows)
{
    static made plain, packed;
    if (f->write != NULL) {
        f->write(name, first, rows);
        return;
    }
    f->make(&plain, first, rows);
    packed.n = 0;
    if (f->is_packed)
        put_gzip(&packed, &plain);
    scratch_write(name, f->is_packed ? packed.bytes : plain.bytes,
                  f->is_packed ? packed.n : plain.n);
}

/* Without zlib packed files are refused: then there is nothing to test in them. */
static inline bool is_readable(const format *f)
{
    if (!f->is_packed)
        return true;
    write_format(f, "probe", 0, 1);
    cohort_dataset *d = f->read((const char *const[]){ scratch_name("probe") }, 1);
    bool is = d != NULL || strstr(cohort_error_text(), "zlib") == NULL;
    cohort_dataset_destroy(d);
    scratch_remove("probe");
    return is;
}

/* ---- What a dataset gives: every element's extents and bytes, one behind the other */

typedef struct given {
    made all;
    size_t starts[256]; /* of elements */
    int n, refused;     /* elements; errors after which it went on */
    cohort_status status;
    char text[MOST_TEXT]; /* of the first error */
} given;

static inline void give(given *g, const cohort_element *element)
{
    if (g->n == 256)
        abort();
    g->starts[g->n++] = g->all.n;
    for (int32_t k = 0; k < element->n; k++) {
        const cohort_array *part = &element->parts[k];
        put(&g->all, &part->dtype, sizeof part->dtype);
        put(&g->all, part->shape, (size_t)part->rank * sizeof *part->shape);
        put(&g->all, part->data, cohort_part_bytes(part));
    }
}

/* From a cursor to its end, on where that is possible. */
static inline void gather_cursor(cohort_cursor *cursor, given *g)
{
    cohort_element element;
    g->all.n = 0;
    g->n = g->refused = 0;
    g->text[0] = '\0';
    for (;;) {
        g->status = cohort_cursor_next(cursor, &element);
        if (g->status == COHORT_OK)
            give(g, &element);
        else if (g->status < 0 && g->text[0] == '\0')
            (void)snprintf(g->text, sizeof g->text, "%s", cohort_error_text());
        if (g->status == COHORT_END ||
            (g->status < 0 && (!cursor->can_go_on || g->refused++ > 1000)))
            return;
    }
}

static inline cohort_cursor *open_cursor(const cohort_dataset *dataset)
{
    cohort_cursor *cursor = NULL;
    if (cohort_cursor_open(dataset, &(cohort_opening){ 0 }, &cursor) < 0)
        abort();
    return cursor;
}

static inline void gather(const cohort_dataset *dataset, given *g)
{
    cohort_cursor *cursor = open_cursor(dataset);
    gather_cursor(cursor, g);
    cohort_cursor_close(cursor);
}

/* Elements of `part` are those of `whole` from number `first` on, to its end. */
static inline bool is_tail(const given *part, const given *whole, int first)
{
    size_t at = first < whole->n ? whole->starts[first] : whole->all.n;
    return part->n == whole->n - first && part->all.n == whole->all.n - at &&
           memcmp(part->all.bytes, whole->all.bytes + at, part->all.n) == 0;
}

static inline bool is_same(const given *a, const given *b)
{
    return is_tail(a, b, 0);
}

static inline bool begin_scratch(void)
{
    return mkdtemp(scratch) != NULL;
}

static inline void end_scratch(int64_t blocks, int descriptors)
{
    ok(rmdir(scratch) == 0, "no file is left behind");
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    ok(count_entries("/proc/self/fd") == descriptors, "no descriptor either");
}

#endif
