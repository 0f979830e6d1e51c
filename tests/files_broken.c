/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of files that break: files that differ, change, are cut at every byte, lie about their
 * size, or are read when memory is short. */
#include "config.h"

#include "tests/files_source.h"
#include "tests/sanitized.h"

#include <cohort/dataset.h>

#include <errno.h>
#include <stdatomic.h>
#include <sys/resource.h>

enum { ROWS = 5 };

static given whole, part;

/* ---- Memory that is short: the nth allocation is refused, and all after it */

#if !IS_SANITIZED
#include "tests/short_memory.h"

/* Make the dataset and read it to its end while the nth allocation fails; true: nothing failed. */
static bool read_short_of(const format *f, const char *const files[], int nth, bool *is_honest)
{
    cohort_cursor *cursor = NULL;
    cohort_element element;
    cohort_status status = COHORT_ENOMEM;
    int64_t n = 0;
    atomic_store(&left, nth);
    cohort_dataset *d = f->read(files, 2);
    if (d != NULL)
        status = cohort_cursor_open(d, &(cohort_opening){ 0 }, &cursor);
    while (status == COHORT_OK && (status = cohort_cursor_next(cursor, &element)) == COHORT_OK)
        n++;
    bool was_short = atomic_exchange(&left, -1) == 1;
    *is_honest = was_short ? status == COHORT_ENOMEM || (status == COHORT_END && n == 2 * ROWS)
                           : status == COHORT_END && n == 2 * ROWS;
    if (!*is_honest)
        diag("%s, allocation %d: status %d after %lld rows: %s", f->name, nth, status, (long long)n,
             cohort_error_text());
    cohort_cursor_close(cursor);
    cohort_dataset_destroy(d);
    return !was_short;
}

static void test_short_of_memory(const format *f)
{
    char a[64], b[64];
    int64_t blocks = cohort_memory_blocks();
    bool all = true, is_honest = true;
    write_format(f, "a", 0, ROWS);
    write_format(f, "b", ROWS, ROWS);
    const char *files[] = { strcpy(a, scratch_name("a")), strcpy(b, scratch_name("b")) };
    int nth = 1;
    while (nth < 1000 && !read_short_of(f, files, nth, &is_honest)) {
        all = all && is_honest && cohort_memory_blocks() == blocks;
        nth++;
    }
    ok(all && is_honest && nth > 3 && nth < 1000,
       "%s: whichever of %d allocations fails, it says so", f->name, nth - 1);
}
#else
static void test_short_of_memory(const format *f)
{
    skip(f->name, "sanitizers have their own allocator");
}
#endif

/* ---- Files that differ from the first */

static void test_different(const format *f, void (*write_other)(const char *name), const char *text)
{
    write_format(f, "a", 0, ROWS);
    write_other("b");
    write_format(f, "c", ROWS, ROWS);
    cohort_dataset *d = f->read((const char *const[]){ scratch_name("[abc]") }, 1);
    gather(d, &part);
    ok(part.n == 2 * ROWS && part.refused == 1 && part.status == COHORT_END,
       "%s: a file that differs is one error", f->name);
    has_text(part.text, text, "of which the text says: %s", text);
    has_text(part.text, scratch_name("a"), "beside what it should be like");
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_batch(d, 2, false));
    cohort_array out[2];
    cohort_status status = COHORT_OK;
    for (int i = 0; i < ROWS && status == COHORT_OK; i++)
        status = cohort_iterator_next(it, out);
    ok(status == COHORT_EINVAL, "%s: and an error of the iteration", f->name);
    cohort_iterator_destroy(it);
}

static void write_doubles(const char *name)
{
    double numbers[2][3] = { { 0 } };
    (void)cohort_npy_save(scratch_name(name), COHORT_ARRAY(&numbers[0][0], 2, 3));
}

static void write_wide(const char *name)
{
    float numbers[2][4] = { { 0 } };
    (void)cohort_npy_save(scratch_name(name), COHORT_ARRAY(&numbers[0][0], 2, 4));
}

static void write_narrow_csv(const char *name)
{
    scratch_write(name, "a,b\n1,2\n", 8);
}

