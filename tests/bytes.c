/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file: what is no file, every way to read, packed files that break in every place,
 * and files that change while they are read. */
#include "config.h"

#include "runtime/data/format/bytes.h"

#include "tests/bytes_again.h"
#include "tests/core.h"
#include "tests/files.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { MANY = 1000003, MOST_SMALL = 4096, WINDOW = 1 << 18 };

static uint8_t many[MANY], small[MOST_SMALL], plain[MOST_SMALL];
static size_t plain_bytes;

static const char *const packed_files[] = { "packed.tfrecord.gz",  "stored.tfrecord.gz",
                                            "members.tfrecord.gz", "padded.tfrecord.gz",
                                            "named.tfrecord.gz",   "tensorflow.tfrecord.gz" };
enum { N_PACKED = sizeof packed_files / sizeof *packed_files };

static bool has_zlib(void)
{
    cohort_bytes *bytes = NULL;
    bool is_there =
        cohort_bytes_open(files_data("records", packed_files[0]), COHORT_PACKING_GZIP, &bytes) >= 0;
    cohort_bytes_close(bytes);
    return is_there;
}

static void fill(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < MANY; i++) {
        state = state * 1664525u + 1013904223u;
        many[i] = (uint8_t)(state >> 24);
    }
}

static bool is_refused(const char *path, cohort_status wanted)
{
    cohort_bytes *bytes = (cohort_bytes *)many;
    return cohort_bytes_open(path, COHORT_PACKING_AUTO, &bytes) == wanted && bytes == NULL;
}

static void test_no_files(void)
{
    ok(is_refused("no/such/file", COHORT_ENOENT), "a file that is not there");
    has_text(cohort_error_text(), "no/such/file: No such file", "the text says which");
    ok(mkdir(files_path, 0700) == 0 && is_refused(files_path, COHORT_EINVAL), "a folder");
    (void)rmdir(files_path);
    ok(mkfifo(files_path, 0600) == 0 && is_refused(files_path, COHORT_EINVAL),
       "a FIFO, without waiting");
    (void)unlink(files_path);
    ok(is_refused("/dev/zero", COHORT_EINVAL), "a device");
    cohort_bytes_close(NULL);
}

/* Look at and take `step` bytes at a time, with zeros behind each view: what came, or -1. */
static int64_t drain(cohort_bytes *bytes, size_t step, uint8_t *into, size_t most)
{
    static const uint8_t padding[COHORT_BYTES_PADDING];
    size_t done = 0, there = 0;
    const uint8_t *at;
    cohort_status status;
    while ((status = cohort_bytes_need(bytes, step, &at, &there)) >= 0 && there > 0) {
        size_t now = there < step ? there : step;
        if (now > most - done || (now < step && cohort_bytes_left(bytes) > (int64_t)now) ||
            memcmp(at + there, padding, sizeof padding) != 0)
            return -1;
        memcpy(into + done, at, now);
        cohort_bytes_take(bytes, now);
        done += now;
    }
    return status < 0 || cohort_bytes_at(bytes) != (int64_t)done ? -1 : (int64_t)done;
}

static void test_empty(void)
{
    cohort_bytes *bytes = NULL;
    const uint8_t *at;
    size_t there = 1;
    uint8_t one;
    files_write("", 0);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK, "an empty file");
    ok(!cohort_bytes_is_packed(bytes) && cohort_bytes_left(bytes) == 0,
       "has nothing left, and is not packed");
    ok(cohort_bytes_need(bytes, 1, &at, &there) == COHORT_OK && there == 0,
       "and nothing to look at");
    ok(cohort_bytes_read(bytes, &one, 0) == COHORT_OK && cohort_bytes_skip(bytes, 0) == COHORT_OK,
       "none can be had");
    ok(cohort_bytes_read(bytes, &one, 1) == COHORT_EINVAL, "but not one");
    has_text(cohort_error_text(),
             "byte 0: 1 more bytes were expected here, and the file ends before", "and why");
    ok(cohort_bytes_skip(bytes, 1) == COHORT_EINVAL &&
           cohort_bytes_skip(bytes, -1) == COHORT_EINVAL,
       "nor can one be passed over, or fewer than none");
    cohort_bytes_close(bytes);
}

