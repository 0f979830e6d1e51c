/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of TFRecord files: what is refused, what TensorFlow wrote, files that are cut or damaged
 * at every place, and lengths that lie. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/tfrecord.h"

#include "tests/bytes_again.h"
#include "tests/core.h"
#include "tests/files.h"

enum { MOST_BYTES = 8192, AROUND = 16 };

/* What is in a file: bytes in hexadecimal, "-" for none. */
static const struct {
    const char *file;
    int count;
    const char *records;
} cases[] = {
#define CASES_OF_RECORDS
#include "tests/data/records/cases.h"
#undef CASES_OF_RECORDS
};
enum { N_CASES = sizeof cases / sizeof *cases };

static uint8_t whole[MOST_BYTES], bytes[MOST_BYTES];

static bool is_zlib_missing(const char *file)
{
    return strstr(file, ".gz") != NULL && strstr(cohort_error_text(), "without zlib") != NULL;
}

/* The number of records that are as wanted before the first that is not; *status says how it
 * ended. */
static int compare(cohort_bytes *from, bool check_crc, const char *records, cohort_status *status)
{
    uint8_t wanted[MOST_BYTES];
    const uint8_t *data;
    size_t n;
    bool can_go_on;
    int same = 0;
    while ((*status = cohort_tfrecord_next(from, check_crc, &data, &n, &can_go_on)) == COHORT_OK) {
        size_t digits = strcspn(records, " ");
        size_t n_wanted = *records == '-' ? 0 : files_from_hex(records, digits, wanted);
        if (digits == 0 || n != n_wanted || (n > 0 && memcmp(data, wanted, n) != 0))
            return same;
        records += digits + (records[digits] == ' ' ? 1 : 0);
        same++;
    }
    return same;
}

static void test_cases(void)
{
    cohort_status status;
    for (int i = 0; i < N_CASES; i++) {
        cohort_bytes *from = NULL;
        if (cohort_tfrecord_open(files_data("records", cases[i].file), &from) < 0 &&
            is_zlib_missing(cases[i].file)) {
            skip(cases[i].file, "no zlib");
            continue;
        }
        ok(from != NULL && compare(from, true, cases[i].records, &status) == cases[i].count &&
               status == COHORT_END,
           "%s has the records that were written", cases[i].file);
        ok(bytes_again(&from) == COHORT_OK &&
               compare(from, false, cases[i].records, &status) == cases[i].count &&
               status == COHORT_END,
           "%s has them also where checksums are trusted", cases[i].file);
        cohort_bytes_close(from);
    }
}

static void test_skips(void)
{
    for (int i = 0; i < N_CASES; i++) {
        cohort_bytes *from = NULL;
        const char *rest = cases[i].records;
        bool is_good = true;
        cohort_status status;
        if (cohort_tfrecord_open(files_data("records", cases[i].file), &from) < 0 &&
            is_zlib_missing(cases[i].file))
            continue;
        for (int n = 0; n <= cases[i].count && is_good; n++) {
            int64_t skipped = -1;
            is_good = bytes_again(&from) == COHORT_OK &&
                      cohort_tfrecord_skip(from, n % 2 == 0, n, &skipped) == COHORT_OK &&
                      skipped == n && compare(from, true, rest, &status) == cases[i].count - n &&
                      status == COHORT_END;
            rest += strcspn(rest, " ");
            rest += *rest == ' ' ? 1 : 0;
            is_good = is_good && bytes_again(&from) == COHORT_OK &&
                      cohort_tfrecord_skip(from, true, cases[i].count + 5, &skipped) == COHORT_OK &&
                      skipped == cases[i].count;
        }
        ok(is_good, "%s: any number of records is passed over", cases[i].file);
        cohort_bytes_close(from);
    }
}

static uint32_t masked(const uint8_t *data, size_t n)
{
    uint32_t crc = cohort_crc32c(0, data, n);
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

static void put(uint8_t *p, uint64_t number, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)(number >> 8 * i);
}

static size_t put_head(uint8_t *p, uint64_t length)
{
    put(p, length, 8);
    put(p + 8, masked(p, 8), 4);
    return 12;
}