static void test_all_different(void)
{
    test_different(&formats[0], write_doubles, "float64[3]");
    test_different(&formats[0], write_wide, "float32[4], and float32[3]");
    test_different(&formats[4], write_narrow_csv, "float32[2], and float32[3]");
}

/* ---- Files that change after the source was made */

static void test_replaced(const format *f)
{
    cohort_element element;
    write_format(f, "a", 0, ROWS);
    write_format(f, "b", 0, ROWS);
    cohort_dataset *d = f->read((const char *const[]){ scratch_name("[ab]") }, 1);
    write_format(f, "a", 0, ROWS + 1);
    gather(d, &part);
    ok(part.n == ROWS && part.refused == 1, "%s: a file with more rows than before is an error",
       f->name);
    has_text(part.text, "6 rows, and had 5", "with both numbers");
    if (f->is_indexed) {
        cohort_cursor *c = open_cursor(d);
        ok(cohort_cursor_at(c, 2, &element) == COHORT_EINVAL &&
               cohort_cursor_at(c, ROWS, &element) == COHORT_OK,
           "%s: of its rows only", f->name);
        cohort_cursor_close(c);
    }
    scratch_remove("a");
    gather(d, &part);
    ok(part.n == ROWS && part.refused == 1, "%s: a file that is gone is an error", f->name);
    has_text(part.text, "No such file", "as such");
    cohort_dataset_destroy(d);
}

static void test_shrinking(const format *f)
{
    cohort_element element;
    struct stat what;
    write_format(f, "a", 0, ROWS);
    cohort_dataset *d = f->read((const char *const[]){ scratch_name("a") }, 1);
    cohort_cursor *c = open_cursor(d);
    bool is = stat(scratch_name("a"), &what) == 0 && cohort_cursor_at(c, 0, &element) == COHORT_OK;
    is = is && truncate(scratch_name("a"), what.st_size / 2) == 0;
    cohort_status status = cohort_cursor_at(c, ROWS - 1, &element);
    /* few rows in Fortran order were turned at once, and are kept */
    if (strcmp(f->name, "npy in Fortran order") == 0)
        ok(is && status == COHORT_OK, "%s: what was read is not read again", f->name);
    else
        ok(is && status == COHORT_EINVAL,
           "%s: a file that becomes shorter while it is open is an error", f->name);
    cohort_cursor_close(c);
    cohort_dataset_destroy(d);
}

/* ---- Files that are cut: rows before the cut, one error at most, then the next file */

/* A line of text, and a last number in a CSV file, may be shorter: its end is not marked. */
static int certain_rows(const format *f, int rows)
{
    bool is_open = strncmp(f->name, "text", 4) == 0 || strncmp(f->name, "csv", 3) == 0;
    return is_open && rows > 0 ? rows - 1 : rows;
}

/* The whole file, then the one that is cut. */
static bool is_cut_well(const format *f, const char *const files[])
{
    cohort_dataset *d = f->read(files, 2);
    gather(d, &part);
    cohort_dataset_destroy(d);
    int before = part.n - ROWS;
    if (part.status != COHORT_END || part.refused > 1 || before < 0 || before > ROWS)
        return false;
    int certain = certain_rows(f, before);
    size_t bytes = certain < ROWS ? whole.starts[certain] : whole.all.n;
    return (part.refused == 0 || strstr(part.text, files[1]) != NULL) &&
           memcmp(part.all.bytes, whole.all.bytes, whole.all.n) == 0 &&
           memcmp(part.all.bytes + whole.all.n, whole.all.bytes, bytes) == 0;
}

/* The one that is cut first: it is refused when the source is made, or when it is read. The other
 * comes anyway, unless it is no longer like the first. */
static bool is_first_cut_well(const format *f, const char *const files[])
{
    cohort_dataset *d = f->read(files, 2);
    if (d == NULL)
        return strstr(cohort_error_text(), files[0]) != NULL;
    bool is_alike = strncmp(f->name, "csv", 3) != 0;
    gather(d, &part);
    cohort_dataset_destroy(d);
    return part.status == COHORT_END && part.refused <= 2 && (part.n >= ROWS || !is_alike);
}

