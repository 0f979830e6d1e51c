/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/input: rows from memory and from files in the page cache, beside C written by hand, in
 * turns.
 *
 *   slices    rows of 784 float32 in a shuffled order, in batches of 256 for two replicas; beside a
 *             gather by memcpy
 *   npy       the same rows in order from a .npy file; beside read(2) into the same number of bytes
 *   tfrecord  the same rows as records of raw bytes, both checksums checked; beside a loop that
 *             checks three records at a time, so that the checksums of independent records overlap
 *   csv       784 columns of integers from 0 to 255 as float32; beside a loop over the digits
 *   text      lines of 10 to 110 bytes; beside memchr over what read(2) gives
 *
 * The first two also beside the same loops into three batches in turn, as every input has that
 * fills one while replicas read another: one batch alone stays in a cache, three do not. A time is
 * that of one pass over all the rows. Peers find the files in the folder that BENCH_DATA names.
 * bench/turns.h says how turns go. */
#include "config.h"

#include "bench/rows.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined __x86_64__
#include <nmmintrin.h>
#endif

enum {
    ROWS = 20000,
    COLUMNS = 784,
    BATCH = 256,
    CSV_ROWS = 4000,
    LINES = 400000,
    SEED = 7,
    MOST_BATCHES = 3
};
enum { ROW_BYTES = COLUMNS * 4, RECORD_BYTES = 12 + ROW_BYTES + 4, CHUNK = RECORD_BYTES * 96 };

typedef struct bench {
    cohort_strategy *s;
    cohort_value *values[2];
    float (*x)[COLUMNS];
    int32_t *order;
    char *buffer;   /* CHUNK bytes and MOST_BATCHES batches, what the loops by hand work in */
    float *numbers; /* CSV_ROWS * COLUMNS */
    char folder[256];
    cohort_input *inputs[5];
    volatile int64_t sum; /* so that nothing is left out */
} bench;

enum { SLICES, NPY, TFRECORD, CSV, TEXT };
static const char *const names[] = { "slices", "npy", "tfrecord", "csv", "text" };

