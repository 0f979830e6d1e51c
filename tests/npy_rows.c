/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of NumPy's files: what is refused, any rows in any order, and files that break in every
 * place. */
#include "config.h"

#include "runtime/data/format/npy_rows.h"

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
    ok(cohort_npy_rows_open(data_file("npy", "f4-little-F.npy"), NULL, &rows) == COHORT_ENOTSUP,
       "Fortran order");
    has_text(cohort_error_text(), "ascontiguousarray", "and the text says what to do");
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

static bool is_c_order(int which)
{
    return cases[which].rank > 0 && strstr(cases[which].file, "-F.npy") == NULL;
}

static void test_cases(void)
{
    static char data[ROOM];
    for (int i = 0; i < N_CASES; i++)
        for (int way = 0; way < 4 && is_c_order(i); way++) {
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
} broken[] = { { "f4-big-C.npy", NULL }, { "version-2.npy", NULL }, { "shape-3x0x2.npy", NULL },
               { "stored.npz", "a" },    { "deflated.npz", "a" },   { "zip64.npz", NULL } };

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
    test_indexed();
    test_bools();
    test_sums();
    test_changes();
    test_cut_and_flipped();
    nothing_is_left(blocks, files);
    return tap_done();
}
