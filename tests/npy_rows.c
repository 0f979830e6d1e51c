/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of NumPy's files: what is refused, any rows in any order, and files that break in every
 * place. */
#include "config.h"

#include "runtime/data/format/npy_rows.h"

#include "runtime/base/limits.h"
#include "runtime/data/format/crc.h"
#include "tests/rows_file.h"

/* What NumPy put into a file, as tests/npy.c has it. */
static const struct {
    const char *file, *member;
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK];
    const char *elements;
} cases[] = {
#include "tests/data/npy/cases.h"
};
enum { N_CASES = sizeof cases / sizeof *cases, ROOM = 1 << 16 };

static int64_t row_items(const cohort_spec *spec)
{
    int64_t items = 1;
    for (int32_t i = 1; i < spec->rank; i++)
        items *= spec->shape[i];
    return items;
}

/* All rows, `step` at a time, from the first or backwards. */
static cohort_status read_steps(cohort_npy_rows *rows, int64_t step, bool is_backwards, char *data)
{
    cohort_spec spec = cohort_npy_rows_spec(rows);
    int64_t n = spec.shape[0], row_bytes = row_items(&spec) * cohort_dtype_bytes(spec.dtype);
    cohort_status status = COHORT_OK;
    for (int64_t i = 0; i < (n + step - 1) / step && status >= 0 && n * row_bytes <= ROOM; i++) {
        int64_t first = is_backwards ? ((n - 1) / step - i) * step : i * step;
        status = cohort_npy_rows_read(rows, first, n - first < step ? n - first : step,
                                      data + first * row_bytes);
    }
    return status;
}

static cohort_status read_all(const char *name, const char *member, char *data)
{
    cohort_npy_rows *rows;
    cohort_status status = cohort_npy_rows_open(name, member, &rows);
    if (status >= 0)
        status = read_steps(rows, 2, false, data);
    cohort_npy_rows_close(rows);
    return status;
}

static void test_refused(void)
{
    cohort_npy_rows *rows;
    ok(cohort_npy_rows_open("no/such.npy", NULL, &rows) == COHORT_ENOENT && rows == NULL,
       "no file");
    has_text(cohort_error_text(), "no/such.npy", "and the text says which");
    (void)unlink(path);
    ok(mkdir(path, 0700) == 0 && cohort_npy_rows_open(path, NULL, &rows) == COHORT_EINVAL,
       "a folder");
    (void)rmdir(path);
    ok(mkfifo(path, 0600) == 0 && cohort_npy_rows_open(path, NULL, &rows) == COHORT_EINVAL,
       "a FIFO, without waiting");
    (void)unlink(path);
    write_text("");
    ok(cohort_npy_rows_open(path, NULL, &rows) == COHORT_EINVAL, "an empty file");
    ok(cohort_npy_rows_open(data_file("npy", "shape-none.npy"), NULL, &rows) == COHORT_ENOTSUP,
       "an array of rank 0");
    has_text(cohort_error_text(), "shape-none.npy: an array of rank 0", "has no rows");
    has_text(cohort_error_text(), "atleast_1d", "and the text says what to do");
    ok(cohort_npy_rows_open(data_file("npy", "f4-little-C.npy"), "a", &rows) == COHORT_ENOENT,
       "a member of no zip");
    ok(cohort_npy_rows_open(data_file("npy", "stored.npz"), NULL, &rows) == COHORT_ENOENT,
       "one of two has to be named");
    ok(cohort_npy_rows_open(data_file("npy", "stored.npz"), "c", &rows) == COHORT_ENOENT,
       "a member that is not there");
    has_text(cohort_error_text(), "no member 'c'; it has: a b.npy", "and which there are");
    cohort_npy_rows_close(NULL);
}