static void test_steps(void)
{
    static uint8_t found[MANY];
    const size_t steps[] = { 1,      7,          4096,       100001, WINDOW - 1,
                             WINDOW, WINDOW + 1, 3 * WINDOW, MANY,   MANY + 1 };
    cohort_bytes *bytes = NULL;
    files_write(many, MANY);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK, "a plain file");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int64_t done = drain(bytes, steps[i], found, sizeof found);
        ok(done == MANY && memcmp(found, many, MANY) == 0, "whole by steps of %d", (int)steps[i]);
        ok(cohort_bytes_left(bytes) == 0 && bytes_again(&bytes) == COHORT_OK &&
               cohort_bytes_at(bytes) == 0,
           "and again from the start");
    }
    cohort_bytes_close(bytes);
}

/* Looks, reads and skips of many lengths in turn, against the array. */
static bool wander(cohort_bytes *bytes, uint32_t seed)
{
    static uint8_t found[MANY];
    const uint8_t *at;
    size_t there, done = 0;
    bool is_good = true;
    while (is_good && done < MANY) {
        seed = seed * 1664525u + 1013904223u;
        size_t n = (seed >> 8) % (seed & 0x40000000u ? 700000 : 3000), left = MANY - done;
        n = n < left ? n : left;
        if (seed >> 30 == 0) {
            is_good = cohort_bytes_need(bytes, n, &at, &there) >= 0 && there >= n &&
                      (n == 0 || memcmp(at, many + done, there) == 0);
            cohort_bytes_take(bytes, is_good ? n : 0);
        } else if (seed >> 30 == 1) {
            is_good = cohort_bytes_skip(bytes, (int64_t)n) >= 0;
        } else {
            is_good = cohort_bytes_read(bytes, found, n) >= 0 && memcmp(found, many + done, n) == 0;
        }
        done += n;
        is_good = is_good && cohort_bytes_at(bytes) == (int64_t)done;
    }
    return is_good && cohort_bytes_read(bytes, found, 1) == COHORT_EINVAL;
}

static void wander_often(const char *what)
{
    cohort_bytes *bytes = NULL;
    bool is_good = cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) >= 0;
    for (uint32_t seed = 0; seed < 30 && is_good; seed++)
        is_good = wander(bytes, seed) && bytes_again(&bytes) >= 0;
    ok(is_good, "%s: look, read and skip in any turn", what);
    cohort_bytes_close(bytes);
}

/* What is in `many`, gzipped as one stored member, which needs no compressor; with damage the CRC
 * is another. */
static void write_stored(uint32_t damage)
{
    static uint8_t out[MANY + 1000];
    static const uint8_t head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255 };
    enum { BLOCK = 65535 };
    size_t n = sizeof head;
    uint32_t crc = ~damage;
    memcpy(out, head, n);
    for (size_t at = 0; at < MANY; at += BLOCK) {
        size_t now = MANY - at < BLOCK ? MANY - at : BLOCK;
        out[n++] = at + now == MANY;
        out[n++] = (uint8_t)now;
        out[n++] = (uint8_t)(now >> 8);
        out[n++] = (uint8_t)~now;
        out[n++] = (uint8_t)(~now >> 8);
        memcpy(out + n, many + at, now);
        n += now;
    }
    for (size_t i = 0; i < MANY; i++) {
        crc ^= many[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    for (int i = 0; i < 4; i++)
        out[n++] = (uint8_t)(~crc >> 8 * i);
    for (int i = 0; i < 4; i++)
        out[n++] = (uint8_t)((uint32_t)MANY >> 8 * i);
    files_write(out, n);
}

/* zlib looks at the trailer along with the last byte; who asks for no more than that byte gets
 * it. */
static void test_damaged_behind(void)
{
    static uint8_t found[MANY];
    cohort_bytes *bytes = NULL;
    write_stored(1);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK &&
           cohort_bytes_read(bytes, found, MANY) == COHORT_OK && memcmp(found, many, MANY) == 0,
       "all bytes before a damaged trailer can be read at once");
    ok(cohort_bytes_read(bytes, found, 1) == COHORT_EINVAL, "behind them is an error");
    has_text(cohort_error_text(), "incorrect data check", "which says why");
    cohort_bytes_close(bytes);
}

