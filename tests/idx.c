/* SPDX-License-Identifier: BSD-3-Clause */
/* IDX files, as datasets read them: headers that lie, what was put into files, and files that break
 * in every place. */
#include "config.h"

#include "runtime/data/format/idx.h"

#include "runtime/base/error.h"
#include "tests/rows_file.h"

#include <cohort/files.h>

static const struct {
    const char *file;
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK];
    const char *elements;
} cases[] = {
#include "tests/data/rows/idx_cases.h"
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* What a dataset of the file gives. */
typedef struct rows {
    cohort_spec row; /* of the first */
    int64_t n;
} rows;

/* All rows, `step` at a time, into data, as many as there is room for. */
static cohort_status read_all(const char *name, int64_t step, void *data, size_t capacity,
                              rows *out)
{
    cohort_array batch = { 0 };
    size_t used = 0;
    *out = (rows){ .n = 0 };
    cohort_dataset *d = cohort_dataset_batch(cohort_dataset_idx(COHORT_FILES(name)), step, false);
    cohort_iterator *it = cohort_dataset_iterate(d);
    cohort_status status = it != NULL ? COHORT_OK : cohort_error_status();
    while (status == COHORT_OK && (status = cohort_iterator_next(it, &batch)) == COHORT_OK) {
        size_t bytes = (size_t)cohort_dtype_bytes(batch.dtype);
        for (int32_t k = 0; k < batch.rank; k++)
            bytes *= (size_t)batch.shape[k];
        if (bytes > capacity - used)
            break;
        memcpy((char *)data + used, batch.data, bytes);
        used += bytes;
        out->n += batch.shape[0];
        out->row = (cohort_spec){ .dtype = batch.dtype, .rank = batch.rank - 1 };
        memcpy(out->row.shape, batch.shape + 1, (size_t)out->row.rank * sizeof *batch.shape);
    }
    cohort_iterator_destroy(it);
    cohort_dataset_destroy(d);
    return status < 0 ? status : COHORT_OK;
}

static const struct {
    const char *bytes;
    size_t n;
    const char *text;
} hostile[] = {
    { "", 0, "byte 0: the header of an IDX file needs 4 bytes here, and 0 follow" },
    { "\0\0\x08", 3, "needs 4 bytes here, and 3 follow: the file is cut" },
    { "\1\0\x08\1\0\0\0\0", 8, "byte 0: 0x01; expected 0" },
    { "\0P\x08\1\0\0\0\0", 8, "byte 1: 0x50; expected 0" },
    { "\0\0\x0a\1\0\0\0\0", 8, "byte 2: 0x0a; expected a type: 0x08" },
    { "\0\0\0\1\0\0\0\0", 8, "byte 2: 0x00; expected a type" },
    { "\0\0\x0f\1\0\0\0\0", 8, "byte 2: 0x0f; expected a type" },
    { "\0\0\x08\0\0\0\0\0", 8, "byte 3: 0x00; expected 1 to 8 axes" },
    { "\0\0\x08\x09\0\0\0\0", 8, "byte 3: 0x09; expected 1 to 8 axes" },
    { "\0\0\x08\2\0\0\0\1\0\0\0", 11,
      "byte 4: the header of an IDX file needs 8 bytes here, and 7 follow" },
    { "\0\0\x08\1\0\0\0\1", 8, "byte 8: the header's extents need 1 bytes, and 0 follow" },
    { "\0\0\x08\1\0\0\0\1..", 10, "byte 8: the header's extents need 1 bytes, and 2 follow" },
    { "\0\0\x08\1\0\0\0\0.", 9, "need 0 bytes, and 1 follow" },
    { "\0\0\x0e\1\xff\xff\xff\xff", 8, "need 34359738360 bytes, and 0 follow" },
    { "\0\0\x08\2\xff\xff\xff\xff\xff\xff\xff\xff", 12, "the product of the extents overflows" },
    { "\0\0\x08\3\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16,
      "byte 4: the product of the extents overflows" },
    { "\0\0\x08\3\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 16, "the header is damaged" },
};

static void test_hostile(void)
{
    static char data[64];
    rows found;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        write_file(hostile[i].bytes, hostile[i].n);
        ok(read_all(path, 1, data, sizeof data, &found) == COHORT_EINVAL, "header %d is refused",
           (int)i);
        has_text(cohort_error_text(), hostile[i].text, "because of: %s", hostile[i].text);
        ok(strstr(cohort_error_text(), path) != NULL && found.n == 0,
           "the text names the file, and no row is given");
    }
}

static void test_not_regular(void)
{
    char data[1];
    rows found;
    ok(read_all("no/such/file", 1, data, 1, &found) < 0, "no file");
    has_text(cohort_error_text(), "no/such/file", "and the text says which");
    (void)unlink(path);
    ok(mkdir(path, 0700) == 0 && read_all(path, 1, data, 1, &found) == COHORT_EINVAL, "a folder");
    (void)rmdir(path);
    ok(mkfifo(path, 0600) == 0 && read_all(path, 1, data, 1, &found) == COHORT_EINVAL,
       "a FIFO, without waiting");
    (void)unlink(path);
}

static void test_shrinks(void)
{
    static unsigned char bytes[1 << 20];
    cohort_array row;
    memcpy(bytes, "\0\0\x08\1\0\x0f\xff\xf8", 8);
    write_file(bytes, sizeof bytes);
    cohort_dataset *d = cohort_dataset_batch(cohort_dataset_idx(COHORT_FILES(path)), 100000, false);
    cohort_iterator *it = cohort_dataset_iterate(d);
    cohort_status status = cohort_iterator_next(it, &row);
    ok(status == COHORT_OK && row.shape[0] == 100000, "a file of a megabyte");
    ok(truncate(path, 500000) == 0, "becomes shorter while it is read");
    for (int i = 0; i < 10 && status == COHORT_OK; i++)
        status = cohort_iterator_next(it, &row);
    ok(status == COHORT_EINVAL, "which is an error");
    has_text(cohort_error_text(), "when it was opened", "and the text says so");
    cohort_iterator_destroy(it);
    cohort_dataset_destroy(d);
}

static void test_sparse(void)
{
    char data[1];
    rows found;
    int fd = write_sparse((int64_t)10 << 30) ? open(path, O_WRONLY) : -1;
    bool is_written = fd >= 0 && write(fd, "\0\0\x08\1\xff\xff\xff\xff", 8) == 8;
    if (fd >= 0)
        (void)close(fd);
    if (is_written)
        ok(read_all(path, 1, data, 1, &found) == COHORT_EINVAL,
           "a sparse file of 10 GB that says 4 GB is refused, before anything of it is read");
    else
        skip("a sparse file of 10 GB that says 4 GB is refused",
             "no such file can be written here");
}

static void test_cases(void)
{
    for (int i = 0; i < N_CASES; i++)
        for (int64_t step = 1; step <= 4; step += 3) {
            static char data[4096];
            rows found;
            cohort_status status =
                read_all(data_file("rows", cases[i].file), step, data, sizeof data, &found);
            if (status < 0 && strstr(cohort_error_text(), "without zlib") != NULL) {
                skip(cases[i].file, "no zlib");
                continue;
            }
            int64_t n = found.n;
            for (int32_t k = 0; k < found.row.rank; k++)
                n *= found.row.shape[k];
            bool is_shape = found.n == cases[i].shape[0] && found.row.rank == cases[i].rank - 1;
            for (int32_t k = 0; k < found.row.rank && is_shape; k++)
                is_shape = found.row.shape[k] == cases[i].shape[k + 1];
            ok(status == COHORT_OK && is_shape && found.row.dtype == cases[i].dtype &&
                   has_numbers(cases[i].dtype, data, n, cases[i].elements),
               "%s has what NumPy put there, %d rows at a time", cases[i].file, (int)step);
        }
}

static void test_empty(void)
{
    char data[1];
    rows found;
    write_file("\0\0\x0c\2\0\0\0\0\0\0\0\5", 12);
    ok(read_all(path, 1, data, 1, &found) == COHORT_OK && found.n == 0, "no rows of five numbers");
    write_file("\0\0\x08\3\0\0\0\0\xff\xff\xff\xff\x40\0\0\0", 16);
    ok(read_all(path, 1, data, 1, &found) == COHORT_OK && found.n == 0,
       "no rows of four exabytes, for which no memory is asked");
    write_file("\0\0\x0c\2\0\0\0\5\0\0\0\0", 12);
    ok(read_all(path, 2, data, 1, &found) == COHORT_OK && found.n == 5 && found.row.shape[0] == 0,
       "five rows of nothing");
}

/* Plain and packed, cut and with bits flipped: an error with a text, or other numbers. */
static void test_cut_and_flipped(void)
{
    static unsigned char whole[MOST_BYTES];
    static char data[4096];
    const char *const files[] = { "i2-4x3.idx", "f8-2x3x2.idx", "f4-4x3.idx.gz" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t count = read_file(data_file("rows", files[i]), whole), refused = 0, good = 0;
        rows found;
        for (size_t cut = 0; cut < count; cut++) {
            write_file(whole, cut);
            refused += read_all(path, 3, data, sizeof data, &found) < 0;
        }
        for (size_t bit = 0; bit < 8 * count; bit++) {
            whole[bit / 8] ^= (unsigned char)(1u << bit % 8);
            write_file(whole, count);
            good +=
                read_all(path, 3, data, sizeof data, &found) >= 0 || cohort_error_text()[0] != '\0';
            whole[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        ok(count > 0 && refused == count, "%s is refused, cut at each of its %d bytes", files[i],
           (int)count);
        ok(good == 8 * count, "%s with each of its bits flipped does no harm", files[i]);
    }
}

/* What is behind the last row of a packed file is found at its end. */
static void test_more(void)
{
    cohort_idx_header header;
    cohort_bytes *file = NULL;
    write_file("\0\0\x08\1\0\0\0\2\1\2", 10);
    ok(cohort_bytes_open(path, COHORT_PACKING_NONE, &file) == COHORT_OK &&
           cohort_idx_open(file, &header) == COHORT_OK && header.row_bytes == 1,
       "two rows");
    ok(cohort_bytes_skip(file, 1) == COHORT_OK && cohort_idx_finish(file) == COHORT_EINVAL,
       "of which one was passed over");
    has_text(cohort_error_text(), "byte 9: more bytes follow the last row; expected the end",
             "are not the end");
    cohort_bytes_close(file);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int files = descriptors();
    if (!make_folder())
        return skip_all("no folder can be made here");
    test_hostile();
    test_not_regular();
    test_shrinks();
    test_sparse();
    test_cases();
    test_empty();
    test_cut_and_flipped();
    test_more();
    nothing_is_left(blocks, files);
    return tap_done();
}