static void test_ranges(void)
{
    static const int64_t bad[][2] = { { -1, 1 }, { 0, -1 },        { 0, 3 },        { 3, 0 },
                                      { 2, 1 },  { INT64_MAX, 1 }, { 1, INT64_MAX } };
    char data[64];
    cohort_npy_rows *rows;
    ok(cohort_npy_rows_open(data_file("npy", "f4-little-C.npy"), NULL, &rows) == COHORT_OK,
       "an array of two rows");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(cohort_npy_rows_read(rows, bad[i][0], bad[i][1], data) == COHORT_EINVAL, "bad rows %d",
           (int)i);
    has_text(cohort_error_text(), "and it has 2", "and the text says how many there are");
    ok(cohort_npy_rows_read(rows, 2, 0, data) == COHORT_OK, "no rows behind the last");
    cohort_npy_rows_close(rows);
}

static void test_cases(void)
{
    static char data[ROOM];
    for (int i = 0; i < N_CASES; i++)
        for (int way = 0; way < 4 && cases[i].rank > 0; way++) {
            cohort_npy_rows *rows;
            cohort_status status =
                cohort_npy_rows_open(data_file("npy", cases[i].file), cases[i].member, &rows);
            if (status == COHORT_ENOTSUP && strstr(cohort_error_text(), "zlib") != NULL) {
                skip(cases[i].file, "no zlib");
                continue;
            }
            memset(data, 0x55, sizeof data);
            if (status >= 0)
                status = read_steps(rows, way / 2 + 1, way % 2 != 0, data);
            if (status >= 0)
                status = read_steps(rows, 1, false, data);
            cohort_spec spec = status >= 0 ? cohort_npy_rows_spec(rows) : (cohort_spec){ 0 };
            ok(status == COHORT_OK && spec.dtype == cases[i].dtype && spec.rank == cases[i].rank &&
                   memcmp(spec.shape, cases[i].shape, sizeof spec.shape) == 0 &&
                   has_numbers(spec.dtype, data, spec.shape[0] * row_items(&spec),
                               cases[i].elements),
               "%s has the rows that NumPy put there, way %d", cases[i].file, way);
            cohort_npy_rows_close(rows);
        }
}

/* ---- Fortran order */

/* What a .npy file of Fortran order begins with; elements follow, of which it says nothing. */
static size_t write_head(cohort_dtype dtype, int rank, const int64_t shape[], unsigned char *bytes)
{
    char extents[128] = "", text[256];
    const char *descr = dtype == COHORT_U8 ? "|u1" : dtype == COHORT_U16 ? "<u2" : "<f8";
    for (int i = 0; i < rank; i++)
        (void)snprintf(extents + strlen(extents), sizeof extents - strlen(extents), "%lld,",
                       (long long)shape[i]);
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': True, 'shape': (%s), }\n",
                 descr, extents);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (unsigned char)length;
    bytes[9] = 0;
    memcpy(bytes + 10, text, (size_t)length);
    return 10 + (size_t)length;
}

/* The number of the element at this place of a row-major array, where the file has it. */
static int64_t place_in_file(int rank, const int64_t shape[], int64_t at)
{
    int64_t index[COHORT_MAX_RANK], place = 0;
    for (int axis = rank - 1; axis >= 0; at /= shape[axis], axis--)
        index[axis] = at % shape[axis];
    for (int axis = rank - 1; axis >= 0; axis--)
        place = place * shape[axis] + index[axis];
    return place;
}

static const struct {
    int rank;
    int64_t shape[COHORT_MAX_RANK];
} shapes[] = {
    { 1, { 7 } },
    { 2, { 1, 9 } },
    { 2, { 9, 1 } },
    { 2, { 150, 4 } },
    { 2, { 4, 150 } },
    { 2, { 3000, 3 } }, /* columns of several pieces */
    { 2, { 2, 9000 } },
    { 3, { 5, 3, 4 } },
    { 3, { 600, 1, 7 } },
    { 4, { 3, 2, 1, 5 } },
    { 5, { 2, 3, 2, 3, 2 } },
    { 8, { 2, 1, 3, 1, 2, 2, 1, 3 } },
};

/* Each element of u16 is its own number in row-major order. Reads rows in ranges of all lengths
 * that a small generator gives, in any order. */