static void test_cut(const format *f)
{
    static uint8_t bytes[MOST_BYTES];
    char a[64], b[64];
    const char *files[] = { strcpy(b, scratch_name("b")), strcpy(a, scratch_name("a")), b };
    int good = 0;
    write_format(f, "b", 0, ROWS);
    cohort_dataset *d = f->read(files, 1);
    gather(d, &whole);
    cohort_dataset_destroy(d);
    int n = (int)scratch_read("b", bytes);
    for (int i = 0; i < n; i++) {
        scratch_write("a", bytes, (size_t)i);
        bool is = is_cut_well(f, files);
        is = is_first_cut_well(f, files + 1) && is;
        if (!is)
            diag("%s cut after %d of %d bytes: %d rows, %d errors: %s", f->name, i, n, part.n,
                 part.refused, part.text);
        good += is;
    }
    ok(good == n, "%s: cut at any of %d bytes it gives what is before, an error, and the next file",
       f->name, n);
}

/* Each byte changed: whatever that makes of it, it ends. */
static void test_flipped(const format *f)
{
    static uint8_t bytes[MOST_BYTES];
    char a[64];
    const char *file = strcpy(a, scratch_name("a"));
    write_format(f, "a", 0, ROWS);
    int n = (int)scratch_read("a", bytes), good = 0;
    for (int i = 0; i < n; i++) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        scratch_write("a", bytes, (size_t)n);
        bytes[i] ^= (uint8_t)(1 << i % 8);
        cohort_dataset *d = f->read(&file, 1);
        if (d != NULL && (d->cardinality < 0 || d->cardinality < 200))
            gather(d, &part);
        good += d == NULL || part.status == COHORT_END;
        cohort_dataset_destroy(d);
    }
    ok(good == n, "%s: a bit flipped in any of %d bytes does no harm", f->name, n);
}

/* ---- A damaged record, and who ignores it */

static void test_ignored(void)
{
    static made m;
    cohort_array out[1];
    int64_t skipped = 0;
    int n = 0;
    make_tfrecord(&m, 0, ROWS);
    m.bytes[12] ^= 1; /* in the first record's data */
    scratch_write("a", m.bytes, m.n);
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_ignore_errors(
        read_tfrecord((const char *const[]){ scratch_name("a") }, 1), &skipped));
    while (cohort_iterator_next(it, out) == COHORT_OK)
        n++;
    cohort_iterator_destroy(it);
    ok(n == ROWS - 1 && skipped == 1,
       "a damaged record can be left out, and those behind it are read");
    cohort_tfrecord_options trusting = { .trust_checksums = true };
    it = cohort_dataset_iterate(
        cohort_dataset_tfrecord((const char *const[]){ scratch_name("a") }, 1, &trusting));
    for (n = 0; cohort_iterator_next(it, out) == COHORT_OK; n++)
        continue;
    cohort_iterator_destroy(it);
    ok(n == ROWS, "who trusts checksums gets it too");
    skipped = 0;
    scratch_write("a", "1,2\n3,x\n5\n7,8\n", 14);
    it = cohort_dataset_iterate(cohort_dataset_ignore_errors(
        read_csv((const char *const[]){ scratch_name("a") }, 1), &skipped));
    for (n = 0; cohort_iterator_next(it, out) == COHORT_OK; n++)
        continue;
    cohort_iterator_destroy(it);
    ok(n == 2 && skipped == 2, "so can rows of a CSV file that are no numbers, or too short");
}

/* The machine's errors are no file's: nothing is left out because of them. */
static void test_no_descriptor(void)
{
    struct rlimit limit, low;
    cohort_array out[1];
    int64_t skipped = 0;
    write_format(&formats[0], "a", 0, ROWS);
    write_format(&formats[0], "b", ROWS, ROWS);
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_ignore_errors(
        cohort_dataset_npy((const char *const[]){ scratch_name("a"), scratch_name("b") }, 2),
        &skipped));
    bool is = getrlimit(RLIMIT_NOFILE, &limit) == 0;
    low = limit;
    low.rlim_cur = 0;
    is = is && setrlimit(RLIMIT_NOFILE, &low) == 0;
    cohort_status first = cohort_iterator_next(it, out), second = cohort_iterator_next(it, out);
    is = setrlimit(RLIMIT_NOFILE, &limit) == 0 && is;
    ok(is && first == COHORT_EINTERNAL && second == COHORT_EINTERNAL && skipped == 0,
       "without a descriptor a file is an error that is not ignored");
    has_text(cohort_error_text(), "Too many open files", "with the system's reason");
    ok(cohort_iterator_restart(it) == COHORT_OK && cohort_iterator_next(it, out) == COHORT_OK,
       "when there are descriptors again it can start over");
    cohort_iterator_destroy(it);
}