/* A record of n bytes of value `byte`; returns what it takes. */
static size_t put_record(uint8_t *p, size_t n, int byte)
{
    size_t at = put_head(p, n);
    memset(p + at, byte, n);
    put(p + at + n, masked(p + at, n), 4);
    return n + AROUND;
}

/* Read all of files_path: COHORT_END, or the error. */
static cohort_status read_all(bool check_crc, int *count)
{
    cohort_bytes *from = NULL;
    const uint8_t *data;
    size_t n;
    bool can_go_on;
    cohort_status status = cohort_bytes_open(files_path, COHORT_PACKING_NONE, &from);
    for (*count = -1; status == COHORT_OK; ++*count)
        status = cohort_tfrecord_next(from, check_crc, &data, &n, &can_go_on);
    cohort_bytes_close(from);
    return status;
}

static size_t three_records(void)
{
    size_t n = put_record(whole, 5, 'a');
    n += put_record(whole + n, 0, 0);
    return n + put_record(whole + n, 20, 'b');
}

static void test_cuts(void)
{
    size_t all = three_records();
    bool is_right = true, is_named = true;
    int count;
    char place[32];
    for (size_t cut = 0; cut <= all; cut++) {
        bool is_between = cut == 0 || cut == 21 || cut == 37 || cut == all;
        files_write(whole, cut);
        for (int check_crc = 0; check_crc < 2; check_crc++) {
            cohort_status status = read_all(check_crc, &count);
            is_right = is_right && status == (is_between ? COHORT_END : COHORT_EINVAL);
            is_right = is_right && count == (cut >= 21) + (cut >= 37) + (cut >= all);
            (void)snprintf(place, sizeof place, "byte %d:", cut > 37 ? 37 : cut > 21 ? 21 : 0);
            is_named = is_named && (is_between || strstr(cohort_error_text(), place) != NULL);
        }
    }
    ok(is_right, "a file that is cut at any byte ends between records, or is an error");
    ok(is_named, "which names the byte where the record begins");
}

static void test_flips(void)
{
    size_t all = three_records();
    bool is_error = true, is_harmless = true, has_place = true;
    int count;
    for (size_t bit = 0; bit < 8 * all; bit++) {
        memcpy(bytes, whole, all);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        files_write(bytes, all);
        is_error = is_error && read_all(true, &count) == COHORT_EINVAL && count < 3;
        has_place = has_place && strstr(cohort_error_text(), ": byte ") != NULL;
        cohort_status status = read_all(false, &count);
        is_harmless = is_harmless && (status == COHORT_EINVAL || status == COHORT_END);
    }
    ok(is_error, "each flipped bit of a file is an error where checksums are checked");
    ok(has_place, "with the byte where the record begins");
    ok(is_harmless, "and does no harm where they are trusted");
}

static void test_going_on(void)
{
    size_t all = three_records(), n = 0;
    cohort_bytes *from = NULL;
    const uint8_t *data = NULL;
    bool can_go_on = false;
    whole[12] ^= 1;
    files_write(whole, all);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_NONE, &from) == COHORT_OK,
       "a file with a bad first record");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_EINVAL && data == NULL &&
           n == 0,
       "gives nothing of it");
    has_text(cohort_error_text(), "byte 0: the checksum of the record's 5 bytes is another",
             "and says what is wrong");
    ok(can_go_on && cohort_bytes_at(from) == 21, "but can go on");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK && n == 0,
       "with the second");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK && n == 20 &&
           data[19] == 'b',
       "and third");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_END && !can_go_on,
       "up to the end");
    cohort_bytes_close(from);
    whole[12] ^= 1;
    whole[21 + 8] ^= 1;
    files_write(whole, all);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_NONE, &from) == COHORT_OK,
       "a file with a bad second length");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK && n == 5,
       "gives the first");
    for (int i = 0; i < 2; i++)
        ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_EINVAL && !can_go_on,
           "then an error, each time, and cannot go on");
    has_text(cohort_error_text(), "byte 21: the checksum of the record's length, 0, is another",
             "since nothing says where");
    int64_t skipped = -1;
    ok(cohort_tfrecord_skip(from, true, 2, &skipped) == COHORT_EINVAL && skipped == 0,
       "nor can it be passed over");
    ok(cohort_tfrecord_skip(from, false, 2, &skipped) == COHORT_OK && skipped == 2,
       "unless checksums are trusted");
    cohort_bytes_close(from);
}