static bool has_any_rows(cohort_npy_rows *rows, const uint16_t *expected, int64_t n, int64_t items)
{
    static uint16_t data[ROOM];
    uint32_t state = 1;
    bool is_same = true;
    for (int i = 0; i < 200 && is_same; i++) {
        state = state * 1664525u + 1013904223u;
        int64_t first = (state >> 8) % (uint32_t)n;
        state = state * 1664525u + 1013904223u;
        int64_t count = 1 + (state >> 8) % (uint32_t)(n - first);
        is_same = cohort_npy_rows_read(rows, first, count, data) == COHORT_OK &&
                  memcmp(data, expected + first * items, (size_t)(count * items) * 2) == 0;
    }
    return is_same;
}

static void test_turned(void)
{
    static unsigned char bytes[4 * ROOM];
    static uint16_t expected[ROOM];
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const int64_t *shape = shapes[k].shape;
        int64_t all = 1;
        for (int i = 0; i < shapes[k].rank; i++)
            all *= shape[i];
        size_t head = write_head(COHORT_U16, shapes[k].rank, shape, bytes);
        for (int64_t i = 0; i < all; i++) {
            unsigned char *at = bytes + head + 2 * place_in_file(shapes[k].rank, shape, i);
            expected[i] = (uint16_t)i;
            at[0] = (unsigned char)(i & 255);
            at[1] = (unsigned char)(i >> 8);
        }
        write_file(bytes, head + 2 * (size_t)all);
        cohort_npy_rows *rows = NULL;
        ok(cohort_npy_rows_open(path, NULL, &rows) == COHORT_OK &&
               cohort_npy_rows_is_indexed(rows) &&
               has_any_rows(rows, expected, shape[0], all / shape[0]),
           "shape %d in Fortran order: any rows are those of the array", (int)k);
        cohort_npy_rows_close(rows);
    }
}

static void put(unsigned char **at, uint32_t number, int bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        *(*at)++ = (unsigned char)(number & 255);
}

/* What both headers of a member of a zip file have: flags, packing, time, sum and sizes. */
static void put_member(unsigned char **at, bool is_deflated, uint32_t crc, uint32_t packed,
                       uint32_t bytes)
{
    put(at, 20, 2);
    put(at, 0, 2);
    put(at, is_deflated ? 8 : 0, 2);
    put(at, 0, 4);
    put(at, crc, 4);
    put(at, packed, 4);
    put(at, bytes, 4);
    put(at, (uint32_t)strlen("a.npy"), 2);
    put(at, 0, 2);
}

/* A .npz file with one member; what is deflated is one block that is stored as it is. */
static void write_npz(const unsigned char *npy, uint32_t count, bool is_deflated, uint32_t crc)
{
    static unsigned char bytes[4 * ROOM];
    unsigned char *at = bytes;
    uint32_t packed = count + (is_deflated ? 5 : 0), directory;
    put(&at, 0x04034b50, 4);
    put_member(&at, is_deflated, crc, packed, count);
    memcpy(at, "a.npy", 5);
    at += 5;
    if (is_deflated) {
        put(&at, 1, 1);
        put(&at, count, 2);
        put(&at, ~count, 2);
    }
    memcpy(at, npy, count);
    at += count;
    directory = (uint32_t)(at - bytes);
    put(&at, 0x02014b50, 4);
    put(&at, 20, 2);
    put_member(&at, is_deflated, crc, packed, count);
    put(&at, 0, 10);
    put(&at, 0, 4);
    memcpy(at, "a.npy", 5);
    at += 5;
    uint32_t directory_bytes = (uint32_t)(at - bytes) - directory;
    put(&at, 0x06054b50, 4);
    put(&at, 0, 4);
    put(&at, 1 | 1 << 16, 4);
    put(&at, directory_bytes, 4);
    put(&at, directory, 4);
    put(&at, 0, 2);
    write_file(bytes, (size_t)(at - bytes));
}