/* ---- Sizes that are not there, and sizes that are */

static void test_lies(void)
{
    static made plain, packed;
    plain.n = packed.n = 0;
    put(&plain, "\0\0\x08\3", 4);
    put_number(&plain, 3, 4, true);
    put_number(&plain, 60000, 4, true);
    put_number(&plain, 60000, 4, true);
    put(&plain, "few", 3);
    put_gzip(&packed, &plain);
    scratch_write("a", packed.bytes, packed.n);
    ok(cohort_dataset_idx((const char *const[]){ scratch_name("a") }, 1) == NULL,
       "a packed IDX file of a few bytes whose header says many is refused");
    has_text(cohort_error_text(),
             strstr(cohort_error_text(), "zlib") != NULL ? "zlib" : "packed bytes hold at most",
             "with what it may have");
}

static int64_t most_memory(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? (int64_t)used.ru_maxrss * 1024 : 0;
}

/* 10 GB that take no room, of rows of 4,000 bytes. */
static void test_long_file(void)
{
    enum { ROW = 4000 };
    const int64_t rows = 2500000;
    cohort_array out[1];
    cohort_element element;
    scratch_write("a", "", 0);
    if (truncate(scratch_name("a"), (off_t)(rows * ROW)) != 0) {
        skip("a file of 10 GB", "the file system has none so long");
        return;
    }
    int64_t before = most_memory();
    cohort_dataset *d =
        cohort_dataset_records((const char *const[]){ scratch_name("a") }, 1, ROW, 0, 0);
    ok(cohort_dataset_cardinality(d) == rows, "10 GB have their rows counted");
    cohort_cursor *c = open_cursor(d);
    ok(cohort_cursor_at(c, rows - 1, &element) == COHORT_OK &&
           ((const uint8_t *)element.parts[0].data)[ROW - 1] == 0,
       "the last is there");
    cohort_cursor_close(c);
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_batch(
        cohort_dataset_skip(cohort_dataset_share(d), rows - 1000), 256, false));
    int64_t n = 0;
    while (cohort_iterator_next(it, out) == COHORT_OK)
        n += out[0].shape[0];
    cohort_iterator_destroy(it);
    ok(n == 1000, "the last 1,000 come in batches");
    it = cohort_dataset_iterate(d);
    for (n = 0; n < 10000 && cohort_iterator_next(it, out) == COHORT_OK; n++)
        continue;
    cohort_iterator_destroy(it);
    int64_t taken = most_memory() - before;
    ok(n == 10000 && taken < 64 << 20, "all that takes less than 64 MiB of memory, here %lld KiB",
       (long long)(taken >> 10));
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int descriptors = count_entries("/proc/self/fd");
    if (!begin_scratch())
        return skip_all("no folder can be made here");
    test_all_different();
    for (int i = 0; i < N_FORMATS; i++) {
        if (!is_readable(&formats[i])) {
            skip(formats[i].name, "this build has no zlib");
            continue;
        }
        if (formats[i].is_counted)
            test_replaced(&formats[i]);
        if (formats[i].is_indexed)
            test_shrinking(&formats[i]);
        test_cut(&formats[i]);
        test_flipped(&formats[i]);
        test_short_of_memory(&formats[i]);
    }
    test_ignored();
    test_no_descriptor();
    test_lies();
    test_long_file();
    for (const char *name = "a\0b\0c\0"; *name != '\0'; name += 2)
        scratch_remove(name);
    end_scratch(blocks, descriptors);
    return tap_done();
}