/* The length, what follows it, and a part of the message. */
static const struct {
    uint64_t length;
    size_t follow;
    const char *text;
} lies[] = {
    { UINT64_C(1) << 63, 100, "a record of 9223372036854775808 bytes, which no file has" },
    { UINT64_MAX, 100, "which no file has" },
    { INT64_MAX, 100, "which no file has" },
    { INT64_MAX - AROUND, 100, "and the file has 112 in all from here on" },
    { INT64_MAX - AROUND + 1, 100, "which no file has" },
    { UINT64_C(1) << 32, 100, "a record of 4294967296 bytes takes 16 more" },
    { 97, 100, "a record of 97 bytes takes 16 more" },
    { 0, 3, "a record of 0 bytes takes 16 more" },
};

static void test_lies(void)
{
    int count;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        memset(bytes, 0, sizeof bytes);
        files_write(bytes, put_head(bytes, lies[i].length) + lies[i].follow);
        if (ok(read_all(true, &count) == COHORT_EINVAL, "a length of %llu",
               (unsigned long long)lies[i].length))
            has_text(cohort_error_text(), lies[i].text, "is refused because of: %s", lies[i].text);
        ok(read_all(false, &count) == COHORT_EINVAL, "also where checksums are trusted");
    }
}

/* 10 GiB of nothing: a length may be true, and still be too much. */
static void test_sparse(void)
{
    const int64_t size = INT64_C(10) << 30;
    int64_t skipped = 0;
    int count;
    cohort_bytes *from = NULL;
    files_write(bytes, put_head(bytes, (uint64_t)COHORT_LIMIT_RECORD_BYTES + 1));
    if (truncate(files_path, (off_t)size) != 0) {
        skip("a record of a GiB and a byte", "the file system has no files of 10 GiB");
        return;
    }
    ok(read_all(true, &count) == COHORT_EINVAL, "a record of a GiB and a byte, which is there");
    has_text(cohort_error_text(), "a record of 1073741825 bytes; at most 1073741824 are read",
             "is above the limit");
    ok(cohort_bytes_open(files_path, COHORT_PACKING_NONE, &from) == COHORT_OK,
       "the file is opened again");
    int64_t blocks = cohort_memory_blocks();
    ok(cohort_tfrecord_skip(from, true, 1, &skipped) == COHORT_OK && skipped == 1,
       "it can be passed over");
    ok(cohort_bytes_at(from) == (INT64_C(1) << 30) + 17, "to the byte behind it");
    ok(cohort_memory_blocks() <= blocks + 1, "with no more memory than a window");
    cohort_bytes_close(from);
    files_write(bytes, put_head(bytes, (uint64_t)size - AROUND + 1));
    ok(truncate(files_path, (off_t)size) == 0 && read_all(true, &count) == COHORT_EINVAL,
       "a length one byte too long");
    has_text(cohort_error_text(), "and the file has 10737418240 in all",
             "is refused before anything is allocated");
}

/* Large records, whose window grows, plain and behind a length that only reading can confirm. */
static void test_large(void)
{
    enum { LARGE = 3000000, SMALL = 10 };
    uint8_t *large = malloc(LARGE + SMALL + 2 * AROUND);
    cohort_bytes *from = NULL;
    const uint8_t *data;
    size_t n = 0, all;
    bool can_go_on;
    if (large == NULL)
        abort();
    all = put_record(large, SMALL, 's');
    all += put_record(large + all, LARGE, 'l');
    files_write(large, all);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_NONE, &from) == COHORT_OK &&
           cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK && n == SMALL,
       "a small record");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK && n == LARGE &&
           data[LARGE - 1] == 'l',
       "and one that is larger than the window");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_END, "up to the end");
    cohort_bytes_close(from);
    free(large);
}