/* Rows of 50 x 4 numbers in Fortran order, in a member whose sum is right, or is not. */
static void test_turned_sums(bool is_deflated)
{
    static unsigned char npy[ROOM];
    static uint16_t expected[200], data[200];
    const int64_t shape[] = { 50, 4 };
    const char *how = is_deflated ? "deflated" : "stored";
    cohort_npy_rows *rows = NULL;
    size_t head = write_head(COHORT_U16, 2, shape, npy), count = head + 400;
    for (int64_t i = 0; i < 200; i++) {
        expected[i] = (uint16_t)i;
        npy[head + 2 * (size_t)place_in_file(2, shape, i)] = (unsigned char)i;
    }
    uint32_t crc = cohort_crc32(0, npy, count);
    write_npz(npy, (uint32_t)count, is_deflated, crc);
    cohort_status status = cohort_npy_rows_open(path, "a", &rows);
    if (is_deflated && status == COHORT_ENOTSUP) {
        skip("a deflated member in Fortran order", "no zlib");
        return;
    }
    ok(status == COHORT_OK && cohort_npy_rows_is_indexed(rows) == !is_deflated &&
           has_any_rows(rows, expected, 50, 4),
       "a %s member in Fortran order: any rows are those of the array", how);
    cohort_npy_rows_close(rows);
    npy[head + 2 * 30] ^= 64; /* row 30, of which nobody can know */
    expected[4 * 30] ^= 64;
    write_npz(npy, (uint32_t)count, is_deflated, crc);
    ok(cohort_npy_rows_open(path, "a", &rows) == COHORT_OK &&
           cohort_npy_rows_read(rows, 0, 50, data) == COHORT_EINVAL,
       "with another sum all rows at once are refused");
    has_text(cohort_error_text(), "member 'a': the CRC-32 of the bytes is", "with the reason");
    ok(cohort_npy_rows_read(rows, 0, 49, data) == COHORT_OK && memcmp(data, expected, 392) == 0,
       "all but the last are given");
    for (int i = 0; i < 2; i++)
        ok(cohort_npy_rows_read(rows, 49, 1, data) == COHORT_EINVAL, "and the last is not");
    has_text(cohort_error_text(), "the CRC-32 of the bytes is", "each time with the reason");
    cohort_npy_rows_close(rows);
    ok(cohort_npy_rows_open(path, "a", &rows) == COHORT_OK &&
           cohort_npy_rows_read(rows, 49, 1, data) == COHORT_EINVAL &&
           cohort_npy_rows_read(rows, 48, 1, data) == COHORT_OK,
       "nor where it is asked for first");
    ok(truncate(path, 200) == 0 && cohort_npy_rows_read(rows, 3, 1, data) == COHORT_OK,
       "what was turned is given when the file becomes shorter");
    cohort_npy_rows_close(rows);
}

/* Rows of u8 beyond the bound of a band: element (i, j) of a file of zeros is set for few of them,
 * and those are read in order, picked, and passed over. */
static void test_large(void)
{
    enum { WIDTH = 40, STEP = 65537 };
    static unsigned char bytes[512], data[1000 * WIDTH];
    const int64_t n = COHORT_LIMIT_NPY_BAND_BYTES / WIDTH * 5 / 2, shape[] = { n, WIDTH };
    int64_t wrong = 0, most = cohort_memory_blocks();
    cohort_npy_rows *rows = NULL;
    size_t head = write_head(COHORT_U8, 2, shape, bytes);
    write_file(bytes, head);
    if (truncate(path, (off_t)(head + (size_t)(n * WIDTH))) != 0) {
        skip("an array in Fortran order of 160 MB", "no sparse file can be made here");
        return;
    }
    FILE *file = fopen(path, "r+b");
    for (int64_t i = 0; file != NULL && i < n; i += STEP)
        for (int64_t j = 0; j < WIDTH; j++)
            if (fseeko(file, (off_t)(head + (size_t)(j * n + i)), SEEK_SET) != 0 ||
                fputc((int)((i + j) % 251 + 1), file) == EOF)
                abort();
    if (file == NULL || fclose(file) != 0)
        abort();
    ok(cohort_npy_rows_open(path, NULL, &rows) == COHORT_OK && cohort_memory_blocks() - most < 8,
       "an array in Fortran order of 160 MB is opened");
    for (int64_t i = n - 1 - (n - 1) % STEP; i >= 0; i -= STEP)
        if (cohort_npy_rows_read(rows, i, 1, data) == COHORT_OK)
            for (int64_t j = 0; j < WIDTH; j++)
                wrong += data[j] != (i + j) % 251 + 1;
        else
            wrong++;
    ok(wrong == 0, "rows are picked");
    for (int64_t i = 0, count; i < n; i += count) {
        count = n - i < 1000 ? n - i : 1000;
        if (cohort_npy_rows_read(rows, i, count, data) != COHORT_OK)
            wrong++;
        for (int64_t k = 0; k < count; k++)
            for (int64_t j = 0; j < WIDTH; j++)
                wrong += data[k * WIDTH + j] != ((i + k) % STEP == 0 ? (i + k + j) % 251 + 1 : 0);
    }
    ok(wrong == 0, "all of them are read in order");
    cohort_npy_rows_close(rows);
}