static int64_t drain_file(const char *path, cohort_packing packing, size_t step, uint8_t *into,
                          size_t most)
{
    cohort_bytes *bytes = NULL;
    int64_t done =
        cohort_bytes_open(path, packing, &bytes) < 0 ? -1 : drain(bytes, step, into, most);
    cohort_bytes_close(bytes);
    return done;
}

static void test_packed_files(void)
{
    static uint8_t found[MOST_SMALL];
    for (int i = 0; i < N_PACKED; i++) {
        bool is_same = true;
        for (size_t step = 1; step < 2000; step += step < 20 ? 1 : 333) {
            int64_t done = drain_file(files_data("records", packed_files[i]), COHORT_PACKING_AUTO,
                                      step, found, sizeof found);
            is_same =
                is_same && done == (int64_t)plain_bytes && memcmp(found, plain, plain_bytes) == 0;
        }
        ok(is_same, "%s unpacks to the plain file", packed_files[i]);
    }
    size_t count = files_read(files_data("records", "packed.tfrecord.gz"), small, sizeof small);
    int64_t done = drain_file(files_data("records", "packed.tfrecord.gz"), COHORT_PACKING_NONE, 100,
                              found, sizeof found);
    ok(done == (int64_t)count && memcmp(found, small, count) == 0,
       "as it is, where no packing is asked for");
    ok(drain_file(files_data("records", "plain.tfrecord"), COHORT_PACKING_GZIP, 1, found,
                  sizeof found) == -1,
       "a plain file is refused where gzip is asked for");
    has_text(cohort_error_text(), "incorrect header check; expected whole gzip data",
             "and the text says why");
    ok(drain_file(files_data("records", "empty.tfrecord"), COHORT_PACKING_GZIP, 1, found,
                  sizeof found) == -1,
       "and an empty one");
}

/* A cut packed file is an error where it is cut, and what comes before it is right. */
static void test_packed_cuts(void)
{
    static uint8_t found[MOST_SMALL];
    for (int i = 0; i < N_PACKED; i++) {
        size_t count = files_read(files_data("records", packed_files[i]), small, sizeof small);
        bool is_right = true;
        for (size_t cut = 0; cut < count; cut++) {
            files_write(small, cut);
            int64_t done = drain_file(files_path, COHORT_PACKING_GZIP, 1, found, sizeof found);
            bool is_end = strstr(packed_files[i], "members") != NULL ||
                          strstr(packed_files[i], "padded") != NULL;
            is_right =
                is_right && (done == -1 || (is_end && memcmp(found, plain, (size_t)done) == 0));
            is_right = is_right && (is_end || strstr(cohort_error_text(), "ends early") != NULL);
        }
        ok(is_right, "%s, cut at any byte, is an error, or ends between members", packed_files[i]);
    }
}

/* Some bits say nothing: the time, the system, those that fill the last byte of the deflated
 * data. */