/* Lengths that begin as a gzip file does. */
static void test_gzip_lengths(void)
{
    enum { LENGTH = 0x088b1f };
    uint8_t *large = malloc(LENGTH + AROUND);
    cohort_bytes *from = NULL;
    const uint8_t *data;
    size_t n = 0;
    bool can_go_on;
    if (large == NULL)
        abort();
    files_write(large, put_record(large, LENGTH, 'g'));
    ok(cohort_tfrecord_open(files_path, &from) == COHORT_OK && !cohort_bytes_is_packed(from),
       "a first length of 559903 is no gzip file");
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK && n == LENGTH,
       "and is read");
    cohort_bytes_close(from);
    free(large);
    ok(cohort_tfrecord_open("no/such/file", &from) == COHORT_ENOENT && from == NULL,
       "a file that is not there");
}

/* A packed record whose length is a lie: the end is found by reading, and little memory is
 * taken. */
static void test_packed_lies(void)
{
    static const uint8_t head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, 12, 0, 0xf3, 0xff };
    cohort_bytes *from = NULL;
    const uint8_t *data;
    size_t n = 0;
    bool can_go_on;
    memcpy(bytes, head, sizeof head);
    /* one stored block, and no trailer */
    (void)put_head(bytes + sizeof head, COHORT_LIMIT_RECORD_BYTES);
    files_write(bytes, sizeof head + 12);
    if (cohort_tfrecord_open(files_path, &from) < 0) {
        skip("a packed record whose length is a lie", "no zlib");
        return;
    }
    int64_t before = cohort_memory_blocks();
    ok(cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_EINVAL && !can_go_on,
       "a packed record whose length is a lie");
    has_text(cohort_error_text(), "packed byte 27 of 27: the deflated data ends early",
             "is found out by reading");
    ok(cohort_memory_blocks() <= before + 1, "with no more memory than a window");
    cohort_bytes_close(from);
    (void)put_head(bytes + sizeof head, UINT64_C(1) << 63);
    files_write(bytes, sizeof head + 12);
    ok(cohort_tfrecord_open(files_path, &from) == COHORT_OK &&
           cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_EINVAL,
       "a packed length of 2^63");
    has_text(cohort_error_text(), "unpacked byte 0: a record of 9223372036854775808 bytes",
             "is refused at once");
    cohort_bytes_close(from);
    (void)put_head(bytes + sizeof head, COHORT_LIMIT_RECORD_BYTES + UINT64_C(1));
    files_write(bytes, sizeof head + 12);
    ok(cohort_tfrecord_open(files_path, &from) == COHORT_OK &&
           cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_EINVAL,
       "a packed length above the limit");
    has_text(cohort_error_text(), "at most 1073741824 are read", "too");
    cohort_bytes_close(from);
}

static void test_truncated(void)
{
    static uint8_t large[600000];
    size_t all = 0, n = 0;
    cohort_bytes *from = NULL;
    const uint8_t *data;
    bool can_go_on;
    int count = 0;
    cohort_status status;
    while (all + 1000 + AROUND <= sizeof large)
        all += put_record(large + all, 1000, 't');
    files_write(large, all);
    ok(cohort_tfrecord_open(files_path, &from) == COHORT_OK &&
           cohort_tfrecord_next(from, true, &data, &n, &can_go_on) == COHORT_OK,
       "a file of many records is read");
    ok(truncate(files_path, 300000) == 0, "and cut meanwhile");
    while ((status = cohort_tfrecord_next(from, true, &data, &n, &can_go_on)) == COHORT_OK)
        count++;
    ok(status == COHORT_EINVAL && count > 200 && !can_go_on,
       "the records of the window come, then an error");
    has_text(cohort_error_text(), "ends at byte 300000 now", "which says what happened");
    cohort_bytes_close(from);
}

int main(void)
{
    core_live warm = core_live_now();
    if (!files_begin())
        return skip_all("no folder can be made here");
    test_lies();
    test_cuts();
    test_flips();
    test_going_on();
    test_sparse();
    test_packed_lies();
    test_cases();
    test_skips();
    test_large();
    test_gzip_lengths();
    test_truncated();
    files_end();
    core_no_leak(warm);
    return tap_done();
}