static void test_indexed(void)
{
    const struct {
        const char *file;
        bool is_indexed;
    } files[] = { { "f4-big-C.npy", true }, { "stored.npz", true }, { "deflated.npz", false } };
    for (size_t i = 0; i < 3; i++) {
        cohort_npy_rows *rows;
        cohort_status status =
            cohort_npy_rows_open(data_file("npy", files[i].file), i > 0 ? "a" : NULL, &rows);
        if (status == COHORT_ENOTSUP)
            skip(files[i].file, "no zlib");
        else
            ok(status == COHORT_OK && cohort_npy_rows_is_indexed(rows) == files[i].is_indexed,
               "%s: any row at once: %d", files[i].file, files[i].is_indexed);
        cohort_npy_rows_close(rows);
    }
}

static void test_bools(void)
{
    static unsigned char bytes[MOST_BYTES];
    char data[6];
    cohort_npy_rows *rows;
    size_t count = read_file(data_file("npy", "b1-byte-C.npy"), bytes);
    memset(bytes + count - 6, 7, 6);
    write_file(bytes, count);
    ok(cohort_npy_rows_open(path, NULL, &rows) == COHORT_OK &&
           cohort_npy_rows_read(rows, 0, 2, data) == COHORT_OK &&
           memcmp(data, "\1\1\1\1\1\1", 6) == 0,
       "a bool of 7 is true, which is 1");
    cohort_npy_rows_close(rows);
}

/* Byte `at` of the elements of member a of stored.npz, float32[3][2]; they are the first bytes that
 * follow \n. */
static size_t find_elements(const unsigned char *bytes, size_t count)
{
    const unsigned char *end = memchr(bytes, '\n', count);
    return end != NULL ? (size_t)(end - bytes) + 1 : 0;
}

static void test_sums(void)
{
    static unsigned char bytes[MOST_BYTES];
    char data[64];
    cohort_npy_rows *rows;
    size_t count = read_file(data_file("npy", "stored.npz"), bytes);
    bytes[find_elements(bytes, count) + 3] ^= 1;
    write_file(bytes, count);
    ok(cohort_npy_rows_open(path, "a", &rows) == COHORT_OK,
       "a stored member with a wrong bit is opened");
    ok(cohort_npy_rows_read(rows, 0, 2, data) == COHORT_OK, "its first rows are read");
    ok(cohort_npy_rows_read(rows, 2, 1, data) == COHORT_EINVAL, "but not the last in order");
    has_text(cohort_error_text(), "member 'a': the CRC-32 of the bytes is",
             "since the sum is wrong");
    ok(cohort_npy_rows_read(rows, 1, 1, data) == COHORT_OK, "any row alone has no sum");
    ok(cohort_npy_rows_read(rows, 2, 1, data) == COHORT_EINVAL,
       "but the last is not given any more");
    ok(cohort_npy_rows_read(rows, 0, 3, data) == COHORT_EINVAL,
       "all of them in order have, each time");
    ok(cohort_npy_rows_read(rows, 0, 1, data) == COHORT_OK &&
           cohort_npy_rows_read(rows, 1, 2, data) == COHORT_EINVAL &&
           cohort_npy_rows_read(rows, 1, 1, data) == COHORT_OK &&
           cohort_npy_rows_read(rows, 2, 1, data) == COHORT_EINVAL,
       "also when those before the last are read one by one after the error, as a dataset does");
    has_text(cohort_error_text(), "member 'a': the CRC-32 of the bytes is", "with its reason");
    cohort_npy_rows_close(rows);
#ifdef HAVE_ZLIB
    ok(read_all(data_file("npy", "bomb.npz"), "a", data) == COHORT_EINVAL,
       "more is packed than the sizes say");
    static char room[ROOM];
    ok(cohort_npy_rows_open(data_file("npy", "hollow.npz"), "a", &rows) == COHORT_OK &&
           cohort_npy_rows_read(rows, 3900000, 4, room) == COHORT_EINVAL,
       "less is packed than the sizes say");
    has_text(cohort_error_text(), "the deflated data ends early", "and the text says so");
    ok(cohort_npy_rows_read(rows, 0, 4, room) == COHORT_OK,
       "the rows that are there are read still");
    cohort_npy_rows_close(rows);
#else
    skip("more or less is packed than the sizes say", "no zlib");
#endif
}