static void test_packed_flips(void)
{
    static uint8_t found[MOST_SMALL];
    enum { SAYS_NOTHING = 6 * 8 + 1 + 8 };
    size_t count = files_read(files_data("records", "packed.tfrecord.gz"), small, sizeof small);
    bool is_right = true;
    size_t refused = 0;
    for (size_t bit = 0; bit < 8 * count; bit++) {
        small[bit / 8] ^= (uint8_t)(1u << bit % 8);
        files_write(small, count);
        int64_t done = drain_file(files_path, COHORT_PACKING_GZIP, 100, found, sizeof found);
        is_right = is_right && (done == -1 || (done == (int64_t)plain_bytes &&
                                               memcmp(found, plain, plain_bytes) == 0));
        refused += done == -1;
        small[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ok(is_right && refused >= 8 * count - SAYS_NOTHING,
       "each flipped bit of a packed file that says anything is an error");
    small[count - 8] ^= 1;
    files_write(small, count);
    ok(drain_file(files_path, COHORT_PACKING_AUTO, 100, found, sizeof found) == -1,
       "another CRC-32");
    has_text(cohort_error_text(), "incorrect data check", "is named");
    small[count - 8] ^= 1;
    small[count - 4] ^= 1;
    files_write(small, count);
    ok(drain_file(files_path, COHORT_PACKING_AUTO, 100, found, sizeof found) == -1,
       "another length");
    has_text(cohort_error_text(), "incorrect length check", "is named");
    small[count - 4] ^= 1;
    small[count] = 'x';
    files_write(small, count + 1);
    ok(drain_file(files_path, COHORT_PACKING_AUTO, 100, found, sizeof found) == -1,
       "text behind the end is refused");
}

/* What lies before the damage can be had, the same failure comes as often as it is asked for, and
 * starting over works.
 */
static void test_packed_failure_stays(void)
{
    cohort_bytes *bytes = NULL;
    const uint8_t *at;
    size_t there = 0,
           count = files_read(files_data("records", "packed.tfrecord.gz"), small, sizeof small);
    small[count - 8] ^= 1;
    files_write(small, count);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK,
       "a file with a damaged end is opened");
    for (int round = 0; round < 2; round++) {
        ok(cohort_bytes_is_packed(bytes) && cohort_bytes_left(bytes) == -1,
           "nobody knows how much is left");
        ok(cohort_bytes_need(bytes, plain_bytes, &at, &there) == COHORT_OK &&
               there == plain_bytes && memcmp(at, plain, plain_bytes) == 0,
           "all of it can be looked at");
        ok(cohort_bytes_need(bytes, plain_bytes + 1, &at, &there) == COHORT_EINVAL && there == 0,
           "but not beyond");
        cohort_bytes_take(bytes, plain_bytes);
        ok(cohort_bytes_need(bytes, 1, &at, &there) == COHORT_EINVAL, "nor is this the end");
        ok(cohort_bytes_skip(bytes, 1) == COHORT_EINVAL, "in whatever way it is asked for");
        ok(bytes_again(&bytes) == COHORT_OK, "it can be read again");
    }
    cohort_bytes_close(bytes);
}

/* 256 KiB of zero bytes, 300 times. */
static void test_bomb(void)
{
    static const uint8_t bomb[] = {
#include "tests/data/records/zeroes.h"
    };
    enum { TIMES = 300 };
    static uint8_t out[sizeof bomb * TIMES];
    cohort_bytes *bytes = NULL;
    const uint8_t *at;
    size_t there = 0;
    for (size_t i = 0; i < TIMES; i++)
        memcpy(out + i * sizeof bomb, bomb, sizeof bomb);
    files_write(out, sizeof out);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK,
       "85 KB that unpack to 75 MB");
    ok(cohort_bytes_need(bytes, 1, &at, &there) == COHORT_OK && there <= WINDOW,
       "fill no more than the window");
    ok(cohort_bytes_skip(bytes, (int64_t)TIMES * WINDOW - 1) == COHORT_OK,
       "and can be passed over");
    ok(cohort_bytes_need(bytes, 9, &at, &there) == COHORT_OK && there == 1, "up to the last byte");
    ok(cohort_bytes_skip(bytes, 2) == COHORT_EINVAL, "and no further");
    cohort_bytes_close(bytes);
}

static void test_marks(void)
{
    static const struct {
        uint8_t bytes[5];
        size_t n;
        bool is_packed;
    } marks[] = { { { 0x1f, 0x8b, 8, 0, 0 }, 5, true },     { { 0x1f, 0x8b, 8, 31, 0 }, 4, true },
                  { { 0x1f, 0x8b, 8, 0, 0 }, 3, false },    { { 0x1f, 0x8b, 0, 0, 0 }, 5, false },
                  { { 0x1f, 0x8b, 8, 0x20, 0 }, 5, false }, { { 0x1f, 0x8c, 8, 0, 0 }, 5, false } };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        cohort_bytes *bytes = NULL;
        files_write(marks[i].bytes, marks[i].n);
        ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK &&
               cohort_bytes_is_packed(bytes) == marks[i].is_packed,
           "mark %d is %s", (int)i, marks[i].is_packed ? "gzip's" : "none");
        cohort_bytes_close(bytes);
    }
}