static void fail(const char *what)
{
    fprintf(stderr, "input: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void fail_in_cohort(const char *what)
{
    fprintf(stderr, "input: %s: %s\n", what, cohort_error_text());
    exit(1);
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* ------------------------------------------------------------------ checksums by hand */

static uint32_t masked(uint32_t crc)
{
    return ((crc >> 15) | (crc << 17)) + UINT32_C(0xa282ead8);
}

#if defined __x86_64__
__attribute__((target("sse4.2"))) static uint32_t checksum(const char *data, size_t bytes)
{
    uint64_t crc = UINT32_MAX, word;
    for (; bytes >= 8; bytes -= 8, data += 8) {
        memcpy(&word, data, 8);
        crc = _mm_crc32_u64(crc, word);
    }
    for (; bytes > 0; bytes--)
        crc = _mm_crc32_u8((uint32_t)crc, (unsigned char)*data++);
    return ~(uint32_t)crc;
}

/* Of three rows at once. */
__attribute__((target("sse4.2"))) static void checksums(const char *const rows[3], uint32_t out[3])
{
    uint64_t a = UINT32_MAX, b = UINT32_MAX, c = UINT32_MAX, x, y, z;
    for (size_t i = 0; i < ROW_BYTES; i += 8) {
        memcpy(&x, rows[0] + i, 8);
        memcpy(&y, rows[1] + i, 8);
        memcpy(&z, rows[2] + i, 8);
        a = _mm_crc32_u64(a, x);
        b = _mm_crc32_u64(b, y);
        c = _mm_crc32_u64(c, z);
    }
    out[0] = ~(uint32_t)a, out[1] = ~(uint32_t)b, out[2] = ~(uint32_t)c;
}
#else
static uint32_t checksum(const char *data, size_t bytes)
{
    uint32_t crc = UINT32_MAX;
    while (bytes-- > 0) {
        crc ^= (unsigned char)*data++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (UINT32_C(0x82f63b78) & -(crc & 1));
    }
    return ~crc;
}

static void checksums(const char *const rows[3], uint32_t out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = checksum(rows[i], ROW_BYTES);
}
#endif

/* ------------------------------------------------------------------ data */

static const char *path_of(const bench *t, const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", t->folder, name);
    return path;
}

static FILE *create(const bench *t, const char *name)
{
    FILE *file = fopen(path_of(t, name), "wb");
    if (file == NULL)
        fail(name);
    return file;
}

static void finish(FILE *file, const char *name)
{
    if (ferror(file) || fclose(file) != 0)
        fail(name);
}

static void write_records(const bench *t)
{
    FILE *file = create(t, "rows.tfrecord");
    for (int i = 0; i < ROWS; i++) {
        uint64_t length = ROW_BYTES;
        uint32_t length_crc = masked(checksum((const char *)&length, 8));
        uint32_t data_crc = masked(checksum((const char *)t->x[i], ROW_BYTES));
        fwrite(&length, 8, 1, file);
        fwrite(&length_crc, 4, 1, file);
        fwrite(t->x[i], ROW_BYTES, 1, file);
        fwrite(&data_crc, 4, 1, file);
    }
    finish(file, "rows.tfrecord");
}

static void write_csv(const bench *t)
{
    FILE *file = create(t, "rows.csv");
    uint64_t state = SEED;
    for (int i = 0; i < CSV_ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            fprintf(file, "%u%c", next_random(&state) % 256, j + 1 < COLUMNS ? ',' : '\n');
    finish(file, "rows.csv");
}

static void write_text(const bench *t)
{
    static char line[128];
    FILE *file = create(t, "lines.txt");
    uint64_t state = SEED;
    memset(line, 'x', sizeof line);
    for (int i = 0; i < LINES; i++) {
        size_t n = 10 + next_random(&state) % 101;
        fwrite(line, 1, n, file);
        fputc('\n', file);
    }
    finish(file, "lines.txt");
}

static void make_rows(bench *t)
{
    uint64_t state = SEED;
    t->x = malloc(sizeof(float[ROWS][COLUMNS]));
    t->order = malloc(ROWS * sizeof *t->order);
    t->buffer = malloc((size_t)CHUNK + MOST_BATCHES * BATCH * ROW_BYTES);
    t->numbers = malloc((size_t)CSV_ROWS * COLUMNS * sizeof *t->numbers);
    if (t->x == NULL || t->order == NULL || t->buffer == NULL || t->numbers == NULL)
        fail("memory");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            t->x[i][j] = (float)(next_random(&state) % 256) / 255;
    for (int i = 0; i < ROWS; i++)
        t->order[i] = i;
    for (int i = ROWS - 1; i > 0; i--) {
        int j = (int)(next_random(&state) % (uint32_t)(i + 1)), k = t->order[i];
        t->order[i] = t->order[j];
        t->order[j] = k;
    }
}

static void write_rows(const bench *t)
{
    if (cohort_npy_save(path_of(t, "rows.npy"), COHORT_ARRAY(&t->x[0][0], ROWS, COLUMNS)) < 0)
        fail_in_cohort("rows.npy");
}

static void make_all_files(const bench *t)
{
    write_rows(t);
    write_records(t);
    write_csv(t);
    write_text(t);
}

static void remove_files(const bench *t)
{
    static const char *const files[] = { "rows.npy", "rows.tfrecord", "rows.csv", "lines.txt" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)unlink(path_of(t, files[i]));
    (void)rmdir(t->folder);
}

/* ------------------------------------------------------------------ ours */

static cohort_dataset *dataset_of(const bench *t, int which)
{
    cohort_dataset *d = NULL;
    switch (which) {
    case SLICES:
        d = cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&t->x[0][0], ROWS, COLUMNS) });
        return cohort_dataset_batch(cohort_dataset_shuffle(d, ROWS, SEED), BATCH, false);
    case NPY:
        return cohort_dataset_batch(cohort_dataset_npy(COHORT_FILES(path_of(t, "rows.npy"))), BATCH,
                                    false);
    case TFRECORD:
        d = cohort_dataset_tfrecord(COHORT_FILES(path_of(t, "rows.tfrecord")), NULL);
        return cohort_dataset_batch(d, BATCH, false);
    case CSV:
        return cohort_dataset_batch(cohort_dataset_csv(COHORT_FILES(path_of(t, "rows.csv")), NULL),
                                    BATCH, false);
    default:
        d = cohort_dataset_text(COHORT_FILES(path_of(t, "lines.txt")));
        return cohort_dataset_padded_batch(d, BATCH, NULL, NULL, false);
    }
}

static void prepare_input(bench *t, int which)
{
    t->inputs[which] = cohort_make_dataset_iterator(t->s, dataset_of(t, which));
    if (t->inputs[which] == NULL)
        fail_in_cohort(names[which]);
}

/* One pass, two replicas. */
static void pass(bench *t, int which)
{
    cohort_status status = cohort_input_initialize(t->inputs[which]);
    int64_t rows = 0;
    while (status >= 0 && (status = cohort_input_next(t->inputs[which], t->values)) == COHORT_OK)
        rows += cohort_input_rows(t->inputs[which]);
    if (status < 0 || rows != (which == CSV ? CSV_ROWS : which == TEXT ? LINES : ROWS))
        fail_in_cohort(names[which]);
}

static void our_slices(void *t)
{
    pass(t, SLICES);
}

static void our_npy(void *t)
{
    pass(t, NPY);
}

static void our_records(void *t)
{
    pass(t, TFRECORD);
}

static void our_csv(void *t)
{
    pass(t, CSV);
}

static void our_text(void *t)
{
    pass(t, TEXT);
}

/* ------------------------------------------------------------------ by hand */

static char *batch_by_hand(const bench *t, int number)
{
    return t->buffer + CHUNK + (size_t)number * BATCH * ROW_BYTES;
}

static void gather_into(bench *t, int batches)
{
    for (int first = 0, k = 0; first < ROWS; first += BATCH, k = (k + 1) % batches) {
        int n = ROWS - first < BATCH ? ROWS - first : BATCH;
        char *batch = batch_by_hand(t, k);
        for (int i = 0; i < n; i++)
            memcpy(batch + (size_t)i * ROW_BYTES, t->x[t->order[first + i]], ROW_BYTES);
        t->sum += batch[first % 64];
    }
}

static void gather_by_hand(void *t)
{
    gather_into(t, 1);
}

static void gather_in_turn(void *t)
{
    gather_into(t, MOST_BATCHES);
}

static int open_file(const bench *t, const char *name)
{
    int fd = open(path_of(t, name), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail(name);
    return fd;
}

static void read_into(bench *t, int batches)
{
    int fd = open_file(t, "rows.npy"), k = 0;
    for (; read(fd, batch_by_hand(t, k), (size_t)BATCH * ROW_BYTES) > 0; k = (k + 1) % batches)
        t->sum += *batch_by_hand(t, k);
    (void)close(fd);
}

static void read_by_hand(void *t)
{
    read_into(t, 1);
}

static void read_in_turn(void *t)
{
    read_into(t, MOST_BATCHES);
}

static void check_record(const char *record, uint32_t found)
{
    uint32_t length_crc, data_crc;
    memcpy(&length_crc, record + 8, 4);
    memcpy(&data_crc, record + 12 + ROW_BYTES, 4);
    if (length_crc != masked(checksum(record, 8)) || data_crc != masked(found))
        fail("a checksum by hand");
}

static void records_by_hand(void *user)
{
    bench *t = user;
    int fd = open_file(t, "rows.tfrecord"), at = 0;
    for (ssize_t bytes = read(fd, t->buffer, CHUNK); bytes > 0; bytes = read(fd, t->buffer, CHUNK))
        for (ssize_t i = 0; i < bytes / RECORD_BYTES; i += 3) {
            const char *record = t->buffer + i * RECORD_BYTES;
            const char *rows[3] = { record + 12, record + 12, record + 12 };
            uint32_t found[3];
            int n = bytes / RECORD_BYTES - i < 3 ? (int)(bytes / RECORD_BYTES - i) : 3;
            for (int k = 1; k < n; k++)
                rows[k] = rows[0] + (size_t)k * RECORD_BYTES;
            checksums(rows, found);
            for (int k = 0; k < n; k++, at = (at + 1) % BATCH) {
                check_record(rows[k] - 12, found[k]);
                memcpy(t->buffer + CHUNK + (size_t)at * ROW_BYTES, rows[k], ROW_BYTES);
            }
        }
    (void)close(fd);
}

static void csv_by_hand(void *user)
{
    bench *t = user;
    int fd = open_file(t, "rows.csv");
    float *out = t->numbers;
    unsigned number = 0;
    for (ssize_t bytes = read(fd, t->buffer, 1 << 18); bytes > 0;
         bytes = read(fd, t->buffer, 1 << 18))
        for (const char *p = t->buffer, *end = p + bytes; p < end; p++) {
            unsigned digit = (unsigned)*p - '0';
            if (digit < 10) {
                number = 10 * number + digit;
            } else {
                *out++ = (float)number;
                number = 0;
            }
        }
    (void)close(fd);
    if (out != t->numbers + (size_t)CSV_ROWS * COLUMNS)
        fail("numbers by hand");
}

/* Lines padded to the longest of their batch. */
static void text_by_hand(void *user)
{
    bench *t = user;
    int fd = open_file(t, "lines.txt"), in_batch = 0;
    size_t kept = 0, n_lines = 0, longest = 0;
    const char *lines[BATCH];
    size_t lengths[BATCH];
    for (;;) {
        ssize_t bytes = read(fd, t->buffer + kept, (1 << 18) - kept);
        const char *p = t->buffer, *end = p + kept + (bytes > 0 ? bytes : 0), *stop;
        while ((stop = memchr(p, '\n', (size_t)(end - p))) != NULL) {
            lines[in_batch] = p;
            lengths[in_batch] = (size_t)(stop - p);
            longest = lengths[in_batch] > longest ? lengths[in_batch] : longest;
            n_lines++;
            p = stop + 1;
            if (++in_batch < BATCH && memchr(p, '\n', (size_t)(end - p)) != NULL)
                continue;
            memset(t->buffer + CHUNK, 0, longest * BATCH);
            for (int i = 0; i < in_batch; i++)
                memcpy(t->buffer + CHUNK + (size_t)i * longest, lines[i], lengths[i]);
            in_batch = 0, longest = 0;
        }
        kept = (size_t)(end - p);
        memmove(t->buffer, p, kept);
        if (bytes <= 0)
            break;
    }
    (void)close(fd);
    if (n_lines != LINES)
        fail("lines by hand");
}

/* ------------------------------------------------------------------ all */

enum { HANDS = 2 };

/* hands  what stands beside it, the first as limit; the second may be missing
 * goal   of the ratio to the first; 0: none */
typedef struct row {
    int which;
    turns_fn ours;
    struct {
        const char *who;
        turns_fn call;
    } hands[HANDS];
    double goal;
} row;

static const row rows[] = {
    { SLICES,
      our_slices,
      { { "gather by hand", gather_by_hand }, { "gather into three in turn", gather_in_turn } },
      1.2 },
    { NPY,
      our_npy,
      { { "read(2)", read_by_hand }, { "read(2) into three in turn", read_in_turn } },
      1 },
    { TFRECORD, our_records, { { "checksums by hand", records_by_hand } }, 1 / 0.7 },
    { CSV, our_csv, { { "digits by hand", csv_by_hand } }, 1 / 0.7 },
    { TEXT, our_text, { { "memchr by hand", text_by_hand } }, 0 },
};

static void compare(bench *t, const row *r)
{
    turns_side sides[1 + HANDS];
    int n = 0;
    prepare_input(t, r->which);
    for (int i = 0; i < HANDS; i++)
        if (r->hands[i].call != NULL)
            sides[n++] = (turns_side){ r->hands[i].who, "",         r->hands[i].call,
                                       .bench = t,      .calls = 1, .is_limit = i == 0 };
    sides[n] = (turns_side){ "cohort", "two replicas", r->ours, .bench = t, .calls = 1 };
    turns_row(names[r->which], sides, n + 1);
    double ratio = sides[n].median / sides[0].median;
    if (r->goal > 0 && !turns_are_tiny())
        printf("  goal: at most %.2f; %s\n", r->goal, ratio <= r->goal ? "kept" : "MISSED");
}

static void make_folder(bench *t)
{
    const char *parent = getenv("TMPDIR");
    snprintf(t->folder, sizeof t->folder, "%s/cohort-bench-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(t->folder) == NULL || setenv("BENCH_DATA", t->folder, 1) != 0)
        fail(t->folder);
}

int main(void)
{
    static bench t;
    make_folder(&t);
    make_rows(&t);
    make_all_files(&t);
    t.s = cohort_mirrored("host/2");
    t.values[0] = cohort_value_create(t.s);
    if (t.values[0] == NULL)
        fail_in_cohort("a strategy");
    turns_table(ROWS_INPUT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        compare(&t, &rows[i]);
    cohort_strategy_destroy(t.s);
    remove_files(&t);
    free(t.x);
    free(t.order);
    free(t.buffer);
    free(t.numbers);
    return 0;
}