static void test_changes(void)
{
    static unsigned char bytes[MOST_BYTES];
    char data[64];
    cohort_npy_rows *rows;
    size_t count = read_file(data_file("npy", "f4-big-C.npy"), bytes);
    write_file(bytes, count);
    ok(cohort_npy_rows_open(path, NULL, &rows) == COHORT_OK &&
           truncate(path, (off_t)count - 4) == 0 &&
           cohort_npy_rows_read(rows, 0, 1, data) == COHORT_OK,
       "a file becomes shorter");
    ok(cohort_npy_rows_read(rows, 1, 1, data) == COHORT_EINVAL,
       "and rows that it has no more are refused");
    has_text(cohort_error_text(), "when it was opened", "and the text says so");
    cohort_npy_rows_close(rows);
    count = read_file(data_file("npy", "stored.npz"), bytes);
    write_file(bytes, count);
    ok(cohort_npy_rows_open(path, "a", &rows) == COHORT_OK &&
           cohort_npy_rows_read(rows, 0, 1, data) == COHORT_OK,
       "a member is read");
    for (size_t i = 0; i + 6 < count; i++)
        if (memcmp(bytes + i, "(3, 2)", 6) == 0)
            memcpy(bytes + i, "(2, 3)", 6);
    write_file(bytes, count);
    ok(cohort_npy_rows_read(rows, 0, 1, data) == COHORT_EINVAL,
       "and its header changes before it is read again");
    has_text(cohort_error_text(), "its header has changed since it was opened",
             "and the text says so");
    cohort_npy_rows_close(rows);
}

static const struct {
    const char *file, *member;
} broken[] = { { "f4-big-C.npy", NULL },    { "f4-big-F.npy", NULL }, { "version-2.npy", NULL },
               { "shape-3x0x2.npy", NULL }, { "stored.npz", "a" },    { "deflated.npz", "a" },
               { "zip64.npz", NULL } };

static void test_cut_and_flipped(void)
{
    static unsigned char bytes[MOST_BYTES];
    static char data[ROOM];
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        size_t count = read_file(data_file("npy", broken[i].file), bytes), refused = 0, good = 0;
        for (size_t cut = 0; cut < count; cut++) {
            write_file(bytes, cut);
            refused += read_all(path, broken[i].member, data) < 0;
        }
        for (size_t bit = 0; bit < 8 * count; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            write_file(bytes, count);
            good += read_all(path, broken[i].member, data) >= 0 || cohort_error_text()[0] != '\0';
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        ok(count > 0 && refused == count, "%s is refused, cut at each of its %d bytes",
           broken[i].file, (int)count);
        ok(good == 8 * count, "%s with each of its bits flipped does no harm", broken[i].file);
    }
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int files = descriptors();
    if (!make_folder())
        return skip_all("no folder can be made here");
    test_refused();
    test_ranges();
    test_cases();
    test_turned();
    test_turned_sums(false);
    test_turned_sums(true);
    test_large();
    test_indexed();
    test_bools();
    test_sums();
    test_changes();
    test_cut_and_flipped();
    nothing_is_left(blocks, files);
    return tap_done();
}