/* The window holds what was read; behind it the loss is noticed, also by a skip to the very end. */
static void test_truncated(void)
{
    static uint8_t found[MANY];
    cohort_bytes *bytes = NULL;
    const uint8_t *at;
    size_t there = 0;
    files_write(many, MANY);
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK &&
           cohort_bytes_need(bytes, 10, &at, &there) == COHORT_OK,
       "a file is read");
    ok(truncate(files_path, 300000) == 0, "and cut behind the reader's back");
    ok(cohort_bytes_read(bytes, found, 1000) == COHORT_OK && memcmp(found, many, 1000) == 0,
       "what was read stays");
    ok(cohort_bytes_read(bytes, found, 500000) == COHORT_EINVAL, "the rest is an error");
    has_text(cohort_error_text(),
             "ends at byte 300000 now, but had 1000003 bytes when it was opened", "both are named");
    ok(cohort_bytes_skip(bytes, cohort_bytes_left(bytes)) == COHORT_EINVAL,
       "so it is when the rest is passed over");
    has_text(cohort_error_text(), "but had 1000003 bytes when it was opened", "both are named");
    cohort_bytes_close(bytes);
}

/* The path is copied, and the file may be unlinked. */
static void test_path(void)
{
    char path[64];
    cohort_bytes *bytes = NULL;
    uint8_t found[10];
    files_write(many, 10);
    (void)snprintf(path, sizeof path, "%s", files_path);
    ok(cohort_bytes_open(path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK, "a file is opened");
    memset(path, '?', sizeof path - 1);
    is_text(cohort_bytes_path(bytes), files_path, "its path is copied");
    ok(cohort_bytes_read(bytes, found, 11) == COHORT_EINVAL, "11 of 10 bytes");
    has_text(cohort_error_text(), files_path, "are an error that names it");
    ok(unlink(files_path) == 0 && cohort_bytes_read(bytes, found, 10) == COHORT_OK &&
           memcmp(found, many, 10) == 0,
       "it can be read when its name is gone");
    cohort_bytes_close(bytes);
}

static void test_sparse(void)
{
    cohort_bytes *bytes = NULL;
    const int64_t size = INT64_C(10) << 30;
    uint8_t byte = 1;
    files_write("", 0);
    if (truncate(files_path, (off_t)size) != 0) {
        skip("a file of 10 GiB", "the file system has none of this size");
        return;
    }
    ok(cohort_bytes_open(files_path, COHORT_PACKING_AUTO, &bytes) == COHORT_OK, "a file of 10 GiB");
    ok(cohort_bytes_skip(bytes, size - 1) == COHORT_OK && cohort_bytes_left(bytes) == 1,
       "is passed over at once");
    ok(cohort_bytes_read(bytes, &byte, 1) == COHORT_OK && byte == 0, "and its last byte read");
    ok(cohort_bytes_skip(bytes, INT64_MAX) == COHORT_EINVAL, "beyond it is nothing");
    cohort_bytes_close(bytes);
}

int main(void)
{
    core_live warm = core_live_now();
    if (!files_begin())
        return skip_all("no folder can be made here");
    fill();
    plain_bytes = files_read(files_data("records", "plain.tfrecord"), plain, sizeof plain);
    test_no_files();
    test_empty();
    test_steps();
    wander_often("plain");
    test_truncated();
    test_path();
    test_sparse();
    if (has_zlib()) {
        write_stored(0);
        wander_often("packed");
        test_damaged_behind();
        test_packed_files();
        test_packed_cuts();
        test_packed_flips();
        test_packed_failure_stays();
        test_bomb();
        test_marks();
    } else {
        ok(is_refused(files_data("records", packed_files[0]), COHORT_ENOTSUP),
           "a packed file needs zlib");
    }
    files_end();
    core_no_leak(warm);
    return tap_done();
}
